// SPDX-License-Identifier: MIT
#include "measure/energy.hpp"

namespace moraine::measure {

using world::Held;

namespace {
template <int D>
double potential_of(const World<D>& world, std::size_t i) {
  double height = 0;
  for (int k = 0; k < D; ++k) {
    double x = world.bodies.place[i].x[k];
    if (world.domain.periodic[k]) x += world.bodies.image[i][static_cast<std::size_t>(k)] * world.domain.length(k);
    height += world.gravity[k] * x;
  }
  return -world.bodies.mass[i] * height;
}
}  // namespace

template <int D>
Energy measure_energy(const World<D>& world) {
  Energy e;
  for (std::size_t i = 0; i < world.bodies.size(); ++i) {
    if (world.bodies.moving[i].held != Held::kFree) continue;
    e.translation += 0.5 * world.bodies.mass[i] * math::norm2(world.velocity(i));
    e.rotation += 0.5 * world.bodies.inertia[i] * math::norm2(world.spin(i));
    e.potential += potential_of(world, i);
  }
  e.elastic = world.ledger.elastic;
  return e;
}

template <int D>
double body_energy(const World<D>& world, std::size_t i) {
  return 0.5 * world.bodies.mass[i] * math::norm2(world.velocity(i)) +
         0.5 * world.bodies.inertia[i] * math::norm2(world.spin(i)) + potential_of(world, i);
}

double dissipated(const world::Ledger& l) { return l.normal_dashpot + l.shear_dashpot + l.friction + l.global_damping; }

template <int D>
Vec<D> momentum(const World<D>& world) {
  Vec<D> p{};
  for (std::size_t i = 0; i < world.bodies.size(); ++i) {
    if (world.bodies.moving[i].held == Held::kFree) p += world.velocity(i) * world.bodies.mass[i];
  }
  return p;
}

template <int D>
std::size_t free_bodies(const World<D>& world) {
  std::size_t n = 0;
  for (const auto& m : world.bodies.moving) n += m.held == Held::kFree ? 1 : 0;
  return n;
}

#define MORAINE_INSTANTIATE(D)                                  \
  template Energy measure_energy<D>(const World<D>&);           \
  template double body_energy<D>(const World<D>&, std::size_t); \
  template Vec<D> momentum<D>(const World<D>&);                 \
  template std::size_t free_bodies<D>(const World<D>&);
MORAINE_INSTANTIATE(2)
MORAINE_INSTANTIATE(3)

}  // namespace moraine::measure
