// SPDX-License-Identifier: MIT
// The pairs of a chunk that touch now, or have just opened.
#pragma once

#include <cstdint>
#include <vector>

namespace moraine::soft {

template <int D>
struct ChunkView;

struct ClosedPairs {
  std::vector<std::uint32_t> slot, body;  // in the order of slots, with the body that owns them; the first `count`
  std::vector<std::uint32_t> alone;       // places of those that have just closed or opened
  std::size_t count = 0;
};

// Finds them, and empties the outbox of pairs that opened a step ago.
template <int D>
void touch_pairs(const ChunkView<D>& view);
// Of bodies that are solids: they are found by the balls around them, and do not touch as those do.
template <int D>
void leave_out_solids(const ChunkView<D>& view);

}  // namespace moraine::soft
