// SPDX-License-Identifier: MIT
#include "soft/leapfrog.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "soft/any_cpu.hpp"
#include "soft/rows.hpp"

namespace moraine::soft {

namespace {

using world::Moving;
using FourMasks = std::int64_t __attribute__((vector_size(32)));

// Three numbers each of four, one after the other, as rows.
struct Rows3 {
  Four x, y, z;
};
[[gnu::always_inline]] inline void load_threes(const math::Vec3* from, Rows3& to) {
  const auto* at = reinterpret_cast<const char*>(from);
  Four a, b, c;  // x0 y0 z0 x1, y1 z1 x2 y2, z2 x3 y3 z3
  load(at, a);
  load(at + 32, b);
  load(at + 64, c);
  const Four xx = __builtin_shufflevector(a, b, 0, 3, 6, 6), yy = __builtin_shufflevector(a, b, 1, 4, 7, 7),
             zz = __builtin_shufflevector(a, b, 2, 5, 5, 5);
  to.x = __builtin_shufflevector(xx, c, 0, 1, 2, 5);
  to.y = __builtin_shufflevector(yy, c, 0, 1, 2, 6);
  to.z = __builtin_shufflevector(zz, c, 0, 1, 4, 7);
}

// What the loop reads and writes, as plain pointers.
struct Pointers {
  Moving<3>* moving;
  world::Place<3>* place;
  math::Quaternion* orientation;
  const math::Vec3 *force, *torque, *x_found;
  const double* inertia;
  math::Vec3 gravity, min, max;  // no bounds on periodic axes
  double dt;
  std::vector<OddFour>* odd;
};

[[gnu::always_inline]] inline bool all_leap(const Moving<3>* four) {
  bool all = true;
  for (std::size_t m = 0; m < 4; ++m) all = all && four[m].held == world::Held::kFree && !four[m].fresh;
  return all;
}

MORAINE_ANY_CPU double leap_all(const Pointers& p, std::size_t begin, std::size_t end) {
  const double dt = p.dt, half = 0.5 * dt;
  Four farthest2{};
  for (std::size_t i = begin; i < end; i += 4) {
    if (!all_leap(p.moving + i)) [[unlikely]] {
      p.odd->push_back({i, false});
      continue;
    }
    // v, inverse mass; velocity foreseen, w_x; w_y, w_z, spin foreseen (x, y; z is alone)
    std::array<Four, 4> q0, q1, q2;
    for (std::size_t m = 0; m < 4; ++m) {
      const auto* from = reinterpret_cast<const char*>(p.moving + i + m);
      load(from, q0[m]);
      load(from + 32, q1[m]);
      load(from + 64, q2[m]);
    }
    transpose(q0[0], q0[1], q0[2], q0[3]);
    transpose(q1[0], q1[1], q1[2], q1[3]);
    transpose(q2[0], q2[1], q2[2], q2[3]);
    Rows3 force, torque, found;
    load_threes(p.force + i, force);
    load_threes(p.torque + i, torque);
    load_threes(p.x_found + i, found);
    Four inertia;
    load(p.inertia + i, inertia);
    const Four ease = 1 / inertia;
    const std::array<Four, 3> a = {force.x * q0[3] + p.gravity[0], force.y * q0[3] + p.gravity[1],
                                   force.z * q0[3] + p.gravity[2]};
    const std::array<Four, 3> turn = {torque.x * ease, torque.y * ease, torque.z * ease};
    std::array<Four, 4> place;
    for (std::size_t m = 0; m < 4; ++m) load(p.place + i + m, place[m]);
    transpose(place[0], place[1], place[2], place[3]);
    for (std::size_t c = 0; c < 3; ++c) {
      q0[c] += a[c] * dt;
      q1[c] = q0[c] + a[c] * half;
      place[c] += q0[c] * dt;
    }
    const std::array<Four, 3> w = {q1[3] + turn[0] * dt, q2[0] + turn[1] * dt, q2[1] + turn[2] * dt};
    q1[3] = w[0];
    q2[0] = w[1];
    q2[1] = w[2];
    q2[2] = w[0] + turn[0] * half;
    q2[3] = w[1] + turn[1] * half;
    const Four last = w[2] + turn[2] * half;

    // math::turn()
    std::array<Four, 4> o, r;
    for (std::size_t m = 0; m < 4; ++m) load(p.orientation + i + m, o[m]);
    transpose(o[0], o[1], o[2], o[3]);
    const Four hx = w[0] * half, hy = w[1] * half, hz = w[2] * half;
    r[0] = o[0] - hx * o[1] - hy * o[2] - hz * o[3];
    r[1] = o[1] + hx * o[0] + hy * o[3] - hz * o[2];
    r[2] = o[2] - hx * o[3] + hy * o[0] + hz * o[1];
    r[3] = o[3] + hx * o[2] - hy * o[1] + hz * o[0];
    const Four size = r[0] * r[0] + r[1] * r[1] + r[2] * r[2] + r[3] * r[3];
    Four root;
    fill([&](std::size_t m) { return std::sqrt(size[m]); }, root);
    const Four scale = 1 / root;
    for (Four& row : r) row *= scale;

    const Four dx = place[0] - found.x, dy = place[1] - found.y, dz = place[2] - found.z;
    const Four moved2 = dx * dx + dy * dy + dz * dz;
    FourMasks bad = ~(moved2 < std::numeric_limits<double>::infinity());
    for (std::size_t c = 0; c < 3; ++c) {
      const int axis = static_cast<int>(c);
      bad |= (place[c] < p.min[axis]) | (place[c] > p.max[axis]);
    }
    farthest2 = moved2 > farthest2 ? moved2 : farthest2;
    const FourMasks any = bad | __builtin_shufflevector(bad, bad, 2, 3, 0, 1);
    if ((any[0] | any[1]) != 0) [[unlikely]]
      p.odd->push_back({i, true});

    transpose(q0[0], q0[1], q0[2], q0[3]);
    transpose(q1[0], q1[1], q1[2], q1[3]);
    transpose(q2[0], q2[1], q2[2], q2[3]);
    transpose(place[0], place[1], place[2], place[3]);
    transpose(r[0], r[1], r[2], r[3]);
    for (std::size_t m = 0; m < 4; ++m) {
      Moving<3>& moving = p.moving[i + m];
      auto* to = reinterpret_cast<char*>(&moving);
      store(q0[m], to);
      store(q1[m], to + 32);
      store(q2[m], to + 64);
      moving.w_now[2] = last[m];
      store(place[m], p.place + i + m);
      store(r[m], p.orientation + i + m);
    }
  }
  return std::max(std::max(farthest2[0], farthest2[1]), std::max(farthest2[2], farthest2[3]));
}

}  // namespace

double leap_by_fours(World<3>& world, std::size_t begin, std::size_t end, std::vector<OddFour>& odd) {
  world::Bodies<3>& b = world.bodies;
  Pointers p{
      b.moving.data(),  b.place.data(), b.orientation.data(), b.force.data(),   b.torque.data(), b.x_found.data(),
      b.inertia.data(), world.gravity,  world.domain.min,     world.domain.max, world.dt,        &odd};
  for (int k = 0; k < 3; ++k) {
    if (!world.domain.periodic[static_cast<std::size_t>(k)]) continue;
    p.min[k] = -std::numeric_limits<double>::infinity();
    p.max[k] = std::numeric_limits<double>::infinity();
  }
  return leap_all(p, begin, end);
}

}  // namespace moraine::soft
