// SPDX-License-Identifier: MIT
// The walls that a body touches, of those in its slots: what several walls and the triangles of meshes are to it
// together. Both methods ask here.
#pragma once

#include <cstdint>
#include <vector>

#include "touch/touch.hpp"

namespace moraine::touch {

// A wall that a body touches, or has just left.
template <int D>
struct WallTouch {
  std::uint32_t slot, wall;
  Touch<D> at;
  bool at_end;
  bool hidden;  // an end that belongs to another wall which is touched: no contact of its own
};

// Walls nearer to the surface of body i than `margin`, and those that it was in touch with at the last step. A contact
// that has rolled on to another triangle of a mesh takes its memory along.
template <int D>
void touch_walls(world::World<D>& world, std::uint32_t i, double margin, std::vector<WallTouch<D>>& touched);

}  // namespace moraine::touch
