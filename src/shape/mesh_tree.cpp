// SPDX-License-Identifier: MIT
#include <algorithm>
#include <tuple>

#include "shape/mesh_nearest.hpp"

namespace moraine::shape {

namespace {

constexpr std::uint32_t kLeaf = 4;
constexpr int kDeepest = 64;  // halving 2^32 triangles takes fewer levels

// Squared distance of x from a box; 0 inside.
double distance2_from(const Vec3& min, const Vec3& max, const Vec3& x) {
  double d2 = 0;
  for (int k = 0; k < 3; ++k) {
    const double d = std::max(std::max(min[k] - x[k], x[k] - max[k]), 0.0);
    d2 += d * d;
  }
  return d2;
}

}  // namespace

MeshTree::MeshTree(const Mesh& mesh) {
  const auto count = static_cast<std::uint32_t>(mesh.triangles.size());
  facets_.reserve(count);
  for (std::uint32_t t = 0; t < count; ++t) {
    const Corners& c = mesh.triangles[t];
    facets_.push_back({{mesh.vertices[c[0]], mesh.vertices[c[1]], mesh.vertices[c[2]]}, mesh.normals[t], t});
  }
  if (count > 0) build(0, count);
}

// Halves at the median of the middles along the longest side. Ties go by number, so that every machine builds the same.
std::uint32_t MeshTree::build(std::uint32_t begin, std::uint32_t end) {  // NOLINT(misc-no-recursion): 32 levels at most
  const auto number = static_cast<std::uint32_t>(nodes_.size());
  Node node{facets_[begin].corners[0], facets_[begin].corners[0], begin, end - begin};
  for (std::uint32_t i = begin; i < end; ++i) {
    for (const Vec3& corner : facets_[i].corners) {
      for (int k = 0; k < 3; ++k) {
        node.min[k] = std::min(node.min[k], corner[k]);
        node.max[k] = std::max(node.max[k], corner[k]);
      }
    }
  }
  nodes_.push_back(node);
  if (end - begin <= kLeaf) return number;

  const Vec3 size = node.max - node.min;
  const int axis = size[0] >= size[1] && size[0] >= size[2] ? 0 : size[1] >= size[2] ? 1 : 2;
  const auto key = [axis](const Facet& f) {
    return std::make_tuple(f.corners[0][axis] + f.corners[1][axis] + f.corners[2][axis], f.triangle);
  };
  const std::uint32_t middle = begin + (end - begin) / 2;
  std::nth_element(facets_.begin() + begin, facets_.begin() + middle, facets_.begin() + end,
                   [&](const Facet& f, const Facet& g) { return key(f) < key(g); });
  build(begin, middle);
  const std::uint32_t second = build(middle, end);
  nodes_[number].first = second;
  nodes_[number].count = 0;
  return number;
}

void MeshTree::near(const Vec3& x, double distance, std::vector<std::uint32_t>& triangles) const {
  triangles.clear();
  if (nodes_.empty() || !(distance > 0)) return;
  const double limit2 = distance * distance, box_limit2 = limit2 * (1 + 1e-12);  // the rounding of the box's distance
  std::uint32_t stack[kDeepest];
  int waiting = 0;
  stack[waiting++] = 0;
  while (waiting > 0) {
    const std::uint32_t number = stack[--waiting];
    const Node& node = nodes_[number];
    if (distance2_from(node.min, node.max, x) > box_limit2) continue;
    if (node.count == 0) {
      stack[waiting++] = node.first;
      stack[waiting++] = number + 1;
      continue;
    }
    for (std::uint32_t i = node.first; i < node.first + node.count; ++i) {
      const Facet& f = facets_[i];
      if (nearest_on(f.corners[0], f.corners[1], f.corners[2], f.normal, x).distance2 < limit2)
        triangles.push_back(f.triangle);
    }
  }
  std::sort(triangles.begin(), triangles.end());
}

}  // namespace moraine::shape
