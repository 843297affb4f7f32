// SPDX-License-Identifier: MIT
// Polygons as clumps of disks: the disks lie inside, the largest first, and cover as much as a number of them can.
// Corners stay round, the more so the fewer disks there are.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "base/random.hpp"
#include "shape/clump.hpp"

namespace moraine::shape {

// Corners at random distances from the origin, between `least` and 1, and random angles, in the order of the angles
// (003 4.6.2). The origin lies inside, and it is no thinner than some part of its size: others are drawn again.
std::vector<math::Vec2> random_polygon(std::size_t corners, double least, base::Stream& random);

double polygon_area(const std::vector<math::Vec2>& corners);  // positive: against the clock
bool inside_polygon(const std::vector<math::Vec2>& corners, const math::Vec2& x);
double distance_to_polygon(const std::vector<math::Vec2>& corners, const math::Vec2& x);  // from its boundary
// Two edges that cross, or touch other than at the corner they share: which, or {0, 0}.
std::pair<std::size_t, std::size_t> crossing_edges(const std::vector<math::Vec2>& corners);

// At most `count` disks within the polygon, in one piece, until they cover the part `wanted` of its area.
std::vector<Member<2>> disks_in_polygon(const std::vector<math::Vec2>& corners, std::size_t count, double wanted);

}  // namespace moraine::shape
