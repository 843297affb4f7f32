// SPDX-License-Identifier: MIT
// Points with error bars, joined by lines, several curves on one pair of axes. Knows nothing of what was measured.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "plot/canvas.hpp"
#include "plot/ticks.hpp"

namespace moraine::plot {

struct CurvePoint {
  double x = 0, y = 0;                            // on the axes
  std::optional<std::pair<double, double>> span;  // of the error bar, lower end first
};

struct Curve {
  std::string name;  // in the key; empty: none
  std::vector<CurvePoint> points;
};

struct CurveSheet {
  std::string title, below, note;
  Axis x, y;  // ready, with ticks and titles
  std::vector<Curve> curves;
};

Picture curve_figure(const CurveSheet& sheet);

}  // namespace moraine::plot
