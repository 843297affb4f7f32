// SPDX-License-Identifier: MIT
// The box around a 3D scene, from wherever it is seen: which edges are hidden and which make the outline follows from
// the camera.
#include <algorithm>
#include <cmath>
#include <optional>

#include "plot/page.hpp"

namespace moraine::plot {

namespace {

constexpr std::array<const char*, 3> kNames = {"x", "y", "z"};

double length_on_page(const View& view, const Triple& a, const Triple& b) {
  const Point p = view.camera.flatten(a), q = view.camera.flatten(b);
  return std::hypot(q.x - p.x, q.y - p.y) * view.scale;
}

bool overlap(const Rect& a, const Rect& b) {
  return a.x < b.right() && b.x < a.right() && a.y < b.bottom() && b.y < a.bottom();
}

// The corner nearest to the reader.
unsigned front_corner(const Camera& camera) {
  unsigned bits = 0;
  for (unsigned k = 0; k < 3; ++k) bits |= camera.toward[k] > 0 ? 1u << k : 0u;
  return bits;
}

// Where the ruler of an axis begins: that of z along the leftmost edge on the page, those of x and y along the lowest,
// or where these are steep on the page at the side that z leaves free. An axis that is seen (nearly) end-on has none.
std::optional<unsigned> ruler(const Box& box, const View& view, unsigned axis) {
  constexpr double kShortest = 20;  // points
  const bool z_stands = length_on_page(view, box.corner(0), box.corner(4)) >= kShortest;
  std::optional<unsigned> best;
  double best_place = 0;
  for (unsigned from = 0; from < 8; ++from) {
    const unsigned to = from | (1u << axis);
    if (to == from || length_on_page(view, box.corner(from), box.corner(to)) < kShortest) continue;
    const Point p = view.place(box.corner(from)), q = view.place(box.corner(to));
    const bool steep = std::fabs(q.y - p.y) > std::fabs(q.x - p.x);
    const double place = !steep ? p.y + q.y : axis == 2 || !z_stands ? -(p.x + q.x) : p.x + q.x;
    if (best && place <= best_place) continue;
    best = from;
    best_place = place;
  }
  return best;
}

}  // namespace

BoxAxes::BoxAxes(const Box& box, const View& view, std::array<bool, 3> periodic, double overhang)
    : box_(box), periodic_(periodic), overhang_(overhang) {
  for (unsigned k = 0; k < 3; ++k) {
    const auto from = ruler(box, view, k);
    if (!from) continue;
    const Point a = view.place(box.corner(*from)), b = view.place(box.corner(*from | (1u << k)));
    const Point centre = view.place(box.centre());
    const double length = std::hypot(b.x - a.x, b.y - a.y);
    Point out{(b.y - a.y) / length, (a.x - b.x) / length};  // across the edge, away from the box
    if (out.x * (a.x + b.x - 2 * centre.x) + out.y * (a.y + b.y - 2 * centre.y) < 0) out = {-out.x, -out.y};
    Axis range;
    range.lo = box.min[k];
    range.hi = box.max[k];
    rulers_.push_back(
        {*from, k, out, with_ticks(range, std::clamp(static_cast<int>(length / 32), 2, 8), kNames[k], "m")});
  }
}

void BoxAxes::draw_edges(Canvas& canvas, const View& view, bool behind) const {
  const unsigned front = front_corner(view.camera), hidden = 7 - front;
  for (unsigned from = 0; from < 8; ++from) {
    for (unsigned k = 0; k < 3; ++k) {
      const unsigned to = from | (1u << k);
      if (to == from) continue;
      const bool meets_front = from == front || to == front;
      if (behind == meets_front) continue;
      const bool outline = from != hidden && to != hidden && !meets_front;
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
  const double off = 6.5 + overhang_ * view.scale;
  std::vector<Rect> taken;  // by labels
  for (const Ruler& r : rulers_) {
    const Axis& axis = r.axis;
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
      const Point middle = beside(p, off, width, height);
      // Where two rulers meet, the label of one is enough; two side by side would be read as one number.
      const Rect room{middle.x - 0.5 * width - 4, middle.y - 0.5 * height - 1, width + 8, height + 2};
      if (std::any_of(taken.begin(), taken.end(), [&](const Rect& label) { return overlap(label, room); })) continue;
      taken.push_back(room);
      canvas.text(axis.labels[i], middle, {.size = kTickSize, .align = Align::kCentre, .level = Level::kMiddle});
      reach = std::max(reach, off + std::fabs(r.out.x) * width + std::fabs(r.out.y) * height);
    }
    const Point a = view.place(box_.corner(r.from)), b = view.place(box_.corner(r.from | (1u << r.along)));
    const bool upwards = std::fabs(r.out.x) > 0.99;
    const double width = upwards ? kLabelSize : text_width(axis.title, kLabelSize);
    canvas.text(axis.title, beside({(a.x + b.x) / 2, (a.y + b.y) / 2}, reach + 8, width, kLabelSize),
                {.size = kLabelSize, .align = Align::kCentre, .level = Level::kMiddle, .upwards = upwards});
  }
}

}  // namespace moraine::plot
