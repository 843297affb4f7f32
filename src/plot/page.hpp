// SPDX-License-Identifier: MIT
// The parts every figure has: heading, key, axes, colour bar, caption; each knows its height before it is drawn, so
// that nothing overlaps and nothing is cut off. Knows neither frames nor series.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "plot/canvas.hpp"
#include "plot/ticks.hpp"
#include "plot/view.hpp"

namespace moraine::plot {

inline constexpr double kPageWidth = 672;  // points: 1400 pixels at 150 per inch
inline constexpr double kMargin = 20;
inline constexpr double kTextWidth = kPageWidth - 2 * kMargin;
inline constexpr double kTickSize = 7.5, kLabelSize = 8.5, kSmallSize = 7.5;

// Text over the whole width that has been cut into lines.
struct Paragraph {
  std::vector<std::string> lines;
  double size = kSmallSize;
  double height() const { return static_cast<double>(lines.size()) * size * 1.4; }
  void draw(Canvas& canvas, Point corner) const;  // the upper left one
};
Paragraph paragraph(const std::string& words, double size = kSmallSize, double width = kTextWidth);

// "Zero throughout and not drawn: a and b. Constant and not drawn: c = 3 kg."
std::string left_out_text(const std::vector<std::string>& zeros, const std::vector<std::string>& constants);

// The title at the left, a few words (the time) at the right, a line in small print below.
class Heading {
 public:
  Heading(const std::string& title, std::string right, const std::string& below);
  double height() const;
  void draw(Canvas& canvas) const;  // from the upper edge of the page

 private:
  std::vector<std::string> title_;
  std::string right_;
  Paragraph below_;
};

// What a colour, a width or a length in the figure stands for.
struct KeyEntry {
  enum class Kind { kSwatch, kBar, kArrow, kLine };
  Kind kind = Kind::kSwatch;
  std::string words;
  Colour colour = kInk;
  double length = 9, width = 9;  // of the sample, points
  std::array<double, 2> dash{};
};

// Entries side by side, in as many rows as they need.
class Key {
 public:
  Key(std::vector<KeyEntry> entries, double width);
  double height() const { return height_; }
  void draw(Canvas& canvas, Point corner) const;

 private:
  std::vector<KeyEntry> entries_;
  std::vector<Point> places_;  // of the left end of each sample, at the middle of its row
  double height_ = 0;
};

// Two axes around a rectangle, ticks outside; the grid is drawn by itself, before the data.
struct AxisPair {
  Axis x, y;
  double left_room() const;    // for the vertical axis
  double bottom_room() const;  // for the horizontal axis
  Point place(const Rect& area, double at_x, double at_y) const;
  void draw_grid(Canvas& canvas, const Rect& area) const;
  void draw(Canvas& canvas, const Rect& area) const;
};

// The box of a 3D scene with ticks along three of its edges. The edges behind the bodies come before them, the others
// after.
class BoxAxes {
 public:
  // `overhang`: how far bodies stick out of the box, m; labels stand clear of them.
  BoxAxes(const Box& box, const View& view, std::array<bool, 3> periodic, double overhang);
  void draw_behind(Canvas& canvas, const View& view) const;
  void draw_before(Canvas& canvas, const View& view) const;
  void draw_ticks(Canvas& canvas, const View& view) const;

 private:
  struct Ruler {
    unsigned from;      // corner where its edge begins
    std::size_t along;  // its axis of space
    Point out;          // where labels stand off on the page
    Axis axis;
  };
  void draw_edges(Canvas& canvas, const View& view, bool behind) const;
  Box box_;
  std::array<bool, 3> periodic_;
  double overhang_;
  std::vector<Ruler> rulers_;
};

// The viridis colours from 0 to axis.hi; `open`: larger values have the topmost colour too.
struct ColourBar {
  Axis axis;
  bool open = false;
  double room() const;  // width with labels
  void draw(Canvas& canvas, const Rect& bar) const;
};

}  // namespace moraine::plot
