// SPDX-License-Identifier: MIT
// What rolling resistance, cohesion and bonds mean for the choice of the step and of the skin.
#pragma once

#include "world/material.hpp"

namespace moraine::soft {

// Two bodies, the second of infinite mass and radius if it is a wall.
struct TwoBodies {
  double mass_a, mass_b, radius_a, radius_b;
};

// The shortest time scale of the springs of rolling, stretched contacts and bonds (half a period, as a contact time),
// and the longest step at which they are stable. Infinite where there are none.
struct ExtraTime {
  double scale, longest_stable;
};
template <int D>
ExtraTime extra_time(const world::PairLaw& law, const TwoBodies& of);

// How far a contact may be stretched before it lets go, for smaller bodies up to this radius.
template <int D>
double largest_stretch(const world::PairLaw& law, double radius);

}  // namespace moraine::soft
