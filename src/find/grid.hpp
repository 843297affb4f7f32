// SPDX-License-Identifier: MIT
// A grid of cells over a cloud of points. Knows positions only.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "world/domain.hpp"

namespace moraine::find {

using world::Vec;

template <int D>
class Grid {
 public:
  using Cell = std::array<std::int32_t, D>;
  Grid() = default;
  // Covers the periodic axes of the domain and the extent of the points on the others with cells of at least `width`,
  // and of so much more that they are not many more than the points.
  Grid(const world::Domain<D>& domain, const Vec<D>& low, const Vec<D>& high, double width, std::size_t points);
  // The same for a curve only, through cells that nobody stores: as many as the curve can tell apart.
  static Grid for_curve(const world::Domain<D>& domain, const Vec<D>& low, const Vec<D>& high, double width);

  Cell cell_of(const Vec<D>& x) const {
    Cell cell;
    for (int k = 0; k < D; ++k) {
      cell[k] =
          std::clamp(static_cast<std::int32_t>((x[k] - low_[k]) * per_length_[k]), std::int32_t{0}, count_[k] - 1);
    }
    return cell;
  }
  // Cells that follow each other along axis 0 do so in their index.
  std::size_t index(const Cell& cell) const {
    std::size_t at = 0;
    for (int k = D - 1; k >= 0; --k) at = at * static_cast<std::size_t>(count_[k]) + static_cast<std::size_t>(cell[k]);
    return at;
  }
  std::size_t cells() const { return cells_; }

  // The cells that a box of half width `reach` round x meets. False if there are none.
  struct Block {
    Cell low, high;
    bool beyond;  // the box reaches over an end of a periodic axis
  };
  bool block(const Vec<D>& x, double reach, Block& block) const;

  // Position along a curve that keeps near cells near in memory (Morton order).
  static std::uint64_t curve(const Cell& cell);

 private:
  std::array<double, D> cover(const world::Domain<D>& domain, const Vec<D>& low, const Vec<D>& high, double width);
  void divide(const std::array<double, D>& length, double width, double most);

  Vec<D> low_{};
  std::array<double, D> per_length_{};
  std::array<std::int32_t, D> count_{};
  std::array<bool, D> periodic_{};
  std::size_t cells_ = 0;
};

}  // namespace moraine::find
