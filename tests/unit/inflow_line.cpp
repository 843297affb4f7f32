// SPDX-License-Identifier: MIT
// Free spots on a line: against trying every place; and arrivals through an inlet whose bodies drift away.
#include <gtest/gtest.h>

#include <cmath>

#include "base/error.hpp"
#include "inflow/inlet.hpp"
#include "inflow/rain.hpp"
#include "support/sanitized.hpp"
#include "world/near_wall.hpp"

namespace {

using namespace moraine;
using math::Vec2;

constexpr bool kSanitized = MORAINE_SANITIZED != 0;

void add_disk(world::World<2>& world, const Vec2& x, double radius) {
  world::NewBody<2> body;
  body.x = x;
  body.radius = radius;
  body.mass = body.inertia = 1;
  world.bodies.add(body);
}

world::World<2> random_world(base::Stream& random) {
  world::World<2> world;
  const auto disks = random.below(12);
  for (std::uint64_t k = 0; k < disks; ++k)
    add_disk(world, {random.uniform(-1, 11), random.uniform(-3, 3)}, random.uniform(0.1, 1.5));
  const auto walls = random.below(4);
  for (std::uint64_t k = 0; k < walls; ++k) {
    world::Wall<2> wall;
    wall.start.a = {random.uniform(-1, 11), random.uniform(-3, 3)};
    wall.start.b = {random.uniform(-1, 11), random.uniform(-3, 3)};
    if (random.below(3) == 0) {
      wall.start.form = world::Form::kCircle;
      wall.start.r0 = random.uniform(0.2, 3);
    }
    world::place_wall(wall, 0, 0);
    world.walls.push_back(wall);
  }
  return world;
}

// How far a disk at x is from overlapping; negative: it does.
double room(const world::World<2>& world, const Vec2& x, double radius) {
  double least = 1e300;
  for (const auto& p : world.bodies.place) least = std::min(least, math::norm(p.x - x) - p.radius - radius);
  for (const auto& wall : world.walls) {
    bool end = false;
    least = std::min(least, math::norm(world::nearest_point(wall.now, x, end) - x) - radius);
  }
  return least;
}

TEST(InflowLine, FindsTheNearestFreeSpotWhereverThereIsOne) {
  base::Stream random(11, "line");
  int none = 0, moved = 0;
  const int cases = kSanitized ? 300 : 3000;
  for (int k = 0; k < cases; ++k) {
    const world::World<2> world = random_world(random);
    const inflow::Polyline line({{0, 0}, {6, random.uniform(-1, 1)}, {10, 0}});
    const double radius = random.uniform(0.1, 1.2), wish = random.uniform(0, line.length());
    const auto spot = inflow::free_spot(world, line, radius, wish);
    double nearest = 1e300;
    constexpr int kSteps = 4000;
    for (int s = 0; s <= kSteps; ++s) {
      const double way = line.length() * s / kSteps;
      if (room(world, line.at(way), radius) > 1e-7) nearest = std::min(nearest, std::fabs(way - wish));
    }
    if (!spot) {
      ASSERT_GT(nearest, 1e299) << "case " << k;
      ++none;
      continue;
    }
    ASSERT_GE(room(world, line.at(*spot), radius), 0) << "case " << k;
    ASSERT_LE(std::fabs(*spot - wish), nearest + 1e-6) << "case " << k;
    moved += std::fabs(*spot - wish) > 0 ? 1 : 0;
  }
  EXPECT_GT(none, cases / 100);
  EXPECT_GT(moved, cases / 10);
}

TEST(InflowLine, SeesImagesAcrossPeriodicSides) {
  world::World<2> world;
  world.domain.min = {0, -5};
  world.domain.max = {10, 5};
  world.domain.periodic[0] = true;
  add_disk(world, {9.9, 0}, 0.5);
  const auto spot = inflow::free_spot(world, inflow::Polyline({{0, 0}, {10, 0}}), 0.5, 0.2);
  ASSERT_TRUE(spot);
  EXPECT_NEAR(*spot, 0.9, 1e-6);
}

// The image across the gradient axis has slid along by rate x height x time.
TEST(InflowLine, ImagesOfAShearedDomainSlide) {
  world::World<2> world;
  world.domain.min = {0, -5};
  world.domain.max = {10, 5};
  world.domain.periodic = {true, true};
  world.domain.shear.rate = 0.3;
  world.time = 1;  // by 3 m
  add_disk(world, {5, 4.9}, 0.5);
  const inflow::Polyline line({{0, -4.9}, {10, -4.9}});
  // It stands at (5 - 3, 4.9 - 10) = (2, -5.1) as well: 0.2 m below the line.
  const auto free = inflow::free_spot(world, line, 0.5, 5);
  ASSERT_TRUE(free);
  EXPECT_EQ(*free, 5);
  const auto beside = inflow::free_spot(world, line, 0.5, 2.1);
  ASSERT_TRUE(beside);
  EXPECT_NEAR(*beside, 2 + std::sqrt(1 - 0.04), 1e-6);
  EXPECT_TRUE(inflow::has_room(world, line.at(*beside), 0.5)) << "as patches and batches see it";
}

// A million arrivals on a line; bodies drift away at one speed. Sizes and places against their distributions, the
// covered surface against the one asked for.
struct River {
  world::World<2> world;
  inflow::InletPlan<2> plan;
  double area = 0;
  std::vector<double> places;

