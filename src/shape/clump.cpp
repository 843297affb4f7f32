// SPDX-License-Identifier: MIT
#include "shape/clump.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "math/principal.hpp"
#include "shape/disk_union.hpp"
#include "shape/sphere_union.hpp"

namespace moraine::shape {

namespace {

constexpr double kRounding = 4 * std::numeric_limits<double>::epsilon();

// About the middle and in units of the size of the clump: what follows does not depend on place and unit.
template <int D>
struct Frame {
  math::Vec<D> origin{};
  double size = 0;
};

template <int D>
Frame<D> frame_of(const std::vector<Member<D>>& members) {
  if (members.empty()) throw std::invalid_argument("a clump needs at least one member");
  Frame<D> frame;
  for (const auto& m : members) {
    if (!(m.radius > 0) || !std::isfinite(m.radius) || !math::is_finite(m.x))
      throw std::invalid_argument("a member of a clump needs a finite place and a positive radius");
    frame.origin += m.x * (1 / static_cast<double>(members.size()));
  }
  for (const auto& m : members) frame.size = std::max(frame.size, norm(m.x - frame.origin) + m.radius);
  return frame;
}

// Area, centre, inertia and error of members in their frame.
MassProperties<2> framed_properties(const std::vector<Member<2>>& members) {
  const PlaneMoments m = DiskUnion().moments(members);
  MassProperties<2> p;
  p.measure = m.area;
  p.centre = {m.x / m.area, m.y / m.area};
  p.inertia = m.xx + m.yy - m.area * norm2(p.centre);
  // Rounding: the integrand along the boundary is at most the cube of the size, of which half or a quarter counts.
  p.error = kRounding * m.perimeter * std::max(0.5 / m.area, 0.25 / p.inertia);
  return p;
}

MassProperties<3> framed_properties(const std::vector<Member<3>>& members) {
  const SolidMoments m = sphere_union(members);
  MassProperties<3> p;
  const double v = p.measure = m.volume;
  const math::Vec3 c = p.centre = m.first * (1 / v);
  const double xx = m.second.xx - v * c[0] * c[0], yy = m.second.yy - v * c[1] * c[1],
               zz = m.second.zz - v * c[2] * c[2];
  const math::Symmetric3 inertia{yy + zz,
                                 xx + zz,
                                 xx + yy,
                                 v * c[0] * c[1] - m.second.xy,
                                 v * c[0] * c[2] - m.second.xz,
                                 v * c[1] * c[2] - m.second.yz};
  const math::Principal principal = math::principal_axes(inertia, 1e-14);
  p.inertia = principal.values;
  p.axes = principal.axes;
  p.error = std::max({m.volume_error / v, m.first_error / v, 2 * m.second_error / p.inertia[0]}) + kRounding;
  return p;
}

}  // namespace

template <int D>
MassProperties<D> union_properties(const std::vector<Member<D>>& members) {
  const Frame<D> frame = frame_of(members);
  std::vector<Member<D>> framed;
  framed.reserve(members.size());
  for (const auto& m : members) framed.push_back({(m.x - frame.origin) * (1 / frame.size), m.radius / frame.size});
  MassProperties<D> p = framed_properties(framed);
  const double size_d = D == 2 ? frame.size * frame.size : frame.size * frame.size * frame.size;
  p.measure *= size_d;
  p.centre = frame.origin + frame.size * p.centre;
  p.inertia *= size_d * frame.size * frame.size;
  for (const auto& m : members) p.outer = std::max(p.outer, norm(m.x - p.centre) + m.radius);
  return p;
}

template <int D>
std::vector<std::size_t> loose_members(const std::vector<Member<D>>& members) {
  if (members.empty()) return {};
  std::vector<std::size_t> loose;
  for (std::size_t i = 1; i < members.size(); ++i) loose.push_back(i);
  std::vector<std::size_t> reached{0};
  for (std::size_t k = 0; k < reached.size(); ++k) {
    const Member<D> a = members[reached[k]];
    const auto is_apart = [&](std::size_t i) {
      const Member<D>& b = members[i];
      return norm(b.x - a.x) > a.radius + b.radius + 1e-9 * std::min(a.radius, b.radius);
    };
    const auto touching = std::stable_partition(loose.begin(), loose.end(), is_apart);
    reached.insert(reached.end(), touching, loose.end());
    loose.erase(touching, loose.end());
  }
  return loose;
}

template MassProperties<2> union_properties(const std::vector<Member<2>>&);
template MassProperties<3> union_properties(const std::vector<Member<3>>&);
template std::vector<std::size_t> loose_members(const std::vector<Member<2>>&);
template std::vector<std::size_t> loose_members(const std::vector<Member<3>>&);

}  // namespace moraine::shape
