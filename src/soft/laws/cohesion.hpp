// SPDX-License-Identifier: MIT
// Cohesion: a contact that has closed goes on to pull when it is stretched, with the same spring and dashpot, until the
// pull of the spring exceeds its strength. The strength may grow with the time that the contact has been closed, as
// floes freeze together:
//   S(t) = S_0 + G (1 - exp(-t / T)),  or  S_0 + G min(1, t / T)
// `no_tension` cuts the force where damping would make it pull with more than the strength.
// A stretched Hertz contact pulls with a linear spring of given stiffness.
#pragma once

#include <algorithm>
#include <cmath>

#include "soft/laws/approach.hpp"
#include "world/material.hpp"

namespace moraine::soft::laws {

struct Cohesive {
  // For the linear and the Hertz law.
  template <int D>
  static NormalForce force(const Approach<D>& a, const world::PairLaw& p, double dt) {
    const double n = a.overlap;
    double k = p.K, spring = p.K * n, C = 0, elastic = 0.5 * p.K * n * n;
    if (p.normal == world::NormalLaw::kLinear) {
      C = p.rate > 0 ? a.m_eff * p.rate : p.damping * std::sqrt(a.m_eff);
    } else if (n >= 0) {
      k = p.K / std::sqrt(a.inverse_r);
      spring = k * n * std::sqrt(n);
      elastic = 0.4 * spring * n;
      C = p.damping * std::sqrt(a.m_eff * k * std::sqrt(n));
    } else {
      k = p.cohesion.stiffness;
      spring = k * n;
      elastic = 0.5 * spring * n;
      C = 2 / std::sqrt(5.0) * p.damping * std::sqrt(a.m_eff * k);  // Hertz's alpha is sqrt(5) zeta
    }
    double total = spring + C * a.rate;
    if (p.no_tension) total = std::max(total, -a.strength);
    return {total, spring, elastic, (total - spring) * a.rate * dt};
  }

  // Pull of the spring at overlap n < 0.
  static double pull(const world::PairLaw& p, double n) { return -p.cohesion.stiffness * n; }
};

}  // namespace moraine::soft::laws
