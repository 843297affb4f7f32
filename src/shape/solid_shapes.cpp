// SPDX-License-Identifier: MIT
#include "shape/solid_shapes.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>

#include "shape/polygon.hpp"

namespace moraine::shape {

namespace {

using math::Vec2;

std::uint32_t count_of(const std::vector<Vec3>& vertices) { return static_cast<std::uint32_t>(vertices.size()); }

// Triangles of a polygon, by cutting off ears: corners that turn left with no other corner in their triangle. The
// roundest ear first, so that slivers come last.
std::vector<Corners> ears(const std::vector<Vec2>& outline) {
  std::vector<std::uint32_t> left(outline.size());
  std::iota(left.begin(), left.end(), 0u);
  std::vector<Corners> triangles;
  const auto corner = [&](std::size_t i) { return outline[left[i % left.size()]]; };
  while (left.size() > 3) {
    std::size_t best = 0;
    double roundest = -1;
    for (std::size_t i = 0; i < left.size(); ++i) {
      const Vec2 a = corner(i + left.size() - 1), b = corner(i), c = corner(i + 1);
      const double area = math::cross(b - a, c - b);
      if (!(area > 0)) continue;
      const double shape = area / std::max({math::norm2(b - a), math::norm2(c - b), math::norm2(a - c)});
      if (shape <= roundest) continue;
      const auto within = [&](const Vec2& x) {
        return math::cross(b - a, x - a) >= 0 && math::cross(c - b, x - b) >= 0 && math::cross(a - c, x - c) >= 0;
      };
      bool ear = true;
      for (std::size_t j = i + 2; j < i + left.size() - 1 && ear; ++j) {
        const Vec2 x = corner(j);
        ear = x == a || x == b || x == c || !within(x);
      }
      if (!ear) continue;
      roundest = shape;
      best = i;
    }
    const std::size_t n = left.size();
    triangles.push_back({left[(best + n - 1) % n], left[best], left[(best + 1) % n]});
    left.erase(left.begin() + static_cast<std::ptrdiff_t>(best));
  }
  triangles.push_back({left[0], left[1], left[2]});
  return triangles;
}

// The surface of those boxes between the given planes that are filled.
RawMesh blocks(const std::array<std::vector<double>, 3>& planes, const auto& filled) {
  RawMesh mesh;
  std::array<int, 3> n;
  for (std::size_t k = 0; k < 3; ++k) n[k] = static_cast<int>(planes[k].size());
  const auto vertex = [&](const std::array<int, 3>& at) {
    return static_cast<std::uint32_t>((at[2] * n[1] + at[1]) * n[0] + at[0]);
  };
  std::array<int, 3> at;
  for (at[2] = 0; at[2] < n[2]; ++at[2]) {
    for (at[1] = 0; at[1] < n[1]; ++at[1]) {
      for (at[0] = 0; at[0] < n[0]; ++at[0])
        mesh.vertices.push_back({planes[0][static_cast<std::size_t>(at[0])], planes[1][static_cast<std::size_t>(at[1])],
                                 planes[2][static_cast<std::size_t>(at[2])]});
    }
  }
  const auto is_filled = [&](const std::array<int, 3>& cell) {
    for (std::size_t k = 0; k < 3; ++k) {
      if (cell[k] < 0 || cell[k] >= n[k] - 1) return false;
    }
    return static_cast<bool>(filled(cell));
  };
  const auto add_side = [&](std::array<int, 3> corner, std::size_t k, bool outwards) {
    const std::size_t i = (k + 1) % 3, j = (k + 2) % 3;
    std::array<std::uint32_t, 4> c;
    c[0] = vertex(corner);
    ++corner[i];
    c[1] = vertex(corner);
    ++corner[j];
    c[2] = vertex(corner);
    --corner[i];
    c[3] = vertex(corner);
    if (!outwards) std::swap(c[1], c[3]);
    mesh.triangles.push_back({c[0], c[1], c[2]});
    mesh.triangles.push_back({c[0], c[2], c[3]});
  };
  for (at[2] = 0; at[2] < n[2] - 1; ++at[2]) {
    for (at[1] = 0; at[1] < n[1] - 1; ++at[1]) {
      for (at[0] = 0; at[0] < n[0] - 1; ++at[0]) {
        if (!is_filled(at)) continue;
        for (std::size_t k = 0; k < 3; ++k) {
          std::array<int, 3> next = at;
          --next[k];
          if (!is_filled(next)) add_side(at, k, false);
          next[k] += 2;
          std::array<int, 3> far = at;
          ++far[k];
          if (!is_filled(next)) add_side(far, k, true);
        }
      }
    }
  }
  return mesh;
}

// A direction at random, all alike.
Vec3 random_direction(base::Stream& random) {
  for (;;) {
    const Vec3 d{random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)};
    const double r2 = math::norm2(d);
    if (r2 > 0.01 && r2 < 1) return d * (1 / std::sqrt(r2));
  }
}

Vec3 stretched(const Vec3& direction, const Vec3& size) {
  return {0.5 * size[0] * direction[0], 0.5 * size[1] * direction[1], 0.5 * size[2] * direction[2]};
}

}  // namespace

