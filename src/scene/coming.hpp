// SPDX-License-Identifier: MIT
// What comes into a world later, by rain or through inlets: as far as the step, the skin and messages need to know it.
#pragma once

#include <cstdint>

#include "inflow/inlet.hpp"
#include "inflow/rain.hpp"

namespace moraine::scene {

struct Coming {
  double smallest = 0, mean = 0, largest = 0;  // outer radius
  double lightest = 0, thinnest = 0;           // mass that a contact feels at least, and the radius it is at
  double speed = 0;
  double extent = 0;  // how far from a wall it may come
  std::uint32_t material = 0;
};

template <int D>
Coming coming_of(const inflow::RainPlan<D>& plan, const world::World<D>& world);
template <int D>
Coming coming_of(const inflow::InletPlan<D>& plan, const world::World<D>& world);

}  // namespace moraine::scene
