// SPDX-License-Identifier: MIT
#include "inflow/rain.hpp"

namespace moraine::inflow {

template <int D>
void solid_ball(double radius, double density, double thickness, double& mass, double& inertia) {
  mass = density * math::ball_volume(D, radius) * (D == 2 ? thickness : 1);
  inertia = (D == 2 ? 0.5 : 0.4) * mass * radius * radius;
}

template <int D>
bool Rain<D>::apply(world::World<D>& world) {
  if (done() || world.step % plan_.every != 0) return false;
  base::Stream random(plan_.seed, plan_.name, drawn_);
  const double largest = plan_.sizes.largest();
  Region<D> near = plan_.region;
  for (int k = 0; k < D; ++k) {
    near.min[k] -= 2 * largest;
    near.max[k] += 2 * largest;
  }
  double widest = largest;
  for (const auto& p : world.bodies.place) widest = std::max(widest, p.radius);
  Occupied<D> occupied(world.domain, near, widest);
  for (const auto& p : world.bodies.place) {
    bool beside = true;
    for (int k = 0; k < D; ++k) {
      if (world.domain.periodic[static_cast<std::size_t>(k)]) continue;
      beside = beside && p.x[k] > near.min[k] - widest && p.x[k] < near.max[k] + widest;
    }
    if (beside) occupied.add({p.x, p.radius});
  }
  bool any = false;
  for (std::int64_t k = 0; k < plan_.batch && !done(); ++k) {
    world::NewBody<D> body;
    body.radius = plan_.sizes.draw(random);
    for (int c = 0; c < D; ++c) {
      const double inset = world.domain.periodic[static_cast<std::size_t>(c)] ? 0 : body.radius;
      body.x[c] = random.uniform(plan_.region.min[c] + inset, plan_.region.max[c] - inset);
    }
    if (!occupied.is_free({body.x, body.radius}, 0)) continue;
    occupied.add({body.x, body.radius});
    ++released_;
    any = true;
    if (!plan_.clumps.empty()) {
      world::NewClump<D> clump = random_clump<D>(plan_.clumps, {body.x, body.radius}, random);
      clump.v = plan_.velocity;
      clump.material = plan_.material;
      clump.density = plan_.density;
      clump.thickness = plan_.thickness;
      world.clumps.add(clump, world.bodies);
      continue;
    }
    solid_ball<D>(body.radius, plan_.density, plan_.thickness, body.mass, body.inertia);
    body.v = plan_.velocity;
    body.material = plan_.material;
    world.bodies.add(body);
  }
  drawn_ = random.counter();
  return any;
}

template <int D>
void Rain<D>::save(base::Record& record) const {
  record.ints[plan_.name] = {released_, static_cast<std::int64_t>(drawn_)};
}

template <int D>
void Rain<D>::load(const base::Record& record) {
  released_ = record.integer(plan_.name).at(0);
  drawn_ = static_cast<std::uint64_t>(record.integer(plan_.name).at(1));
}

#define MORAINE_INSTANTIATE(D) \
  template class Rain<D>;      \
  template void solid_ball<D>(double, double, double, double&, double&);
MORAINE_INSTANTIATE(2)
MORAINE_INSTANTIATE(3)

}  // namespace moraine::inflow
