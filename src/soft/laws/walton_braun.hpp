// SPDX-License-Identifier: MIT
// Latching spring (Walton and Braun 1986): loading along k1, unloading and reloading along the steeper k2 = k1 / e^2
// that meets the loading line at the largest overlap so far.
//   loading  F = k1 n;   unloading  F = k2 (n - n_0),  n_0 = n_max (1 - k1/k2),  never pulling
#pragma once

#include <algorithm>

#include "soft/laws/approach.hpp"
#include "world/material.hpp"

namespace moraine::soft::laws {

struct WaltonBraun {
  static constexpr int kMemory = 3;     // n_max, and overlap and force of the last step for the energy lost
  static constexpr bool kJumps = true;  // from the loading to the steep unloading line and back

  template <int D>
  static NormalForce force(const Approach<D>& a, const world::PairLaw& p, double* memory, double /*dt*/) {
    const double k2 = p.K * p.unloading, n = a.overlap;
    const double largest = std::max(memory[0], n), before = memory[1], force_before = memory[2];
    const double set = largest * (1 - 1 / p.unloading);
    const double force = n >= largest ? p.K * n : std::min(p.K * n, std::max(0.0, k2 * (n - set)));
    memory[0] = largest;
    memory[1] = n;
    memory[2] = force;
    const double elastic = 0.5 * force * force / k2, elastic_before = 0.5 * force_before * force_before / k2;
    return {force, force, elastic, 0.5 * (force + force_before) * (n - before) - (elastic - elastic_before)};
  }
};

}  // namespace moraine::soft::laws
