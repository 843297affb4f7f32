// SPDX-License-Identifier: MIT
// A grid of cells over a cloud of bodies, each cell at least as wide as the reach of a contact, so that whoever may
// touch a body is in its own or a neighbouring cell. Knows positions only.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "world/domain.hpp"

namespace moraine::find {

using world::Vec;

template <int D>
class Grid {
 public:
  // Covers the periodic axes of the domain and the extent of the points on the others.
  Grid(const world::Domain<D>& domain, const Vec<D>& low, const Vec<D>& high, double reach, std::size_t points);

  std::array<std::int32_t, D> cell_of(const Vec<D>& x) const;
  std::size_t index(const std::array<std::int32_t, D>& cell) const;
  std::size_t cells() const { return cells_; }
  std::int32_t count(int axis) const { return count_[axis]; }

  // The neighbour of a cell one step along each axis; false where the grid ends. `at` is its index, `image` tells which
  // periodic image.
  bool neighbour(const std::array<std::int32_t, D>& cell, int code, std::size_t& at, int& image) const;

  // Position along a curve that keeps near cells near in memory (Morton order).
  static std::uint64_t curve(const std::array<std::int32_t, D>& cell);

 private:
  Vec<D> low_;
  std::array<double, D> per_length_;
  std::array<std::int32_t, D> count_;
  std::array<bool, D> periodic_;
  std::size_t cells_ = 1;
};

}  // namespace moraine::find
