// SPDX-License-Identifier: MIT
// Orientation: unit quaternions in 3D, an angle in 2D. Turning uses only + - * / and sqrt, so that it gives the same
// bits everywhere.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>

#include "math/elementary.hpp"
#include "math/vec.hpp"

namespace moraine::math {

struct Quaternion {
  double w = 1, x = 0, y = 0, z = 0;
};

inline Quaternion operator*(const Quaternion& a, const Quaternion& b) {
  return {a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z, a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
          a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x, a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w};
}

inline Quaternion normalised(const Quaternion& q) {
  const double s = 1 / std::sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
  return {q.w * s, q.x * s, q.y * s, q.z * s};
}

template <int D>
using Orientation = std::conditional_t<D == 2, double, Quaternion>;

// Turns an orientation by the constant spin w (world frame) over dt. 3D: the Cayley form of the rotation, a unit
// quaternion to rounding, with an error of third order in the angle of one step.
inline void turn(double& angle, double w, double dt) { angle += w * dt; }
inline void turn(Quaternion& q, const Vec3& w, double dt) {
  const double h = 0.5 * dt;
  q = normalised(Quaternion{1, w[0] * h, w[1] * h, w[2] * h} * q);
}

inline Quaternion as_quaternion(double angle) { return {cos(0.5 * angle), 0, 0, sin(0.5 * angle)}; }
inline Quaternion as_quaternion(const Quaternion& q) { return q; }

// The vector r turned by an angle about the axis (3D, unit vector) or in the plane (2D).
inline Vec2 rotated(const Vec2& r, double angle) {
  const double c = cos(angle), s = sin(angle);
  return {c * r[0] - s * r[1], s * r[0] + c * r[1]};
}
inline Vec3 rotated(const Vec3& r, const Vec3& axis, double angle) {
  const double c = cos(angle), s = sin(angle);
  return c * r + s * cross(axis, r) + ((1 - c) * dot(axis, r)) * axis;
}
// Turned by the rotation vector (direction: axis, length: angle).
inline Vec3 rotated(const Vec3& r, const Vec3& turning) {
  const double angle = norm(turning);
  if (angle == 0) return r;
  return rotated(r, turning * (1 / angle), angle);
}

// The rotation vector (direction: axis, length: angle) as a quaternion.
inline Quaternion from_rotation(const Vec3& turning) {
  const double angle = norm(turning);
  if (angle == 0) return {};
  const Vec3 u = turning * (sin(0.5 * angle) / angle);
  return {cos(0.5 * angle), u[0], u[1], u[2]};
}

// Kardan angles: about x, then about the y so turned, then about the z so turned.
inline Quaternion from_kardan(const Vec3& angles) {
  return from_rotation({angles[0], 0, 0}) * from_rotation({0, angles[1], 0}) * from_rotation({0, 0, angles[2]});
}
// The second of them from -pi/2 to pi/2; where it is one of these only the sum or difference of the others counts, and
// the third is 0.
inline Vec3 kardan_of(const Quaternion& q) {
  const double sine = std::clamp(2 * (q.x * q.z + q.w * q.y), -1.0, 1.0);
  if (std::fabs(sine) > 1 - 1e-14) return {2 * atan2(q.x, q.w), asin(sine), 0};
  return {atan2(-2 * (q.y * q.z - q.w * q.x), q.w * q.w - q.x * q.x - q.y * q.y + q.z * q.z), asin(sine),
          atan2(-2 * (q.x * q.y - q.w * q.z), q.w * q.w + q.x * q.x - q.y * q.y - q.z * q.z)};
}

// From the frame of a body to the world's, and back.
inline Vec3 rotated(const Vec3& r, const Quaternion& q) {
  const Vec3 u{q.x, q.y, q.z};
  const Vec3 t = 2 * cross(u, r);
  return r + q.w * t + cross(u, t);
}
inline Quaternion inverse(const Quaternion& q) { return {q.w, -q.x, -q.y, -q.z}; }
inline double inverse(double angle) { return -angle; }

// A spin turned into the world's frame: nothing to do in the plane.
inline Vec3 spin_rotated(const Vec3& w, const Quaternion& q) { return rotated(w, q); }
inline double spin_rotated(double w, double /*angle*/) { return w; }

}  // namespace moraine::math
