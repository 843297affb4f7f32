// SPDX-License-Identifier: MIT
#include "hard/system.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

#include "hard/arc_order.hpp"

namespace moraine::hard {

using world::Held;
using world::LinkKind;

namespace {
constexpr std::uint32_t kHubRows = 32;
constexpr std::uint32_t kNoNode = std::numeric_limits<std::uint32_t>::max();

template <int D>
world::Inertia<D> round_inertia(double moment) {
  if constexpr (D == 2) {
    return moment;
  } else {
    return {moment, moment, moment};
  }
}
}  // namespace

template <int D>
std::uint32_t System<D>::add_node(double m, const world::Inertia<D>& moment, bool is_clump, std::size_t index,
                                  std::int64_t id) {
  mass.push_back(m);
  inverse_mass.push_back(m > 0 ? 1 / m : 0);
  inertia.push_back(moment);
  turns.push_back(0);
  clump_.push_back(is_clump ? 1 : 0);
  index_.push_back(index);
  id_.push_back(id);
  return static_cast<std::uint32_t>(mass.size() - 1);
}

template <int D>
System<D>::System(const World<D>& world, bool all_turn) {
  const world::Bodies<D>& bodies = world.bodies;
  node_of_body_.assign(bodies.size(), kNoNode);
  node_of_clump_.assign(world.clumps.size(), kNoNode);
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    if (bodies.moving[i].held == Held::kFree)
      node_of_body_[i] = add_node(bodies.mass[i], round_inertia<D>(bodies.inertia[i]), false, i, bodies.id[i]);
  }
  for (std::size_t c = 0; c < world.clumps.size(); ++c) {
    node_of_clump_[c] = add_node(world.clumps.mass[c], world.clumps.inertia[c], true, c, world.clumps.first_member[c]);
    turns[node_of_clump_[c]] = 1;
    turning_ = true;
  }
  movable_ = mass.size();
  if (all_turn) {
    turns.assign(movable_, 1);
    turning_ = movable_ > 0;
  }
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const Held held = bodies.moving[i].held;
    if (held == Held::kMember) node_of_body_[i] = node_of_clump_[bodies.clump[i]];
    if (held != Held::kFixed && held != Held::kPrescribed) continue;
    node_of_body_[i] = add_node(0, {}, false, i, bodies.id[i]);
    fixed_x_.push_back(bodies.place[i].x);
  }
  std::vector<std::uint32_t> body_of_id(static_cast<std::size_t>(bodies.next_id), kNoNode);
  for (std::size_t i = 0; i < bodies.size(); ++i)
    body_of_id[static_cast<std::size_t>(bodies.id[i])] = static_cast<std::uint32_t>(i);
  for (std::size_t l = 0; l < world.links.size(); ++l) {
    const world::Link<D>& link = world.links[l];
    Arc<D> arc;
    arc.kind = link.kind;
    arc.slip = link.slip;
    arc.length = link.length;
    arc.link = static_cast<std::uint32_t>(l);
    const auto end = [&](const world::LinkEnd<D>& e, Vec<D>& anchor, double& radius) {
      anchor = e.point;
      const std::uint32_t i = body_of_id[static_cast<std::size_t>(e.id)];
      radius = bodies.place[i].radius;
      return node_of_body_[i];
    };
    arc.a = end(link.a, arc.anchor_a, arc.radius_a);
    using At = typename world::LinkEnd<D>::At;
    if (link.b.at == At::kBody) {
      arc.b = end(link.b, arc.anchor_b, arc.radius_b);
    } else if (link.b.at == At::kGround) {
      arc.b = add_node(0, {}, false, 0, -1);
      fixed_x_.push_back(link.b.point);
    } else {
      const world::Surface<D>& s = world.walls[static_cast<std::size_t>(link.b.id)].start;
      arc.b = add_node(0, {}, false, 0, -1);
      fixed_x_.push_back(s.a);
      arc.wall = true;
      arc.normal = link.b.point;  // from the body to the plane
    }
    arc.rows = link.kind == LinkKind::kJoint || !link.slip ? D : 1;
    if (math::norm2(arc.anchor_a) > 0 || !link.slip) turns[arc.a] = 1;
    if (arc.b < movable_ && (math::norm2(arc.anchor_b) > 0 || !link.slip)) turns[arc.b] = 1;
    if (math::norm2(arc.anchor_a) > 0 || math::norm2(arc.anchor_b) > 0 || !link.slip) turning_ = true;
    arcs.push_back(arc);
  }
  order_arcs();
  for (std::uint32_t i = 0; i < movable_; ++i) {
    total_mass += mass[i];
    if (turns[i] != 0) turning_nodes.push_back(i);
  }
}

