// SPDX-License-Identifier: MIT
// The box around a 3D scene. The direction of view is fixed (Camera::corner), so which edges are hidden and which make
// the outline is known: x runs along the lower front edge, y along the lower right one, z up the left one.
#include <algorithm>
#include <cmath>

#include "plot/page.hpp"

namespace moraine::plot {

namespace {

constexpr unsigned kX = 1, kY = 2, kZ = 4;
constexpr unsigned kHidden = kY;      // the corner farthest below and behind: (min, max, min)
constexpr unsigned kFront = kX | kZ;  // the corner nearest to the reader: (max, min, max)

struct Ruler {
  unsigned from;      // corner where the edge begins
  std::size_t along;  // its axis
  Point out;          // where labels stand off on the page; x rather below than left of its edge, or x and z would meet
};
constexpr std::array<Ruler, 3> kRulers = {{{0, 0, {-0.287, 0.958}}, {kX, 1, {0.97, 0.243}}, {0, 2, {-1, 0}}}};
constexpr std::array<const char*, 3> kNames = {"x", "y", "z"};

double length_on_page(const View& view, const Triple& a, const Triple& b) {
  const Point p = view.camera.flatten(a), q = view.camera.flatten(b);
  return std::hypot(q.x - p.x, q.y - p.y) * view.scale;
}

}  // namespace

BoxAxes::BoxAxes(const Box& box, const View& view, std::array<bool, 3> periodic) : box_(box), periodic_(periodic) {
  for (const Ruler& r : kRulers) {
    const double length = length_on_page(view, box.corner(r.from), box.corner(r.from | (1u << r.along)));
    Axis range;
    range.lo = box.min[r.along];
    range.hi = box.max[r.along];
    axes_[r.along] = with_ticks(range, std::clamp(static_cast<int>(length / 32), 2, 8), kNames[r.along], "m");
  }
}

void BoxAxes::draw_edges(Canvas& canvas, const View& view, bool behind) const {
  for (unsigned from = 0; from < 8; ++from) {
    for (unsigned k = 0; k < 3; ++k) {
      const unsigned to = from | (1u << k);
      if (to == from) continue;
      const bool meets_front = from == kFront || to == kFront;
      if (behind == meets_front) continue;
      const bool outline = from != kHidden && to != kHidden && !meets_front;
      const bool dashed = periodic_[(k + 1) % 3] || periodic_[(k + 2) % 3];
      Pen pen{outline ? kSoftInk : with_opacity(kSoftInk, 0.45), outline ? 0.6 : 0.45};
      if (dashed) pen.dash = {4, 3};
      canvas.line(view.place(box_.corner(from)), view.place(box_.corner(to)), pen);
    }
  }
}

void BoxAxes::draw_behind(Canvas& canvas, const View& view) const { draw_edges(canvas, view, true); }
void BoxAxes::draw_before(Canvas& canvas, const View& view) const { draw_edges(canvas, view, false); }

void BoxAxes::draw_ticks(Canvas& canvas, const View& view) const {
  for (const Ruler& r : kRulers) {
    const Axis& axis = axes_[r.along];
    const auto beside = [&](Point p, double away, double width, double height) {
      const double d = away + 0.5 * (std::fabs(r.out.x) * width + std::fabs(r.out.y) * height);
      return Point{p.x + d * r.out.x, p.y + d * r.out.y};
    };
    double reach = 0;
    for (std::size_t i = 0; i < axis.at.size(); ++i) {
      Triple x = box_.corner(r.from);
      x[r.along] = axis.at[i];
      const Point p = view.place(x);
      canvas.line(p, beside(p, 4, 0, 0), {kSoftInk, 0.6});
      const double width = text_width(axis.labels[i], kTickSize), height = 0.73 * kTickSize;
      canvas.text(axis.labels[i], beside(p, 6.5, width, height),
                  {.size = kTickSize, .align = Align::kCentre, .level = Level::kMiddle});
      reach = std::max(reach, 6.5 + std::fabs(r.out.x) * width + std::fabs(r.out.y) * height);
    }
    const Point a = view.place(box_.corner(r.from)), b = view.place(box_.corner(r.from | (1u << r.along)));
    const double width = r.along == 2 ? kLabelSize : text_width(axis.title, kLabelSize);
    canvas.text(axis.title, beside({(a.x + b.x) / 2, (a.y + b.y) / 2}, reach + 8, width, kLabelSize),
                {.size = kLabelSize, .align = Align::kCentre, .level = Level::kMiddle, .upwards = r.along == 2});
  }
}

}  // namespace moraine::plot
