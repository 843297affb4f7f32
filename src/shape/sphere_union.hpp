// SPDX-License-Identifier: MIT
// Volume and moments of a union of spheres, from the exact moments of its horizontal sections.
#pragma once

#include <vector>

#include "math/principal.hpp"
#include "math/vec.hpp"
#include "shape/clump.hpp"

namespace moraine::shape {

// Integrals of 1, r and r r over the union, and estimates of their errors.
struct SolidMoments {
  double volume = 0;
  math::Vec3 first{};
  math::Symmetric3 second{};
  double volume_error = 0, first_error = 0, second_error = 0;
};

SolidMoments sphere_union(const std::vector<Member<3>>& spheres);

}  // namespace moraine::shape
