// SPDX-License-Identifier: MIT
#include "soft/closed_pairs.hpp"

#include <algorithm>
#include <array>
#include <cstring>

#include "soft/any_cpu.hpp"
#include "soft/kernels.hpp"
#include "soft/rows.hpp"

namespace moraine::soft {

namespace {

using world::Place;

// What the search through a chunk reads and writes, as plain pointers: what is written is not what is read, which the
// compiler cannot know of a world.
template <int D>
struct Candidates {
  const Place<D>* place;
  const std::uint32_t* start;
  const std::uint32_t* other;
  const std::uint8_t* image;
  const std::uint8_t* state;
  const Four* shifts;
  std::uint32_t begin, end, total;  // bodies; slots of all chunks
  std::uint32_t *slot, *body;
  std::vector<std::uint32_t>* alone;
  std::vector<std::uint32_t>* opened;  // slots that were left a step ago
};
struct Seen {
  std::int64_t contacts = 0;
  std::size_t count = 0;  // of slots that are closed or have just opened
};

using FourSlots = std::uint32_t __attribute__((vector_size(16)));
using FourMasks = std::int64_t __attribute__((vector_size(32)));

// For each set of four: those in it, moved to the front, and how many.
struct Packing {
  alignas(16) std::array<std::array<std::uint32_t, 4>, 16> order{};  // read as whole vectors
  std::array<std::uint8_t, 16> count{};
};
constexpr Packing make_packing() {
  Packing p;
  for (std::size_t set = 0; set < 16; ++set) {
    for (std::uint32_t m = 0; m < 4; ++m) {
      if ((set >> m & 1) != 0) p.order[set][p.count[set]++] = m;
    }
  }
  return p;
}
constexpr Packing kPacking = make_packing();

template <int D>
[[gnu::always_inline]] inline bool touches(const Candidates<D>& c, const Place<D>& a, std::uint32_t p) {
  const Place<D>& b = c.place[c.other[p]];
  Vec<D> shift;
  for (int k = 0; k < D; ++k) shift[k] = c.shifts[c.image[p]][k];
  const double reach = a.radius + b.radius;
  return math::norm2((b.x + shift) - a.x) < reach * reach;
}

// The set of those of four slots that touch.
template <int D>
[[gnu::always_inline]] inline std::uint32_t touching_set(const Candidates<D>& c, const Place<D>& a, std::uint32_t p) {
  std::array<Four, D + 1> b;
  if constexpr (D == 3) {
    for (std::size_t m = 0; m < 4; ++m) {
      load(&c.place[c.other[p + m]], b[m]);
      b[m] += c.shifts[c.image[p + m]];
    }
    transpose(b[0], b[1], b[2], b[3]);
  } else {
    const auto place = [&](std::uint32_t m) -> const Place<D>& { return c.place[c.other[p + m]]; };
    const auto shift = [&](std::uint32_t m) -> const Four& { return c.shifts[c.image[p + m]]; };
    fill([&](std::uint32_t m) { return place(m).x[0] + shift(m)[0]; }, b[0]);
    fill([&](std::uint32_t m) { return place(m).x[1] + shift(m)[1]; }, b[1]);
    fill([&](std::uint32_t m) { return place(m).radius; }, b[2]);
  }
  Four apart = b[0] - a.x[0];
  Four distance2 = apart * apart;
  for (int k = 1; k < D; ++k) {
    apart = b[static_cast<std::size_t>(k)] - a.x[k];
    distance2 += apart * apart;
  }
  const Four reach = b[D] + a.radius;
  const FourMasks bits = (distance2 < reach * reach) & FourMasks{1, 2, 4, 8};
  const FourMasks halves = bits | __builtin_shufflevector(bits, bits, 2, 3, 0, 1);
  return static_cast<std::uint32_t>(halves[0] | halves[1]);
}

// Four slots of body i from p on, of which the first n are its own; what touches is put behind the others.
template <int D>
[[gnu::always_inline]] inline void look_at_four(const Candidates<D>& c, const Place<D>& a, std::uint32_t i,
                                                std::uint32_t p, std::uint32_t n, Seen& seen) {
  const std::uint32_t valid = (1U << n) - 1;
  std::uint32_t touching = 0, state = 0;
  if (p + 4 <= c.total) [[likely]] {
    touching = touching_set(c, a, p) & valid;
    std::memcpy(&state, c.state + p, 4);
  } else {
    for (std::uint32_t m = 0; m < n; ++m) touching |= std::uint32_t{touches(c, a, p + m)} << m;
    std::memcpy(&state, c.state + p, n);
  }
  // A byte each: 1 is closed, kJustOpened has its second bit. The product brings the four last bits together.
  const std::uint32_t closed = ((state & 0x01010101U) * 0x01020408U >> 24) & valid;
  if ((state & 0x02020202U) != 0) [[unlikely]] {
    for (std::uint32_t m = 0; m < n; ++m) {
      if (c.state[p + m] == world::kJustOpened) c.opened->push_back(p + m);
    }
  }
  const std::uint32_t found = touching | closed, changed = touching ^ closed;
  const FourSlots slots = p + reinterpret_cast<const FourSlots&>(kPacking.order[found]);
  const FourSlots bodies = i + FourSlots{};
  std::memcpy(c.slot + seen.count, &slots, sizeof slots);
  std::memcpy(c.body + seen.count, &bodies, sizeof bodies);
  if (changed != 0) [[unlikely]] {
    for (std::uint32_t m = 0; m < n; ++m) {
      if ((changed >> m & 1) != 0)
        c.alone->push_back(static_cast<std::uint32_t>(seen.count + kPacking.count[found & ((1U << m) - 1)]));
    }
  }
  seen.count += kPacking.count[found];
  seen.contacts += kPacking.count[touching];
}

// Free of branches but for what is rare: about half the candidates touch. (Eight at a time are slower: many bodies have
// no more than four.)
template <int D>
MORAINE_ANY_CPU Seen search(const Candidates<D>& c) {
  constexpr std::uint32_t kAhead = 32;  // asks for what is looked at a little later
  Seen seen;
  for (std::uint32_t i = c.begin; i < c.end; ++i) {
    const Place<D> a = c.place[i];
    const std::uint32_t end = c.start[i + 1];
    for (std::uint32_t p = c.start[i]; p < end; p += 4) {
      if (p + kAhead + 4 <= c.total) [[likely]] {
        for (std::uint32_t m = 0; m < 4; ++m) __builtin_prefetch(&c.place[c.other[p + kAhead + m]]);
      }
      look_at_four(c, a, i, p, std::min(end - p, 4U), seen);
    }
  }
  return seen;
}

}  // namespace

template <int D>
void touch_pairs(const ChunkView<D>& view) {
  world::Slots& slots = view.world.contacts.pairs;
  ClosedPairs& closed = view.closed;
  const std::size_t room = slots.start[view.end] - slots.start[view.begin] + 4;
  if (closed.slot.size() < room) {
    closed.slot.resize(room);
    closed.body.resize(room);
  }
  closed.alone.clear();
  thread_local std::vector<std::uint32_t> opened;
  opened.clear();
  const Candidates<D> c{view.world.bodies.place.data(),
                        slots.start.data(),
                        slots.other.data(),
                        slots.image.data(),
                        slots.touching.data(),
                        view.shift_rows.data(),
                        view.begin,
                        view.end,
                        slots.start[view.end],
                        closed.slot.data(),
                        closed.body.data(),
                        &closed.alone,
                        &opened};
  const Seen seen = search(c);
  for (const std::uint32_t p : opened) {
    slots.touching[p] = 0;
    if (view.outbox.slot[p] != Outbox<D>::kHere) view.outbox.pushes[view.outbox.slot[p]] = {};
  }
  closed.count = seen.count;
  view.work.tally.contacts += seen.contacts;
}

template <int D>
void leave_out_solids(const ChunkView<D>& view) {
  const World<D>& world = view.world;
  ClosedPairs& closed = view.closed;
  std::size_t kept = 0, seen = 0, alone = 0;
  for (std::size_t k = 0; k < closed.count; ++k) {
    const bool changed = seen < closed.alone.size() && closed.alone[seen] == k;
    seen += static_cast<std::size_t>(changed);
    const std::uint32_t p = closed.slot[k], i = closed.body[k];
    if (world.solid_of(i) != nullptr || world.solid_of(world.contacts.pairs.other[p]) != nullptr) continue;
    if (changed) closed.alone[alone++] = static_cast<std::uint32_t>(kept);
    closed.slot[kept] = p;
    closed.body[kept++] = i;
  }
  view.work.tally.contacts -= static_cast<std::int64_t>(closed.count - kept);
  closed.alone.resize(alone);
  closed.count = kept;
}

template void touch_pairs<2>(const ChunkView<2>&);
template void touch_pairs<3>(const ChunkView<3>&);
template void leave_out_solids<2>(const ChunkView<2>&);
template void leave_out_solids<3>(const ChunkView<3>&);

}  // namespace moraine::soft
