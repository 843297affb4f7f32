// SPDX-License-Identifier: MIT
#include "world/near_wall.hpp"

namespace moraine::world {

Vec<3> nearest_on_mesh(const Surface<3>& s, const Vec<3>& x, bool& at_end) {
  const Vec<3> here = s.to_mesh(x);
  std::vector<std::uint32_t> near;
  double reach = 1e-3 * math::norm(s.mesh->mesh.max - s.mesh->mesh.min);
  while (near.empty()) {
    s.mesh->tree.near(here, reach, near);
    reach *= 2;
  }
  shape::NearestPoint best{};
  best.distance = std::numeric_limits<double>::infinity();
  for (const std::uint32_t t : near) {
    const shape::NearestPoint p = shape::nearest_on_triangle(s.mesh->mesh, t, here);
    if (p.distance < best.distance) best = p;
  }
  at_end = best.feature != shape::Feature::kFace;
  return s.from_mesh(best.point);
}

template <int D>
double Surface<D>::extent() const {
  if (form == Form::kCircle) return r0;
  if (form == Form::kRevolved) return std::hypot(length, std::max(r0, r1));
  if constexpr (D == 3) {
    if (form == Form::kMesh) {
      double farthest = 0;
      for (int corner = 0; corner < 8; ++corner) {
        Vec<3> c;
        for (int k = 0; k < 3; ++k) c[k] = (((corner >> k) & 1) != 0 ? mesh->mesh.max : mesh->mesh.min)[k];
        farthest = std::max(farthest, math::norm(c - origin));
      }
      return farthest;
    }
  }
  return std::numeric_limits<double>::infinity();
}

template struct Surface<2>;
template struct Surface<3>;

}  // namespace moraine::world