RawMesh brick(const Vec3& size) { return box(-0.5 * size, 0.5 * size); }

RawMesh tetrahedron(double radius) {
  const double s = radius / std::sqrt(3.0);
  return {{{s, s, s}, {s, -s, -s}, {-s, s, -s}, {-s, -s, s}}, {{0, 1, 2}, {0, 3, 1}, {0, 2, 3}, {1, 3, 2}}};
}

RawMesh octahedron(double radius) {
  const double r = radius;
  return {{{r, 0, 0}, {-r, 0, 0}, {0, r, 0}, {0, -r, 0}, {0, 0, r}, {0, 0, -r}},
          {{0, 2, 4}, {2, 1, 4}, {1, 3, 4}, {3, 0, 4}, {2, 0, 5}, {1, 2, 5}, {3, 1, 5}, {0, 3, 5}}};
}

RawMesh extruded(const std::vector<Vec2>& outline, double height) {
  RawMesh mesh;
  const auto n = static_cast<std::uint32_t>(outline.size());
  for (const double z : {-0.5 * height, 0.5 * height}) {
    for (const Vec2& c : outline) mesh.vertices.push_back({c[0], c[1], z});
  }
  for (const Corners& c : ears(outline)) {
    mesh.triangles.push_back({c[0], c[2], c[1]});
    mesh.triangles.push_back({c[0] + n, c[1] + n, c[2] + n});
  }
  for (std::uint32_t i = 0; i < n; ++i) {
    const std::uint32_t j = (i + 1) % n;
    mesh.triangles.push_back({i, j, j + n});
    mesh.triangles.push_back({i, j + n, i + n});
  }
  return mesh;
}

RawMesh prism(int corners, double radius, double height) { return star(corners, radius, 0, height); }

RawMesh star(int points, double radius, double inner, double height) {
  std::vector<Vec2> outline;
  for (int i = 0; i < points; ++i) {
    const double angle = 2 * math::kPi * i / points, next = angle + math::kPi / points;
    outline.push_back({radius * math::cos(angle), radius * math::sin(angle)});
    if (inner > 0) outline.push_back({inner * math::cos(next), inner * math::sin(next)});
  }
  return extruded(outline, height);
}

RawMesh letter_l(double width, double height, double bar) {
  return extruded({{0, 0}, {width, 0}, {width, bar}, {bar, bar}, {bar, height}, {0, height}}, bar);
}

RawMesh letter_t(double width, double height, double bar) {
  const double w = 0.5 * width, b = 0.5 * bar;
  return extruded({{-b, 0},
                   {b, 0},
                   {b, height - bar},
                   {w, height - bar},
                   {w, height},
                   {-w, height},
                   {-w, height - bar},
                   {-b, height - bar}},
                  bar);
}

