// SPDX-License-Identifier: MIT
#include "find/kept.hpp"

#include <algorithm>

#include "find/chunks.hpp"

namespace moraine::find {

namespace {
constexpr std::uint32_t kNoSlot = ~0U;
std::uint32_t slot_of(const world::Slots& s, std::uint32_t body, std::uint32_t other) {
  const auto begin = s.other.begin() + s.start[body], end = s.other.begin() + s.start[body + 1];
  const auto at = std::lower_bound(begin, end, other);
  return at != end && *at == other ? static_cast<std::uint32_t>(at - s.other.begin()) : kNoSlot;
}
}  // namespace

Kept::Kept(world::Slots& old, base::Team& team) : stride_(old.stride), directed_(old.directed) {
  const std::size_t n = old.start.empty() ? 0 : old.start.size() - 1;
  chunks_.resize(base::chunk_count(n));
  for_bodies(team, n, [&](std::size_t c, std::size_t begin, std::size_t end) {
    Chunk& chunk = chunks_[c];
    const auto closed = static_cast<std::size_t>(
        std::count(old.touching.begin() + old.start[begin], old.touching.begin() + old.start[end], std::uint8_t{1}));
    chunk.body.reserve(closed);
    chunk.other.reserve(closed);
    chunk.memory.reserve(closed * stride_);
    for (std::size_t i = begin; i < end; ++i) {
      for (std::uint32_t p = old.start[i]; p < old.start[i + 1]; ++p) {
        if (old.touching[p] != 1) continue;
        chunk.body.push_back(static_cast<std::uint32_t>(i));
        chunk.other.push_back(old.other[p]);
        const auto from = old.memory.begin() + static_cast<std::ptrdiff_t>(p * stride_);
        chunk.memory.insert(chunk.memory.end(), from, from + static_cast<std::ptrdiff_t>(stride_));
      }
    }
  });
  old = world::Slots{};
  old.stride = stride_;
  old.directed = directed_;
}

void Kept::give(const Chunk& chunk, std::size_t k, world::Slots& now, std::uint32_t slot, bool turned) const {
  now.touching[slot] = 1;
  for (std::size_t c = 0; c < stride_; ++c) {
    const double value = chunk.memory[k * stride_ + c];
    now.memory[slot * stride_ + c] = turned && c < directed_ ? -value : value;
  }
}

void Kept::give_back_pairs(world::Slots& now, const std::vector<std::uint32_t>& place, base::Team& team) const {
  team.for_chunks(chunks_.size(), [&](std::size_t c) {
    const Chunk& chunk = chunks_[c];
    for (std::size_t k = 0; k < chunk.body.size(); ++k) {
      const std::uint32_t a = place[chunk.body[k]], b = place[chunk.other[k]];
      if (a == kGone || b == kGone) continue;
      // Either of the two may own the slot now; neither, if they flew apart by more than the skin in one step.
      const std::uint32_t same = slot_of(now, a, b), turned = same == kNoSlot ? slot_of(now, b, a) : kNoSlot;
      if (same != kNoSlot) give(chunk, k, now, same, false);
      if (turned != kNoSlot) give(chunk, k, now, turned, true);
    }
  });
}

void Kept::give_back_walls(world::Slots& now, const std::vector<std::uint32_t>& place, base::Team& team) const {
  team.for_chunks(chunks_.size(), [&](std::size_t c) {
    const Chunk& chunk = chunks_[c];
    for (std::size_t k = 0; k < chunk.body.size(); ++k) {
      const std::uint32_t a = place[chunk.body[k]];
      const std::uint32_t slot = a == kGone ? kNoSlot : slot_of(now, a, chunk.other[k]);
      if (slot != kNoSlot) give(chunk, k, now, slot, false);
    }
  });
}

}  // namespace moraine::find
