// SPDX-License-Identifier: MIT
#include "touch/solid_gaps.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace moraine::touch {

namespace {

constexpr double kDeepest = 0.05;   // of the radius: how deep a corner or ridge may be for a face to hold it
constexpr double kBeside = 1e-6;    // of the radius: how far beside a face a corner may be that it holds
constexpr double kSteepest = 0.2;   // sine: how steeply an edge may go down from a corner into the face that holds it
constexpr double kSharpest = 1e-3;  // sine: how far the normal of two ridges may lean out of the room between the faces
constexpr double kParallel = 1e-3;  // sine of the angle between two ridges that do not cross

// Corner and face, or two ridges, as one number. Two that share a number would only swap what they remember.
std::uint32_t key_of(std::uint32_t mine, std::uint32_t other) {
  return ((mine * 2654435761U) ^ (other * 2246822519U)) & (kRidgeBit - 1);
}

// A corner beside faces, all in one frame, with lengths there.
template <int D>
struct Corner {
  Vec<D> x;
  std::span<const Vec<D>> spokes;
  double margin, deepest, beside;

  Corner(const Vec<D>& at, std::span<const Vec<D>> leaving, double gap, double radius)
      : x(at), spokes(leaving), margin(gap), deepest(kDeepest * radius), beside(kBeside * radius) {}
  double within() const { return std::max(margin, deepest); }

  bool can_rest(const Vec<D>& normal) const {
    return std::none_of(spokes.begin(), spokes.end(),
                        [&](const Vec<D>& s) { return math::dot(s, normal) < -kSteepest; });
  }
};

// A face near a corner.
template <int D>
struct Rest {
  std::uint32_t facet;
  Vec<D> normal;
  double gap;
  double beside;  // how far the corner is beside it
};

// The faces that hold a corner. Coplanar facets are one face.
template <int D>
class Rests {
 public:
  explicit Rests(const Corner<D>& corner) : corner_(corner) { all_.clear(); }

  void add(std::uint32_t facet, const Vec<D>& normal, double gap, double beside) {
    if (gap >= corner_.margin || gap < -corner_.deepest || beside > corner_.beside || !corner_.can_rest(normal)) return;
    for (Rest<D>& r : all_) {
      if (std::fabs(r.gap - gap) > 1e-6 * corner_.beside || math::dot(r.normal, normal) < 1 - 1e-12) continue;
      if (beside < r.beside) r = {facet, normal, gap, beside};
      return;
    }
    all_.push_back({facet, normal, gap, beside});
  }

  // A corner inside has come through one of the faces: the nearest.
  const std::vector<Rest<D>>& found() {
    const auto inside = [](const Rest<D>& r) { return r.gap < 0 && r.beside == 0; };
    const Rest<D>* best = nullptr;
    for (const Rest<D>& r : all_) {
      if (inside(r) && (best == nullptr || r.gap > best->gap)) best = &r;
    }
    if (best == nullptr) return all_;
    const std::uint32_t keep = best->facet;
    all_.erase(std::remove_if(all_.begin(), all_.end(), [&](const Rest<D>& r) { return inside(r) && r.facet != keep; }),
               all_.end());
    return all_;
  }

