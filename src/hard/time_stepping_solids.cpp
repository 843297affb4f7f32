// SPDX-License-Identifier: MIT
// Contacts of solids: several points of one pair or wall. While a step is on, each has a slot of its own behind those
// of the pairs or walls; between steps the closed ones are kept as world::Points. A point remembers its normal (from
// the first body to the second), what a slot remembers, where it is, and its gap.
#include <algorithm>

#include "hard/time_stepping.hpp"
#include "touch/solid_gaps.hpp"

namespace moraine::hard {

using touch::SolidGap;

namespace {

// Where a point keeps what.
template <int D>
struct PointMemory {
  static constexpr std::size_t kNormal = 0, kSlot = D;
  std::size_t point, gap, size;
  explicit PointMemory(std::size_t stride) : point(kSlot + stride), gap(point + D), size(gap + 1) {}
};

template <int D>
Vec<D> read_vec(const double* from) {
  Vec<D> v;
  for (int k = 0; k < D; ++k) v[k] = from[k];
  return v;
}

// What the points of a chunk remember, slot after slot in rising order.
class OldPoints {
 public:
  OldPoints(const world::Points& points, std::size_t stride) : points_(points), stride_(stride) {}

  void go_to(std::uint32_t slot) {
    while (end_ < points_.size() && points_.slot[end_] < slot) ++end_;
    begin_ = end_;
    while (end_ < points_.size() && points_.slot[end_] == slot) ++end_;
    used_.assign(end_ - begin_, false);
  }
  // Two ridges belong to both bodies.
  static bool same(std::uint32_t a, std::uint32_t b) {
    return a == b || (touch::is_ridge(a) && (a ^ b) == world::kSecondSolid);
  }
  // Nothing: it was not closed.
  const double* find(std::uint32_t key) {
    for (std::size_t k = begin_; k < end_; ++k) {
      if (!same(points_.key[k], key) || used_[k - begin_]) continue;
      used_[k - begin_] = true;
      return &points_.memory[k * stride_];
    }
    return nullptr;
  }

