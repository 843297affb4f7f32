// SPDX-License-Identifier: MIT
#include "inflow/clump.hpp"

#include <cmath>

namespace moraine::inflow {

template <int D>
math::Orientation<D> random_orientation(base::Stream& random) {
  if constexpr (D == 2) {
    return random.uniform(0, 2 * math::kPi);
  } else {  // Shoemake 1992
    const double u = random.uniform(), a = 2 * math::kPi * random.uniform(), b = 2 * math::kPi * random.uniform();
    const double s = std::sqrt(1 - u), t = std::sqrt(u);
    return math::normalised({s * math::sin(a), s * math::cos(a), t * math::sin(b), t * math::cos(b)});
  }
}

template <int D>
world::NewClump<D> random_clump(const std::vector<world::ClumpShape<D>>& shapes, const Ball<D>& ball,
                                base::Stream& random) {
  world::NewClump<D> clump;
  clump.shape = &shapes[shapes.size() > 1 ? random.below(shapes.size()) : 0];
  clump.scale = ball.radius / clump.shape->radius;
  clump.x = ball.x;
  clump.orientation = random_orientation<D>(random);
  return clump;
}

#define MORAINE_INSTANTIATE(D)                                        \
  template math::Orientation<D> random_orientation<D>(base::Stream&); \
  template world::NewClump<D> random_clump<D>(const std::vector<world::ClumpShape<D>>&, const Ball<D>&, base::Stream&);
MORAINE_INSTANTIATE(2)
MORAINE_INSTANTIATE(3)

}  // namespace moraine::inflow
