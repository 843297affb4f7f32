// SPDX-License-Identifier: MIT
// Rain as a change of a run.
#pragma once

#include "inflow/rain.hpp"
#include "sim/roles.hpp"

namespace moraine::sim {

template <int D>
class RainChange : public Change<D> {
 public:
  explicit RainChange(inflow::RainPlan<D> plan) : rain_(std::move(plan)) {}
  bool apply(world::World<D>& world) override { return rain_.apply(world); }
  bool done(const world::World<D>&) const override { return rain_.done(); }
  void save(base::Record& record) const override { rain_.save(record); }
  void load(const base::Record& record) override { rain_.load(record); }

 private:
  inflow::Rain<D> rain_;
};

}  // namespace moraine::sim
