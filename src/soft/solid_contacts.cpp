// SPDX-License-Identifier: MIT
#include "soft/solid_contacts.hpp"

#include <algorithm>
#include <cmath>

#include "soft/any_law.hpp"
#include "touch/solids.hpp"

namespace moraine::soft {

namespace {

using touch::Posed;
using touch::SolidTouch;
using world::Held;
using world::Moving;
using world::PairLaw;

// One side of a contact: what moves there.
template <int D>
struct Side {
  Vec<D> centre{};  // that velocity and spin belong to
  Vec<D> v{}, v_now{};
  Spin<D> w{}, w_now{};
  double inverse_mass = 0, inverse_r = 0;
  std::uint32_t clump = world::kNoClump;
  double inverse_inertia = 0;  // of a single body
};

template <int D>
Side<D> side_of(const World<D>& world, std::uint32_t i, const Vec<D>& shift, const Vec<D>& drift) {
  const Moving<D>& m = world.bodies.moving[i];
  Side<D> s;
  s.centre = world.bodies.place[i].x + shift;
  s.v = m.v + drift;
  s.v_now = m.v_now + drift;
  s.w = m.w;
  s.w_now = m.w_now;
  s.inverse_mass = m.inverse_mass;
  s.inverse_r = 1 / world.bodies.place[i].radius;
  s.clump = world.bodies.clump[i];
  if (m.held == Held::kFree) s.inverse_inertia = 1 / world.bodies.inertia[i];
  return s;
}
template <int D>
Side<D> side_of(const world::Wall<D>& wall) {
  return {wall.reference, wall.velocity_half, wall.velocity, wall.spin_half, wall.spin, wall.inverse_mass()};
}

// How easily a point gives way along k.
template <int D>
double mobility(const World<D>& world, const Side<D>& s, const Vec<D>& point, const Vec<D>& k) {
  if (s.inverse_mass == 0) return 0;
  const Spin<D> arm = math::cross(point - s.centre, k);
  if (s.clump == world::kNoClump) return s.inverse_mass + s.inverse_inertia * math::norm2(arm);
  return s.inverse_mass + math::dot(arm, world.clumps.spin_of(s.clump, arm));
}

// What the points of one slot do to both sides, about their centres.
template <int D>
struct Pushed {
  Vec<D> force{};  // on the first
  Spin<D> torque_a{}, torque_b{};

  void add(const Vec<D>& f, const Vec<D>& point, const Side<D>& a, const Side<D>& b) {
    force += f;
    torque_a += math::cross(point - a.centre, f);
    torque_b -= math::cross(point - b.centre, f);
  }
};

// The points of a chunk, old and new, slot by slot.
class Memory {
 public:
  Memory(world::Points& points, world::Points& next, std::size_t stride) : old_(points), next_(next), stride_(stride) {
    next_.clear();
  }
  // To be called with rising slots. Calls lost(slot, key, memory) for all points of slots before it, and takes those of
  // it.
  template <class Lost>
  void begin(std::uint32_t slot, const Lost& lost) {
    end(lost);
    while (at_ < old_.size() && old_.slot[at_] < slot) drop(at_++, lost);
    first_ = at_;
    while (at_ < old_.size() && old_.slot[at_] == slot) ++at_;
    slot_ = slot;
    used_.assign(at_ - first_, false);
  }
  // The memory of a contact of the present slot; `was_there`: it has one already.
  double* remember(std::uint32_t key, bool& was_there) {
    scratch_.assign(stride_, 0);
    const double* from = scratch_.data();
    was_there = false;
    for (std::size_t k = first_; k < at_; ++k) {
      if (old_.key[k] != key || used_[k - first_]) continue;
      used_[k - first_] = was_there = true;
      from = &old_.memory[k * stride_];
      break;
    }
    next_.add(slot_, key, from, stride_);
    return &next_.memory[next_.memory.size() - stride_];
  }
  // Points of the present slot that are no more.
  template <class Lost>
  void end(const Lost& lost) {
    for (std::size_t k = first_; k < at_; ++k) {
      if (!used_[k - first_]) drop(k, lost);
    }
    first_ = at_;
  }
  template <class Lost>
  void finish(const Lost& lost) {
    end(lost);
    while (at_ < old_.size()) drop(at_++, lost);
    std::swap(old_, next_);
  }

