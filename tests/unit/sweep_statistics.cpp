// SPDX-License-Identifier: MIT
// Wilson's interval against published numbers; means and their errors.
#include "sweep/statistics.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace moraine::sweep {
namespace {

// R. G. Newcombe, Statistics in Medicine 17 (1998), 857, method 3; the first two by hand.
TEST(SweepStatistics, WilsonsIntervalIsThePublishedOne) {
  struct Known {
    int hits, runs;
    double low, high;
  };
  for (const Known& k : {Known{4, 10, 0.1682, 0.6873},
                         {5, 10, 0.2366, 0.7634},
                         {81, 263, 0.2553, 0.3662},
                         {15, 148, 0.0624, 0.1605},
                         {0, 20, 0, 0.1611},
                         {1, 29, 0.0061, 0.1718}}) {
    const Interval i = wilson(k.hits, k.runs);
    EXPECT_NEAR(i.low, k.low, 5e-5) << k.hits << " of " << k.runs;
    EXPECT_NEAR(i.high, k.high, 5e-5) << k.hits << " of " << k.runs;
  }
}

// The bounds are where the test of p gives z: |h/n - p| = z sqrt(p (1 - p) / n).
TEST(SweepStatistics, WilsonsIntervalSolvesItsEquation) {
  for (int n = 1; n < 40; ++n) {
    for (int h = 0; h <= n; ++h) {
      const Interval i = wilson(h, n);
      EXPECT_LE(0, i.low);
      EXPECT_LT(i.low, i.high);
      EXPECT_LE(i.high, 1);
      for (const double p : {i.low, i.high}) {
        if (p == 0 || p == 1) continue;
        const double z = std::fabs(static_cast<double>(h) / n - p) / std::sqrt(p * (1 - p) / n);
        EXPECT_NEAR(z, kZ95, 1e-9) << h << " of " << n;
      }
      const Interval mirror = wilson(n - h, n);
      EXPECT_NEAR(mirror.low, 1 - i.high, 1e-15);
    }
  }
  EXPECT_EQ(wilson(0, 10).low, 0);
  EXPECT_EQ(wilson(10, 10).high, 1);
}

TEST(SweepStatistics, MeanDeviationAndError) {
  const Statistics s = statistics({1, 2, 3, 4});
  EXPECT_EQ(s.count, 4);
  EXPECT_EQ(s.mean, 2.5);
  EXPECT_NEAR(*s.deviation, std::sqrt(5.0 / 3), 1e-15);
  EXPECT_NEAR(*s.standard_error, std::sqrt(5.0 / 12), 1e-15);
  EXPECT_FALSE(s.probability);
  EXPECT_FALSE(statistics({3}).deviation) << "one run has no spread";
  EXPECT_EQ(statistics({3}).mean, 3);
  EXPECT_EQ(statistics({}).count, 0);
  EXPECT_FALSE(statistics({}, true).probability);
}

TEST(SweepStatistics, OnlyZerosAndOnesAreAProbability) {
  EXPECT_TRUE(is_yes_or_no({0, 1, 1}));
  EXPECT_TRUE(is_yes_or_no({0, 0}));
  EXPECT_FALSE(is_yes_or_no({0, 0.5}));
  EXPECT_FALSE(is_yes_or_no({}));
  const Statistics s = statistics({1, 0, 0, 1, 0, 1, 0, 0, 1, 0}, true);
  EXPECT_EQ(s.mean, 0.4);
  EXPECT_EQ(s.hits(), 4);
  EXPECT_NEAR(s.probability->low, 0.168, 5e-4);
  EXPECT_NEAR(s.probability->high, 0.687, 5e-4);
}

}  // namespace
}  // namespace moraine::sweep
