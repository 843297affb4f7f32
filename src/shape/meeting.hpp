// SPDX-License-Identifier: MIT
// How the surfaces of circles and spheres meet: two of them in a chord or circle, D of them in two points.
#pragma once

#include <array>
#include <optional>
#include <utility>

#include "shape/clump.hpp"

namespace moraine::shape {

// Two circles or spheres: apart (or just touching), one hidden in the other, or crossing.
enum class Meets { kNot, kFirstHidden, kSecondHidden, kCrossing };

struct Meeting {
  Meets how = Meets::kNot;
  double distance = 0;              // of the centres
  double along_a = 0, along_b = 0;  // from each centre towards the other to the plane of the crossing
  double half = 0;                  // half the chord, or the radius of the circle
};

// distance2: squared distance of the centres; a, b: the radii. Of two that are the same, the second is hidden.
Meeting meeting(double distance2, double a, double b);

// The two points that are common to the surfaces of D members, if they meet and their centres are not in one line (3D).
// Seen along (b - a) in 2D, or with a, b, c anticlockwise in 3D, the first is on the left, or nearer to the viewer.
std::optional<std::pair<math::Vec2, math::Vec2>> common_points(const std::array<Member<2>, 2>& members);
std::optional<std::pair<math::Vec3, math::Vec3>> common_points(const std::array<Member<3>, 3>& members);

}  // namespace moraine::shape
