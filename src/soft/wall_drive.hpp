// SPDX-License-Identifier: MIT
// Servo walls and free walls take their step, from what the bodies push them with.
#pragma once

#include "world/world.hpp"

namespace moraine::soft {

// The force a drive holds at this instant: given, or stress times the area between walls.
template <int D>
double target_force(const world::World<D>& world, const world::Drive<D>& drive);

// Velocities to the next half step, shifts to the next whole one.
template <int D>
void advance_drives(world::World<D>& world);

}  // namespace moraine::soft
