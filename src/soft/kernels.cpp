// SPDX-License-Identifier: MIT
#include "soft/kernels.hpp"

#include "soft/any_cpu.hpp"
#include "soft/batch.hpp"
#include "soft/contact_step.hpp"

namespace moraine::soft {

namespace {

using world::Held;
using world::Moving;

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
    Pairing<D> c = pair_up(a, b, at.radius, other.radius, (other.x + view.shifts[slots.image[p]]) - at.x);
    if (view.sheared) {
      c.v_half -= view.drifts[slots.image[p]];
      c.v_now -= view.drifts[slots.image[p]];
    }
    const world::PairLaw& law = world.laws(a.material, b.material);
    const Phase phase = next_phase(view, slots, p, c.at.overlap);
    const Push<D> push = contact_push<D, Normal, Tangential, kEnergy>(c, law, slots.memory.data() + p * slots.stride,
                                                                      phase, world.dt, view.work.tally);
    if (phase == Phase::kLast) {
      note_parting(view.work.tally, slots, p, a.held, b.held);
      slots.forget(p);
    }
    if (view.sheared) view.work.tally.boundary += boundary_power(view, i, j, slots.image[p], push.force);
    view.push(i, push.force, c.arm_a * push.torque_per_arm);
    view.push_other(p, j, -push.force, c.arm_b * push.torque_per_arm);
    const double smaller = std::min(at.radius, other.radius);
    if (c.at.overlap > view.work.tally.deepest * smaller) {
      note_depth(view.work.tally, c.at.overlap / smaller, world.bodies.id[i], world.bodies.id[j]);
    }
    if (view.keep_records && phase != Phase::kLast) {
      keep_record(view, world.bodies.id[i], world.bodies.id[j], at.x, c, push);
    }
  }

  static constexpr int kMemory = Normal::kMemory + kTangentialMemory<D, Normal, Tangential>;
  static_assert(kMemory <= Batch<D>::kMostMemory);

  // Contacts that go on are computed in batches; those that have just closed or opened alone. Either way pushes are
  // added in the order of the slots.
  static void pairs(const ChunkView<D>& view) {
    Batch<D> batch;
    const ClosedPairs& closed = view.closed;
    std::size_t alone = 0;
    for (std::size_t first = 0; first < closed.count; first += Batch<D>::kSize) {
      list(view, first, batch);
      const World<D>& world = view.world;
      const Sources<D> sources{
          world.bodies.place.data(),   world.bodies.moving.data(),        view.world.contacts.pairs.memory.data(),
          world.contacts.pairs.stride, world.contacts.pairs.image.data(), view.shift_rows.data()};
      const world::PairLaw& law =
          world.laws(world.bodies.moving[batch.body[0]].material, world.bodies.moving[batch.other[0]].material);
      compute(sources, batch, law, world.dt, view.sheared ? view.drifts.data() : nullptr);
      std::size_t next = 0;
      for (; alone < closed.alone.size() && closed.alone[alone] < first + batch.count; ++alone) {
        const std::size_t k = closed.alone[alone] - first;
        give_back(view, sources, batch, next, k);
        pair(view, batch.body[k], batch.slot[k]);
        next = k + 1;
      }
      give_back(view, sources, batch, next, batch.count);
    }
  }

  static constexpr std::size_t up_to_four(std::size_t n) { return (n + 3) / 4 * 4; }

  // Which contacts are in the batch; asks for what they will read, which in large systems comes from far away.
  static void list(const ChunkView<D>& view, std::size_t first, Batch<D>& batch) {
    const world::Slots& slots = view.world.contacts.pairs;
    const ClosedPairs& closed = view.closed;
    batch.count = std::min(Batch<D>::kSize, closed.count - first);
    for (std::size_t k = 0; k < up_to_four(batch.count); ++k) {
      const std::size_t at = first + std::min(k, batch.count - 1);
      const std::uint32_t p = closed.slot[at], j = slots.other[p];
      batch.body[k] = closed.body[at];
      batch.other[k] = j;
      batch.slot[k] = p;
      const auto* other = reinterpret_cast<const char*>(&view.world.bodies.moving[j]);
      __builtin_prefetch(other);
      __builtin_prefetch(other + 64);
      __builtin_prefetch(slots.memory.data() + p * slots.stride);
    }
  }

  // Everything is inlined into this one function. What it makes of those that are to be computed alone is not used.
  MORAINE_ANY_CPU static void compute(const Sources<D>& sources, Batch<D>& batch, world::PairLaw law, double dt,
                                      const Vec<D>* drifts) {
    const std::size_t n = batch.count;
    for (std::size_t k = 0; k < n; k += 4) {
      gather_places(sources, batch, k);
      gather_motions(sources, batch, k);
      move_memory<D, kMemory, false>(sources, batch, k, 4);
    }
    for (std::size_t k = 0; drifts != nullptr && k < n; ++k) {
      const Vec<D>& drift = drifts[sources.image[batch.slot[k]]];
      put<D>(batch.v_half, k, take<D>(batch.v_half, k) - drift);
      put<D>(batch.v_now, k, take<D>(batch.v_now, k) - drift);
    }
    // No contact of a batch reads what another writes.
    MORAINE_INDEPENDENT
    for (std::size_t k = 0; k < n; ++k) compute_one<D, Normal, Tangential, kEnergy>(batch, law, dt, k);
    for (std::size_t k = 0; k < n; k += 4) lay_out_pushes(batch, k);
  }

