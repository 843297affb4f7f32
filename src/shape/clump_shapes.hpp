// SPDX-License-Identifier: MIT
// Ready shapes of clumps. Each gives its members about the centre of mass of their union, and so large that the
// outermost point is at the distance `size` from it. Throws std::invalid_argument for a size, count or overlap that
// makes no sense.
#pragma once

#include <cstddef>
#include <vector>

#include "base/random.hpp"
#include "shape/clump.hpp"

namespace moraine::shape {

// Ten equal touching disks in rows of 4, 3, 2 and 1 from below: R = size / (1 + 2 sqrt 3).
std::vector<Member<2>> triangle_of_ten(double size);

// Three by three touching disks of radius R, and four of r = R (sqrt 2 - 1) in the gaps between them. Along the
// diagonal size = 3 R + 2 r, which is the same as R (1 + 2 sqrt 2).
std::vector<Member<2>> square_of_thirteen(double size);

// Four equal spheres, each touching the three others.
std::vector<Member<3>> tetrahedron_of_four(double size);

// A straight row along x of equal members; neighbours overlap by the given part of their diameter, 0 <= overlap < 1.
template <int D>
std::vector<Member<D>> rod(double size, std::size_t count, double overlap);

// Members of random radii (between 0.5 and 1, before scaling) that touch without overlap. It grows from D + 1 members
// that all touch one another (fewer if count is less): each new one is laid from outside on D members that touch one
// another, chosen at random; where there is no room for it, another place and radius are drawn.
template <int D>
std::vector<Member<D>> random_assembly(double size, std::size_t count, base::Stream& random);

}  // namespace moraine::shape
