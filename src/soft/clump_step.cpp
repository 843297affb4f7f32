// SPDX-License-Identifier: MIT
#include "soft/clump_step.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "world/clump_motion.hpp"

namespace moraine::soft {

using math::Spin;
using math::Vec;
using world::Clumps;
using world::World;

namespace {

constexpr std::size_t kChunkClumps = 64;
}  // namespace

template <int D>
void ClumpStep<D>::bodies_reordered(World<D>& world) {
  world.clumps.drop_gone(world.bodies);
  world.clumps.find_members(world.bodies);
}

template <int D>
template <class Each>
void ClumpStep<D>::for_clumps(const World<D>& world, base::Team& team, const Each& each) {
  const std::size_t n = world.clumps.size(), chunks = (n + kChunkClumps - 1) / kChunkClumps;
  seen_.resize(chunks);
  team.for_chunks(chunks, [&](std::size_t chunk) {
    const std::size_t end = std::min(n, (chunk + 1) * kChunkClumps);
    for (std::size_t c = chunk * kChunkClumps; c < end; ++c) each(c, seen_[chunk]);
  });
}

template <int D>
void ClumpStep<D>::gather(World<D>& world, base::Team& team) {
  for (Seen& s : seen_) s.damping = 0;
  for_clumps(world, team, [&](std::size_t c, Seen& seen) { gather_one(world, c, seen); });
}

template <int D>
void ClumpStep<D>::gather_one(World<D>& world, std::size_t c, Seen& seen) const {
  Clumps<D>& clumps = world.clumps;
  Vec<D> force{};
  Spin<D> torque{};
  for (std::uint32_t m = clumps.start[c]; m < clumps.start[c + 1]; ++m) {
    const std::uint32_t i = clumps.member[m];
    force += world.bodies.force[i];
    torque += world.bodies.torque[i] + math::cross(clumps.arm(c, m), world.bodies.force[i]);
  }
  const double damping = world.global_damping;
  if (damping > 0) {
    const Spin<D> turning = clumps.momentum_of(c, clumps.w_now[c]);
    force -= clumps.v_now[c] * (damping * clumps.mass[c]);
    torque -= turning * damping;
    seen.damping += damping * (clumps.mass[c] * math::norm2(clumps.v_now[c]) + math::dot(turning, clumps.w_now[c]));
  }
  clumps.force[c] = force;
  clumps.torque[c] = torque;
}

template <int D>
void ClumpStep<D>::advance(World<D>& world, base::Team& team) {
  for (Seen& s : seen_) {
    s.farthest2 = 0;
    s.lost = -1;
    s.outside.clear();
  }
  for_clumps(world, team, [&](std::size_t c, Seen& seen) { advance_one(world, c, seen); });
}

template <int D>
void ClumpStep<D>::advance_one(World<D>& world, std::size_t c, Seen& seen) const {
  Clumps<D>& clumps = world.clumps;
  const double dt = world.dt, kick = clumps.fresh[c] != 0 ? 0.5 * dt : dt;
  const Vec<D> a = clumps.force[c] * (1 / clumps.mass[c]) + world.gravity;
  clumps.fresh[c] = 0;
  clumps.v[c] += a * kick;
  clumps.v_now[c] = clumps.v[c] + a * (0.5 * dt);
  clumps.x[c] += clumps.v[c] * dt;
  clumps.momentum[c] += clumps.torque[c] * kick;
  const math::Orientation<D> before = clumps.orientation[c];
  const Spin<D> chord = world::turn_freely(clumps, c, dt);
  clumps.w[c] = chord;
  clumps.w_now[c] = clumps.spin_of(c, clumps.momentum[c] + clumps.torque[c] * (0.5 * dt));

  const double moved2 = world::place_members(world, c, static_cast<double>(world.step + 1) * dt);
  if (!(moved2 < std::numeric_limits<double>::infinity())) seen.lost = clumps.id[c];
  seen.farthest2 = std::max(seen.farthest2, moved2);
  for (std::uint32_t m = clumps.start[c]; m < clumps.start[c + 1]; ++m) {
    const std::uint32_t i = clumps.member[m];
    world::Moving<D>& moving = world.bodies.moving[i];
    const Vec<D> r0 = math::rotated(clumps.offset[m], before), r1 = clumps.arm(c, m);
    const Vec<D> drift = world::member_drift(world, c, i);
    moving.v = clumps.v[c] + math::cross(chord, 0.5 * (r0 + r1)) - drift;
    moving.v_now = clumps.v_now[c] + math::cross(clumps.w_now[c], r1) - drift;
    moving.w = chord;
    moving.w_now = clumps.w_now[c];
    moving.fresh = false;
  }
  if (!world.domain.contains(clumps.x[c])) seen.outside.push_back(static_cast<std::uint32_t>(c));
}

template class ClumpStep<2>;
template class ClumpStep<3>;

}  // namespace moraine::soft
