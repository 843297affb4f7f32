// SPDX-License-Identifier: MIT
// [[fill]]: many bodies at once, each method in its own function.
#pragma once

#include "inflow/rain.hpp"
#include "scene/laws.hpp"
#include "scene/load.hpp"
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
void add_fill(const FillContext& context, const Node& fill, std::size_t index, world::World<D>& world,
              std::vector<inflow::RainPlan<D>>& rain, Problems& problems);

// Numbers of a node as a vector of the scene's dimension.
template <int D>
math::Vec<D> as_vec(const std::vector<double>& numbers) {
  math::Vec<D> v;
  for (int k = 0; k < D; ++k) v[k] = numbers.at(static_cast<std::size_t>(k));
  return v;
}
template <int D>
math::Spin<D> as_spin(const std::vector<double>& numbers) {
  if constexpr (D == 2) {
    return numbers.at(0);
  } else {
    return as_vec<3>(numbers);
  }
}

}  // namespace moraine::scene
