// SPDX-License-Identifier: MIT
#include "plot/curve_figure.hpp"

#include <algorithm>
#include <memory>

#include "plot/page.hpp"

namespace moraine::plot {

namespace {

constexpr double kHeight = 300, kCap = 2.6, kAside = 2.2;

struct Page {
  CurveSheet sheet;
  Heading heading;
  Key key;
  Paragraph note;
  AxisPair axes;
  Rect area;
  double key_top = 0, note_top = 0, height = 0;
};

std::vector<KeyEntry> key_of(const std::vector<Curve>& curves) {
  std::vector<KeyEntry> entries;
  for (std::size_t i = 0; i < curves.size(); ++i) {
    if (!curves[i].name.empty())
      entries.push_back({KeyEntry::Kind::kLine, curves[i].name, line_colour(i), 16, 1.4, {}});
  }
  return entries;
}

void draw_curve(Canvas& canvas, const Page& page, std::size_t number) {
  const Curve& curve = page.sheet.curves[number];
  const Colour colour = line_colour(number);
  // Bars of several curves at one place stand side by side.
  const auto has_bar = [](const CurvePoint& p) { return p.span.has_value(); };
  const bool bars = std::any_of(curve.points.begin(), curve.points.end(), has_bar);
  const auto count = static_cast<double>(page.sheet.curves.size());
  const double aside = bars ? (static_cast<double>(number) - (count - 1) / 2) * std::min(kAside, 24 / count) : 0;
  const auto place = [&](double x, double y) {
    const Point p = page.axes.place(page.area, x, y);
    return Point{p.x + aside, p.y};
  };
  std::vector<Point> line;
  for (const CurvePoint& p : curve.points) line.push_back(place(p.x, p.y));
  if (!line.empty()) canvas.path(line, {with_opacity(colour, 0.55), 0.9});
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (const auto& span = curve.points[i].span) {
      const Point low = place(curve.points[i].x, span->first), high = place(curve.points[i].x, span->second);
      canvas.line(low, high, {colour, 0.9});
      for (const Point& end : {low, high}) canvas.line({end.x - kCap, end.y}, {end.x + kCap, end.y}, {colour, 0.9});
    }
    canvas.disk(line[i], 2.4, colour, {kPaper, 0.5});
  }
}

}  // namespace

Picture curve_figure(const CurveSheet& sheet) {
  auto page = std::make_shared<Page>(Page{sheet,
                                          Heading(sheet.title, "", sheet.below),
                                          Key(key_of(sheet.curves), kTextWidth),
                                          paragraph(sheet.note),
                                          {},
                                          {}});
  page->axes.x = sheet.x;
  page->axes.y = sheet.y;
  page->key_top = page->heading.height() + 6;
  const double left = page->axes.left_room(), top = page->key_top + page->key.height() + 8;
  page->area = {kMargin + left, top, kTextWidth - left - 8, kHeight};
  page->note_top = page->area.bottom() + page->axes.bottom_room() + 12;
  page->height = page->note_top + page->note.height() + kMargin - 4;
  Picture picture{kPageWidth, page->height, {}};
  picture.draw = [page](Canvas& canvas) {
    page->heading.draw(canvas);
    page->key.draw(canvas, {kMargin + page->axes.left_room(), page->key_top});
    page->axes.draw_grid(canvas, page->area);
    // A little more than the frame, or a bar along its edge would lose half its width.
    const Rect room{page->area.x - 6, page->area.y - 4, page->area.w + 12, page->area.h + 8};
    canvas.inside(room, false, [&](Canvas& c) {
      for (std::size_t i = 0; i < page->sheet.curves.size(); ++i) draw_curve(c, *page, i);
    });
    page->axes.draw(canvas, page->area);
    page->note.draw(canvas, {kMargin, page->note_top});
  };
  return picture;
}

}  // namespace moraine::plot
