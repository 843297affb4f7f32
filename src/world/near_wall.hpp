// SPDX-License-Identifier: MIT
// How far a point is from a wall, and how far a wall has moved: plain geometry, used by the search and the contacts.
#pragma once

#include <algorithm>
#include <cmath>

#include "world/bodies.hpp"
#include "world/wall.hpp"

namespace moraine::world {

// The point of the wall nearest to x. In 2D `at_end` tells that it is an end of the segment.
template <int D>
Vec<D> nearest_point(const Surface<D>& s, const Vec<D>& x, bool& at_end) {
  at_end = false;
  if constexpr (D == 2) {
    const Vec<2> along = s.b - s.a;
    const double u = math::dot(x - s.a, along) / math::norm2(along);
    at_end = u <= 0 || u >= 1;
    if (u <= 0) return s.a;
    if (u >= 1) return s.b;
    return s.a + along * u;
  } else {
    return x - s.b * math::dot(x - s.a, s.b);
  }
}

// Distance of a point from the wall. 3D: negative behind the plane.
template <int D>
double distance_to(const Surface<D>& s, const Vec<D>& x) {
  if constexpr (D == 2) {
    bool at_end = false;
    return math::norm(x - nearest_point(s, x, at_end));
  } else {
    return math::dot(x - s.a, s.b);
  }
}

// How far any point of the wall that a body can meet has moved since neighbours were found. 3D planes reach as far as
// the bodies do.
template <int D>
double farthest_move(const Wall<D>& wall, const Bodies<D>& bodies) {
  if constexpr (D == 2) {
    return std::max(math::norm(wall.now.a - wall.found.a), math::norm(wall.now.b - wall.found.b));
  } else {
    const double turn = math::norm(wall.now.b - wall.found.b);
    double arm = 0;
    if (turn > 0) {
      for (const Place<D>& p : bodies.place) arm = std::max(arm, math::norm(p.x - wall.now.a));
    }
    return std::fabs(math::dot(wall.now.a - wall.found.a, wall.found.b)) + turn * arm;
  }
}

}  // namespace moraine::world
