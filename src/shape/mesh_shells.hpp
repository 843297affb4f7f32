// SPDX-License-Identifier: MIT
// The separate closed surfaces (shells) that a mesh may consist of: which lies in which. One in another bounds a
// hollow, one in a hollow a solid piece again. Private to this room.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <vector>

#include "shape/mesh.hpp"

namespace moraine::shape {

// Triangles joined by edges, each list by rising numbers.
std::vector<std::vector<std::uint32_t>> shells_of(std::span<const Corners> triangles);

struct Shell {
  std::vector<std::uint32_t> triangles;
  double volume = 0;             // negative: it faces inwards
  std::size_t in = 0;            // how many others it lies in
  std::uint32_t around = kNone;  // one of those, by number
};
// They must not cross.
std::vector<Shell> nested_shells(std::span<const Vec3> vertices, std::span<const Corners> triangles);

// Two triangles of different shells that touch or cross: within 1e-9 of the mesh's size.
std::optional<std::array<std::uint32_t, 2>> touching_shells(const Mesh& mesh);

}  // namespace moraine::shape
