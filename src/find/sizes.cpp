// SPDX-License-Identifier: MIT
#include "find/sizes.hpp"

#include <algorithm>

#include "find/chunks.hpp"

namespace moraine::find {

template <int D>
void Cloud<D>::add(const Vec<D>& x, double radius) {
  add(Cloud{1, radius, x, x});
}

template <int D>
void Cloud<D>::add(const Cloud& other) {
  if (other.count == 0) return;
  if (count == 0) {
    *this = other;
    return;
  }
  count += other.count;
  largest = std::max(largest, other.largest);
  for (int k = 0; k < D; ++k) {
    low[k] = std::min(low[k], other.low[k]);
    high[k] = std::max(high[k], other.high[k]);
  }
}

template <int D>
Sizes<D>::Sizes(const world::World<D>& world, base::Team& team) : level(world.bodies.size()) {
  const std::size_t n = level.size(), chunks = base::chunk_count(n);
  std::vector<double> largest(chunks, 0);
  for_bodies(team, n, [&](std::size_t c, std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) largest[c] = std::max(largest[c], world.bodies.place[i].radius);
  });
  const double top = n == 0 ? 0 : *std::max_element(largest.begin(), largest.end());
  std::vector<std::array<Cloud<D>, kLevels>> clouds(chunks);
  for_bodies(team, n, [&](std::size_t c, std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const double radius = world.bodies.place[i].radius;
      std::uint8_t l = 0;
      for (double r = 2 * radius; r < top && l + 1 < kLevels; r *= 2) ++l;  // doubling is exact
      level[i] = l;
      clouds[c][l].add(world.bodies.x_found[i], radius);
    }
  });
  for (const auto& chunk : clouds) {
    for (std::size_t l = 0; l < kLevels; ++l) of_level[l].add(chunk[l]);
  }
  for (std::size_t l = 0; l < kLevels; ++l) {
    all.add(of_level[l]);
    if (of_level[l].count > 0) finest = static_cast<int>(l);
  }
}

template struct Cloud<2>;
template struct Cloud<3>;
template struct Sizes<2>;
template struct Sizes<3>;

}  // namespace moraine::find
