// SPDX-License-Identifier: MIT
// What mesh.cpp asks about the user's triangles before it uses them. Private to this room.
#pragma once

#include "shape/mesh.hpp"

namespace moraine::shape {

// One use of an edge: triangle `triangle` runs along its side `side` from corner to corner.
struct EdgeUse {
  std::uint32_t low, high;  // the ends, by number
  std::uint32_t triangle;
  std::uint8_t side;
  bool rising;  // runs from low to high
  bool same_edge(const EdgeUse& other) const { return low == other.low && high == other.high; }
};

// All uses, those of one edge side by side, by rising numbers of the triangles.
std::vector<EdgeUse> edge_uses(std::span<const Corners> triangles);

// The end of the run of uses of one edge that starts at `begin`.
std::size_t end_of_edge(const std::vector<EdgeUse>& uses, std::size_t begin);

// The user's triangles, put in order.
struct Sorted {
  std::vector<Vec3> vertices;         // welded, in order of first use
  std::vector<Corners> triangles;     // with three corners and no earlier twin
  std::vector<std::uint32_t> source;  // their numbers in the raw mesh
  std::vector<bool> flat;             // no area: part of the surface, but nothing to touch
  Vec3 min{}, max{};
  std::vector<MeshFinding> findings;
};
Sorted sort_out(std::span<const Vec3> vertices, std::span<const Corners> triangles);

}  // namespace moraine::shape