  explicit River(double density) {
    plan.name = "ice";
    plan.seed = 5;
    plan.size = inflow::Distribution::gaussian(7.5, 1.5, 5, 10);
    plan.line = {{0, 0}, {0, 400}};
    plan.velocity = {0.5, 0};
    plan.density = 900;
    plan.waiting = inflow::Waiting::exponential(density * 0.5 * 400 / (math::kPi * plan.size.moment(2)));
    world.traffic.inlets.emplace_back().name = "ice";
  }
  void run(std::int64_t arrivals, double reach) {
    inflow::Inlet<2> inlet(plan, 0);
    const double dt = 0.5;
    auto& came = world.traffic.inlets[0];
    while (came.due < arrivals) {
      const std::size_t before = world.bodies.size();
      inlet.apply(world);
      for (std::size_t i = before; i < world.bodies.size(); ++i) places.push_back(world.bodies.place[i].x[1]);
      world.time += dt;
      ++world.step;
      std::vector<std::uint32_t> kept;
      for (std::size_t i = 0; i < world.bodies.size(); ++i) {
        world.bodies.place[i].x[0] += 0.5 * dt;
        if (world.bodies.place[i].x[0] < reach) kept.push_back(static_cast<std::uint32_t>(i));
      }
      base::Team team(1);
      if (kept.size() < world.bodies.size()) world.bodies.reorder(kept, team);
    }
  }
};

TEST(InflowStatistics, DensityPlacesAndCountsOverAMillionArrivals) {
  const std::int64_t n = kSanitized ? 20000 : 1000000;
  River river(0.15);
  river.run(n, 25);
  const auto& came = river.world.traffic.inlets[0];
  EXPECT_EQ(came.came.number + came.skipped, came.due);
  EXPECT_EQ(came.skipped, 0);
  // Covered part of what the arrivals have swept.
  const double reached = came.came.size.value() / (400 * 0.5 * river.world.time);
  EXPECT_NEAR(reached / 0.15, 1, kSanitized ? 0.03 : 0.01) << reached << " against 0.15";
  // Without walls all places are alike, but those next to others are pushed along; in tenths of the line.
  std::vector<double> tenth(10, 0.0);
  for (const double y : river.places) tenth[std::min<std::size_t>(9, static_cast<std::size_t>(y / 40))] += 1;
  const double mean = static_cast<double>(river.places.size()) / 10;
  for (std::size_t k = 0; k < 10; ++k) EXPECT_NEAR(tenth[k] / mean, 1, kSanitized ? 0.1 : 0.02) << k;
}

TEST(InflowStatistics, FullLinesSkipAndCount) {
  River river(0.85);
  river.run(3000, 25);
  const auto& came = river.world.traffic.inlets[0];
  EXPECT_GT(came.skipped, 0);
  EXPECT_EQ(came.came.number + came.skipped, came.due);
}

// Waits that rounding swallows end in a message, not in a loop without end.
TEST(InflowStatistics, WaitsThatDoNotCountAreToldOf) {
  River river(0.1);
  river.plan.from = 1;
  river.world.time = 2;
  river.plan.waiting = inflow::Waiting::constant(1e300);
  inflow::Inlet<2> inlet(river.plan, 0);
  EXPECT_THROW(inlet.apply(river.world), base::RunError);
}

// A change of the sizes leaves places and times as they are.
TEST(InflowStatistics, StreamsAreIndependent) {
  River one(0.01), two(0.01);
  two.plan.size = inflow::Distribution::uniform(1, 2);
  one.run(50, 1e9);
  two.run(50, 1e9);
  ASSERT_EQ(one.places.size(), two.places.size());
  int same = 0;
  for (std::size_t k = 0; k < one.places.size(); ++k) same += one.places[k] == two.places[k] ? 1 : 0;
  EXPECT_GE(same, 45);  // a spot that is taken by a larger one is given up
  EXPECT_EQ(one.world.time, two.world.time);
}

}  // namespace
