// SPDX-License-Identifier: MIT
// Loads: forces from outside (or far away) on whatever moves freely, single bodies and clumps alike. A load adds to an
// array of its own, so that its work can be counted.
#pragma once

#include <cstdint>
#include <vector>

#include "base/parallel.hpp"
#include "world/world.hpp"

namespace moraine::world {

template <int D>
struct Wrench {
  Vec<D> force{};
  Spin<D> torque{};
};

// What a load sees of a body or clump at the present instant: velocities foreseen, as dashpots use them.
template <int D>
struct Mover {
  Vec<D> x, v;
  Spin<D> w, momentum;  // angular momentum
  double mass, radius;  // of a clump: outer radius
  std::uint32_t material;
  std::int64_t id;  // of the body; of a clump's first member
  bool clump;
  std::size_t index;  // in the arrays of bodies, or of clumps
};

// Force and torque on each single body and on each clump.
template <int D>
struct Wrenches {
  std::vector<Wrench<D>> bodies, clumps;
};

template <int D>
Mover<D> mover_of_body(const World<D>& world, std::size_t i) {
  const Moving<D>& m = world.bodies.moving[i];
  return {world.bodies.place[i].x,
          m.v_now,
          m.w_now,
          m.w_now * world.bodies.inertia[i],
          world.bodies.mass[i],
          world.bodies.place[i].radius,
          m.material,
          world.bodies.id[i],
          false,
          i};
}
template <int D>
Mover<D> mover_of_clump(const World<D>& world, std::size_t c) {
  const Clumps<D>& clumps = world.clumps;
  return {clumps.x[c],
          clumps.v_now[c],
          clumps.w_now[c],
          clumps.momentum_of(c, clumps.w_now[c]),
          clumps.mass[c],
          clumps.radius[c],
          world.bodies.moving[clumps.member[clumps.start[c]]].material,
          clumps.first_member[c],
          true,
          c};
}

// Adds what `of(mover)` gives to all free bodies and clumps.
template <int D, class Of>
void add_to_each(const World<D>& world, base::Team& team, Wrenches<D>& sums, const Of& of) {
  const auto each = [&](std::size_t n, auto&& one) {
    team.for_chunks(base::chunk_count(n), [&](std::size_t chunk) {
      const std::size_t end = std::min(n, (chunk + 1) * base::kChunkBodies);
      for (std::size_t k = chunk * base::kChunkBodies; k < end; ++k) one(k);
    });
  };
  const auto add = [&](Wrench<D>& sum, const Mover<D>& mover) {
    const Wrench<D> w = of(mover);
    sum.force += w.force;
    sum.torque += w.torque;
  };
  each(world.bodies.size(), [&](std::size_t i) {
    if (world.bodies.moving[i].held == Held::kFree) add(sums.bodies[i], mover_of_body(world, i));
  });
  each(world.clumps.size(), [&](std::size_t c) { add(sums.clumps[c], mover_of_clump(world, c)); });
}

template <int D>
class Load {
 public:
  virtual ~Load() = default;
  virtual void add(const World<D>& world, base::Team& team, Wrenches<D>& sums) = 0;
};

}  // namespace moraine::world
