// SPDX-License-Identifier: MIT
#include <algorithm>
#include <tuple>

#include "shape/mesh_nearest.hpp"

namespace moraine::shape {

namespace {

// In parts of the sphere's radius. Points nearer than the first are one; a slope within the second is level (less than
// the first, so that a point taken for level is one with the true lowest); a gap of the third is no gap.
constexpr double kSamePoint = 1e-9, kLevel = 1e-10, kGap = 1e-6;
constexpr double kTiny = 1e-140;  // a distance whose square is no longer a proper number

// The nearest point of one triangle, nearer than the radius.
struct Close {
  double distance;
  std::uint32_t triangle;
  Feature feature;
  Vec3 away;  // from the point to the sphere's centre
};

// Does the distance grow, or stay level, along the direction e?
bool rises(const Vec3& away, const Vec3& e, double level) {
  const double s = math::dot(away, e);
  return s <= 0 || s * s <= level * level * math::norm2(e);
}

// An edge point so near to an end of its edge that it is the end.
Feature snapped(const Mesh& mesh, const Close& c, const Vec3& x, double tolerance) {
  if (!is_edge(c.feature)) return c.feature;
  const Vec3 point = x - c.away;
  for (int end = 0; end < 2; ++end) {
    const int corner = (index_of(c.feature) + end) % 3;
    if (math::norm2(mesh.vertices[mesh.triangles[c.triangle][corner]] - point) <= tolerance * tolerance)
      return static_cast<Feature>(static_cast<int>(Feature::kVertex0) + corner);
  }
  return c.feature;
}

// The triangles that meet at the point.
std::span<const std::uint32_t> meeting(const Mesh& mesh, const Close& c) {
  if (is_edge(c.feature)) return mesh.at_edge(mesh.edges[c.triangle][index_of(c.feature)]);
  if (is_vertex(c.feature)) return mesh.at_vertex(mesh.triangles[c.triangle][index_of(c.feature)]);
  return {&c.triangle, 1};
}

bool is_lowest_of_edge(const Mesh& mesh, const Close& c, double level) {
  const std::uint32_t edge = mesh.edges[c.triangle][index_of(c.feature)];
  for (const std::uint32_t t : mesh.at_edge(edge)) {
    int side = 0;
    while (mesh.edges[t][side] != edge) ++side;
    const Vec3 along = mesh.vertices[mesh.triangles[t][(side + 1) % 3]] - mesh.vertices[mesh.triangles[t][side]];
    if (!rises(c.away, math::cross(mesh.normals[t], along), level)) return false;
  }
  return true;
}

bool is_lowest_of_vertex(const Mesh& mesh, const Close& c, double level) {
  const std::uint32_t vertex = mesh.triangles[c.triangle][index_of(c.feature)];
  for (const std::uint32_t t : mesh.at_vertex(vertex)) {
    for (const std::uint32_t other : mesh.triangles[t]) {
      if (other != vertex && !rises(c.away, mesh.vertices[other] - mesh.vertices[vertex], level)) return false;
    }
  }
  return true;
}

// Does the point lie on a triangle that comes nearer elsewhere? Then the surface descends from it, though no edge is
// shared: where a long edge meets two short ones, or where a part just stands on another.
bool lies_on_nearer(const Mesh& mesh, std::span<const Close> nearer, const Vec3& point, double gap) {
  return std::any_of(nearer.begin(), nearer.end(),
                     [&](const Close& n) { return nearest_on(mesh, n.triangle, point).distance2 <= gap * gap; });
}

bool is_local_minimum(const Mesh& mesh, const Close& c, std::span<const Close> nearer, const Vec3& x, double radius) {
  if (c.feature == Feature::kFace) return true;
  const bool lowest =
      is_edge(c.feature) ? is_lowest_of_edge(mesh, c, kLevel * radius) : is_lowest_of_vertex(mesh, c, kLevel * radius);
  return lowest && !lies_on_nearer(mesh, nearer, x - c.away, kGap * radius);
}

// Surely not nearer than the radius: a quick look at the plane and the circle around the triangle. The plane cuts the
// sphere in a circle of radius a; (a + reach)^2 <= 2 (a^2 + reach^2).
bool is_far(const Mesh& mesh, std::uint32_t t, const Vec3& x, double radius2) {
  const Vec3 apart = x - mesh.centres[t];
  const double height = math::dot(apart, mesh.normals[t]), cut2 = radius2 - height * height;
  if (cut2 < -1e-6 * (radius2 + mesh.reach2[t])) return true;  // with room for the rounding of needles
  return math::norm2(apart) - height * height > 2.000001 * (std::max(cut2, 0.0) + mesh.reach2[t]);
}

MeshTouch touch_of(const Mesh& mesh, const Close& c) {
  MeshTouch touch{c.triangle, kNone, {}, c.distance, c.feature != Feature::kFace};
  for (const std::uint32_t t : meeting(mesh, c)) touch.patch = std::min(touch.patch, mesh.patch[t]);
  const Vec3& n = mesh.normals[c.triangle];
  if (touch.at_edge && c.distance > kTiny) {
    touch.k = c.away * (-1 / c.distance);
  } else {
    touch.k = math::dot(c.away, n) >= 0 ? -n : n;
  }
  return touch;
}

bool is_same(const Mesh& mesh, const MeshTouch& a, const MeshTouch& b, double radius) {
  const Vec3 between = a.distance * a.k - b.distance * b.k;
  return math::norm2(between) <= kSamePoint * radius * kSamePoint * radius ||
         (a.patch == b.patch && math::dot(a.k, b.k) > mesh.cos_smooth);
}

}  // namespace

NearestPoint nearest_on_triangle(const Mesh& mesh, std::uint32_t triangle, const Vec3& x) {
  const Nearest found = nearest_on(mesh, triangle, x);
  return {x - found.away, std::sqrt(found.distance2), found.feature};
}

void touching(const Mesh& mesh, std::span<const std::uint32_t> candidates, const Vec3& x, double radius,
              std::vector<MeshTouch>& out) {
  thread_local std::vector<Close> close;  // kept, so that a step allocates nothing
  close.clear();
  out.clear();
  const double radius2 = radius * radius;
  for (const std::uint32_t t : candidates) {
    if (is_far(mesh, t, x, radius2)) continue;
    const Nearest found = nearest_on(mesh, t, x);
    if (found.distance2 < radius2) close.push_back({std::sqrt(found.distance2), t, found.feature, found.away});
  }
  if (close.size() > 1) {
    std::sort(close.begin(), close.end(), [](const Close& a, const Close& b) {
      return std::tie(a.distance, a.triangle) < std::tie(b.distance, b.triangle);
    });
  }
  for (std::size_t i = 0; i < close.size(); ++i) {
    Close& c = close[i];
    c.feature = snapped(mesh, c, x, kSamePoint * radius);
    const MeshTouch touch = touch_of(mesh, c);
    if (std::any_of(out.begin(), out.end(),
                    [&](const MeshTouch& other) { return is_same(mesh, touch, other, radius); }))
      continue;
    if (i == 0 || is_local_minimum(mesh, c, {close.data(), i}, x, radius)) out.push_back(touch);
  }
}

}  // namespace moraine::shape
