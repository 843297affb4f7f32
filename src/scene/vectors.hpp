// SPDX-License-Identifier: MIT
// Numbers of a node as a vector of the scene's dimension.
#pragma once

#include <string>
#include <vector>

#include "math/vec.hpp"
#include "scene/schema.hpp"

namespace moraine::scene {

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

// "[0, 1.5]", as in a scene.
template <int D>
std::string point_text(const math::Vec<D>& x) {
  std::string out = "[";
  for (int k = 0; k < D; ++k) out += (k > 0 ? ", " : "") + number_text(x[k]);
  return out + "]";
}

}  // namespace moraine::scene
