// SPDX-License-Identifier: MIT
#include "shape/mesh_shapes.hpp"

#include <algorithm>
#include <map>

namespace moraine::shape {

namespace {

std::uint32_t count_of(const std::vector<Vec3>& vertices) { return static_cast<std::uint32_t>(vertices.size()); }

// Unit vectors that make a right-handed frame with the unit vector `axis`.
std::array<Vec3, 2> across(const Vec3& axis) {
  const Vec3 aside = std::fabs(axis[0]) < 0.7 ? Vec3{1, 0, 0} : Vec3{0, 1, 0};
  Vec3 u = aside - math::dot(aside, axis) * axis;
  u *= 1 / math::norm(u);
  return {u, math::cross(axis, u)};
}

// One circle of a surface of revolution.
struct Ring {
  Vec3 centre;
  double radius;
};

// The skin through the rings, from the first to the last; a ring of radius 0 is one point.
RawMesh skin(const std::vector<Ring>& rings, const Vec3& axis, int around) {
  const auto [u, v] = across(axis);
  RawMesh mesh;
  std::vector<std::uint32_t> begin;
  for (const Ring& ring : rings) {
    begin.push_back(count_of(mesh.vertices));
    if (ring.radius == 0) mesh.vertices.push_back(ring.centre);
    for (int i = 0; ring.radius != 0 && i < around; ++i) {
      const double angle = 2 * math::kPi * i / around;
      mesh.vertices.push_back(ring.centre + (ring.radius * math::cos(angle)) * u +
                              (ring.radius * math::sin(angle)) * v);
    }
  }
  const auto corner = [&](std::size_t ring, int i) {
    return begin[ring] + (rings[ring].radius == 0 ? 0u : static_cast<std::uint32_t>(i % around));
  };
  for (std::size_t j = 0; j + 1 < rings.size(); ++j) {
    for (int i = 0; i < around; ++i) {
      const std::uint32_t a = corner(j, i), b = corner(j, i + 1), c = corner(j + 1, i + 1), d = corner(j + 1, i);
      if (a != b) mesh.triangles.push_back({a, b, c});
      if (c != d) mesh.triangles.push_back({a, c, d});
    }
  }
  return mesh;
}

}  // namespace

RawMesh joined(RawMesh a, const RawMesh& b) {
  const std::uint32_t shift = count_of(a.vertices);
  a.vertices.insert(a.vertices.end(), b.vertices.begin(), b.vertices.end());
  for (const Corners& c : b.triangles) a.triangles.push_back({c[0] + shift, c[1] + shift, c[2] + shift});
  return a;
}

RawMesh grid(const Vec3& corner, const Vec3& edge_u, const Vec3& edge_v, int nu, int nv) {
  RawMesh mesh;
  const auto number = [nu](int i, int j) { return static_cast<std::uint32_t>(j * (nu + 1) + i); };
  for (int j = 0; j <= nv; ++j) {
    for (int i = 0; i <= nu; ++i)
      mesh.vertices.push_back(corner + (static_cast<double>(i) / nu) * edge_u + (static_cast<double>(j) / nv) * edge_v);
  }
  for (int j = 0; j < nv; ++j) {
    for (int i = 0; i < nu; ++i) {
      mesh.triangles.push_back({number(i, j), number(i + 1, j), number(i + 1, j + 1)});
      mesh.triangles.push_back({number(i, j), number(i + 1, j + 1), number(i, j + 1)});
    }
  }
  return mesh;
}

RawMesh box(const Vec3& min, const Vec3& max, int divisions) {
  RawMesh mesh;
  for (int k = 0; k < 3; ++k) {
    const int i = (k + 1) % 3, j = (k + 2) % 3;
    Vec3 u{}, v{}, top = min;
    u[i] = max[i] - min[i];
    v[j] = max[j] - min[j];
    top[k] = max[k];
    mesh = joined(std::move(mesh), grid(min, v, u, divisions, divisions));
    mesh = joined(std::move(mesh), grid(top, u, v, divisions, divisions));
  }
  return mesh;
}

RawMesh tube(const Vec3& base, const Vec3& axis, double radius0, double radius1, double length, int around, int along) {
  const Vec3 direction = axis * (1 / math::norm(axis));
  std::vector<Ring> rings;
  for (int j = 0; j <= along; ++j) {
    const double share = static_cast<double>(j) / along;
    rings.push_back({base + (share * length) * direction, (1 - share) * radius0 + share * radius1});
  }
  return skin(rings, direction, around);
}

RawMesh hourglass(double radius, double neck_radius, double height, int around, int along, bool closed_bottom,
                  bool closed_top) {
  std::vector<Ring> rings;
  if (closed_bottom) rings.push_back({{0, 0, -0.5 * height}, 0});
  for (int j = 0; j <= along; ++j) {
    const double share = static_cast<double>(j) / along;
    const double widening = 0.5 * (1 + math::cos(2 * math::kPi * share));  // 1 at the ends, 0 in the middle
    rings.push_back({{0, 0, (share - 0.5) * height}, neck_radius + (radius - neck_radius) * widening});
  }
  if (closed_top) rings.push_back({{0, 0, 0.5 * height}, 0});
  return skin(rings, {0, 0, 1}, around);
}

RawMesh helix(const Helix& h) {
  const double per_turn = std::sqrt(h.pitch * h.pitch + 4 * math::kPi * math::kPi * h.radius * h.radius);
  const double slope = h.pitch / (2 * math::kPi * h.radius);
  const int pieces = std::max(1, static_cast<int>(std::ceil(h.turns * h.around - 1e-9)));
  const int straight = h.lead > 0 ? std::max(1, static_cast<int>(std::ceil(h.lead * h.around / per_turn))) : 0;
  RawMesh mesh;
  const auto add_section = [&](const Vec3& middle, const Vec3& out) {
    const double half = 0.5 * h.width;
    const Vec3 up{0, 0, h.height};
    for (const Vec3& v : {middle - half * out + up, middle - half * out, middle + half * out, middle + half * out + up})
      mesh.vertices.push_back(v);
  };
  for (int k = 0; k < straight; ++k) {
    const double before = h.lead * (1 - static_cast<double>(k) / straight);
    add_section({h.radius, -before, slope * before}, {1, 0, 0});
  }
  for (int k = 0; k <= pieces; ++k) {
    const double angle = 2 * math::kPi * h.turns * k / pieces;
    const Vec3 out{math::cos(angle), math::sin(angle), 0};
    add_section(h.radius * out + Vec3{0, 0, -h.pitch * h.turns * k / pieces}, out);
  }
  for (std::uint32_t s = 0; s + 4 < count_of(mesh.vertices); s += 4) {
    for (std::uint32_t i = 0; i < 3; ++i) {
      mesh.triangles.push_back({s + i, s + i + 1, s + i + 5});
      mesh.triangles.push_back({s + i, s + i + 5, s + i + 4});
    }
  }
  return mesh;
}

RawMesh icosphere(double radius, int level) {
  const double g = 0.5 * (1 + std::sqrt(5.0));
  RawMesh mesh;
  mesh.vertices = {{-1, g, 0},  {1, g, 0},  {-1, -g, 0}, {1, -g, 0}, {0, -1, g},  {0, 1, g},
                   {0, -1, -g}, {0, 1, -g}, {g, 0, -1},  {g, 0, 1},  {-g, 0, -1}, {-g, 0, 1}};
  mesh.triangles = {{0, 11, 5},  {0, 5, 1},  {0, 1, 7},  {0, 7, 10}, {0, 10, 11}, {1, 5, 9}, {5, 11, 4},
                    {11, 10, 2}, {10, 7, 6}, {7, 1, 8},  {3, 9, 4},  {3, 4, 2},   {3, 2, 6}, {3, 6, 8},
                    {3, 8, 9},   {4, 9, 5},  {2, 4, 11}, {6, 2, 10}, {8, 6, 7},   {9, 8, 1}};
  const auto on_sphere = [radius](const Vec3& v) { return v * (radius / math::norm(v)); };
  for (Vec3& v : mesh.vertices) v = on_sphere(v);
  for (int l = 0; l < level; ++l) {
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> middles;
    const auto middle = [&](std::uint32_t a, std::uint32_t b) {
      const auto [at, is_new] = middles.try_emplace(std::minmax(a, b), count_of(mesh.vertices));
      if (is_new) mesh.vertices.push_back(on_sphere(mesh.vertices[a] + mesh.vertices[b]));
      return at->second;
    };
    std::vector<Corners> finer;
    for (const Corners& c : mesh.triangles) {
      const std::uint32_t ab = middle(c[0], c[1]), bc = middle(c[1], c[2]), ca = middle(c[2], c[0]);
      finer.insert(finer.end(), {{c[0], ab, ca}, {c[1], bc, ab}, {c[2], ca, bc}, {ab, bc, ca}});
    }
    mesh.triangles = std::move(finer);
  }
  return mesh;
}

}  // namespace moraine::shape
