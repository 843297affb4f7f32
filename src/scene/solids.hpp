// SPDX-License-Identifier: MIT
// [[solid]] tables: named shapes that [[body]], [[fill]] and [[inlet]] are made of, as [[clump]] tables are.
#pragma once

#include <filesystem>

#include "scene/clumps.hpp"
#include "world/world.hpp"

namespace moraine::scene {

// Adds the solids to the world, and to the shapes.
template <int D>
void read_solids(const Node& scene, const std::filesystem::path& folder, world::World<D>& world, ClumpShapes<D>& shapes,
                 Problems& problems);

}  // namespace moraine::scene
