// SPDX-License-Identifier: MIT
#include "find/wrap.hpp"

#include <cmath>
#include <vector>

#include "find/chunks.hpp"

namespace moraine::find {

namespace {

// What a change of velocity along the flow axis brings in energy.
template <int D>
double shifted(math::Vec<D>& v, math::Vec<D>& v_now, int flow, double change, double mass) {
  const double before = math::norm2(v);
  v[flow] += change;
  v_now[flow] += change;
  return 0.5 * mass * (math::norm2(v) - before);
}

}  // namespace

template <int D>
void wrap(world::World<D>& world, base::Team& team) {
  world::Domain<D>& domain = world.domain;
  const int flow = domain.shear.flow;
  if (domain.shear.rate != 0) domain.shear_turns = std::round(domain.slide(world.time) / domain.length(flow));
  const std::size_t n = world.bodies.size();
  std::vector<double> work(base::chunk_count(n), 0);
  for_bodies(team, n, [&](std::size_t c, std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const double change = domain.wrap(world.bodies.place[i].x, world.bodies.image[i], world.time);
      if (change == 0) continue;
      world::Moving<D>& m = world.bodies.moving[i];
      const double mass = m.held == world::Held::kFree ? world.bodies.mass[i] : 0;  // clumps are counted as wholes
      work[c] += shifted(m.v, m.v_now, flow, change, mass);
    }
  });
  for (const double w : work) world.ledger.shear += w;
  world::Clumps<D>& clumps = world.clumps;
  for (std::size_t c = 0; c < clumps.size(); ++c) {
    const double change = domain.wrap(clumps.x[c], clumps.image[c], world.time);
    if (change != 0) world.ledger.shear += shifted(clumps.v[c], clumps.v_now[c], flow, change, clumps.mass[c]);
  }
}

template void wrap<2>(world::World<2>&, base::Team&);
template void wrap<3>(world::World<3>&, base::Team&);

}  // namespace moraine::find
