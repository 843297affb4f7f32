// SPDX-License-Identifier: MIT
// Linear spring and dashpot (Cundall and Strack 1979; Babic 1988, 2.26-2.33):
//   S_n = K n + C n',   C = 2 zeta sqrt(m_eff K)
// With `no_tension` S_n is cut at 0, and zeta follows from e by another relation (soft/restitution.hpp).
#pragma once

#include <cmath>

#include "soft/laws/approach.hpp"
#include "world/material.hpp"

namespace moraine::soft::laws {

struct Linear {
  static constexpr int kMemory = 0;
  static constexpr bool kJumps = false;

  template <int D>
  static NormalForce force(const Approach<D>& a, const world::PairLaw& p, double* /*memory*/, double dt) {
    const double C = p.rate > 0 ? a.m_eff * p.rate : p.damping * std::sqrt(a.m_eff);
    const double spring = p.K * a.overlap;
    double total = spring + C * a.rate;
    if (p.no_tension && total < 0) total = 0;
    return {total, spring, 0.5 * spring * a.overlap, (total - spring) * a.rate * dt};
  }
};

}  // namespace moraine::soft::laws
