// SPDX-License-Identifier: MIT
#include "shape/mesh_shells.hpp"

#include <algorithm>
#include <cmath>

#include "math/elementary.hpp"
#include "shape/mesh_check.hpp"
#include "shape/solid.hpp"

namespace moraine::shape {

namespace {

struct Bounds {
  Vec3 min, max;

  explicit Bounds(const Vec3& x) : min(x), max(x) {}
  void add(const Vec3& x) {
    for (int k = 0; k < 3; ++k) {
      min[k] = std::min(min[k], x[k]);
      max[k] = std::max(max[k], x[k]);
    }
  }
  bool meets(const Bounds& other, double margin) const {
    for (int k = 0; k < 3; ++k) {
      if (min[k] > other.max[k] + margin || other.min[k] > max[k] + margin) return false;
    }
    return true;
  }
  bool holds(const Vec3& x) const { return meets(Bounds(x), 0); }
};

// Where a point of the shell surely is.
Vec3 middle_of(std::span<const Vec3> vertices, const Corners& c) {
  return (vertices[c[0]] + vertices[c[1]] + vertices[c[2]]) * (1.0 / 3);
}

// By the solid angles of all triangles (van Oosterom and Strackee 1983): whatever edges or corners are near.
bool is_inside(std::span<const Vec3> vertices, std::span<const Corners> triangles, const Shell& shell, const Vec3& x) {
  double angle = 0;
  for (const std::uint32_t t : shell.triangles) {
    const Corners& v = triangles[t];
    const Vec3 a = vertices[v[0]] - x, b = vertices[v[1]] - x, c = vertices[v[2]] - x;
    const double la = math::norm(a), lb = math::norm(b), lc = math::norm(c);
    const double over = la * lb * lc + math::dot(a, b) * lc + math::dot(b, c) * la + math::dot(c, a) * lb;
    angle += 2 * math::atan2(math::dot(a, math::cross(b, c)), over);
  }
  return std::fabs(angle) > 2 * math::kPi;
}

double segment_distance(const Vec3& p, const Vec3& q, const Vec3& a, const Vec3& b) {
  const Vec3 u = q - p, v = b - a, w = p - a;
  const double uu = math::norm2(u), uv = math::dot(u, v), vv = math::norm2(v), uw = math::dot(u, w),
               vw = math::dot(v, w), det = uu * vv - uv * uv;
  double s = det > 1e-14 * uu * vv ? std::clamp((uv * vw - vv * uw) / det, 0.0, 1.0) : 0;
  const double t = std::clamp((uv * s + vw) / vv, 0.0, 1.0);
  s = std::clamp((uv * t - uw) / uu, 0.0, 1.0);
  return math::norm(w + u * s - v * t);
}

bool come_within(const Mesh& mesh, std::uint32_t s, std::uint32_t t, double distance) {
  const Corners &cs = mesh.triangles[s], &ct = mesh.triangles[t];
  // Shells that share a corner touch there, and may.
  for (const std::uint32_t i : cs) {
    if (std::find(ct.begin(), ct.end(), i) != ct.end()) return false;
  }
  const auto corner_near = [&](const Corners& c, std::uint32_t face) {
    return std::any_of(c.begin(), c.end(), [&](std::uint32_t i) {
      return nearest_on_triangle(mesh, face, mesh.vertices[i]).distance <= distance;
    });
  };
  if (corner_near(cs, t) || corner_near(ct, s)) return true;
  const auto at = [&](const Corners& c, std::size_t i) { return mesh.vertices[c[i % 3]]; };
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) {
      if (segment_distance(at(cs, i), at(cs, i + 1), at(ct, j), at(ct, j + 1)) <= distance) return true;
    }
    if (pierces(at(cs, i), at(cs, i + 1), at(ct, 0), at(ct, 1), at(ct, 2)) ||
        pierces(at(ct, i), at(ct, i + 1), at(cs, 0), at(cs, 1), at(cs, 2)))
      return true;
  }
  return false;
}

}  // namespace

