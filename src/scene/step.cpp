// SPDX-License-Identifier: MIT
#include "scene/step.hpp"

#include <algorithm>
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
  const world::Clumps<D>& clumps = world.clumps;
  for (std::size_t c = 0; c < clumps.size(); ++c) {
    double& lightest = of[world.bodies.moving[clumps.member[clumps.start[c]]].material].mass;
    for (std::uint32_t m = clumps.start[c]; m < clumps.start[c + 1]; ++m)
      lightest = std::min(lightest, mass_when_pushed<D>(clumps.mass[c], clumps.inertia[c], clumps.offset[m]));
    if (clumps.solid[c] == world::kNoSolid) continue;
    const shape::Solid<D>& solid = *world.solids[clumps.solid[c]];
    for (const std::uint32_t v : solid.corners) {
      const Vec<D> corner = solid.vertices[v] * (clumps.radius[c] / solid.radius);
      lightest = std::min(lightest, mass_when_pushed<D>(clumps.mass[c], clumps.inertia[c], corner));
    }
  }
  for (const Coming& c : coming) {
    of[c.material].mass = std::min(of[c.material].mass, c.lightest);
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
      const double m_eff = 1 / (1 / of[a].mass + 1 / of[b].mass);
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

#define MORAINE_INSTANTIATE(D)                                                                        \
  template ContactScale contact_scale<D>(const world::World<D>&, double, const std::vector<Coming>&); \
  template double likely_speed<D>(const world::World<D>&, const std::vector<Coming>&);                \
  template double mass_when_pushed<D>(double, const world::Inertia<D>&, const Vec<D>&);
MORAINE_INSTANTIATE(2)
MORAINE_INSTANTIATE(3)

}  // namespace moraine::scene
