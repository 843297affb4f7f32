// SPDX-License-Identifier: MIT
// An inlet as a change of a run.
#pragma once

#include "inflow/inlet.hpp"
#include "sim/roles.hpp"

namespace moraine::sim {

template <int D>
class InletChange : public Change<D> {
 public:
  InletChange(inflow::InletPlan<D> plan, std::size_t index) : inlet_(std::move(plan), index) {}
  bool apply(world::World<D>& world) override { return inlet_.apply(world); }
  bool done(const world::World<D>& world) const override { return inlet_.done(world); }
  void save(base::Record& record) const override { inlet_.save(record); }
  void load(const base::Record& record) override { inlet_.load(record); }

 private:
  inflow::Inlet<D> inlet_;
};

}  // namespace moraine::sim
