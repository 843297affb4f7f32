// SPDX-License-Identifier: MIT
// Runs a scene (text or example, with --set values) inside the test, without files, and keeps the probes' results.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "scene/build.hpp"
#include "sim/probe_watch.hpp"
#include "support/sanitized.hpp"

namespace moraine::test {

using Results = std::map<std::string, double>;

template <int D>
struct InMemory {
  explicit InMemory(const scene::Scene& scene, int threads = 1) : InMemory(scene::build<D>(scene), threads) {}
  InMemory(scene::Built<D> built, int threads)
      : choice(built.choice), run(std::make_unique<sim::Simulation<D>>(std::move(built.world), built.ending, threads)) {
    scene::hook_up(built, *run);
    for (auto& probe : built.probes) {
      const std::string name = probe->name();
      auto watch = std::make_unique<sim::ProbeWatch<D>>(
          std::move(probe), [kept = &rows[name]](double time, const std::vector<double>& values) {
            kept->push_back({time});
            kept->back().insert(kept->back().end(), values.begin(), values.end());
          });
      probes[name] = &watch->probe();
      run->add(std::move(watch));
    }
  }
  InMemory& to_the_end(const base::Record* resumed = nullptr) {
    run->begin(resumed);
    while (!run->finished()) run->step();
    run->finish();
    return *this;
  }
  Results results(const std::string& probe) const { return probes.at(probe)->results(); }
  const world::World<D>& world() const { return run->world(); }

  scene::StepChoice choice;
  std::map<std::string, std::vector<std::vector<double>>> rows;  // time and values
  std::map<std::string, const measure::Probe<D>*> probes;
  std::unique_ptr<sim::Simulation<D>> run;
};

inline scene::Scene example(const std::string& name, const std::vector<std::string>& sets = {}) {
  return scene::load_scene(std::string(MORAINE_SOURCE_DIR) + "/examples/" + name + ".toml", sets);
}
inline scene::Scene from_text(const std::string& text, const std::vector<std::string>& sets = {}) {
  return scene::load_scene_text(text, "test.toml", ".", sets);
}

}  // namespace moraine::test
