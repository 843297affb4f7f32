// SPDX-License-Identifier: MIT
// The state of a simulation, owned by value, and nothing else: no search, no forces, no files.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/hash.hpp"
#include "base/record.hpp"
#include "shape/solid.hpp"
#include "world/bodies.hpp"
#include "world/clumps.hpp"
#include "world/contacts.hpp"
#include "world/domain.hpp"
#include "world/field.hpp"
#include "world/link.hpp"
#include "world/material.hpp"
#include "world/traffic.hpp"
#include "world/wall.hpp"

namespace moraine::world {

// Energy that has left or entered since the start (J), by mechanism.
struct Ledger {
  double normal_dashpot = 0;  // lost in normal damping, and in the hysteresis of latching springs
  double shear_dashpot = 0;
  double friction = 0;
  double global_damping = 0;
  double walls = 0;    // work done by walls and prescribed bodies on the free ones
  double loads = 0;    // work done by loads
  double shear = 0;    // work done by the sliding images of a sheared domain, and brought by bodies that cross it
  double added = 0;    // brought by bodies that were released, minus what removed ones took along
  double elastic = 0;  // stored in contacts at the present time (not a running sum)
};

// Bonds there are, and those that broke since the start.
struct BondCount {
  std::int64_t intact = 0, broken = 0;
  double first_break = -1;  // when; -1: none yet
};

enum class SearchKind : std::uint8_t { kCells, kSweep };  // two ways to the same neighbours

template <int D>
struct World {
  double time = 0, dt = 0;
  std::int64_t step = 0;
  Vec<D> gravity{};
  double global_damping = 0;  // 1/s: force -damping * m * v on every free body
  Domain<D> domain;
  std::vector<Material> materials;
  PairLaws laws;
  Bodies<D> bodies;
  Clumps<D> clumps;
  std::vector<std::shared_ptr<const shape::Solid<D>>> solids;  // shapes, of the scene; clumps name them
  // A prescribed body, or a solid that is held: its motion, and where it was at time 0.
  struct Guided {
    Motion<D> motion;
    Vec<D> start{};
    int wall = -1;  // a bump of this wall: goes along with it, and what pushes the bump pushes the wall
    std::uint32_t solid = kNoSolid;  // number of its shape; without one it is round
    math::Orientation<D> turned{};   // of a solid, at time 0

    math::Orientation<D> orientation(double t) const {
      if (solid == kNoSolid) return motion.orientation(t);
      if constexpr (D == 2) {
        return motion.orientation(t) + turned;
      } else {
        return math::normalised(motion.orientation(t) * turned);
      }
    }
  };
  std::vector<Guided> guided;
  std::vector<Wall<D>> walls;
  Contacts contacts;
  std::vector<Link<D>> links;      // hard systems
  LinkReport report;               // of the last hard step
  std::shared_ptr<Field<D>> flow;  // none: the fluid, if there is any, does not count
  double skin = 0;                 // pairs nearer than this gap are in the list
  SearchKind search = SearchKind::kCells;
  double found_time = 0;  // when neighbours were last found
  Ledger ledger;
  BondCount bonds;
  // Collisions since the start, counted when a contact breaks, once for each of its bodies that is not held.
  std::int64_t collisions = 0;
  std::int64_t removed = 0;
  Traffic<D> traffic;

  // What a free body, and a clump, adds to a tally; and all there are.
  void count_body(std::size_t i, Tally& tally) const;
  void count_clump(std::size_t c, Tally& tally) const { tally.add(clumps.mass[c], clumps.volume[c]); }
  Tally inside() const;

  // Body i as the ball around a solid: the number of that shape, or kNoSolid; the shape, or nullptr.
  std::uint32_t solid_number(std::size_t i) const {
    if (bodies.clump[i] != kNoClump) return clumps.solid[bodies.clump[i]];
    return bodies.motion[i] != kNoMotion ? guided[bodies.motion[i]].solid : kNoSolid;
  }
  const shape::Solid<D>* solid_of(std::size_t i) const {
    const std::uint32_t number = solid_number(i);
    return number != kNoSolid ? solids[number].get() : nullptr;
  }
  // Of a body; area in 2D.
  double volume(std::size_t i) const;

  // The wall that an element belongs to.
  std::uint32_t wall_of(std::uint32_t element) const {
    const auto after = std::upper_bound(walls.begin(), walls.end(), element,
                                        [](std::uint32_t e, const Wall<D>& wall) { return e < wall.first_element; });
    return static_cast<std::uint32_t>(after - walls.begin()) - 1;
  }
  void number_elements() {
    std::uint32_t next = 0;
    for (Wall<D>& wall : walls) {
      wall.first_element = next;
      next += wall.start.mesh ? static_cast<std::uint32_t>(wall.start.mesh->mesh.triangles.size()) : 1;
    }
  }

  // The velocity at the present whole step; exact once the forces of this step are known.
  Vec<D> velocity(std::size_t i) const {
    const Moving<D>& m = bodies.moving[i];
    if (m.held == Held::kMember) return m.fresh ? m.v : member_velocity(i);
    if (m.held != Held::kFree) return m.v_now;
    if (m.fresh) return m.v;
    return m.v + (bodies.force[i] * m.inverse_mass + gravity) * (0.5 * dt);
  }
  Spin<D> spin(std::size_t i) const {
    const Moving<D>& m = bodies.moving[i];
    if (m.held == Held::kMember) return m.fresh ? m.w : clump_spin(bodies.clump[i]);
    if (m.held != Held::kFree) return m.w_now;
    if (m.fresh) return m.w;
    return m.w + bodies.torque[i] * (0.5 * dt / bodies.inertia[i]);
  }

  // The same of clumps.
  Vec<D> clump_velocity(std::size_t c) const {
    if (clumps.fresh[c] != 0) return clumps.v[c];
    return clumps.v[c] + (clumps.force[c] * (1 / clumps.mass[c]) + gravity) * (0.5 * dt);
  }
  Spin<D> clump_momentum(std::size_t c) const {
    return clumps.fresh[c] != 0 ? clumps.momentum[c] : clumps.momentum[c] + clumps.torque[c] * (0.5 * dt);
  }
  Spin<D> clump_spin(std::size_t c) const { return clumps.spin_of(c, clump_momentum(c)); }
  Vec<D> member_velocity(std::size_t i) const;

  void save(base::Record& record) const;
  void load(const base::Record& record);  // all but the contacts, whose slots must be listed first
  void load_contacts(const base::Record& record);
  std::uint64_t hash() const;
};

}  // namespace moraine::world
