// SPDX-License-Identifier: MIT
// The space a world fills: each axis unbounded, bounded and open, or periodic. Knows nothing of what moves in it.
#pragma once

#include <array>
#include <cmath>
#include <limits>

#include "math/vec.hpp"

namespace moraine::world {

using math::Spin;
using math::Vec;

enum class Outside { kRemove, kStop };  // what happens to a body that leaves an open, bounded domain

template <int D>
struct Domain {
  Vec<D> min = unbounded(-1), max = unbounded(1);
  std::array<bool, D> periodic{};
  Outside outside = Outside::kRemove;

  double length(int axis) const { return max[axis] - min[axis]; }
  bool contains(const Vec<D>& x) const {
    for (int k = 0; k < D; ++k) {
      if (!periodic[k] && (x[k] < min[k] || x[k] > max[k])) return false;
    }
    return true;
  }
  static Vec<D> unbounded(double sign) {
    Vec<D> v;
    for (int k = 0; k < D; ++k) v[k] = sign * std::numeric_limits<double>::infinity();
    return v;
  }
};

// A body in image n of a periodic axis stands at x + n * length. Pairs store which image of the second body is meant
// as one number in [0, 3^D): each digit minus one is -1, 0 or +1.
template <int D>
inline constexpr int kImages = D == 2 ? 9 : 27;
template <int D>
inline constexpr int kSameImage = kImages<D> / 2;

template <int D>
std::array<Vec<D>, kImages<D>> image_shifts(const Domain<D>& domain) {
  std::array<Vec<D>, kImages<D>> shifts;
  for (int code = 0; code < kImages<D>; ++code) {
    int rest = code;
    for (int k = 0; k < D; ++k) {
      const int n = rest % 3 - 1;
      rest /= 3;
      shifts[code][k] = n == 0 || !domain.periodic[k] ? 0.0 : n * domain.length(k);
    }
  }
  return shifts;
}

}  // namespace moraine::world