 private:
  const Corner<D>& corner_;
  static thread_local std::vector<Rest<D>> all_;
};
template <int D>
thread_local std::vector<Rest<D>> Rests<D>::all_;

// `normal`: the side of the triangle that counts.
void add_triangle(Rests<3>& rests, const shape::Mesh& mesh, std::uint32_t t, const Corner<3>& corner,
                  const Vec<3>& normal, shape::NearestPoint& nearest) {
  const double gap = math::dot(corner.x - mesh.vertices[mesh.triangles[t][0]], normal);
  if (std::fabs(gap) >= corner.within()) return;
  const shape::NearestPoint near = shape::nearest_on_triangle(mesh, t, corner.x);
  if (near.distance < nearest.distance) nearest = near;
  const bool over = near.feature == shape::Feature::kFace;
  rests.add(t, normal, gap, over ? 0 : math::norm(near.point - (corner.x - normal * gap)));
}
// How far a point is beside a segment.
double beside_segment(const Vec<2>& a, const Vec<2>& b, const Vec<2>& x) {
  const double length = math::norm(b - a), s = math::dot(x - a, b - a) / length;
  return std::max({0.0, -s, s - length});
}

template <int D>
bool near_box(const shape::DistanceField<D>& field, const Vec<D>& x, double margin) {
  for (int k = 0; k < D; ++k) {
    if (!(x[k] > field.min()[k] - margin && x[k] < field.max()[k] + margin)) return false;
  }
  return true;
}

// The edges that leave a corner, in a frame that is turned so.
template <int D>
void turn_spokes(const Posed<D>& solid, std::uint32_t corner, const math::Orientation<D>& frame,
                 std::vector<Vec<D>>& out) {
  const shape::Solid<D>& shape = *solid.solid;
  out.clear();
  for (std::uint32_t k = shape.spoke_start[corner]; k < shape.spoke_start[corner + 1]; ++k)
    out.push_back(math::rotated(math::rotated(shape.spokes[k], solid.turned), math::inverse(frame)));
}

void list_faces(const shape::Solid<3>& solid, const Corner<3>& corner, Rests<3>& rests) {
  thread_local std::vector<std::uint32_t> near;
  solid.skin.tree.near(corner.x, corner.within(), near);
  shape::NearestPoint nearest{{}, corner.within(), shape::Feature::kFace};
  for (const std::uint32_t t : near)
    add_triangle(rests, solid.skin.mesh, t, corner, solid.skin.mesh.normals[t], nearest);
}
void list_faces(const shape::Solid<2>& solid, const Corner<2>& corner, Rests<2>& rests) {
  for (std::uint32_t f = 0; f < solid.facets.size(); ++f) {
    const Vec<2>&a = solid.vertices[solid.facets[f][0]], &b = solid.vertices[solid.facets[f][1]];
    rests.add(f, solid.normals[f], math::dot(corner.x - a, solid.normals[f]), beside_segment(a, b, corner.x));
  }
}

// A corner of something beside a solid, in the frame of the solid. `second`: the corner is that of the second body.
template <int D>
void corner_at_solid(const Posed<D>& solid, const Corner<D>& corner, bool second, std::uint32_t number,
                     std::vector<SolidGap<D>>& out) {
  const auto add = [&](const Vec<D>& normal, double gap, std::uint32_t facet) {
    SolidGap<D> g;
    g.point = solid.to_world(corner.x - normal * (0.5 * gap));
    const Vec<D> away = math::rotated(normal, solid.turned);  // out of the solid
    g.n = second ? away : -away;
    g.gap = gap * solid.scale;
    g.key = key_of(number, facet) | (second ? world::kSecondSolid : 0);
    out.push_back(g);
  };
  const shape::DistanceField<D>& field = solid.solid->field;
  Rests<D> rests(corner);
  list_faces(*solid.solid, corner, rests);
  const std::vector<Rest<D>>& found = rests.found();
  for (const Rest<D>& r : found) add(r.normal, r.gap, r.facet);
  if (!found.empty() || !field.covers(corner.x)) return;
  // At an edge or a corner of the solid; or deep inside.
  const shape::Depth<D> nearest = field.at(corner.x);
  if (nearest.distance >= corner.margin) return;
  if (nearest.distance >= -corner.deepest && !corner.can_rest(nearest.gradient)) return;
  add(nearest.gradient, nearest.distance, nearest.facet);
}

template <int D>
bool near_box(const Box<D>& box, const Vec<D>& x, double margin) {
  for (int k = 0; k < D; ++k) {
    if (!(x[k] > box.low[k] - margin && x[k] < box.high[k] + margin)) return false;
  }
  return true;
}

template <int D>
void corners_at_solid(const Outline<D>& mine, const Outline<D>& other, bool second, double margin,
                      std::vector<SolidGap<D>>& out) {
  const shape::Solid<D>& solid = *mine.solid.solid;
  const Posed<D>& to = other.solid;
  const double own = 1 / to.scale, smaller = std::min(mine.solid.scale * solid.radius, to.scale * to.solid->radius);
  thread_local std::vector<Vec<D>> spokes;
  for (std::uint32_t c = 0; c < solid.corners.size(); ++c) {
    if (!near_box(other.box, mine.corners[c], margin)) continue;
    const Vec<D> x = to.to_own(mine.corners[c]);
    if (!near_box(to.solid->field, x, margin * own)) continue;
    turn_spokes(mine.solid, c, to.turned, spokes);
    corner_at_solid(to, Corner<D>(x, spokes, margin * own, smaller * own), second, c, out);
  }
}

template <int D>
Box<D> box_around(std::span<const Vec<D>> points) {
  Box<D> box{points[0], points[0]};
  for (const Vec<D>& x : points) {
    for (int k = 0; k < D; ++k) {
      box.low[k] = std::min(box.low[k], x[k]);
      box.high[k] = std::max(box.high[k], x[k]);
    }
  }
  return box;
}
template <int D>
double radius_of(const Outline<D>& outline) {
  return outline.solid.scale * outline.solid.solid->radius;
}

// An edge that sticks out, in the world.
struct Edge {
  Vec<3> from, along;
  double length;
  std::array<Vec<3>, 2> into;  // the faces beside it
  std::uint32_t number;

