// SPDX-License-Identifier: MIT
// Is there room at an inlet at all? Walls and held bodies only: what moves may go away. And is it where bodies can be:
// in the fluid, not within a wall that is closed all round?
#pragma once

#include "inflow/inlet.hpp"
#include "scene/values.hpp"

namespace moraine::scene {

template <int D>
void check_room(const Node& node, const world::World<D>& original, const inflow::InletPlan<D>& plan,
                Problems& problems);

// An inlet in an obstacle or outside a channel: false, and a problem. Asked before anything else of its place.
template <int D>
bool check_wet(const Node& node, const world::World<D>& original, const inflow::InletPlan<D>& plan, Problems& problems);

// Arrivals that an outlet, or the edge of the domain, takes away at once.
template <int D>
void warn_of_ways_out(const Node& node, const world::World<D>& world, const inflow::InletPlan<D>& plan,
                      std::vector<std::string>& warnings);

}  // namespace moraine::scene
