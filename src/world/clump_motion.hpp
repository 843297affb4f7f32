// SPDX-License-Identifier: MIT
// How clumps turn, and take their members along. Both methods move clumps with these.
#pragma once

#include "world/world.hpp"

namespace moraine::world {

// Turns clump c freely for dt, its angular momentum held. Returns the spin whose cross product with the mean arm of a
// point is the displacement of that point over dt.
template <int D>
Spin<D> turn_freely(Clumps<D>& clumps, std::size_t c, double dt);

// The velocity that the image of member i has over that of its clump, in a sheared domain.
template <int D>
Vec<D> member_drift(const World<D>& world, std::size_t c, std::uint32_t i);

// Puts the members of clump c where it has them at time t. Returns the square of the farthest that one of them has gone
// since neighbours were found.
template <int D>
double place_members(World<D>& world, std::size_t c, double t);

}  // namespace moraine::world
