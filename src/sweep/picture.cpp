// SPDX-License-Identifier: MIT
#include "sweep/picture.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "plot/curve_figure.hpp"
#include "plot/map_figure.hpp"

namespace moraine::sweep {

namespace {

std::string titled(const std::string& label, const std::string& unit) {
  return label + (unit.empty() ? "" : " [" + plot::pretty_unit(unit) + "]");
}

std::string label_of(const Axis& axis, std::size_t point) {
  const Point& p = axis.points[point];
  return axis.numeric() ? plot::number_text(*p.number, 4) : p.text;
}

// The axes that are neither x nor y, and all combinations of their values.
class Others {
 public:
  Others(const Plan& plan, const std::vector<std::size_t>& shown) : plan_(plan) {
    for (std::size_t a = 0; a < plan.axes.size(); ++a) {
      if (std::find(shown.begin(), shown.end(), a) == shown.end()) axes_.push_back(a);
    }
  }
  std::size_t count() const {
    std::size_t n = 1;
    for (const std::size_t a : axes_) n *= plan_.axes[a].points.size();
    return n;
  }
  std::size_t number_of(const Cell& cell) const {
    std::size_t n = 0;
    for (const std::size_t a : axes_) n = n * plan_.axes[a].points.size() + cell.at[a];
    return n;
  }
  // "diameter = 0.04 m"
  std::string text(std::size_t number) const {
    std::string out;
    for (std::size_t k = axes_.size(); k-- > 0;) {
      const Axis& axis = plan_.axes[axes_[k]];
      const std::size_t point = number % axis.points.size();
      number /= axis.points.size();
      const std::string unit = axis.numeric() && !axis.unit.empty() ? " " + plot::pretty_unit(axis.unit) : "";
      out = fmt::format("{} = {}{}{}{}", axis.label, label_of(axis, point), unit, out.empty() ? "" : ", ", out);
    }
    return out;
  }

