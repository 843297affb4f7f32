// SPDX-License-Identifier: MIT
#include "shape/meeting.hpp"

#include <algorithm>
#include <cmath>

namespace moraine::shape {

namespace {

// A chord of less than this (of the smaller radius) is a touch: what is neglected is of the order of its third power,
// and what rounding makes of a touch never looks like a crossing.
constexpr double kTouch = 1e-6;

}  // namespace

Meeting meeting(double distance2, double a, double b) {
  const double sum = a + b, difference = a - b;
  Meeting m;
  if (distance2 >= sum * sum) return m;
  const double d = m.distance = std::sqrt(distance2);
  // 16 times the square of the area of the triangle with sides a, b, d (Heron); the chord is its height on d, twice.
  const double heron = (sum - d) * (sum + d) * (d - difference) * (d + difference);
  const double least = 2 * d * kTouch * std::min(a, b);
  if (heron <= least * least) {
    if (d < std::max(a, b)) m.how = a < b ? Meets::kFirstHidden : Meets::kSecondHidden;
    return m;
  }
  m.how = Meets::kCrossing;
  m.half = std::sqrt(heron) / (2 * d);
  m.along_a = (d + difference * sum / d) / 2;
  m.along_b = (d - difference * sum / d) / 2;
  return m;
}

std::optional<std::pair<math::Vec2, math::Vec2>> common_points(const std::array<Member<2>, 2>& members) {
  const auto& [a, b] = members;
  const math::Vec2 apart = b.x - a.x;
  const Meeting m = meeting(norm2(apart), a.radius, b.radius);
  if (m.how != Meets::kCrossing) return {};
  const math::Vec2 e = apart * (1 / m.distance), middle = a.x + m.along_a * e, side = m.half * math::Vec2{-e[1], e[0]};
  return std::pair{middle + side, middle - side};
}

std::optional<std::pair<math::Vec3, math::Vec3>> common_points(const std::array<Member<3>, 3>& members) {
  const auto& [a, b, c] = members;
  // In a frame with the origin in a, b on the first axis, c in the plane of the first two.
  const math::Vec3 ab = b.x - a.x, ac = c.x - a.x;
  const double d = norm(ab);
  if (d == 0) return {};
  const math::Vec3 e1 = ab * (1 / d);
  const double c1 = dot(ac, e1);
  const math::Vec3 across = ac - c1 * e1;
  const double c2 = norm(across);
  if (c2 <= 1e-9 * d) return {};
  const math::Vec3 e2 = across * (1 / c2), e3 = cross(e1, e2);
  const double x = (d + (a.radius - b.radius) * (a.radius + b.radius) / d) / 2;
  const double y = (c2 + ((a.radius - c.radius) * (a.radius + c.radius) + c1 * (c1 - 2 * x)) / c2) / 2;
  const double rho = std::sqrt(x * x + y * y), z2 = (a.radius - rho) * (a.radius + rho);
  if (!(z2 > 0)) return {};
  const math::Vec3 foot = a.x + x * e1 + y * e2, side = std::sqrt(z2) * e3;
  return std::pair{foot + side, foot - side};
}

}  // namespace moraine::shape
