// SPDX-License-Identifier: MIT
#include "flow/shadow.hpp"

#include <algorithm>
#include <cmath>

#include "shape/disk_union.hpp"

namespace moraine::flow {

namespace {

// The part of the interval from -1 to 1 that the others cover together.
double covered(std::vector<std::array<double, 2>>& intervals) {
  std::sort(intervals.begin(), intervals.end());
  double sum = 0, reached = -1;
  for (const auto& [low, high] : intervals) {
    const double from = std::max(low, reached), to = std::min(high, 1.0);
    if (to > from) {
      sum += to - from;
      reached = to;
    }
  }
  return 0.5 * sum;
}

}  // namespace

template <int D>
typename Shadows<D>::Cell Shadows<D>::cell_of(const Vec<D>& x) const {
  Cell cell{};
  for (int k = 0; k < D; ++k) {
    const auto c = static_cast<std::size_t>(k);
    const double at = std::floor((x[k] - low_[k]) / width_[k]);
    cell[c] = static_cast<std::int64_t>(std::clamp(at, 0.0, static_cast<double>(count_[c] - 1)));
  }
  return cell;
}

template <int D>
std::size_t Shadows<D>::number(const Cell& cell) const {
  std::int64_t at = 0;
  for (std::size_t k = D; k-- > 0;) at = at * count_[k] + cell[k];
  return static_cast<std::size_t>(at);
}

template <int D>
void Shadows<D>::sort(const world::World<D>& world) {
  const auto& place = world.bodies.place;
  const std::size_t n = place.size();
  start_.clear();
  bodies_.clear();
  if (n == 0) return;
  Vec<D> high = place[0].x;
  low_ = high;
  double largest = 0;
  for (const auto& p : place) {
    largest = std::max(largest, p.radius);
    for (int k = 0; k < D; ++k) {
      low_[k] = std::min(low_[k], p.x[k]);
      high[k] = std::max(high[k], p.x[k]);
    }
  }
  // As wide as the longest shadow is long, and not many more than there are bodies.
  const double reach = std::max(2 * plan_.reach, 2.0) * largest;
  double most = 1;
  while (most * most * (D == 3 ? most : 1) < 4.0 * static_cast<double>(n)) ++most;
  std::size_t cells = 1;
  for (int k = 0; k < D; ++k) {
    const auto c = static_cast<std::size_t>(k);
    wraps_[c] = world.domain.periodic[c];
    if (wraps_[c]) {
      low_[k] = world.domain.min[k];
      high[k] = world.domain.max[k];
    }
    const double length = high[k] - low_[k];
    count_[c] = static_cast<std::int64_t>(std::clamp(std::floor(length / reach), 1.0, most));
    width_[k] = length > 0 ? length / static_cast<double>(count_[c]) : 1;
    cells *= static_cast<std::size_t>(count_[c]);
  }
  start_.assign(cells + 1, 0);
  for (const auto& p : place) ++start_[number(cell_of(p.x)) + 1];
  for (std::size_t c = 0; c < cells; ++c) start_[c + 1] += start_[c];
  bodies_.resize(n);
  std::vector<std::uint32_t> next(start_.begin(), start_.end() - 1);
  for (std::size_t i = 0; i < n; ++i) bodies_[next[number(cell_of(place[i].x))]++] = static_cast<std::uint32_t>(i);
}

// All bodies of the cell of x and of those around it, each once.
template <int D>
template <class Visit>
void Shadows<D>::visit_near(const Vec<D>& x, const Visit& visit) const {
  const Cell centre = cell_of(x);
  std::array<std::array<std::int64_t, 3>, D> choices{};
  std::array<std::size_t, D> sizes{};
  for (std::size_t k = 0; k < D; ++k) {
    for (std::int64_t step = -1; step <= 1; ++step) {
      std::int64_t c = centre[k] + step;
      if (wraps_[k]) c = (c + count_[k]) % count_[k];
      if (c < 0 || c >= count_[k]) continue;
      const auto end = choices[k].begin() + static_cast<std::ptrdiff_t>(sizes[k]);
      if (std::find(choices[k].begin(), end, c) == end) choices[k][sizes[k]++] = c;
    }
  }
  Cell cell{};
  for (std::size_t a = 0; a < sizes[0]; ++a) {
    cell[0] = choices[0][a];
    for (std::size_t b = 0; b < sizes[1]; ++b) {
      cell[1] = choices[1][b];
      for (std::size_t c = 0; c < (D == 3 ? sizes[D - 1] : 1); ++c) {
        if (D == 3) cell[D - 1] = choices[D - 1][c];
        const std::size_t at = number(cell);
        for (std::uint32_t k = start_[at]; k < start_[at + 1]; ++k) visit(bodies_[k]);
      }
    }
  }
}

template <int D>
double Shadows<D>::exposed(const world::World<D>& world, std::size_t body, const Vec<D>& along) const {
  const auto& place = world.bodies.place;
  const world::Place<D>& own = place[body];
  const std::uint32_t clump = world.bodies.clump[body];
  std::vector<std::array<double, 2>> intervals;
  std::vector<shape::Member<2>> disks;
  Vec<D> e1{}, e2{};  // across the stream
  if constexpr (D == 2) {
    e1 = {-along[1], along[0]};
  } else {
    int least = 0;
    for (int k = 1; k < 3; ++k) {
      if (std::fabs(along[k]) < std::fabs(along[least])) least = k;
    }
    Vec<3> axis{};
    axis[least] = 1;
    e1 = math::cross(along, axis);
    e1 *= 1 / math::norm(e1);
    e2 = math::cross(along, e1);
  }
  visit_near(own.x, [&](std::uint32_t i) {
    if (i == body || (clump != world::kNoClump && world.bodies.clump[i] == clump)) return;
    Vec<D> d = place[i].x - own.x;
    for (int k = 0; k < D; ++k) {
      if (!wraps_[static_cast<std::size_t>(k)]) continue;
      const double length = world.domain.length(k);
      d[k] -= length * std::floor(d[k] / length + 0.5);
    }
    const double r = place[i].radius, before = -math::dot(d, along);
    if (!(before > 0) || before > 2 * plan_.reach * r) return;
    const double across = math::dot(d, e1);
    if constexpr (D == 2) {
      if (std::fabs(across) < r + own.radius)
        intervals.push_back({(across - r) / own.radius, (across + r) / own.radius});
    } else {
      const double other = math::dot(d, e2);
      if (across * across + other * other < (r + own.radius) * (r + own.radius))
        disks.push_back({{across / own.radius, other / own.radius}, r / own.radius});
    }
  });
  double k = 0;
  if constexpr (D == 2) {
    k = covered(intervals);
  } else if (!disks.empty()) {
    // What the union grows by if the body's own section is added is what of it is not covered. In a fixed order.
    std::sort(disks.begin(), disks.end(), [](const auto& a, const auto& b) {
      return std::array{a.x[0], a.x[1], a.radius} < std::array{b.x[0], b.x[1], b.radius};
    });
    shape::DiskUnion unions;
    const double others = unions.moments(disks).area;
    disks.push_back({{0, 0}, 1});
    k = 1 - (unions.moments(disks).area - others) / math::kPi;
  }
  return std::clamp(1 - k, plan_.least, 1.0);
}

template class Shadows<2>;
template class Shadows<3>;

}  // namespace moraine::flow
