// SPDX-License-Identifier: MIT
// [[probe]]: makes the probes of a scene, and says how often each looks.
#pragma once

#include "measure/probe.hpp"
#include "scene/values.hpp"

namespace moraine::scene {

// `bodies_known`: all bodies of the start are in the world (not so where they come from a checkpoint).
template <int D>
void read_probes(const Node& scene, const world::World<D>& world, bool bodies_known,
                 std::vector<measure::ProbePtr<D>>& probes, Problems& problems);

// Sets `every` in steps, once the step is known.
template <int D>
void schedule_probes(const Node& scene, double step, double end, std::vector<measure::ProbePtr<D>>& probes);

}  // namespace moraine::scene
