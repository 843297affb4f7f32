// SPDX-License-Identifier: MIT
// [[fill]]: many bodies at once, each method in its own function.
#pragma once

#include "inflow/rain.hpp"
#include "scene/clumps.hpp"
#include "scene/laws.hpp"
#include "scene/load.hpp"
#include "scene/vectors.hpp"
#include "world/world.hpp"

namespace moraine::scene {

// What filling needs to know of the scene besides the [[fill]] table itself.
struct FillContext {
  const Scene& scene;
  const Laws& laws;
  double thickness;
  std::uint64_t seed;
};

// Adds the bodies of fill number `index` to the world, or a plan for rain. Problems are reported with their key.
template <int D>
void add_fill(const FillContext& context, const ClumpShapes<D>& shapes, const Node& fill, std::size_t index,
              world::World<D>& world, std::vector<inflow::RainPlan<D>>& rain, Problems& problems);

}  // namespace moraine::scene