 private:
  const world::Points& points_;
  std::size_t stride_, begin_ = 0, end_ = 0;
  std::vector<bool> used_;
};

// Adds a point; the memory is that of the slot, zero where there is none.
template <int D>
Remembered add_point(TouchedPoints<D>& points, std::uint32_t slot, const SolidGap<D>& g, const Vec<D>& from,
                     OldPoints& old, std::size_t stride) {
  const double* before = old.find(g.key);
  points.slot.push_back(slot);
  points.key.push_back(g.key);
  points.n.push_back(g.n);
  points.point.push_back(g.point - from);
  points.gap.push_back(g.gap);
  points.closed.push_back(before == nullptr ? 0 : 1);
  if (before == nullptr) {
    points.memory.insert(points.memory.end(), stride, 0.0);
  } else {
    const double* first = before + PointMemory<D>::kSlot;
    points.memory.insert(points.memory.end(), first, first + stride);
  }
  return {points.memory.data() + (points.memory.size() - stride), before != nullptr};
}

// Moves the points of all chunks behind the slots.
template <int D, class Of>
void append_slots(world::Slots& slots, std::vector<Of>& chunks, TouchedPoints<D> Of::*which) {
  for (Of& chunk : chunks) {
    TouchedPoints<D>& points = chunk.*which;
    points.first = static_cast<std::uint32_t>(slots.touching.size() - slots.size());
    slots.memory.insert(slots.memory.end(), points.memory.begin(), points.memory.end());
    slots.touching.insert(slots.touching.end(), points.closed.begin(), points.closed.end());
  }
}

}  // namespace

template <int D>
void TimeStepping<D>::lay_out_points(world::Contacts& contacts) {
  contacts.point_stride = PointMemory<D>(contacts.pairs.stride).size;
  contacts.point_directed = PointMemory<D>::kSlot + contacts.pairs.directed;
}

template <int D>
void TimeStepping<D>::outline_solids(const World<D>& world) {
  outlines_.resize(world.bodies.size());
  team_.for_chunks(chunks_.size(), [&](std::size_t c) {
    const std::size_t end = std::min(world.bodies.size(), (c + 1) * base::kChunkBodies);
    for (std::size_t i = c * base::kChunkBodies; i < end; ++i) {
      if (world.solid_of(i) != nullptr) outlines_[i].set(touch::posed(world, static_cast<std::uint32_t>(i)));
    }
  });
}

// Gaps between two bodies, of which at least one is a solid.
template <int D>
void TimeStepping<D>::gaps_of(const World<D>& world, std::uint32_t i, std::uint32_t j, const Vec<D>& shift,
                              double margin, std::vector<SolidGap<D>>& out) const {
  const world::Place<D>&a = world.bodies.place[i], &b = world.bodies.place[j];
  const double reach = a.radius + b.radius + margin;
  out.clear();
  if (!(math::norm2(b.x + shift - a.x) < reach * reach)) return;
  const bool first = world.solid_of(i) != nullptr, second = world.solid_of(j) != nullptr;
  if (first && second) {
    if (math::norm2(shift) == 0) return touch::gaps_of_solids(outlines_[i], outlines_[j], margin, out);
    thread_local touch::Outline<D> image;
    image = outlines_[j];
    image.shift(shift);
    return touch::gaps_of_solids(outlines_[i], image, margin, out);
  }
  if (first) return touch::gaps_of_ball(outlines_[i].solid, b.x + shift, b.radius, false, margin, out);
  touch::gaps_of_ball(touch::posed(world, j, shift), a.x, a.radius, true, margin, out);
}

template <int D>
void TimeStepping<D>::touch_solids(const World<D>& world, std::size_t chunk, double h) {
  Chunk& mine = chunks_[chunk];
  mine.pair_points.clear();
  mine.wall_points.clear();
  const world::Slots &pairs = world.contacts.pairs, &walls = world.contacts.walls;
  const world::Bodies<D>& bodies = world.bodies;
  const auto shifts = world::image_shifts(world.domain, world.time);
  const std::size_t stride = world.contacts.point_stride, materials = world.laws.materials();
  const std::size_t end = std::min(bodies.size(), (chunk + 1) * base::kChunkBodies);
  OldPoints old_pairs(world.contacts.pair_points[chunk], stride), old_walls(world.contacts.wall_points[chunk], stride);
  thread_local std::vector<SolidGap<D>> gaps;
  thread_local std::vector<std::uint32_t> triangles;
  const auto reach = [&](std::uint32_t i) {
    return reach_[bodies.moving[i].held == Held::kMember ? bodies.size() + bodies.clump[i] : i];
  };
  for (auto i = static_cast<std::uint32_t>(chunk * base::kChunkBodies); i < end; ++i) {
    if (bodies.moving[i].gone) continue;
    const world::Place<D>& pi = bodies.place[i];
    const bool solid = world.solid_of(i) != nullptr;
    for (std::uint32_t p = pairs.start[i]; p < pairs.start[i + 1]; ++p) {
      const std::uint32_t j = pairs.other[p];
      if (!solid && world.solid_of(j) == nullptr) continue;
      if (bodies.moving[j].gone || links_.linked(bodies.id[i], bodies.id[j])) continue;
      const world::Place<D>& pj = bodies.place[j];
      const double smaller = std::min(pi.radius, pj.radius);
      const Vec<D> xj = pj.x + shifts[pairs.image[p]];
      gaps_of(world, i, j, shifts[pairs.image[p]], kMargin * smaller + 2 * (reach(i) + reach(j)), gaps);
      old_pairs.go_to(p);
      for (const SolidGap<D>& g : gaps) {
        mine.see(g.gap, smaller, bodies.id[i], bodies.id[j]);
        const auto slot = static_cast<std::uint32_t>(pairs.size() + mine.pair_points.size());
        const Remembered memory = add_point(mine.pair_points, p, g, (pi.x + xj) * 0.5, old_pairs, pairs.stride);
        const Vec<D> arm_i = g.point - pi.x, arm_j = g.point - xj;
        meet(world, chunk,
             {i, j, slot, static_cast<std::uint32_t>(bodies.moving[i].material * materials + bodies.moving[j].material),
              pairs.image[p], g.n, arm_i, arm_j, math::dot(arm_i, g.n), math::dot(arm_j, g.n), g.gap, smaller, smaller,
              memory},
             h);
      }
    }
    if (!solid) continue;
    for (std::uint32_t p = walls.start[i]; p < walls.start[i + 1];) {
      // All triangles of a mesh together.
      const std::uint32_t w = world.wall_of(walls.other[p]), first = p;
      triangles.clear();
      for (; p < walls.start[i + 1] && world.wall_of(walls.other[p]) == w; ++p)
        triangles.push_back(walls.other[p] - world.walls[w].first_element);
      if (world.walls[w].gone) continue;
      touch::gaps_of_wall(outlines_[i], world.walls[w].now, std::span<const std::uint32_t>(triangles),
                          kMargin * pi.radius + 2 * reach(i), gaps);
      old_walls.go_to(first);
      for (const SolidGap<D>& g : gaps) {
        mine.see(g.gap, pi.radius, bodies.id[i], -1 - static_cast<std::int64_t>(w));
        const auto slot = static_cast<std::uint32_t>(walls.size() + mine.wall_points.size());
        const Remembered memory = add_point(mine.wall_points, first, g, pi.x, old_walls, walls.stride);
        meet_wall(world, chunk, {i, w, slot, g.n, g.point - pi.x, g.gap, pi.radius, memory}, h);
      }
    }
  }
}

// So far chunks have counted their points from the same slot on.
template <int D>
void TimeStepping<D>::number_points(World<D>& world) {
  world::Slots &pairs = world.contacts.pairs, &walls = world.contacts.walls;
  append_slots<D>(pairs, chunks_, &Chunk::pair_points);
  append_slots<D>(walls, chunks_, &Chunk::wall_points);
  for (std::size_t k = 0; k < chunks_.size(); ++k) {
    Chunk& chunk = chunks_[k];
    const auto pair = [&](Block<D>& c) {
      if (c.slot >= pairs.size()) c.slot += chunk.pair_points.first;
    };
    const auto held = [&](HeldBlock<D>& c) {
      if (c.slot >= (c.on_wall() ? walls : pairs).size())
        c.slot += (c.on_wall() ? chunk.wall_points : chunk.pair_points).first;
    };
    for (Block<D>& c : solver_.groups[k].pairs) pair(c);
    for (HeldBlock<D>& c : solver_.groups[k].held) held(c);
    for (Sent& s : chunk.sent) pair(s.block);
    for (SentHeld& s : chunk.sent_held) held(s.block);
  }
}

// What is closed stays, and the slots behind the others go.
template <int D>
void TimeStepping<D>::keep_points(World<D>& world) {
  const PointMemory<D> at(world.contacts.pairs.stride);
  const auto keep = [&](world::Slots& slots, const TouchedPoints<D>& points, world::Points& out) {
    std::vector<double> memory(at.size);
    out.clear();
    for (std::size_t k = 0; k < points.size(); ++k) {
      const std::size_t slot = slots.size() + points.first + k;
      if (slots.touching[slot] != 1) continue;
      for (int c = 0; c < D; ++c) {
        memory[at.kNormal + static_cast<std::size_t>(c)] = points.n[k][c];
        memory[at.point + static_cast<std::size_t>(c)] = points.point[k][c];
      }
      std::copy_n(slots.memory.data() + slot * slots.stride, slots.stride, memory.begin() + at.kSlot);
      memory[at.gap] = points.gap[k];
      out.add(points.slot[k], points.key[k], memory.data(), at.size);
    }
  };
  world::Contacts& contacts = world.contacts;
  team_.for_chunks(chunks_.size(), [&](std::size_t c) {
    keep(contacts.pairs, chunks_[c].pair_points, contacts.pair_points[c]);
    keep(contacts.walls, chunks_[c].wall_points, contacts.wall_points[c]);
  });
  for (world::Slots* slots : {&contacts.pairs, &contacts.walls}) {
    slots->touching.resize(slots->size());
    slots->memory.resize(slots->size() * slots->stride);
  }
}

template <int D>
void TimeStepping<D>::show_points(const World<D>& world, bool keep_records, double& worst) {
  const world::Contacts& contacts = world.contacts;
  const world::Bodies<D>& bodies = world.bodies;
  const PointMemory<D> at(contacts.pairs.stride);
  const auto shifts = world::image_shifts(world.domain, world.time);
  const auto drifts = world::image_drifts(world.domain);
  const auto each = [&](const std::vector<world::Points>& chunks, const world::Slots& slots, const auto& other) {
    std::uint32_t i = 0;
    for (const world::Points& points : chunks) {
      for (std::size_t k = 0; k < points.size(); ++k) {
        i = slots.body_of(points.slot[k], i);
        const double* memory = points.memory.data() + k * at.size;
        worst = std::max(worst, -memory[at.gap]);
        if (!keep_records) continue;
        const Vec<D> n = read_vec<D>(memory + at.kNormal), &x = bodies.place[i].x;
        const double normal = memory[at.kSlot + memory_.normal];
        const Vec<D> across = along(ContactMemory<D>::read(memory + at.kSlot + memory_.across), n);
        std::int64_t id = 0;
        Vec<D> point = read_vec<D>(memory + at.point), v{};
        other(i, points.slot[k], id, point, v);
        const Vec<D> arm = point - x;
        const double rate = math::dot(world.velocity(i) + math::cross(bodies.moving[i].w, arm) - v, n);
        records_.push_back(
            {bodies.id[i], id, point, n, -(n * normal + across), -memory[at.gap], math::norm(arm), rate, normal});
      }
    }
  };
  each(contacts.pair_points, contacts.pairs,
       [&](std::uint32_t i, std::uint32_t p, std::int64_t& id, Vec<D>& point, Vec<D>& v) {
         const std::uint32_t j = contacts.pairs.other[p];
         const std::uint8_t image = contacts.pairs.image[p];
         const Vec<D> xj = bodies.place[j].x + shifts[image];
         id = bodies.id[j];
         point += (bodies.place[i].x + xj) * 0.5;
         v = world.velocity(j) + drifts[image] + math::cross(bodies.moving[j].w, point - xj);
       });
  each(contacts.wall_points, contacts.walls,
       [&](std::uint32_t i, std::uint32_t p, std::int64_t& id, Vec<D>& point, Vec<D>& v) {
         const std::uint32_t w = world.wall_of(contacts.walls.other[p]);
         id = -1 - static_cast<std::int64_t>(w);
         point += bodies.place[i].x;
         v = world.walls[w].velocity + math::cross(world.walls[w].spin, point - world.walls[w].reference);
       });
}

#define MORAINE_INSTANTIATE(D)                                                       \
  template void TimeStepping<D>::lay_out_points(world::Contacts&);                   \
  template void TimeStepping<D>::outline_solids(const World<D>&);                    \
  template void TimeStepping<D>::touch_solids(const World<D>&, std::size_t, double); \
  template void TimeStepping<D>::number_points(World<D>&);                           \
  template void TimeStepping<D>::keep_points(World<D>&);                             \
  template void TimeStepping<D>::show_points(const World<D>&, bool, double&);
MORAINE_INSTANTIATE(2)
MORAINE_INSTANTIATE(3)

}  // namespace moraine::hard
