// SPDX-License-Identifier: MIT
// The order of bodies in memory: along a curve through space, so that neighbours are near in memory too.
#pragma once

#include <cstdint>
#include <vector>

#include "base/parallel.hpp"
#include "world/world.hpp"

namespace moraine::find {

// The numbers of the bodies that stay (those that are gone do not), in the order of the curve.
template <int D>
std::vector<std::uint32_t> order_in_space(const world::World<D>& world, base::Team& team);

}  // namespace moraine::find
