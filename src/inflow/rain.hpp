// SPDX-License-Identifier: MIT
// Bodies that appear at random places in a region while the run goes on, a batch at a time, where there is room, until
// enough have come. The whole state is a few counters, so a resumed run rains the same drops.
#pragma once

#include "inflow/clump.hpp"
#include "inflow/place.hpp"
#include "world/world.hpp"

namespace moraine::inflow {

template <int D>
struct RainPlan {
  std::string name;  // of the random stream and of the entries in a checkpoint
  std::uint64_t seed = 0;
  Region<D> region;
  Sizes sizes;
  Vec<D> velocity{};
  std::uint32_t material = 0;
  double density = 0, thickness = 1;
  std::vector<world::ClumpShape<D>> clumps;  // drops are clumps of these shapes; none: balls
  std::int64_t count = 0;                    // in all
  std::int64_t batch = 0;                    // tried at a time
  std::int64_t every = 1;                    // steps between two batches
};

template <int D>
class Rain {
 public:
  explicit Rain(RainPlan<D> plan) : plan_(std::move(plan)) {}
  bool apply(world::World<D>& world);
  bool done() const { return released_ >= plan_.count; }
  std::int64_t released() const { return released_; }
  void save(base::Record& record) const;
  void load(const base::Record& record);

 private:
  RainPlan<D> plan_;
  std::int64_t released_ = 0;
  std::uint64_t drawn_ = 0;
};

// Mass and moment of inertia of a solid disk (of the given thickness) or sphere.
template <int D>
void solid_ball(double radius, double density, double thickness, double& mass, double& inertia);

}  // namespace moraine::inflow
