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

KeptPoints::KeptPoints(std::vector<world::Points>& old, const world::Slots& slots, std::size_t stride,
                       std::size_t directed)
    : stride_(stride), directed_(directed) {
  std::uint32_t body = 0;
  for (const world::Points& chunk : old) {
    for (std::size_t k = 0; k < chunk.size(); ++k) {
      body = slots.body_of(chunk.slot[k], body);
      points_.push_back({body, slots.other[chunk.slot[k]], chunk.key[k]});
    }
    memory_.insert(memory_.end(), chunk.memory.begin(), chunk.memory.end());
  }
  old.clear();
}

void KeptPoints::give_back(std::vector<world::Points>& now, const world::Slots& slots,
                           const std::vector<std::uint32_t>& place, bool pairs) const {
  struct Moved {
    std::uint32_t slot, from;
    bool turned;
  };
  std::vector<Moved> moved;
  for (std::uint32_t k = 0; k < points_.size(); ++k) {
    const std::uint32_t a = place[points_[k].body], b = pairs ? place[points_[k].other] : points_[k].other;
    if (a == kGone || b == kGone) continue;
    const std::uint32_t same = slot_of(slots, a, b), turned = same == kNoSlot && pairs ? slot_of(slots, b, a) : kNoSlot;
    if (same != kNoSlot) moved.push_back({same, k, false});
    if (turned != kNoSlot) moved.push_back({turned, k, true});
  }
  std::stable_sort(moved.begin(), moved.end(), [](const Moved& a, const Moved& b) { return a.slot < b.slot; });
  now.assign(base::chunk_count(slots.start.size() - 1), {});
  std::vector<double> memory(stride_);
  std::uint32_t body = 0;
  for (const Moved& m : moved) {
    body = slots.body_of(m.slot, body);
    for (std::size_t c = 0; c < stride_; ++c) {
      const double value = memory_[m.from * stride_ + c];
      memory[c] = m.turned && c < directed_ ? -value : value;
    }
    const std::uint32_t key = points_[m.from].key ^ (m.turned ? world::kSecondSolid : 0);
    now[body / base::kChunkBodies].add(m.slot, key, memory.data(), stride_);
  }
}

}  // namespace moraine::find
