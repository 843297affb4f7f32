// SPDX-License-Identifier: MIT
// Runs a scene (text or example, with --set values) inside the test, without files, and keeps the probes' results.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "scene/build.hpp"
#include "sim/rain_change.hpp"

namespace moraine::test {

using Results = std::map<std::string, double>;

template <int D>
class KeepResults : public sim::Watch<D> {
 public:
  KeepResults(measure::ProbePtr<D> probe, std::vector<std::vector<double>>* rows)
      : probe_(std::move(probe)), rows_(rows) {}
  bool due(std::int64_t step, bool last) const override { return last || step % probe_->every == 0; }
  bool wants_contacts() const override { return probe_->wants_contacts(); }
  bool wants_energy() const override { return probe_->wants_energy(); }
  void look(const measure::Sight<D>& sight) override {
    std::vector<double> row;
    if (!probe_->sample(sight, row)) return;
    row.insert(row.begin(), sight.world.time);
    rows_->push_back(row);
  }
  void save(base::Record& record) const override { probe_->save(record); }
  void load(const base::Record& record) override { probe_->load(record); }
  const measure::Probe<D>& probe() const { return *probe_; }

 private:
  measure::ProbePtr<D> probe_;
  std::vector<std::vector<double>>* rows_;
};

template <int D>
struct InMemory {
  explicit InMemory(const scene::Scene& scene, int threads = 1) : InMemory(scene::build<D>(scene), threads) {}
  InMemory(scene::Built<D> built, int threads)
      : choice(built.choice), run(std::make_unique<sim::Simulation<D>>(std::move(built.world), built.ending, threads)) {
    run->stepper().limits.deepest = built.max_overlap;
    for (auto& load : built.loads) run->add(std::move(load));
    for (auto& plan : built.rain) run->add(std::make_unique<sim::RainChange<D>>(plan));
    for (auto& probe : built.probes) {
      const std::string name = probe->name();
      auto watch = std::make_unique<KeepResults<D>>(std::move(probe), &rows[name]);
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
