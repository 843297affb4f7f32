// SPDX-License-Identifier: MIT
#include "hard/contact.hpp"

#include <cmath>

#include "world/near_wall.hpp"

namespace moraine::hard {

namespace {

template <int D>
Vec<D> centripetal(const Spin<D>& w, const Vec<D>& r) {
  return math::cross(w, math::cross(w, r));
}

// The centre of a surface on a node.
template <int D>
struct Centre {
  Vec<D> arm, x, v, extra;
  Spin<D> w;
};
template <int D>
Centre<D> centre_of(std::uint32_t node, const Vec<D>& anchor, const Kinematics<D>& k) {
  Centre<D> c;
  c.arm = math::norm2(anchor) > 0 ? math::rotated(anchor, k.q[node]) : anchor;
  c.w = k.w[node];
  c.x = k.x[node] + c.arm;
  c.v = k.v[node] + math::cross(c.w, c.arm);
  c.extra = centripetal<D>(c.w, c.arm);
  return c;
}

// What a wall is to a point near it: where its nearest point is, how it curves there, and about which centre.
template <int D>
struct Side {
  Vec<D> nearest, centre{}, axis{};
  int curve = 0;  // 0: flat; +1: a point or the outside of a circle; -1: its inside
  bool has_axis = false;
};
template <int D>
Side<D> side_of(const world::Surface<D>& s, const Vec<D>& x) {
  Side<D> side;
  bool at_end = false;
  side.nearest = world::nearest_point(s, x, at_end);
  if constexpr (D == 3) {
    if (s.form == world::Form::kFlat) return side;
    side.has_axis = true;
    side.axis = s.b;
    side.centre = s.a + s.b * math::dot(x - s.a, s.b);
  } else {
    if (s.form == world::Form::kFlat) {
      side.centre = side.nearest;
      side.curve = at_end ? 1 : 0;
      return side;
    }
    side.centre = s.a;
  }
  side.curve = math::norm(x - side.centre) < s.r0 ? -1 : 1;
  return side;
}

template <int D>
Meeting<D> meet_wall(const Contact<D>& contact, const Centre<D>& a, const world::Wall<D>& wall, double t) {
  const Side<D> side = side_of(wall.now, a.x);
  Meeting<D> m;
  const Vec<D> to = side.nearest - a.x;
  double distance = math::norm(to);
  if (D == 3 && wall.now.form == world::Form::kFlat) {
    m.n = -wall.now.b;
    distance = math::dot(to, m.n);
  } else {
    m.n = to * (1 / distance);
  }
  m.gap = distance - contact.radius_a;
  const Vec<D> wall_v = wall.motion.velocity(t), wall_a = wall.motion.acceleration(t);
  Vec<D> u = wall_v - a.v;
  m.rate = math::dot(m.n, u);
  Vec<D> u_t = u - m.n * m.rate;
  if (side.has_axis) u_t -= side.axis * math::dot(side.axis, u_t);
  const double curve = side.curve == 0 ? 0 : side.curve / math::norm(a.x - side.centre);
  const Vec<D> n_rate = u_t * curve;
  m.touch_a = a.arm + m.n * contact.radius_a;
  m.surface_b = wall_v + wall.motion.slide(t) + math::cross(wall.spin, side.nearest - wall.reference);
  const Vec<D> slip = m.surface_b - a.v - math::cross(a.w, m.n * contact.radius_a);
  m.slip = slip - m.n * math::dot(m.n, slip);
  m.bend = math::norm2(u_t) * curve + math::dot(m.n, wall_a - a.extra);
  m.bend_across = wall_a - a.extra - math::cross(a.w * contact.radius_a, n_rate);
  // The nearest point of a turning circle moves on along it.
  if (side.curve != 0) m.bend_across += math::cross(wall.spin, n_rate * (-side.curve * wall.now.r0));
  return m;
}

}  // namespace

template <int D>
const world::Wall<D>& WallsAt<D>::at(std::size_t w, double t) {
  world::Wall<D>& wall = walls_[w];
  if (wall.moves()) world::place_wall(wall, t, 0);
  return wall;
}

template <int D>
Vec<D> across_vector(const Vec<D>& n, std::size_t s) {
  if constexpr (D == 2) {
    (void)s;
    return {-n[1], n[0]};
  } else {
    const Vec<3> first = world::across(n);
    return s == 0 ? first : math::cross(n, first);
  }
}

template <int D>
Meeting<D> meet(const Contact<D>& contact, const Kinematics<D>& k, std::size_t movable, WallsAt<D>& walls, double t) {
  const Centre<D> a = centre_of(contact.a, contact.anchor_a, k);
  if (contact.wall()) return meet_wall(contact, a, walls.at(contact.wall_number(), t), t);
  const Centre<D> b = centre_of(contact.b, contact.anchor_b, k);
  Meeting<D> m;
  const Vec<D> apart = b.x - a.x, u = b.v - a.v;
  const double distance = math::norm(apart);
  m.n = apart * (1 / distance);
  m.gap = distance - contact.radius_a - contact.radius_b;
  m.rate = math::dot(m.n, u);
  const Vec<D> u_t = u - m.n * m.rate, n_rate = u_t * (1 / distance);
  m.touch_a = a.arm + m.n * contact.radius_a;
  m.touch_b = b.arm - m.n * contact.radius_b;
  m.surface_b = b.v - math::cross(b.w, m.n * contact.radius_b);
  const Vec<D> slip = m.surface_b - a.v - math::cross(a.w, m.n * contact.radius_a);
  m.slip = slip - m.n * math::dot(m.n, slip);
  Vec<D> extra = b.extra - a.extra;
  if (contact.a >= movable) extra -= k.held_a[contact.a - movable];
  if (contact.b >= movable) extra += k.held_a[contact.b - movable];
  m.bend = math::norm2(u_t) / distance + math::dot(m.n, extra);
  m.bend_across = extra - math::cross(b.w * contact.radius_b + a.w * contact.radius_a, n_rate);
  return m;
}

#define MORAINE_INSTANTIATE(D)                                  \
  template class WallsAt<D>;                                    \
  template Vec<D> across_vector<D>(const Vec<D>&, std::size_t); \
  template Meeting<D> meet<D>(const Contact<D>&, const Kinematics<D>&, std::size_t, WallsAt<D>&, double);
MORAINE_INSTANTIATE(2)
MORAINE_INSTANTIATE(3)

}  // namespace moraine::hard
