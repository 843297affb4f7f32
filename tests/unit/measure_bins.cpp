// SPDX-License-Identifier: MIT
// What of a disk, a sphere or a line lies in each bin: against counting points, and adding up to the whole.
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "base/random.hpp"
#include "math/elementary.hpp"
#include "measure/bins.hpp"

namespace moraine::measure {
namespace {

template <int D>
std::vector<double> cut(const Bins& bins, double at, double radius) {
  std::vector<double> amounts(static_cast<std::size_t>(bins.count), 0.0);
  bins.cut_ball<D>(at, radius, [&](int bin, double amount, int) {
    EXPECT_GT(amount, 0);
    amounts.at(static_cast<std::size_t>(bin)) += amount;
  });
  return amounts;
}

double total(const std::vector<double>& values) { return std::accumulate(values.begin(), values.end(), 0.0); }

// By slices: of each the length of the chord, or the area of the circle, at its middle.
template <int D>
double sliced(double radius, double low, double high) {
  constexpr int kSlices = 400000;
  double sum = 0;
  const double step = (high - low) / kSlices;
  for (int k = 0; k < kSlices; ++k) {
    const double y = low + (k + 0.5) * step, square = radius * radius - y * y;
    if (square > 0) sum += (D == 2 ? 2 * std::sqrt(square) : math::kPi * square) * step;
  }
  return sum;
}

template <int D>
void cuts_as_slices_do() {
  const Bins bins(-1, 2, 7, 0);
  for (const auto& [at, radius] : {std::pair{0.1, 0.9}, {0.5, 0.05}, {1.9, 0.4}, {-1.2, 0.5}}) {
    const auto amounts = cut<D>(bins, at, radius);
    for (int k = 0; k < bins.count; ++k) {
      const double low = std::max(bins.edge(k) - at, -radius), high = std::min(bins.edge(k + 1) - at, radius);
      const double expected = high > low ? sliced<D>(radius, low, high) : 0;
      EXPECT_NEAR(amounts[static_cast<std::size_t>(k)], expected, 1e-8) << at << " " << radius << " bin " << k;
    }
  }
}

TEST(MeasureBins, CutAsSlicesDo) {
  cuts_as_slices_do<2>();
  cuts_as_slices_do<3>();
}

// Closed forms: half, a cap of half the radius (2D: r^2 (pi / 3 - sqrt 3 / 4); 3D: 5 pi r^3 / 24).
TEST(MeasureBins, CutAtKnownHeights) {
  const double r = 0.7;
  EXPECT_NEAR(ball_below<2>(r, 0), 0.5 * math::kPi * r * r, 1e-15);
  EXPECT_NEAR(ball_below<3>(r, 0), 2.0 / 3 * math::kPi * r * r * r, 1e-15);
  EXPECT_NEAR(ball_below<2>(r, -0.5 * r), r * r * (math::kPi / 3 - std::sqrt(3.0) / 4), 1e-15);
  EXPECT_NEAR(ball_below<3>(r, -0.5 * r), 5 * math::kPi * r * r * r / 24, 1e-15);
  for (const double far : {1.0, 2.0, 1e300}) {
    EXPECT_EQ(ball_below<2>(r, -far * r), 0);
    EXPECT_EQ(ball_below<3>(r, far * r), ball<3>(r));
  }
}

template <int D>
void adds_up_to_the_whole(double period) {
  base::Stream random(D, "bins");
  for (int k = 0; k < 3000; ++k) {
    const Bins bins(-3, 5, 1 + static_cast<int>(random.below(100)), period);
    const double radius = random.uniform(1e-3, 1.5);
    // An axis that closes on itself takes in all of it, wherever it stands; and rounding must not lose an edge.
    double at = period > 0 ? random.uniform(-30, 30) : random.uniform(-3 + radius, 5 - radius);
    if (k % 5 == 0) at = bins.edge(static_cast<int>(random.below(static_cast<std::uint64_t>(bins.count)))) + radius;
    if (period == 0 && at + radius > 5) continue;
    EXPECT_NEAR(total(cut<D>(bins, at, radius)), ball<D>(radius), 1e-12 * ball<D>(radius)) << at << " " << radius;
  }
}

TEST(MeasureBins, PartsAddUpToTheWhole) {
  adds_up_to_the_whole<2>(0);
  adds_up_to_the_whole<3>(0);
  adds_up_to_the_whole<2>(8);
  adds_up_to_the_whole<3>(8);
}

TEST(MeasureBins, WhatLiesAcrossTheBoundaryComesInAtTheOtherEnd) {
  const Bins bins(0, 10, 10, 10);
  std::vector<int> images;
  bins.cut_ball<2>(9.5, 1, [&](int bin, double amount, int n) {
    if (bin == 0) {
      EXPECT_NEAR(amount, ball<2>(1) - ball_below<2>(1, 0.5), 1e-14);
    }
    images.push_back(n);
  });
  EXPECT_EQ(images, (std::vector<int>{-1, 0, 0}));
  // A part of the axis only.
  const Bins part(2, 4, 2, 10);
  EXPECT_EQ(total(cut<2>(part, 9.5, 1)), 0);
  EXPECT_NEAR(total(cut<2>(part, 13.0, 0.5)), ball<2>(0.5), 1e-14);
}

TEST(MeasureBins, LinesAreSharedByLength) {
  const auto shares = [](const Bins& bins, double from, double along) {
    std::vector<double> out(static_cast<std::size_t>(bins.count), 0.0);
    bins.cut_line(from, along, [&](int bin, double share) { out.at(static_cast<std::size_t>(bin)) += share; });
    return out;
  };
  const Bins open(0, 4, 4, 0), closed(0, 4, 4, 4);
  EXPECT_EQ(shares(open, 0.5, 2), (std::vector<double>{0.25, 0.5, 0.25, 0}));
  EXPECT_EQ(shares(open, 2.5, -2), (std::vector<double>{0.25, 0.5, 0.25, 0}));
  EXPECT_EQ(shares(open, 3, 4), (std::vector<double>{0, 0, 0, 0.25})) << "what lies beyond is left out";
  EXPECT_EQ(shares(closed, 3.5, 1), (std::vector<double>{0.5, 0, 0, 0.5}));
  EXPECT_EQ(shares(closed, 0.5, -1), (std::vector<double>{0.5, 0, 0, 0.5}));
  EXPECT_EQ(shares(open, 1, 0), (std::vector<double>{0, 1, 0, 0})) << "across the axis: one bin";
  EXPECT_EQ(shares(open, 4, 0), (std::vector<double>{0, 0, 0, 1}));
  EXPECT_EQ(shares(closed, 4, 0), (std::vector<double>{1, 0, 0, 0}));
  EXPECT_EQ(shares(closed, -0.5, 0), (std::vector<double>{0, 0, 0, 1}));
  EXPECT_EQ(total(shares(open, 4.5, 0)), 0);
  base::Stream random(1, "lines");
  for (int k = 0; k < 3000; ++k) {
    const Bins bins(-1, 2, 1 + static_cast<int>(random.below(50)), 3);
    const double from = random.uniform(-10, 10), along = random.uniform(-2, 2) * (k % 3 == 0 ? 1e-9 : 1);
    EXPECT_NEAR(total(shares(bins, from, along)), 1, 1e-12 + 1e-15 * std::fabs(10 / along)) << from << " " << along;
  }
}

}  // namespace
}  // namespace moraine::measure
