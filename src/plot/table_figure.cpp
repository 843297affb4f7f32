// SPDX-License-Identifier: MIT
#include "plot/table_figure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <memory>
#include <optional>

#include "plot/page.hpp"
#include "plot/series_figure.hpp"

namespace moraine::plot {

namespace {

constexpr std::size_t kFewRows = 40;  // the rows are marked
constexpr std::size_t kPanelsInRow = 3;
constexpr double kColumnGap = 12, kRowGap = 14, kPanelHeight = 165;
constexpr std::array<double, 2> kContactDash = {4, 2};
constexpr std::size_t kFewTables = 4;  // so many can have bands over each other
const std::string kError = "_error", kContact = "contact_", kConcentration = "concentration";

std::optional<std::size_t> find_column(const io::Series& table, const std::string& name) {
  for (std::size_t c = 1; c < table.columns.size(); ++c) {
    if (table.columns[c].name == name) return c;
  }
  return std::nullopt;
}

bool ends_with_error(const io::Series& table, const std::string& name) {
  return name.ends_with(kError) && find_column(table, name.substr(0, name.size() - kError.size()));
}

struct Line {
  std::vector<double> at, values, errors;
  Pen pen;
};

struct Panel {
  AxisPair axes;
  std::vector<Line> lines;
  Rect area;  // set when the page is laid out
};

struct Sheet {
  Heading heading;
  std::vector<Key> key;  // at most one
  std::vector<Panel> panels;
  Paragraph note;
  bool upwards = false;
  double key_top = 0, note_top = 0, height = 0;
};

// Few are told apart by their colours; of many the colours tell the order, up to the last, which stands out.
Pen pen_of(std::size_t number, std::size_t count) {
  if (count <= kFewTables) return {line_colour(number), 1.1};
  if (number + 1 == count) return {kPush, 1.3};
  return {viridis(0.9 * static_cast<double>(number) / static_cast<double>(count - 1)), 0.8};
}

// Where nothing is, only that is told: other numbers have no meaning there.
Line line_of(const io::Series& table, const std::string& name, const Pen& pen) {
  const std::size_t column = find_column(table, name).value();
  const auto error = find_column(table, name + kError), concentration = find_column(table, kConcentration);
  Line line{{}, {}, {}, pen};
  for (std::size_t k = 0; k < table.values[0].size(); ++k) {
    if (concentration && name != kConcentration && table.values[*concentration][k] == 0) continue;
    line.at.push_back(table.values[0][k]);
    line.values.push_back(table.values[column][k]);
    if (error) line.errors.push_back(table.values[*error][k]);
  }
  return line;
}

// The value that all lines have everywhere, if there is one; of several places.
std::optional<double> constant_of(const std::vector<Line>& lines) {
  std::vector<double> all;
  for (const Line& line : lines) all.insert(all.end(), line.values.begin(), line.values.end());
  if (all.empty() || !as_good_as_constant(all)) return all.empty() ? std::optional(0.0) : std::nullopt;
  const bool places = std::any_of(lines.begin(), lines.end(), [](const Line& line) { return line.values.size() > 1; });
  return places || all[0] == 0 ? std::optional(all[0]) : std::nullopt;
}

// The range of a number of all lines.
Axis range_of(const std::vector<Line>& lines) {
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (const Line& line : lines) {
    for (std::size_t k = 0; k < line.values.size(); ++k) {
      const double error = line.errors.empty() ? 0 : line.errors[k];
      low = std::min(low, line.values[k] - error);
      high = std::max(high, line.values[k] + error);
    }
  }
  return padded_range(low, high);
}

Axis range_of_places(const std::vector<NamedTable>& tables) {
  double low = tables[0].second->values[0][0], high = low;
  for (const auto& [name, table] : tables) {
    const auto [least, largest] = std::minmax_element(table->values[0].begin(), table->values[0].end());
    low = std::min(low, *least);
    high = std::max(high, *largest);
  }
  // Half a row more at either end, where a bin has its edges.
  const double rows = static_cast<double>(tables[0].second->rows()),
               room = rows > 1 ? 0.5 * (high - low) / (rows - 1) : 0;
  if (!(room > 0)) return padded_range(low, high);
  Axis range;
  range.lo = std::clamp(low - room, -1e300, 1e300);
  range.hi = std::clamp(high + room, -1e300, 1e300);
  return range;
}

// Columns that are not drawn.
struct LeftOut {
  std::vector<std::string> zeros, constants;
};

std::vector<Panel> make_panels(const std::vector<NamedTable>& tables, bool upwards, LeftOut& left_out) {
  const io::Series& first = *tables[0].second;
  std::vector<Panel> panels;
  for (std::size_t c = 1; c < first.columns.size(); ++c) {
    const auto& [name, unit] = first.columns[c];
    if (ends_with_error(first, name)) continue;
    if (name.starts_with(kContact) && find_column(first, name.substr(kContact.size()))) continue;
    Panel panel;
    for (std::size_t k = 0; k < tables.size(); ++k) {
      const io::Series& table = *tables[k].second;
      const Pen pen = pen_of(k, tables.size());
      const bool whole = tables.size() <= kFewTables || k + 1 == tables.size();
      panel.lines.push_back(line_of(table, name, pen));
      if (!whole) panel.lines.back().errors.clear();
      if (!whole || !find_column(table, kContact + name)) continue;
      panel.lines.push_back(line_of(table, kContact + name, {pen.colour, 0.8, kContactDash}));
      panel.lines.back().errors.clear();  // two bands on each other cannot be told apart
    }
    if (const auto value = constant_of(panel.lines)) {
      if (*value == 0) {
        left_out.zeros.push_back(pretty_name(name));
      } else {
        left_out.constants.push_back(pretty_name(name) + " = " + quantity_text(*value, unit, 4));
      }
      continue;
    }
    Axis value = with_ticks(range_of(panel.lines), 5, pretty_name(name), unit);
    if (value.at.size() < 3) value = with_ticks(range_of(panel.lines), 8, pretty_name(name), unit);
    const Axis place =
        with_ticks(range_of_places(tables), upwards ? 8 : 5, pretty_name(first.columns[0].name), first.columns[0].unit);
    panel.axes.x = upwards ? value : place;
    panel.axes.y = upwards ? place : value;
    panels.push_back(std::move(panel));
  }
  return panels;
}

void lay_out(Sheet& sheet) {
  double left = 0;
  for (const Panel& p : sheet.panels) left = std::max(left, p.axes.left_room());
  const double column = (kTextWidth - (kPanelsInRow - 1) * kColumnGap) / kPanelsInRow;
  double y = sheet.heading.height() + 8;
  sheet.key_top = y;
  if (!sheet.key.empty()) y += sheet.key[0].height() + 6;
  for (std::size_t i = 0; i < sheet.panels.size(); ++i) {
    const auto place = static_cast<double>(i % kPanelsInRow);
    sheet.panels[i].area = {kMargin + place * (column + kColumnGap) + left, y, column - left - 6, kPanelHeight};
    if (i % kPanelsInRow == kPanelsInRow - 1 || i + 1 == sheet.panels.size())
      y += kPanelHeight + sheet.panels[i].axes.bottom_room() + kRowGap;
  }
  sheet.note_top = y;
  sheet.height = y + sheet.note.height() + kMargin - 4;
}

void draw_line(Canvas& canvas, const Panel& panel, const Line& line, bool upwards) {
  const auto place = [&](double at, double value) {
    return upwards ? panel.axes.place(panel.area, value, at) : panel.axes.place(panel.area, at, value);
  };
  std::vector<Point> points, band;
  for (std::size_t k = 0; k < line.at.size(); ++k) points.push_back(place(line.at[k], line.values[k]));
  if (!line.errors.empty()) {
    const std::size_t n = line.at.size();
    for (std::size_t k = 0; k < n; ++k) band.push_back(place(line.at[k], line.values[k] - line.errors[k]));
    for (std::size_t k = n; k-- > 0;) band.push_back(place(line.at[k], line.values[k] + line.errors[k]));
    canvas.area(band, with_opacity(line.pen.colour, 0.22));
  }
  if (points.empty()) return;
  canvas.path(points, line.pen);
  if (points.size() > kFewRows || line.pen.dash[0] > 0 || line.pen.width < 1) return;
  for (const Point& p : points) canvas.disk(p, points.size() == 1 ? 2.6 : 1.5, line.pen.colour, {kPaper, 0.4});
}

void draw_panel(Canvas& canvas, const Panel& panel, bool upwards) {
  panel.axes.draw_grid(canvas, panel.area);
  const Axis& value = upwards ? panel.axes.x : panel.axes.y;
  if (value.lo < 0 && value.hi > 0) {
    const Point zero = panel.axes.place(panel.area, upwards ? 0 : panel.axes.x.lo, upwards ? panel.axes.y.lo : 0);
    if (upwards) {
      canvas.line({zero.x, panel.area.y}, {zero.x, panel.area.bottom()}, {kFaintEdge, 0.6});
    } else {
      canvas.line({panel.area.x, zero.y}, {panel.area.right(), zero.y}, {kFaintEdge, 0.6});
    }
  }
  // A little more than the frame, or a line along its edge would lose half its width.
  const Rect room{panel.area.x - 3, panel.area.y - 3, panel.area.w + 6, panel.area.h + 6};
  canvas.inside(room, false, [&](Canvas& c) {
    for (const Line& line : panel.lines) draw_line(c, panel, line, upwards);
  });
  panel.axes.draw(canvas, panel.area);
}

std::string note_text(const std::vector<Panel>& panels, const LeftOut& left_out, bool few) {
  const auto any = [&](const auto& test) {
    return std::any_of(panels.begin(), panels.end(),
                       [&](const Panel& p) { return std::any_of(p.lines.begin(), p.lines.end(), test); });
  };
  std::string note;
  if (any([](const Line& line) { return !line.errors.empty(); }))
    note += few ? "Bands: standard error. " : "Band: standard error of the last. ";
  if (any([](const Line& line) { return line.pen.dash[0] > 0; })) note += "Dashed: of contacts alone. ";
  return note + left_out_text(left_out.zeros, left_out.constants);
}

// "profile_3" -> "profile", 3; a name without a number -> itself, -1.
std::pair<std::string, long> split_number(const std::string& name) {
  const std::size_t at = name.rfind('_');
  const std::string digits = at == std::string::npos ? "" : name.substr(at + 1);
  const bool number = !digits.empty() && digits.size() < 9 &&
                      std::all_of(digits.begin(), digits.end(), [](char c) { return c >= '0' && c <= '9'; });
  return number ? std::pair{name.substr(0, at), std::stol(digits)} : std::pair{name, -1L};
}

}  // namespace

bool is_table(const io::Series& series) {
  return series.columns[0].name != "time" && series.columns[0].name != "cycle";
}

std::map<std::string, std::vector<NamedTable>> group_tables(const std::map<std::string, io::Series>& series) {
  std::map<std::string, std::vector<NamedTable>> groups;
  for (const auto& [name, table] : series) {
    if (!is_table(table)) continue;
    auto& group = groups[split_number(name).first];
    const bool fits = group.empty() || group[0].second->columns == table.columns;
    (fits ? group : groups[name]).emplace_back(name, &table);
  }
  for (auto& [name, group] : groups) {
    std::sort(group.begin(), group.end(), [](const NamedTable& a, const NamedTable& b) {
      return split_number(a.first).second < split_number(b.first).second;
    });
  }
  return groups;
}

Picture table_figure(const std::vector<NamedTable>& tables, const std::string& name, const std::string& title,
                     const std::map<std::string, std::string>& labels) {
  std::vector<NamedTable> drawn;
  for (const NamedTable& table : tables) {
    if (table.second->rows() > 0) drawn.push_back(table);
  }
  std::vector<KeyEntry> entries;
  for (std::size_t k = 0; k < drawn.size(); ++k) {
    const auto label = labels.find(drawn[k].first);
    entries.push_back({KeyEntry::Kind::kLine,
                       label != labels.end() ? label->second : pretty_name(drawn[k].first),
                       pen_of(k, drawn.size()).colour,
                       16,
                       1.4,
                       {}});
  }
  const io::Column& first = tables[0].second->columns[0];
  const bool upwards = first.unit == "m" && (first.name == "x" || first.name == "y" || first.name == "z");
  LeftOut left_out;
  std::vector<Panel> panels;
  if (!drawn.empty()) panels = make_panels(drawn, upwards, left_out);
  const std::string note =
      drawn.empty() ? "There are no rows in this table yet." : note_text(panels, left_out, drawn.size() <= kFewTables);
  const std::string rows = drawn.empty() ? "no rows" : fmt::format("{} rows", drawn[0].second->rows());
  auto sheet = std::make_shared<Sheet>(Sheet{Heading(title, "", fmt::format("Table {}: {}", pretty_name(name), rows)),
                                             {},
                                             std::move(panels),
                                             paragraph(note)});
  sheet->upwards = upwards;
  if (drawn.size() > 1) sheet->key.emplace_back(entries, kTextWidth);
  lay_out(*sheet);
  Picture picture{kPageWidth, std::max(sheet->height, 110.0), {}};
  picture.draw = [sheet](Canvas& canvas) {
    sheet->heading.draw(canvas);
    for (const Key& key : sheet->key) key.draw(canvas, {kMargin, sheet->key_top});
    for (const Panel& panel : sheet->panels) draw_panel(canvas, panel, sheet->upwards);
    sheet->note.draw(canvas, {kMargin, sheet->note_top});
  };
  return picture;
}

}  // namespace moraine::plot
