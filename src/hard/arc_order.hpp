// SPDX-License-Identifier: MIT
// In which order the links of a system are eliminated.
#pragma once

#include <cstdint>
#include <vector>

#include "hard/system.hpp"

namespace moraine::hard {

// The old number of each new place. Arcs are neighbours where they share a movable node
// that is no hub. Clusters without loops are
// eliminated from their ends to the middle, which makes no new entries and does several ends side by side; clusters
// with loops by approximate minimum degree.
template <int D>
std::vector<std::uint32_t> elimination_order_of(const System<D>& system);

}  // namespace moraine::hard
