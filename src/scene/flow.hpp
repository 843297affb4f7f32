// SPDX-License-Identifier: MIT
// [flow]: the stream that bodies drift in.
#pragma once

#include <string>
#include <vector>

#include "scene/load.hpp"
#include "world/world.hpp"

namespace moraine::scene {

// Sets world.flow, once walls are there. `warnings`: panels that could not be made fine enough.
template <int D>
void read_flow(const Scene& scene, world::World<D>& world, std::vector<std::string>& warnings, Problems& problems);

}  // namespace moraine::scene