// Lists the arcs at each movable node.
template <int D>
void System<D>::list_arcs() {
  first_arc.assign(movable_ + 1, 0);
  const auto each_end = [&](auto&& f) {
    for (std::uint32_t k = 0; k < arcs.size(); ++k) {
      if (arcs[k].a < movable_) f(arcs[k].a, k);
      if (arcs[k].b < movable_ && arcs[k].b != arcs[k].a) f(arcs[k].b, k);
    }
  };
  each_end([&](std::uint32_t node, std::uint32_t) { ++first_arc[node + 1]; });
  std::partial_sum(first_arc.begin(), first_arc.end(), first_arc.begin());
  arc_at.resize(first_arc.back());
  std::vector<std::uint32_t> next(first_arc.begin(), first_arc.end() - 1);
  each_end([&](std::uint32_t node, std::uint32_t k) { arc_at[next[node]++] = k; });
}

// Arcs in an order of elimination that makes few new entries in the matrix of the link forces.
template <int D>
void System<D>::order_arcs() {
  list_arcs();
  hub.assign(movable_, 0);
  for (std::size_t i = 0; i < movable_; ++i) {
    std::uint32_t rows = 0;
    for (std::uint32_t p = first_arc[i]; p < first_arc[i + 1]; ++p) rows += arcs[arc_at[p]].rows;
    if (rows > kHubRows) hub[i] = 1;
  }
  const std::vector<std::uint32_t> order = elimination_order_of(*this);
  std::vector<Arc<D>> sorted(arcs.size());
  for (std::size_t k = 0; k < arcs.size(); ++k) sorted[k] = arcs[order[k]];
  arcs = std::move(sorted);
  rows_ = 0;
  for (Arc<D>& arc : arcs) {
    arc.row = static_cast<std::uint32_t>(rows_);
    rows_ += arc.rows;
    row_a.insert(row_a.end(), arc.rows, arc.a);
    row_b.insert(row_b.end(), arc.rows, arc.b);
    const double size = std::max({arc.length, math::norm(arc.anchor_a), math::norm(arc.anchor_b)});
    longest = std::max(longest, size);
    shortest = std::min(shortest, size);
  }
  list_arcs();
}

template <int D>
void System<D>::read(const World<D>& world, Kinematics<D>& k) const {
  k.x.resize(nodes());
  k.v.assign(nodes(), {});
  k.q.assign(nodes(), {});
  k.w.assign(nodes(), {});
  k.held_a.assign(nodes() - movable_, {});
  k.held_turn.assign(nodes() - movable_, {});
  for (std::size_t i = 0; i < movable_; ++i) {
    const std::size_t at = index_[i];
    if (clump_[i] != 0) {
      k.x[i] = world.clumps.x[at];
      k.v[i] = world.clumps.v[at];
      k.q[i] = world.clumps.orientation[at];
      k.w[i] = world.clumps.spin_of(at, world.clumps.momentum[at]);
    } else {
      k.x[i] = world.bodies.place[at].x;
      k.v[i] = world.bodies.moving[at].v;
      k.q[i] = world.bodies.orientation[at];
      k.w[i] = world.bodies.moving[at].w;
    }
  }
  for (std::size_t i = movable_; i < nodes(); ++i) k.x[i] = fixed_x_[i - movable_];
  guide(world, world.time, k);
}

template <int D>
void System<D>::guide(const World<D>& world, double t, Kinematics<D>& k) const {
  if (world.guided.empty()) return;
  for (std::size_t i = movable_; i < nodes(); ++i) {
    if (id_[i] < 0) continue;
    const std::uint32_t number = world.bodies.motion[index_[i]];
    if (number == world::kNoMotion) continue;
    const auto& guided = world.guided[number];
    const world::Motion<D>& m = guided.motion;
    const Vec<D> arm = m.turned(guided.start - m.about, t);
    k.x[i] = m.place(guided.start, t);
    k.w[i] = m.spin(t);
    k.q[i] = guided.orientation(t);
    k.v[i] = m.velocity(t) + math::cross(k.w[i], arm);
    k.held_a[i - movable_] = m.acceleration(t) + math::cross(k.w[i], math::cross(k.w[i], arm));
  }
}

