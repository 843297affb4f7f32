// SPDX-License-Identifier: MIT
// Walls: 2D segments with solid ends and 3D planes (half-spaces). Each has a material and a prescribed motion; where it
// stands now is derived from the time.
#pragma once

#include <cstdint>
#include <string>

#include "math/vec.hpp"
#include "world/motion.hpp"

namespace moraine::world {

// Where a wall stands. 2D: the segment from a to b. 3D: the half-space behind the plane through a, b = unit normal
// into the free side.
template <int D>
struct Surface {
  Vec<D> a{}, b{};
};

template <int D>
struct Wall {
  std::string name;
  Surface<D> start;  // at time 0
  std::uint32_t material = 0;
  Motion<D> motion;

  // At the present time t; velocities also at the middle of the last step, where slip is measured.
  Surface<D> now;
  Surface<D> found;    // when neighbours were last found
  Vec<D> reference{};  // the point that `velocity` belongs to
  Vec<D> velocity{}, velocity_half{};
  Spin<D> spin{}, spin_half{};
  Vec<D> force{};    // from the bodies, at the present time
  Spin<D> torque{};  // about the reference point
};

template <int D>
void place_wall(Wall<D>& wall, double t, double dt) {
  const Motion<D>& m = wall.motion;
  wall.now.a = m.place(wall.start.a, t);
  if constexpr (D == 2) {
    wall.now.b = m.place(wall.start.b, t);
  } else {
    wall.now.b = m.turned(wall.start.b, t);
  }
  wall.reference = m.about + m.shift(t);
  wall.velocity = m.velocity(t);
  wall.velocity_half = m.velocity(t - 0.5 * dt);
  wall.spin = m.spin(t);
  wall.spin_half = m.spin(t - 0.5 * dt);
}

}  // namespace moraine::world
