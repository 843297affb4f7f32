// SPDX-License-Identifier: MIT
// The space a world fills: each axis unbounded, bounded and open, or periodic; and Lees-Edwards shear, in which the
// images above and below slide along. Knows nothing of what moves in it.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <limits>

#include "math/vec.hpp"

namespace moraine::world {

using math::Spin;
using math::Vec;

// A part of space.
template <int D>
struct Box {
  Vec<D> min{}, max{};
  double volume() const {
    double v = 1;
    for (int k = 0; k < D; ++k) v *= max[k] - min[k];
    return v;
  }
  bool contains(const Vec<D>& x) const {
    for (int k = 0; k < D; ++k) {
      if (x[k] < min[k] || x[k] > max[k]) return false;
    }
    return true;
  }
};

enum class Outside { kRemove, kStop };  // what happens to a body that leaves an open, bounded domain

// Lees-Edwards: the image one length up the gradient axis moves along the flow axis with rate * length.
struct Shear {
  double rate = 0;  // 1/s; 0: none
  int flow = 0, gradient = 1;
};

template <int D>
struct Domain {
  Vec<D> min = unbounded(-1), max = unbounded(1);
  std::array<bool, D> periodic{};
  Outside outside = Outside::kRemove;
  Shear shear;
  double shear_turns = 0;  // whole lengths of the flow axis that images had slid when neighbours were last found

  double length(int axis) const { return max[axis] - min[axis]; }
  // How fast, and how far since time 0, the image one up the gradient axis has slid.
  double slide_speed() const { return shear.rate == 0 ? 0 : shear.rate * length(shear.gradient); }
  double slide(double time) const { return slide_speed() * time; }
  // Where a body stands that has gone round the axes `turns` times and is now at x.
  template <class Turns>
  Vec<D> unwrapped(Vec<D> x, const Turns& turns, double time) const {
    for (int k = 0; k < D; ++k) {
      if (periodic[static_cast<std::size_t>(k)]) x[k] += turns[static_cast<std::size_t>(k)] * length(k);
    }
    if (shear.rate != 0) x[shear.flow] += turns[static_cast<std::size_t>(shear.gradient)] * slide(time);
    return x;
  }
  bool contains(const Vec<D>& x) const {
    for (int k = 0; k < D; ++k) {
      if (!periodic[k] && (x[k] < min[k] || x[k] > max[k])) return false;
    }
    return true;
  }
  // Brings a point back into the first image and counts the turns it has made. Returns the change of velocity along the
  // flow axis that goes with it in a sheared domain.
  template <class Turns>
  double wrap(Vec<D>& x, Turns& turns, double time) const {
    double change = 0;
    if (shear.rate != 0) {
      const double n = std::floor((x[shear.gradient] - min[shear.gradient]) / length(shear.gradient));
      if (n != 0) {
        x[shear.flow] -= n * slide(time);
        change = -n * slide_speed();
      }
    }
    for (int k = 0; k < D; ++k) {
      if (!periodic[static_cast<std::size_t>(k)]) continue;
      const double n = std::floor((x[k] - min[k]) / length(k));
      if (n == 0) continue;
      x[k] -= n * length(k);
      turns[static_cast<std::size_t>(k)] += static_cast<std::int32_t>(n);
    }
    return change;
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
inline int image_digit(int code, int axis) {
  for (int k = 0; k < axis; ++k) code /= 3;
  return code % 3 - 1;
}

// With shear: less the whole turns at the last finding, so that shifts move smoothly until the next.
template <int D>
std::array<Vec<D>, kImages<D>> image_shifts(const Domain<D>& domain, double time) {
  std::array<Vec<D>, kImages<D>> shifts;
  for (int code = 0; code < kImages<D>; ++code) {
    int rest = code;
    for (int k = 0; k < D; ++k) {
      const int n = rest % 3 - 1;
      rest /= 3;
      shifts[code][k] = n == 0 || !domain.periodic[k] ? 0.0 : n * domain.length(k);
    }
    if (domain.shear.rate != 0) {
      const double slid = domain.slide(time) - domain.shear_turns * domain.length(domain.shear.flow);
      shifts[code][domain.shear.flow] += image_digit(code, domain.shear.gradient) * slid;
    }
  }
  return shifts;
}

// Velocities of the images against their bodies: zero without shear.
template <int D>
std::array<Vec<D>, kImages<D>> image_drifts(const Domain<D>& domain) {
  std::array<Vec<D>, kImages<D>> drifts{};
  if (domain.shear.rate == 0) return drifts;
  for (int code = 0; code < kImages<D>; ++code) {
    drifts[code][domain.shear.flow] = image_digit(code, domain.shear.gradient) * domain.slide_speed();
  }
  return drifts;
}

}  // namespace moraine::world
