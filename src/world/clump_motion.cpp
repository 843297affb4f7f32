// SPDX-License-Identifier: MIT
#include "world/clump_motion.hpp"

#include <cmath>

namespace moraine::world {

namespace {

// One step of free rotation with the angular momentum L (world's frame) held: the implicit midpoint rule for the body
// frame's momentum, m' = m x I^-1 m, whose step is a Cayley rotation about the midpoint's spin. It keeps the energy and
// the angular momentum of a free body to rounding, for steps of any length. Returns the midpoint's spin in the world's
// frame; displacements of points in this step are exactly spin x (mean arm) * dt.
math::Vec3 turn_one(math::Quaternion& q, const math::Vec3& L, const math::Vec3& inertia, double dt) {
  const math::Vec3 start = math::rotated(L, math::inverse(q));
  math::Vec3 middle = start, spin{};
  for (int round = 0; round < 50; ++round) {
    for (int k = 0; k < 3; ++k) spin[k] = middle[k] / inertia[k];
    const math::Vec3 next = start + math::cross(middle, spin) * (0.5 * dt);
    const double change = math::norm2(next - middle), size = math::norm2(start);
    middle = next;
    if (change <= 1e-34 * size) break;
  }
  for (int k = 0; k < 3; ++k) spin[k] = middle[k] / inertia[k];
  const double h = 0.5 * dt;
  const math::Vec3 world_spin = math::rotated(spin, q);
  q = math::normalised(q * math::Quaternion{1, spin[0] * h, spin[1] * h, spin[2] * h});
  return world_spin;
}
// In the plane: by the angle w dt. The chord spin that gives the displacement of points is w tan(w dt / 2) / (w dt /
// 2).
double turn_one(double& angle, double L, double inertia, double dt) {
  const double w = L / inertia, half = 0.5 * w * dt;
  angle += w * dt;
  const double c = math::cos(half);
  return c != 0 ? math::sin(half) / (c * 0.5 * dt) : w;
}

template <int D>
std::array<std::int32_t, D> turns_of_member(const World<D>& world, std::size_t c, std::uint32_t i) {
  std::array<std::int32_t, D> turns;
  for (std::size_t k = 0; k < D; ++k) turns[k] = world.bodies.image[i][k] - world.clumps.image[c][k];
  return turns;
}

}  // namespace

template <int D>
Spin<D> turn_freely(Clumps<D>& clumps, std::size_t c, double dt) {
  return turn_one(clumps.orientation[c], clumps.momentum[c], clumps.inertia[c], dt);
}

template <int D>
Vec<D> member_drift(const World<D>& world, std::size_t c, std::uint32_t i) {
  Vec<D> drift{};
  const Shear& shear = world.domain.shear;
  if (shear.rate != 0)
    drift[shear.flow] =
        turns_of_member(world, c, i)[static_cast<std::size_t>(shear.gradient)] * world.domain.slide_speed();
  return drift;
}

template <int D>
double place_members(World<D>& world, std::size_t c, double t) {
  const Clumps<D>& clumps = world.clumps;
  double farthest2 = 0;
  for (std::uint32_t m = clumps.start[c]; m < clumps.start[c + 1]; ++m) {
    const std::uint32_t i = clumps.member[m];
    Vec<D>& x = world.bodies.place[i].x;
    x = clumps.x[c] + clumps.arm(c, m) - world.domain.unwrapped(Vec<D>{}, turns_of_member(world, c, i), t);
    world.bodies.orientation[i] = clumps.orientation[c];
    const double moved2 = math::norm2(x - world.bodies.x_found[i]);
    if (!(moved2 <= farthest2)) farthest2 = moved2;
    if (!std::isfinite(moved2)) return moved2;  // lost
  }
  return farthest2;
}

#define MORAINE_INSTANTIATE(D)                                                  \
  template Spin<D> turn_freely<D>(Clumps<D>&, std::size_t, double);             \
  template Vec<D> member_drift<D>(const World<D>&, std::size_t, std::uint32_t); \
  template double place_members<D>(World<D>&, std::size_t, double);
MORAINE_INSTANTIATE(2)
MORAINE_INSTANTIATE(3)

}  // namespace moraine::world
