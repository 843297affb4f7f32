// SPDX-License-Identifier: MIT
#include "find/cells.hpp"

#include <numeric>

#include "find/chunks.hpp"

namespace moraine::find {

template <int D>
Cells<D>::Cells(const world::World<D>& world, const Sizes<D>& sizes, base::Team& team)
    : world_(world), sizes_(sizes), bodies_(world.bodies.size()) {
  std::size_t cells = 0;
  for (std::size_t l = 0; l < levels_.size(); ++l) {
    const Cloud<D>& cloud = sizes.of_level[l];
    if (cloud.count == 0) continue;
    levels_[l].grid = Grid<D>(world.domain, cloud.low, cloud.high, 2 * cloud.largest + world.skin, cloud.count);
    levels_[l].first_cell = cells;
    cells += levels_[l].grid.cells();
  }
  const std::size_t n = bodies_.size();
  std::vector<std::uint32_t> cell(n);
  for_bodies(team, n, [&](std::size_t, std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const Level& level = levels_[sizes.level[i]];
      const std::size_t at = level.grid.index(level.grid.cell_of(world.bodies.x_found[i]));
      cell[i] = static_cast<std::uint32_t>(level.first_cell + at);
    }
  });
  // Counted one place on, so that after the bodies are put in each start is where it belongs.
  start_.assign(cells + 2, 0);
  for (const std::uint32_t c : cell) ++start_[c + 2];
  std::partial_sum(start_.begin(), start_.end(), start_.begin());
  for (std::size_t i = 0; i < n; ++i) bodies_[start_[cell[i] + 1]++] = static_cast<std::uint32_t>(i);
}

template <int D>
std::uint64_t Cells<D>::partners(std::uint32_t i, const Shifts<D>& shifts, std::vector<Hit>& hits) const {
  std::uint64_t looked = 0;
  const Vec<D> x = world_.bodies.x_found[i];
  for (std::size_t l = 0; l <= sizes_.level[i]; ++l) {
    if (sizes_.of_level[l].count == 0) continue;
    const double reach = world_.bodies.place[i].radius + sizes_.of_level[l].largest + world_.skin;
    const Grid<D>& grid = levels_[l].grid;
    typename Grid<D>::Block block;
    // On periodic axes the body is always over the grid; on an open one nobody of this level may be near.
    if (!grid.block(x, reach, block)) continue;
    looked += look(l, block, i, x, world::kSameImage<D>, hits);
    if (!block.beyond) continue;
    for (int image = 0; image < world::kImages<D>; ++image) {
      if (image == world::kSameImage<D> || !has_image(world_.domain, image)) continue;
      const Vec<D> from = x - shifts[static_cast<std::size_t>(image)];
      if (grid.block(from, reach, block)) looked += look(l, block, i, from, image, hits);
    }
  }
  return looked;
}

template <int D>
std::uint64_t Cells<D>::look(std::size_t level, const typename Grid<D>::Block& block, std::uint32_t i,
                             const Vec<D>& from, int image, std::vector<Hit>& hits) const {
  const std::uint32_t first =
      level == sizes_.level[i] ? i + 1 : 0;  // in its own level a body owns slots with later ones
  std::uint64_t looked = 0;
  typename Grid<D>::Cell cell = block.low;
  for (;;) {
    // A row of cells along axis 0 is one piece of the list.
    const std::size_t row = levels_[level].first_cell + levels_[level].grid.index(cell);
    const std::uint32_t begin = start_[row];
    const std::uint32_t end = start_[row + static_cast<std::size_t>(block.high[0] - block.low[0]) + 1];
    looked += end - begin;
    for (std::uint32_t s = begin; s < end; ++s) {
      const std::uint32_t j = bodies_[s];
      if (j >= first && meets(world_, i, from, j)) hits.push_back({j, static_cast<std::uint8_t>(image)});
    }
    int k = 1;
    for (; k < D && cell[k] == block.high[k]; ++k) cell[k] = block.low[k];
    if (k == D) return looked;
    ++cell[k];
  }
}

template class Cells<2>;
template class Cells<3>;

}  // namespace moraine::find
