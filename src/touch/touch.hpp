// SPDX-License-Identifier: MIT
// Shape against shape: where two things touch. One function per pair of shapes:
//
//             disk / sphere   segment (2D)   plane (3D)
//   disk/sphere     x              x             x
//
// Pure geometry: no velocities, no forces, no list of neighbours.
#pragma once

#include "world/near_wall.hpp"
#include "world/world.hpp"

namespace moraine::touch {

using math::Vec;

template <int D>
struct Touch {
  Vec<D> k;         // unit vector from the body towards the other, or into the wall
  double distance;  // of the body's centre from the other's centre, or from the wall
  double overlap;   // positive: they touch
};

// A disk or sphere and the given image of another. `apart` is the vector between the centres.
template <int D>
Touch<D> touch_balls(const Vec<D>& apart, double radii) {
  const double distance = math::norm(apart);
  return {apart * (1 / distance), distance, radii - distance};
}

// A disk and a segment with solid ends, or a sphere and a plane.
template <int D>
Touch<D> touch_wall(const Vec<D>& x, double radius, const world::Surface<D>& wall, bool& at_end) {
  if constexpr (D == 2) {
    const Vec<2> apart = world::nearest_point(wall, x, at_end) - x;
    return touch_balls(apart, radius);
  } else {
    at_end = false;
    const double distance = math::dot(x - wall.a, wall.b);
    return {-wall.b, distance, radius - distance};
  }
}

}  // namespace moraine::touch