template <int D>
void System<D>::write(const Kinematics<D>& k, World<D>& world) const {
  for (std::size_t i = 0; i < movable_; ++i) {
    const std::size_t at = index_[i];
    if (clump_[i] != 0) {
      world::Clumps<D>& clumps = world.clumps;
      clumps.x[at] = k.x[i];
      clumps.v[at] = clumps.v_now[at] = k.v[i];
      clumps.orientation[at] = k.q[i];
      clumps.w[at] = clumps.w_now[at] = k.w[i];
      clumps.momentum[at] = clumps.momentum_of(at, k.w[i]);
      for (std::uint32_t m = clumps.start[at]; m < clumps.start[at + 1]; ++m) {
        const std::uint32_t body = clumps.member[m];
        const Vec<D> arm = clumps.arm(at, m);
        world::Moving<D>& moving = world.bodies.moving[body];
        world.bodies.place[body].x = k.x[i] + arm;
        moving.v = moving.v_now = k.v[i] + math::cross(k.w[i], arm);
        moving.w = moving.w_now = k.w[i];
        world.bodies.orientation[body] = k.q[i];
      }
    } else {
      world::Moving<D>& m = world.bodies.moving[at];
      world.bodies.place[at].x = k.x[i];
      m.v = m.v_now = k.v[i];
      m.w = m.w_now = k.w[i];
      world.bodies.orientation[at] = k.q[i];
    }
  }
  for (std::size_t i = movable_; i < nodes() && !world.guided.empty(); ++i) {
    if (id_[i] < 0) continue;
    world::Moving<D>& m = world.bodies.moving[index_[i]];
    world.bodies.place[index_[i]].x = k.x[i];
    m.v = m.v_now = k.v[i];
    m.w = m.w_now = k.w[i];
    world.bodies.orientation[index_[i]] = k.q[i];
  }
}

template <int D>
Moves<D> System<D>::no_moves() const {
  return {std::vector<Vec<D>>(nodes(), Vec<D>{}), std::vector<Spin<D>>(turning_ ? nodes() : 0, Spin<D>{})};
}

template <int D>
void System<D>::clear(Moves<D>& moves) const {
  moves.x.assign(nodes(), Vec<D>{});
  moves.turn.assign(turning_ ? nodes() : 0, Spin<D>{});
}

template <int D>
void System<D>::shift(const Moves<D>& moves, Kinematics<D>& k) const {
  for (std::size_t i = 0; i < movable_; ++i) k.x[i] += moves.x[i];
  for (const std::uint32_t i : turning_nodes) {
    const Spin<D> momentum = momentum_of(i, k.q[i], k.w[i]);
    math::turn(k.q[i], moves.turn[i], 1.0);
    k.w[i] = spin_of(i, k.q[i], momentum);
  }
}

template <int D>
void System<D>::kick(const Moves<D>& moves, Kinematics<D>& k) const {
  for (std::size_t i = 0; i < movable_; ++i) k.v[i] += moves.x[i];
  for (const std::uint32_t i : turning_nodes) k.w[i] += moves.turn[i];
}

template <int D>
double System<D>::kinetic(const Kinematics<D>& k) const {
  double sum = 0;
  for (std::size_t i = 0; i < movable_; ++i)
    sum += 0.5 * mass[i] * math::norm2(k.v[i]) + 0.5 * math::dot(k.w[i], momentum_of(i, k.q[i], k.w[i]));
  return sum;
}

template <int D>
Spin<D> System<D>::spin_of(std::size_t node, const Orientation<D>& q, const Spin<D>& momentum) const {
  if constexpr (D == 2) {
    (void)q;
    return momentum / inertia[node];
  } else {
    math::Vec3 b = math::rotated(momentum, math::inverse(q));
    for (int c = 0; c < 3; ++c) b[c] /= inertia[node][c];
    return math::rotated(b, q);
  }
}

template <int D>
Spin<D> System<D>::momentum_of(std::size_t node, const Orientation<D>& q, const Spin<D>& spin) const {
  if constexpr (D == 2) {
    (void)q;
    return spin * inertia[node];
  } else {
    math::Vec3 b = math::rotated(spin, math::inverse(q));
    for (int c = 0; c < 3; ++c) b[c] *= inertia[node][c];
    return math::rotated(b, q);
  }
}

template class System<2>;
template class System<3>;

}  // namespace moraine::hard
