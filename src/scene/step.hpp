// SPDX-License-Identifier: MIT
// The step of a soft run: from the shortest contact time that can occur between the bodies and walls of a world.
#pragma once

#include "scene/build.hpp"

namespace moraine::scene {

struct ContactScale {
  double contact_time = 0;    // duration of the shortest head-on collision of two
  double scale = 0;           // shortest time in it that must be resolved
  double longest_stable = 0;  // longest step a packing bears
  double resolved = 0;        // step at which restitution comes out within 0.3 %
};

// The lightest pair of each two materials decides; a clump counts with what a push off its centre has to move. `speed`:
// largest impact speed expected.
template <int D>
ContactScale contact_scale(const world::World<D>& world, double speed, double lightest_to_come, double smallest_to_come,
                           std::uint32_t material_to_come);

// The lightest body that a rain may bring, as a contact feels it, and the smallest radius.
struct Drop {
  double mass = 0, radius = 0;
};
template <int D>
Drop lightest_drop(const inflow::RainPlan<D>& plan);

// A guess at the largest impact speed: what bodies and walls have now, and what gravity gives over the extent of all.
template <int D>
double likely_speed(const world::World<D>& world, double extra_height);

}  // namespace moraine::scene
