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

// Replaces `out` by all gaps smaller than `margin` between two bodies, of which at least one is a solid; the second is
// seen shifted. Deterministic.
template <int D>
void gaps_of_bodies(const world::World<D>& world, std::uint32_t i, std::uint32_t j, const Vec<D>& shift, double margin,
                    std::vector<SolidGap<D>>& out);
template <int D>
void gaps_of_solids(const Posed<D>& a, const Posed<D>& b, double margin, std::vector<SolidGap<D>>& out);

// Between a solid and a wall, which is the second of the two: see touch_wall().
template <int D>
void gaps_of_wall(const Posed<D>& solid, const world::Surface<D>& wall, std::span<const std::uint32_t> triangles,
                  double margin, std::vector<SolidGap<D>>& out);

}  // namespace moraine::touch
