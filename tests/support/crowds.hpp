// SPDX-License-Identifier: MIT
// Random worlds for the neighbour search, and what it should find in them by looking at all pairs in all images. Knows
// nothing of how the search is done.
#pragma once

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "base/random.hpp"
#include "world/world.hpp"

namespace moraine::test {

enum class Mix { kUniform, kFewLarge, kPowerLaw };
enum class Space { kMixed, kSheared, kCube };  // kMixed: each axis open or periodic; kCube: all periodic and equal

struct Crowd {
  std::size_t count = 100;
  double ratio = 1;  // largest to smallest radius
  Mix mix = Mix::kUniform;
  Space space = Space::kMixed;
  double fraction = 0.5;  // of space filled, about
};

inline double draw_radius(const Crowd& crowd, int dimension, base::Stream& random) {
  const double u = random.uniform();
  if (crowd.mix == Mix::kFewLarge) return u < 0.02 ? 1 : 1 / crowd.ratio;
  if (crowd.mix == Mix::kUniform) return 1 / crowd.ratio + (1 - 1 / crowd.ratio) * u;
  // As much volume in each octave of sizes.
  const double most = std::pow(crowd.ratio, dimension);
  return std::pow(most + u * (1 - most), -1.0 / dimension);
}

template <int D>
void shear_along_random_axes(world::Domain<D>& domain, base::Stream& random) {
  domain.periodic.fill(true);
  domain.shear.rate = random.uniform(-3, 3);
  domain.shear.flow = static_cast<int>(random.below(D));
  domain.shear.gradient = (domain.shear.flow + 1 + static_cast<int>(random.below(D - 1))) % D;
}

// Some bodies stand outside the periodic box and are to be wrapped; some are held, some belong to clumps.
template <int D>
world::World<D> random_world(std::uint64_t seed, const Crowd& crowd) {
  base::Stream random(seed, "crowd");
  world::World<D> w;
  double volume = 0, largest = 0, smallest = 1;
  for (std::size_t i = 0; i < crowd.count; ++i) {
    world::NewBody<D> b;
    b.radius = draw_radius(crowd, D, random);
    b.mass = b.inertia = random.uniform(1, 2);
    largest = std::max(largest, b.radius);
    smallest = std::min(smallest, b.radius);
    volume += D == 2 ? 3.14 * b.radius * b.radius : 4.19 * b.radius * b.radius * b.radius;
    const double kind = random.uniform();
    if (kind < 0.1) b.held = world::Held::kFixed;
    if (kind > 0.8) {
      b.held = world::Held::kMember;
      b.clump = static_cast<std::uint32_t>(random.below(1 + crowd.count / 20));
    }
    w.bodies.add(b);
  }
  w.skin = random.uniform() < 0.5 ? random.uniform(0, 2 * largest) : random.uniform(0, 2 * smallest);
  const double side = std::pow(volume / crowd.fraction, 1.0 / D);
  if (crowd.space == Space::kSheared) shear_along_random_axes(w.domain, random);
  for (std::size_t k = 0; k < D; ++k) {
    const int axis = static_cast<int>(k);
    if (crowd.space != Space::kSheared) w.domain.periodic[k] = crowd.space == Space::kCube || random.uniform() < 0.5;
    if (!w.domain.periodic[k]) continue;
    w.domain.min[axis] = random.uniform(-side, side);
    const double length = crowd.space == Space::kCube ? side : random.uniform(0.7, 1.3) * side;
    // Just long enough for each pair to meet in one image only, or longer.
    w.domain.max[axis] = w.domain.min[axis] + std::max(length, 2.001 * (2 * largest + w.skin));
  }
  for (std::size_t i = 0; i < crowd.count; ++i) {
    for (int k = 0; k < D; ++k) {
      const bool wraps = w.domain.periodic[static_cast<std::size_t>(k)];
      const double low = wraps ? w.domain.min[k] : 0, length = wraps ? w.domain.length(k) : side;
      w.bodies.place[i].x[k] = low + length * random.uniform(-0.5, 1.5);
      w.bodies.moving[i].v[k] = w.bodies.moving[i].v_now[k] = random.uniform(-1, 1);
    }
  }
  w.time = crowd.space == Space::kSheared ? random.uniform(0, 50) : 0;
  for (int k = 0; k < 3; ++k) {
    world::Wall<D> wall;
    for (int c = 0; c < D; ++c) {
      wall.start.a[c] = random.uniform(0, side);
      wall.start.b[c] = random.uniform(0, side);
    }
    if (D == 3) wall.start.b *= 1 / math::norm(wall.start.b);
    world::place_wall(wall, 0, 0);
    w.walls.push_back(wall);
  }
  return w;
}

// The shortest way from i to any image of j at the present time.
template <int D>
double distance(const world::World<D>& w, std::size_t i, std::size_t j) {
  const auto& domain = w.domain;
  const auto nearest = [&domain](double apart, int k) {
    if (!domain.periodic[static_cast<std::size_t>(k)]) return apart;
    return apart - std::round(apart / domain.length(k)) * domain.length(k);
  };
  const math::Vec<D> apart = w.bodies.place[j].x - w.bodies.place[i].x;
  double shortest = std::numeric_limits<double>::infinity();
  for (int up = -1; up <= 1; ++up) {
    if (up != 0 && domain.shear.rate == 0) continue;
    math::Vec<D> way = apart;
    for (int k = 0; k < D; ++k) {
      if (domain.shear.rate == 0 || k != domain.shear.gradient) {
        if (domain.shear.rate != 0 && k == domain.shear.flow) way[k] += up * domain.slide(w.time);
        way[k] = nearest(way[k], k);
      } else {
        way[k] += up * domain.length(k);
      }
    }
    shortest = std::min(shortest, math::norm(way));
  }
  return shortest;
}

using IdPair = std::pair<std::int64_t, std::int64_t>;  // the lower first

// All pairs whose gap is below `gap` and that can push each other.
template <int D>
std::map<IdPair, double> all_pairs(const world::World<D>& w, double gap) {
  std::map<IdPair, double> out;
  const auto& bodies = w.bodies;
  const auto stands = [&](std::size_t i) {
    return bodies.moving[i].held == world::Held::kFixed || bodies.moving[i].held == world::Held::kPrescribed;
  };
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    for (std::size_t j = i + 1; j < bodies.size(); ++j) {
      if (stands(i) && stands(j)) continue;
      if (bodies.clump[i] != world::kNoClump && bodies.clump[i] == bodies.clump[j]) continue;
      const double d = distance(w, i, j);
      if (d < bodies.place[i].radius + bodies.place[j].radius + gap) out[std::minmax(bodies.id[i], bodies.id[j])] = d;
    }
  }
  return out;
}

}  // namespace moraine::test
