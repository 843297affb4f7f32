// SPDX-License-Identifier: MIT
// A sheet of small panels for one time series: columns of the same unit and size share a panel, against the first
// column, the time. Knows no probes: names and units are all it has.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "io/series.hpp"
#include "plot/canvas.hpp"

namespace moraine::plot {

// Which columns go into one panel; none holds more than eight.
struct PanelColumns {
  std::string unit;
  std::vector<std::size_t> columns;
};
// All columns but the first, without those that stand still (`still`): zero throughout or, of several rows, constant.
std::vector<PanelColumns> group_columns(const io::Series& series, std::vector<std::size_t>& still);
// Whether all of these are as good as equal: their differences are lost in rounding.
bool as_good_as_constant(const std::vector<double>& values);

// A line of at most about four points for each of `bins` stretches of time: first, lowest, highest and last, so that no
// peak is lost.
std::vector<Point> thinned(const std::vector<double>& x, const std::vector<double>& y, std::size_t bins);

Picture series_figure(const io::Series& series, const std::string& name, const std::string& title);

// The phase diagram of a series that has some quantity and its rate (columns "angle" and "angle_rate"); none otherwise.
std::optional<Picture> phase_figure(const io::Series& series, const std::string& name, const std::string& title);

}  // namespace moraine::plot
