// SPDX-License-Identifier: MIT
#include "measure/energy.hpp"

namespace moraine::measure {

using world::Held;

namespace {
template <int D>
double potential_of(const World<D>& world, std::size_t i) {
  const Vec<D> x = world.domain.unwrapped(world.bodies.place[i].x, world.bodies.image[i], world.time);
  return -world.bodies.mass[i] * math::dot(world.gravity, x);
}
template <int D>
double clump_potential(const World<D>& world, std::size_t c) {
  const Vec<D> x = world.domain.unwrapped(world.clumps.x[c], world.clumps.image[c], world.time);
  return -world.clumps.mass[c] * math::dot(world.gravity, x);
}
template <int D>
double clump_translation(const World<D>& world, std::size_t c) {
  return 0.5 * world.clumps.mass[c] * math::norm2(world.clump_velocity(c));
}
template <int D>
double clump_rotation(const World<D>& world, std::size_t c) {
  return 0.5 * math::dot(world.clump_momentum(c), world.clump_spin(c));
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
  for (std::size_t c = 0; c < world.clumps.size(); ++c) {
    e.translation += clump_translation(world, c);
    e.rotation += clump_rotation(world, c);
    e.potential += clump_potential(world, c);
  }
  e.elastic = world.ledger.elastic;
  return e;
}

template <int D>
double body_energy(const World<D>& world, std::size_t i) {
  return 0.5 * world.bodies.mass[i] * math::norm2(world.velocity(i)) +
         0.5 * world.bodies.inertia[i] * math::norm2(world.spin(i)) + potential_of(world, i);
}

template <int D>
double clump_energy(const World<D>& world, std::size_t c) {
  return clump_translation(world, c) + clump_rotation(world, c) + clump_potential(world, c);
}

double dissipated(const world::Ledger& l) { return l.normal_dashpot + l.shear_dashpot + l.friction + l.global_damping; }

template <int D>
Vec<D> momentum(const World<D>& world) {
  Vec<D> p{};
  for (std::size_t i = 0; i < world.bodies.size(); ++i) {
    if (world.bodies.moving[i].held == Held::kFree) p += world.velocity(i) * world.bodies.mass[i];
  }
  for (std::size_t c = 0; c < world.clumps.size(); ++c) p += world.clump_velocity(c) * world.clumps.mass[c];
  return p;
}

template <int D>
std::size_t free_bodies(const World<D>& world) {
  std::size_t n = world.clumps.size();
  for (const auto& m : world.bodies.moving) n += m.held == Held::kFree ? 1 : 0;
  return n;
}

template <int D>
double collisions_per_body(const World<D>& world) {
  const std::size_t n = free_bodies(world);
  return n > 0 ? static_cast<double>(world.collisions) / static_cast<double>(n) : 0;
}

#define MORAINE_INSTANTIATE(D)                                   \
  template Energy measure_energy<D>(const World<D>&);            \
  template double body_energy<D>(const World<D>&, std::size_t);  \
  template double clump_energy<D>(const World<D>&, std::size_t); \
  template Vec<D> momentum<D>(const World<D>&);                  \
  template std::size_t free_bodies<D>(const World<D>&);          \
  template double collisions_per_body<D>(const World<D>&);
MORAINE_INSTANTIATE(2)
MORAINE_INSTANTIATE(3)

}  // namespace moraine::measure
