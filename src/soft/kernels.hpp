// SPDX-License-Identifier: MIT
// The loops over the contacts of a chunk, one per combination of laws, made by templates and picked by name at run
// time.
#pragma once

#include <array>

#include "soft/closed_pairs.hpp"
#include "soft/forces.hpp"
#include "soft/rows.hpp"

namespace moraine::soft {

// A force and a torque, or sums of them, in whole vectors.
template <int D>
struct alignas(D == 2 ? 32 : 64) Sum {
  std::array<double, D == 2 ? 4 : 8> all{};  // force, torque; the others are zero

  Vec<D> force() const {
    if constexpr (D == 2) {
      return {all[0], all[1]};
    } else {
      return {all[0], all[1], all[2]};
    }
  }
  Spin<D> torque() const {
    if constexpr (D == 2) {
      return all[2];
    } else {
      return {all[3], all[4], all[5]};
    }
  }
  typename Outbox<D>::Push push() const { return {force(), torque()}; }

  [[gnu::always_inline]] void add(const Sum& more) {
    for (std::size_t k = 0; k < all.size(); k += 4) {
      Four a, b;
      load(&all[k], a);
      load(&more.all[k], b);
      store(a + b, &all[k]);
    }
  }
  void add(const Vec<D>& force, const Spin<D>& torque) {
    for (int k = 0; k < D; ++k) all[static_cast<std::size_t>(k)] += force[k];
    if constexpr (D == 2) {
      all[2] += torque;
    } else {
      for (int k = 0; k < 3; ++k) all[static_cast<std::size_t>(3 + k)] += torque[k];
    }
  }
};

// The shifts of the periodic images as rows of four.
template <int D>
using ShiftRows = std::array<Four, world::kImages<D>>;

// Everything the loop over one chunk needs.
template <int D>
struct ChunkView {
  World<D>& world;
  Outbox<D>& outbox;
  ChunkWork<D>& work;
  ClosedPairs& closed;
  Sum<D>* sums;                                         // of the bodies of the chunk
  std::uint32_t begin, end;                             // bodies
  const std::array<Vec<D>, world::kImages<D>>& shifts;  // of the periodic images
  const ShiftRows<D>& shift_rows;
  const std::array<Vec<D>, world::kImages<D>>& drifts;  // their velocities, where the domain is sheared
  bool sheared;
  bool keep_records;
  bool at_start;  // the first step of a run: closed contacts have been closed for an unknown time

  // Onto a body of the chunk; onto the second body of a slot, wherever it is.
  void push(std::uint32_t i, const Vec<D>& force, const Spin<D>& torque) const { sums[i - begin].add(force, torque); }
  void push_other(std::uint32_t slot, std::uint32_t j, const Vec<D>& force, const Spin<D>& torque) const {
    const std::uint32_t out = outbox.slot[slot];
    if (out == Outbox<D>::kHere) {
      push(j, force, torque);
    } else {
      outbox.pushes[out] = {force, torque};
    }
  }
};

inline void note_depth(Tally& tally, double depth, std::int64_t a, std::int64_t b) {
  if (depth <= tally.deepest) return;
  tally.deepest = depth;
  tally.deepest_a = a;
  tally.deepest_b = b;
}

// A contact that was closed at the last step has opened: a collision of each body in it that is not held. `other`: of
// the second body; a wall counts as held.
inline void note_parting(Tally& tally, const world::Slots& slots, std::uint32_t p, world::Held one, world::Held other) {
  if (slots.touching[p] != 1) return;
  tally.parted += static_cast<std::int64_t>(world::yields(one)) + static_cast<std::int64_t>(world::yields(other));
}

// The power that the sliding images of a sheared domain bring in through a contact of bodies i and j, the force on i
// given. A member of a clump counts with the velocity of its centre's image.
template <int D>
[[gnu::noinline]] double boundary_power(const ChunkView<D>& view, std::uint32_t i, std::uint32_t j, std::uint8_t image,
                                        const Vec<D>& force) {
  const World<D>& world = view.world;
  const world::Shear& shear = world.domain.shear;
  double speed = view.drifts[image][shear.flow];
  const auto turns = [&](std::uint32_t body) {
    const std::uint32_t c = world.bodies.clump[body];
    if (c == world::kNoClump) return 0;
    const auto g = static_cast<std::size_t>(shear.gradient);
    return world.bodies.image[body][g] - world.clumps.image[c][g];
  };
  if (world.clumps.size() > 0) speed += (turns(i) - turns(j)) * world.domain.slide_speed();
  return force[shear.flow] * speed;
}

// One law for all contacts: the whole loop is inlined. Several: one call per contact.
template <int D>
struct Kernel {
  void (*pairs)(const ChunkView<D>&);
  void (*pair)(const ChunkView<D>&, std::uint32_t body, std::uint32_t slot);
  void (*wall)(const ChunkView<D>&, std::uint32_t body, std::uint32_t slot, std::uint32_t wall,
               const touch::Touch<D>& at);
  int memory;
};

template <int D>
Kernel<D> kernel_of(world::NormalLaw normal, world::TangentialLaw tangential, bool energy);

// For laws with rolling resistance, cohesion or bonds: contact by contact, the base laws chosen at run time.
template <int D>
Kernel<D> extra_kernel_of(const world::PairLaw& law);
// Whichever the law needs.
template <int D>
Kernel<D> kernel_of(const world::PairLaw& law, bool energy) {
  return law.has_extras() ? extra_kernel_of<D>(law) : kernel_of<D>(law.normal, law.tangential, energy);
}
// At the start of a run: bonds of the bodies of a chunk with what they touch, or nearly so.
template <int D>
void make_bonds(const ChunkView<D>& view);

}  // namespace moraine::soft
