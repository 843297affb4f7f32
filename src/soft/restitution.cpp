// SPDX-License-Identifier: MIT
#include "soft/restitution.hpp"

#include <algorithm>
#include <cmath>

#include "math/elementary.hpp"

namespace moraine::soft {

namespace {

// Root of a growing function in [low, high].
template <class F>
double bisect(const F& f, double low, double high) {
  for (int k = 0; k < 200 && low < high; ++k) {
    const double mid = 0.5 * (low + high);
    if (mid == low || mid == high) break;
    (f(mid) < 0 ? low : high) = mid;
  }
  return 0.5 * (low + high);
}

// omega_0 times the time until the force of a linear spring and dashpot has fallen to zero.
double force_time(double zeta) {
  if (std::fabs(zeta - 1) < 1e-9) return 2;
  if (zeta < 1) return 2 * math::acos(zeta) / std::sqrt((1 - zeta) * (1 + zeta));
  return 2 * math::acosh(zeta) / std::sqrt((zeta - 1) * (zeta + 1));
}

// Integral of dx / sqrt(1 - x^(p+1)) over [0, 1]: half the duration of an elastic impact in units of n_max / speed.
double quarter_swing(double p) {
  // x = 1 - u^2 takes the singularity away; Simpson's rule.
  constexpr int kIntervals = 2000;
  const auto f = [p](double u) {
    if (u == 0) return 2 / std::sqrt(p + 1);
    return 2 * u / std::sqrt(1 - math::pow(1 - u * u, p + 1));
  };
  double sum = f(0) + f(1);
  for (int k = 1; k < kIntervals; ++k) sum += (k % 2 == 1 ? 4 : 2) * f(static_cast<double>(k) / kIntervals);
  return sum / (3 * kIntervals);
}

}  // namespace

double damping_ratio(double e) {
  const double l = math::log(e);
  return -l / std::sqrt(math::kPi * math::kPi + l * l);
}

double restitution(double zeta) { return math::exp(-math::kPi * zeta / std::sqrt(1 - zeta * zeta)); }

double restitution_no_tension(double zeta) { return math::exp(-zeta * force_time(zeta)); }

double damping_ratio_no_tension(double e) {
  if (e >= 1) return 0;
  double high = 1;
  while (restitution_no_tension(high) > e) high *= 2;
  return bisect([e](double zeta) { return e - restitution_no_tension(zeta); }, 0, high);
}

double hertz_damping(double e, bool no_tension) {
  return std::sqrt(5.0) * (no_tension ? damping_ratio_no_tension(e) : damping_ratio(e));
}

double hunt_crossley_restitution(double chi) {
  if (chi <= 0) return 1;
  return bisect([chi](double e) { return math::log((1 + chi) / (1 - chi * e)) - chi * (1 + e); }, 0,
                std::min(1.0, 1 / chi));
}

double hunt_crossley_chi(double e) {
  if (e >= 1) return 0;
  // Negative for small chi, growing without bound towards 1/e; chi = 0 is a second root.
  const auto f = [e](double chi) { return math::log((1 + chi) / (1 - chi * e)) - chi * (1 + e); };
  double low = 1 / e;
  while (f(low * (1 - 1e-15)) >= 0 && low > 1e-12) low *= 0.5;
  return bisect(f, low, 1 / e);
}

CollisionTime collision_time(const world::PairLaw& law, double m_eff, double r_eff, double speed) {
  using world::NormalLaw;
  switch (law.normal) {
    case NormalLaw::kLinear: {
      const double omega = std::sqrt(law.K / m_eff);
      const double zeta = law.rate > 0 ? 0.5 * law.rate / omega : 0.5 * law.damping / std::sqrt(law.K);
      if (law.no_tension) return {force_time(zeta) / omega, force_time(zeta) / omega};
      const double whole = math::kPi / (omega * std::sqrt(std::max(1e-12, 1 - zeta * zeta)));
      return {whole, std::min(whole, math::kPi / omega)};
    }
    case NormalLaw::kWaltonBraun: {
      const double loading = math::kPi / 2 / std::sqrt(law.K / m_eff);
      const double unloading = loading / std::sqrt(law.unloading);
      return {loading + unloading, 2 * unloading};
    }
    case NormalLaw::kHertz:
    case NormalLaw::kHuntCrossley:
      break;
  }
  const bool hertz = law.normal == NormalLaw::kHertz;
  const double p = hertz ? 1.5 : law.exponent, k = hertz ? law.K * std::sqrt(r_eff) : law.K;
  const double deepest = math::pow((p + 1) * m_eff * speed * speed / (2 * k), 1 / (p + 1));
  const double elastic = 2 * quarter_swing(p) * deepest / speed;
  return {elastic, elastic};
}

double longest_stable_step(const world::PairLaw& law, double m_eff, double r_eff, double speed, int dimension) {
  double longest = 0.2 * collision_time(law, m_eff, r_eff, speed).scale;
  if (law.normal == world::NormalLaw::kLinear) {
    // A body with six such dashpots must not be stopped and thrown back within one step.
    const double rate = std::max(law.rate, law.damping / std::sqrt(m_eff));
    if (rate > 0) longest = std::min(longest, 1 / (3 * rate));
  }
  if (law.tangential == world::TangentialLaw::kCundallStrack && law.mu > 0) {
    // All bodies of a packing turn the same way: each of z contacts slips by 2 R w, and what brakes the spin is
    // C_s 2 R^2 z / I (disks: z = 4, I = m R^2/2; spheres: z = 6, two thirds of which count, I = 2 m R^2/5). With
    // velocities foreseen half a step ahead this decays as long as it is below 1 per step. (Crystals have up to twice
    // as many contacts: the automatic step keeps to half of this.)
    const double rate = std::max(law.shear_rate, law.shear_damping / std::sqrt(m_eff));
    if (rate > 0) longest = std::min(longest, 1 / ((dimension == 2 ? 8 : 10) * rate));
  }
  return longest;
}

}  // namespace moraine::soft
