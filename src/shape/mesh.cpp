// SPDX-License-Identifier: MIT
#include "shape/mesh.hpp"

#include <algorithm>
#include <numeric>

#include "shape/mesh_check.hpp"

namespace moraine::shape {

namespace {

// Taken off the cosine of the smooth angle, so that a tube of twelve sides in single precision is smooth all round or
// not at all.
constexpr double kAngleRounding = 1e-6;
// Where more triangles than this meet at one edge, none of them continue each other.
constexpr std::size_t kMostAtEdge = 16;

class Groups {
 public:
  explicit Groups(std::size_t count) : parent_(count) { std::iota(parent_.begin(), parent_.end(), 0u); }
  std::uint32_t root(std::uint32_t i) {
    while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
    return i;
  }
  void join(std::uint32_t i, std::uint32_t j) {
    const std::uint32_t a = root(i), b = root(j);
    parent_[std::max(a, b)] = std::min(a, b);
  }

 private:
  std::vector<std::uint32_t> parent_;
};

// From the two shorter edges: with the long ones of a needle, all digits would cancel.
Vec3 unit_normal(const Vec3& a, const Vec3& b, const Vec3& c) {
  const Vec3 ab = b - a, bc = c - b, ca = a - c;
  const double longest2 = std::max({math::norm2(ab), math::norm2(bc), math::norm2(ca)});
  const Vec3 n = longest2 == math::norm2(ab)   ? math::cross(bc, ca)
                 : longest2 == math::norm2(bc) ? math::cross(ca, ab)
                                               : math::cross(ab, bc);
  return n * (1 / math::norm(n));
}

// A triangle at one of its sides.
struct Side {
  std::uint32_t triangle;
  std::uint8_t side;
};

// Unit, in the triangle's plane, from the side into the triangle.
Vec3 inward(const Mesh& mesh, const Side& s) {
  const Corners& c = mesh.triangles[s.triangle];
  const Vec3 u = math::cross(mesh.normals[s.triangle], mesh.vertices[c[(s.side + 1) % 3]] - mesh.vertices[c[s.side]]);
  return u * (1 / math::norm(u));
}

// Joins those of the triangles at one line that continue each other. The fold angle is that of the two inward
// directions, whatever way the triangles are oriented: opposite directions are flat.
void join_smooth(const Mesh& mesh, std::span<const Side> sides, Groups& groups) {
  if (sides.size() > kMostAtEdge) return;
  for (std::size_t i = 0; i < sides.size(); ++i) {
    const Vec3 u = inward(mesh, sides[i]);
    for (std::size_t j = i + 1; j < sides.size(); ++j) {
      if (-math::dot(u, inward(mesh, sides[j])) > mesh.cos_smooth) groups.join(sides[i].triangle, sides[j].triangle);
    }
  }
}

void add_edges(Mesh& mesh) {
  const std::vector<EdgeUse> uses = edge_uses(mesh.triangles);
  mesh.edges.resize(mesh.triangles.size());
  mesh.neighbours.resize(mesh.triangles.size());
  mesh.edge_begin.push_back(0);
  for (std::size_t begin = 0; begin < uses.size();) {
    const std::size_t end = end_of_edge(uses, begin);
    for (std::size_t i = begin; i < end; ++i) {
      const EdgeUse& use = uses[i];
      mesh.edges[use.triangle][use.side] = static_cast<std::uint32_t>(mesh.edge_begin.size() - 1);
      mesh.edge_members.push_back(use.triangle);
      mesh.neighbours[use.triangle][use.side] = end - begin == 1   ? kNone
                                                : end - begin == 2 ? uses[begin + end - 1 - i].triangle
                                                                   : kMany;
    }
    mesh.edge_begin.push_back(static_cast<std::uint32_t>(end));
    begin = end;
  }
}

void add_fans(Mesh& mesh) {
  mesh.vertex_begin.assign(mesh.vertices.size() + 1, 0);
  for (const Corners& c : mesh.triangles) {
    for (const std::uint32_t i : c) ++mesh.vertex_begin[i + 1];
  }
  std::partial_sum(mesh.vertex_begin.begin(), mesh.vertex_begin.end(), mesh.vertex_begin.begin());
  mesh.vertex_members.resize(3 * mesh.triangles.size());
  std::vector<std::uint32_t> next(mesh.vertex_begin.begin(), mesh.vertex_begin.end() - 1);
  for (std::uint32_t t = 0; t < mesh.triangles.size(); ++t) {
    for (const std::uint32_t i : mesh.triangles[t]) mesh.vertex_members[next[i]++] = t;
  }
}

// Triangles without area are part of the surface between those that have some: slivers of a CAD program, where a long
// edge meets two short ones. Their neighbours continue each other across them. `kept` says which triangle of the mesh
// each of the whole is, kNone for slivers.
void join_across_slivers(const Mesh& mesh, const Sorted& whole, const std::vector<std::uint32_t>& kept,
                         Groups& groups) {
  const std::vector<EdgeUse> uses = edge_uses(whole.triangles);
  Groups slivers(whole.triangles.size());
  std::vector<std::pair<std::uint32_t, Side>> beside;  // a sliver and a real triangle at it
  for (std::size_t begin = 0; begin < uses.size();) {
    const std::size_t end = end_of_edge(uses, begin);
    std::uint32_t sliver = kNone;
    for (std::size_t i = begin; i < end; ++i) {
      if (!whole.flat[uses[i].triangle]) continue;
      if (sliver != kNone) slivers.join(sliver, uses[i].triangle);
      sliver = uses[i].triangle;
    }
    for (std::size_t i = begin; sliver != kNone && i < end; ++i) {
      if (!whole.flat[uses[i].triangle]) beside.push_back({sliver, {kept[uses[i].triangle], uses[i].side}});
    }
    begin = end;
  }
  for (auto& [sliver, side] : beside) sliver = slivers.root(sliver);
  std::stable_sort(beside.begin(), beside.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<Side> sides;
  for (std::size_t i = 0; i < beside.size(); ++i) {
    sides.push_back(beside[i].second);
    if (i + 1 < beside.size() && beside[i + 1].first == beside[i].first) continue;
    join_smooth(mesh, sides, groups);
    sides.clear();
  }
}

void add_patches(Mesh& mesh, const Sorted& whole, const std::vector<std::uint32_t>& kept) {
  Groups groups(mesh.triangles.size());
  std::vector<Side> sides;
  const auto side_at = [&](std::uint32_t t, std::uint32_t edge) {
    const auto& e = mesh.edges[t];
    return static_cast<std::uint8_t>(std::find(e.begin(), e.end(), edge) - e.begin());
  };
  for (std::uint32_t edge = 0; edge + 1 < mesh.edge_begin.size(); ++edge) {
    sides.clear();
    for (const std::uint32_t t : mesh.at_edge(edge)) sides.push_back({t, side_at(t, edge)});
    join_smooth(mesh, sides, groups);
  }
  if (mesh.triangles.size() < whole.triangles.size()) join_across_slivers(mesh, whole, kept, groups);

  // Numbered in the order of their first triangles.
  mesh.patch.resize(mesh.triangles.size());
  for (std::uint32_t t = 0; t < mesh.triangles.size(); ++t) {
    const std::uint32_t root = groups.root(t);  // never later than t
    mesh.patch[t] = root == t ? mesh.patches++ : mesh.patch[root];
  }
}

}  // namespace

Mesh make_mesh(std::span<const Vec3> vertices, std::span<const Corners> triangles, double smooth_angle) {
  Sorted whole = sort_out(vertices, triangles);
  Mesh mesh;
  mesh.smooth_angle = smooth_angle;
  mesh.cos_smooth = math::cos(smooth_angle) - kAngleRounding;
  std::vector<std::uint32_t> kept(whole.triangles.size(), kNone);
  for (std::size_t t = 0; t < whole.triangles.size(); ++t) {
    if (whole.flat[t]) continue;
    const Corners& c = whole.triangles[t];
    kept[t] = static_cast<std::uint32_t>(mesh.triangles.size());
    mesh.triangles.push_back(c);
    mesh.source.push_back(whole.source[t]);
    const Vec3 corners[] = {whole.vertices[c[0]], whole.vertices[c[1]], whole.vertices[c[2]]};
    mesh.normals.push_back(unit_normal(corners[0], corners[1], corners[2]));
    mesh.centres.push_back((corners[0] + corners[1] + corners[2]) * (1.0 / 3));
    double reach2 = 0;
    for (const Vec3& corner : corners) reach2 = std::max(reach2, math::norm2(corner - mesh.centres.back()));
    mesh.reach2.push_back(reach2);
  }
  mesh.vertices = std::move(whole.vertices);
  mesh.findings = std::move(whole.findings);
  mesh.min = whole.min;
  mesh.max = whole.max;
  add_edges(mesh);
  add_fans(mesh);
  add_patches(mesh, whole, kept);
  return mesh;
}

std::vector<MeshFinding> check_mesh(std::span<const Vec3> vertices, std::span<const Corners> triangles) {
  return sort_out(vertices, triangles).findings;
}

}  // namespace moraine::shape
