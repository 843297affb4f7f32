// SPDX-License-Identifier: MIT
// From the keys of a [[contact]] to the numbers of rolling resistance, cohesion and bonds.
#pragma once

#include <functional>
#include <optional>

#include "scene/values.hpp"
#include "world/material.hpp"

namespace moraine::scene {

struct ExtraContext {
  int dimension;
  double thickness;  // 2D
  // The linear stiffness of the contact, where a spring needs one; nothing, and a problem, if it is not known.
  std::function<std::optional<double>()> stiffness;
};

// `law` has its normal and tangential law already.
void set_extras(world::PairLaw& law, const Node& contact, const ExtraContext& context, Problems& problems);

}  // namespace moraine::scene
