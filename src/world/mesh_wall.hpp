// SPDX-License-Identifier: MIT
// A triangle mesh as the form of a wall: shared by all copies of the wall, since it never changes.
#pragma once

#include "shape/mesh.hpp"

namespace moraine::world {

struct MeshForm {
  shape::Mesh mesh;
  shape::MeshTree tree;
};

}  // namespace moraine::world
