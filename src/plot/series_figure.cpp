// SPDX-License-Identifier: MIT
#include "plot/series_figure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>

#include "plot/page.hpp"

namespace moraine::plot {

namespace {

constexpr std::size_t kFewRows = 25;  // the samples are marked
constexpr double kColumnGap = 22, kRowGap = 16;
constexpr std::array<std::array<double, 2>, 2> kDashes = {{{0, 0}, {5, 2}}};

struct Panel {
  AxisPair axes;
  std::vector<std::vector<Point>> lines;
  std::vector<KeyEntry> entries;  // none for a single line, which the axis names
  std::vector<Pen> pens;
  double height = 0;  // 0: by its place on the page
  // Set when the page is laid out.
  std::vector<Key> key;  // at most one
  Point key_place;
  Rect area;
};

struct Sheet {
  Heading heading;
  std::vector<Panel> panels;
  Paragraph note;
  double note_top = 0, height = 0;
};

// What a panel of several columns shows, by its unit; empty: not known.
std::string quantity_of(const std::string& unit) {
  static constexpr std::array<std::pair<const char*, const char*>, 22> kNames = {{{"J", "energy"},
                                                                                  {"N", "force"},
                                                                                  {"N m", "torque"},
                                                                                  {"m", "length"},
                                                                                  {"m^2", "area"},
                                                                                  {"m^3", "volume"},
                                                                                  {"m/s", "velocity"},
                                                                                  {"m/s^2", "acceleration"},
                                                                                  {"rad/s", "angular velocity"},
                                                                                  {"rad", "angle"},
                                                                                  {"deg", "angle"},
                                                                                  {"Pa", "stress"},
                                                                                  {"N/m", "force per length"},
                                                                                  {"kg", "mass"},
                                                                                  {"s", "time"},
                                                                                  {"W", "power"},
                                                                                  {"1/s", "rate"},
                                                                                  {"kg/s", "mass per time"},
                                                                                  {"N s", "impulse"},
                                                                                  {"kg m/s", "momentum"},
                                                                                  {"kg m^2/s", "angular momentum"},
                                                                                  {"J s", "angular momentum"}}};
  for (const auto& [known, name] : kNames) {
    if (unit == known) return name;
  }
  return "";
}

// The words that all names begin with: "share" of "share_left" and "share_right".
std::string common_words(const std::vector<std::string>& names) {
  std::string common = names[0] + "_";
  for (const std::string& name : names) {
    std::size_t same = 0;
    while (same < std::min(common.size(), name.size() + 1) && common[same] == (name + "_")[same]) ++same;
    const std::size_t end = same == 0 ? std::string::npos : common.rfind('_', same - 1);
    common.resize(end == std::string::npos ? 0 : end + 1);
  }
  while (common.ends_with('_')) common.pop_back();
  return pretty_name(common);
}

// The title of a panel's vertical axis, without the unit.
std::string panel_name(const io::Series& series, const PanelColumns& group) {
  std::vector<std::string> names, bare;  // bare: without the number of the body, "qw" of "3.qw"
  for (const std::size_t c : group.columns) {
    names.push_back(series.columns[c].name);
    bare.push_back(names.back().substr(names.back().rfind('.') + 1));
  }
  if (names.size() == 1) return pretty_name(names[0]);
  const auto part_of_quaternion = [](const std::string& name) {
    return name == "qw" || name == "qx" || name == "qy" || name == "qz";
  };
  if (std::all_of(bare.begin(), bare.end(), part_of_quaternion)) return "quaternion";
  if (std::string quantity = quantity_of(group.unit); !quantity.empty()) return quantity;
  if (std::string words = common_words(bare); !words.empty()) return words;
  if (group.unit.empty()) return "number";
  std::string all;
  for (const std::string& name : names) all += (all.empty() ? "" : ", ") + pretty_name(name);
  return all;
}

Axis time_axis(const io::Series& series, int most) {
  const std::vector<double>& t = series.values[0];
  const auto [least, largest] = std::minmax_element(t.begin(), t.end());
  Axis range;
  if (*largest > *least) {
    range.lo = std::clamp(*least, -1e300, 1e300);
    range.hi = std::clamp(*largest, -1e300, 1e300);
  } else {
    range = padded_range(*least, *least);
  }
  return with_ticks(range, most, pretty_name(series.columns[0].name), series.columns[0].unit);
}

Panel make_panel(const io::Series& series, const PanelColumns& group, bool wide) {
  Panel panel;
  double low = series.values[group.columns[0]][0], high = low;
  for (std::size_t i = 0; i < group.columns.size(); ++i) {
    const std::size_t c = group.columns[i];
    for (const double v : series.values[c]) {
      low = std::min(low, v);
      high = std::max(high, v);
    }
    panel.lines.push_back(thinned(series.values[0], series.values[c], 700));
    panel.pens.push_back({line_colour(i), 1.0, kDashes[i < 4 ? 0 : 1]});
    panel.entries.push_back(
        {KeyEntry::Kind::kLine, pretty_name(series.columns[c].name), line_colour(i), 16, 1.2, panel.pens.back().dash});
  }
  if (group.columns.size() == 1) panel.entries.clear();
  panel.axes.x = time_axis(series, wide ? 12 : 7);
  panel.axes.y = with_ticks(padded_range(low, high), 8, panel_name(series, group), group.unit);
  return panel;
}

// Panels in two columns; one that is alone in its row has all of it.
void lay_out(Sheet& sheet) {
  double left = 0;
  for (const Panel& p : sheet.panels) left = std::max(left, p.axes.left_room());
  const std::size_t n = sheet.panels.size();
  const double half = (kTextWidth - kColumnGap) / 2;
  double y = sheet.heading.height() + 8;
  for (std::size_t i = 0; i < n;) {
    const std::size_t in_row = n - i == 1 ? 1 : 2;
    const double width = in_row == 1 ? kTextWidth : half;
    double key_height = 0;
    for (std::size_t k = i; k < i + in_row; ++k) {
      Panel& p = sheet.panels[k];
      p.key.emplace_back(p.entries, width - left);
      key_height = std::max(key_height, p.key[0].height());
    }
    const double own = sheet.panels[i].height,
                 height = own > 0       ? own
                          : in_row == 1 ? 210
                                        : 165,
                 room = key_height > 0 ? key_height + 4 : 0;
    for (std::size_t k = i; k < i + in_row; ++k) {
      Panel& p = sheet.panels[k];
      const double x = kMargin + static_cast<double>(k - i) * (half + kColumnGap) + left;
      p.area = {x, y + room, width - left - 6, height};
      p.key_place = {x, y + room - 4 - p.key[0].height()};
    }
    y += room + height + sheet.panels[i].axes.bottom_room() + kRowGap;
    i += in_row;
  }
  sheet.note_top = y - (n > 0 ? kRowGap - 12 : 0);
  sheet.height = sheet.note_top + sheet.note.height() + kMargin - 4;
}

void draw_panel(Canvas& canvas, const Panel& panel) {
  panel.axes.draw_grid(canvas, panel.area);
  if (panel.axes.y.lo < 0 && panel.axes.y.hi > 0) {
    const double zero = panel.axes.place(panel.area, panel.axes.x.lo, 0).y;
    canvas.line({panel.area.x, zero}, {panel.area.right(), zero}, {kFaintEdge, 0.6});
  }
  // A little more than the frame, or a line along its edge would lose half its width.
  const Rect room{panel.area.x - 3, panel.area.y - 3, panel.area.w + 6, panel.area.h + 6};
  canvas.inside(room, false, [&](Canvas& c) {
    for (std::size_t i = 0; i < panel.lines.size(); ++i) {
      std::vector<Point> line;
      for (const Point& p : panel.lines[i]) line.push_back(panel.axes.place(panel.area, p.x, p.y));
      c.path(line, panel.pens[i]);
      if (line.size() > kFewRows) continue;
      for (const Point& p : line) c.disk(p, line.size() == 1 ? 2.6 : 1.6, panel.pens[i].colour, {kPaper, 0.4});
    }
  });
  panel.axes.draw(canvas, panel.area);
  panel.key[0].draw(canvas, panel.key_place);
}

// A quantity against its rate: the way through phase space.
Panel phase_panel(const io::Series& series, std::size_t of, std::size_t rate) {
  Panel panel;
  const auto range = [&](std::size_t c, int most) {
    const auto [low, high] = std::minmax_element(series.values[c].begin(), series.values[c].end());
    return with_ticks(padded_range(*low, *high), most, pretty_name(series.columns[c].name), series.columns[c].unit);
  };
  panel.axes.x = range(of, 12);
  panel.axes.y = range(rate, 10);
  const std::size_t rows = series.values[of].size(), every = 1 + rows / 20000;
  std::vector<Point> line;
  for (std::size_t r = 0; r < rows; r += every) line.push_back({series.values[of][r], series.values[rate][r]});
  panel.lines.push_back(std::move(line));
  panel.pens.push_back({line_colour(0), 0.8});
  panel.height = 360;
  return panel;
}

// What is not drawn because nothing would be seen of it.
std::string still_note(const io::Series& series, const std::vector<std::size_t>& still) {
  std::vector<std::string> zeros, constants;
  for (const std::size_t c : still) {
    const std::string name = pretty_name(series.columns[c].name);
    const double value = series.values[c].front();
    if (value == 0) {
      zeros.push_back(name);
    } else {
      constants.push_back(name + " = " + quantity_text(value, series.columns[c].unit, 4));
    }
  }
  return left_out_text(zeros, constants);
}

Picture picture_of(const std::shared_ptr<Sheet>& sheet) {
  lay_out(*sheet);
  Picture picture{kPageWidth, std::max(sheet->height, 110.0), {}};
  picture.draw = [sheet](Canvas& canvas) {
    sheet->heading.draw(canvas);
    for (const Panel& panel : sheet->panels) draw_panel(canvas, panel);
    sheet->note.draw(canvas, {kMargin, sheet->note_top});
  };
  return picture;
}

}  // namespace

Picture series_figure(const io::Series& series, const std::string& name, const std::string& title) {
  const bool has_rows = series.rows() > 0;
  std::vector<std::size_t> still;
  std::vector<PanelColumns> groups;
  std::string note = "There are no rows in this series yet.", span, rows = "no rows";
  if (has_rows) {
    groups = group_columns(series, still);
    note = still_note(series, still);
    const std::vector<double>& t = series.values[0];
    const auto [least, largest] = std::minmax_element(t.begin(), t.end());
    const std::string &x = series.columns[0].name, &unit = series.columns[0].unit;
    const std::string symbol = x == "time" ? "t" : pretty_name(x);
    span = symbol + " = " + (*least == *largest ? quantity_text(*least, unit) : span_text(*least, *largest, unit));
    rows = series.rows() == 1 ? "1 row" : fmt::format("{} rows", series.rows());
  }
  if (has_rows && groups.empty()) note += (note.empty() ? "" : " ") + std::string("Nothing else was measured.");
  auto sheet =
      std::make_shared<Sheet>(Sheet{Heading(title, span, fmt::format("Series {}: {}", pretty_name(name), rows)),
                                    {},
                                    paragraph(note, has_rows && !groups.empty() ? kSmallSize : 9)});
  for (std::size_t i = 0; i < groups.size(); ++i) {
    const bool wide = i + 1 == groups.size() && groups.size() % 2 == 1;
    sheet->panels.push_back(make_panel(series, groups[i], wide));
  }
  return picture_of(sheet);
}

std::optional<Picture> phase_figure(const io::Series& series, const std::string& name, const std::string& title) {
  if (series.rows() < 2) return std::nullopt;
  for (std::size_t c = 1; c < series.columns.size(); ++c) {
    // A place or an angle; what only ever grows, such as what has passed a line, goes no way through a phase space.
    if (series.columns[c].unit != "m" && series.columns[c].unit != "rad") continue;
    for (std::size_t r = 1; r < series.columns.size(); ++r) {
      if (series.columns[r].name != series.columns[c].name + "_rate") continue;
      const std::vector<double>& t = series.values[0];
      auto sheet = std::make_shared<Sheet>(
          Sheet{Heading(title, "t = " + span_text(t.front(), t.back(), series.columns[0].unit),
                        fmt::format("Phase diagram of {}: {} over {}", pretty_name(name),
                                    pretty_name(series.columns[r].name), pretty_name(series.columns[c].name))),
                {phase_panel(series, c, r)},
                paragraph("", kSmallSize)});
      return picture_of(sheet);
    }
  }
  return std::nullopt;
}

}  // namespace moraine::plot
