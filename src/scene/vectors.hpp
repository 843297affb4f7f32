// SPDX-License-Identifier: MIT
// Numbers of a node as a vector of the scene's dimension.
#pragma once

#include <algorithm>
#include <cmath>
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
inline double largest_of(const std::vector<double>& numbers) {
  double largest = 0;
  for (const double number : numbers) largest = std::max(largest, std::fabs(number));
  return largest;
}
// A vector that is not zero (Key::not_zero), of length 1.
template <int D>
math::Vec<D> as_direction(const std::vector<double>& numbers) {
  math::Vec<D> v = as_vec<D>(numbers);
  const double largest = largest_of(numbers);
  if (largest < 1e-100 || largest > 1e100) {  // the squares would be lost, or infinite
    for (int k = 0; k < D; ++k) v[k] /= largest;
  }
  return v * (1 / math::norm(v));
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
