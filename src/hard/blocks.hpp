// SPDX-License-Identifier: MIT
// Contacts as the time-stepping method sees them: what moves (single bodies and clumps alike), and one block of
// equations per contact. With u = u_b - u_a the velocity of b's contact point against a's, u_n = n . u and u_t the
// rest:
//
//   u_n >= target,   l_n >= floor,   (u_n - target)(l_n - floor) = 0                     (one-sided; cohesion: floor <
//   0) |l_t| <= mu (l_n - floor) + shear,  u_t = -s l_t,  s >= 0, s = 0 below the limit      (Coulomb)
//
// in impulses l of one step. A contact that may pull has a floor below zero; a bond has a floor and a shear strength.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

#include "math/vec.hpp"

namespace moraine::hard {

using math::Spin;
using math::Vec;

// What is a number in 2D and a vector across the normal in 3D.
template <int D>
using Across = std::conditional_t<D == 2, double, math::Vec3>;

// A symmetric matrix: xx, xy, xz, yy, yz, zz.
using Tensor = std::array<double, 6>;
inline math::Vec3 times(const Tensor& t, const math::Vec3& v) {
  return {t[0] * v[0] + t[1] * v[1] + t[2] * v[2], t[1] * v[0] + t[3] * v[1] + t[4] * v[2],
          t[2] * v[0] + t[4] * v[1] + t[5] * v[2]};
}

// Velocity of something that moves as one, and what it weighs.
template <int D>
struct Mover {
  Vec<D> v{};
  double inverse_mass = 0;
  double inverse_inertia = 0;  // negative: a tensor, at -1 - this
  Spin<D> w{};
};

template <int D>
struct Movers {
  std::vector<Mover<D>> all;  // of body i: i (members: nothing of their own); of clump c: the number of bodies + c
  std::vector<Tensor> tensors;

  Spin<D> turned(const Mover<D>& m, const Spin<D>& torque) const {
    if constexpr (D == 3) {
      if (m.inverse_inertia < 0) [[unlikely]]
        return times(tensors[static_cast<std::size_t>(-1 - m.inverse_inertia)], torque);
    }
    return torque * m.inverse_inertia;
  }
  void push(std::uint32_t i, const Vec<D>& impulse, const Spin<D>& torque) {
    Mover<D>& m = all[i];
    m.v += impulse * m.inverse_mass;
    m.w += turned(m, torque);
  }
  void push_round(std::uint32_t i, const Vec<D>& impulse, const Spin<D>& torque) {
    Mover<D>& m = all[i];
    m.v += impulse * m.inverse_mass;
    m.w += torque * m.inverse_inertia;
  }
};

// The part of a velocity across n, and a force across n as a vector.
inline double across(const math::Vec2& u, const math::Vec2& n) { return n[0] * u[1] - n[1] * u[0]; }
inline math::Vec3 across(const math::Vec3& u, const math::Vec3& n) { return u - n * math::dot(u, n); }
inline math::Vec2 along(double l, const math::Vec2& n) { return {-l * n[1], l * n[0]}; }
inline const math::Vec3& along(const math::Vec3& l, const math::Vec3& /*n*/) { return l; }

// Of an impulse across n: its moment for a unit of lever along n. And the velocity across n that spin at a lever gives.
inline double moment(double l_t, const math::Vec2& /*n*/) { return l_t; }
inline math::Vec3 moment(const math::Vec3& l_t, const math::Vec3& n) { return math::cross(n, l_t); }
inline double swing(double spin, const math::Vec2& /*n*/) { return spin; }
inline math::Vec3 swing(const math::Vec3& spin, const math::Vec3& n) { return math::cross(spin, n); }

// A velocity or an impulse in its two parts.
template <int D>
struct Parts {
  double n = 0;
  Across<D> t{};
};
template <int D>
Parts<D> in_parts(const Vec<D>& u, const Vec<D>& n) {
  if constexpr (D == 2) {
    return {math::dot(u, n), across(u, n)};
  } else {
    const double u_n = math::dot(u, n);
    return {u_n, u - n * u_n};
  }
}

// A contact of two movers. What sweeps need comes first. kRound: neither is a clump, so that arms are along n.
template <int D>
struct Block {
  std::uint32_t a, b;       // movers
  Vec<D> n;                 // from a to b
  double lever_a, lever_b;  // arms along n
  double k_n, k_t;          // impulse per velocity: of the normal, and of the stiffest direction across it
  double target;
  double mu, floor, shear;
  double l_n;
  Across<D> l_t;
  double gap;               // of the surfaces; of a bond: more than at its start
  double radius;            // that resistance to rolling counts with
  std::uint32_t slot, law;  // where it comes from, and the pair of materials
  Vec<D> arm_a, arm_b;

