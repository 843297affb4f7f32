// SPDX-License-Identifier: MIT
// [[load]] tables.
#pragma once

#include <memory>
#include <vector>

#include "scene/laws.hpp"
#include "scene/values.hpp"
#include "world/load.hpp"

namespace moraine::scene {

template <int D>
std::vector<std::unique_ptr<world::Load<D>>> read_loads(const Node& scene, const Laws& laws, Problems& problems);

}  // namespace moraine::scene