 private:
  template <class Lost>
  void drop(std::size_t k, const Lost& lost) const {
    lost(old_.slot[k], old_.key[k], &old_.memory[k * stride_]);
  }
  world::Points &old_, &next_;
  std::size_t stride_, at_ = 0, first_ = 0;
  std::uint32_t slot_ = 0;
  std::vector<bool> used_;
  std::vector<double> scratch_;
};

template <int D>
struct Meet {
  const ChunkView<D>& view;
  const PairLaw& law;
  Side<D> a, b;
  std::int64_t id_a, id_b;
  double smaller;  // radius
};

// All touches of one slot.
template <int D>
Pushed<D> push_points(const Meet<D>& meet, const std::vector<SolidTouch<D>>& touches, Memory& memory) {
  const World<D>& world = meet.view.world;
  Tally& total = meet.view.work.tally;
  Pushed<D> pushed;
  for (const SolidTouch<D>& t : touches) {
    if (!(t.depth > 0)) continue;
    // A ridge is as deep as the faces beside it say: less than along the common normal, by the length of k.
    const double steep = math::norm(t.k), share = t.share * steep * steep;
    Pairing<D> c;
    c.at.k = t.k * (1 / steep);
    c.at.overlap = t.depth / steep;
    c.at.distance = 0;
    c.arm_a = c.arm_b = 0;
    const Vec<D> ra = t.point - meet.a.centre, rb = t.point - meet.b.centre;
    c.v_half = meet.a.v + math::cross(meet.a.w, ra) - meet.b.v - math::cross(meet.b.w, rb);
    c.v_now = meet.a.v_now + math::cross(meet.a.w_now, ra) - meet.b.v_now - math::cross(meet.b.w_now, rb);
    c.arm_spin_half = c.arm_spin_now = Spin<D>{};
    c.twist_rate = twist_of<D>(meet.a.w + meet.b.w, c.at.k);
    c.shrink = 0;
    c.m_eff = 1 / (mobility(world, meet.a, t.point, c.at.k) + mobility(world, meet.b, t.point, c.at.k));
    c.inverse_r = meet.a.inverse_r + meet.b.inverse_r;
    bool was_there = false;
    double* mine = memory.remember(t.key, was_there);
    const Phase phase = was_there || meet.view.at_start ? Phase::kGoing : Phase::kFirst;
    Tally tally;
    const Push<D> push = contact_push<D, AnyNormal, AnyTangential, true>(c, meet.law, mine, phase, world.dt, tally);
    pushed.add(push.force * share, t.point, meet.a, meet.b);
    if (t.end != touch::kNoEnd) {
      const SolidTouch<D>& end = touches[t.end];
      pushed.add(end.k * (push.spring * share / steep), end.point, meet.a, meet.b);
    }
    total.elastic += tally.elastic * share;
    total.normal_dashpot += tally.normal_dashpot * share;
    total.shear_dashpot += tally.shear_dashpot * share;
    total.friction += tally.friction * share;
    ++total.contacts;
    note_depth(total, t.depth / std::min(meet.smaller, t.room), meet.id_a, meet.id_b);
    if (meet.view.keep_records) {
      meet.view.work.records.push_back({meet.id_a, meet.id_b, t.point, c.at.k, push.force * share, t.depth,
                                        math::norm(ra), push.rate, push.normal * share});
    }
  }
  return pushed;
}

// What a contact that is no more still held in its spring.
template <int D>
void lose(const ChunkView<D>& view, const PairLaw& law, std::uint32_t key, const double* memory) {
  if (law.tangential != world::TangentialLaw::kCundallStrack) return;
  const double share = touch::is_ridge(key) ? 0.5 : 1;
  view.work.tally.friction += share * 0.5 * law.Kt * math::norm2(read_tangent<D>(memory));
}

template <int D>
void push_solid_pairs(const ChunkView<D>& view, Memory& memory) {
  World<D>& world = view.world;
  world::Slots& slots = world.contacts.pairs;
  thread_local std::vector<SolidTouch<D>> touches;
  const auto lost = [&](std::uint32_t p, std::uint32_t key, const double* memory_of) {
    const std::uint32_t i = slots.body_of(p, view.begin), j = slots.other[p];
    lose(view, world.laws(world.bodies.moving[i].material, world.bodies.moving[j].material), key, memory_of);
  };
  for (std::uint32_t i = view.begin; i < view.end; ++i) {
    const bool first_is_solid = world.solid_of(i) != nullptr;
    for (std::uint32_t p = slots.start[i]; p < slots.start[i + 1]; ++p) {
      const std::uint32_t j = slots.other[p];
      if (!first_is_solid && world.solid_of(j) == nullptr) continue;
      const std::uint32_t out = view.outbox.slot[p];
      if (out != Outbox<D>::kHere) view.outbox.pushes[out] = {};
      memory.begin(p, lost);
      const Vec<D>&shift = view.shifts[slots.image[p]], &drift = view.drifts[slots.image[p]];
      touch::touch_bodies(world, i, j, shift, 0.0, touches);
      if (touches.empty()) continue;
      const Moving<D>&a = world.bodies.moving[i], &b = world.bodies.moving[j];
      const Meet<D> meet{view,
                         world.laws(a.material, b.material),
                         side_of(world, i, Vec<D>{}, Vec<D>{}),
                         side_of(world, j, shift, view.sheared ? drift : Vec<D>{}),
                         world.bodies.id[i],
                         world.bodies.id[j],
                         std::min(world.bodies.place[i].radius, world.bodies.place[j].radius)};
      const Pushed<D> pushed = push_points(meet, touches, memory);
      if (view.sheared) view.work.tally.boundary += boundary_power(view, i, j, slots.image[p], pushed.force);
      view.push(i, pushed.force, pushed.torque_a);
      view.push_other(p, j, -pushed.force, pushed.torque_b);
    }
  }
  memory.finish(lost);
}

// The contacts of body i with a wall, whose slots are those from `first` to `end`.
template <int D>
void touch_wall_of(const World<D>& world, std::uint32_t i, const world::Wall<D>& wall, std::uint32_t first,
                   std::uint32_t end, std::vector<SolidTouch<D>>& touches) {
  thread_local std::vector<std::uint32_t> triangles;
  triangles.clear();
  for (std::uint32_t p = first; p < end; ++p) triangles.push_back(world.contacts.walls.other[p] - wall.first_element);
  touch::touch_wall(touch::posed(world, i), wall.now, std::span<const std::uint32_t>(triangles), 0.0, touches);
}

template <int D>
void push_solid_walls(const ChunkView<D>& view, Memory& memory) {
  World<D>& world = view.world;
  world::Slots& slots = world.contacts.walls;
  thread_local std::vector<SolidTouch<D>> touches;
  const auto lost = [&](std::uint32_t p, std::uint32_t key, const double* memory_of) {
    const std::uint32_t i = slots.body_of(p, view.begin);
    const world::Wall<D>& wall = world.walls[world.wall_of(slots.other[p])];
    lose(view, world.laws(world.bodies.moving[i].material, wall.material), key, memory_of);
  };
  for (std::uint32_t i = view.begin; i < view.end; ++i) {
    if (slots.start[i] == slots.start[i + 1] || world.solid_of(i) == nullptr) continue;
    std::uint32_t p = slots.start[i];
    while (p < slots.start[i + 1]) {
      // All triangles of a mesh together: their contacts are those of the wall.
      const std::uint32_t w = world.wall_of(slots.other[p]), first = p;
      while (p < slots.start[i + 1] && world.wall_of(slots.other[p]) == w) ++p;
      const world::Wall<D>& wall = world.walls[w];
      memory.begin(first, lost);
      touch_wall_of(world, i, wall, first, p, touches);
      if (touches.empty()) continue;
      const Meet<D> meet{view,
                         world.laws(world.bodies.moving[i].material, wall.material),
                         side_of(world, i, Vec<D>{}, Vec<D>{}),
                         side_of(wall),
                         world.bodies.id[i],
                         -1 - static_cast<std::int64_t>(w),
                         world.bodies.place[i].radius};
      const Pushed<D> pushed = push_points(meet, touches, memory);
      view.push(i, pushed.force, pushed.torque_a);
      view.work.wall_force[w] -= pushed.force;
      view.work.wall_torque[w] += pushed.torque_b;
    }
  }
  memory.finish(lost);
}

}  // namespace

template <int D>
std::size_t point_stride() {
  return static_cast<std::size_t>(kAnyMemory<D>);
}

template <int D>
void push_solids(const ChunkView<D>& view, world::Points& pair_points, world::Points& wall_points) {
  thread_local world::Points next;
  const std::size_t stride = point_stride<D>();
  Memory of_pairs(pair_points, next, stride);
  push_solid_pairs(view, of_pairs);
  Memory of_walls(wall_points, next, stride);
  push_solid_walls(view, of_walls);
}

template std::size_t point_stride<2>();
template std::size_t point_stride<3>();
template void push_solids<2>(const ChunkView<2>&, world::Points&, world::Points&);
template void push_solids<3>(const ChunkView<3>&, world::Points&, world::Points&);

}  // namespace moraine::soft
