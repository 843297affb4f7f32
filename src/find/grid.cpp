// SPDX-License-Identifier: MIT
#include "find/grid.hpp"

#include <algorithm>
#include <cmath>

namespace moraine::find {

namespace {
constexpr double kMostForCurve = 1 << 20;  // cells on each axis
constexpr double kSlack = 1e-6;            // of a cell: more than positions are rounded by
}  // namespace

template <int D>
std::array<double, D> Grid<D>::cover(const world::Domain<D>& domain, const Vec<D>& low, const Vec<D>& high,
                                     double width) {
  periodic_ = domain.periodic;
  std::array<double, D> length;
  for (int k = 0; k < D; ++k) {
    low_[k] = periodic_[k] ? domain.min[k] : low[k];
    length[k] = periodic_[k] ? domain.length(k) : std::max(high[k] - low[k], width);
  }
  return length;
}

template <int D>
void Grid<D>::divide(const std::array<double, D>& length, double width, double most) {
  cells_ = 1;
  for (int k = 0; k < D; ++k) {
    count_[k] = static_cast<std::int32_t>(std::clamp(std::floor(length[k] / width), 1.0, most));
    per_length_[k] = count_[k] / length[k];
    cells_ *= static_cast<std::size_t>(count_[k]);
  }
}

template <int D>
Grid<D>::Grid(const world::Domain<D>& domain, const Vec<D>& low, const Vec<D>& high, double width, std::size_t points) {
  const std::array<double, D> length = cover(domain, low, high, width);
  // A few bodies spread far apart must not need more cells than there is memory: widen the cells until they are few.
  const double most = 8.0 * static_cast<double>(points) + 64;
  for (;; width *= 2) {
    double cells = 1;
    for (int k = 0; k < D; ++k) cells *= std::max(1.0, std::floor(length[k] / width));
    if (cells > most) continue;
    divide(length, width, most);
    return;
  }
}

template <int D>
Grid<D> Grid<D>::for_curve(const world::Domain<D>& domain, const Vec<D>& low, const Vec<D>& high, double width) {
  Grid grid;
  const std::array<double, D> length = grid.cover(domain, low, high, width);
  // The same width on all axes, or the curve would follow long thin cells.
  for (int k = 0; k < D; ++k) width = std::max(width, length[k] / kMostForCurve);
  grid.divide(length, width, kMostForCurve);
  return grid;
}

template <int D>
bool Grid<D>::block(const Vec<D>& x, double reach, Block& block) const {
  block.beyond = false;
  for (int k = 0; k < D; ++k) {
    const double low = (x[k] - reach - low_[k]) * per_length_[k] - kSlack;
    const double high = (x[k] + reach - low_[k]) * per_length_[k] + kSlack;
    if (high < 0 || low >= count_[k]) return false;
    block.low[k] = low > 0 ? static_cast<std::int32_t>(low) : 0;
    block.high[k] = high < count_[k] ? static_cast<std::int32_t>(high) : count_[k] - 1;
    block.beyond |= periodic_[k] && (low < 0 || high >= count_[k]);
  }
  return true;
}

// The bits of a number with D - 1 zeros before each: 26 bits in 2D, 20 in 3D.
template <>
std::uint64_t Grid<2>::curve(const Cell& cell) {
  const auto spread = [](std::int32_t c) {
    std::uint64_t b = static_cast<std::uint64_t>(c) & 0x3ffffff;
    b = (b | b << 16) & 0x0000ffff0000ffff;
    b = (b | b << 8) & 0x00ff00ff00ff00ff;
    b = (b | b << 4) & 0x0f0f0f0f0f0f0f0f;
    b = (b | b << 2) & 0x3333333333333333;
    return (b | b << 1) & 0x5555555555555555;
  };
  return spread(cell[0]) | spread(cell[1]) << 1;
}
template <>
std::uint64_t Grid<3>::curve(const Cell& cell) {
  const auto spread = [](std::int32_t c) {
    std::uint64_t b = static_cast<std::uint64_t>(c) & 0xfffff;
    b = (b | b << 32) & 0x001f00000000ffff;
    b = (b | b << 16) & 0x001f0000ff0000ff;
    b = (b | b << 8) & 0x100f00f00f00f00f;
    b = (b | b << 4) & 0x10c30c30c30c30c3;
    return (b | b << 2) & 0x1249249249249249;
  };
  return spread(cell[0]) | spread(cell[1]) << 1 | spread(cell[2]) << 2;
}

template class Grid<2>;
template class Grid<3>;

}  // namespace moraine::find
