// SPDX-License-Identifier: MIT
#include "scene/step.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "soft/extra_time.hpp"
#include "soft/restitution.hpp"
#include "world/near_wall.hpp"

namespace moraine::scene {

using math::Vec;

namespace {

using world::NormalLaw;
using world::PairLaw;

// Steps per contact for restitution within 0.3 % of what was asked for, at any moment of first touch (measured over
// laws and e in tests/validation/impacts.cpp: weak damping needs 50, strong damping three times that).
double steps_needed(const PairLaw& law, double m_eff) {
  double zeta = 0;
  if (law.normal == NormalLaw::kLinear) {
    zeta = law.rate > 0 ? 0.5 * law.rate / std::sqrt(law.K / m_eff) : 0.5 * law.damping / std::sqrt(law.K);
  } else if (law.normal == NormalLaw::kHertz) {
    zeta = law.damping / std::sqrt(5.0);
  }
  return 50 + 100 * std::min(1.0, zeta / 0.6);
}

// The forces of solids change direction at once where another face comes to be the nearest. Each time, a step gains or
// loses some energy; where nothing else does, it is seen.
double steps_of_solids(const PairLaw& law) {
  const bool keeps_energy = law.damping == 0 && law.rate == 0 && law.unloading == 1 && law.mu == 0;
  return keeps_energy ? 500 : 150;
}

struct Lightest {
  double mass = std::numeric_limits<double>::infinity();
  double mass_damped = mass;  // what contacts with dashpots must reckon with
  double radius = std::numeric_limits<double>::infinity();
  bool wall = false;
};

// The largest y.I^-1.y of all arms y = r x n, n any unit vector.
double easiest_turn(const Vec<2>& r, double inertia) { return math::norm2(r) / inertia; }
double easiest_turn(const Vec<3>& r, const Vec<3>& inertia) {
  const double r2 = math::norm2(r);
  if (!(r2 > 0)) return 0;
  // The arms fill a disc across r: the larger eigenvalue of I^-1 in that plane.
  const Vec<3> u = world::across(r * (1 / std::sqrt(r2))), v = math::cross(r, u) * (1 / std::sqrt(r2));
  double uu = 0, vv = 0, uv = 0;
  for (int k = 0; k < 3; ++k) {
    uu += u[k] * u[k] / inertia[k];
    vv += v[k] * v[k] / inertia[k];
    uv += u[k] * v[k] / inertia[k];
  }
  return r2 * (0.5 * (uu + vv) + std::sqrt(0.25 * (uu - vv) * (uu - vv) + uv * uv));
}

// What a push of one along n at r moves: the velocity, and the spin along each axis, over the square roots of mass and
// inertia.
std::array<double, 4> moved_by(const Vec<2>& r, const Vec<2>& n, double mass, double inertia) {
  const double m = std::sqrt(mass);
  return {n[0] / m, n[1] / m, math::cross(r, n) / std::sqrt(inertia), 0};
}
std::array<double, 4> moved_by(const Vec<3>& r, const Vec<3>& n, double mass, const Vec<3>& inertia) {
  const Vec<3> arm = math::cross(r, n);  // all pushes are along one n: the velocity is one number
  return {1 / std::sqrt(mass), arm[0] / std::sqrt(inertia[0]), arm[1] / std::sqrt(inertia[1]),
          arm[2] / std::sqrt(inertia[2])};
}

// The largest eigenvalue of the sum of v v^T over vectors v.
double largest_eigenvalue(const std::vector<std::array<double, 4>>& all) {
  double sum[4][4] = {};
  for (const auto& v : all) {
    for (std::size_t i = 0; i < 4; ++i) {
      for (std::size_t j = 0; j < 4; ++j) sum[i][j] += v[i] * v[j];
    }
  }
  std::array<double, 4> x{1, 0.9, 0.8, 0.7};
  double value = 0;
  for (int round = 0; round < 100; ++round) {
    std::array<double, 4> y{};
    double size2 = 0;
    for (std::size_t i = 0; i < 4; ++i) {
      for (std::size_t j = 0; j < 4; ++j) y[i] += sum[i][j] * x[j];
      size2 += y[i] * y[i];
    }
    value = std::sqrt(size2);
    for (std::size_t i = 0; i < 4; ++i) x[i] = y[i] / value;
  }
  return value;
}

// A face stands on all its corners at once. How many times as stiff, against the mass that it moves, that is as its
// most yielding corner alone; up to kBorne the steps to a contact time are enough as they are (boxes have 1.1 to 1.7).
template <int D>
double crowding(const shape::Solid<D>& solid) {
  constexpr double kBorne = 2, kFlat = 1e-3;  // corners that are level within this part of the radius act at once
  constexpr std::size_t kMostLooks = 4000000;
  double alone = 0, together = 0;
  for (const std::uint32_t v : solid.corners)
    alone = std::max(alone, 1 / mass_when_pushed<D>(solid.measure, solid.moment, solid.vertices[v]));
  std::vector<std::array<double, 4>> acting;
  const auto look = [&](const Vec<D>& n) {
    double highest = -std::numeric_limits<double>::infinity();
    for (const std::uint32_t v : solid.corners) highest = std::max(highest, math::dot(n, solid.vertices[v]));
    acting.clear();
    double trace = 0;  // the sum of all eigenvalues
    for (const std::uint32_t v : solid.corners) {
      if (math::dot(n, solid.vertices[v]) < highest - kFlat * solid.radius) continue;
      acting.push_back(moved_by(solid.vertices[v], n, solid.measure, solid.moment));
      for (const double x : acting.back()) trace += x * x;
    }
    if (trace <= std::max(together, kBorne * alone)) return;
    together = std::max(together, largest_eigenvalue(acting));
  };
  for (const auto& front : solid.fronts) look(front.n);
  const std::size_t every = 1 + solid.normals.size() * solid.corners.size() / kMostLooks;
  for (std::size_t f = 0; f < solid.normals.size(); f += every) look(solid.normals[f]);
  return std::max(1.0, together / (kBorne * alone));
}

// Whether contacts have dashpots whose coefficients follow from a mass.
bool has_dashpots(const PairLaw& law) {
  const bool normal = law.normal == NormalLaw::kLinear || law.normal == NormalLaw::kHertz;
  return (normal && law.damping > 0) || law.rate > 0 || law.shear_damping > 0 || law.shear_rate > 0;
}

}  // namespace

template <int D>
double mass_when_pushed(double mass, const world::Inertia<D>& inertia, const Vec<D>& offset) {
  return 1 / (1 / mass + easiest_turn(offset, inertia));
}

template <int D>
ContactScale contact_scale(const world::World<D>& world, double speed, const std::vector<Coming>& coming) {
  std::vector<Lightest> of(world.laws.materials());
  for (std::size_t i = 0; i < world.bodies.size(); ++i) {
    const auto& m = world.bodies.moving[i];
    if (world::yields(m.held)) of[m.material].mass = std::min(of[m.material].mass, world.bodies.mass[i]);
    of[m.material].radius = std::min(of[m.material].radius, world.bodies.place[i].radius);
    of[m.material].wall = of[m.material].wall || !world::yields(m.held);
  }
  for (Lightest& l : of) l.mass_damped = l.mass;
  const world::Clumps<D>& clumps = world.clumps;
  std::vector<double> crowded;
  for (const auto& solid : world.solids) crowded.push_back(crowding(*solid));
  for (std::size_t c = 0; c < clumps.size(); ++c) {
    Lightest& all = of[world.bodies.moving[clumps.member[clumps.start[c]]].material];
    double lightest = std::numeric_limits<double>::infinity(), crowd = 1;
    for (std::uint32_t m = clumps.start[c]; m < clumps.start[c + 1]; ++m)
      lightest = std::min(lightest, mass_when_pushed<D>(clumps.mass[c], clumps.inertia[c], clumps.offset[m]));
    if (clumps.solid[c] != world::kNoSolid) {
      const shape::Solid<D>& solid = *world.solids[clumps.solid[c]];
      for (const std::uint32_t v : solid.corners) {
        const Vec<D> corner = solid.vertices[v] * (clumps.radius[c] / solid.radius);
        lightest = std::min(lightest, mass_when_pushed<D>(clumps.mass[c], clumps.inertia[c], corner));
      }
      crowd = crowded[clumps.solid[c]];
    }
    // Springs of n corners add up to n; so do dashpots, which for the n-th part of the mass would be as the root of n.
    all.mass = std::min(all.mass, lightest / crowd);
    all.mass_damped = std::min(all.mass_damped, lightest / (crowd * crowd));
  }
  for (const Coming& c : coming) {
    of[c.material].mass = std::min(of[c.material].mass, c.lightest);
    of[c.material].mass_damped = std::min(of[c.material].mass_damped, c.lightest);
    of[c.material].radius = std::min(of[c.material].radius, c.thinnest);
  }
  for (const auto& wall : world.walls) of[wall.material].wall = true;
  constexpr double kFar = std::numeric_limits<double>::infinity();
  ContactScale out{kFar, kFar, kFar, kFar};
  for (std::uint32_t a = 0; a < of.size(); ++a) {
    if (!std::isfinite(of[a].mass)) continue;
    for (std::uint32_t b = 0; b < of.size(); ++b) {
      if (!std::isfinite(of[b].mass) && !of[b].wall) continue;
      const PairLaw& law = world.laws(a, b);
      const auto mass = [&](const Lightest& l) { return has_dashpots(law) ? l.mass_damped : l.mass; };
      const double m_eff = 1 / (1 / mass(of[a]) + 1 / mass(of[b]));
      const double r_eff = 1 / (1 / of[a].radius + (std::isfinite(of[b].radius) ? 1 / of[b].radius : 0));
      const soft::CollisionTime t = soft::collision_time(law, m_eff, r_eff, speed);
      out.contact_time = std::min(out.contact_time, t.duration);
      out.scale = std::min(out.scale, t.scale);
      out.longest_stable = std::min(out.longest_stable, soft::longest_stable_step(law, m_eff, r_eff, speed, D));
      const double least = world.solids.empty() ? 0 : steps_of_solids(law);
      out.resolved = std::min(out.resolved, t.scale / std::max(least, steps_needed(law, m_eff)));
      const soft::ExtraTime extra = soft::extra_time<D>(law, {of[a].mass, of[b].mass, of[a].radius, of[b].radius});
      out.longest_stable = std::min(out.longest_stable, extra.longest_stable);
      out.resolved = std::min({out.resolved, extra.scale / 50, extra.longest_stable, 0.5 * out.longest_stable});
    }
  }
  return out;
}

void warn_of_end(const Node& time, double step, double steps, std::vector<std::string>& warnings) {
  if (!time.has("end") || time.has("steps")) return;
  const double end = time.number("end"), is = std::max(1.0, steps) * step;
  // A step written with few digits, or so many steps that nobody sees it.
  if (std::fabs(end - is) <= std::max(0.01 * step, 1e-4 * end)) return;
  warnings.push_back(fmt::format(
      "time.end = {:.6g} s is no whole number of steps of {:.6g} s: the run ends at {:.6g} s", end, step, is));
}

template <int D>
double likely_speed(const world::World<D>& world, const std::vector<Coming>& coming) {
  double fastest = 0, extra_height = 0;
  for (const Coming& c : coming) {
    fastest = std::max(fastest, c.speed);
    extra_height = std::max(extra_height, c.extent);
  }
  Vec<D> low = world::Domain<D>::unbounded(1), high = world::Domain<D>::unbounded(-1);
  for (const auto& m : world.bodies.moving) fastest = std::max(fastest, math::norm(m.v));
  for (const auto& p : world.bodies.place) {
    for (int k = 0; k < D; ++k) {
      low[k] = std::min(low[k], p.x[k]);
      high[k] = std::max(high[k], p.x[k]);
    }
  }
  for (const auto& wall : world.walls) {
    double v = 0;
    for (const auto& interval : wall.motion.intervals) v = std::max(v, math::norm(interval.velocity));
    v += 2 * math::kPi * wall.motion.frequency * math::norm(wall.motion.amplitude);
    fastest = std::max(fastest, v);
  }
  const double height = extra_height + (world.bodies.size() > 0 ? math::norm(high - low) : 0);
  const double fall = std::sqrt(2 * math::norm(world.gravity) * height);
  const double speed = std::max(2 * fastest, fall);
  return speed > 0 ? speed : 1;
}

template <int D>
double lightest_corner(const shape::Solid<D>& solid, double scale, double mass, const world::Inertia<D>& inertia) {
  double lightest = std::numeric_limits<double>::infinity();
  for (const std::uint32_t v : solid.corners)
    lightest = std::min(lightest, mass_when_pushed<D>(mass, inertia, solid.vertices[v] * scale));
  const double crowd = crowding(solid);
  return lightest / (crowd * crowd);
}

#define MORAINE_INSTANTIATE(D)                                                                        \
  template ContactScale contact_scale<D>(const world::World<D>&, double, const std::vector<Coming>&); \
  template double likely_speed<D>(const world::World<D>&, const std::vector<Coming>&);                \
  template double mass_when_pushed<D>(double, const world::Inertia<D>&, const Vec<D>&);               \
  template double lightest_corner<D>(const shape::Solid<D>&, double, double, const world::Inertia<D>&);
MORAINE_INSTANTIATE(2)
MORAINE_INSTANTIATE(3)

}  // namespace moraine::scene
