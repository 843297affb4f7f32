// SPDX-License-Identifier: MIT
#include "touch/solids.hpp"

#include "touch/solid_between.hpp"
#include "touch/solid_features.hpp"

namespace moraine::touch {

namespace {

// Corners and ridges of one solid in another. `outside`: of each corner, a set of half-spaces that the other solid is
// not in and the corner is. A corner with any, and a ridge whose ends share one, touches nothing.
template <int D>
void features_in(const Posed<D>& mine, const Posed<D>& other, bool second, double margin,
                 std::vector<std::uint64_t>& outside, std::vector<SolidTouch<D>>& out) {
  const shape::Solid<D>& solid = *mine.solid;
  const Way<D> way(mine, other);
  thread_local std::vector<Vec<D>> at;
  at.clear();
  for (const std::uint32_t v : solid.corners) at.push_back(way(solid.vertices[v]));
  thread_local std::vector<std::uint8_t> asked;  // corners at which the distance is needed
  const auto ask = [&] {
    asked.clear();
    for (const std::uint64_t spaces : outside) asked.push_back(spaces == 0 ? 1 : 0);
    for (const shape::Ridge& r : solid.ridges) {
      if ((outside[r.from] & outside[r.to]) == 0) asked[r.from] = asked[r.to] = 1;
    }
  };
  ask();
  thread_local std::vector<std::uint32_t> which;
  which.clear();
  for (std::uint32_t c = 0; c < at.size(); ++c) {
    if (asked[c] != 0) which.push_back(c);
  }
  add_half_spaces<D>(*other.solid, at, which, margin / other.scale, outside);
  ask();
  Features<D> features(other, second, margin, 0.5);
  thread_local std::vector<Vec<D>> spokes;
  for (std::size_t c = 0; c < solid.corners.size(); ++c) {
    if (asked[c] == 0) {
      features.no_corner();
      continue;
    }
    const auto spokes_of = [&] {
      spokes.clear();
      for (std::uint32_t k = solid.spoke_start[c]; k < solid.spoke_start[c + 1]; ++k)
        spokes.push_back(math::rotated(math::rotated(solid.spokes[k], mine.turned), math::inverse(other.turned)));
      return std::span<const Vec<D>>(spokes);
    };
    features.corner(at[c], solid.corners[c], spokes_of, out);
  }
  if constexpr (D == 3) {
    for (std::uint32_t r = 0; r < solid.ridges.size(); ++r) {
      const shape::Ridge& ridge = solid.ridges[r];  // its ends are numbers of corners
      if ((outside[ridge.from] & outside[ridge.to]) == 0) features.ridge(ridge.from, ridge.to, r, out);
    }
  }
}

void touch_ball_outside(const Posed<3>& solid, const Vec<3>& x, double radius, std::vector<SolidTouch<3>>& out) {
  thread_local std::vector<std::uint32_t> near;
  thread_local std::vector<shape::MeshTouch> found;
  const Vec<3> own = solid.to_own(x);
  const shape::Skin<3>& skin = solid.solid->skin;
  skin.tree.near(own, radius / solid.scale, near);
  shape::touching(skin.mesh, near, own, radius / solid.scale, found);
  for (const shape::MeshTouch& m : found) {
    SolidTouch<3> t;
    t.k = math::rotated(m.k, solid.turned);
    t.depth = m.distance * solid.scale;  // the distance, as yet
    t.key = m.patch;
    out.push_back(t);
  }
}
// In the plane: sides that the centre is in front of, and corners.
void touch_ball_outside(const Posed<2>& solid, const Vec<2>& x, double radius, std::vector<SolidTouch<2>>& out) {
  const shape::Solid<2>& s = *solid.solid;
  const Vec<2> own = solid.to_own(x);
  const double reach = radius / solid.scale;
  const auto n = static_cast<std::uint32_t>(s.facets.size());
  const auto along = [&](std::uint32_t f) { return s.vertices[s.facets[f][1]] - s.vertices[s.facets[f][0]]; };
  const auto add = [&](const Vec<2>& nearest, std::uint32_t key) {
    const Vec<2> to = nearest - own;
    const double distance = math::norm(to);
    if (!(distance < reach)) return;
    SolidTouch<2> t;
    t.k = math::rotated(to * (1 / distance), solid.turned);
    t.depth = distance * solid.scale;
    t.key = key;
    out.push_back(t);
  };
  for (std::uint32_t f = 0; f < n; ++f) {
    const Vec<2>&a = s.vertices[s.facets[f][0]], &b = s.vertices[s.facets[f][1]];
    const double from_a = math::dot(own - a, along(f)), from_b = math::dot(b - own, along(f));
    if (math::dot(own - a, s.normals[f]) < 0) continue;
    if (from_a > 0 && from_b > 0) add(own - s.normals[f] * math::dot(own - a, s.normals[f]), f);
    if (from_b <= 0 && math::dot(own - b, along((f + 1) % n)) <= 0) add(b, n + f);
  }
}

}  // namespace

template <int D>
void touch_solids(const Posed<D>& a, const Posed<D>& b, double margin, std::vector<SolidTouch<D>>& out) {
  out.clear();
  thread_local Between<D> between;
  if (!between.look(a, b, margin)) return;
  features_in(a, b, false, margin, between.first(), out);
  features_in(b, a, true, margin, between.second(), out);
}

template <int D>
void touch_ball(const Posed<D>& solid, const Vec<D>& x, double radius, bool ball_first, double margin,
                std::vector<SolidTouch<D>>& out) {
  out.clear();
  const Vec<D> own = solid.to_own(x);
  const shape::DistanceField<D>& field = solid.solid->field;
  const shape::Depth<D> centre = field.covers(own) ? field.at(own) : shape::Depth<D>{1, {}, 0};
  if (centre.distance < 0) {  // the ball's centre is inside
    SolidTouch<D> t;
    t.k = -math::rotated(centre.gradient, solid.turned);
    t.depth = centre.distance * solid.scale;
    out.push_back(t);
  } else {
    touch_ball_outside(solid, x, radius + margin, out);
  }
  // So far k leads from the ball to the solid, and the depth is the distance of the centre from the surface.
  for (SolidTouch<D>& t : out) {
    t.point = x + t.k * t.depth;
    t.depth = radius - t.depth;
    if (ball_first) {
      t.key |= world::kSecondSolid;
    } else {
      t.k = -t.k;
    }
  }
}

template <int D>
void touch_bodies(const world::World<D>& world, std::uint32_t i, std::uint32_t j, const Vec<D>& shift, double margin,
                  std::vector<SolidTouch<D>>& out) {
  out.clear();
  const world::Place<D>&a = world.bodies.place[i], &b = world.bodies.place[j];
  const double reach = a.radius + b.radius + margin;
  if (!(math::norm2(b.x + shift - a.x) < reach * reach)) return;
  const bool first = world.solid_of(i) != nullptr, second = world.solid_of(j) != nullptr;
  if (first && second) return touch_solids(posed(world, i), posed(world, j, shift), margin, out);
  if (first) return touch_ball(posed(world, i), b.x + shift, b.radius, false, margin, out);
  touch_ball(posed(world, j, shift), a.x, a.radius, true, margin, out);
}

#define MORAINE_INSTANTIATE(D)                                                                                    \
  template void touch_solids<D>(const Posed<D>&, const Posed<D>&, double, std::vector<SolidTouch<D>>&);           \
  template void touch_ball<D>(const Posed<D>&, const Vec<D>&, double, bool, double, std::vector<SolidTouch<D>>&); \
  template void touch_bodies<D>(const world::World<D>&, std::uint32_t, std::uint32_t, const Vec<D>&, double,      \
                                std::vector<SolidTouch<D>>&);
MORAINE_INSTANTIATE(2)
MORAINE_INSTANTIATE(3)

}  // namespace moraine::touch
