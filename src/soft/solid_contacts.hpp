// SPDX-License-Identifier: MIT
// Contacts of solids (polyhedra, polygons) with each other, with disks and spheres, and with walls: several points of
// one pair, each by the laws of an ordinary contact.
#pragma once

#include "soft/kernels.hpp"

namespace moraine::soft {

// Numbers that a point remembers.
template <int D>
std::size_t point_stride();

// Of the slots of a chunk that belong to solids; leaves all others alone. `points` is what the chunk remembers.
template <int D>
void push_solids(const ChunkView<D>& view, world::Points& pair_points, world::Points& wall_points);

}  // namespace moraine::soft
