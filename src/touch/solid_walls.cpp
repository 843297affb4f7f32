// SPDX-License-Identifier: MIT
// Solids and walls.
#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "math/elementary.hpp"
#include "touch/solid_features.hpp"
#include "touch/solids.hpp"

namespace moraine::touch {

namespace {

// What a corner that has gone through a skin says: from the point of the skin nearest to it.
template <int D>
void add_pierced(const Posed<D>& solid, std::size_t c, const Vec<D>& corner, const Vec<D>& nearest,
                 const Vec<D>& towards, std::vector<SolidTouch<D>>& out) {
  const Vec<D> through = corner - nearest;
  const double depth = math::norm(through);
  SolidTouch<D> t;
  t.point = corner;
  t.k = depth > 0 ? through * (1 / depth) : towards;
  t.depth = depth;
  t.room = solid.solid->room[c] * solid.scale;
  t.key = solid.solid->corners[c];
  out.push_back(t);
}

// Thin in the plane: corners that have gone through the segment.
void corners_through(const Posed<2>& solid, const Vec<2>& a, const Vec<2>& b, std::vector<SolidTouch<2>>& out) {
  const Vec<2> along = b - a;
  const double length2 = math::norm2(along);
  for (std::size_t c = 0; c < solid.solid->corners.size(); ++c) {
    const Vec<2> corner = solid.to_world(solid.solid->vertices[solid.solid->corners[c]]);
    const Vec<2> inward = solid.to_world(solid.solid->inward[c]);
    const double out_side = math::cross(along, corner - a), in_side = math::cross(along, inward - a);
    if (!(out_side * in_side < 0)) continue;
    // Where the line from one to the other meets the segment.
    const Vec<2> at = inward + (corner - inward) * (in_side / (in_side - out_side));
    const double s = math::dot(at - a, along);
    if (s < 0 || s > length2) continue;
    const double t = std::clamp(math::dot(corner - a, along) / length2, 0.0, 1.0);
    const Vec<2> across = Vec<2>{-along[1], along[0]} * ((out_side < 0 ? -1 : 1) / std::sqrt(length2));
    add_pierced(solid, c, corner, a + along * t, across, out);
  }
}

// Segments end to end: corners that have gone through one, and their ends in the polygon, each once.
void touch_segments(const Posed<2>& solid, std::span<const Vec<2>> ends, std::span<const std::uint32_t> numbers,
                    double margin, std::vector<SolidTouch<2>>& out) {
  for (std::size_t k = 0; k + 1 < ends.size(); ++k) corners_through(solid, ends[k], ends[k + 1], out);
  Features<2> features(solid, true, margin, 1);
  for (std::size_t k = 0; k < ends.size(); ++k) {
    if (k > 0 && numbers[k] == numbers[0]) continue;
    features.corner(solid.to_own(ends[k]), numbers[k], no_spokes<2>, out);
  }
}

void touch_mesh(const Posed<3>& solid, const world::Surface<3>& wall, std::span<const std::uint32_t> triangles,
                double margin, std::vector<SolidTouch<3>>& out) {
  const shape::Mesh& mesh = wall.mesh->mesh;
  // In the frame of the mesh: corners of the solid.
  for (std::size_t c = 0; c < solid.solid->corners.size(); ++c) {
    const Vec<3> corner = wall.to_mesh(solid.to_world(solid.solid->vertices[solid.solid->corners[c]]));
    const Vec<3> inward = wall.to_mesh(solid.to_world(solid.solid->inward[c]));
    int crossings = 0;
    Vec<3> towards{};
    double least = 1e300;
    Vec<3> nearest{};
    for (const std::uint32_t t : triangles) {
      const shape::Corners& v = mesh.triangles[t];
      if (!shape::pierces(inward, corner, mesh.vertices[v[0]], mesh.vertices[v[1]], mesh.vertices[v[2]])) continue;
      ++crossings;
      towards = mesh.normals[t] * (math::dot(mesh.normals[t], corner - inward) < 0 ? -1 : 1);
    }
    if (crossings % 2 == 0) continue;
    for (const std::uint32_t t : triangles) {
      const shape::NearestPoint n = shape::nearest_on_triangle(mesh, t, corner);
      if (!(n.distance < least)) continue;
      least = n.distance;
      nearest = n.point;
    }
    add_pierced(solid, c, wall.from_mesh(corner), wall.from_mesh(nearest), math::rotated(towards, wall.turned), out);
  }
  // Corners and edges of the skin in the solid. Numbers of vertices are those in the order they are met.
  thread_local std::vector<std::pair<std::uint32_t, std::uint32_t>> edges;  // number of the edge; triangle and side
  edges.clear();
  for (const std::uint32_t t : triangles) {
    for (std::size_t side = 0; side < 3; ++side) {
      if (is_sharp(mesh, t, side)) edges.emplace_back(mesh.edges[t][side], 3 * t + static_cast<std::uint32_t>(side));
    }
  }
  std::sort(edges.begin(), edges.end());
  edges.erase(std::unique(edges.begin(), edges.end(), [](const auto& a, const auto& b) { return a.first == b.first; }),
              edges.end());
  thread_local std::vector<std::uint32_t> vertices;
  vertices.clear();
  for (const auto& [edge, at] : edges) {
    const shape::Corners& v = mesh.triangles[at / 3];
    vertices.insert(vertices.end(), {v[at % 3], v[(at % 3 + 1) % 3]});
  }
  std::sort(vertices.begin(), vertices.end());
  vertices.erase(std::unique(vertices.begin(), vertices.end()), vertices.end());
  Features<3> features(solid, true, margin, 1);
  const auto own = [&](std::uint32_t v) { return solid.to_own(wall.from_mesh(mesh.vertices[v])); };
  const auto place = [&](std::uint32_t v) {
    return static_cast<std::uint32_t>(std::lower_bound(vertices.begin(), vertices.end(), v) - vertices.begin());
  };
  for (const std::uint32_t v : vertices) features.corner(own(v), v, no_spokes<3>, out);
  for (const auto& [edge, at] : edges) {
    const shape::Corners& v = mesh.triangles[at / 3];
    features.ridge(place(v[at % 3]), place(v[(at % 3 + 1) % 3]), edge, out);
  }
}

}  // namespace

const Arc& arc_near(const Posed<2>& solid, const world::Surface<2>& circle, double margin) {
  thread_local Arc arc;
  arc.ends.clear();
  arc.numbers.clear();
  const double reach = solid.scale * solid.solid->radius + margin;
  const Vec<2> away = solid.x - circle.a;
  const double far = math::norm(away), piece = 2 * math::kPi / kPiecesAround;
  const double middle = math::atan2(away[1], away[0]) / piece;
  // Seen from the centre the solid is not wider than this; about the centre it is all around.
  const double wide = far > reach ? math::asin(reach / far) / piece + 1 : kPiecesAround;
  int first = static_cast<int>(std::floor(middle - wide)), last = static_cast<int>(std::ceil(middle + wide));
  if (last - first >= kPiecesAround) {
    first = 0;
    last = kPiecesAround;
  }
  for (int k = first; k <= last; ++k) {
    const int number = (k % kPiecesAround + kPiecesAround) % kPiecesAround;
    arc.ends.push_back(circle.a + Vec<2>{math::cos(number * piece), math::sin(number * piece)} * circle.r0);
    arc.numbers.push_back(static_cast<std::uint32_t>(number));
  }
  return arc;
}

std::span<const std::uint32_t> triangles_near(const Posed<3>& solid, const world::Surface<3>& wall, double margin) {
  thread_local std::vector<std::uint32_t> near;
  wall.mesh->tree.near(wall.to_mesh(solid.x), solid.scale * solid.solid->radius + margin, near);
  return near;
}

bool is_sharp(const shape::Mesh& mesh, std::uint32_t t, std::size_t side) {
  const std::uint32_t other = mesh.neighbours[t][side];
  if (other == shape::kNone || other == shape::kMany) return true;
  return math::dot(mesh.normals[t], mesh.normals[other]) < 1 - 1e-10;
}

template <int D>
void touch_wall(const Posed<D>& solid, const world::Surface<D>& wall, std::span<const std::uint32_t> triangles,
                double margin, std::vector<SolidTouch<D>>& out) {
  out.clear();
  if constexpr (D == 2) {
    if (wall.form == world::Form::kCircle) {
      const Arc& arc = arc_near(solid, wall, margin);
      touch_segments(solid, arc.ends, arc.numbers, margin, out);
    } else {
      touch_segments(solid, std::array<Vec<2>, 2>{wall.a, wall.b}, std::array<std::uint32_t, 2>{0, 1}, margin, out);
    }
  } else if (wall.form == world::Form::kMesh) {
    touch_mesh(solid, wall, triangles, margin, out);
  } else if (wall.form == world::Form::kRevolved) {
    touch_mesh(solid, wall, triangles_near(solid, wall, margin), margin, out);
  } else {
    for (const std::uint32_t v : solid.solid->corners) {
      SolidTouch<D> t;
      t.point = solid.to_world(solid.solid->vertices[v]);
      t.depth = -math::dot(t.point - wall.a, wall.b);
      if (!(t.depth > -margin)) continue;
      t.k = -wall.b;
      t.key = v;
      out.push_back(t);
    }
  }
}

template void touch_wall<2>(const Posed<2>&, const world::Surface<2>&, std::span<const std::uint32_t>, double,
                            std::vector<SolidTouch<2>>&);
template void touch_wall<3>(const Posed<3>&, const world::Surface<3>&, std::span<const std::uint32_t>, double,
                            std::vector<SolidTouch<3>>&);

}  // namespace moraine::touch