std::vector<std::vector<std::uint32_t>> shells_of(std::span<const Corners> triangles) {
  const std::vector<EdgeUse> uses = edge_uses(triangles);
  std::vector<std::vector<std::uint32_t>> beside(triangles.size());
  for (std::size_t k = 1; k < uses.size(); ++k) {
    if (!uses[k].same_edge(uses[k - 1])) continue;
    beside[uses[k].triangle].push_back(uses[k - 1].triangle);
    beside[uses[k - 1].triangle].push_back(uses[k].triangle);
  }
  std::vector<std::vector<std::uint32_t>> shells;
  std::vector<bool> done(triangles.size(), false);
  for (std::uint32_t seed = 0; seed < triangles.size(); ++seed) {
    if (done[seed]) continue;
    done[seed] = true;
    std::vector<std::uint32_t> part{seed};
    for (std::size_t k = 0; k < part.size(); ++k) {
      for (const std::uint32_t other : beside[part[k]]) {
        if (!done[other]) part.push_back(other);
        done[other] = true;
      }
    }
    std::sort(part.begin(), part.end());
    shells.push_back(std::move(part));
  }
  return shells;
}

std::vector<Shell> nested_shells(std::span<const Vec3> vertices, std::span<const Corners> triangles) {
  std::vector<Shell> shells;
  std::vector<Bounds> bounds;
  for (auto& part : shells_of(triangles)) {
    const Vec3 from = vertices[triangles[part[0]][0]];
    Bounds box(from);
    Shell shell;
    for (const std::uint32_t t : part) {
      const Corners& c = triangles[t];
      shell.volume += math::dot(vertices[c[0]] - from, math::cross(vertices[c[1]] - from, vertices[c[2]] - from)) / 6;
      for (const std::uint32_t i : c) box.add(vertices[i]);
    }
    shell.triangles = std::move(part);
    shells.push_back(std::move(shell));
    bounds.push_back(box);
  }
  for (std::size_t i = 0; i < shells.size(); ++i) {
    const Vec3 x = middle_of(vertices, triangles[shells[i].triangles[0]]);
    for (std::size_t j = 0; j < shells.size(); ++j) {
      if (i == j || !bounds[j].holds(x) || !is_inside(vertices, triangles, shells[j], x)) continue;
      ++shells[i].in;
      shells[i].around = static_cast<std::uint32_t>(j);
    }
  }
  return shells;
}

std::optional<std::array<std::uint32_t, 2>> touching_shells(const Mesh& mesh) {
  const auto shells = shells_of(mesh.triangles);
  if (shells.size() < 2) return std::nullopt;
  std::vector<std::uint32_t> shell(mesh.triangles.size()), order(mesh.triangles.size());
  std::vector<Bounds> bounds;
  Bounds all(mesh.vertices[mesh.triangles[0][0]]);
  for (std::uint32_t t = 0; t < mesh.triangles.size(); ++t) {
    Bounds box(mesh.vertices[mesh.triangles[t][0]]);
    for (const std::uint32_t i : mesh.triangles[t]) {
      box.add(mesh.vertices[i]);
      all.add(mesh.vertices[i]);
    }
    bounds.push_back(box);
    order[t] = t;
  }
  for (std::uint32_t s = 0; s < shells.size(); ++s) {
    for (const std::uint32_t t : shells[s]) shell[t] = s;
  }
  const double near = kWeld * math::norm(all.max - all.min);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return bounds[a].min[0] < bounds[b].min[0]; });
  for (std::size_t i = 0; i < order.size(); ++i) {
    const std::uint32_t s = order[i];
    for (std::size_t j = i + 1; j < order.size() && bounds[order[j]].min[0] <= bounds[s].max[0] + near; ++j) {
      const std::uint32_t t = order[j];
      if (shell[s] == shell[t] || !bounds[s].meets(bounds[t], near) || !come_within(mesh, s, t, near)) continue;
      return std::array{std::min(s, t), std::max(s, t)};
    }
  }
  return std::nullopt;
}

}  // namespace moraine::shape
