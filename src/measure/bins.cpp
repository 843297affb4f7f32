// SPDX-License-Identifier: MIT
#include "measure/bins.hpp"

#include "math/elementary.hpp"

namespace moraine::measure {

template <int D>
double ball(double radius) {
  return math::ball_volume(D, radius);
}

// A circular segment is r^2 (pi/2 + asin t + t sqrt(1 - t^2)); a spherical cap of height
// h = r (1 + t) is pi h^2 (3 r - h) / 3.
template <int D>
double ball_below(double radius, double height) {
  const double t = height / radius;
  if (t <= -1) return 0;
  if (t >= 1) return ball<D>(radius);
  if constexpr (D == 2) {
    return radius * radius * (0.5 * math::kPi + (math::asin(t) + t * std::sqrt((1 - t) * (1 + t))));
  } else {
    return math::kPi / 3 * radius * radius * radius * (1 + t) * (1 + t) * (2 - t);
  }
}

template double ball<2>(double);
template double ball<3>(double);
template double ball_below<2>(double, double);
template double ball_below<3>(double, double);

}  // namespace moraine::measure
