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

// A probe that averages over many looks for each row: it has a key `row_every`.
bool averages_looks(const Node& probe);

// Sets `every` and `row_every`, once the step is known. Warns of windows that the run does not reach.
template <int D>
void schedule_probes(const Node& scene, double step, double end, std::vector<measure::ProbePtr<D>>& probes,
                     std::vector<std::string>& warnings);

}  // namespace moraine::scene
