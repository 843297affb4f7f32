// SPDX-License-Identifier: MIT
#include "plot/map_figure.hpp"

#include <algorithm>
#include <cmath>
#include <memory>

#include "plot/page.hpp"

namespace moraine::plot {

namespace {

constexpr double kCellHeight = 34, kMostHeight = 620, kLeastHeight = 12;
constexpr double kLabel = 8, kSmallestLabel = 4.5;
constexpr double kBarWidth = 12, kBarGap = 16, kPanelGap = 26, kRowGap = 18, kTitleRoom = 16;
constexpr double kNarrowCell = 40;  // so wide a cell must be for two panels to stand side by side
constexpr Colour kNothing{0.90, 0.90, 0.91};

// A tick in the middle of each cell; labels that would touch are left out, evenly.
Axis cell_axis(const MapAxis& map, double room_per_cell, bool upwards) {
  Axis axis;
  axis.lo = 0;
  axis.hi = static_cast<double>(std::max<std::size_t>(map.labels.size(), 1));
  axis.title = map.title;
  double needed = upwards ? kTickSize + 2 : 0;
  for (const std::string& label : map.labels)
    if (!upwards) needed = std::max(needed, text_width(label, kTickSize) + 4);
  const auto every = std::max<std::size_t>(1, static_cast<std::size_t>(std::ceil(needed / room_per_cell)));
  for (std::size_t i = 0; i < map.labels.size(); i += every) {
    axis.at.push_back(static_cast<double>(i) + 0.5);
    axis.labels.push_back(map.labels[i]);
  }
  return axis;
}

// The largest size up to kLabel in which the words fit; 0 if they would be too small to read.
double size_for(const std::string& words, double width, double most) {
  if (words.empty()) return most;
  const double size = std::min(most, most * width / std::max(text_width(words, most), 1e-9));
  return size < kSmallestLabel ? 0 : size;
}

struct Placed {
  Rect area;
  std::size_t panel = 0;
};

struct Page {
  MapSheet sheet;
  Heading heading;
  Paragraph note;
  AxisPair axes;
  ColourBar bar;
  Rect bar_place;
  std::vector<Placed> panels;
  double label_size = 0, below_size = 0;  // 0: not written
  double note_top = 0, height = 0;
};

void lay_out(Page& page) {
  const MapSheet& sheet = page.sheet;
  const auto columns = static_cast<double>(std::max<std::size_t>(sheet.x.labels.size(), 1));
  const auto rows = static_cast<double>(std::max<std::size_t>(sheet.y.labels.size(), 1));
  page.axes.y = cell_axis(sheet.y, kCellHeight, true);
  const double left = page.axes.left_room(), bar_room = kBarGap + kBarWidth + page.bar.room() - 9;
  const double width = kTextWidth - bar_room;
  const double half = (width - kPanelGap) / 2 - left;
  const std::size_t in_row = sheet.panels.size() > 1 && half / columns >= kNarrowCell ? 2 : 1;
  const double area_width = in_row == 2 ? half : width - left;
  const double cell_width = area_width / columns;
  const double cell_height = std::clamp(kMostHeight / rows, kLeastHeight, kCellHeight);
  page.axes.x = cell_axis(sheet.x, cell_width, false);
  page.axes.y = cell_axis(sheet.y, cell_height, true);

  double y = page.heading.height() + 10;
  for (std::size_t p = 0; p < sheet.panels.size(); ++p) {
    const double x = kMargin + left + static_cast<double>(p % in_row) * (half + kPanelGap + left);
    const double title = sheet.panels[p].title.empty() ? 0 : kTitleRoom;
    page.panels.push_back({{x, y + title, area_width, rows * cell_height}, p});
    if (p == 0) {
      const double height = std::max(rows * cell_height, 90.0);
      page.bar_place = {kMargin + width + kBarGap, y + title, kBarWidth, std::min(height, 260.0)};
    }
    const bool ends_row = p % in_row == in_row - 1 || p + 1 == sheet.panels.size();
    if (ends_row) y += title + rows * cell_height + page.axes.bottom_room() + kRowGap;
  }
  y = std::max(y, page.bar_place.bottom() + kRowGap);

  // One size for all labels: a size of its own for each would look like a meaning.
  page.label_size = kLabel;
  page.below_size = kLabel - 1.5;
  for (const MapPanel& panel : sheet.panels) {
    for (const MapCell& cell : panel.cells) {
      page.label_size = std::min(page.label_size, size_for(cell.label, cell_width - 4, kLabel));
      page.below_size = std::min(page.below_size, size_for(cell.below, cell_width - 4, kLabel - 1.5));
    }
  }
  if (page.label_size + 2 > cell_height) page.label_size = 0;
  if (page.label_size + page.below_size + 6 > cell_height) page.below_size = 0;
  page.note_top = y;
  page.height = y + page.note.height() + kMargin - 4;
}

void draw_panel(Canvas& canvas, const Page& page, const Placed& placed) {
  const MapSheet& sheet = page.sheet;
  const MapPanel& panel = sheet.panels[placed.panel];
  const Rect& area = placed.area;
  const std::size_t columns = sheet.x.labels.size(), rows = sheet.y.labels.size();
  if (!panel.title.empty()) {
    canvas.text(fitted_text(panel.title, kLabelSize, area.w, true), {area.x, area.y - 5},
                {.size = kLabelSize, .bold = true});
  }
  const double w = area.w / static_cast<double>(columns), h = area.h / static_cast<double>(rows);
  for (std::size_t k = 0; k < panel.cells.size() && columns > 0; ++k) {
    const MapCell& cell = panel.cells[k];
    const std::size_t column = k % columns, row = k / columns;
    const Rect box{area.x + static_cast<double>(column) * w, area.bottom() - static_cast<double>(row + 1) * h, w, h};
    const Colour fill =
        cell.value ? viridis((*cell.value - sheet.lo) / std::max(sheet.hi - sheet.lo, 1e-300)) : kNothing;
    canvas.box(box, fill);
    canvas.frame(box, {kPaper, 0.8});
    const Colour ink = lightness(fill) > 0.5 ? kInk : kPaper;
    const bool two = page.below_size > 0 && !cell.below.empty();
    const Point middle{box.x + w / 2, box.y + h / 2 - (two ? page.below_size * 0.75 : 0)};
    if (page.label_size > 0) {
      canvas.text(
          cell.label, middle,
          {.size = page.label_size, .bold = true, .colour = ink, .align = Align::kCentre, .level = Level::kMiddle});
    }
    if (two && page.label_size > 0) {
      canvas.text(cell.below, {middle.x, middle.y + page.label_size * 0.75 + page.below_size * 0.75},
                  {.size = page.below_size, .colour = ink, .align = Align::kCentre, .level = Level::kMiddle});
    }
  }
  page.axes.draw(canvas, area);
}

}  // namespace

Picture map_figure(const MapSheet& sheet) {
  Axis range;
  range.lo = sheet.lo;
  range.hi = sheet.hi > sheet.lo ? sheet.hi : sheet.lo + 1;
  auto page = std::make_shared<Page>(Page{sheet,
                                          Heading(sheet.title, "", sheet.below),
                                          paragraph(sheet.note),
                                          {},
                                          {with_ticks(range, 6, sheet.value_title, "")},
                                          {},
                                          {}});
  page->sheet.hi = range.hi;
  lay_out(*page);
  Picture picture{kPageWidth, std::max(page->height, 110.0), {}};
  picture.draw = [page](Canvas& canvas) {
    page->heading.draw(canvas);
    for (const Placed& placed : page->panels) draw_panel(canvas, *page, placed);
    page->bar.draw(canvas, page->bar_place);
    page->note.draw(canvas, {kMargin, page->note_top});
  };
  return picture;
}

}  // namespace moraine::plot
