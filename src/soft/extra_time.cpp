// SPDX-License-Identifier: MIT
#include "soft/extra_time.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "math/elementary.hpp"

namespace moraine::soft {

namespace {

// Collects springs and dashpots of ratio zeta, each with the inverse inertia that they work on.
struct Fastest {
  double scale = std::numeric_limits<double>::infinity(), longest = scale;

  void spring(double stiffness, double inverse) {
    if (!(stiffness > 0)) return;
    scale = std::min(scale, math::kPi / std::sqrt(stiffness * inverse));
    longest = std::min(longest, 0.2 * scale);
  }
  // As for the normal dashpot: six of them must not throw a body back within one step.
  void dashpot(double coefficient, double inverse) {
    if (coefficient > 0) longest = std::min(longest, 1 / (3 * coefficient * inverse));
  }
};

}  // namespace

template <int D>
ExtraTime extra_time(const world::PairLaw& law, const TwoBodies& of) {
  constexpr double kOwn = D == 2 ? 0.5 : 0.4;
  const auto inverse = [](double mass, double radius, double factor) {
    return std::isfinite(mass) ? 1 / (factor * mass * radius * radius) : 0;
  };
  const double light = 1 / of.mass_a + 1 / of.mass_b;
  const double turning = inverse(of.mass_a, of.radius_a, kOwn) + inverse(of.mass_b, of.radius_b, kOwn);
  const double at_contact = inverse(of.mass_a, of.radius_a, 1 + kOwn) + inverse(of.mass_b, of.radius_b, 1 + kOwn);
  const double slipping = light * (1 + 1 / kOwn);  // a push along the plane of contact moves and turns
  const double r_eff = 1 / (1 / of.radius_a + 1 / of.radius_b);
  Fastest f;
  if (law.rolling.law == world::RollingLaw::kSpring) {
    const double k = law.rolling.stiffness * r_eff * r_eff;
    f.spring(k, turning);
    f.dashpot(2 * law.rolling.damping * std::sqrt(k / at_contact), turning);
  }
  if (law.cohesion.on && law.normal == world::NormalLaw::kHertz) {
    f.spring(law.cohesion.stiffness, light);
    f.dashpot(2 / std::sqrt(5.0) * law.damping * std::sqrt(law.cohesion.stiffness / light), light);
  }
  if (law.bond.on) {
    const world::Bond& b = law.bond;
    const double k = b.moment > 0 ? b.bending * r_eff * r_eff : 0;
    f.spring(b.stiffness, light);
    f.dashpot(2 * b.damping * std::sqrt(b.stiffness / light), light);
    f.spring(b.shear_stiffness, slipping);
    f.dashpot(2 * b.damping * std::sqrt(b.shear_stiffness / light), slipping);
    f.spring(k, turning);
    f.dashpot(2 * b.damping * std::sqrt(k / at_contact), turning);
  }
  return {f.scale, f.longest};
}

template <int D>
double largest_stretch(const world::PairLaw& law, double radius) {
  const double section = D == 2 ? radius : radius * radius;
  double longest = 0;
  if (law.cohesion.on) {
    longest = (law.cohesion.at_once.of(section) + law.cohesion.growth.of(section)) / law.cohesion.stiffness;
  }
  if (law.bond.on) {
    longest = std::max(longest, law.bond.tension.of(section) / law.bond.stiffness + law.bond.gap * radius);
  }
  return longest;
}

#define MORAINE_INSTANTIATE(D)                                               \
  template ExtraTime extra_time<D>(const world::PairLaw&, const TwoBodies&); \
  template double largest_stretch<D>(const world::PairLaw&, double);
MORAINE_INSTANTIATE(2)
MORAINE_INSTANTIATE(3)

}  // namespace moraine::soft
