// SPDX-License-Identifier: MIT
// Who is near whom, and what contacts remember. A slot is a pair that may touch before neighbours are found again;
// slots are sorted by body, and their memory is carried over by pair when the list is made anew.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "math/vec.hpp"

namespace moraine::world {

using math::Vec;

// A contact that opened at the last step: it has pushed once more for the part of the step in which it was still
// closed.
inline constexpr std::uint8_t kJustOpened = 2;

struct Slots {
  std::vector<std::uint32_t> start;    // of body i: slots start[i] .. start[i+1]-1
  std::vector<std::uint32_t> other;    // pairs: the second body (who is first: find/sizes.hpp); walls: the wall
  std::vector<std::uint8_t> image;     // pairs: which periodic image of the second body
  std::vector<std::uint8_t> touching;  // 1: closed at the last step; kJustOpened; 0: open
  std::vector<double> memory;          // `stride` numbers per slot, zero while open
  std::size_t stride = 0;
  std::size_t directed = 0;  // how many of them, the first ones, change sign when the two bodies swap places

  std::size_t size() const { return other.size(); }
  // The body of a slot, looked for from a body before it: for going through slots in order.
  std::uint32_t body_of(std::uint32_t p, std::uint32_t from) const {
    while (p >= start[from + 1]) ++from;
    return from;
  }
  void forget(std::size_t p) {
    touching[p] = kJustOpened;
    std::fill_n(memory.begin() + static_cast<std::ptrdiff_t>(p * stride), stride, 0.0);
  }
};

// One contact as probes and pictures see it.
template <int D>
struct ContactRecord {
  std::int64_t a, b;            // ids; b < 0: wall -1 - b
  Vec<D> point, normal, force;  // force on a
  double overlap, distance;
  double rate;  // closing rate at the whole step
  double normal_force;
};

// The part of the key of a contact of solids that says which of the two its feature belongs to.
inline constexpr std::uint32_t kSecondSolid = 1U << 31;

// Contacts of solids: several of one slot, each with a memory of its own. One list for each chunk of bodies, in the
// order of the slots, which are those of pairs or of walls.
struct Points {
  std::vector<std::uint32_t> slot;
  std::vector<std::uint32_t> key;  // what touches (touch/solids.hpp)
  std::vector<double> memory;      // `stride` numbers each

  std::size_t size() const { return slot.size(); }
  void clear() {
    slot.clear();
    key.clear();
    memory.clear();
  }
  void add(std::uint32_t at, std::uint32_t what, const double* remembered, std::size_t stride) {
    slot.push_back(at);
    key.push_back(what);
    memory.insert(memory.end(), remembered, remembered + stride);
  }
};

struct Contacts {
  Slots pairs, walls;
  std::vector<Points> pair_points, wall_points;      // by chunk; none where there are no solids
  std::size_t point_stride = 0, point_directed = 0;  // as those of slots
};

}  // namespace moraine::world