  Vec<3> to() const { return from + along * length; }
};

bool meets(const Box<3>& box, const Vec<3>& p, const Vec<3>& q, double margin) {
  for (int k = 0; k < 3; ++k) {
    if (std::min(p[k], q[k]) > box.high[k] + margin || std::max(p[k], q[k]) < box.low[k] - margin) return false;
  }
  return true;
}

// Ridges that come near a box.
void list_ridges(const Outline<3>& outline, const Box<3>& box, double margin, std::vector<Edge>& out) {
  out.clear();
  const shape::Solid<3>& solid = *outline.solid.solid;
  for (std::uint32_t r = 0; r < solid.ridges.size(); ++r) {
    const shape::Ridge& ridge = solid.ridges[r];
    const Vec<3>&p = outline.corners[ridge.from], &q = outline.corners[ridge.to];
    if (!meets(box, p, q, margin)) continue;
    Edge e;
    e.from = p;
    e.length = math::norm(q - p);
    e.along = (q - p) * (1 / e.length);
    for (std::size_t k = 0; k < 2; ++k) e.into[k] = math::rotated(ridge.into[k], outline.solid.turned);
    e.number = r;
    out.push_back(e);
  }
}

// Whether both faces beside the edge lie behind the plane through it with this normal.
bool leans_on(const Edge& e, const Vec<3>& n) {
  return math::dot(n, e.into[0]) <= kSharpest && math::dot(n, e.into[1]) <= kSharpest;
}

// Where edges of the first cross edges of the second.
void cross_edges(const std::vector<Edge>& first, const std::vector<Edge>& second, double margin, double smaller,
                 std::vector<SolidGap<3>>& out) {
  const double over = kBeside * smaller;
  for (const Edge& a : first) {
    for (const Edge& b : second) {
      const Vec<3> normal = math::cross(a.along, b.along);
      const double sine2 = math::norm2(normal);
      if (sine2 < kParallel * kParallel) continue;
      const Vec<3> apart = b.from - a.from;
      const double cosine = math::dot(a.along, b.along), da = math::dot(apart, a.along), db = math::dot(apart, b.along);
      const double s = (da - cosine * db) / sine2, t = (cosine * da - db) / sine2;
      if (s < -over || s > a.length + over || t < -over || t > b.length + over) continue;
      Vec<3> n = normal * (1 / std::sqrt(sine2));
      double gap = math::dot(apart, n);
      if (std::fabs(gap) >= std::max(margin, kDeepest * smaller)) continue;
      const bool forth = leans_on(a, n) && leans_on(b, -n), back = leans_on(a, -n) && leans_on(b, n);
      if (!forth && !back) continue;
      if (!forth || (back && gap < 0)) {
        n = -n;
        gap = -gap;
      }
      if (gap >= margin || gap < -kDeepest * smaller) continue;
      SolidGap<3> g;
      g.point = (a.from + a.along * s + b.from + b.along * t) * 0.5;
      g.n = n;
      g.gap = gap;
      g.key = kRidgeBit | key_of(std::min(a.number, b.number), std::max(a.number, b.number));
      out.push_back(g);
    }
  }
}

void cross_ridges(const Outline<2>&, const Outline<2>&, double, std::vector<SolidGap<2>>&) {}
void cross_ridges(const Outline<3>& a, const Outline<3>& b, double margin, std::vector<SolidGap<3>>& out) {
  thread_local std::vector<Edge> first, second;
  list_ridges(a, b.box, margin, first);
  if (first.empty()) return;
  list_ridges(b, a.box, margin, second);
  cross_edges(first, second, margin, std::min(radius_of(a), radius_of(b)), out);
}

// An edge of the skin of a wall.
Edge edge_of_skin(const world::Surface<3>& wall, std::uint32_t t, std::size_t side) {
  const shape::Mesh& mesh = wall.mesh->mesh;
  const shape::Corners& v = mesh.triangles[t];
  const Vec<3> p = wall.from_mesh(mesh.vertices[v[side]]), q = wall.from_mesh(mesh.vertices[v[(side + 1) % 3]]);
  Edge e;
  e.from = p;
  e.length = math::norm(q - p);
  e.along = (q - p) * (1 / e.length);
  const auto into = [&](std::uint32_t u) {
    const Vec<3> across = math::cross(math::rotated(mesh.normals[u], wall.turned), e.along);
    return math::dot(across, wall.from_mesh(mesh.centres[u]) - p) < 0 ? -across : across;
  };
  e.into[0] = e.into[1] = into(t);
  for (const std::uint32_t u : mesh.at_edge(mesh.edges[t][side])) {
    if (u != t) e.into[1] = into(u);
  }
  e.number = mesh.edges[t][side];
  return e;
}

// A solid in the frame of a wall's mesh, and the triangles that its box meets.
struct AtMesh {
  std::vector<Vec<3>> corners;
  std::vector<std::uint32_t> triangles;
  Box<3> box;
};

void look_at_mesh(const Outline<3>& outline, const world::Surface<3>& wall, std::span<const std::uint32_t> triangles,
                  double margin, AtMesh& at) {
  at.corners.clear();
  for (const Vec<3>& x : outline.corners) at.corners.push_back(wall.to_mesh(x));
  at.box = box_around<3>(at.corners);
  at.triangles.clear();
  const shape::Mesh& mesh = wall.mesh->mesh;
  for (const std::uint32_t t : triangles) {
    const shape::Corners& v = mesh.triangles[t];
    const std::array<Vec<3>, 3> corners{mesh.vertices[v[0]], mesh.vertices[v[1]], mesh.vertices[v[2]]};
    const Box<3> box = box_around<3>(corners);
    if (meets(at.box, box.low, box.high, margin)) at.triangles.push_back(t);
  }
}

// The side of a triangle that counts for a corner is that on which the inside of its solid lies.
void corners_at_skin(const Outline<3>& outline, const AtMesh& at, const world::Surface<3>& wall, double margin,
                     std::vector<SolidGap<3>>& out) {
  const shape::Mesh& mesh = wall.mesh->mesh;
  const Posed<3>& solid = outline.solid;
  const shape::Solid<3>& shape = *solid.solid;
  thread_local std::vector<Vec<3>> spokes;
  for (std::uint32_t c = 0; c < shape.corners.size(); ++c) {
    const Vec<3> inward = wall.to_mesh(solid.to_world(shape.inward[c]));
    turn_spokes(solid, c, wall.turned, spokes);
    const Corner<3> corner(at.corners[c], spokes, margin, radius_of(outline));
    Rests<3> rests(corner);
    shape::NearestPoint nearest{{}, corner.within(), shape::Feature::kFace};
    for (const std::uint32_t t : at.triangles) {
      const double side = math::dot(inward - mesh.vertices[mesh.triangles[t][0]], mesh.normals[t]) < 0 ? -1 : 1;
      add_triangle(rests, mesh, t, corner, mesh.normals[t] * side, nearest);
    }
    const auto add = [&](const Vec<3>& normal, double gap, std::uint32_t t) {
      out.push_back(
          {wall.from_mesh(corner.x - normal * (0.5 * gap)), -math::rotated(normal, wall.turned), gap, key_of(c, t)});
    };
    const std::vector<Rest<3>>& found = rests.found();
    for (const Rest<3>& r : found) add(r.normal, r.gap, r.facet);
    // At a fold or a rim.
    if (!found.empty() || nearest.distance >= margin || nearest.distance <= corner.beside) continue;
    const Vec<3> away = (corner.x - nearest.point) * (1 / nearest.distance);
    if (corner.can_rest(away)) add(away, nearest.distance, static_cast<std::uint32_t>(mesh.triangles.size()));
  }
}

// Folds and rims of a skin that may touch the solid, each once.
void list_edges(const AtMesh& at, const world::Surface<3>& wall, double margin, std::vector<Edge>& out) {
  out.clear();
  const shape::Mesh& mesh = wall.mesh->mesh;
  for (const std::uint32_t t : at.triangles) {
    const shape::Corners& v = mesh.triangles[t];
    for (std::size_t side = 0; side < 3; ++side) {
      if (!is_sharp(mesh, t, side)) continue;
      if (!meets(at.box, mesh.vertices[v[side]], mesh.vertices[v[(side + 1) % 3]], margin)) continue;
      const std::uint32_t number = mesh.edges[t][side];
      if (std::none_of(out.begin(), out.end(), [&](const Edge& e) { return e.number == number; }))
        out.push_back(edge_of_skin(wall, t, side));
    }
  }
}

// Ends of folds and rims, each once.
void ends_at_solid(const Posed<3>& solid, const std::vector<Edge>& edges, double margin,
                   std::vector<SolidGap<3>>& out) {
  const double radius = solid.scale * solid.solid->radius, own = 1 / solid.scale;
  thread_local std::vector<Vec<3>> done, spokes;
  done.clear();
  for (const Edge& e : edges) {
    for (const Vec<3>& x : {e.from, e.to()}) {
      const Vec<3> own_x = solid.to_own(x);
      if (!near_box(solid.solid->field, own_x, margin * own)) continue;
      const auto same = [&](const Vec<3>& y) { return math::norm2(x - y) < 1e-18 * radius * radius; };
      if (std::any_of(done.begin(), done.end(), same)) continue;
      done.push_back(x);
      spokes.clear();
      for (const Edge& f : edges) {
        if (same(f.from)) spokes.push_back(math::rotated(f.along, math::inverse(solid.turned)));
        if (same(f.to())) spokes.push_back(math::rotated(-f.along, math::inverse(solid.turned)));
      }
      corner_at_solid(solid, Corner<3>(own_x, spokes, margin * own, radius * own), true, e.number, out);
    }
  }
}

void gaps_of_mesh(const Outline<3>& outline, const world::Surface<3>& wall, std::span<const std::uint32_t> triangles,
                  double margin, std::vector<SolidGap<3>>& out) {
  thread_local AtMesh at;
  thread_local std::vector<Edge> edges, ridges;
  look_at_mesh(outline, wall, triangles, std::max(margin, kDeepest * radius_of(outline)), at);
  if (at.triangles.empty()) return;
  corners_at_skin(outline, at, wall, margin, out);
  list_edges(at, wall, margin, edges);
  if (edges.empty()) return;
  list_ridges(outline, outline.box, margin, ridges);
  cross_edges(ridges, edges, margin, radius_of(outline), out);
  ends_at_solid(outline.solid, edges, margin, out);
}

// Segments end to end.
void gaps_of_segments(const Outline<2>& outline, std::span<const Vec<2>> ends, std::span<const std::uint32_t> numbers,
                      double margin, std::vector<SolidGap<2>>& out) {
  const Posed<2>& solid = outline.solid;
  const shape::Solid<2>& shape = *solid.solid;
  const double radius = radius_of(outline), own = 1 / solid.scale;
  for (std::uint32_t c = 0; c < shape.corners.size(); ++c) {
    const Vec<2>& x = outline.corners[c];
    const Vec<2> inward = solid.to_world(shape.inward[c]);
    for (std::size_t k = 0; k + 1 < ends.size(); ++k) {
      const Vec<2>&a = ends[k], &b = ends[k + 1];
      if (beside_segment(a, b, x) > kBeside * radius) continue;
      const Vec<2> along = b - a, across = Vec<2>{-along[1], along[0]} * (1 / math::norm(along));
      const Vec<2> normal = across * (math::dot(inward - a, across) < 0 ? -1 : 1);
      const double gap = math::dot(x - a, normal);
      if (gap < margin && gap >= -kDeepest * radius)
        out.push_back({x - normal * (0.5 * gap), -normal, gap, key_of(c, numbers[k])});
    }
  }
  const auto direction = [&](const Vec<2>& from, const Vec<2>& to) {
    return math::rotated((to - from) * (1 / math::norm(to - from)), math::inverse(solid.turned));
  };
  const bool closed = ends.size() > 2 && numbers.front() == numbers.back();
  for (std::size_t k = 0; k < ends.size() - (closed ? 1 : 0); ++k) {
    const Vec<2> x = solid.to_own(ends[k]);
    if (!near_box(shape.field, x, margin * own)) continue;
    std::array<Vec<2>, 2> spokes;
    spokes[0] = k + 1 < ends.size() ? direction(ends[k], ends[k + 1]) : direction(ends[k], ends[k - 1]);
    spokes[1] = k > 0    ? direction(ends[k], ends[k - 1])
                : closed ? direction(ends[0], ends[ends.size() - 2])
                         : spokes[0];
    corner_at_solid(solid, Corner<2>(x, spokes, margin * own, radius * own), true, numbers[k], out);
  }
}

}  // namespace

