// SPDX-License-Identifier: MIT
#include "inflow/place.hpp"

#include <algorithm>
#include <cmath>

#include "math/elementary.hpp"

namespace moraine::inflow {

template <int D>
Occupied<D>::Occupied(const world::Domain<D>& domain, const Region<D>& region, double largest_radius)
    : domain_(domain) {
  std::size_t cells = 1;
  for (std::size_t k = 0; k < D; ++k) {
    const int axis = static_cast<int>(k);
    const bool wraps = domain.periodic[k];
    low_[axis] = wraps ? domain.min[axis] : region.min[axis];
    const double length = wraps ? domain.length(axis) : region.max[axis] - region.min[axis];
    count_[k] =
        std::clamp<std::int64_t>(static_cast<std::int64_t>(length / (2 * largest_radius)), 1, D == 2 ? 4000 : 250);
    width_[k] = length / static_cast<double>(count_[k]);
    cells *= static_cast<std::size_t>(count_[k]);
  }
  cells_.resize(cells);
}

template <int D>
std::array<std::int64_t, D> Occupied<D>::coordinates(const Vec<D>& x) const {
  std::array<std::int64_t, D> at;
  for (std::size_t k = 0; k < D; ++k) {
    const int axis = static_cast<int>(k);
    at[k] = static_cast<std::int64_t>(std::floor((x[axis] - low_[axis]) / width_[k]));
    if (domain_.periodic[k]) {
      at[k] = ((at[k] % count_[k]) + count_[k]) % count_[k];
    } else {
      at[k] = std::clamp<std::int64_t>(at[k], 0, count_[k] - 1);
    }
  }
  return at;
}

template <int D>
std::size_t Occupied<D>::cell(const std::array<std::int64_t, D>& at) const {
  std::size_t index = 0;
  for (std::size_t k = 0; k < D; ++k)
    index = index * static_cast<std::size_t>(count_[k]) + static_cast<std::size_t>(at[k]);
  return index;
}

template <int D>
void Occupied<D>::add(const Ball<D>& ball) {
  cells_[cell(coordinates(ball.x))].push_back(ball);
}

template <int D>
bool Occupied<D>::is_free(const Ball<D>& ball, double gap) const {
  const auto home = coordinates(ball.x);
  for (int code = 0; code < world::kImages<D>; ++code) {
    auto at = home;
    int rest = code;
    bool there = true;
    for (std::size_t k = 0; k < D; ++k) {
      at[k] += rest % 3 - 1;
      rest /= 3;
      if (domain_.periodic[k]) {
        at[k] = (at[k] + count_[k]) % count_[k];
      } else if (at[k] < 0 || at[k] >= count_[k]) {
        there = false;
      }
    }
    if (!there) continue;
    for (const Ball<D>& other : cells_[cell(at)]) {
      Vec<D> apart = other.x - ball.x;
      for (std::size_t k = 0; k < D; ++k) {
        const int axis = static_cast<int>(k);
        if (domain_.periodic[k]) apart[axis] -= std::round(apart[axis] / domain_.length(axis)) * domain_.length(axis);
      }
      const double reach = other.radius + ball.radius + gap;
      if (math::norm2(apart) < reach * reach) return false;
    }
  }
  return true;
}

template <int D>
std::vector<Ball<D>> lattice(const Region<D>& region, const Sizes& sizes, double spacing, bool hexagonal, double jitter,
                             std::optional<std::size_t> count, base::Stream& random) {
  const double r = sizes.largest();
  const double slack = jitter * 0.5 * (spacing - 2 * r);
  std::array<double, D> step;
  step.fill(spacing);
  if (hexagonal) step[D - 1] = spacing * std::sqrt(0.75);
  std::array<std::int64_t, D> n;
  Vec<D> first;
  for (std::size_t k = 0; k < D; ++k) {
    const int axis = static_cast<int>(k);
    // Points keep half a spacing (a radius and the jitter) from the faces, and stand in the middle of what is left.
    const double room = region.max[axis] - region.min[axis] - 2 * (r + slack);
    const double beside = hexagonal && k == 0 ? 0.5 * spacing : 0;
    n[k] = room < beside ? 0 : static_cast<std::int64_t>(std::floor((room - beside) / step[k] * (1 + 1e-12))) + 1;
    first[axis] = 0.5 * (region.min[axis] + region.max[axis]) -
                  0.5 * (static_cast<double>(std::max<std::int64_t>(n[k], 1) - 1) * step[k] + beside);
  }
  std::vector<Ball<D>> balls;
  std::array<std::int64_t, D> at{};
  std::int64_t total = 1;
  for (const std::int64_t c : n) total *= c;
  for (std::int64_t p = 0; p < total && (!count || balls.size() < *count); ++p) {
    std::int64_t rest = p;
    for (std::size_t k = 0; k < D; ++k) {
      at[k] = rest % n[k];
      rest /= n[k];
    }
    Ball<D> ball;
    ball.radius = sizes.draw(random);
    for (std::size_t k = 0; k < D; ++k) {
      const int axis = static_cast<int>(k);
      ball.x[axis] = first[axis] + static_cast<double>(at[k]) * step[k];
      if (hexagonal && k == 0 && at[D - 1] % 2 == 1) ball.x[axis] += 0.5 * spacing;
      if (slack > 0) ball.x[axis] += random.uniform(-slack, slack);
    }
    balls.push_back(ball);
  }
  return balls;
}

template <int D>
std::optional<std::vector<Ball<D>>> random_sequential(const Region<D>& region, const world::Domain<D>& domain,
                                                      const Sizes& sizes, std::optional<std::size_t> count,
                                                      double fraction, double gap, const std::vector<Ball<D>>& present,
                                                      base::Stream& random) {
  double largest = sizes.largest();
  for (const Ball<D>& b : present) largest = std::max(largest, b.radius);
  Occupied<D> occupied(domain, region, largest + 0.5 * gap);
  for (const Ball<D>& b : present) occupied.add(b);
  const double wanted = fraction * region.volume();
  double covered = 0;
  std::vector<Ball<D>> balls;
  constexpr int kTries = 200000;
  while (count ? balls.size() < *count : covered < wanted) {
    const double radius = sizes.draw(random);
    int tries = 0;
    for (;;) {
      Ball<D> ball{{}, radius};
      for (std::size_t k = 0; k < D; ++k) {
        const int axis = static_cast<int>(k);
        const double inset = domain.periodic[k] ? 0 : radius;
        ball.x[axis] = random.uniform(region.min[axis] + inset, region.max[axis] - inset);
      }
      if (occupied.is_free(ball, gap)) {
        occupied.add(ball);
        balls.push_back(ball);
        break;
      }
      if (++tries == kTries) return std::nullopt;
    }
    covered += math::ball_volume(D, radius);
  }
  return balls;
}

#define MORAINE_INSTANTIATE(D)                                                                             \
  template class Occupied<D>;                                                                              \
  template std::vector<Ball<D>> lattice<D>(const Region<D>&, const Sizes&, double, bool, double,           \
                                           std::optional<std::size_t>, base::Stream&);                     \
  template std::optional<std::vector<Ball<D>>> random_sequential<D>(                                       \
      const Region<D>&, const world::Domain<D>&, const Sizes&, std::optional<std::size_t>, double, double, \
      const std::vector<Ball<D>>&, base::Stream&);
MORAINE_INSTANTIATE(2)
MORAINE_INSTANTIATE(3)

}  // namespace moraine::inflow
