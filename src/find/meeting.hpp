// SPDX-License-Identifier: MIT
// Which two bodies get a slot: both searches ask here, so that they give the same.
#pragma once

#include <array>
#include <cstdint>

#include "world/world.hpp"

namespace moraine::find {

using world::Vec;

template <int D>
using Shifts = std::array<Vec<D>, world::kImages<D>>;

// Images on axes that are not periodic do not exist.
template <int D>
bool has_image(const world::Domain<D>& domain, int image) {
  for (std::size_t k = 0; k < D; ++k, image /= 3) {
    if (image % 3 != 1 && !domain.periodic[k]) return false;
  }
  return true;
}
// The first body as the second sees it.
template <int D>
int opposite(int image) {
  return world::kImages<D> - 1 - image;
}

// A partner of a body, and which image of it.
struct Hit {
  std::uint32_t other;
  std::uint8_t image;
};

// Nobody meets who stands still towards the other: two that do not yield, two of one clump.
template <int D>
bool may_push(const world::Bodies<D>& bodies, std::uint32_t i, std::uint32_t j) {
  if (!world::yields(bodies.moving[i].held) && !world::yields(bodies.moving[j].held)) return false;
  return bodies.clump[i] == world::kNoClump || bodies.clump[i] != bodies.clump[j];
}

// `from` is where the owner i stands as seen from the image of j.
template <int D>
bool meets(const world::World<D>& world, std::uint32_t i, const Vec<D>& from, std::uint32_t j) {
  const double reach = world.bodies.place[i].radius + world.bodies.place[j].radius + world.skin;
  return math::norm2(world.bodies.x_found[j] - from) < reach * reach && may_push(world.bodies, i, j);
}

}  // namespace moraine::find
