// SPDX-License-Identifier: MIT
// The point of a triangle nearest to another point. Private to this room.
//
// No division by the area and no barycentric coordinates, which fail on needles: either the foot is inside all three
// edges, and the distance is that from the plane, or the nearest point is on one of the edges that the foot is outside
// of.
#pragma once

#include "shape/mesh.hpp"

namespace moraine::shape {

struct Nearest {
  Vec3 away;  // from the nearest point to x
  double distance2;
  Feature feature;
};

// The nearest point of the segment from a to b. Swapping a and b gives the same bits, so that the triangles at an edge
// agree about it.
inline Nearest nearest_on_segment(const Vec3& a, const Vec3& b, const Vec3& x, int side) {
  const Vec3 ax = x - a, bx = x - b, ab = b - a;
  const double from_a = math::dot(ax, ab), from_b = -math::dot(bx, ab);
  const auto feature = [](Feature first, int i) { return static_cast<Feature>(static_cast<int>(first) + i); };
  if (from_a <= 0) return {ax, math::norm2(ax), feature(Feature::kVertex0, side)};
  if (from_b <= 0) return {bx, math::norm2(bx), feature(Feature::kVertex0, (side + 1) % 3)};
  const double share = 1 / (from_a + from_b);
  const Vec3 away = (from_b * share) * ax + (from_a * share) * bx;
  return {away, math::norm2(away), feature(Feature::kEdge0, side)};
}

// `n` is the unit normal.
inline Nearest nearest_on(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& n, const Vec3& x) {
  const Vec3* corners[3] = {&a, &b, &c};
  Nearest best{{}, -1, Feature::kFace};
  for (int side = 0; side < 3; ++side) {
    const Vec3 &from = *corners[side], &to = *corners[(side + 1) % 3];
    if (math::dot(n, math::cross(to - from, x - from)) >= 0) continue;
    const Nearest here = nearest_on_segment(from, to, x, side);
    if (best.distance2 < 0 || here.distance2 < best.distance2) best = here;
  }
  if (best.distance2 >= 0) return best;
  const double height = math::dot(n, x - a);
  return {height * n, height * height, Feature::kFace};
}

inline Nearest nearest_on(const Mesh& mesh, std::uint32_t t, const Vec3& x) {
  const Corners& c = mesh.triangles[t];
  return nearest_on(mesh.vertices[c[0]], mesh.vertices[c[1]], mesh.vertices[c[2]], mesh.normals[t], x);
}

}  // namespace moraine::shape
