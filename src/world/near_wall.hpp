// SPDX-License-Identifier: MIT
// How far a point is from a wall, and how far a wall has moved: plain geometry, used by the search and the contacts.
#pragma once

#include <algorithm>
#include <cmath>

#include "world/bodies.hpp"
#include "world/wall.hpp"

namespace moraine::world {

// Some unit vector across b, always the same one.
inline Vec<3> across(const Vec<3>& b) {
  const Vec<3> other = std::fabs(b[0]) < 0.6 ? Vec<3>{1, 0, 0} : Vec<3>{0, 1, 0};
  const Vec<3> r = math::cross(b, other);
  return r * (1 / math::norm(r));
}

inline Vec<2> nearest_on_circle(const Surface<2>& s, const Vec<2>& x) {
  const Vec<2> out = x - s.a;
  const double rho = math::norm(out);
  return s.a + (rho > 0 ? out * (s.r0 / rho) : Vec<2>{s.r0, 0});
}

// A line turned about an axis: the nearest point lies in the half-plane of the axis and x.
inline Vec<3> nearest_on_revolved(const Surface<3>& s, const Vec<3>& x, bool& at_end) {
  const double z = math::dot(x - s.a, s.b);
  const Vec<3> radial = (x - s.a) - s.b * z;
  const double rho = math::norm(radial);
  const Vec<3> out = rho > 0 ? radial * (1 / rho) : across(s.b);
  if (!std::isfinite(s.length)) return s.a + s.b * z + out * s.r0;
  const double dr = s.r1 - s.r0, u = ((rho - s.r0) * dr + z * s.length) / (dr * dr + s.length * s.length);
  at_end = (u <= 0 && s.r0 > 0) || u >= 1;
  const double part = std::clamp(u, 0.0, 1.0);
  return s.a + s.b * (part * s.length) + out * (s.r0 + part * dr);
}

// Looks in ever larger spheres about x. For questions that are asked rarely: contacts have their lists.
Vec<3> nearest_on_mesh(const Surface<3>& s, const Vec<3>& x, bool& at_end);

// The point of the wall nearest to x. `at_end` tells that it is an end of a segment or the rim of a skin.
template <int D>
Vec<D> nearest_point(const Surface<D>& s, const Vec<D>& x, bool& at_end) {
  at_end = false;
  if constexpr (D == 2) {
    if (s.form == Form::kCircle) return nearest_on_circle(s, x);
    const Vec<2> along = s.b - s.a;
    const double u = math::dot(x - s.a, along) / math::norm2(along);
    at_end = u <= 0 || u >= 1;
    if (u <= 0) return s.a;
    if (u >= 1) return s.b;
    return s.a + along * u;
  } else {
    if (s.form == Form::kRevolved) return nearest_on_revolved(s, x, at_end);
    if (s.form == Form::kMesh) return nearest_on_mesh(s, x, at_end);
    return x - s.b * math::dot(x - s.a, s.b);
  }
}

// Distance of a point from the wall. 3D planes: negative behind.
template <int D>
double distance_to(const Surface<D>& s, const Vec<D>& x) {
  if (D == 3 && s.form == Form::kFlat) return math::dot(x - s.a, s.b);
  bool at_end = false;
  return math::norm(x - nearest_point(s, x, at_end));
}

// How far any point of the wall that a body can meet has moved since neighbours were found. Walls without end reach as
// far as the bodies do.
template <int D>
double farthest_move(const Wall<D>& wall, const Bodies<D>& bodies) {
  if (D == 2 && wall.now.form == Form::kFlat) {
    return std::max(math::norm(wall.now.a - wall.found.a), math::norm(wall.now.b - wall.found.b));
  }
  if (wall.now.form == Form::kCircle) return math::norm(wall.now.a - wall.found.a);
  double turn = math::norm(wall.now.b - wall.found.b);
  if constexpr (D == 3) {
    if (wall.now.form == Form::kMesh) {
      const math::Quaternion q = wall.now.turned * math::inverse(wall.found.turned);
      turn = 2 * std::sqrt(q.x * q.x + q.y * q.y + q.z * q.z);
    }
  }
  double arm = wall.now.extent();
  if (!std::isfinite(arm)) {
    arm = 0;
    if (turn > 0) {
      for (const Place<D>& p : bodies.place) arm = std::max(arm, math::norm(p.x - wall.now.a));
    }
  }
  const Vec<D> shift = wall.now.a - wall.found.a;
  // A plane, or a cylinder without end, may slide in itself as far as it likes.
  double away = math::norm(shift);
  if (wall.now.form == Form::kFlat) away = std::fabs(math::dot(shift, wall.found.b));
  if (wall.now.form == Form::kRevolved && !std::isfinite(wall.now.length))
    away = math::norm(shift - wall.found.b * math::dot(shift, wall.found.b));
  return away + turn * arm;
}

}  // namespace moraine::world
