// SPDX-License-Identifier: MIT
#include "hard/show_links.hpp"

#include <algorithm>

namespace moraine::hard {

template <int D>
void show_links(const System<D>& system, const Kinematics<D>& k, const std::vector<double>& gamma, World<D>& world,
                std::vector<world::ContactRecord<D>>& records) {
  if (world.links.empty()) return;
  Rows<D> rows(system);
  rows.update(system, k);
  std::vector<std::uint32_t> at_id(static_cast<std::size_t>(world.bodies.next_id), 0);  // where the body of each id is
  for (std::size_t i = 0; i < world.bodies.size(); ++i)
    at_id[static_cast<std::size_t>(world.bodies.id[i])] = static_cast<std::uint32_t>(i);
  for (const Arc<D>& arc : system.arcs) {
    world::Link<D>& link = world.links[arc.link];
    link.pull = {};
    for (std::uint32_t s = 0; s < arc.rows; ++s) {
      link.force[s] = gamma[arc.row + s];
      link.pull += rows.n[arc.row + s] * gamma[arc.row + s];
    }
    link.from = k.x[arc.a] + math::rotated(arc.anchor_a, k.q[arc.a]);
    link.to = arc.wall ? link.from + arc.normal * arc.length : k.x[arc.b] + math::rotated(arc.anchor_b, k.q[arc.b]);
  }
  for (const world::Link<D>& link : world.links) {
    using At = typename world::LinkEnd<D>::At;
    if (link.b.at == At::kGround) continue;
    // Along the line between the two bodies, as pictures of contacts draw it.
    world::ContactRecord<D> r{};
    const bool wall = link.b.at == At::kWall;
    const auto body = [&](std::int64_t id) { return static_cast<std::size_t>(at_id[static_cast<std::size_t>(id)]); };
    const world::Place<D>& a = world.bodies.place[body(link.a.id)];
    r.a = link.a.id;
    r.b = wall ? -1 - link.b.id : link.b.id;
    const Vec<D> d = (wall ? link.to : world.bodies.place[body(link.b.id)].x) - a.x;
    r.distance = math::norm(d);
    r.normal = r.distance > 0 ? d * (1 / r.distance) : Vec<D>{};
    r.overlap = a.radius + (wall ? 0 : world.bodies.place[body(link.b.id)].radius) - r.distance;
    r.point = (link.from + link.to) * 0.5;
    r.force = link.pull;
    r.normal_force = -math::dot(link.pull, r.normal);
    records.push_back(r);
  }
}

template <int D>
void sort_records(std::vector<world::ContactRecord<D>>& records) {
  std::sort(records.begin(), records.end(),
            [](const auto& x, const auto& y) { return x.a != y.a ? x.a < y.a : x.b < y.b; });
}

#define MORAINE_INSTANTIATE(D)                                                                               \
  template void show_links<D>(const System<D>&, const Kinematics<D>&, const std::vector<double>&, World<D>&, \
                              std::vector<world::ContactRecord<D>>&);                                        \
  template void sort_records<D>(std::vector<world::ContactRecord<D>>&);
MORAINE_INSTANTIATE(2)
MORAINE_INSTANTIATE(3)

}  // namespace moraine::hard
