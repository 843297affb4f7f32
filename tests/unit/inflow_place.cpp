// SPDX-License-Identifier: MIT
// Filling: lattices, jitter, random placement: inside the region, no overlaps, as many as asked for.
#include "inflow/place.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "math/elementary.hpp"

namespace {

using namespace moraine;
using inflow::Ball;
using inflow::Region;

template <int D>
void expect_apart(const std::vector<Ball<D>>& balls, const world::Domain<D>& domain) {
  for (std::size_t i = 0; i < balls.size(); ++i) {
    for (std::size_t j = i + 1; j < balls.size(); ++j) {
      math::Vec<D> apart = balls[j].x - balls[i].x;
      for (int k = 0; k < D; ++k) {
        if (domain.periodic[static_cast<std::size_t>(k)])
          apart[k] -= std::round(apart[k] / domain.length(k)) * domain.length(k);
      }
      ASSERT_GE(math::norm(apart), (balls[i].radius + balls[j].radius) * (1 - 1e-9));
    }
  }
}

template <int D>
void expect_inside(const std::vector<Ball<D>>& balls, const Region<D>& region) {
  for (const Ball<D>& b : balls) {
    for (int k = 0; k < D; ++k) {
      EXPECT_GE(b.x[k] - b.radius, region.min[k] - 1e-12);
      EXPECT_LE(b.x[k] + b.radius, region.max[k] + 1e-12);
    }
  }
}

TEST(InflowPlace, ARegularLatticeFillsItsRegion) {
  base::Stream random(1, "lattice");
  const Region<2> region{{0, 0}, {10, 4}};
  const auto balls = inflow::lattice<2>(region, {0.5, 0}, 1, false, 0, std::nullopt, random);
  EXPECT_EQ(balls.size(), 40U);
  expect_inside(balls, region);
  expect_apart(balls, world::Domain<2>{});
  const auto hexagonal = inflow::lattice<2>(region, {0.5, 0}, 1, true, 0, std::nullopt, random);
  EXPECT_EQ(hexagonal.size(), 9U * 4U);  // rows of nine, shifted in turn, sqrt(3)/2 apart: four in a height of four
  expect_inside(hexagonal, region);
  expect_apart(hexagonal, world::Domain<2>{});
  EXPECT_EQ((inflow::lattice<3>({{0, 0, 0}, {3, 3, 3}}, {0.5, 0}, 1, false, 0, 20, random)).size(), 20U);
}

TEST(InflowPlace, JitterAndSizesNeverOverlap) {
  base::Stream random(2, "jitter");
  const Region<3> region{{0, 0, 0}, {8, 8, 8}};
  const auto balls = inflow::lattice<3>(region, {0.4, 0.2}, 1.1, false, 1, std::nullopt, random);
  EXPECT_GT(balls.size(), 300U);
  expect_inside(balls, region);
  expect_apart(balls, world::Domain<3>{});
  double low = 1, high = 0;
  for (const auto& b : balls) {
    low = std::min(low, b.radius);
    high = std::max(high, b.radius);
  }
  EXPECT_NEAR(low, 0.32, 0.005);
  EXPECT_NEAR(high, 0.48, 0.005);
}

TEST(InflowPlace, RandomPlacementReachesItsFractionAlsoAcrossAPeriodicEdge) {
  base::Stream random(3, "random");
  world::Domain<2> domain;
  domain.min = {0, 0};
  domain.max = {20, 10};
  domain.periodic = {true, false};
  const Region<2> region{{0, 0}, {20, 10}};
  const auto balls = inflow::random_sequential<2>(region, domain, {0.3, 0.1}, std::nullopt, 0.45, 0, {}, random);
  ASSERT_TRUE(balls.has_value());
  expect_apart(*balls, domain);
  double covered = 0;
  bool across = false;
  for (const auto& b : *balls) {
    covered += math::kPi * b.radius * b.radius;
    across = across || b.x[0] - b.radius < 0;
  }
  EXPECT_NEAR(covered / 200, 0.45, 0.005);
  EXPECT_TRUE(across);
  EXPECT_FALSE(
      (inflow::random_sequential<2>({{0, 0}, {3, 3}}, world::Domain<2>{}, {0.5, 0}, std::nullopt, 0.9, 0, {}, random)));
}

}  // namespace
