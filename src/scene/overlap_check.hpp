// SPDX-License-Identifier: MIT
// Do bodies overlap each other or a wall before the run has begun? Then the scene is wrong, or the first step explodes.
#pragma once

#include <vector>

#include "scene/values.hpp"
#include "world/world.hpp"

namespace moraine::scene {

// `tables`: the [[body]] that each of the first ids comes from; all others come from a [[fill]]. Overlaps above a
// hundredth of the smaller radius are problems; among the bodies of a [[fill]] (a settled or squeezed packing) above
// three tenths.
template <int D>
void check_overlaps(const Node& scene, const world::World<D>& original, const std::vector<std::size_t>& tables,
                    Problems& problems);

}  // namespace moraine::scene
