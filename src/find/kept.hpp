// SPDX-License-Identifier: MIT
// What closed contacts remember, taken out of the old list so that it can be given up before the new one is made.
#pragma once

#include <cstdint>
#include <vector>

#include "base/parallel.hpp"
#include "world/contacts.hpp"

namespace moraine::find {

inline constexpr std::uint32_t kGone = ~0U;

class Kept {
 public:
  Kept(world::Slots& old, base::Team& team);
  // Into the slots of the same pairs in the new list. `place[old]` is the new number of a body, or kGone.
  void give_back_pairs(world::Slots& now, const std::vector<std::uint32_t>& place, base::Team& team) const;
  void give_back_walls(world::Slots& now, const std::vector<std::uint32_t>& place, base::Team& team) const;

 private:
  struct Chunk {
    std::vector<std::uint32_t> body, other;
    std::vector<double> memory;
  };
  void give(const Chunk& chunk, std::size_t k, world::Slots& now, std::uint32_t slot, bool turned) const;

  std::vector<Chunk> chunks_;
  std::size_t stride_, directed_;
};

// The same of the contacts of solids. They are few: by one thread.
class KeptPoints {
 public:
  KeptPoints(std::vector<world::Points>& old, const world::Slots& slots, std::size_t stride, std::size_t directed);
  // Of pairs, or of walls. Where the other of two bodies comes to own the slot, keys and directions are turned round.
  void give_back(std::vector<world::Points>& now, const world::Slots& slots, const std::vector<std::uint32_t>& place,
                 bool pairs) const;

 private:
  struct Point {
    std::uint32_t body, other, key;
  };
  std::vector<Point> points_;
  std::vector<double> memory_;
  std::size_t stride_, directed_;
};

}  // namespace moraine::find
