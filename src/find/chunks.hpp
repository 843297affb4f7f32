// SPDX-License-Identifier: MIT
// Work on all bodies, chunk by chunk: chunks are a function of the number of bodies alone.
#pragma once

#include <algorithm>

#include "base/parallel.hpp"

namespace moraine::find {

// Calls work(chunk, begin, end) for each chunk of the bodies 0 .. n-1.
template <class Work>
void for_bodies(base::Team& team, std::size_t n, const Work& work) {
  team.for_chunks(base::chunk_count(n),
                  [&](std::size_t c) { work(c, c * base::kChunkBodies, std::min(n, (c + 1) * base::kChunkBodies)); });
}

}  // namespace moraine::find