 private:
  const Plan& plan_;
  std::vector<std::size_t> axes_;
};

std::string runs_text(const Plan& plan, const std::vector<CellSummary>& cells) {
  const std::size_t result = plan.map.result;
  std::int64_t least = cells[0].results[result].count, most = least, failed = 0;
  for (const CellSummary& cell : cells) {
    least = std::min(least, cell.results[result].count);
    most = std::max(most, cell.results[result].count);
    failed += cell.failed;
  }
  std::string out = fmt::format("{}: {} cells, ", plan.results[result], cells.size());
  out += least == most ? fmt::format("{} run{} each", most, most == 1 ? "" : "s")
                       : fmt::format("{} to {} runs each", least, most);
  return out + (failed > 0 ? fmt::format(", {} failed", failed) : "");
}

bool is_probability(const std::vector<CellSummary>& cells, std::size_t result) {
  return std::any_of(cells.begin(), cells.end(),
                     [&](const CellSummary& c) { return c.results[result].probability.has_value(); });
}

plot::MapCell map_cell(const Statistics& s) {
  if (s.count == 0) return {{}, "–", ""};
  if (s.probability) {
    return {s.mean, fmt::format("{}/{}", s.hits(), s.count),
            fmt::format("{:.2f}–{:.2f}", s.probability->low, s.probability->high)};
  }
  return {s.mean, plot::number_text(s.mean, 3), s.standard_error ? "± " + plot::number_text(*s.standard_error, 2) : ""};
}

plot::Picture map_picture(const Plan& plan, const std::vector<CellSummary>& cells, std::size_t x, std::size_t y) {
  const std::size_t result = plan.map.result;
  const bool probability = is_probability(cells, result);
  const std::vector<Cell> at = plan.cells();
  const Others others(plan, {x, y});
  const Axis &ax = plan.axes[x], &ay = plan.axes[y];
  plot::MapSheet sheet;
  sheet.title = plan.map.title;
  sheet.below = runs_text(plan, cells);
  sheet.x.title = titled(ax.label, ax.numeric() ? ax.unit : "");
  sheet.y.title = titled(ay.label, ay.numeric() ? ay.unit : "");
  for (std::size_t i = 0; i < ax.points.size(); ++i) sheet.x.labels.push_back(label_of(ax, i));
  for (std::size_t i = 0; i < ay.points.size(); ++i) sheet.y.labels.push_back(label_of(ay, i));
  sheet.value_title = probability ? "probability of " + plan.map.label : plan.map.label;
  for (std::size_t p = 0; p < others.count(); ++p) {
    sheet.panels.push_back({others.text(p), {}});
    sheet.panels.back().cells.resize(ax.points.size() * ay.points.size());
  }
  double lo = std::numeric_limits<double>::infinity(), hi = -lo;
  for (std::size_t c = 0; c < cells.size(); ++c) {
    const Statistics& s = cells[c].results[result];
    plot::MapCell& cell = sheet.panels[others.number_of(at[c])].cells[at[c].at[y] * ax.points.size() + at[c].at[x]];
    cell = map_cell(s);
    if (s.count == 0 && cells[c].failed > 0) cell.label = "failed";
    if (s.count > 0) {
      lo = std::min(lo, s.mean);
      hi = std::max(hi, s.mean);
    }
  }
  sheet.lo = probability ? 0 : lo;
  sheet.hi = probability ? 1 : hi;
  sheet.note = probability
                   ? "In each cell: in how many of how many runs, and the 95 % interval of the probability (Wilson)."
                   : "In each cell: the mean over its runs, and its standard error.";
  return plot::map_figure(sheet);
}

// Places of the values: as numbers, by their logarithm, or side by side.
double place_of(const Axis& axis, std::size_t point) {
  if (!axis.numeric()) return static_cast<double>(point);
  const double value = *axis.points[point].number;
  return axis.log && value > 0 ? std::log10(value) : value;
}

plot::Axis curve_axis(const Axis& axis) {
  double lo = place_of(axis, 0), hi = lo;
  for (std::size_t i = 1; i < axis.points.size(); ++i) {
    lo = std::min(lo, place_of(axis, i));
    hi = std::max(hi, place_of(axis, i));
  }
  if (axis.numeric() && !axis.log) return plot::with_ticks(plot::padded_range(lo, hi), 10, axis.label, axis.unit);
  const double room = hi > lo ? 0.06 * (hi - lo) : 0.5;
  plot::Axis out;
  out.lo = lo - room;
  out.hi = hi + room;
  out.title = titled(axis.label, axis.numeric() ? axis.unit : "");
  const std::size_t every = 1 + (axis.points.size() - 1) / 10;
  for (std::size_t i = 0; i < axis.points.size(); i += every) {
    out.at.push_back(place_of(axis, i));
    out.labels.push_back(label_of(axis, i));
  }
  return out;
}

plot::Picture curve_picture(const Plan& plan, const std::vector<CellSummary>& cells, std::size_t x) {
  const std::size_t result = plan.map.result;
  const bool probability = is_probability(cells, result);
  const std::vector<Cell> at = plan.cells();
  const Others others(plan, {x});
  const Axis& ax = plan.axes[x];
  plot::CurveSheet sheet;
  sheet.title = plan.map.title;
  sheet.below = runs_text(plan, cells);
  sheet.x = curve_axis(ax);
  for (std::size_t k = 0; k < others.count(); ++k) sheet.curves.push_back({others.text(k), {}});
  double lo = std::numeric_limits<double>::infinity(), hi = -lo;
  bool bars = false;
  for (std::size_t c = 0; c < cells.size(); ++c) {
    const Statistics& s = cells[c].results[result];
    if (s.count == 0) continue;
    plot::CurvePoint point{place_of(ax, at[c].at[x]), s.mean, {}};
    if (s.probability) {
      point.span = {s.probability->low, s.probability->high};
    } else if (s.standard_error) {
      point.span = {s.mean - *s.standard_error, s.mean + *s.standard_error};
    }
    bars = bars || point.span.has_value();
    lo = std::min(lo, point.span ? point.span->first : s.mean);
    hi = std::max(hi, point.span ? point.span->second : s.mean);
    sheet.curves[others.number_of(at[c])].points.push_back(point);
  }
  for (plot::Curve& curve : sheet.curves) {
    std::stable_sort(curve.points.begin(), curve.points.end(), [](const auto& a, const auto& b) { return a.x < b.x; });
  }
  plot::Axis range = plot::padded_range(lo, hi);
  if (probability) {
    range.lo = 0;
    range.hi = 1;
  }
  sheet.y = plot::with_ticks(range, 10, (probability ? "probability of " : "") + plan.map.label, "");
  sheet.note = probability ? "Bars: 95 % interval of the probability (Wilson)."
               : bars      ? "Bars: standard error of the mean."
                           : "One run a point: no errors.";
  return plot::curve_figure(sheet);
}

}  // namespace

std::optional<plot::Picture> picture(const Plan& plan, const std::vector<CellSummary>& cells) {
  const bool any = std::any_of(cells.begin(), cells.end(),
                               [&](const CellSummary& c) { return c.results[plan.map.result].count > 0; });
  if (!any || !plan.map.x) return {};
  return plan.map.y ? map_picture(plan, cells, *plan.map.x, *plan.map.y) : curve_picture(plan, cells, *plan.map.x);
}

}  // namespace moraine::sweep
