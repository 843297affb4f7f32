// SPDX-License-Identifier: MIT
// What figures are drawn on: lines, areas, balls and text in points (1/72 inch) from the upper left corner, the same
// for PNG, SVG and PDF. The only room that speaks to cairo; knows nothing of bodies or axes.
#pragma once

#include <array>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "plot/colour.hpp"

// cairo's own type, so that cairo.h stays out of every other file.
struct _cairo;  // NOLINT(bugprone-reserved-identifier): the name is cairo's

namespace moraine::plot {

struct Point {
  double x = 0, y = 0;
};

struct Rect {
  double x = 0, y = 0, w = 0, h = 0;
  double right() const { return x + w; }
  double bottom() const { return y + h; }
};

struct Pen {
  Colour colour = kInk;
  double width = 0.6;
  std::array<double, 2> dash{};  // on, off; {0, 0}: solid
};

enum class Align { kLeft, kCentre, kRight };
enum class Level { kTop, kMiddle, kBaseline };

struct Lettering {
  double size = 8;
  bool bold = false;
  Colour colour = kInk;
  Align align = Align::kLeft;
  Level level = Level::kBaseline;
  bool upwards = false;  // turned by a quarter, for the titles of vertical axes
};

class Canvas {
 public:
  // `vector`: the output keeps lines as lines (SVG, PDF). The context must outlive the canvas.
  Canvas(_cairo* context, bool vector) : context_(context), vector_(vector) {}

  void line(Point from, Point to, const Pen& pen);
  void path(std::span<const Point> points, const Pen& pen, bool closed = false);
  void area(std::span<const Point> points, const Colour& fill);
  void box(const Rect& rect, const Colour& fill);
  void frame(const Rect& rect, const Pen& pen);
  void disk(Point centre, double radius, const Colour& fill, const Pen& outline);
  // A sphere lit from the upper left; `shade`: how dark its rim is, 0 to 1.
  void ball(Point centre, double radius, const Colour& colour, double shade = 0.55);
  // A bar from one point to the other, `width` across.
  void bar(Point from, Point to, double width, const Colour& fill);
  void arrow(Point from, Point to, double width, const Colour& colour);
  // Colours from bottom to top.
  void ramp(const Rect& rect, std::span<const Colour> colours);
  void text(const std::string& words, Point at, const Lettering& style);

  // Draws within the rectangle and nowhere else. `as_image`: a vector output gets it as an image, for scenes of so many
  // bodies that no program would open them.
  void inside(const Rect& rect, bool as_image, const std::function<void(Canvas&)>& draw);

 private:
  void stroke(const Pen& pen);
  void use(const Colour& colour);
  void draw_as_image(const Rect& rect, const std::function<void(Canvas&)>& draw);

  _cairo* context_;
  bool vector_;
};

double text_width(const std::string& words, double size, bool bold = false);
// The words, or as many letters of them as fit with an ellipsis.
std::string fitted_text(const std::string& words, double size, double width, bool bold = false);
// Lines no wider than `width`; words that are too long alone are cut, with an ellipsis.
std::vector<std::string> wrapped_text(const std::string& words, double size, double width, bool bold = false);

// A drawing and its size in points.
struct Picture {
  double width = 0, height = 0;
  std::function<void(Canvas&)> draw;
};

inline constexpr double kDotsPerInch = 150;  // where nothing else is asked for
struct Pixels {
  int width = 0, height = 0;
  std::vector<unsigned char> bgra;  // four bytes a pixel, rows from the top, no gaps
};

// Width and height in pixels of the PNG; both even, as films need them.
std::array<int, 2> pixel_size(const Picture& picture, double dots_per_inch = kDotsPerInch);
std::string png_of(const Picture& picture, double dots_per_inch = kDotsPerInch);
std::string svg_of(const Picture& picture);
std::string pdf_of(const Picture& picture);
Pixels pixels_of(const Picture& picture);

}  // namespace moraine::plot
