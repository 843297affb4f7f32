// SPDX-License-Identifier: MIT
// Shape against shape: where two things touch. One function per pair of shapes:
//
//                disk / sphere   segment, circle (2D)   plane (3D)   disc, cylinder, cone (3D)   mesh (3D)
//   disk/sphere        x                   x                 x                   x                  shape/mesh
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

// A disk or sphere and a wall. Planes are half-spaces; everything else is a thin skin with two sides and solid rims.
template <int D>
Touch<D> touch_wall(const Vec<D>& x, double radius, const world::Surface<D>& wall, bool& at_end) {
  if (D == 3 && wall.form == world::Form::kFlat) {
    at_end = false;
    const double distance = math::dot(x - wall.a, wall.b);
    return {-wall.b, distance, radius - distance};
  }
  return touch_balls(world::nearest_point(wall, x, at_end) - x, radius);
}

}  // namespace moraine::touch