template <int D>
void Outline<D>::set(const Posed<D>& posed) {
  solid = posed;
  corners.clear();
  for (const std::uint32_t v : posed.solid->corners) corners.push_back(posed.to_world(posed.solid->vertices[v]));
  box = box_around<D>(corners);
}
template <int D>
void Outline<D>::shift(const Vec<D>& by) {
  solid.x += by;
  for (Vec<D>& x : corners) x += by;
  box.low += by;
  box.high += by;
}

template <int D>
void gaps_of_solids(const Outline<D>& a, const Outline<D>& b, double margin, std::vector<SolidGap<D>>& out) {
  out.clear();
  for (int k = 0; k < D; ++k) {
    if (a.box.low[k] > b.box.high[k] + margin || b.box.low[k] > a.box.high[k] + margin) return;
  }
  corners_at_solid(a, b, false, margin, out);
  corners_at_solid(b, a, true, margin, out);
  cross_ridges(a, b, margin, out);
}

template <int D>
void gaps_of_ball(const Posed<D>& solid, const Vec<D>& x, double radius, bool ball_first, double margin,
                  std::vector<SolidGap<D>>& out) {
  out.clear();
  thread_local std::vector<SolidTouch<D>> touches;
  touch_ball(solid, x, radius, ball_first, margin, touches);
  for (const SolidTouch<D>& t : touches) out.push_back({t.point, t.k, -t.depth, t.key});
}

