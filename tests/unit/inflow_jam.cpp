// SPDX-License-Identifier: MIT
// The verdict of the probe "jam" on made-up traffic: rare arrivals that pass freely, and such that are held.
#include <gtest/gtest.h>

#include <cmath>
#include <deque>

#include "base/random.hpp"
#include "math/elementary.hpp"
#include "measure/traffic.hpp"

namespace {

using namespace moraine;

// Arrivals at random, each of which leaves after a while, until nothing leaves any more.
struct Stream {
  Stream(double per_second, double seconds_inside, std::uint64_t seed)
      : rate(per_second), way(seconds_inside), random(seed, "stream") {
    world.traffic.inlets.emplace_back().name = "in";
    world.traffic.outlets.emplace_back().name = "out";
    next = wait();
  }
  double wait() { return -math::log(1 - random.uniform()) / rate; }
  // To this time; whoever would leave after `closed` stays.
  void go_to(double time, double closed) {
    for (; next <= time; next += wait()) {
      ++world.traffic.inlets[0].due;
      entered.push_back(next);
      world::NewBody<2> body;
      body.radius = body.mass = body.inertia = 1;
      world.bodies.add(body);
    }
    while (!entered.empty() && entered.front() + way <= std::min(time, closed)) {
      entered.pop_front();
      world.traffic.outlets[0].went.add(1, 1);
      world.traffic.went.add(1, 1);
      world.bodies.moving[gone++].gone = true;
    }
    world.time = time;
  }

  double rate, way, next = 0;
  base::Stream random;
  world::World<2> world;
  std::deque<double> entered;
  std::size_t gone = 0;
};

measure::JamRule<2> rule_of(double window) {
  measure::JamRule<2> rule;
  rule.inlets = {0};
  rule.window = window;
  rule.discharge = 0.02;
  return rule;
}

std::map<std::string, double> verdict(Stream& stream, double window, double end, double closed) {
  measure::JamProbe<2> probe("jam", rule_of(window));
  std::vector<double> row;
  for (int k = 0; k <= 500; ++k) {
    stream.go_to(end * k / 500, closed);
    probe.sample({stream.world, {}, 0}, row);
  }
  return probe.results();
}

TEST(JamProbe, RareArrivalsThatPassAreNoJam) {
  for (const double rate : {0.02, 0.1, 0.2, 0.5, 2.0}) {
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
      for (const double way : {0.0, 20.0, 150.0}) {
        Stream stream(rate, way, seed);
        const auto results = verdict(stream, 25, 500, 1e9);
        EXPECT_EQ(results.at("jammed"), 0) << rate << " seed " << seed << " way " << way;
        EXPECT_EQ(results.count("time"), 0U) << "there is no time of what was not";
      }
    }
  }
}

// Held from 100 s on: told once 28 more are due, a chance below 1e-6 in a free flow, or at the end of the first window.
TEST(JamProbe, NothingThatLeavesAnyMoreIsAJam) {
  for (const double rate : {0.2, 0.5, 2.0, 10.0}) {
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
      Stream stream(rate, 5, seed);
      const auto results = verdict(stream, 25, 500, 100);
      ASSERT_EQ(results.at("jammed"), 1) << rate << " seed " << seed;
      EXPECT_EQ(results.at("sign"), 2);
      EXPECT_GE(results.at("time"), 124);
      EXPECT_LE(results.at("time"), 100 + std::max(27.0, 28 / rate + 8 * std::sqrt(28) / rate)) << rate;
    }
  }
}

// Who leaves where the probe does not look is not held either.
TEST(JamProbe, AnotherWayOutIsNoJam) {
  Stream stream(2, 5, 1);
  measure::JamRule<2> rule = rule_of(25);
  rule.outlets = {0};
  measure::JamProbe<2> probe("jam", rule);
  std::vector<double> row;
  std::int64_t named = 0;
  for (int k = 0; k <= 500; ++k) {
    stream.go_to(k, 1e9);
    if (k <= 100) named = stream.world.traffic.outlets[0].went.number;
    stream.world.traffic.outlets[0].went.number = named;
    probe.sample({stream.world, {}, 0}, row);
  }
  EXPECT_EQ(probe.results().at("jammed"), 0);
}

TEST(JamProbe, GoesOnFromACheckpointWithTheSameVerdict) {
  Stream whole(0.5, 5, 3), parts(0.5, 5, 3);
  const double unbroken = verdict(whole, 25, 500, 100).at("time");
  auto probe = std::make_unique<measure::JamProbe<2>>("jam", rule_of(25));
  std::vector<double> row;
  for (int k = 0; k <= 500; ++k) {
    parts.go_to(k, 100);
    probe->sample({parts.world, {}, 0}, row);
    if (k % 37 != 0) continue;
    base::Record record;
    probe->save(record);
    probe = std::make_unique<measure::JamProbe<2>>("jam", rule_of(25));
    probe->load(record);
  }
  EXPECT_EQ(probe->results().at("time"), unbroken);
}

}  // namespace
