// SPDX-License-Identifier: MIT
// Do bodies overlap each other or a wall before the run has begun? Then the scene is wrong, or the first step explodes.
#pragma once

#include "scene/values.hpp"
#include "world/world.hpp"

namespace moraine::scene {

// The first `single` bodies are those of [[body]], in the order of the file. Overlaps above a hundredth of the smaller
// radius are problems; among the bodies of a [[fill]] (a settled or squeezed packing) above three tenths.
template <int D>
void check_overlaps(const Node& scene, const world::World<D>& original, std::size_t single, Problems& problems);

}  // namespace moraine::scene
