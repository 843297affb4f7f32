// SPDX-License-Identifier: MIT
// Rigid clumps of disks or spheres. Members are ordinary bodies (Held::kMember) that contacts push; the clump moves as
// one and carries its members along. Here is the state, and what follows from it at one instant.
// A solid (polyhedron, polygon) is a clump too: its only member is the ball around it, which the search finds, and its
// contacts are those of the solid.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "base/record.hpp"
#include "world/bodies.hpp"

namespace moraine::world {

inline constexpr std::uint32_t kNoSolid = std::numeric_limits<std::uint32_t>::max();

template <int D>
using Inertia = Spin<D>;  // 2D: one number; 3D: the principal moments

// What a clump looks like and weighs, in the frame of its principal axes about its centre of mass.
template <int D>
struct ClumpShape {
  std::vector<Place<D>> members;
  double radius = 0;               // from the centre of mass to the outermost point
  double volume = 0;               // of the union of the members; area in 2D
  Inertia<D> moment{};             // per density (and thickness)
  math::Orientation<D> axes{};     // of this frame, in the frame that the members were given in
  std::uint32_t solid = kNoSolid;  // number among the solids of the world
};

template <int D>
struct NewClump {
  const ClumpShape<D>* shape = nullptr;
  double scale = 1;
  Vec<D> x{}, v{};
  Spin<D> w{};
  math::Orientation<D> orientation{};
  std::uint32_t material = 0;
  double density = 0, thickness = 1;
};

template <int D>
struct Clumps {
  // Of the centre of mass. Velocity at N-1/2 and foreseen at N, as for single bodies.
  std::vector<Vec<D>> x, v, v_now;
  std::vector<Spin<D>> momentum;  // angular, at N-1/2, in the world's frame
  std::vector<Spin<D>> w, w_now;
  std::vector<math::Orientation<D>> orientation;
  std::vector<double> mass, radius, volume;  // volume: of the union of members; area in 2D
  std::vector<Inertia<D>> inertia;
  std::vector<std::array<std::int32_t, D>> image;
  std::vector<std::int64_t> id, first_member;  // id of the first member; the others follow
  std::vector<std::uint8_t> fresh, gone;       // as for bodies
  std::vector<std::uint32_t> solid;            // number among the solids of the world, or kNoSolid
  std::vector<Vec<D>> force;                   // of all members, at the present instant
  std::vector<Spin<D>> torque;                 // about the centre

  std::vector<std::uint32_t> start{0};  // members of clump c: start[c] .. start[c+1]-1 in the arrays below
  std::vector<std::uint32_t> member;    // where they are in the bodies, which are reordered now and then
  std::vector<Vec<D>> offset;           // in the clump's frame
  std::int64_t next_id = 0;

  std::size_t size() const { return x.size(); }

  Spin<D> spin_of(std::size_t c, const Spin<D>& angular_momentum) const {
    if constexpr (D == 2) {
      return angular_momentum / inertia[c];
    } else {
      math::Vec3 body = math::rotated(angular_momentum, math::inverse(orientation[c]));
      for (int k = 0; k < 3; ++k) body[k] /= inertia[c][k];
      return math::rotated(body, orientation[c]);
    }
  }
  Spin<D> momentum_of(std::size_t c, const Spin<D>& spin) const {
    if constexpr (D == 2) {
      return spin * inertia[c];
    } else {
      math::Vec3 body = math::rotated(spin, math::inverse(orientation[c]));
      for (int k = 0; k < 3; ++k) body[k] *= inertia[c][k];
      return math::rotated(body, orientation[c]);
    }
  }
  // From the centre to a member (its number in the arrays of members).
  Vec<D> arm(std::size_t c, std::size_t m) const { return math::rotated(offset[m], orientation[c]); }

  void add(const NewClump<D>& clump, Bodies<D>& bodies);
  void find_members(const Bodies<D>& bodies);  // after bodies have been reordered
  void drop_gone(Bodies<D>& bodies);           // clumps that have left, after their members have been dropped

  void save(base::Record& record) const;
  void load(const base::Record& record);
};

}  // namespace moraine::world
