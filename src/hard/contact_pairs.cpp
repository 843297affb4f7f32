// SPDX-License-Identifier: MIT
// Which surfaces may meet soon: a sweep along x. For the few hundred bodies that are followed from event to event.
#include <algorithm>
#include <cmath>

#include "hard/contact.hpp"
#include "world/near_wall.hpp"

namespace moraine::hard {

template <int D>
PairFinder<D>::PairFinder(const World<D>& world, const System<D>& system)
    : world_(world), movable_(system.movable()), arm_(system.nodes(), 0) {
  const world::Bodies<D>& bodies = world.bodies;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    if (bodies.moving[i].gone) continue;
    Ball ball{system.node_of_body(i), bodies.moving[i].material, bodies.id[i], bodies.place[i].radius, {}};
    if (bodies.moving[i].held == world::Held::kMember) {
      const std::uint32_t c = bodies.clump[i];
      ball.anchor =
          world.clumps
              .offset[world.clumps.start[c] + static_cast<std::size_t>(bodies.id[i] - world.clumps.first_member[c])];
    }
    arm_[ball.node] = std::max(arm_[ball.node], math::norm(ball.anchor) + ball.radius);
    balls_.push_back(ball);
  }
  for (const world::Link<D>& link : world.links) {
    if (link.b.at == world::LinkEnd<D>::At::kBody)
      linked_.emplace_back(std::min(link.a.id, link.b.id), std::max(link.a.id, link.b.id));
  }
  std::sort(linked_.begin(), linked_.end());
}

template <int D>
double PairFinder<D>::smallest() const {
  double least = std::numeric_limits<double>::infinity();
  for (const Ball& ball : balls_) least = std::min(least, ball.radius);
  return balls_.empty() ? 0 : least;
}

template <int D>
Contact<D> PairFinder<D>::pair(const Ball& x, const Ball& y) const {
  const Ball &a = x.id < y.id ? x : y, &b = x.id < y.id ? y : x;
  Contact<D> c;
  c.id_a = a.id;
  c.id_b = b.id;
  c.a = a.node;
  c.b = b.node;
  c.anchor_a = a.anchor;
  c.anchor_b = b.anchor;
  c.radius_a = a.radius;
  c.radius_b = b.radius;
  c.law = &world_.laws(a.material, b.material);
  return c;
}

template <int D>
std::vector<Contact<D>> PairFinder<D>::find(const Kinematics<D>& k, const std::vector<double>& reach,
                                            const std::vector<double>& wall_reach, double t,
                                            std::vector<Contact<D>> before) const {
  std::vector<Contact<D>> found;
  std::vector<Vec<D>> x(balls_.size());
  std::vector<std::uint32_t> order(balls_.size());
  const auto low = [&](std::uint32_t i) { return x[i][0] - balls_[i].radius - reach[balls_[i].node]; };
  for (std::uint32_t i = 0; i < balls_.size(); ++i) {
    x[i] = k.x[balls_[i].node] + math::rotated(balls_[i].anchor, k.q[balls_[i].node]);
    order[i] = i;
  }
  std::sort(order.begin(), order.end(),
            [&](std::uint32_t i, std::uint32_t j) { return low(i) != low(j) ? low(i) < low(j) : i < j; });
  // A bond may hold over a gap: pairs that have a state stay.
  const auto kept = [&](const Contact<D>& c) {
    const auto at =
        std::lower_bound(before.begin(), before.end(), c, [](const auto& p, const auto& q) { return p.before(q); });
    return at != before.end() && at->id_a == c.id_a && at->id_b == c.id_b && at->has_state() ? &*at : nullptr;
  };
  const auto add = [&](Contact<D> c, bool near) {
    const Contact<D>* old = kept(c);
    if (!near && old == nullptr) return;
    if (old != nullptr) {
      c.mode = old->mode;
      c.bonded = old->bonded;
      c.idle = old->idle;
      c.spent = old->spent;
      c.age = old->age;
      c.rest = old->rest;
      c.normal = old->normal;
      c.friction = old->friction;
      c.along = old->along;
      c.bounces = old->bounces;
    }
    found.push_back(c);
  };
  double bond_gap = 0;
  for (const world::PairLaw& law : world_.laws.all()) bond_gap = std::max(bond_gap, law.bond.on ? law.bond.gap : 0);
  for (std::size_t p = 0; p < order.size(); ++p) {
    const Ball& a = balls_[order[p]];
    const double high = x[order[p]][0] + a.radius + reach[a.node];
    for (std::size_t o = p + 1; o < order.size() && low(order[o]) <= high + bond_gap * a.radius; ++o) {
      const Ball& b = balls_[order[o]];
      if (a.node == b.node || (a.node >= movable_ && b.node >= movable_)) continue;
      const std::pair<std::int64_t, std::int64_t> ids{std::min(a.id, b.id), std::max(a.id, b.id)};
      if (std::binary_search(linked_.begin(), linked_.end(), ids)) continue;
      const double gap = math::norm(x[order[p]] - x[order[o]]) - a.radius - b.radius;
      add(pair(a, b), gap <= reach[a.node] + reach[b.node]);
    }
  }
  WallsAt<D> walls(world_);
  for (std::size_t w = 0; w < world_.walls.size(); ++w) {
    if (world_.walls[w].gone) continue;
    const world::Wall<D>& wall = walls.at(w, t);
    for (std::size_t i = 0; i < balls_.size(); ++i) {
      const Ball& a = balls_[i];
      if (a.node >= movable_) continue;
      Contact<D> c;
      c.id_a = a.id;
      c.id_b = -1 - static_cast<std::int64_t>(w);
      c.a = a.node;
      c.anchor_a = a.anchor;
      c.radius_a = a.radius;
      c.law = &world_.laws(a.material, wall.material);
      add(c, world::distance_to(wall.now, x[i]) - a.radius <= reach[a.node] + wall_reach[w]);
    }
  }
  std::sort(found.begin(), found.end(), [](const auto& p, const auto& q) { return p.before(q); });
  return found;
}

template class PairFinder<2>;
template class PairFinder<3>;

}  // namespace moraine::hard
