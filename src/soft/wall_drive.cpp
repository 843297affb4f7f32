// SPDX-License-Identifier: MIT
#include "soft/wall_drive.hpp"

#include <algorithm>
#include <cmath>

namespace moraine::soft {

using math::Vec;
using world::Drive;
using world::Wall;
using world::World;

namespace {

// Distance of two walls across the first of them.
double distance_between(const Wall<2>& a, const Wall<2>& b) {
  const Vec<2> along = a.now.b - a.now.a;
  return std::fabs(math::cross(along, b.now.a - a.now.a)) / math::norm(along);
}
double distance_between(const Wall<3>& a, const Wall<3>& b) { return std::fabs(math::dot(b.now.a - a.now.a, a.now.b)); }

template <int D>
void advance_one(const World<D>& world, Wall<D>& wall) {
  Drive<D>& drive = wall.drive;
  const double dt = world.dt;
  if (world.time < drive.from || world.time >= drive.to) {
    drive.v = drive.v_now = drive.drift = 0;
    return;
  }
  const double missing = math::dot(wall.force, drive.direction) - target_force(world, drive);
  const double before = drive.v;
  if (drive.mass > 0) {
    // The brake acts on the mean of the velocities before and after: stable however strong it is.
    const double brake = 0.5 * dt / (drive.mass * drive.gain), kick = world.step == 0 ? 0.5 : 1;
    drive.v = (before * (1 - brake) + 2 * brake * drive.drift + kick * dt * missing / drive.mass) / (1 + brake);
  } else {
    drive.v = drive.gain * missing + drive.drift;
  }
  const int limit = drive.v > drive.fastest ? 1 : drive.v < -drive.fastest ? -1 : 0;
  if (limit != 0) {
    drive.v = limit * drive.fastest;
    if (limit == -drive.last_limit) ++drive.swings;
    drive.last_limit = limit;
  } else if (std::isfinite(drive.memory)) {
    drive.drift += drive.gain * missing * (dt / drive.memory);
  }
  drive.v_now = drive.mass > 0 ? std::clamp(1.5 * drive.v - 0.5 * before, -drive.fastest, drive.fastest) : drive.v;
  drive.moved += drive.v * dt;
}

}  // namespace

template <int D>
double target_force(const World<D>& world, const Drive<D>& drive) {
  if (drive.stress == 0) return drive.target;
  double area = drive.fixed_area;
  for (const auto& pair : drive.across) area *= distance_between(world.walls[pair[0]], world.walls[pair[1]]);
  return drive.stress * area;
}

template <int D>
void advance_drives(World<D>& world) {
  for (Wall<D>& wall : world.walls) {
    if (wall.drive.on) advance_one(world, wall);
  }
}

template double target_force<2>(const World<2>&, const Drive<2>&);
template double target_force<3>(const World<3>&, const Drive<3>&);
template void advance_drives<2>(World<2>&);
template void advance_drives<3>(World<3>&);

}  // namespace moraine::soft
