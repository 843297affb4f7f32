// SPDX-License-Identifier: MIT
// [[inlet]] and [[outlet]].
#pragma once

#include "inflow/inlet.hpp"
#include "scene/fill.hpp"

namespace moraine::scene {

// Plans, and their names in the world's traffic. `sound`: walls and materials are good, so that room can be looked for.
template <int D>
void read_inlets(const FillContext& context, const ClumpShapes<D>& shapes, bool sound, world::World<D>& world,
                 std::vector<inflow::InletPlan<D>>& plans, std::vector<std::string>& warnings, Problems& problems);

// Arrivals that follow each other far too fast for the step.
template <int D>
void check_waits(const Node& scene, const std::vector<inflow::InletPlan<D>>& plans, double step, Problems& problems);

template <int D>
void read_outlets(const Node& scene, world::World<D>& world, Problems& problems);

}  // namespace moraine::scene
