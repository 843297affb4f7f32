// SPDX-License-Identifier: MIT
// Where two solids touch: corners of one in the other, and ridges of one across ridges of the other (3D).
//
// The overlap of a corner is its depth below the surface of the other solid. A ridge counts where it is deeper inside
// the other solid than at both its ends, and with so much as it is deeper: so depths are continuous functions of where
// the two solids stand, whatever feature slides on to whatever other, and forces that follow from them have a
// potential. As any two solids that overlap have a corner or an edge of one in the other, none is missed.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "shape/solid.hpp"
#include "world/world.hpp"

namespace moraine::touch {

using math::Vec;

// A solid in the world.
template <int D>
struct Posed {
  const shape::Solid<D>* solid = nullptr;
  Vec<D> x{};  // its centre of mass
  math::Orientation<D> turned{};
  double scale = 1;

  Vec<D> to_world(const Vec<D>& own) const { return x + math::rotated(own * scale, turned); }
  Vec<D> to_own(const Vec<D>& at) const { return math::rotated(at - x, math::inverse(turned)) * (1 / scale); }
};

inline constexpr std::uint32_t kNoEnd = ~0U;
inline constexpr std::uint32_t kRidgeBit = 1U << 30;  // of a key: a ridge, not a corner
inline bool is_ridge(std::uint32_t key) { return (key & kRidgeBit) != 0; }

template <int D>
struct SolidTouch {
  Vec<D> point{};    // where the force acts
  Vec<D> k{};        // from the first solid into the second: minus the gradient of the depth as the first one moves. A
                     // unit vector for corners; shorter for ridges, whose depth grows slower than they come nearer
  double depth = 0;  // positive: they overlap
  double share = 1;  // of the stiffness: 1/2 for ridges, which find each other twice
  double room = std::numeric_limits<double>::infinity();  // deeper than this it has gone through: a thin wall has come
                                                          // out on the other side of a thin solid
  std::uint32_t key = 0;                                  // what touches: the same as long as the contact lasts
  std::uint32_t end = kNoEnd;  // a ridge with an end inside: the touch (in the same list) of that end, which counts
                               // less by as much as the ridge counts. The less deep of two dents of a ridge: the place
                               // between them, a touch of no depth
};

// Replaces `out` by all overlaps of the two, and by gaps smaller than `margin`, which must be within the reach of their
// fields (shape::kSolidReach). Deterministic: in the order of corners and ridges of the first, then of the second.
template <int D>
void touch_solids(const Posed<D>& a, const Posed<D>& b, double margin, std::vector<SolidTouch<D>>& out);

// A solid and a ball. One touch per smooth part of the surface, as spheres touch meshes. `ball_first`: the ball is the
// first of the two.
template <int D>
void touch_ball(const Posed<D>& solid, const Vec<D>& x, double radius, bool ball_first, double margin,
                std::vector<SolidTouch<D>>& out);

// The same of bodies of a world, of which at least one is a solid; the second is seen shifted.
template <int D>
void touch_bodies(const world::World<D>& world, std::uint32_t i, std::uint32_t j, const Vec<D>& shift, double margin,
                  std::vector<SolidTouch<D>>& out);

// A solid and a wall: the half-space behind a plane (3D), or a thin skin with two sides. Of a mesh, only the given
// triangles count, which must be all that are near. Curved walls are many flat pieces. The wall is the second of the
// two.
template <int D>
void touch_wall(const Posed<D>& solid, const world::Surface<D>& wall, std::span<const std::uint32_t> triangles,
                double margin, std::vector<SolidTouch<D>>& out);

// Whether the skin of a mesh turns or ends at an edge of a triangle.
bool is_sharp(const shape::Mesh& mesh, std::uint32_t triangle, std::size_t side);

// How solids see curved walls.
inline constexpr int kPiecesAround = 180;
// In the plane: the ends of the pieces of a circle that may touch the solid, in turn. All of them: the first again.
struct Arc {
  std::vector<Vec<2>> ends;
  std::vector<std::uint32_t> numbers;  // of the ends
};
const Arc& arc_near(const Posed<2>& solid, const world::Surface<2>& circle, double margin);
// The triangles of the mesh of a curved wall that may touch the solid.
std::span<const std::uint32_t> triangles_near(const Posed<3>& solid, const world::Surface<3>& wall, double margin);

// Body i as a solid.
template <int D>
Posed<D> posed(const world::World<D>& world, std::uint32_t i, const Vec<D>& shift = {}) {
  const shape::Solid<D>* solid = world.solid_of(i);
  const std::uint32_t clump = world.bodies.clump[i];  // none: a solid that is held
  return {solid, world.bodies.place[i].x + shift,
          clump != world::kNoClump ? world.clumps.orientation[clump] : world.bodies.orientation[i],
          world.bodies.place[i].radius / solid->radius};
}

}  // namespace moraine::touch