template <int D>
void gaps_of_wall(const Outline<D>& outline, const world::Surface<D>& wall, std::span<const std::uint32_t> triangles,
                  double margin, std::vector<SolidGap<D>>& out) {
  out.clear();
  if constexpr (D == 2) {
    if (wall.form == world::Form::kCircle) {
      const Arc& arc = arc_near(outline.solid, wall, margin);
      gaps_of_segments(outline, arc.ends, arc.numbers, margin, out);
    } else {
      gaps_of_segments(outline, std::array<Vec<2>, 2>{wall.a, wall.b}, std::array<std::uint32_t, 2>{0, 1}, margin, out);
    }
  } else if (wall.form == world::Form::kMesh) {
    gaps_of_mesh(outline, wall, triangles, margin, out);
  } else if (wall.form == world::Form::kRevolved) {
    gaps_of_mesh(outline, wall, triangles_near(outline.solid, wall, margin), margin, out);
  } else {
    for (std::uint32_t c = 0; c < outline.corners.size(); ++c) {
      const Vec<3>& x = outline.corners[c];
      const double gap = math::dot(x - wall.a, wall.b);
      if (gap < margin) out.push_back({x - wall.b * (0.5 * gap), -wall.b, gap, c});
    }
  }
}

#define MORAINE_INSTANTIATE(D)                                                                                       \
  template struct Outline<D>;                                                                                        \
  template void gaps_of_solids<D>(const Outline<D>&, const Outline<D>&, double, std::vector<SolidGap<D>>&);          \
  template void gaps_of_ball<D>(const Posed<D>&, const Vec<D>&, double, bool, double, std::vector<SolidGap<D>>&);    \
  template void gaps_of_wall<D>(const Outline<D>&, const world::Surface<D>&, std::span<const std::uint32_t>, double, \
                                std::vector<SolidGap<D>>&);
MORAINE_INSTANTIATE(2)
MORAINE_INSTANTIATE(3)

}  // namespace moraine::touch
