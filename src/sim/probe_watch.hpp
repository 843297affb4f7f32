// SPDX-License-Identifier: MIT
// A probe that looks at a run in memory: whoever made it gets its rows, and its tables when they have changed; its
// results are the probe's own.
#pragma once

#include <functional>
#include <vector>

#include "sim/roles.hpp"

namespace moraine::sim {

template <int D>
class ProbeWatch : public Watch<D> {
 public:
  using Row = std::function<void(double time, const std::vector<double>& values)>;
  using Tables = std::function<void(const std::vector<measure::Table>& tables)>;
  explicit ProbeWatch(measure::ProbePtr<D> probe, Row row = nullptr, Tables tables = nullptr)
      : probe_(std::move(probe)), row_(std::move(row)), tables_(std::move(tables)) {}
  bool due(std::int64_t step, bool last) const override { return last || probe_->every.due(step); }
  bool wants_contacts() const override { return probe_->wants_contacts(); }
  bool wants_energy() const override { return probe_->wants_energy(); }
  bool wants_end() const override { return probe_->wants_end(); }
  void look(const measure::Sight<D>& sight) override {
    if (sight.world.step == last_step_) return;  // the last look of a run that ended on a regular one
    last_step_ = sight.world.step;
    if (probe_->sample(sight, values_) && row_) row_(sight.world.time, values_);
    if (tables_ && probe_->tables_changed()) tables_(probe_->tables());
  }
  void body_left(const World<D>& world, std::size_t body) override { probe_->body_left(world, body); }
  void save(base::Record& record) const override { probe_->save(record); }
  void load(const base::Record& record) override {
    last_step_ = -1;
    probe_->load(record);
  }
  const measure::Probe<D>& probe() const { return *probe_; }

 private:
  measure::ProbePtr<D> probe_;
  Row row_;
  Tables tables_;
  std::vector<double> values_;
  std::int64_t last_step_ = -1;
};

}  // namespace moraine::sim
