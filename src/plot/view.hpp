// SPDX-License-Identifier: MIT
// From space to paper: boxes, the direction of view, and the scale. Parallel projection only, so that lengths can be
// measured in the picture. Knows no frames and no drawing.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "measure/frame.hpp"
#include "plot/canvas.hpp"

namespace moraine::plot {

using measure::Triple;

Triple operator+(const Triple& a, const Triple& b);
Triple operator-(const Triple& a, const Triple& b);
Triple operator*(double s, const Triple& a);
double dot(const Triple& a, const Triple& b);
Triple cross(const Triple& a, const Triple& b);
double norm(const Triple& a);
bool finite(const Triple& a);

struct Box {
  Triple min{1, 1, 1}, max{0, 0, 0};  // empty

  bool empty() const { return !(min[0] <= max[0]); }
  double size(std::size_t axis) const { return max[axis] - min[axis]; }
  double largest_size() const;
  Triple centre() const { return 0.5 * (min + max); }
  Triple corner(unsigned bits) const;  // bit k set: the upper end of axis k
  bool holds(const Triple& point) const;
  void add(const Triple& point, double radius = 0);
  void add(const Box& other);
};

// The part of a segment within the box.
std::optional<std::pair<Triple, Triple>> clipped(const Box& box, Triple from, Triple to);
// The polygon in which a plane cuts the box; fewer than three corners: it does not.
std::vector<Triple> cut_by_plane(const Box& box, const Triple& point, const Triple& normal);

struct Camera {
  Triple right{1, 0, 0}, up{0, 1, 0}, toward{0, 0, 1};  // unit vectors; `toward` points at the reader

  static Camera flat() { return {}; }  // 2D: x to the right, y up
  // 3D: z up on the page. The reader stands in the direction `azimuth` about z (0: at +x, a quarter turn: at +y) and
  // `height` above the level, both in radians; straight above (and below), y or whatever the azimuth says is up.
  static Camera from(double azimuth, double height);
  // Above the corner between -y and +x, much like an isometric drawing.
  static Camera corner();
  // Whether the reader looks along an axis, so that the box is seen as a rectangle.
  bool level() const;
  Point flatten(const Triple& x) const { return {dot(x, right), dot(x, up)}; }
  double depth(const Triple& x) const { return dot(x, toward); }  // larger is nearer
};

// Where a piece of space stands on the page.
struct View {
  Camera camera;
  double left = 0, right = 1, bottom = 0, top = 1;  // m, in the plane of view
  double scale = 1;                                 // points per m
  Rect area;                                        // on the page; its size is (right - left, top - bottom) * scale

  Point place(Point flat) const {
    return {area.x + (flat.x - left) * scale, area.bottom() - (flat.y - bottom) * scale};
  }
  Point place(const Triple& x) const { return place(camera.flatten(x)); }
  bool shows(const Triple& x) const;
};

// The largest view of the box that fits; `border` in m on all sides. Where the box is seen as a rectangle, its shorter
// side is made longer if the picture would be too narrow for its axes.
View fit_view(const Box& box, const Camera& camera, double border, double most_width, double most_height);

}  // namespace moraine::plot
