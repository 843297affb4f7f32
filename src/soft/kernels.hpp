// SPDX-License-Identifier: MIT
// The loops over the contacts of a chunk, one per combination of laws, made by templates and picked by name at run
// time.
#pragma once

#include <array>

#include "soft/forces.hpp"

namespace moraine::soft {

// Everything the loop over one chunk needs.
template <int D>
struct ChunkView {
  World<D>& world;
  Outbox<D>& outbox;
  ChunkWork<D>& work;
  std::vector<std::uint32_t>& closed;                   // slots that touch or have just opened, in order
  std::uint32_t begin, end;                             // bodies
  const std::array<Vec<D>, world::kImages<D>>& shifts;  // of the periodic images
  const std::array<Vec<D>, world::kImages<D>>& drifts;  // their velocities, where the domain is sheared
  bool sheared;
  bool keep_records;
  bool at_start;  // the first step of a run: closed contacts have been closed for an unknown time
};

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

}  // namespace moraine::soft
