// SPDX-License-Identifier: MIT
#include "soft/kernels.hpp"

#include "soft/batch.hpp"
#include "soft/contact_step.hpp"

#if defined(__GNUC__) && !defined(__clang__) && defined(__x86_64__) && !defined(MORAINE_SANITIZED)
#define MORAINE_ANY_CPU [[gnu::flatten, gnu::target_clones("avx512f", "avx2", "default")]]
#else
#define MORAINE_ANY_CPU
#endif

#if defined(__clang__)
#define MORAINE_INDEPENDENT  // clang does not vectorise this loop
#else
#define MORAINE_INDEPENDENT _Pragma("GCC ivdep")
#endif

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

  static constexpr int kMemory = Normal::kMemory + kTangentialMemory<D, Normal, Tangential>;
  static_assert(kMemory <= Batch<D>::kMostMemory);

  // Contacts that go on are computed in batches; those that have just closed or opened alone. Either way pushes are
  // added in the order of the slots.
  static void pairs(const ChunkView<D>& view) {
    Batch<D> batch;
    std::uint32_t i = view.begin;
    for (std::size_t c = 0; c < view.closed.size(); ++c) {
      if (c + kAhead < view.closed.size()) fetch(view, view.closed[c + kAhead]);
      const std::uint32_t p = view.closed[c];
      i = view.world.contacts.pairs.body_of(p, i);
      if (gather(view, batch, i, p)) {
        if (batch.count == Batch<D>::kSize) flush(view, batch);
      } else {
        flush(view, batch);
        pair(view, i, p);
      }
    }
    flush(view, batch);
  }

  // Asks for what a contact a little later will read: in large systems it comes from far away.
  static constexpr std::size_t kAhead = 12;
  static inline void fetch(const ChunkView<D>& view, std::uint32_t p) {
    const world::Slots& slots = view.world.contacts.pairs;
    const auto* other = reinterpret_cast<const char*>(&view.world.bodies.moving[slots.other[p]]);
    __builtin_prefetch(other);
    __builtin_prefetch(other + 64);
    __builtin_prefetch(slots.memory.data() + p * slots.stride);
  }

  [[gnu::always_inline]] static inline bool gather(const ChunkView<D>& view, Batch<D>& batch, std::uint32_t i,
                                                   std::uint32_t p) {
    World<D>& world = view.world;
    world::Slots& slots = world.contacts.pairs;
    if (slots.touching[p] != 1) return false;
    const std::uint32_t j = slots.other[p];
    const world::Place<D>&a = world.bodies.place[i], &b = world.bodies.place[j];
    const Vec<D> apart = (b.x + view.shifts[slots.image[p]]) - a.x;
    const double reach = a.radius + b.radius;
    if (math::norm2(apart) >= reach * reach) return false;
    const Moving<D>&ma = world.bodies.moving[i], &mb = world.bodies.moving[j];
    const std::size_t k = batch.count++;
    batch.body[k] = i;
    batch.other[k] = j;
    batch.slot[k] = p;
    put<D>(batch.apart, k, apart);
    Vec<D> v_half = ma.v - mb.v, v_now = ma.v_now - mb.v_now;
    if (view.sheared) {
      v_half -= view.drifts[slots.image[p]];
      v_now -= view.drifts[slots.image[p]];
    }
    put<D>(batch.v_half, k, v_half);
    put<D>(batch.v_now, k, v_now);
    put_spin<D>(batch.wa, k, ma.w);
    put_spin<D>(batch.wb, k, mb.w);
    put_spin<D>(batch.wa_now, k, ma.w_now);
    put_spin<D>(batch.wb_now, k, mb.w_now);
    batch.radius_a[k] = a.radius;
    batch.radius_b[k] = b.radius;
    batch.inverse_mass[k] = ma.inverse_mass + mb.inverse_mass;
    for (std::size_t m = 0; m < static_cast<std::size_t>(kMemory); ++m)
      batch.memory[m][k] = slots.memory[p * slots.stride + m];
    return true;
  }

  static void flush(const ChunkView<D>& view, Batch<D>& batch) {
    if (batch.count == 0) return;
    const World<D>& world = view.world;
    const world::PairLaw& law =
        world.laws(world.bodies.moving[batch.body[0]].material, world.bodies.moving[batch.other[0]].material);
    compute(batch, law, world.dt);
    scatter(view, batch);
    batch.count = 0;
  }

  // Everything is inlined into this one loop, which is compiled for several instruction sets; the machine's best one is
  // picked when the program starts. No instruction set changes a bit: there are no fused operations
  // (-ffp-contract=off).
  MORAINE_ANY_CPU static void compute(Batch<D>& batch, world::PairLaw law, double dt) {
    const std::size_t n = batch.count;
    // No contact of a batch reads what another writes.
    MORAINE_INDEPENDENT
    for (std::size_t k = 0; k < n; ++k) compute_one<D, Normal, Tangential, kEnergy>(batch, law, dt, k);
  }

  static void scatter(const ChunkView<D>& view, const Batch<D>& batch) {
    World<D>& world = view.world;
    world::Slots& slots = world.contacts.pairs;
    Tally& tally = view.work.tally;
    for (std::size_t k = 0; k < batch.count; ++k) {
      const std::uint32_t i = batch.body[k], j = batch.other[k], p = batch.slot[k];
      const Vec<D> force = take<D>(batch.force, k);
      const Spin<D> torque_b = take_spin<D>(batch.torque_b, k);
      if (view.sheared) tally.boundary += boundary_power(view, i, j, slots.image[p], force);
      world.bodies.force[i] += force;
      world.bodies.torque[i] += take_spin<D>(batch.torque_a, k);
      const std::uint32_t out = view.outbox.slot[p];
      if (out == Outbox<D>::kHere) {
        world.bodies.force[j] -= force;
        world.bodies.torque[j] += torque_b;
      } else {
        view.outbox.pushes[out] = {-force, torque_b};
      }
      for (std::size_t m = 0; m < static_cast<std::size_t>(kMemory); ++m)
        slots.memory[p * slots.stride + m] = batch.memory[m][k];
      const double smaller = std::min(batch.radius_a[k], batch.radius_b[k]);
      if (batch.overlap[k] > tally.deepest * smaller) {
        note_depth(tally, batch.overlap[k] / smaller, world.bodies.id[i], world.bodies.id[j]);
      }
      if constexpr (kEnergy) {
        tally.elastic += batch.elastic[k];
        tally.normal_dashpot += batch.lost_normal[k];
        tally.shear_dashpot += batch.lost_shear[k];
        tally.friction += batch.lost_friction[k];
      }
      if (view.keep_records) {
        const Vec<D> k_unit = take<D>(batch.normal, k);
        view.work.records.push_back({world.bodies.id[i], world.bodies.id[j],
                                     world.bodies.place[i].x + k_unit * (batch.radius_a[k] - 0.5 * batch.overlap[k]),
                                     k_unit, force, batch.overlap[k], batch.distance[k], batch.rate[k],
                                     batch.normal_force[k]});
      }
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
      return kernel_with<D, Normal, laws::CundallStrack>(energy);
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
