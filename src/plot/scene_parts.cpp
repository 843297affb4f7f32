// SPDX-License-Identifier: MIT
#include "plot/scene_parts.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "plot/ticks.hpp"

namespace moraine::plot {

namespace {

constexpr double kSpokeRadius = 2.4;  // points; a spoke in a smaller disk is a blot

bool drawable(const Frame& frame, std::size_t i) { return finite(frame.position[i]) && frame.radius[i] > 0; }

// Whether any of the body may be seen in the picture.
bool in_sight(const View& view, Point p, double radius) {
  return p.x + radius >= view.area.x && p.x - radius <= view.area.right() && p.y + radius >= view.area.y &&
         p.y - radius <= view.area.bottom();
}

void draw_spoke(Canvas& canvas, Point centre, double radius, const std::array<double, 4>& q, const Colour& fill) {
  const double angle = 2 * std::atan2(q[3], q[0]);
  if (!std::isfinite(angle)) return;
  const Colour ink = lightness(fill) < 0.45 ? Colour{1, 1, 1, 0.85} : Colour{0, 0, 0, 0.7};
  const double reach = 0.92 * radius;
  canvas.line(centre, {centre.x + reach * std::cos(angle), centre.y - reach * std::sin(angle)},
              {ink, std::clamp(0.09 * radius, 0.3, 1.0)});
}

// A facet of a solid, on the page.
struct Facet {
  std::vector<Point> corners;
  std::int32_t edges = 0;  // which of its sides are edges of the solid
  double depth = 0, light = 1;
  std::size_t body = 0;
};

Triple turned(const Triple& r, const std::array<double, 4>& q) {
  const Triple u{q[1], q[2], q[3]}, t = 2 * cross(u, r);
  return r + q[0] * t + cross(u, t);
}

std::vector<Triple> vertices_of(const Frame& frame, std::size_t i) {
  const auto form = static_cast<std::size_t>(frame.form[i]);
  const double scale = frame.radius[i] / frame.form_radius[form];
  std::vector<Triple> out;
  for (std::int32_t v = frame.form_vertex_start[form]; v < frame.form_vertex_start[form + 1]; ++v)
    out.push_back(frame.position[i] +
                  turned(scale * frame.form_vertex[static_cast<std::size_t>(v)], frame.orientation[i]));
  return out;
}

// What is drawn in the order of its depth must not be much larger than what it may hide: a piece of a facet with longer
// sides is halved.
void add_pieces(const View& view, const std::array<Triple, 3>& c, double longest, Facet like,
                std::vector<Facet>& facets) {
  std::size_t side = 0;
  double length = 0;
  for (std::size_t s = 0; s < 3; ++s) {
    const double l = norm(c[(s + 1) % 3] - c[s]);
    if (l > length) {
      length = l;
      side = s;
    }
  }
  if (!(length > longest)) {
    for (const Triple& corner : c) like.corners.push_back(view.place(corner));
    like.depth = view.camera.depth((1.0 / 3) * (c[0] + c[1] + c[2]));
    facets.push_back(std::move(like));
    return;
  }
  const std::size_t from = side, to = (side + 1) % 3, apex = (side + 2) % 3;
  const Triple middle = 0.5 * (c[from] + c[to]);
  const auto edge = [&](std::size_t s) { return (like.edges >> s) & 1; };
  Facet half = like;
  half.edges = edge(from) | edge(apex) << 2;  // from - middle, middle - apex, apex - from
  add_pieces(view, {c[from], middle, c[apex]}, longest, half, facets);
  half.edges = edge(from) | edge(to) << 1;  // middle - to, to - apex, apex - middle
  add_pieces(view, {middle, c[to], c[apex]}, longest, half, facets);
}

// The facets that face the reader, lit from the upper left, in pieces with sides of at most `longest`.
void add_facets(const View& view, const Frame& frame, std::size_t i, double longest, std::vector<Facet>& facets) {
  const auto form = static_cast<std::size_t>(frame.form[i]);
  const std::vector<Triple> vertices = vertices_of(frame, i);
  const Camera& camera = view.camera;
  const Triple to_light = -0.45 * camera.right + 0.6 * camera.up + 0.66 * camera.toward;
  for (std::int32_t k = frame.form_facet_start[form]; k < frame.form_facet_start[form + 1]; ++k) {
    const std::int32_t* f = &frame.form_facet[4 * static_cast<std::size_t>(k)];
    const Triple& a = vertices[static_cast<std::size_t>(f[0])];
    const Triple& b = vertices[static_cast<std::size_t>(f[1])];
    const Triple& c = vertices[static_cast<std::size_t>(f[2])];
    Triple normal = cross(b - a, c - a);
    if (!(dot(normal, camera.toward) > 0)) continue;
    normal = (1 / norm(normal)) * normal;
    const double light = std::clamp(0.35 + 0.65 * dot(normal, to_light), 0.2, 1.0);
    add_pieces(view, {a, b, c}, longest, {{}, f[3], 0, light, i}, facets);
  }
}

void draw_facet(Canvas& canvas, const Facet& facet, const Colour& colour, Look look) {
  if (look == Look::kBreath) {
    canvas.area(facet.corners, with_opacity(mixed(colour, kHeld, 0.3), 0.10));
  } else {
    const Colour fill = mixed(colour, {0, 0, 0}, (look == Look::kFull ? 0.6 : 0.25) * (1 - facet.light));
    canvas.area(facet.corners, fill);
    canvas.path(facet.corners, {fill, 0.25}, true);  // no seams between facets
  }
  const Pen pen{look == Look::kFull ? mixed(colour, {0, 0, 0}, 0.7) : kFaintEdge, look == Look::kFull ? 0.35 : 0.25};
  for (std::size_t side = 0; side < 3; ++side) {
    if (((facet.edges >> side) & 1) != 0) canvas.line(facet.corners[side], facet.corners[(side + 1) % 3], pen);
  }
}

// The outline of a polygon: its facets follow each other around.
void draw_polygon(Canvas& canvas, const View& view, const Frame& frame, std::size_t i, const Colour& fill, bool full) {
  std::vector<Point> outline;
  for (const Triple& v : vertices_of(frame, i)) outline.push_back(view.place(v));
  canvas.area(outline, fill);
  const double radius = frame.radius[i] * view.scale;
  canvas.path(outline, {full ? mixed(fill, {0, 0, 0}, 0.55) : kFaintEdge, std::clamp(0.05 * radius, 0.12, 0.6)}, true);
}

void draw_disks(Canvas& canvas, const View& view, const Frame& frame, const BodyColours& colours, Look look) {
  const bool full = look == Look::kFull;
  for (const bool held : {true, false}) {  // what moves lies over what is held
    for (std::size_t i = 0; i < frame.id.size(); ++i) {
      if ((frame.held[i] != 0) != held || !drawable(frame, i)) continue;
      const Point p = view.place(frame.position[i]);
      const double radius = frame.radius[i] * view.scale;
      if (!in_sight(view, p, radius)) continue;
      if (frame.form[i] >= 0) {
        draw_polygon(canvas, view, frame, i, colours[i], full);
        continue;
      }
      const double width = std::clamp(0.07 * radius, 0.12, full ? 0.6 : 0.35);
      // The outline lies within the disk, or touching disks would seem to overlap.
      canvas.disk(p, std::max(radius - width / 2, 0.2), colours[i],
                  {full ? mixed(colours[i], {0, 0, 0}, 0.55) : kFaintEdge, width});
      if (full && has_spoke(radius)) draw_spoke(canvas, p, radius, frame.orientation[i], colours[i]);
    }
  }
}

double median_radius(const Frame& frame) {
  std::vector<double> radii = frame.radius;
  const auto middle = radii.begin() + static_cast<std::ptrdiff_t>(radii.size() / 2);
  std::nth_element(radii.begin(), middle, radii.end());
  return *middle;
}

// Balls and the facets of solids, the farthest first.
void draw_balls(Canvas& canvas, const View& view, const Frame& frame, const BodyColours& colours, Look look) {
  struct Item {
    double depth;
    std::size_t number;  // of the body, or of the facet
    bool facet;
  };
  std::vector<Item> items;
  std::vector<Facet> facets;
  const double usual = frame.form_radius.empty() || frame.radius.empty() ? 0 : median_radius(frame);
  for (std::size_t i = 0; i < frame.id.size(); ++i) {
    if (!drawable(frame, i)) continue;
    if (!in_sight(view, view.place(frame.position[i]), std::max(frame.radius[i] * view.scale, 0.2))) continue;
    if (frame.form[i] >= 0) {
      // Faint ones are not cut: where pieces meet a line would show.
      const double longest =
          look == Look::kBreath ? std::numeric_limits<double>::infinity() : std::max(2 * usual, frame.radius[i] / 20);
      add_facets(view, frame, i, longest, facets);
    } else {
      items.push_back({view.camera.depth(frame.position[i]), i, false});
    }
  }
  for (std::size_t k = 0; k < facets.size(); ++k) items.push_back({facets[k].depth, k, true});
  std::stable_sort(items.begin(), items.end(), [](const Item& a, const Item& b) { return a.depth < b.depth; });
  for (const Item& item : items) {
    if (item.facet) {
      draw_facet(canvas, facets[item.number], colours[facets[item.number].body], look);
      continue;
    }
    const std::size_t i = item.number;
    const Point p = view.place(frame.position[i]);
    const double radius = std::max(frame.radius[i] * view.scale, 0.2);
    if (look == Look::kBreath) {
      canvas.disk(p, radius, with_opacity(mixed(colours[i], kHeld, 0.3), 0.10), {with_opacity(kFaintEdge, 0.28), 0.25});
    } else {
      canvas.ball(p, radius, colours[i], look == Look::kFull ? 0.55 : 0.28);
    }
  }
}

// Two directions in the plane, along the axes of space where the plane is.
std::pair<Triple, Triple> directions_in(const Triple& n) {
  std::size_t straight = 0;
  for (std::size_t k = 1; k < 3; ++k) {
    if (std::fabs(n[k]) > std::fabs(n[straight])) straight = k;
  }
  // A direction that lies in the plane and is as level as can be, so that the grid of a slope runs up and across it.
  Triple e = straight == 2 && std::fabs(n[2]) > 0.999 ? Triple{1, 0, 0} : cross({0, 0, 1}, n);
  e = e - dot(e, n) * n;
  e = (1 / norm(e)) * e;
  return {e, cross(n, e)};
}

void draw_grid_line(Canvas& canvas, const View& view, const Box& box, const Triple& through, const Triple& along,
                    const Pen& pen) {
  const double far = 2 * box.largest_size();
  if (const auto piece = clipped(box, through - far * along, through + far * along)) {
    canvas.line(view.place(piece->first), view.place(piece->second), pen);
  }
}

// So that rounding does not cut off what lies on its faces.
Box slightly_larger(Box box) {
  const double slack = 1e-9 * box.largest_size();
  box.min = box.min - Triple{slack, slack, slack};
  box.max = box.max + Triple{slack, slack, slack};
  return box;
}

// Whether a polygon lies in none of the faces of the box.
bool across_the_midst(const Box& box, const std::vector<Triple>& polygon) {
  const double near = 0.01 * box.largest_size();
  const auto all_near = [&](std::size_t k, double place) {
    return std::all_of(polygon.begin(), polygon.end(), [&](const Triple& c) { return std::fabs(c[k] - place) < near; });
  };
  for (std::size_t k = 0; k < 3; ++k) {
    if (all_near(k, box.min[k]) || all_near(k, box.max[k])) return false;
  }
  return true;
}

void draw_plane(Canvas& canvas, const View& view, const Box& box, const Triple& point, const Triple& n, Side side) {
  const std::vector<Triple> polygon = cut_by_plane(box, point, n);
  if (polygon.size() < 3) return;
  std::vector<Point> outline;
  outline.reserve(polygon.size());
  for (const Triple& corner : polygon) outline.push_back(view.place(corner));
  const bool behind = side == Side::kBehind;
  if (std::fabs(view.camera.depth(n)) < 1e-9) {  // seen edge-on, it is a line
    canvas.path(outline, {kWall, 1}, true);
    return;
  }
  // Before the bodies only a hint, unless it stands in the midst of the picture, where no edge of the box tells of it.
  const bool inside = across_the_midst(box, polygon);
  canvas.area(outline, with_opacity({0.55, 0.60, 0.68}, behind ? 0.14 : inside ? 0.12 : 0.05));
  const Pen pen{with_opacity({0.45, 0.50, 0.58}, behind || inside ? 0.5 : 0.16), 0.35};
  // Lines at round places of space, so that the grid can be read against the axes.
  const Box roomy = slightly_larger(box);
  const double step = nice_step(box.largest_size(), 12);
  const auto [e, f] = directions_in(n);
  for (const auto& [across, along] : {std::pair{e, f}, std::pair{f, e}}) {
    double least = dot(polygon[0], across), most = least;
    for (const Triple& corner : polygon) {
      least = std::min(least, dot(corner, across));
      most = std::max(most, dot(corner, across));
    }
    const double here = dot(point, across);
    const int first = static_cast<int>(std::ceil(least / step)), last = static_cast<int>(std::floor(most / step));
    for (int k = first; k <= last; ++k) {
      const double s = k * step;
      const Triple on_plane = point + (s - here) * across;
      const Triple middle = on_plane + dot(box.centre() - on_plane, along) * along;
      draw_grid_line(canvas, view, roomy, middle, along, pen);
    }
  }
  canvas.path(outline, {pen.colour, inside ? 1.0 : 0.6}, true);
}

// The wire model of curved walls: in 3D the half that lies behind the bodies, or the half before them.
void draw_wires(Canvas& canvas, const View& view, const Frame& frame, const Box& box, Side side) {
  const double middle = view.camera.depth(box.centre());
  const bool behind = side == Side::kBehind, flat = frame.dimension == 2;
  const Box roomy = slightly_larger(box);
  const Pen pen = flat ? Pen{kWall, 2} : Pen{with_opacity({0.45, 0.50, 0.58}, behind ? 0.55 : 0.3), 0.4};
  for (std::size_t k = 0; k < frame.line_wall.size(); ++k) {
    const Triple &from = frame.line_from[k], &to = frame.line_to[k];
    if (!finite(from) || !finite(to)) continue;
    const bool is_behind = view.camera.depth(0.5 * (from + to)) < middle;
    if (frame.line_wall[k] == measure::kLinkLine || (!flat && is_behind != behind)) continue;
    const auto piece = flat ? std::optional(std::pair{from, to}) : clipped(roomy, from, to);
    if (piece) canvas.line(view.place(piece->first), view.place(piece->second), pen);
  }
}

}  // namespace

void draw_links(Canvas& canvas, const View& view, const Frame& frame) {
  for (std::size_t k = 0; k < frame.line_wall.size(); ++k) {
    const Triple &from = frame.line_from[k], &to = frame.line_to[k];
    if (frame.line_wall[k] != measure::kLinkLine || !finite(from) || !finite(to)) continue;
    canvas.line(view.place(from), view.place(to), {kWall, 0.8});
  }
}

bool has_spoke(double radius) { return radius >= kSpokeRadius; }

void draw_bodies(Canvas& canvas, const View& view, const Frame& frame, const BodyColours& colours, Look look) {
  if (frame.dimension == 2) {
    draw_disks(canvas, view, frame, colours, look);
  } else {
    draw_balls(canvas, view, frame, colours, look);
  }
}

void draw_pale_bodies(Canvas& canvas, const View& view, const Frame& frame, Look look) {
  BodyColours colours(frame.id.size(), kFaintBody);
  for (std::size_t i = 0; i < colours.size(); ++i) {
    if (frame.held[i] != 0) colours[i] = mixed(kFaintBody, kHeld, 0.45);
  }
  draw_bodies(canvas, view, frame, colours, look);
}

void draw_segments(Canvas& canvas, const View& view, const Frame& frame, const Box& box) {
  if (frame.dimension == 2) draw_wires(canvas, view, frame, box, Side::kBefore);
  Box sight = box;  // in 2D all that the axes show
  if (frame.dimension == 2) {
    sight.min = {view.left, view.bottom, -1};
    sight.max = {view.right, view.top, 1};
  }
  for (std::size_t w = 0; w < frame.wall_kind.size(); ++w) {
    Triple from = frame.wall_from[w], to = frame.wall_to[w];
    if (!finite(from) || !finite(to)) continue;
    if (frame.wall_kind[w] != "segment") {
      if (frame.dimension != 2 || frame.wall_kind[w] != "plane") continue;
      const Triple along{-to[1], to[0], 0};
      const double far = 2 * sight.largest_size() + norm(from - sight.centre());
      to = from + far * along;
      from = from - far * along;
    }
    if (const auto piece = clipped(sight, from, to)) {
      canvas.line(view.place(piece->first), view.place(piece->second), {kWall, 2});
    }
  }
}

void draw_planes(Canvas& canvas, const View& view, const Frame& frame, const Box& box, Side side) {
  draw_wires(canvas, view, frame, box, side);
  for (std::size_t w = 0; w < frame.wall_kind.size(); ++w) {
    const Triple &point = frame.wall_from[w], &normal = frame.wall_to[w];
    if (frame.wall_kind[w] != "plane" || !finite(point) || !finite(normal)) continue;
    // Bodies stand on the side the normal points to, so it tells which of the two hides the other.
    if ((view.camera.depth(normal) > 0) == (side == Side::kBehind)) {
      draw_plane(canvas, view, box, point, normal, side);
    }
  }
}

void draw_periods(Canvas& canvas, const View& view, const Frame& frame) {
  const Pen pen{kSoftInk, 0.8, {5, 3}};
  const Point low = view.place(frame.domain_min), high = view.place(frame.domain_max);
  const bool x = frame.periodic[0] != 0, y = frame.periodic[1] != 0;
  const double top = y ? high.y : view.area.y, bottom = y ? low.y : view.area.bottom();
  const double left = x ? low.x : view.area.x, right = x ? high.x : view.area.right();
  if (x) {
    canvas.line({low.x, bottom}, {low.x, top}, pen);
    canvas.line({high.x, bottom}, {high.x, top}, pen);
  }
  if (y) {
    canvas.line({left, low.y}, {right, low.y}, pen);
    canvas.line({left, high.y}, {right, high.y}, pen);
  }
}

}  // namespace moraine::plot
