// SPDX-License-Identifier: MIT
// The search by cells: one grid per level of sizes, its cells as wide as two of the largest bodies of the level reach.
// A body looks round itself in its own level and in the coarser ones.
#pragma once

#include <vector>

#include "find/grid.hpp"
#include "find/meeting.hpp"
#include "find/sizes.hpp"

namespace moraine::find {

template <int D>
class Cells {
 public:
  Cells(const world::World<D>& world, const Sizes<D>& sizes, base::Team& team);
  // The partners of body i whose slots it owns, in no order. Returns how many bodies were looked at.
  std::uint64_t partners(std::uint32_t i, const Shifts<D>& shifts, std::vector<Hit>& hits) const;

 private:
  std::uint64_t look(std::size_t level, const typename Grid<D>::Block& block, std::uint32_t i, const Vec<D>& from,
                     int image, std::vector<Hit>& hits) const;

  struct Level {
    Grid<D> grid;
    std::size_t first_cell = 0;
  };
  const world::World<D>& world_;
  const Sizes<D>& sizes_;
  std::array<Level, Sizes<D>::kLevels> levels_;
  std::vector<std::uint32_t> start_, bodies_;  // those of cell c are bodies_[start_[c]] .. in the order of memory
};

}  // namespace moraine::find
