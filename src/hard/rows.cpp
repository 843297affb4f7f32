// SPDX-License-Identifier: MIT
#include "hard/rows.hpp"

#include <algorithm>
#include <cmath>

#include "world/near_wall.hpp"

namespace moraine::hard {

namespace {

template <int D>
Vec<D> at_radius(const Spin<D>& w, const Vec<D>& r) {  // centripetal acceleration w x (w x r)
  return math::cross(w, math::cross(w, r));
}
template <>
Vec<2> at_radius<2>(const double& w, const Vec<2>& r) {
  return r * (-w * w);
}

// Rods and contacts: the distance, and for contacts that do not slip the way across.
template <int D>
void update_distance(Rows<D>& rows, const Arc<D>& arc, const Kinematics<D>& k, bool turning) {
  const std::size_t r = arc.row;
  Vec<D> d = k.x[arc.b] - k.x[arc.a], u = k.v[arc.b] - k.v[arc.a];
  Vec<D> arm_a{}, arm_b{}, extra{};
  if (turning) {
    arm_a = math::rotated(arc.anchor_a, k.q[arc.a]);
    arm_b = math::rotated(arc.anchor_b, k.q[arc.b]);
    d += arm_b - arm_a;
    u += math::cross(k.w[arc.b], arm_b) - math::cross(k.w[arc.a], arm_a);
    extra = at_radius<D>(k.w[arc.b], arm_b) - at_radius<D>(k.w[arc.a], arm_a);
  }
  const double length = arc.wall ? math::dot(d, arc.normal) : std::sqrt(math::norm2(d));
  const double inverse = arc.wall ? 0 : 1 / length;  // a plane does not turn
  const Vec<D> n = arc.wall ? arc.normal : d * inverse;
  const double along = math::dot(n, u);
  rows.n[r] = n;
  rows.gap[r] = length - arc.length;
  rows.rate[r] = along;
  rows.bend[r] = (math::norm2(u) - along * along) * inverse;
  if (!turning) return;
  rows.bend[r] += math::dot(n, extra);
  rows.turn_a[r] = math::cross(arm_a, n);
  rows.turn_b[r] = math::cross(arm_b, n);
  if (arc.rows == 1) return;
  // Rolling: the points of the two surfaces that touch have the same velocity.
  const Vec<D> touch_a = arm_a + n * arc.radius_a, touch_b = arm_b - n * arc.radius_b;
  const Vec<D> n_rate = (u - n * along) * inverse;
  const Vec<D> slip = k.v[arc.b] - k.v[arc.a] + math::cross(k.w[arc.b], touch_b) - math::cross(k.w[arc.a], touch_a);
  const Vec<D> bend = extra - math::cross(k.w[arc.b] * arc.radius_b + k.w[arc.a] * arc.radius_a, n_rate);
  for (std::size_t s = 1; s < arc.rows; ++s) {
    Vec<D> t;
    if constexpr (D == 2) {
      t = {-n[1], n[0]};
    } else {
      const Vec<3> first = world::across(n);
      t = s == 1 ? first : math::cross(n, first);
    }
    rows.n[r + s] = t;
    rows.turn_a[r + s] = math::cross(touch_a, t);
    rows.turn_b[r + s] = math::cross(touch_b, t);
    rows.gap[r + s] = 0;
    rows.rate[r + s] = math::dot(t, slip);
    rows.bend[r + s] = math::dot(t, bend);
  }
}

template <int D>
void update_joint(Rows<D>& rows, const Arc<D>& arc, const Kinematics<D>& k, bool turning) {
  Vec<D> d = k.x[arc.b] - k.x[arc.a], u = k.v[arc.b] - k.v[arc.a], bend{}, arm_a{}, arm_b{};
  if (turning) {
    arm_a = math::rotated(arc.anchor_a, k.q[arc.a]);
    arm_b = math::rotated(arc.anchor_b, k.q[arc.b]);
    d += arm_b - arm_a;
    u += math::cross(k.w[arc.b], arm_b) - math::cross(k.w[arc.a], arm_a);
    bend = at_radius<D>(k.w[arc.b], arm_b) - at_radius<D>(k.w[arc.a], arm_a);
  }
  for (int s = 0; s < D; ++s) {
    const std::size_t r = arc.row + static_cast<std::size_t>(s);
    Vec<D> n{};
    n[s] = 1;
    rows.n[r] = n;
    rows.gap[r] = d[s];
    rows.rate[r] = u[s];
    rows.bend[r] = bend[s];
    if (!turning) continue;
    rows.turn_a[r] = math::cross(arm_a, n);
    rows.turn_b[r] = math::cross(arm_b, n);
  }
}

// Where nodes are and how they move.
template <int D>
struct InNodes {
  const Kinematics<D>& k;
  const Vec<D>& x(std::size_t i) const { return k.x[i]; }
  const Vec<D>& v(std::size_t i) const { return k.v[i]; }
};
template <int D>
struct InState {
  const double* y;
  std::size_t movable;
  const Kinematics<D>& k;
  Vec<D> x(std::size_t i) const { return i < movable ? read(y + D * i) : k.x[i]; }
  Vec<D> v(std::size_t i) const { return i < movable ? read(y + D * (movable + i)) : k.v[i]; }
  static Vec<D> read(const double* from) {
    Vec<D> out;
    for (int c = 0; c < D; ++c) out[c] = from[c];
    return out;
  }
};

}  // namespace

template <int D>
Rows<D>::Rows(const System<D>& system) {
  const std::size_t count = system.row_count();
  n.resize(count);
  bend.resize(count);
  gap.resize(count);
  rate.resize(count);
  if (system.turning()) {
    turn_a.resize(count);
    turn_b.resize(count);
    return;
  }
  for (const Arc<D>& arc : system.arcs) {
    if (!arc.wall && arc.kind != world::LinkKind::kJoint) rods_.push_back({arc.a, arc.b, arc.length});
  }
  if (rods_.size() < system.arcs.size()) rods_.clear();
}

template <int D>
template <bool kViolations, class Where>
void Rows<D>::update_rods(const Where& where) {
  const std::size_t count = rods_.size();
  const Rod* __restrict rods = rods_.data();
  Vec<D>* __restrict n_out = n.data();
  double* __restrict gap_out = gap.data();
  double* __restrict rate_out = rate.data();
  double* __restrict bend_out = bend.data();
  for (std::size_t r = 0; r < count; ++r) {
    const Rod& rod = rods[r];
    const Vec<D> d = where.x(rod.b) - where.x(rod.a), u = where.v(rod.b) - where.v(rod.a);
    const double length = std::sqrt(math::norm2(d)), inverse = 1 / length;
    const Vec<D> along_n = d * inverse;
    const double along = math::dot(along_n, u);
    n_out[r] = along_n;
    if (kViolations) {
      gap_out[r] = length - rod.length;
      rate_out[r] = along;
    }
    bend_out[r] = (math::norm2(u) - along * along) * inverse;
  }
}

template <int D>
void Rows<D>::update_rods(const double* y, std::size_t movable, const Kinematics<D>& k) {
  update_rods<false>(InState<D>{y, movable, k});
}

template <int D>
void Rows<D>::update(const System<D>& system, const Kinematics<D>& k, bool violations) {
  const bool turning = system.turning();
  if (!rods_.empty()) {
    const InNodes<D> where{k};
    return violations ? update_rods<true>(where) : update_rods<false>(where);
  }
  for (const Arc<D>& arc : system.arcs) {
    if (arc.kind == world::LinkKind::kJoint) {
      update_joint(*this, arc, k, turning);
    } else {
      update_distance(*this, arc, k, turning);
    }
  }
}

template <int D>
Violation Rows<D>::worst() const {
  Violation worst;
  for (const double g : gap) worst.position = std::max(worst.position, std::fabs(g));
  for (const double r : rate) worst.velocity = std::max(worst.velocity, std::fabs(r));
  return worst;
}

template <int D>
double held_power(const System<D>& system, const Rows<D>& rows, const Kinematics<D>& k,
                  const std::vector<double>& gamma) {
  double power = 0;
  for (const Arc<D>& arc : system.arcs) {
    if (arc.b < system.movable()) continue;
    for (std::size_t r = arc.row; r < arc.row + arc.rows; ++r) {
      double speed = math::dot(rows.n[r], k.v[arc.b]);
      if (system.turning()) speed += math::dot(rows.turn_b[r], k.w[arc.b]);
      power += gamma[r] * speed;
    }
  }
  return power;
}

template struct Rows<2>;
template struct Rows<3>;
template double held_power<2>(const System<2>&, const Rows<2>&, const Kinematics<2>&, const std::vector<double>&);
template double held_power<3>(const System<3>&, const Rows<3>&, const Kinematics<3>&, const std::vector<double>&);

}  // namespace moraine::hard
