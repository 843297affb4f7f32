// SPDX-License-Identifier: MIT
// Which columns of a series share a panel, and how long lines are made short.
#include <algorithm>
#include <cmath>

#include "plot/series_figure.hpp"

namespace moraine::plot {

namespace {

// Beside one this much larger, a column is a flat line. Pure numbers are less alike than those that share a unit.
constexpr double kAlike = 200, kAlikeNumbers = 20;

double size_of(const std::vector<double>& values) {
  double size = 0;
  for (const double v : values) size = std::max(size, std::fabs(v));
  return size;
}

// Splits the columns of one unit where their sizes part, and into eights.
void add_panels(std::vector<PanelColumns>& panels, const PanelColumns& group, const std::vector<double>& sizes) {
  const double alike = group.unit.empty() ? kAlikeNumbers : kAlike;
  std::vector<std::size_t> rest = group.columns;
  while (!rest.empty()) {
    double largest = 0;
    for (const std::size_t c : rest) largest = std::max(largest, sizes[c]);
    PanelColumns panel{group.unit, {}};
    std::vector<std::size_t> later;
    for (const std::size_t c : rest) {
      const bool fits = sizes[c] * alike >= largest && panel.columns.size() < kLineColours;
      (fits ? panel.columns : later).push_back(c);
    }
    panels.push_back(std::move(panel));
    rest = std::move(later);
  }
}

}  // namespace

bool as_good_as_constant(const std::vector<double>& values) {
  constexpr double kRounding = 1e-9;  // as axes have it
  if (values.empty()) return true;
  const auto [low, high] = std::minmax_element(values.begin(), values.end());
  return *high - *low <= kRounding * std::max(std::fabs(*low), std::fabs(*high));
}

std::vector<PanelColumns> group_columns(const io::Series& series, std::vector<std::size_t>& still) {
  std::vector<PanelColumns> groups, panels;
  std::vector<double> sizes(series.columns.size(), 0);
  for (std::size_t c = 1; c < series.columns.size(); ++c) {
    if (series.columns[c].name == "time") continue;  // over cycles: the same again
    sizes[c] = size_of(series.values[c]);
    if (sizes[c] == 0 || (series.rows() > 1 && as_good_as_constant(series.values[c]))) {
      still.push_back(c);
      continue;
    }
    const std::string& unit = series.columns[c].unit;
    const auto group = std::find_if(groups.begin(), groups.end(), [&](const auto& g) { return g.unit == unit; });
    if (group == groups.end()) {
      groups.push_back({unit, {c}});
    } else {
      group->columns.push_back(c);
    }
  }
  for (const PanelColumns& group : groups) add_panels(panels, group, sizes);
  return panels;
}

std::vector<Point> thinned(const std::vector<double>& x, const std::vector<double>& y, std::size_t bins) {
  std::vector<Point> out;
  const std::size_t n = std::min(x.size(), y.size());
  if (n <= 4 * bins || bins == 0) {
    for (std::size_t i = 0; i < n; ++i) out.push_back({x[i], y[i]});
    return out;
  }
  for (std::size_t b = 0; b < bins; ++b) {
    const std::size_t begin = b * n / bins, end = (b + 1) * n / bins;
    std::size_t low = begin, high = begin;
    for (std::size_t i = begin; i < end; ++i) {
      if (y[i] < y[low]) low = i;
      if (y[i] > y[high]) high = i;
    }
    std::array<std::size_t, 4> kept = {begin, std::min(low, high), std::max(low, high), end - 1};
    std::size_t last = n;
    for (const std::size_t i : kept) {
      if (i != last) out.push_back({x[i], y[i]});
      last = i;
    }
  }
  return out;
}

}  // namespace moraine::plot
