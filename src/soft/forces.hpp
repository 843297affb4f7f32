// SPDX-License-Identifier: MIT
// Forces of all contacts of a step, chunk by chunk. A chunk is a fixed range of bodies; it owns the contacts whose
// slots its bodies own (find/sizes.hpp). What it does to bodies of other chunks goes into an outbox slot that only it
// writes and only the receiver reads, so sums have the same order for any number of threads.
#pragma once

#include <cstdint>
#include <vector>

#include "base/parallel.hpp"
#include "touch/touch.hpp"
#include "world/world.hpp"

namespace moraine::soft {

using math::Spin;
using math::Vec;
using world::ContactRecord;
using world::World;

// What a chunk adds up over its contacts in one step.
struct alignas(64) Tally {
  double elastic = 0, normal_dashpot = 0, shear_dashpot = 0, friction = 0;
  double boundary = 0;  // power of the sliding images of a sheared domain
  double deepest = 0;   // largest overlap / radius
  std::int64_t deepest_a = -1, deepest_b = -1;
  std::int64_t contacts = 0;
  std::int64_t bonds = 0, broken = 0;  // intact now, broken in this step
  std::int64_t parted = 0;             // bodies that yield, in contacts that opened in this step
};

template <int D>
struct Outbox {
  struct Push {
    Vec<D> force{};
    Spin<D> torque{};
  };
  static constexpr std::uint32_t kHere = ~0U;  // the other body is of the same chunk
  std::vector<std::uint32_t> slot;             // per pair slot: where its push on the other body goes
  std::vector<std::uint32_t> start;            // per body: its inbox is pushes[start[i]] .. pushes[start[i+1]-1]
  std::vector<Push> pushes;

  void address(const world::Slots& pairs, base::Team& team);  // after neighbours have been found
};

// Results of one chunk.
template <int D>
struct ChunkWork {
  Tally tally;
  std::vector<ContactRecord<D>> records;
  std::vector<Vec<D>> wall_force;
  std::vector<Spin<D>> wall_torque;
};

template <int D>
class Forces {
 public:
  // How much memory the laws of this world need per contact: sets the strides of the contacts.
  static void lay_out(World<D>& world);

  void forget_neighbours() { outbox_ = {}; }  // frees its memory before the new lists are made
  void neighbours_changed(const World<D>& world, base::Team& team);

  // Forces and torques of all contacts at the present positions. Sums per body are complete after collect().
  void compute(World<D>& world, base::Team& team, bool keep_energy, bool keep_records);
  // Adds the pushes from other chunks to the bodies of chunk c.
  void collect(World<D>& world, std::size_t chunk) const;

  // Forces act for half a step before and half a step after the instant they belong to: so are their losses booked, the
  // first half by compute(), the second when the step goes on.
  void book_half(world::Ledger& ledger) const;

  const Tally& total() const { return total_; }
  const std::vector<ChunkWork<D>>& chunks() const { return work_; }

 private:
  void add_up(World<D>& world, bool keep_energy);
  Outbox<D> outbox_;
  std::vector<std::uint32_t> materials_;  // of the bodies there are
  std::vector<ChunkWork<D>> work_;
  Tally total_;
};

}  // namespace moraine::soft
