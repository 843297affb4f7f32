// SPDX-License-Identifier: MIT
// A clump put where a ball of its outer radius has room, turned at random.
#pragma once

#include "base/random.hpp"
#include "inflow/place.hpp"
#include "world/clumps.hpp"

namespace moraine::inflow {

// Uniform over all orientations.
template <int D>
math::Orientation<D> random_orientation(base::Stream& random);

// One of the shapes, as large as the ball.
template <int D>
world::NewClump<D> random_clump(const std::vector<world::ClumpShape<D>>& shapes, const Ball<D>& ball,
                                base::Stream& random);

}  // namespace moraine::inflow
