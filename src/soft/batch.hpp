// SPDX-License-Identifier: MIT
// Closed contacts of one law, a batch at a time: gathered into rows, computed in a loop without branches that the
// compiler turns into vector instructions, and given back in order. Each contact's arithmetic is the same as alone, so
// the width of the vectors does not change a bit. docs/performance.md tells what this is worth.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "soft/contact_step.hpp"
#include "soft/kernels.hpp"

namespace moraine::soft {

template <int D>
struct Batch {
  static constexpr std::size_t kSize = 32;
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
  std::array<Sum<D>, kSize> push_a, push_b;

  // Of the first `count` contacts; up to the next multiple of four those of the last one again.
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

// Where the numbers of a batch come from.
template <int D>
struct Sources {
  const world::Place<D>* place;
  const world::Moving<D>* moving;
  double* memory;
  std::size_t stride;
  const std::uint8_t* image;
  const Four* shifts;
};

// The quarter of a record, from its first number on.
template <class Record>
[[gnu::always_inline]] inline void load_quarter(const Record& record, std::size_t which, Four& to) {
  load(reinterpret_cast<const char*>(&record) + which * sizeof(Four), to);
}

template <int D>
[[gnu::always_inline]] inline void gather_places(const Sources<D>& from, Batch<D>& b, std::size_t k) {
  std::array<Four, D + 1> x, y;  // of a and of b
  const auto one = [&](std::size_t m) -> const world::Place<D>& { return from.place[b.body[k + m]]; };
  const auto two = [&](std::size_t m) -> const world::Place<D>& { return from.place[b.other[k + m]]; };
  const auto shift = [&](std::size_t m) -> const Four& { return from.shifts[from.image[b.slot[k + m]]]; };
  if constexpr (D == 3) {
    for (std::size_t m = 0; m < 4; ++m) {
      load(&one(m), x[m]);
      load(&two(m), y[m]);
      y[m] += shift(m);
    }
    transpose(x[0], x[1], x[2], x[3]);
    transpose(y[0], y[1], y[2], y[3]);
  } else {
    for (int c = 0; c < 2; ++c) {
      const auto axis = static_cast<std::size_t>(c);
      fill([&](std::size_t m) { return one(m).x[c]; }, x[axis]);
      fill([&](std::size_t m) { return two(m).x[c] + shift(m)[c]; }, y[axis]);
    }
    fill([&](std::size_t m) { return one(m).radius; }, x[2]);
    fill([&](std::size_t m) { return two(m).radius; }, y[2]);
  }
  for (std::size_t c = 0; c < D; ++c) store(y[c] - x[c], &b.apart[c][k]);
  store(x[D], &b.radius_a[k]);
  store(y[D], &b.radius_b[k]);
}

template <int D>
[[gnu::always_inline]] inline void gather_motions(const Sources<D>& from, Batch<D>& b, std::size_t k) {
  using Moving = world::Moving<D>;
  static_assert(offsetof(Moving, v) == 0 && offsetof(Moving, inverse_mass) == 8 * D &&
                offsetof(Moving, v_now) == 8 * (D + 1) && offsetof(Moving, w) == 8 * (2 * D + 1) &&
                offsetof(Moving, w_now) == 8 * (2 * D + 1) + sizeof(Spin<D>));
  constexpr std::size_t kQuarters = D == 2 ? 2 : 3;
  std::array<std::array<Four, 4>, kQuarters> x, y;
  for (std::size_t q = 0; q < kQuarters; ++q) {
    for (std::size_t m = 0; m < 4; ++m) {
      load_quarter(from.moving[b.body[k + m]], q, x[q][m]);
      load_quarter(from.moving[b.other[k + m]], q, y[q][m]);
    }
    transpose(x[q][0], x[q][1], x[q][2], x[q][3]);
    transpose(y[q][0], y[q][1], y[q][2], y[q][3]);
  }
  // Number n of the records: x[n / 4][n % 4].
  const auto difference = [&](std::size_t n, typename Batch<D>::Row& row) {
    store(x[n / 4][n % 4] - y[n / 4][n % 4], &row[k]);
  };
  const auto both = [&](std::size_t n, typename Batch<D>::Row& row_a, typename Batch<D>::Row& row_b) {
    store(x[n / 4][n % 4], &row_a[k]);
    store(y[n / 4][n % 4], &row_b[k]);
  };
  for (std::size_t c = 0; c < D; ++c) {
    difference(c, b.v_half[c]);
    difference(D + 1 + c, b.v_now[c]);
  }
  store(x[D / 4][D % 4] + y[D / 4][D % 4], &b.inverse_mass[k]);
  constexpr std::size_t kSpin = Batch<D>::kSpin, kW = 2 * D + 1, kWNow = kW + kSpin;
  for (std::size_t c = 0; c < kSpin; ++c) both(kW + c, b.wa[c], b.wb[c]);
  for (std::size_t c = 0; c < kSpin && kWNow + c < 4 * kQuarters; ++c) both(kWNow + c, b.wa_now[c], b.wb_now[c]);
  if constexpr (D == 3) {
    Four last_a, last_b;
    fill([&](std::size_t m) { return from.moving[b.body[k + m]].w_now[2]; }, last_a);
    fill([&](std::size_t m) { return from.moving[b.other[k + m]].w_now[2]; }, last_b);
    store(last_a, &b.wa_now[2][k]);
    store(last_b, &b.wb_now[2][k]);
  }
}

// Numbers that contacts remember, to rows; or back to where they come from.
template <int D, int kMemory, bool kBack>
[[gnu::always_inline]] inline void move_memory(const Sources<D>& from, Batch<D>& b, std::size_t k, std::size_t n) {
  constexpr std::size_t kAll = kMemory;
  const auto record = [&](std::size_t m) { return from.memory + b.slot[k + m] * from.stride; };
  std::size_t first = 0;
  for (; first + 4 <= kAll && n == 4; first += 4) {
    std::array<Four, 4> x;
    for (std::size_t m = 0; m < 4; ++m) load(kBack ? &b.memory[first + m][k] : record(m) + first, x[m]);
    transpose(x[0], x[1], x[2], x[3]);
    for (std::size_t m = 0; m < 4; ++m) store(x[m], kBack ? record(m) + first : &b.memory[first + m][k]);
  }
  for (std::size_t c = first; c < kAll; ++c) {
    for (std::size_t m = 0; m < n; ++m) {
      if constexpr (kBack) {
        record(m)[c] = b.memory[c][k + m];
      } else {
        b.memory[c][k + m] = record(m)[c];
      }
    }
  }
}

// Forces and torques, from rows to what is added to each of the two bodies.
template <int D>
[[gnu::always_inline]] inline void lay_out_pushes(Batch<D>& b, std::size_t k) {
  const auto side = [&](std::array<Sum<D>, Batch<D>::kSize>& push, const auto& torque, bool turned) {
    std::array<Four, 4> low, high;
    for (std::size_t c = 0; c < D; ++c) {
      load(&b.force[c][k], low[c]);
      if (turned) low[c] = -low[c];
    }
    load(&torque[0][k], low[D]);
    if constexpr (D == 2) low[3] = Four{};
    transpose(low[0], low[1], low[2], low[3]);
    for (std::size_t m = 0; m < 4; ++m) store(low[m], push[k + m].all.data());
    if constexpr (D == 3) {
      load(&torque[1][k], high[0]);
      load(&torque[2][k], high[1]);
      high[2] = high[3] = Four{};
      transpose(high[0], high[1], high[2], high[3]);
      for (std::size_t m = 0; m < 4; ++m) store(high[m], push[k + m].all.data() + 4);
    }
  };
  side(b.push_a, b.torque_a, false);
  side(b.push_b, b.torque_b, true);
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
