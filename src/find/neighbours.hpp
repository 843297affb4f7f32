// SPDX-License-Identifier: MIT
// Makes the list of pairs (and of bodies and walls) that may touch soon: every pair whose gap is below the skin, each
// once, sorted by body. Also the one place where bodies are wrapped into the domain and reordered in memory.
#pragma once

#include "base/parallel.hpp"
#include "world/world.hpp"

namespace moraine::find {

// Wraps, reorders, finds; carries the memory of closed contacts over to the new slots.
template <int D>
void find_neighbours(world::World<D>& world, base::Team& team);

// Only the lists, for bodies in the order they are in, from where they were when last found (after a restart).
template <int D>
void list_slots(world::World<D>& world, base::Team& team);

// True when a body or wall may have come near enough to touch something that is not in the list.
template <int D>
bool lists_are_old(const world::World<D>& world, double farthest_move_squared);

// The widest skin that the periodic lengths allow (each pair must meet in one image only); negative: too small a box.
template <int D>
double widest_skin(const world::World<D>& world);

}  // namespace moraine::find
