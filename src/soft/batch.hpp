// SPDX-License-Identifier: MIT
// Closed contacts of one law, a batch at a time: gathered into rows, computed in a loop without branches that the
// compiler turns into vector instructions, and given back in order. Each contact's arithmetic is the same as alone, so
// the width of the vectors does not change a bit.
#pragma once

#include <array>
#include <cstdint>

#include "soft/contact_step.hpp"

namespace moraine::soft {

template <int D>
struct Batch {
  static constexpr std::size_t kSize = 64;
  static constexpr int kSpin = D == 2 ? 1 : 3;
  static constexpr int kMostMemory = 8;
  using Row = std::array<double, kSize>;

  // In: of the pair; b relative to a, a against b.
  alignas(64) std::array<Row, D> apart, v_half, v_now;
  std::array<Row, kSpin> wa, wb, wa_now, wb_now;
  Row radius_a, radius_b, inverse_mass;
  std::array<Row, kMostMemory> memory;
  // Out.
  std::array<Row, D> force, normal;
  std::array<Row, kSpin> torque_a, torque_b;
  Row overlap, distance, normal_force, rate;
  Row elastic, lost_normal, lost_shear, lost_friction;

  std::array<std::uint32_t, kSize> body, other, slot;
  std::size_t count = 0;
};

template <int D>
inline void put(std::array<typename Batch<D>::Row, D>& rows, std::size_t k, const Vec<D>& v) {
  for (int c = 0; c < D; ++c) rows[static_cast<std::size_t>(c)][k] = v[c];
}
template <int D>
inline Vec<D> take(const std::array<typename Batch<D>::Row, D>& rows, std::size_t k) {
  Vec<D> v;
  for (int c = 0; c < D; ++c) v[c] = rows[static_cast<std::size_t>(c)][k];
  return v;
}
template <int D>
inline void put_spin(std::array<typename Batch<D>::Row, Batch<D>::kSpin>& rows, std::size_t k, const Spin<D>& w) {
  if constexpr (D == 2) {
    rows[0][k] = w;
  } else {
    for (int c = 0; c < 3; ++c) rows[static_cast<std::size_t>(c)][k] = w[c];
  }
}
template <int D>
inline Spin<D> take_spin(const std::array<typename Batch<D>::Row, Batch<D>::kSpin>& rows, std::size_t k) {
  if constexpr (D == 2) {
    return rows[0][k];
  } else {
    return {rows[0][k], rows[1][k], rows[2][k]};
  }
}

// One contact of the batch: as pair_up() and push_going(), from rows to rows.
template <int D, class Normal, class Tangential, bool kEnergy>
inline void compute_one(Batch<D>& b, const world::PairLaw& law, double dt, std::size_t k) {
  constexpr int kMemory = Normal::kMemory + kTangentialMemory<D, Normal, Tangential>;
  Pairing<D> c;
  c.at = touch::touch_balls<D>(take<D>(b.apart, k), b.radius_a[k] + b.radius_b[k]);
  const double half = 0.5 * c.at.overlap;
  c.arm_a = b.radius_a[k] - half;
  c.arm_b = b.radius_b[k] - half;
  c.v_half = take<D>(b.v_half, k);
  c.v_now = take<D>(b.v_now, k);
  const Spin<D> wa = take_spin<D>(b.wa, k), wb = take_spin<D>(b.wb, k);
  c.arm_spin_half = c.arm_a * wa + c.arm_b * wb;
  c.arm_spin_now = c.arm_a * take_spin<D>(b.wa_now, k) + c.arm_b * take_spin<D>(b.wb_now, k);
  c.twist_rate = twist_of<D>(wa + wb, c.at.k);
  c.shrink = 1 / c.at.distance;
  c.m_eff = 1 / b.inverse_mass[k];
  c.inverse_r = 1 / b.radius_a[k] + 1 / b.radius_b[k];
  double memory[kMemory > 0 ? kMemory : 1];
  for (int m = 0; m < kMemory; ++m) memory[m] = b.memory[static_cast<std::size_t>(m)][k];
  Tally tally;
  const Push<D> push = push_going<D, Normal, Tangential, kEnergy>(c, law, memory, dt, tally);
  for (int m = 0; m < kMemory; ++m) b.memory[static_cast<std::size_t>(m)][k] = memory[m];
  put<D>(b.force, k, push.force);
  put<D>(b.normal, k, c.at.k);
  put_spin<D>(b.torque_a, k, c.arm_a * push.torque_per_arm);
  put_spin<D>(b.torque_b, k, c.arm_b * push.torque_per_arm);
  b.overlap[k] = c.at.overlap;
  b.distance[k] = c.at.distance;
  b.normal_force[k] = push.normal;
  b.rate[k] = push.rate;
  if constexpr (kEnergy) {
    b.elastic[k] = tally.elastic;
    b.lost_normal[k] = tally.normal_dashpot;
    b.lost_shear[k] = tally.shear_dashpot;
    b.lost_friction[k] = tally.friction;
  }
}

}  // namespace moraine::soft
