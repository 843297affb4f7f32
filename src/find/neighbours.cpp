// SPDX-License-Identifier: MIT
#include "find/neighbours.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "find/grid.hpp"
#include "world/near_wall.hpp"

namespace moraine::find {

namespace {

using world::Bodies;
using world::Held;
using world::Moving;
using world::Slots;
using world::Spin;
using world::World;

template <int D>
double largest_radius(const Bodies<D>& bodies) {
  double r = 0;
  for (const world::Place<D>& p : bodies.place) r = std::max(r, p.radius);
  return r;
}

template <int D>
void wrap(World<D>& world) {
  for (std::size_t i = 0; i < world.bodies.size(); ++i) {
    Vec<D>& x = world.bodies.place[i].x;
    for (int k = 0; k < D; ++k) {
      if (!world.domain.periodic[k]) continue;
      const double length = world.domain.length(k);
      const double turns = std::floor((x[k] - world.domain.min[k]) / length);
      if (turns == 0) continue;
      x[k] -= turns * length;
      world.bodies.image[i][k] += static_cast<std::int32_t>(turns);
    }
  }
}

template <int D>
Grid<D> make_grid(const World<D>& world) {
  Vec<D> low = world.bodies.x_found[0], high = low;
  for (const Vec<D>& x : world.bodies.x_found) {
    for (int k = 0; k < D; ++k) {
      low[k] = std::min(low[k], x[k]);
      high[k] = std::max(high[k], x[k]);
    }
  }
  return Grid<D>(world.domain, low, high, 2 * largest_radius(world.bodies) + world.skin, world.bodies.size());
}

// Stable sort of body numbers by key, 11 bits at a time.
void radix_sort(std::vector<std::uint64_t>& keys, std::vector<std::uint32_t>& order) {
  std::uint64_t all = 0;
  for (const std::uint64_t k : keys) all |= k;
  std::vector<std::uint64_t> keys2(keys.size());
  std::vector<std::uint32_t> order2(order.size());
  for (int shift = 0; shift < 64 && (all >> shift) != 0; shift += 11) {
    std::array<std::uint32_t, 2049> at{};
    for (const std::uint64_t k : keys) ++at[((k >> shift) & 2047) + 1];
    std::partial_sum(at.begin(), at.end(), at.begin());
    for (std::size_t i = 0; i < keys.size(); ++i) {
      const std::uint32_t to = at[(keys[i] >> shift) & 2047]++;
      keys2[to] = keys[i];
      order2[to] = order[i];
    }
    keys.swap(keys2);
    order.swap(order2);
  }
}

// The bodies that stay, in the order of a curve through the cells.
template <int D>
std::vector<std::uint32_t> order_in_space(const World<D>& world, const Grid<D>& grid) {
  std::vector<std::uint64_t> keys;
  std::vector<std::uint32_t> order;
  keys.reserve(world.bodies.size());
  order.reserve(world.bodies.size());
  for (std::size_t i = 0; i < world.bodies.size(); ++i) {
    if (world.bodies.moving[i].gone) continue;
    keys.push_back(Grid<D>::curve(grid.cell_of(world.bodies.x_found[i])));
    order.push_back(static_cast<std::uint32_t>(i));
  }
  if (!std::is_sorted(keys.begin(), keys.end())) radix_sort(keys, order);
  return order;
}

// Bodies grouped by cell: those of cell c are bodies[start[c]] .. in the order of memory.
template <int D>
struct Cells {
  std::vector<std::uint32_t> start, bodies;
  Cells(const World<D>& world, const Grid<D>& grid) : start(grid.cells() + 1, 0), bodies(world.bodies.size()) {
    std::vector<std::uint32_t> cell(world.bodies.size());
    for (std::size_t i = 0; i < cell.size(); ++i) {
      cell[i] = static_cast<std::uint32_t>(grid.index(grid.cell_of(world.bodies.x_found[i])));
      ++start[cell[i] + 1];
    }
    std::partial_sum(start.begin(), start.end(), start.begin());
    std::vector<std::uint32_t> at(start.begin(), start.end() - 1);
    for (std::size_t i = 0; i < cell.size(); ++i) bodies[at[cell[i]]++] = static_cast<std::uint32_t>(i);
  }
};

struct Found {
  std::vector<std::uint32_t> count, other, walls, wall_count;
  std::vector<std::uint8_t> image;
};

template <int D>
void find_partners(const World<D>& world, const Grid<D>& grid, const Cells<D>& cells,
                   const std::array<Vec<D>, world::kImages<D>>& shifts, std::uint32_t i, Found& found) {
  const double radius = world.bodies.place[i].radius;
  const bool held = world.bodies.moving[i].held != Held::kFree;
  const Vec<D> x = world.bodies.x_found[i];
  const auto home = grid.cell_of(x);
  struct Hit {
    std::uint32_t other;
    std::uint8_t image;
  };
  thread_local std::vector<Hit> hits;
  hits.clear();
  for (int code = 0; code < world::kImages<D>; ++code) {
    std::size_t cell = 0;
    int image = 0;
    if (!grid.neighbour(home, code, cell, image)) continue;
    const Vec<D> from = x - shifts[static_cast<std::size_t>(image)];
    for (std::uint32_t s = cells.start[cell]; s < cells.start[cell + 1]; ++s) {
      const std::uint32_t j = cells.bodies[s];
      if (j <= i) continue;
      const double reach = radius + world.bodies.place[j].radius + world.skin;
      if (math::norm2(world.bodies.x_found[j] - from) >= reach * reach) continue;
      if (held && world.bodies.moving[j].held != Held::kFree) continue;
      hits.push_back({j, static_cast<std::uint8_t>(image)});
    }
  }
  std::sort(hits.begin(), hits.end(), [](const Hit& p, const Hit& q) { return p.other < q.other; });
  for (const Hit& h : hits) {
    found.other.push_back(h.other);
    found.image.push_back(h.image);
  }
  found.count.push_back(static_cast<std::uint32_t>(hits.size()));
}

template <int D>
void find_walls(const World<D>& world, std::uint32_t i, Found& found) {
  const double radius = world.bodies.place[i].radius;
  std::uint32_t count = 0;
  for (std::size_t w = 0; world.bodies.moving[i].held == Held::kFree && w < world.walls.size(); ++w) {
    if (world::distance_to(world.walls[w].found, world.bodies.x_found[i]) >= radius + world.skin) continue;
    found.walls.push_back(static_cast<std::uint32_t>(w));
    ++count;
  }
  found.wall_count.push_back(count);
}

void clear_slots(Slots& s, std::size_t bodies, std::size_t slots) {
  s.start.assign(bodies + 1, 0);
  s.other.resize(slots);
  s.image.resize(slots);
  s.touching.assign(slots, 0);
  s.memory.assign(slots * s.stride, 0);
}

constexpr std::uint32_t kNoSlot = ~0U, kGone = ~0U;
std::uint32_t slot_of(const Slots& s, std::uint32_t body, std::uint32_t other) {
  const auto begin = s.other.begin() + s.start[body], end = s.other.begin() + s.start[body + 1];
  const auto at = std::lower_bound(begin, end, other);
  return at != end && *at == other ? static_cast<std::uint32_t>(at - s.other.begin()) : kNoSlot;
}

// What closed contacts remember, taken out of the old list so that it can be given up before the new one is made.
struct Kept {
  std::vector<std::uint32_t> body, other;
  std::vector<double> memory;
  std::size_t stride, directed;