  // The contacts of the batch from `from` to `end`.
  static void give_back(const ChunkView<D>& view, const Sources<D>& sources, Batch<D>& batch, std::size_t from,
                        std::size_t end) {
    if (from >= end) return;
    add(view, sources, batch, from, end);
    if (view.sheared || view.keep_records) note(view, batch, from, end);
  }

  MORAINE_ANY_CPU static void add(const ChunkView<D>& view, const Sources<D>& sources, Batch<D>& batch,
                                  std::size_t from, std::size_t end) {
    Tally& tally = view.work.tally;
    const std::uint32_t* out_of = view.outbox.slot.data();
    for (std::size_t k = from; k < end; ++k) {
      const std::uint32_t i = batch.body[k], j = batch.other[k], out = out_of[batch.slot[k]];
      view.sums[i - view.begin].add(batch.push_a[k]);
      if (out == Outbox<D>::kHere) {
        view.sums[j - view.begin].add(batch.push_b[k]);
      } else {
        view.outbox.pushes[out] = batch.push_b[k].push();
      }
      const double smaller = std::min(batch.radius_a[k], batch.radius_b[k]);
      if (batch.overlap[k] > tally.deepest * smaller) [[unlikely]] {
        const auto& id = view.world.bodies.id;
        note_depth(tally, batch.overlap[k] / smaller, id[i], id[j]);
      }
      if constexpr (kEnergy) {
        tally.elastic += batch.elastic[k];
        tally.normal_dashpot += batch.lost_normal[k];
        tally.shear_dashpot += batch.lost_shear[k];
        tally.friction += batch.lost_friction[k];
      }
    }
    for (std::size_t k = from; k < end; k += 4)
      move_memory<D, kMemory, true>(sources, batch, k, std::min<std::size_t>(4, end - k));
  }

  // What only some runs want to know.
  static void note(const ChunkView<D>& view, const Batch<D>& batch, std::size_t from, std::size_t end) {
    const world::Bodies<D>& bodies = view.world.bodies;
    for (std::size_t k = from; k < end; ++k) {
      const std::uint32_t i = batch.body[k], j = batch.other[k];
      const Vec<D> force = take<D>(batch.force, k);
      if (view.sheared) {
        view.work.tally.boundary += boundary_power(view, i, j, view.world.contacts.pairs.image[batch.slot[k]], force);
      }
      if (!view.keep_records) continue;
      const Vec<D> k_unit = take<D>(batch.normal, k);
      view.work.records.push_back({bodies.id[i], bodies.id[j],
                                   bodies.place[i].x + k_unit * (batch.radius_a[k] - 0.5 * batch.overlap[k]), k_unit,
                                   force, batch.overlap[k], batch.distance[k], batch.rate[k], batch.normal_force[k]});
    }
  }

  static void wall(const ChunkView<D>& view, std::uint32_t i, std::uint32_t p, std::uint32_t w,
                   const touch::Touch<D>& touch) {
    World<D>& world = view.world;
    world::Slots& slots = world.contacts.walls;
    const Moving<D>& a = world.bodies.moving[i];
    const world::Place<D>& at = world.bodies.place[i];
    const Pairing<D> c = pair_up(a, at, world.walls[w], touch);
    const world::PairLaw& law = world.laws(a.material, world.walls[w].material);
    const Phase phase = next_phase(view, slots, p, c.at.overlap);
    const Push<D> push = contact_push<D, Normal, Tangential, kEnergy>(c, law, slots.memory.data() + p * slots.stride,
                                                                      phase, world.dt, view.work.tally);
    if (phase == Phase::kLast) {
      note_parting(view.work.tally, slots, p, a.held, Held::kFixed);
      slots.forget(p);
    }
    view.push(i, push.force, c.arm_a * push.torque_per_arm);
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
  using With = Loop<D, Normal, Tangential, true>;
  using Without = Loop<D, Normal, Tangential, false>;
  if (energy) return {With::pairs, With::pair, With::wall, With::kMemory};
  return {Without::pairs, Without::pair, Without::wall, Without::kMemory};
}

template <int D, class Normal>
Kernel<D> kernel_with(world::TangentialLaw tangential, bool energy) {
  switch (tangential) {
    case world::TangentialLaw::kNone:
      return kernel_with<D, Normal, laws::NoFriction>(energy);
    case world::TangentialLaw::kCundallStrack:
      return kernel_with<D, Normal, laws::CundallStrackOf<Normal::kJumps>>(energy);
    case world::TangentialLaw::kViscous:
      return kernel_with<D, Normal, laws::Viscous>(energy);
    case world::TangentialLaw::kMindlin:
      break;
  }
  return kernel_with<D, Normal, laws::Mindlin>(energy);
}

}  // namespace

template <int D>
Kernel<D> kernel_of(world::NormalLaw normal, world::TangentialLaw tangential, bool energy) {
  switch (normal) {
    case world::NormalLaw::kLinear:
      return kernel_with<D, laws::Linear>(tangential, energy);
    case world::NormalLaw::kHertz:
      return kernel_with<D, laws::Hertz>(tangential, energy);
    case world::NormalLaw::kHuntCrossley:
      return kernel_with<D, laws::HuntCrossley>(tangential, energy);
    case world::NormalLaw::kWaltonBraun:
      break;
  }
  return kernel_with<D, laws::WaltonBraun>(tangential, energy);
}

template Kernel<2> kernel_of<2>(world::NormalLaw, world::TangentialLaw, bool);
template Kernel<3> kernel_of<3>(world::NormalLaw, world::TangentialLaw, bool);

}  // namespace moraine::soft
