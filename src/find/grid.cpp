// SPDX-License-Identifier: MIT
#include "find/grid.hpp"

#include <algorithm>
#include <cmath>

namespace moraine::find {

template <int D>
Grid<D>::Grid(const world::Domain<D>& domain, const Vec<D>& low, const Vec<D>& high, double reach, std::size_t points)
    : periodic_(domain.periodic) {
  std::array<double, D> length;
  for (int k = 0; k < D; ++k) {
    low_[k] = periodic_[k] ? domain.min[k] : low[k];
    length[k] = periodic_[k] ? domain.length(k) : std::max(high[k] - low[k], reach);
  }
  // A few bodies spread far apart must not need more cells than there is memory: widen the cells until they are few.
  const double most = 8.0 * static_cast<double>(points) + 64;
  for (double width = reach;; width *= 2) {
    double cells = 1;
    for (int k = 0; k < D; ++k) cells *= std::max(1.0, std::floor(length[k] / width));
    if (cells > most) continue;
    for (int k = 0; k < D; ++k) {
      count_[k] = static_cast<std::int32_t>(std::max(1.0, std::floor(length[k] / width)));
      per_length_[k] = count_[k] / length[k];
      cells_ *= static_cast<std::size_t>(count_[k]);
    }
    return;
  }
}

template <int D>
std::array<std::int32_t, D> Grid<D>::cell_of(const Vec<D>& x) const {
  std::array<std::int32_t, D> cell;
  for (int k = 0; k < D; ++k) {
    cell[k] = std::clamp(static_cast<std::int32_t>((x[k] - low_[k]) * per_length_[k]), std::int32_t{0}, count_[k] - 1);
  }
  return cell;
}

template <int D>
std::size_t Grid<D>::index(const std::array<std::int32_t, D>& cell) const {
  std::size_t at = 0;
  for (int k = D - 1; k >= 0; --k) at = at * static_cast<std::size_t>(count_[k]) + static_cast<std::size_t>(cell[k]);
  return at;
}

template <int D>
bool Grid<D>::neighbour(const std::array<std::int32_t, D>& cell, int code, std::size_t& at, int& image) const {
  std::array<std::int32_t, D> other;
  image = 0;
  int weight = 1;
  for (int k = 0; k < D; ++k) {
    std::int32_t c = cell[k] + code % 3 - 1;
    code /= 3;
    int turn = 0;
    if (c < 0 || c >= count_[k]) {
      if (!periodic_[k]) return false;
      turn = c < 0 ? -1 : 1;
      c -= turn * count_[k];
    }
    other[k] = c;
    image += (turn + 1) * weight;
    weight *= 3;
  }
  at = index(other);
  return true;
}

template <int D>
std::uint64_t Grid<D>::curve(const std::array<std::int32_t, D>& cell) {
  std::uint64_t key = 0;
  for (int bit = 0; bit < 64 / D; ++bit) {
    for (int k = 0; k < D; ++k) {
      key |= ((static_cast<std::uint64_t>(cell[k]) >> bit) & 1) << (bit * D + k);
    }
    if (D == 2 ? bit > 24 : bit > 18) break;
  }
  return key;
}

template class Grid<2>;
template class Grid<3>;

}  // namespace moraine::find
