// SPDX-License-Identifier: MIT
// Bodies sorted into levels by their size, a factor of two each, and who owns the slot of a pair: the body of the finer
// level, within a level the earlier in memory. So the small find the large, and never the other way round. A function
// of the bodies in memory alone.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "base/parallel.hpp"
#include "world/world.hpp"

namespace moraine::find {

using world::Vec;

// A cloud of bodies where they were last found.
template <int D>
struct Cloud {
  std::size_t count = 0;
  double largest = 0;  // radius
  Vec<D> low{}, high{};

  void add(const Vec<D>& x, double radius);
  void add(const Cloud& other);
};

template <int D>
struct Sizes {
  static constexpr int kLevels = 16;  // whatever is smaller yet is in the last
  std::vector<std::uint8_t> level;    // of each body; 0: larger than half the largest
  std::array<Cloud<D>, kLevels> of_level;
  Cloud<D> all;
  int finest = 0;  // the last level that has bodies

  Sizes(const world::World<D>& world, base::Team& team);
  bool one_level() const { return of_level[0].count == level.size(); }
  bool owns(std::uint32_t i, std::uint32_t j) const { return level[i] == level[j] ? i < j : level[i] > level[j]; }
};

}  // namespace moraine::find