  bool bonded() const { return shear > 0; }
  Vec<D> own() const { return {}; }  // the part of the velocity that no mover has
  Vec<D> velocity(const Movers<D>& m) const {
    const Mover<D>&x = m.all[a], &y = m.all[b];
    return y.v + math::cross(y.w, arm_b) - x.v - math::cross(x.w, arm_a);
  }
  void push(Movers<D>& m, const Vec<D>& impulse) const {
    m.push(a, -impulse, -math::cross(arm_a, impulse));
    m.push(b, impulse, math::cross(arm_b, impulse));
  }
  // The two move on: both arms end midway between where their ends have come, at the same point, so that an impulse
  // there changes no angular momentum.
  void go_along(const Movers<D>& m, double h) {
    const Vec<D> half = velocity(m) * (0.5 * h);
    arm_a += math::cross(m.all[a].w, arm_a) * h + half;
    arm_b += math::cross(m.all[b].w, arm_b) * h - half;
  }
  template <bool kRound>
  Parts<D> slip(const Movers<D>& m) const {
    if constexpr (!kRound) return in_parts<D>(velocity(m), n);
    const Mover<D>&x = m.all[a], &y = m.all[b];
    Parts<D> u = in_parts<D>(y.v - x.v, n);
    u.t += swing(y.w * lever_b - x.w * lever_a, n);
    return u;
  }
  template <bool kRound>
  void push(Movers<D>& m, const Parts<D>& l) const {
    const Vec<D> impulse = n * l.n + along(l.t, n);
    if constexpr (kRound) {
      const Spin<D> turn = moment(l.t, n);
      m.push_round(a, -impulse, turn * -lever_a);
      m.push_round(b, impulse, turn * lever_b);
    } else {
      push(m, impulse);
    }
  }
};

// In place of the number of a wall: a held body, which is the second in its slot, or the first.
inline constexpr std::uint32_t kHeldSecond = ~0U, kHeldFirst = ~0U - 1;

// A contact of one mover with something that it cannot push: a wall, a held body.
template <int D>
struct HeldBlock {
  std::uint32_t a;
  std::uint32_t wall;  // that it pushes, or kHeldSecond, kHeldFirst
  Vec<D> n;
  Vec<D> drift;  // velocity of the other's contact point
  double lever_a;
  double k_n, k_t;
  double target;
  double mu, floor, shear;
  double l_n;
  Across<D> l_t;
  double gap, radius;
  std::uint32_t slot, law;
  Vec<D> arm_a;

  bool bonded() const { return shear > 0; }
  const Vec<D>& own() const { return drift; }
  bool on_wall() const { return wall < kHeldFirst; }
  // What changes sign in memory: a held body that comes first in its slot comes second here.
  double sign() const { return wall == kHeldFirst ? -1 : 1; }
  Vec<D> velocity(const Movers<D>& m) const {
    const Mover<D>& x = m.all[a];
    return drift - x.v - math::cross(x.w, arm_a);
  }
  void push(Movers<D>& m, const Vec<D>& impulse) const { m.push(a, -impulse, -math::cross(arm_a, impulse)); }
  void go_along(const Movers<D>& m, double h) {
    const Vec<D> half = velocity(m) * (0.5 * h);
    arm_a += math::cross(m.all[a].w, arm_a) * h + half;
  }
  template <bool kRound>
  Parts<D> slip(const Movers<D>& m) const {
    if constexpr (!kRound) return in_parts<D>(velocity(m), n);
    const Mover<D>& x = m.all[a];
    Parts<D> u = in_parts<D>(drift - x.v, n);
    u.t -= swing(x.w * lever_a, n);
    return u;
  }
  template <bool kRound>
  void push(Movers<D>& m, const Parts<D>& l) const {
    const Vec<D> impulse = n * l.n + along(l.t, n);
    if constexpr (kRound) {
      m.push_round(a, -impulse, moment(l.t, n) * -lever_a);
    } else {
      push(m, impulse);
    }
  }
};

// Resistance against turning: of the movers of a block, in proportion to its normal impulse.
template <int D>
struct RollBlock {
  std::uint32_t a, b;    // movers; b = kNoMover: something held
  std::uint32_t block;   // in the same group: pairs first, then held ones
  double k;              // impulse per spin
  double roll, twist;    // limits per normal impulse: lengths
  double floor, moment;  // of a bond: the limit without any normal impulse
  Spin<D> drift{};       // spin of what is held
  Spin<D> l{};
};
inline constexpr std::uint32_t kNoMover = ~0U;

inline double limited(double l, double most) { return std::clamp(l, -most, most); }
inline math::Vec3 limited(const math::Vec3& l, double most) {
  const double size2 = math::norm2(l);
  return size2 > most * most ? l * (most / std::sqrt(size2)) : l;
}

}  // namespace moraine::hard
