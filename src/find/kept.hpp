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

}  // namespace moraine::find