RawMesh jack(double size, double bar) {
  const std::vector<double> planes{-0.5 * size, -0.5 * bar, 0.5 * bar, 0.5 * size};
  return blocks({planes, planes, planes}, [](const std::array<int, 3>& cell) {
    return std::count(cell.begin(), cell.end(), 1) >= 2;  // within the bar along at least two axes
  });
}

// Point by point: what a new point sees of the hull is replaced by triangles from the rim of that part to the point.
RawMesh hull(std::vector<Vec3> points) {
  RawMesh mesh;
  const auto volume = [&](const Corners& c, const Vec3& x) {
    const Vec3& a = points[c[0]];
    return math::dot(x - a, math::cross(points[c[1]] - a, points[c[2]] - a));
  };
  Vec3 low = points.empty() ? Vec3{} : points[0], high = low;
  for (const Vec3& p : points) {
    for (int k = 0; k < 3; ++k) {
      low[k] = std::min(low[k], p[k]);
      high[k] = std::max(high[k], p[k]);
    }
  }
  const double span = math::norm(high - low), noise = 1e-12 * span * span * span;
  // The first four are far from each other.
  const auto bring = [&](std::size_t to, const auto& worth) {
    std::size_t best = to;
    for (std::size_t i = to; i < points.size(); ++i) {
      if (worth(points[i]) > worth(points[best])) best = i;
    }
    std::swap(points[to], points[best]);
  };
  if (points.size() < 4) return mesh;
  bring(1, [&](const Vec3& p) { return math::norm2(p - points[0]); });
  bring(2, [&](const Vec3& p) { return math::norm2(math::cross(p - points[0], points[1] - points[0])); });
  bring(3, [&](const Vec3& p) { return std::fabs(volume({0, 1, 2}, p)); });
  if (!(std::fabs(volume({0, 1, 2}, points[3])) > noise)) return mesh;
  if (volume({0, 1, 2}, points[3]) > 0) std::swap(points[1], points[2]);
  std::vector<Corners> faces{{0, 1, 2}, {0, 3, 1}, {1, 3, 2}, {2, 3, 0}};
  for (std::uint32_t p = 4; p < points.size(); ++p) {
    std::vector<Corners> kept;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> seen_edges;
    for (const Corners& f : faces) {
      if (volume(f, points[p]) <= noise) {
        kept.push_back(f);
        continue;
      }
      for (std::size_t i = 0; i < 3; ++i) seen_edges.emplace_back(f[i], f[(i + 1) % 3]);
    }
    for (const auto& [a, b] : seen_edges) {
      if (std::find(seen_edges.begin(), seen_edges.end(), std::pair{b, a}) == seen_edges.end())
        kept.push_back({a, b, p});
    }
    faces = std::move(kept);
  }
  std::vector<std::uint32_t> number(points.size(), kNone);
  for (Corners& f : faces) {
    for (std::uint32_t& i : f) {
      if (number[i] == kNone) {
        number[i] = count_of(mesh.vertices);
        mesh.vertices.push_back(points[i]);
      }
      i = number[i];
    }
  }
  mesh.triangles = std::move(faces);
  return mesh;
}

RawMesh convex_rock(int points, const Vec3& size, base::Stream& random) {
  std::vector<Vec3> on;
  on.reserve(static_cast<std::size_t>(points));
  for (int i = 0; i < points; ++i) on.push_back(stretched(random_direction(random), size));
  return hull(std::move(on));
}

RawMesh rough_rock(int level, const Vec3& size, double roughness, base::Stream& random) {
  RawMesh mesh = icosphere(1, level);
  for (Vec3& v : mesh.vertices) v = stretched(v, size) * (1 - roughness * random.uniform());
  return mesh;
}

}  // namespace moraine::shape
