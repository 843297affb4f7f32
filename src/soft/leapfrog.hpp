// SPDX-License-Identifier: MIT
// The time-centred leapfrog of free spheres, four at a time; each one's arithmetic is the same as alone.
#pragma once

#include <cstddef>
#include <vector>

#include "world/world.hpp"

namespace moraine::soft {

using math::Spin;
using math::Vec;
using world::World;

// One free body alone: velocities at the next half step, those foreseen for the next whole one, position.
template <int D>
inline void leap(world::Moving<D>& m, Vec<D>& x, const Vec<D>& a, const Spin<D>& turn, double dt) {
  const double kick = m.fresh ? 0.5 * dt : dt;
  m.fresh = false;
  m.v += a * kick;
  m.w += turn * kick;
  m.v_now = m.v + a * (0.5 * dt);
  m.w_now = m.w + turn * (0.5 * dt);
  x += m.v * dt;
}

// Four bodies from `first` on: still to be moved, each alone; or moved, and one of them is no longer in the domain or
// has lost its place.
struct OddFour {
  std::size_t first;
  bool moved;
};
// Moves the bodies begin .. end-1, a multiple of four, by fours that are all free. The others are told, in order.
// Returns the square of how far one has come since neighbours were found.
double leap_by_fours(World<3>& world, std::size_t begin, std::size_t end, std::vector<OddFour>& odd);

}  // namespace moraine::soft
