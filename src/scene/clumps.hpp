// SPDX-License-Identifier: MIT
// [[clump]] tables: named shapes that [[body]] and [[fill]] are made of.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "scene/values.hpp"
#include "world/clumps.hpp"

namespace moraine::scene {

// Several shapes for a random kind; a fill takes one of them at random for each body.
template <int D>
using ClumpShapes = std::map<std::string, std::vector<world::ClumpShape<D>>>;

template <int D>
ClumpShapes<D> read_clumps(const Node& scene, Problems& problems);

// The shapes that the key names, or nothing and a problem.
template <int D>
const std::vector<world::ClumpShape<D>>* find_clump(const Node& node, const ClumpShapes<D>& shapes, Problems& problems);

}  // namespace moraine::scene