  explicit Kept(Slots& old) : stride(old.stride), directed(old.directed) {
    const auto closed = static_cast<std::size_t>(std::count(old.touching.begin(), old.touching.end(), std::uint8_t{1}));
    body.reserve(closed);
    other.reserve(closed);
    memory.reserve(closed * stride);
    for (std::uint32_t i = 0; i + 1 < old.start.size(); ++i) {
      for (std::uint32_t p = old.start[i]; p < old.start[i + 1]; ++p) {
        if (old.touching[p] != 1) continue;
        body.push_back(i);
        other.push_back(old.other[p]);
        const auto from = old.memory.begin() + static_cast<std::ptrdiff_t>(p * stride);
        memory.insert(memory.end(), from, from + static_cast<std::ptrdiff_t>(stride));
      }
    }
    old = Slots{};
    old.stride = stride;
    old.directed = directed;
  }

  // Into the slots of the same pairs in the new list. `place[old]` is the new number of a body, or kGone.
  void give_back(Slots& now, const std::vector<std::uint32_t>& place, bool pairs) const {
    for (std::size_t k = 0; k < body.size(); ++k) {
      std::uint32_t a = place[body[k]], b = pairs ? place[other[k]] : other[k];
      if (a == kGone || (pairs && b == kGone)) continue;
      const bool swapped = pairs && a > b;
      if (swapped) std::swap(a, b);
      const std::uint32_t q = slot_of(now, a, b);
      if (q == kNoSlot) continue;  // flew apart by more than the skin in one step
      now.touching[q] = 1;
      for (std::size_t c = 0; c < stride; ++c) {
        const double value = memory[k * stride + c];
        now.memory[q * stride + c] = swapped && c < directed ? -value : value;
      }
    }
  }
};

}  // namespace

template <int D>
void list_slots(World<D>& world, base::Team& team) {
  const std::size_t n = world.bodies.size(), chunks = base::chunk_count(n);
  Slots &pairs = world.contacts.pairs, &walls = world.contacts.walls;
  if (n == 0) {
    clear_slots(pairs, 0, 0);
    clear_slots(walls, 0, 0);
    return;
  }
  const Grid<D> grid = make_grid(world);
  const Cells<D> cells(world, grid);
  const auto shifts = world::image_shifts(world.domain, world.time);
  std::vector<Found> found(chunks);
  team.for_chunks(chunks, [&](std::size_t c) {
    const std::size_t end = std::min(n, (c + 1) * base::kChunkBodies);
    for (std::size_t i = c * base::kChunkBodies; i < end; ++i) {
      find_partners(world, grid, cells, shifts, static_cast<std::uint32_t>(i), found[c]);
      find_walls(world, static_cast<std::uint32_t>(i), found[c]);
    }
  });
  std::size_t pair_slots = 0, wall_slots = 0;
  for (const Found& f : found) {
    pair_slots += f.other.size();
    wall_slots += f.walls.size();
  }
  clear_slots(pairs, n, pair_slots);
  clear_slots(walls, n, wall_slots);
  std::size_t pair_at = 0, wall_at = 0, body = 0;
  for (const Found& f : found) {
    std::copy(f.other.begin(), f.other.end(), pairs.other.begin() + static_cast<std::ptrdiff_t>(pair_at));
    std::copy(f.image.begin(), f.image.end(), pairs.image.begin() + static_cast<std::ptrdiff_t>(pair_at));
    std::copy(f.walls.begin(), f.walls.end(), walls.other.begin() + static_cast<std::ptrdiff_t>(wall_at));
    for (std::size_t k = 0; k < f.count.size(); ++k, ++body) {
      pairs.start[body + 1] = pairs.start[body] + f.count[k];
      walls.start[body + 1] = walls.start[body] + f.wall_count[k];
    }
    pair_at += f.other.size();
    wall_at += f.walls.size();
  }
}

template <int D>
void find_neighbours(World<D>& world, base::Team& team) {
  wrap(world);
  const std::size_t n = world.bodies.size();
  for (std::size_t i = 0; i < n; ++i) world.bodies.x_found[i] = world.bodies.place[i].x;
  for (world::Wall<D>& wall : world.walls) wall.found = wall.now;
  std::vector<std::uint32_t> place(n, kGone);
  if (n > 0) {
    const std::vector<std::uint32_t> order = order_in_space(world, make_grid(world));
    world.bodies.reorder(order);
    for (std::size_t k = 0; k < order.size(); ++k) place[order[k]] = static_cast<std::uint32_t>(k);
  }
  const Kept pairs(world.contacts.pairs), walls(world.contacts.walls);
  list_slots(world, team);
  pairs.give_back(world.contacts.pairs, place, true);
  walls.give_back(world.contacts.walls, place, false);
}

template <int D>
bool lists_are_old(const World<D>& world, double farthest_move_squared) {
  const double limit = 0.5 * world.skin;
  if (farthest_move_squared > limit * limit) return true;
  for (const world::Wall<D>& wall : world.walls) {
    if (wall.moves() && world::farthest_move(wall, world.bodies) > limit) return true;
  }
  return false;
}

template <int D>
double widest_skin(const World<D>& world) {
  double widest = std::numeric_limits<double>::infinity();
  const double diameter = 2 * largest_radius(world.bodies);
  for (int k = 0; k < D; ++k) {
    if (world.domain.periodic[k]) widest = std::min(widest, 0.5 * world.domain.length(k) - diameter);
  }
  return widest;
}

#define MORAINE_INSTANTIATE(D)                              \
  template void find_neighbours<D>(World<D>&, base::Team&); \
  template void list_slots<D>(World<D>&, base::Team&);      \
  template bool lists_are_old<D>(const World<D>&, double);  \
  template double widest_skin<D>(const World<D>&);
MORAINE_INSTANTIATE(2)
MORAINE_INSTANTIATE(3)

}  // namespace moraine::find
