// SPDX-License-Identifier: MIT
// How solids may not move: the conditions that keep them apart, for hard contacts. Where soft contacts need one depth
// that changes smoothly, these need all places at once at which two bodies rest upon each other: each corner with each
// face near it that it can rest on, and each two ridges that cross.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "touch/solids.hpp"

namespace moraine::touch {

template <int D>
struct SolidGap {
  Vec<D> point{};  // midway
  Vec<D> n{};      // unit vector from the first body to the second
  double gap = 0;  // along n; negative: they overlap
  std::uint32_t key = 0;
};

template <int D>
struct Box {
  Vec<D> low{}, high{};
};

// A solid in the world with what many pairs ask of it.
template <int D>
struct Outline {
  Posed<D> solid;
  std::vector<Vec<D>> corners;  // in the world
  Box<D> box;                   // around them

  void set(const Posed<D>& posed);
  void shift(const Vec<D>& by);
};

// Replaces `out` by all gaps smaller than `margin` between two solids. Deterministic.
template <int D>
void gaps_of_solids(const Outline<D>& a, const Outline<D>& b, double margin, std::vector<SolidGap<D>>& out);

// Between a solid and a ball, which comes first or second.
template <int D>
void gaps_of_ball(const Posed<D>& solid, const Vec<D>& x, double radius, bool ball_first, double margin,
                  std::vector<SolidGap<D>>& out);

// Between a solid and a wall, which is the second of the two: see touch_wall().
template <int D>
void gaps_of_wall(const Outline<D>& outline, const world::Surface<D>& wall, std::span<const std::uint32_t> triangles,
                  double margin, std::vector<SolidGap<D>>& out);

}  // namespace moraine::touch
