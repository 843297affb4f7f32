// SPDX-License-Identifier: MIT
// Solids of all kinds, and random positions, for the tests of their geometry.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "shape/solid.hpp"
#include "shape/solid_shapes.hpp"

namespace moraine::test {

using math::Vec3;

struct NamedMesh {
  std::string name;
  shape::RawMesh mesh;
};

inline std::vector<NamedMesh> all_kinds() {
  base::Stream random(7, "kinds");
  std::vector<NamedMesh> kinds;
  kinds.push_back({"box", shape::brick({1, 1.2, 0.8})});
  kinds.push_back({"tetrahedron", shape::tetrahedron(1)});
  kinds.push_back({"octahedron", shape::octahedron(1)});
  kinds.push_back({"prism", shape::prism(6, 0.7, 1)});
  kinds.push_back({"L", shape::letter_l(1, 1.4, 0.4)});
  kinds.push_back({"T", shape::letter_t(1.2, 1.3, 0.3)});
  kinds.push_back({"jack", shape::jack(1.6, 0.35)});
  kinds.push_back({"star", shape::star(5, 1, 0.45, 0.5)});
  kinds.push_back({"convex rock", shape::convex_rock(20, {1.5, 1.2, 1}, random)});
  kinds.push_back({"rough rock", shape::rough_rock(1, {1.5, 1.3, 1.2}, 0.4, random)});
  return kinds;
}

inline Vec3 random_direction(base::Stream& random) {
  for (;;) {
    const Vec3 d{random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)};
    const double r2 = math::norm2(d);
    if (r2 > 0.01 && r2 < 1) return d * (1 / std::sqrt(r2));
  }
}
inline math::Quaternion random_turn(base::Stream& random) {
  return math::from_rotation(random_direction(random) * random.uniform(0, math::kPi));
}

// Whether the segment from p to q passes through the triangle, by the signs of five volumes.
inline bool pierces(const Vec3& p, const Vec3& q, const Vec3& a, const Vec3& b, const Vec3& c) {
  const auto volume = [](const Vec3& o, const Vec3& u, const Vec3& v, const Vec3& w) {
    return math::dot(u - o, math::cross(v - o, w - o));
  };
  if (!(volume(a, b, c, p) * volume(a, b, c, q) < 0)) return false;
  const double x = volume(p, q, a, b), y = volume(p, q, b, c), z = volume(p, q, c, a);
  return (x > 0 && y > 0 && z > 0) || (x < 0 && y < 0 && z < 0);
}

// The reference of Muth and Eberhard: a ray from a point that is inside crosses the surface an odd number of times.
inline bool inside_by_ray(const std::vector<Vec3>& vertices, const std::vector<shape::Facet<3>>& facets,
                          const Vec3& x) {
  const Vec3 far = x + Vec3{131.1, 77.77, 93.31};
  int crossings = 0;
  for (const auto& f : facets) crossings += pierces(x, far, vertices[f[0]], vertices[f[1]], vertices[f[2]]) ? 1 : 0;
  return crossings % 2 == 1;
}

}  // namespace moraine::test
