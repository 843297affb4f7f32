// SPDX-License-Identifier: MIT
#include "flow/panel_tree.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "math/elementary.hpp"

namespace moraine::flow {

namespace {

using math::cross;
using math::dot;

constexpr std::size_t kFewNear = 6;  // so many near panels need no finer cells
constexpr int kDeepest = 24;
constexpr double kPerTurn = 0.5 / math::kPi;

double distance_to(const Panel& p, const Vec2& x) {
  const Vec2 d = x - p.mid;
  const double along = std::clamp(dot(d, p.t), -p.half, p.half);
  return math::norm(d - p.t * along);
}

// Whether the line from x to y crosses the panel. Neighbours share their ends to the bit, so that of two panels the
// line through their corner crosses one or both, as it should.
bool crosses(const Panel& p, const Vec2& x, const Vec2& y) {
  const Vec2 way = y - x;
  if ((cross(way, p.a - x) > 0) == (cross(way, p.b - x) > 0)) return false;
  const Vec2 along = p.b - p.a;
  return (cross(along, x - p.a) > 0) != (cross(along, y - p.a) > 0);
}

}  // namespace

PanelTree::Number PanelTree::inverse(Number z) {
  const double size = 1 / (z.re * z.re + z.im * z.im);
  return {z.re * size, -z.im * size};
}

// The panel from a to b makes e* / (2 pi) (log(z - a) - log(z - b)), e its direction.
void PanelTree::add_far(std::uint32_t panel, const Vec2& centre, Series& series) const {
  const Panel& p = panels_[panel];
  const double size = kPerTurn * strength_[panel];
  const Number along{p.t[0] * size, -p.t[1] * size};
  const Vec2 u = panel_velocity(p, centre) * strength_[panel];
  series[0] = series[0] + Number{u[0], -u[1]};
  const Number from_a = inverse({centre[0] - p.a[0], centre[1] - p.a[1]}),
               from_b = inverse({centre[0] - p.b[0], centre[1] - p.b[1]});
  Number a = along, b = along;
  double sign = 1;
  for (int k = 1; k <= kOrder; ++k) {
    a = a * from_a;
    b = b * from_b;
    series[static_cast<std::size_t>(k)] = series[static_cast<std::size_t>(k)] + (a - b) * (sign / k);
    sign = -sign;
  }
}

void PanelTree::make_leaf(std::size_t at, const std::vector<std::uint32_t>& near, const Series& series) {
  Cell& cell = cells_[at];
  const double radius = std::sqrt(2.0) * cell.half;
  cell.near = static_cast<std::uint32_t>(near_.size());
  const auto cuts = [&](std::uint32_t p) { return distance_to(panels_[p], cell.centre) <= radius * (1 + 1e-9); };
  std::copy_if(near.begin(), near.end(), std::back_inserter(near_), cuts);
  cell.cut_end = static_cast<std::uint32_t>(near_.size());
  std::copy_if(near.begin(), near.end(), std::back_inserter(near_), [&](std::uint32_t p) { return !cuts(p); });
  cell.near_end = static_cast<std::uint32_t>(near_.size());
  most_near_ = std::max(most_near_, near.size());
  // Somewhere in the cell, but not on a panel.
  static constexpr double kTries[][2] = {{0, 0}, {0.31, 0.14}, {-0.17, 0.42}, {0.23, -0.37}, {-0.41, -0.19}};
  double farthest = -1;
  for (const auto& shift : kTries) {
    const Vec2 x = cell.centre + Vec2{shift[0], shift[1]} * cell.half;
    double nearest = std::numeric_limits<double>::infinity();
    for (std::uint32_t k = cell.near; k < cell.cut_end; ++k)
      nearest = std::min(nearest, distance_to(panels_[near_[k]], x));
    if (!(nearest > farthest)) continue;
    farthest = nearest;
    cell.reference = x;
  }
  cell.wet = fluid_at(cell.reference);
  cell.series = static_cast<std::uint32_t>(series_.size());
  series_.push_back(series);
}

// `parent`: the polynomial of what is far from the cell above, about the centre of this one.
void PanelTree::divide(std::size_t at, const std::vector<std::uint32_t>& candidates, const Series& parent, int depth) {
  const Vec2 centre = cells_[at].centre;
  const double half = cells_[at].half, radius = std::sqrt(2.0) * half;
  Series series = parent;
  std::vector<std::uint32_t> near;
  bool cut = false;
  for (const std::uint32_t p : candidates) {
    const double apart = distance_to(panels_[p], centre);
    if (apart >= kFar * radius) {
      add_far(p, centre, series);
    } else {
      near.push_back(p);
      cut = cut || apart <= radius * (1 + 1e-9);
    }
  }
  if (!cut && !fluid_at(centre)) return make_leaf(at, {}, Series{});  // nobody asks there
  if (near.size() <= kFewNear || depth >= kDeepest) return make_leaf(at, near, series);
  const std::size_t first = cells_.size();
  cells_[at].children = static_cast<std::uint32_t>(first);
  cells_.resize(first + 4);
  for (std::size_t k = 0; k < 4; ++k) {
    const Vec2 shift{(k & 1) != 0 ? 0.5 * half : -0.5 * half, (k & 2) != 0 ? 0.5 * half : -0.5 * half};
    cells_[first + k].centre = centre + shift;
    cells_[first + k].half = 0.5 * half;
    // The same polynomial about the child's centre, by repeated division.
    Series moved = series;
    const Number by{shift[0], shift[1]};
    for (std::size_t i = 0; i < kOrder; ++i) {
      for (std::size_t j = kOrder; j-- > i;) moved[j] = moved[j] + moved[j + 1] * by;
    }
    divide(first + k, near, moved, depth + 1);
  }
}

void PanelTree::build(const std::vector<Panel>& panels, const std::vector<double>& strength, bool inside) {
  panels_ = panels;
  strength_ = strength;
  inside_ = inside;
  cells_.clear();
  series_.clear();
  near_.clear();
  most_near_ = 0;
  Vec2 low = panels.front().a, high = low;
  for (const Panel& p : panels) {
    for (int k = 0; k < 2; ++k) {
      low[k] = std::min(low[k], p.a[k]);
      high[k] = std::max(high[k], p.a[k]);
    }
  }
  middle_ = (low + high) * 0.5;
  double reach = 0;
  for (const Panel& p : panels) reach = std::max(reach, math::norm(p.a - middle_));
  radius_ = inside ? 0.505 * std::max(high[0] - low[0], high[1] - low[1]) : kFar * reach;
  // Far away: e* / (2 pi) sum of ((b - m)^k - (a - m)^k) / (k (z - m)^k).
  outer_ = {};
  for (std::size_t j = 0; j < panels.size(); ++j) {
    const Panel& p = panels[j];
    const double size = kPerTurn * strength[j];
    const Number along{p.t[0] * size, -p.t[1] * size};
    const Number to_a{p.a[0] - middle_[0], p.a[1] - middle_[1]}, to_b{p.b[0] - middle_[0], p.b[1] - middle_[1]};
    Number a = along, b = along;
    for (int k = 1; k <= kOrder; ++k) {
      a = a * to_a;
      b = b * to_b;
      outer_[static_cast<std::size_t>(k)] = outer_[static_cast<std::size_t>(k)] + (b - a) * (1.0 / k);
    }
  }
  cells_.resize(1);
  cells_[0].centre = middle_;
  cells_[0].half = radius_;
  std::vector<std::uint32_t> all(panels.size());
  for (std::size_t j = 0; j < all.size(); ++j) all[j] = static_cast<std::uint32_t>(j);
  divide(0, all, Series{}, 0);
}

const PanelTree::Cell* PanelTree::leaf_at(const Vec2& x) const {
  const Vec2 d = x - middle_;
  if (!(std::fabs(d[0]) <= radius_ && std::fabs(d[1]) <= radius_)) return nullptr;
  const Cell* cell = &cells_[0];
  while (cell->children != 0) {
    const std::uint32_t k = (x[0] > cell->centre[0] ? 1U : 0U) + (x[1] > cell->centre[1] ? 2U : 0U);
    cell = &cells_[cell->children + k];
  }
  return cell;
}

bool PanelTree::is_wet(const Cell& cell, const Vec2& x) const {
  bool wet = cell.wet;
  for (std::uint32_t k = cell.near; k < cell.cut_end; ++k) wet = wet != crosses(panels_[near_[k]], cell.reference, x);
  return wet;
}

Vec2 PanelTree::evaluate(const Cell& cell, const Vec2& x, std::size_t without) const {
  const Series& s = series_[cell.series];
  const Number z{x[0] - cell.centre[0], x[1] - cell.centre[1]};
  Number sum = s[kOrder];
  for (std::size_t k = kOrder; k-- > 0;) sum = sum * z + s[k];
  Vec2 u{sum.re, -sum.im};
  for (std::uint32_t k = cell.near; k < cell.near_end; ++k) {
    const std::uint32_t p = near_[k];
    if (p != without) u += panel_velocity(panels_[p], x) * strength_[p];
  }
  return u;
}

Vec2 PanelTree::velocity(const Vec2& x, bool& wet) const {
  const Cell* cell = leaf_at(x);
  if (cell != nullptr) {
    wet = is_wet(*cell, x);
    return wet ? evaluate(*cell, x, panels_.size()) : Vec2{};
  }
  wet = !inside_;
  if (!wet) return Vec2{};
  const Number away = inverse({x[0] - middle_[0], x[1] - middle_[1]});
  Number sum{};
  for (std::size_t k = kOrder; k > 0; --k) sum = (sum + outer_[k]) * away;
  return {sum.re, -sum.im};
}

Vec2 PanelTree::velocity_beside(std::size_t panel, const Vec2& x) const {
  const Cell* cell = leaf_at(x);
  return cell == nullptr ? Vec2{} : evaluate(*cell, x, panel);
}

}  // namespace moraine::flow
