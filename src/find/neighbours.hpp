// SPDX-License-Identifier: MIT
// Makes the list of pairs (and of bodies and walls) that may touch soon: every pair whose gap is below the skin, each
// once, sorted by body. Also the one place where bodies are wrapped into the domain and reordered in memory.
#pragma once

#include "base/parallel.hpp"
#include "find/sweep.hpp"
#include "world/world.hpp"

namespace moraine::find {

// Finds by the way that world.search names; both give the same lists. Between findings it holds only what makes the
// next one faster, nothing that belongs to the state.
template <int D>
class Search {
 public:
  explicit Search(base::Team& team) : team_(team) {}

  // Wraps, reorders, finds; carries the memory of closed contacts over to the new slots.
  void find_neighbours(world::World<D>& world);
  // Only the lists, for bodies in the order they are in, from where they were when last found (after a restart).
  void list_slots(world::World<D>& world);

  std::uint64_t candidates() const { return candidates_; }  // pairs that were looked at for the present lists
  std::uint64_t swaps() const { return sweep_.swaps(); }    // of ends of boxes, for the present lists

 private:
  // `place[old]` is the number of a body since the lists were last made.
  void list(world::World<D>& world, const std::vector<std::uint32_t>& place);
  base::Team& team_;
  Sweep<D> sweep_;
  std::uint64_t candidates_ = 0;
};

// The same, once.
template <int D>
void find_neighbours(world::World<D>& world, base::Team& team);
template <int D>
void list_slots(world::World<D>& world, base::Team& team);

// True when a body, an image or a wall may have come near enough to touch something that is not in the list.
template <int D>
bool lists_are_old(const world::World<D>& world, double farthest_move_squared);

// The widest skin that the periodic lengths allow (each pair must meet in one image only); negative: too small a box.
template <int D>
double widest_skin(const world::World<D>& world);

}  // namespace moraine::find
