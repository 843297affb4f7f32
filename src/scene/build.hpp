// SPDX-License-Identifier: MIT
// From a validated scene to a world that can run: bodies, walls, laws, the step, probes and what comes in later.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/pace.hpp"
#include "measure/probe.hpp"
#include "scene/coming.hpp"
#include "scene/laws.hpp"
#include "scene/load.hpp"
#include "sim/simulation.hpp"
#include "world/load.hpp"
#include "world/world.hpp"

namespace moraine::scene {

// How the step was found, for people to read.
struct StepChoice {
  double step = 0, contact_time = 0, longest_stable = 0;
  bool automatic = true;
  double steps_per_contact() const { return contact_time / step; }
};

template <int D>
struct Built {
  world::World<D> world;
  sim::Ending ending;
  StepChoice choice;
  std::vector<inflow::RainPlan<D>> rain;
  std::vector<inflow::InletPlan<D>> inlets;
  std::vector<Coming> coming;  // of rain and inlets
  std::vector<std::unique_ptr<world::Load<D>>> loads;
  std::vector<measure::ProbePtr<D>> probes;
  std::vector<std::string> warnings;  // for the user: odd, but not wrong
  double max_overlap = 0.5;
  // Steps between two frames and two checkpoints (0: none by simulated time).
  base::Pace frame_every;
  std::optional<base::Pace> checkpoint_every;  // besides that at the end
  std::size_t free_bodies = 0;
  std::optional<hard::Settings> hard;  // method = "hard"
};

// Everything that is wrong in meaning (an unknown material, overlapping bodies, a step too long) at once: InputError.
// `resuming`: bodies and their state come from a checkpoint; fills are not carried out again.
template <int D>
Built<D> build(const Scene& scene, bool resuming = false);

// What of a built scene acts in a run, be it of the program, of the library or of a test: the limit of overlap, loads,
// rain and inlets. Probes are for whoever runs it: they go to files, or stay in memory.
template <int D>
void hook_up(Built<D>& built, sim::Simulation<D>& run);

// The scene with what was worked out spelled out: step, names and intervals of probes and frames.
template <int D>
Scene spelled_out(const Scene& scene, const Built<D>& built);

}  // namespace moraine::scene
