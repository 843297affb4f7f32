// SPDX-License-Identifier: MIT
#include "find/order.hpp"

#include <algorithm>
#include <numeric>

#include "find/chunks.hpp"
#include "find/grid.hpp"
#include "find/sizes.hpp"

namespace moraine::find {

namespace {

constexpr std::size_t kBlock = 8192;  // keys that are counted together
constexpr int kDigitBits = 11;
constexpr std::size_t kDigits = 1 << kDigitBits;
using Counts = std::array<std::uint32_t, kDigits>;

// From how often each block has each digit to where its first one goes: digit by digit, in a digit block by block.
void count_to_place(std::vector<Counts>& counts) {
  std::uint32_t at = 0;
  for (std::size_t d = 0; d < kDigits; ++d) {
    for (Counts& block : counts) {
      const std::uint32_t count = block[d];
      block[d] = at;
      at += count;
    }
  }
}

// Stable sort of body numbers by key, a digit at a time.
void radix_sort(std::vector<std::uint64_t>& keys, std::vector<std::uint32_t>& order, base::Team& team) {
  std::uint64_t all = 0;
  for (const std::uint64_t k : keys) all |= k;
  const std::size_t n = keys.size(), blocks = (n + kBlock - 1) / kBlock;
  std::vector<std::uint64_t> keys2(n);
  std::vector<std::uint32_t> order2(n);
  std::vector<Counts> counts(blocks);
  for (int shift = 0; shift < 64 && (all >> shift) != 0; shift += kDigitBits) {
    const auto digit = [shift](std::uint64_t key) { return (key >> shift) & (kDigits - 1); };
    team.for_chunks(blocks, [&](std::size_t b) {
      counts[b] = {};
      for (std::size_t i = b * kBlock; i < std::min(n, (b + 1) * kBlock); ++i) ++counts[b][digit(keys[i])];
    });
    count_to_place(counts);
    team.for_chunks(blocks, [&](std::size_t b) {
      for (std::size_t i = b * kBlock; i < std::min(n, (b + 1) * kBlock); ++i) {
        const std::uint32_t to = counts[b][digit(keys[i])]++;
        keys2[to] = keys[i];
        order2[to] = order[i];
      }
    });
    keys.swap(keys2);
    order.swap(order2);
  }
}

// With a spread of sizes the cells of the finest level, so that the small are in order too.
template <int D>
Grid<D> curve_cells(const world::World<D>& world, base::Team& team) {
  const Sizes<D> sizes(world, team);
  const Cloud<D>& all = sizes.all;
  if (sizes.one_level()) {
    return Grid<D>(world.domain, all.low, all.high, 2 * all.largest + world.skin, all.count);
  }
  const double finest = sizes.of_level[static_cast<std::size_t>(sizes.finest)].largest;
  return Grid<D>::for_curve(world.domain, all.low, all.high, 2 * finest + world.skin);
}

}  // namespace

template <int D>
std::vector<std::uint32_t> order_in_space(const world::World<D>& world, base::Team& team) {
  const std::size_t n = world.bodies.size();
  if (n == 0) return {};
  const Grid<D> grid = curve_cells(world, team);
  std::vector<std::uint64_t> keys(n);
  for_bodies(team, n, [&](std::size_t, std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) keys[i] = Grid<D>::curve(grid.cell_of(world.bodies.x_found[i]));
  });
  std::vector<std::uint32_t> order(n);
  std::size_t stay = 0;
  for (std::size_t i = 0; i < n; ++i) {
    if (world.bodies.moving[i].gone) continue;
    keys[stay] = keys[i];
    order[stay++] = static_cast<std::uint32_t>(i);
  }
  keys.resize(stay);
  order.resize(stay);
  if (!std::is_sorted(keys.begin(), keys.end())) radix_sort(keys, order, team);
  return order;
}

template std::vector<std::uint32_t> order_in_space<2>(const world::World<2>&, base::Team&);
template std::vector<std::uint32_t> order_in_space<3>(const world::World<3>&, base::Team&);

}  // namespace moraine::find
