// SPDX-License-Identifier: MIT
#include "world/material.hpp"

#include "math/elementary.hpp"

namespace moraine::world {

double Cohesion::strength(double section, double age) const {
  double grown = 0;
  if (time > 0) grown = linear_growth ? std::min(1.0, age / time) : 1 - math::exp(-age / time);
  return at_once.of(section) + grown * growth.of(section);
}

}  // namespace moraine::world
