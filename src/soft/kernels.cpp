// SPDX-License-Identifier: MIT
#include "soft/kernels.hpp"

#include "soft/contact_step.hpp"

namespace moraine::soft {

namespace {

using world::Held;
using world::Moving;

void note_depth(Tally& tally, double depth, std::int64_t a, std::int64_t b) {
  if (depth <= tally.deepest) return;
  tally.deepest = depth;
  tally.deepest_a = a;
  tally.deepest_b = b;
}

template <int D>
void keep_record(const ChunkView<D>& view, std::int64_t a, std::int64_t b, const Vec<D>& x, const Pairing<D>& c,
                 const Push<D>& push) {
  view.work.records.push_back(
      {a, b, x + c.at.k * c.arm_a, c.at.k, push.force, c.at.overlap, c.at.distance, push.rate, push.normal});
}

// Contacts closed at the start of a run have been closed for an unknown time: they are going on.
template <int D>
Phase next_phase(const ChunkView<D>& view, world::Slots& slots, std::uint32_t p, double overlap) {
  if (overlap <= 0) return Phase::kLast;
  const bool before = slots.touching[p] != 0;
  slots.touching[p] = 1;
  return before || view.at_start ? Phase::kGoing : Phase::kFirst;
}

template <int D, class Normal, class Tangential, bool kEnergy>
struct Loop {
  static inline void pair(const ChunkView<D>& view, std::uint32_t i, std::uint32_t p) {
    World<D>& world = view.world;
    world::Slots& slots = world.contacts.pairs;
    const std::uint32_t j = slots.other[p];
    const Moving<D>&a = world.bodies.moving[i], &b = world.bodies.moving[j];
    const world::Place<D>&at = world.bodies.place[i], &other = world.bodies.place[j];
    const Pairing<D> c = pair_up(a, b, at.radius, other.radius, (other.x + view.shifts[slots.image[p]]) - at.x);
    const world::PairLaw& law = world.laws(a.material, b.material);
    const Phase phase = next_phase(view, slots, p, c.at.overlap);
    const Push<D> push = contact_push<D, Normal, Tangential, kEnergy>(
        c, law, slots.memory.data() + p * slots.stride, phase, world.dt, view.work.tally);
    if (phase == Phase::kLast) slots.forget(p);
    world.bodies.force[i] += push.force;
    world.bodies.torque[i] += c.arm_a * push.torque_per_arm;
    const std::uint32_t out = view.outbox.slot[p];
    if (out == Outbox<D>::kHere) {
      world.bodies.force[j] -= push.force;
      world.bodies.torque[j] += c.arm_b * push.torque_per_arm;
    } else {
      view.outbox.pushes[out] = {-push.force, c.arm_b * push.torque_per_arm};
    }
    const double smaller = std::min(at.radius, other.radius);
    if (c.at.overlap > view.work.tally.deepest * smaller) {
      note_depth(view.work.tally, c.at.overlap / smaller, world.bodies.id[i], world.bodies.id[j]);
    }
    if (view.keep_records && phase != Phase::kLast) {
      keep_record(view, world.bodies.id[i], world.bodies.id[j], at.x, c, push);
    }
  }

  // Flattened: everything that a closed contact needs is inlined into this one loop.
  [[gnu::flatten]] static void pairs(const ChunkView<D>& view) {
    for (const std::uint64_t at : view.work.closed) {
      pair(view, static_cast<std::uint32_t>(at >> 32), static_cast<std::uint32_t>(at));
    }
  }

  static void wall(const ChunkView<D>& view, std::uint32_t i, std::uint32_t p) {
    World<D>& world = view.world;
    world::Slots& slots = world.contacts.walls;
    const std::uint32_t w = slots.other[p];
    const Moving<D>& a = world.bodies.moving[i];
    bool at_end = false;
    const world::Place<D>& at = world.bodies.place[i];
    const Pairing<D> c = pair_up(a, at, world.walls[w], at_end);
    const world::PairLaw& law = world.laws(a.material, world.walls[w].material);
    const Phase phase = next_phase(view, slots, p, c.at.overlap);
    const Push<D> push = contact_push<D, Normal, Tangential, kEnergy>(
        c, law, slots.memory.data() + p * slots.stride, phase, world.dt, view.work.tally);
    if (phase == Phase::kLast) slots.forget(p);
    world.bodies.force[i] += push.force;
    world.bodies.torque[i] += c.arm_a * push.torque_per_arm;
    view.work.wall_force[w] -= push.force;
    view.work.wall_torque[w] -= math::cross(at.x + c.at.k * c.arm_a - world.walls[w].reference, push.force);
    note_depth(view.work.tally, c.at.overlap / at.radius, world.bodies.id[i], -1 - static_cast<std::int64_t>(w));
    if (view.keep_records && phase != Phase::kLast) {
      keep_record(view, world.bodies.id[i], -1 - static_cast<std::int64_t>(w), at.x, c, push);
    }
  }
};

template <int D, class Normal, class Tangential>
Kernel<D> kernel_with(bool energy) {
  constexpr int kMemory = Normal::kMemory + kTangentialMemory<D, Normal, Tangential>;
  using With = Loop<D, Normal, Tangential, true>;
  using Without = Loop<D, Normal, Tangential, false>;
  if (energy) return {With::pairs, With::pair, With::wall, kMemory};
  return {Without::pairs, Without::pair, Without::wall, kMemory};
}

template <int D, class Normal>
Kernel<D> kernel_with(world::TangentialLaw tangential, bool energy) {
  switch (tangential) {
    case world::TangentialLaw::kNone: return kernel_with<D, Normal, laws::NoFriction>(energy);
    case world::TangentialLaw::kCundallStrack: return kernel_with<D, Normal, laws::CundallStrack>(energy);
    case world::TangentialLaw::kViscous: return kernel_with<D, Normal, laws::Viscous>(energy);
    case world::TangentialLaw::kMindlin: break;
  }
  return kernel_with<D, Normal, laws::Mindlin>(energy);
}

}  // namespace

template <int D>
Kernel<D> kernel_of(world::NormalLaw normal, world::TangentialLaw tangential, bool energy) {
  switch (normal) {
    case world::NormalLaw::kLinear: return kernel_with<D, laws::Linear>(tangential, energy);
    case world::NormalLaw::kHertz: return kernel_with<D, laws::Hertz>(tangential, energy);
    case world::NormalLaw::kHuntCrossley: return kernel_with<D, laws::HuntCrossley>(tangential, energy);
    case world::NormalLaw::kWaltonBraun: break;
  }
  return kernel_with<D, laws::WaltonBraun>(tangential, energy);
}

template Kernel<2> kernel_of<2>(world::NormalLaw, world::TangentialLaw, bool);
template Kernel<3> kernel_of<3>(world::NormalLaw, world::TangentialLaw, bool);

}  // namespace moraine::soft
