// SPDX-License-Identifier: MIT
#include "find/neighbours.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "find/cells.hpp"
#include "find/chunks.hpp"
#include "find/kept.hpp"
#include "find/order.hpp"
#include "find/wrap.hpp"
#include "world/near_wall.hpp"

namespace moraine::find {

namespace {

using world::Slots;
using world::World;

// What a chunk of bodies has found: how many slots each body has, and what is in them.
struct Found {
  std::vector<std::uint32_t> count, other, walls, wall_count;
  std::vector<std::uint8_t> image;
};

// Few as they are, hits are sorted fastest by putting each in its place.
void sort_by_other(std::vector<Hit>& hits) {
  for (std::size_t k = 1; k < hits.size(); ++k) {
    const Hit hit = hits[k];
    std::size_t at = k;
    for (; at > 0 && hits[at - 1].other > hit.other; --at) hits[at] = hits[at - 1];
    hits[at] = hit;
  }
}

void take_partners(std::vector<Hit>& hits, Found& found) {
  sort_by_other(hits);
  for (const Hit& h : hits) {
    found.other.push_back(h.other);
    found.image.push_back(h.image);
  }
  found.count.push_back(static_cast<std::uint32_t>(hits.size()));
}

template <int D>
void find_walls(const World<D>& world, std::size_t i, Found& found) {
  const double radius = world.bodies.place[i].radius;
  std::uint32_t count = 0;
  thread_local std::vector<std::uint32_t> triangles;
  for (std::size_t w = 0; world::yields(world.bodies.moving[i].held) && w < world.walls.size(); ++w) {
    const world::Wall<D>& wall = world.walls[w];
    if (wall.gone) continue;
    const Vec<D>& x = world.bodies.x_found[i];
    if constexpr (D == 3) {
      if (wall.start.form == world::Form::kMesh) {
        wall.start.mesh->tree.near(wall.found.to_mesh(x), radius + world.skin, triangles);
        for (const std::uint32_t t : triangles) found.walls.push_back(wall.first_element + t);
        count += static_cast<std::uint32_t>(triangles.size());
        continue;
      }
    }
    if (world::distance_to(wall.found, x) >= radius + world.skin) continue;
    found.walls.push_back(wall.first_element);
    ++count;
  }
  found.wall_count.push_back(count);
}

// partners(i, hits) gives the hits of a body.
template <int D, class Partners>
std::vector<Found> look_for_all(const World<D>& world, base::Team& team, const Partners& partners) {
  const std::size_t n = world.bodies.size();
  std::vector<Found> found(base::chunk_count(n));
  for_bodies(team, n, [&](std::size_t c, std::size_t begin, std::size_t end) {
    thread_local std::vector<Hit> hits;
    for (std::size_t i = begin; i < end; ++i) {
      hits.clear();
      partners(static_cast<std::uint32_t>(i), hits);
      take_partners(hits, found[c]);
      find_walls(world, i, found[c]);
    }
  });
  return found;
}

void clear_slots(Slots& s, std::size_t bodies, std::size_t slots) {
  s.start.assign(bodies + 1, 0);
  s.other.resize(slots);
  s.touching.assign(slots, 0);
  s.memory.assign(slots * s.stride, 0);
}

void put(const std::vector<std::uint32_t>& count, const std::vector<std::uint32_t>& other, Slots& slots,
         std::size_t body, std::size_t at) {
  std::copy(other.begin(), other.end(), slots.other.begin() + static_cast<std::ptrdiff_t>(at));
  for (const std::uint32_t k : count) {
    at += k;
    slots.start[++body] = static_cast<std::uint32_t>(at);
  }
}

void join(const std::vector<Found>& found, std::size_t bodies, world::Contacts& contacts, base::Team& team) {
  std::vector<std::size_t> pair_at(found.size() + 1, 0), wall_at(found.size() + 1, 0);
  for (std::size_t c = 0; c < found.size(); ++c) {
    pair_at[c + 1] = pair_at[c] + found[c].other.size();
    wall_at[c + 1] = wall_at[c] + found[c].walls.size();
  }
  clear_slots(contacts.pairs, bodies, pair_at.back());
  clear_slots(contacts.walls, bodies, wall_at.back());
  contacts.pairs.image.resize(pair_at.back());
  for_bodies(team, bodies, [&](std::size_t c, std::size_t begin, std::size_t) {
    const Found& f = found[c];
    put(f.count, f.other, contacts.pairs, begin, pair_at[c]);
    put(f.wall_count, f.walls, contacts.walls, begin, wall_at[c]);
    std::copy(f.image.begin(), f.image.end(), contacts.pairs.image.begin() + static_cast<std::ptrdiff_t>(pair_at[c]));
  });
}

}  // namespace

template <int D>
void Search<D>::list(World<D>& world, const std::vector<std::uint32_t>& place) {
  world.number_elements();
  const Sizes<D> sizes(world, team_);
  const Shifts<D> shifts = world::image_shifts(world.domain, world.found_time);
  std::vector<Found> found;
  if (world.search == world::SearchKind::kSweep) {
    sweep_.update(world, sizes, shifts, place);
    found = look_for_all(world, team_, [&](std::uint32_t i, std::vector<Hit>& hits) { sweep_.partners(i, hits); });
    candidates_ = sweep_.candidates();
  } else {
    const Cells<D> cells(world, sizes, team_);
    std::vector<std::uint64_t> looked(base::chunk_count(world.bodies.size()), 0);
    found = look_for_all(world, team_, [&](std::uint32_t i, std::vector<Hit>& hits) {
      looked[i / base::kChunkBodies] += cells.partners(i, shifts, hits);
    });
    candidates_ = std::accumulate(looked.begin(), looked.end(), std::uint64_t{0});
  }
  join(found, world.bodies.size(), world.contacts, team_);
}

template <int D>
void Search<D>::list_slots(World<D>& world) {
  sweep_ = {};
  list(world, {});
}

template <int D>
void Search<D>::find_neighbours(World<D>& world) {
  wrap(world, team_);
  const std::size_t n = world.bodies.size();
  for_bodies(team_, n, [&](std::size_t, std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) world.bodies.x_found[i] = world.bodies.place[i].x;
  });
  for (world::Wall<D>& wall : world.walls) wall.found = wall.now;
  world.found_time = world.time;
  std::vector<std::uint32_t> place(n, kGone);
  {
    const std::vector<std::uint32_t> order = order_in_space(world, team_);
    world.bodies.reorder(order, team_);
    for (std::size_t k = 0; k < order.size(); ++k) place[order[k]] = static_cast<std::uint32_t>(k);
  }
  const std::size_t stride = world.contacts.point_stride, directed = world.contacts.point_directed;
  const KeptPoints pair_points(world.contacts.pair_points, world.contacts.pairs, stride, directed);
  const KeptPoints wall_points(world.contacts.wall_points, world.contacts.walls, stride, directed);
  const Kept pairs(world.contacts.pairs, team_), walls(world.contacts.walls, team_);
  list(world, place);
  pairs.give_back_pairs(world.contacts.pairs, place, team_);
  walls.give_back_walls(world.contacts.walls, place, team_);
  if (world.solids.empty()) return;
  pair_points.give_back(world.contacts.pair_points, world.contacts.pairs, place, true);
  wall_points.give_back(world.contacts.wall_points, world.contacts.walls, place, false);
}

