// SPDX-License-Identifier: MIT
// Hertz with a dashpot that gives the same restitution at every speed (Tsuji, Tanaka and Ishida 1992; the relation of
// alpha and e in soft/restitution.hpp):
//   S_n = k n^(3/2) + alpha sqrt(m_eff k) n^(1/4) n',   k = 4/3 E* sqrt(R*)
#pragma once

#include <cmath>

#include "soft/laws/approach.hpp"
#include "world/material.hpp"

namespace moraine::soft::laws {

struct Hertz {
  static constexpr int kMemory = 0;
  static constexpr bool kJumps = false;

  template <int D>
  static NormalForce force(const Approach<D>& a, const world::PairLaw& p, double* /*memory*/, double dt) {
    const double k = p.K / std::sqrt(a.inverse_r);
    const double root = std::sqrt(a.overlap);
    const double spring = k * a.overlap * root;
    double total = spring + p.damping * std::sqrt(a.m_eff * k * root) * a.rate;
    if (p.no_tension && total < 0) total = 0;
    return {total, spring, 0.4 * spring * a.overlap, (total - spring) * a.rate * dt};
  }
};

}  // namespace moraine::soft::laws
