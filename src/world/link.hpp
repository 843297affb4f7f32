// SPDX-License-Identifier: MIT
// Links of hard systems: contacts that are constraints. State only; what they mean is in hard/.
#pragma once

#include <array>
#include <cstdint>

#include "math/vec.hpp"

namespace moraine::world {

using math::Vec;

enum class LinkKind : std::uint8_t {
  kRod,      // two points stay at a distance
  kContact,  // two round bodies, or one and a wall, stay in touch
  kJoint,    // two points stay together: revolute in 2D, spherical in 3D
};

template <int D>
struct LinkEnd {
  enum class At : std::uint8_t { kBody, kGround, kWall };
  At at = At::kBody;
  std::int64_t id = -1;  // of the body (of a clump: any member), or number of the wall
  Vec<D> point{};        // body: from its centre (of a clump: the centre of mass), in its frame. Ground: in space
};

template <int D>
struct Link {
  LinkKind kind = LinkKind::kRod;
  bool slip = true;   // contacts: false: the surfaces roll on each other
  double length = 0;  // of a rod; of a contact of two bodies, between the centres
  LinkEnd<D> a, b;    // a is always a body

  // At the present instant. Rods and contacts: tension, then friction of contacts that do not slip; joints: components.
  std::array<double, D> force{};
  Vec<D> pull{};  // the whole force on a, and where it acts there
  Vec<D> from{}, to{};
};

// What the last step of a hard run was like.
struct LinkReport {
  double position = 0, velocity = 0;  // largest violation of a link: m, m/s
  double shortest_step = 0;           // s, that was taken within the step
  std::int64_t steps = 0;             // taken within the step
  std::int64_t evaluations = 0;       // of the accelerations
  std::int64_t iterations = 0;        // sweeps of the iterative solver
  std::int64_t rejected = 0;          // steps undone and tried again
};

}  // namespace moraine::world
