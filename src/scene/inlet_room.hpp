// SPDX-License-Identifier: MIT
// Is there room at an inlet at all? Walls and held bodies only: what moves may go away.
#pragma once

#include "inflow/inlet.hpp"
#include "scene/values.hpp"

namespace moraine::scene {

template <int D>
void check_room(const Node& node, const world::World<D>& original, const inflow::InletPlan<D>& plan,
                Problems& problems);

}  // namespace moraine::scene
