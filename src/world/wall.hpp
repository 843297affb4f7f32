// SPDX-License-Identifier: MIT
// Walls. Each has a form, a material and a way to move: prescribed, driven by a servo that holds a force, or free like
// a piston. Where a prescribed wall stands is derived from the time; a driven one carries its shift as state.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "math/vec.hpp"
#include "world/mesh_wall.hpp"
#include "world/motion.hpp"

namespace moraine::world {

enum class Form : std::uint8_t {
  kFlat,      // 2D: the segment from a to b with solid ends. 3D: the half-space behind the plane through a, normal b
  kCircle,    // 2D: the circle of radius r0 about a, a thin skin
  kRevolved,  // 3D: a thin skin: a straight line turned about the axis through a along b (disc, cylinder, cone)
  kMesh,      // 3D: a thin skin of triangles; a is where its reference point stands
};

// Where a wall stands. Skins have two sides, and their rims are solid.
template <int D>
struct Surface {
  Vec<D> a{}, b{};
  Form form = Form::kFlat;
  double r0 = 0, r1 = 0;                   // revolved: radius at a, and at a + length * b
  double length = 0;                       // infinite: a cylinder without ends
  std::shared_ptr<const MeshForm> mesh{};  // of a curved wall: as solids see it, if there are any
  Vec<D> origin{};                         // mesh: its reference point in its own frame
  math::Orientation<D> turned{};           // mesh: how its frame stands in the world's

  // A point, or a direction, of the world in the frame of the mesh, and back.
  Vec<D> to_mesh(const Vec<D>& x) const { return origin + math::rotated(x - a, math::inverse(turned)); }
  Vec<D> from_mesh(const Vec<D>& x) const { return a + math::rotated(x - origin, turned); }
  double extent() const;  // the farthest point of a skin from a, or infinite
};

// What moves a wall besides its prescribed motion: mass * dv/dt = push - target - (v - drift) / gain along the
// direction, where push is what the bodies do to the wall. A servo without mass follows at once:
// v = gain * (push - target) + drift. Its drift grows by gain * (push - target) / memory per time, so that a wall that
// must keep moving holds its force without an offset.
template <int D>
struct Drive {
  bool on = false;
  Vec<D> direction{};  // unit vector, away from the material: bodies push the wall this way
  double mass = 0;     // 0: none (servo)
  double gain = 0;     // m/(s N); infinite: no damper (free wall)
  double memory = std::numeric_limits<double>::infinity();  // s; infinite: no drift
  double fastest = std::numeric_limits<double>::infinity();
  double target = 0;      // N; or, with `stress`, follows from the area between the walls of `across`
  double stress = 0;      // Pa (2D: N/m)
  double fixed_area = 0;  // m^2 (2D: m) that does not change
  std::vector<std::array<std::size_t, 2>> across;                 // pairs of walls whose distances span the area
  double from = 0, to = std::numeric_limits<double>::infinity();  // when it is at work; it stands still otherwise

  // State.
  double drift = 0;
  double moved = 0, v = 0, v_now = 0;  // along the direction; velocity at N-1/2 and foreseen at N
  std::int64_t swings = 0;             // times it went from one limit of speed to the other
  int last_limit = 0;                  // -1, +1: at which limit of speed it was last
};

template <int D>
struct Wall {
  std::string name;
  Surface<D> start;  // at time 0
  std::uint32_t material = 0;
  std::uint32_t first_element = 0;  // slots of contacts name elements: one for each triangle of a mesh, else one
  Motion<D> motion;
  Drive<D> drive;
  double until = std::numeric_limits<double>::infinity();  // when it is taken away
  std::int64_t until_step = -1;                            // what `until` is to be, once the step is known

  bool gone = false;  // has been taken away
  // At the present time t; velocities also at the middle of the last step, where slip is measured.
  Surface<D> now;
  Surface<D> found;    // when neighbours were last found
  Vec<D> reference{};  // the point that `velocity` belongs to
  Vec<D> velocity{}, velocity_half{};
  Spin<D> spin{}, spin_half{};
  Vec<D> force{};    // from the bodies, at the present time
  Spin<D> torque{};  // about the reference point

  bool moves() const { return motion.moves() || drive.on; }
  double inverse_mass() const { return drive.on && drive.mass > 0 ? 1 / drive.mass : 0; }
};

template <int D>
void place_wall(Wall<D>& wall, double t, double dt) {
  const Motion<D>& m = wall.motion;
  const Drive<D>& drive = wall.drive;
  wall.now = wall.start;
  wall.now.a = m.place(wall.start.a, t);
  if (D == 2 && wall.start.form == Form::kFlat) {
    wall.now.b = m.place(wall.start.b, t);
  } else {
    wall.now.b = m.turned(wall.start.b, t);
  }
  if (wall.start.mesh != nullptr) wall.now.turned = m.orientation(t);
  wall.reference = m.about + m.shift(t);
  wall.velocity = m.velocity(t) + m.slide(t);
  wall.velocity_half = m.velocity(t - 0.5 * dt) + m.slide(t - 0.5 * dt);
  wall.spin = m.spin(t);
  wall.spin_half = m.spin(t - 0.5 * dt);
  if (!drive.on) return;
  wall.now.a += drive.direction * drive.moved;
  if (D == 2 && wall.start.form == Form::kFlat) wall.now.b += drive.direction * drive.moved;
  wall.reference += drive.direction * drive.moved;
  wall.velocity += drive.direction * drive.v_now;
  wall.velocity_half += drive.direction * drive.v;
}

}  // namespace moraine::world
