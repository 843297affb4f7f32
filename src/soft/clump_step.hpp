// SPDX-License-Identifier: MIT
// How clumps move: pushes on members are gathered about the centre of mass, the clump takes a step as a rigid body, and
// its members go along.
#pragma once

#include <cstdint>
#include <vector>

#include "base/parallel.hpp"
#include "world/world.hpp"

namespace moraine::soft {

template <int D>
class ClumpStep {
 public:
  // What one chunk of clumps saw on its way.
  struct alignas(64) Seen {
    double farthest2 = 0, damping = 0;
    std::int64_t lost = -1;              // a clump whose numbers are no longer finite
    std::vector<std::uint32_t> outside;  // clumps that left the domain
  };

  // After bodies have been reordered: members found again, clumps that left dropped.
  static void bodies_reordered(world::World<D>& world);
  // Force and torque on each clump, when those on its members are complete; global damping.
  void gather(world::World<D>& world, base::Team& team);
  void advance(world::World<D>& world, base::Team& team);

  const std::vector<Seen>& seen() const { return seen_; }

 private:
  void gather_one(world::World<D>& world, std::size_t c, Seen& seen) const;
  void advance_one(world::World<D>& world, std::size_t c, Seen& seen) const;
  template <class Each>
  void for_clumps(const world::World<D>& world, base::Team& team, const Each& each);
  std::vector<Seen> seen_;
};

}  // namespace moraine::soft
