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

// A column of bodies that touch, one upon the other, and move down slowly like the lowest mode of a rod on its floor:
// the wall carries their weight, and sweeps see a body and its two neighbours. Disks or spheres, or clumps of two
// beside each other.
struct Column {
  int dimension = 2, bodies = 160;
  double speed = 0.01;
  bool wide = true, clumps = false;
};
std::string text_of(const Column& c) {
  const bool flat = c.dimension == 2;
  std::string text = fmt::format(
      "dimension = {}\nmethod = \"hard\"\n[time]\nsteps = 60\n[hard]\nstep = \"4 ms\"\nwide_motions = {}\n"
      "contact_solver = \"gauss-seidel\"\n[gravity]\n[[material]]\nname = \"m\"\ndensity = 1000\n[[contact]]\n"
      "friction = 0\nrestitution = 0\n[[wall]]\nname = \"floor\"\nmaterial = \"m\"\n{}\n[[probe]]\nkind = \"walls\"\n",
      c.dimension, c.wide, flat ? "from = [-3, 0]\nto = [3, 0]" : "point = [0, 0, 0]\nnormal = [0, 0, 1]");
  if (c.clumps) {
    const char* zero = flat ? "" : ", 0";
    text +=
        fmt::format("[[clump]]\nname = \"two\"\npositions = [[-0.5, 0{0}], [0.5, 0{0}]]\nradii = [0.5, 0.5]\n", zero);
  }
  const char* along = flat ? "" : "0, ";
  for (int k = 0; k < c.bodies; ++k) {
    text += fmt::format("[[body]]\nmaterial = \"m\"\n{}\nposition = [0, {}{}]\nvelocity = [0, {}{:.17g}]\n",
                        c.clumps ? "clump = \"two\"" : "radius = 0.5", along, k + 0.5, along,
                        -c.speed * std::sin(0.5 * std::numbers::pi * (k + 0.5) / c.bodies));
  }
  return text;
}

template <int D>
double fastest(const world::World<D>& world) {
  double most = 0;
  for (const auto& m : world.bodies.moving) most = std::max(most, math::norm(m.v));
  return most;
}

template <int D>
void expect_stopped(Column column) {
  InMemory<D> with(from_text(text_of(column)));
  column.wide = false;
  InMemory<D> without(from_text(text_of(column)));
  with.to_the_end();
  without.to_the_end();
  EXPECT_LT(fastest(with.world()), 0.1 * fastest(without.world()));
  EXPECT_LT(fastest(with.world()), 2e-4);
  // The floor carries all of it.
  const auto& world = with.world();
  double mass = 0;
  for (std::size_t i = 0; i < world.bodies.size() && !column.clumps; ++i) mass += world.bodies.mass[i];
  for (std::size_t c = 0; c < world.clumps.size(); ++c) mass += world.clumps.mass[c];
  EXPECT_NEAR(world.walls[0].force[D - 1] / (-9.81 * mass), 1, 0.01);
}

// After a quarter of a second: 160 bodies in a column that sank at up to 1 cm/s.
TEST(SteppingDeep, AMotionOfAllLayersStops) { expect_stopped<2>({}); }
TEST(SteppingDeep, AMotionOfAllLayersOfSpheresStops) { expect_stopped<3>({.dimension = 3}); }
TEST(SteppingDeep, AMotionOfAllLayersOfClumpsStops) {
  expect_stopped<2>({.bodies = 240, .clumps = true});
  expect_stopped<3>({.dimension = 3, .bodies = 240, .clumps = true});
}

// Sweeps stop piles of fewer layers by themselves: the same bits with and without.
TEST(SteppingDeep, PilesOfFewLayersAreLeftAlone) {
  InMemory<2> with(from_text(text_of({.bodies = 100}))), without(from_text(text_of({.bodies = 100, .wide = false})));
  with.to_the_end();
  without.to_the_end();
  EXPECT_EQ(with.run->world().hash(), without.run->world().hash());
}

// A tower of 200 layers between periodic sides comes to rest; without, it goes on hopping.
TEST(SteppingDeep, ATowerOf200LayersComesToRest) {
  MORAINE_NOT_UNDER_SANITIZERS();
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
