// SPDX-License-Identifier: MIT
// Hard contacts in deep piles: motions of many layers come to rest, and nothing else changes.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "support/in_memory.hpp"

namespace {

using namespace moraine;
using test::example;
using test::from_text;
using test::InMemory;

// A column of disks that touch, one upon the other, and move down slowly like the lowest mode of a rod on its floor:
// the wall carries their weight, and sweeps see a disk and its two neighbours.
std::string column(int disks, double speed, bool wide) {
  std::string text = fmt::format(
      "dimension = 2\nmethod = \"hard\"\n[time]\nsteps = 60\n[hard]\nstep = \"4 ms\"\nwide_motions = {}\n"
      "contact_solver = \"gauss-seidel\"\n[gravity]\n[[material]]\nname = \"m\"\ndensity = 1000\n[[contact]]\n"
      "friction = 0\nrestitution = 0\n[[wall]]\nname = \"floor\"\nmaterial = \"m\"\nfrom = [-3, 0]\nto = [3, 0]\n"
      "[[probe]]\nkind = \"walls\"\n[[probe]]\nkind = \"overlaps\"\n",
      wide);
  for (int k = 0; k < disks; ++k) {
    text += fmt::format("[[body]]\nmaterial = \"m\"\nradius = 0.5\nposition = [0, {}]\nvelocity = [0, {:.17g}]\n",
                        k + 0.5, -speed * std::sin(0.5 * std::numbers::pi * (k + 0.5) / disks));
  }
  return text;
}

double fastest(const world::World<2>& world) {
  double most = 0;
  for (const auto& m : world.bodies.moving) most = std::max(most, math::norm(m.v));
  return most;
}

// After a quarter of a second, fastest disk: 160 in a column that sank at up to 1 cm/s.
TEST(SteppingDeep, AMotionOfAllLayersStops) {
  InMemory<2> with(from_text(column(160, 0.01, true))), without(from_text(column(160, 0.01, false)));
  with.to_the_end();
  without.to_the_end();
  EXPECT_LT(fastest(with.world()), 0.1 * fastest(without.world()));
  EXPECT_LT(fastest(with.world()), 2e-4);
  // The floor carries all of it.
  const double weight = 160 * with.world().bodies.mass[0] * 9.81;
  EXPECT_NEAR(with.world().walls[0].force[1] / -weight, 1, 0.01);
}

// Sweeps stop piles of fewer layers by themselves: the same bits with and without.
TEST(SteppingDeep, PilesOfFewLayersAreLeftAlone) {
  InMemory<2> with(from_text(column(100, 0.01, true))), without(from_text(column(100, 0.01, false)));
  with.to_the_end();
  without.to_the_end();
  EXPECT_EQ(with.run->world().hash(), without.run->world().hash());
}

// A tower of 200 layers between periodic sides comes to rest; without, it goes on hopping.
TEST(SteppingDeep, ATowerOf200LayersComesToRest) {
  const auto kinetic = [](bool wide) {
    InMemory<2> run(example(
        "deep_pile", {"domain.max=[6,900]", "wall.0.to=[6,0]", "fill.0.max=[6,800]", "fill.0.count=1200", "time.end=16",
                      "probe.1.from=14", "probe.1.every=0.1", fmt::format("hard.wide_motions={}", wide)}));
    run.to_the_end();
    EXPECT_LT(run.results("overlaps").at("max_overlap"), 2e-3);
    double sum = 0;
    int count = 0;
    for (const auto& row : run.rows.at("overlaps")) {
      if (row[0] < 14) continue;
      sum += std::log(row[4]);
      ++count;
    }
    return std::exp(sum / count);
  };
  const double with = kinetic(true), without = kinetic(false);
  EXPECT_LT(with, 2e-6);
  EXPECT_GT(without, 30 * with);
}

}  // namespace
