// SPDX-License-Identifier: MIT
// Power-law spring with a factor for the closing rate (Muth and Eberhard, 4; Hunt and Crossley 1975):
//   S_n = K n^p (1 + chi n' / n'_0),   n'_0 the closing speed at first touch
// chi = 3 (1 - e^2) / 4 is the law of Lankarani and Nikravesh (5), near-exact only for e close to 1;
// chi (1 + e) = ln((1 + chi) / (1 - chi e)) gives back e exactly, for every exponent (soft/restitution.hpp).
// n'_0 is kept as the largest closing speed seen: the same in a collision of two, and bounded when others push later.
// It is no less than the speed of a collision that would come as deep as the contact is: nothing new in a collision of
// two, and what a contact that began at rest needs, whose closing speed at first touch says nothing.
#pragma once

#include <algorithm>
#include <cmath>

#include "math/elementary.hpp"
#include "soft/laws/approach.hpp"
#include "world/material.hpp"

namespace moraine::soft::laws {

struct HuntCrossley {
  static constexpr int kMemory = 1;  // n'_0
  static constexpr bool kJumps = false;

  template <int D>
  static NormalForce force(const Approach<D>& a, const world::PairLaw& p, double* memory, double dt) {
    double& fastest = memory[0];
    fastest = std::max(fastest, a.rate);
    const double spring = p.K * math::pow(a.overlap, p.exponent);
    const double elastic = spring * a.overlap / (p.exponent + 1);
    const double start = std::max(fastest, std::sqrt(2 * elastic / a.m_eff));
    const double factor = start > 0 ? 1 + p.damping * a.rate / start : 1;
    const double total = spring * std::max(0.0, factor);
    return {total, spring, elastic, (total - spring) * a.rate * dt};
  }
};

}  // namespace moraine::soft::laws
