// SPDX-License-Identifier: MIT
// Slip in the plane of a contact: one number along t in 2D (t is k turned by 90 degrees), a vector in 3D. What the
// tangential laws need of geometry, the same names for both.
#pragma once

#include <cmath>

#include "math/vec.hpp"

namespace moraine::soft {

using math::Spin;
using math::Vec;
using math::Vec3;

template <int D>
using Tangent = Spin<D>;  // the same shapes: a number in 2D, three in 3D

inline Vec<2> tangent_of(const Vec<2>& k) { return {-k[1], k[0]}; }

// The part of a relative velocity in the plane of contact.
inline double slip_part(const Vec<2>& v, const Vec<2>& k) { return math::dot(v, tangent_of(k)); }
inline Vec3 slip_part(const Vec3& v, const Vec3& k) { return v - k * math::dot(v, k); }

// Slip from spin: (arms times spins) x k.
inline double rolling_part(double arm_spin, const Vec<2>&) { return arm_spin; }
inline Vec3 rolling_part(const Vec3& arm_spin, const Vec3& k) { return math::cross(arm_spin, k); }

inline Vec<2> as_vector(double slip, const Vec<2>& k) { return tangent_of(k) * slip; }
inline Vec3 as_vector(const Vec3& slip, const Vec3&) { return slip; }

// k x s: the torque per arm of a tangential force s.
inline double torque_part(double s, const Vec<2>&) { return s; }
inline Vec3 torque_part(const Vec3& s, const Vec3& k) { return math::cross(k, s); }

// A remembered tangential vector follows the plane of contact: laid into the new plane, turned with the mean spin about
// the normal (twist = angle in this step), its length kept. In 2D there is nothing to do.
inline double carried(double s, const Vec<2>&, double) { return s; }
inline Vec3 carried(const Vec3& s, const Vec3& k, double twist) {
  Vec3 r = slip_part(s, k);
  r += math::cross(k, r) * twist;
  const double before = math::norm2(s), after = math::norm2(r);
  const double factor = std::sqrt(before / (after > 0 ? after : 1));  // no branch: the loop over contacts is vectorised
  return r * factor;
}

template <int D>
Tangent<D> read_tangent(const double* memory) {
  if constexpr (D == 2) {
    return memory[0];
  } else {
    return {memory[0], memory[1], memory[2]};
  }
}
inline void write_tangent(double* memory, double s) { memory[0] = s; }
inline void write_tangent(double* memory, const Vec3& s) {
  memory[0] = s[0];
  memory[1] = s[1];
  memory[2] = s[2];
}

}  // namespace moraine::soft
