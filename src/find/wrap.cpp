// SPDX-License-Identifier: MIT
#include "find/wrap.hpp"

#include <cmath>
#include <vector>

#include "find/chunks.hpp"

namespace moraine::find {

namespace {

using world::Domain;
using world::Vec;
template <int D>
using Turns = std::array<std::int32_t, static_cast<std::size_t>(D)>;

// Returns how many turns were taken back.
template <int D>
double wrap_axis(const Domain<D>& domain, int axis, Vec<D>& x, Turns<D>& image) {
  if (!domain.periodic[axis]) return 0;
  const double length = domain.length(axis);
  const double turns = std::floor((x[axis] - domain.min[axis]) / length);
  if (turns == 0) return 0;
  x[axis] -= turns * length;
  image[static_cast<std::size_t>(axis)] += static_cast<std::int32_t>(turns);
  return turns;
}

// Returns the energy gained.
template <int D>
double wrap_gradient(world::World<D>& world, std::size_t i, double slide, double speed) {
  const Domain<D>& domain = world.domain;
  Vec<D>& x = world.bodies.place[i].x;
  const double turns = wrap_axis(domain, domain.shear.gradient, x, world.bodies.image[i]);
  if (turns == 0) return 0;
  world::Moving<D>& m = world.bodies.moving[i];
  const double before = math::norm2(m.v);
  x[domain.shear.flow] -= turns * slide;
  m.v[domain.shear.flow] -= turns * speed;
  m.v_now[domain.shear.flow] -= turns * speed;
  return m.held == world::Held::kFree ? 0.5 * world.bodies.mass[i] * (math::norm2(m.v) - before) : 0;
}

}  // namespace

template <int D>
void wrap(world::World<D>& world, base::Team& team) {
  Domain<D>& domain = world.domain;
  const bool sheared = domain.shear.rate != 0;
  const double slide = domain.slide(world.time), speed = domain.slide_speed();
  if (sheared) domain.shear_turns = std::round(slide / domain.length(domain.shear.flow));
  const std::size_t n = world.bodies.size();
  std::vector<double> work(base::chunk_count(n), 0);
  for_bodies(team, n, [&](std::size_t c, std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      if (sheared) work[c] += wrap_gradient(world, i, slide, speed);
      for (int k = 0; k < D; ++k) wrap_axis(domain, k, world.bodies.place[i].x, world.bodies.image[i]);
    }
  });
  for (const double w : work) world.ledger.shear += w;
}

template void wrap<2>(world::World<2>&, base::Team&);
template void wrap<3>(world::World<3>&, base::Team&);

}  // namespace moraine::find