template <int D>
void find_neighbours(World<D>& world, base::Team& team) {
  Search<D>(team).find_neighbours(world);
}

template <int D>
void list_slots(World<D>& world, base::Team& team) {
  Search<D>(team).list_slots(world);
}

template <int D>
bool lists_are_old(const World<D>& world, double farthest_move_squared) {
  // Two bodies come nearer by both their ways, and by how far the image of one has slid since.
  const double drift = std::fabs(world.domain.slide_speed()) * (world.time - world.found_time);
  const double limit = 0.5 * (world.skin - drift);
  if (limit < 0 || farthest_move_squared > limit * limit) return true;
  for (const world::Wall<D>& wall : world.walls) {
    if (wall.moves() && !wall.gone && world::farthest_move(wall, world.bodies) > 0.5 * world.skin) return true;
  }
  return false;
}

template <int D>
double widest_skin(const World<D>& world) {
  double widest = std::numeric_limits<double>::infinity(), largest = 0;
  for (const world::Place<D>& p : world.bodies.place) largest = std::max(largest, p.radius);
  for (int k = 0; k < D; ++k) {
    if (world.domain.periodic[k]) widest = std::min(widest, 0.5 * world.domain.length(k) - 2 * largest);
  }
  return widest;
}

#define MORAINE_INSTANTIATE(D)                              \
  template class Search<D>;                                 \
  template void find_neighbours<D>(World<D>&, base::Team&); \
  template void list_slots<D>(World<D>&, base::Team&);      \
  template bool lists_are_old<D>(const World<D>&, double);  \
  template double widest_skin<D>(const World<D>&);
MORAINE_INSTANTIATE(2)
MORAINE_INSTANTIATE(3)

}  // namespace moraine::find
