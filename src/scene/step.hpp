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
ContactScale contact_scale(const world::World<D>& world, double speed, const std::vector<Coming>& coming);

// What a clump weighs against a push on the member at `offset`, in the worst direction: it yields by turning, too.
template <int D>
double mass_when_pushed(double mass, const world::Inertia<D>& inertia, const math::Vec<D>& offset);

// What a solid of this size weighs against a push on a corner, and less where so many corners act at once that the
// contact time is shorter than that of one.
template <int D>
double lightest_corner(const shape::Solid<D>& solid, double scale, double mass, const world::Inertia<D>& inertia);

// A run has whole steps only: where the end that was asked for is none, the user is told which one it has.
void warn_of_end(const Node& time, double step, double steps, std::vector<std::string>& warnings);

// A guess at the largest impact speed: what bodies and walls have now, and what gravity gives over the extent of all.
template <int D>
double likely_speed(const world::World<D>& world, const std::vector<Coming>& coming);

}  // namespace moraine::scene
