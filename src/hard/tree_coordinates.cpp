// SPDX-License-Identifier: MIT
#include "hard/tree_coordinates.hpp"

#include "hard/charts.hpp"
#include "world/near_wall.hpp"

namespace moraine::hard {

using world::LinkKind;

namespace {

template <int D>
Vec<D> at_radius(const Spin<D>& w, const Vec<D>& r) {  // w x (w x r)
  return math::cross(w, math::cross(w, r));
}

std::array<Vec<2>, 1> tangents(const Vec<2>& n) { return {Vec<2>{-n[1], n[0]}}; }
std::array<Vec<3>, 2> tangents(const Vec<3>& n) {
  const Vec<3> first = world::across(n);
  return {first, math::cross(n, first)};
}

}  // namespace

template <int D>
TreeCoordinates<D>::TreeCoordinates(const System<D>& system)
    : system_(system), forest_(graph_of(system)), nodes_(system.movable()), at_(system.movable()) {
  for (const std::uint32_t i : forest_.order) describe(i);
  for (std::size_t p = forest_.order.size(); p-- > 0;) {
    const std::uint32_t i = forest_.order[p];
    nodes_[i].beyond += system.mass[i];
    if (nodes_[i].parent < system.movable()) nodes_[nodes_[i].parent].beyond += nodes_[i].beyond;
  }
  number();
}

template <int D>
void TreeCoordinates<D>::describe(std::uint32_t i) {
  Node& node = nodes_[i];
  node.spins = system_.turns[i] != 0 ? kSpins : 0;
  node.parent = forest_.parent[i];
  if (node.parent == kNone) {
    node.numbers = D;
    return;
  }
  const Arc<D>& arc = system_.arcs[forest_.parent_arc[i]];
  const bool is_a = arc.a == i;
  node.inner = is_a ? arc.anchor_a : arc.anchor_b;
  node.outer = is_a ? arc.anchor_b : arc.anchor_a;
  node.length = arc.length;
  if (arc.kind == LinkKind::kJoint) {
    node.way = Way::kNothing;
  } else if (arc.wall) {
    node.way = Way::kAlong;
    node.normal = arc.normal;
    node.along = tangents(arc.normal);
    node.numbers = D - 1;
  } else {
    node.way = Way::kAngles;
    node.numbers = D - 1;
  }
  if (math::norm2(node.inner) > 0) node.loose = false;
  if (math::norm2(node.outer) > 0 && node.parent < system_.movable()) nodes_[node.parent].loose = false;
}

// Coordinates in the order of the nodes, each linked to the last one before it on the way that moves it. Rotations that
// move no centre come last: the mass matrix has them by themselves.
template <int D>
void TreeCoordinates<D>::number() {
  std::vector<std::uint32_t> last(system_.movable(), kNone);
  const auto add = [&](std::uint32_t before, bool is_a_length) {
    parent_.push_back(before);
    length_.push_back(is_a_length ? 1 : 0);
    return static_cast<std::uint32_t>(parent_.size() - 1);
  };
  for (const std::uint32_t i : forest_.order) {
    Node& node = nodes_[i];
    std::uint32_t before = node.parent < system_.movable() ? last[node.parent] : kNone;
    node.first = static_cast<std::uint32_t>(parent_.size());
    for (std::uint32_t c = 0; c < node.numbers; ++c) before = add(before, node.way != Way::kAngles);
    if (!node.loose) {
      node.spin = static_cast<std::uint32_t>(parent_.size());
      for (std::uint32_t c = 0; c < node.spins; ++c) before = add(before, false);
    }
    last[i] = before;
  }
  for (const std::uint32_t i : forest_.order) {
    Node& node = nodes_[i];
    if (!node.loose) continue;
    node.spin = static_cast<std::uint32_t>(parent_.size());
    std::uint32_t before = kNone;
    for (std::uint32_t c = 0; c < node.spins; ++c) before = add(before, false);
  }
}

template <int D>
void TreeCoordinates<D>::find(const Kinematics<D>& k, double* q, double* rates) {
  for (const std::uint32_t i : forest_.order) {
    Node& node = nodes_[i];
    if (node.spins > 0) {
      if constexpr (D == 2) {
        q[node.spin] = k.q[i];
        rates[node.spin] = k.w[i];
      } else {
        node.spin_chart = Euler::best(node.spin_chart, k.q[i]);
        Euler::find(node.spin_chart, k.q[i], k.w[i], q + node.spin, rates + node.spin);
      }
    }
    Vec<D> c = k.x[i], u = k.v[i];  // from the parent's anchor to the own one
    if (node.parent != kNone) {
      const Vec<D> in = math::rotated(node.inner, k.q[i]), out = math::rotated(node.outer, k.q[node.parent]);
      c += in - k.x[node.parent] - out;
      u += math::cross(k.w[i], in) - k.v[node.parent] - math::cross(k.w[node.parent], out);
    }
    double* own = q + node.first;
    double* rate = rates + node.first;
    if (node.way == Way::kBase) {
      for (int d = 0; d < D; ++d) {
        own[d] = c[d];
        rate[d] = u[d];
      }
    } else if (node.way == Way::kAlong) {
      for (std::size_t d = 0; d < node.numbers; ++d) {
        own[d] = math::dot(node.along[d], c);
        rate[d] = math::dot(node.along[d], u);
      }
    } else if (node.way == Way::kAngles) {
      if constexpr (D == 2) {
        own[0] = math::atan2(c[1], c[0]);
        rate[0] = math::cross(c, u) / math::norm2(c);
      } else {
        const double scale = 1 / math::norm(c);
        node.chart = Direction::best(node.chart, c * scale);
        Direction::find(node.chart, c * scale, u * scale, own, rate);
      }
    }
  }
}

// The vector from the parent's anchor to the node's own, its rate, and its acceleration without q''. Of a body that is
// itself a root: its position.
template <int D>
Vec<D> TreeCoordinates<D>::place_way(const Node& node, Instant& now, const double* q, const double* rates, Vec<D>& rate,
                                     Vec<D>& bend) const {
  Vec<D> c{};
  rate = bend = {};
  const double* own = q + node.first;
  const double* speed = rates + node.first;
  if (node.way == Way::kBase) {
    for (int d = 0; d < D; ++d) {
      c[d] = own[d];
      rate[d] = speed[d];
      now.way[static_cast<std::size_t>(d)] = {};
      now.way[static_cast<std::size_t>(d)][d] = 1;
    }
  } else if (node.way == Way::kAlong) {
    c = node.normal * -node.length;
    for (std::size_t d = 0; d < node.numbers; ++d) {
      c += node.along[d] * own[d];
      rate += node.along[d] * speed[d];
      now.way[d] = node.along[d];
    }
  } else if (node.way == Way::kAngles) {
    if constexpr (D == 2) {
      c = Vec<2>{math::cos(own[0]), math::sin(own[0])} * node.length;
      now.way[0] = {-c[1], c[0]};
      bend = c * (-speed[0] * speed[0]);
    } else {
      const Direction d(node.chart, own, speed);
      c = d.e * node.length;
      now.way[0] = d.e_alpha * node.length;
      now.way[1] = d.e_beta * node.length;
      bend = d.bend * node.length;
    }
    for (std::size_t d = 0; d < node.numbers; ++d) rate += now.way[d] * speed[d];
  }
  return c;
}

// s = u + c + e (Vinogradov 1) from each parent to the next node, and its time derivatives.
template <int D>
void TreeCoordinates<D>::place(const double* q, const double* rates, Kinematics<D>& k) {
  const std::size_t n = system_.movable();
  for (const std::uint32_t i : forest_.order) {
    const Node& node = nodes_[i];
    Instant& now = at_[i];
    now.turn_drift = {};
    if (node.spins > 0) {
      if constexpr (D == 2) {
        k.q[i] = q[node.spin];
        k.w[i] = rates[node.spin];
        now.axis[0] = 1;
      } else {
        const Euler e(q + node.spin, rates + node.spin);
        k.q[i] = Euler::orientation(node.spin_chart, q + node.spin);
        k.w[i] = e.spin;
        now.axis = e.axis;
        now.turn_drift = e.drift;
      }
    }
    k.x[i] = place_way(node, now, q, rates, k.v[i], now.drift);
    if (node.parent == kNone) continue;
    const std::uint32_t p = node.parent;
    now.in = -math::rotated(node.inner, k.q[i]);
    now.out = math::rotated(node.outer, k.q[p]);
    const Vec<D>& before = p < n ? at_[p].drift : k.held_a[p - n];
    const Spin<D>& turn_before = p < n ? at_[p].turn_drift : k.held_turn[p - n];
    k.x[i] += k.x[p] + now.out + now.in;
    k.v[i] += k.v[p] + math::cross(k.w[p], now.out) + math::cross(k.w[i], now.in);
    now.drift += before + math::cross(turn_before, now.out) + at_radius<D>(k.w[p], now.out) +
                 math::cross(now.turn_drift, now.in) + at_radius<D>(k.w[i], now.in);
  }
}

// With M the mass beyond an arc, the entry of coordinate b with one nearer to the root is that one's dr/dq at b's node
// times b's moment, the sum of m dr/dq_b over all beyond: the generalized masses of Vinogradov (29) without a sum over
// bodies for each pair.
template <int D>
void TreeCoordinates<D>::mass_matrix(const Kinematics<D>& k, TreeMatrix& a) const {
  const std::size_t n = system_.movable();
  // Of each node that turns: sum of m (lever from its inner anchor), and what a spin about it gives.
  std::vector<Vec<D>> moment(n);
  std::vector<std::array<Spin<D>, kSpins>> resist(n);
  const auto add_lever = [&](std::uint32_t i, double mass, const Vec<D>& lever) {
    for (std::size_t c = 0; c < kSpins; ++c)
      resist[i][c] += math::cross(lever, math::cross(at_[i].axis[c], lever)) * mass;
  };
  for (const std::uint32_t i : forest_.order) {
    const Node& node = nodes_[i];
    moment[i] = at_[i].in * node.beyond;
    if (node.spins > 0) {
      for (std::size_t c = 0; c < kSpins; ++c) resist[i][c] = system_.momentum_of(i, k.q[i], at_[i].axis[c]);
      if (!node.loose) add_lever(i, system_.mass[i], at_[i].in);
    }
    const std::uint32_t p = node.parent;
    if (p >= n || nodes_[p].spins == 0 || nodes_[p].loose) continue;
    moment[p] += at_[i].out * node.beyond;
    add_lever(p, node.beyond, at_[p].in + at_[i].out);
  }
  for (const std::uint32_t i : forest_.order) {
    const Node& node = nodes_[i];
    const Instant& now = at_[i];
    // Entries of coordinate b, whose moment is `push`, with those of nodes nearer to the root.
    const auto inwards = [&](std::uint32_t b, const Vec<D>& push) {
      double* row = a.row(b);
      std::uint32_t child = i;
      for (std::uint32_t p = node.parent; p < n; child = p, p = nodes_[p].parent) {
        const Node& other = nodes_[p];
        for (std::uint32_t c = 0; c < other.numbers; ++c)
          row[a.depth(other.first + c)] = math::dot(at_[p].way[c], push);
        if (other.spins == 0 || other.loose) continue;
        const Spin<D> turn = math::cross(at_[p].in + at_[child].out, push);
        for (std::uint32_t c = 0; c < other.spins; ++c) row[a.depth(other.spin + c)] = math::dot(at_[p].axis[c], turn);
      }
    };
    for (std::uint32_t c = 0; c < node.numbers; ++c) {
      const std::uint32_t b = node.first + c;
      const Vec<D> push = now.way[c] * node.beyond;
      inwards(b, push);
      for (std::uint32_t o = 0; o <= c; ++o) a.row(b)[a.depth(node.first + o)] = math::dot(now.way[o], push);
    }
    for (std::uint32_t c = 0; c < node.spins; ++c) {
      const std::uint32_t b = node.spin + c;
      if (!node.loose) {
        const Vec<D> push = math::cross(now.axis[c], moment[i]);
        inwards(b, push);
        for (std::uint32_t o = 0; o < node.numbers; ++o)
          a.row(b)[a.depth(node.first + o)] = math::dot(now.way[o], push);
      }
      for (std::uint32_t o = 0; o <= c; ++o) a.row(b)[a.depth(node.spin + o)] = math::dot(now.axis[o], resist[i][c]);
    }
  }
}

template <int D>
void TreeCoordinates<D>::gather(std::vector<Vec<D>> force, const std::vector<Spin<D>>& torque, double* q) const {
  const std::size_t n = system_.movable();
  std::vector<Spin<D>> turn(torque);
  for (std::size_t p = n; p-- > 0;) {  // from the leaves inwards: force becomes that on all beyond
    const std::uint32_t i = forest_.order[p];
    const Node& node = nodes_[i];
    const Instant& now = at_[i];
    for (std::uint32_t c = 0; c < node.numbers; ++c) q[node.first + c] = math::dot(now.way[c], force[i]);
    turn[i] += math::cross(now.in, force[i]);
    for (std::uint32_t c = 0; c < node.spins; ++c) q[node.spin + c] = math::dot(now.axis[c], turn[i]);
    if (node.parent >= n) continue;
    force[node.parent] += force[i];
    turn[node.parent] += math::cross(now.out, force[i]);
  }
}

template <int D>
void TreeCoordinates<D>::carry(const double* rates, std::vector<Vec<D>>& v, std::vector<Spin<D>>& w) const {
  const std::size_t n = system_.movable();
  v.assign(n, Vec<D>{});
  w.assign(n, Spin<D>{});
  for (const std::uint32_t i : forest_.order) {
    const Node& node = nodes_[i];
    const Instant& now = at_[i];
    for (std::uint32_t c = 0; c < node.numbers; ++c) v[i] += now.way[c] * rates[node.first + c];
    for (std::uint32_t c = 0; c < node.spins; ++c) w[i] += now.axis[c] * rates[node.spin + c];
    v[i] += math::cross(w[i], now.in);
    if (node.parent < n) v[i] += v[node.parent] + math::cross(w[node.parent], now.out);
  }
}

template <int D>
void TreeCoordinates<D>::add_row(std::uint32_t node, double sign, const Vec<D>& n, const Spin<D>& turn,
                                 double* row) const {
  const std::size_t movable = system_.movable();
  if (node >= movable) return;
  Spin<D> here = turn + math::cross(at_[node].in, n);
  for (std::uint32_t i = node;;) {
    const Node& at = nodes_[i];
    for (std::uint32_t c = 0; c < at.numbers; ++c) row[at.first + c] += sign * math::dot(at_[i].way[c], n);
    for (std::uint32_t c = 0; c < at.spins; ++c) row[at.spin + c] += sign * math::dot(at_[i].axis[c], here);
    const std::uint32_t p = at.parent;
    if (p >= movable) return;
    here = math::cross(at_[p].in + at_[i].out, n);
    i = p;
  }
}

template <int D>
bool TreeCoordinates<D>::change_charts(double* q, double* rates) {
  bool changed = false;
  if constexpr (D == 3) {
    for (Node& node : nodes_) {
      if (node.way == Way::kAngles) {
        double* own = q + node.first;
        double* rate = rates + node.first;
        const Direction d(node.chart, own, rate);
        const int best = Direction::best(node.chart, d.e);
        if (best != node.chart) {
          node.chart = best;
          Direction::find(best, d.e, d.e_alpha * rate[0] + d.e_beta * rate[1], own, rate);
          changed = true;
        }
      }
      if (node.spins > 0) {
        double* own = q + node.spin;
        const math::Quaternion orientation = Euler::orientation(node.spin_chart, own);
        const int best = Euler::best(node.spin_chart, orientation);
        if (best != node.spin_chart) {
          const Vec3 spin = Euler(own, rates + node.spin).spin;
          node.spin_chart = best;
          Euler::find(best, orientation, spin, own, rates + node.spin);
          changed = true;
        }
      }
    }
  } else {
    (void)q;
    (void)rates;
  }
  return changed;
}

template <int D>
std::vector<double> TreeCoordinates<D>::charts() const {
  std::vector<double> all;
  if (D == 2) return all;
  for (const Node& node : nodes_) {
    all.push_back(node.chart);
    all.push_back(node.spin_chart);
  }
  return all;
}

template <int D>
void TreeCoordinates<D>::set_charts(const std::vector<double>& charts) {
  if (charts.size() != 2 * nodes_.size()) return;
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    nodes_[i].chart = static_cast<int>(charts[2 * i]);
    nodes_[i].spin_chart = static_cast<int>(charts[2 * i + 1]);
  }
}

template class TreeCoordinates<2>;
template class TreeCoordinates<3>;

}  // namespace moraine::hard
