// SPDX-License-Identifier: MIT
// The same scenes by hard and by soft contacts: columns that collapse, heaps that are poured, a drum that turns. Seeds
// differ, so what is compared are means over seeds, against their errors.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "support/in_memory.hpp"

namespace {

using namespace moraine;
using test::example;
using test::from_text;
using test::InMemory;

struct Measured {
  const char* name;
  double value;
};
using Measure = std::function<std::vector<Measured>(const std::string& method, int seed)>;

// Means of both methods differ by less than three errors of the difference, which are small against the mean itself.
void expect_alike(int seeds, double largest_error, const Measure& measure) {
  std::vector<std::vector<Measured>> all[2];
  for (int m = 0; m < 2; ++m) {
    for (int seed = 1; seed <= seeds; ++seed) all[m].push_back(measure(m == 0 ? "hard" : "soft", seed));
  }
  for (std::size_t k = 0; k < all[0][0].size(); ++k) {
    double mean[2] = {}, error2 = 0;
    for (int m = 0; m < 2; ++m) {
      double square = 0;
      for (const auto& one : all[m]) {
        mean[m] += one[k].value / seeds;
        square += one[k].value * one[k].value / seeds;
      }
      error2 += std::max(0.0, square - mean[m] * mean[m]) / (seeds - 1);
    }
    const double error = std::sqrt(error2);
    EXPECT_LT(std::fabs(mean[0] - mean[1]), 3 * error)
        << all[0][0][k].name << ": hard " << mean[0] << ", soft " << mean[1] << ", error of the difference " << error;
    EXPECT_LT(error, largest_error * mean[0]) << all[0][0][k].name << ": too large to say something";
  }
}

std::string head(const std::string& method, int seed, double end, double density, double stiffness) {
  return fmt::format(R"(dimension = 2
method = "{}"
seed = {}
[time]
end = {}
[hard]
step = 0.002
[gravity]
[[material]]
name = "m"
density = {}
stiffness = {}
[[contact]]
restitution = 0.3
friction = 0.5
shear_damping = 0.3
)",
                     method, seed, end, density, stiffness);
}

// How far out nine tenths of the disks lie in the end, and how high the heap is. Soft disks must be stiff for it: with
// a tenth of this stiffness they come a tenth farther (24 seeds: docs/replication.md).
std::vector<Measured> collapse(const std::string& method, int seed) {
  InMemory<2> run(from_text(head(method, seed, 2.5, 1000, 2e7) + R"(rolling = "constant"
rolling_friction = 0.1
[[wall]]
name = "floor"
material = "m"
from = [-10, 0]
to = [10, 0]
[[fill]]
method = "lattice"
material = "m"
radius = 0.04
spread = 0.2
spacing = 0.1
jitter = 1
min = [-0.4, 0]
max = [0.4, 1.6]
)"));
  run.to_the_end();
  std::vector<double> x;
  double height = 0;
  for (const auto& p : run.world().bodies.place) {
    x.push_back(std::fabs(p.x[0]));
    height = std::max(height, p.x[1] + p.radius);
  }
  std::sort(x.begin(), x.end());
  return {{"run-out, m", x[x.size() * 9 / 10]}, {"height, m", height}};
}

TEST(SteppingAndSoft, ColumnsCollapseAlike) {
  MORAINE_NOT_UNDER_SANITIZERS();
  expect_alike(4, 0.1, collapse);
}

// Poured on a table with a rough top until it flows over on both sides: a triangle of base b whose centre is at a third
// of its height, so that tan(angle) = 6 y / b.
std::vector<Measured> pour(const std::string& method, int seed) {
  constexpr double kHalf = 0.6;
  InMemory<2> run(from_text(head(method, seed, 7, 1500, 4e5) + R"([domain]
min = [-0.9, -0.5]
max = [0.9, 2]
[[wall]]
name = "table"
material = "m"
from = [-0.6, 0]
to = [0.6, 0]
[[fill]]
method = "lattice"
material = "m"
radius = 0.015
min = [-0.6, 0]
max = [0.6, 0.03]
spacing = 0.04
fixed = true
[[fill]]
method = "rain"
material = "m"
radius = 0.02
spread = 0.2
count = 300
min = [-0.1, 0.3]
max = [0.1, 0.45]
batch = 6
every = 0.1
)"));
  run.to_the_end();
  double y = 0, mass = 0;
  const auto& bodies = run.world().bodies;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    if (!world::yields(bodies.moving[i].held)) continue;
    y += bodies.mass[i] * (bodies.place[i].x[1] - 0.03);  // above the rough top
    mass += bodies.mass[i];
  }
  return {{"angle of repose, degrees", std::atan(3 * y / mass / kHalf) * 180 / M_PI}};
}

TEST(SteppingAndSoft, HeapsHaveTheSameSlope) {
  MORAINE_NOT_UNDER_SANITIZERS();
  expect_alike(4, 0.1, pour);
}

// The flat surface of what is in a drum stands across the line from the axis to the centre of mass.
std::vector<Measured> turn(const std::string& method, int seed) {
  InMemory<2> run(from_text(head(method, seed, 6, 1500, 1e6) + R"([[wall]]
name = "drum"
kind = "circle"
material = "m"
centre = [0, 0]
radius = 1
[[wall.motion]]
from = 0.8
spin = 0.5
[[fill]]
method = "random"
material = "m"
radius = 0.035
spread = 0.2
count = 210
min = [-0.7, -0.7]
max = [0.7, 0.7]
)"));
  run.run->begin(nullptr);
  double angle = 0;
  std::int64_t looks = 0;
  while (!run.run->finished()) {
    run.run->step();
    const auto& world = run.world();
    if (world.time < 3) continue;
    double x = 0, y = 0;
    for (std::size_t i = 0; i < world.bodies.size(); ++i) {
      x += world.bodies.mass[i] * world.bodies.place[i].x[0];
      y += world.bodies.mass[i] * world.bodies.place[i].x[1];
    }
    angle += std::atan2(std::fabs(x), -y);
    ++looks;
  }
  return {{"angle of the surface, degrees", angle / static_cast<double>(looks) * 180 / M_PI}};
}

TEST(SteppingAndSoft, DrumsHaveTheSameSlope) {
  MORAINE_NOT_UNDER_SANITIZERS();
  expect_alike(4, 0.1, turn);
}

// Shipped scenes of dense crowds are scenes of either method, by a word on the command line; some steps of each.
template <int D>
void run_some_steps(std::initializer_list<const char*> names) {
  for (const char* name : names) {
    for (const char* method : {"hard", "soft"}) {
      SCOPED_TRACE(fmt::format("{} {}", name, method));
      InMemory<D> run(example(name, {fmt::format("method={}", method)}));
      run.run->begin(nullptr);
      for (int k = 0; k < 3; ++k) run.run->step();
      EXPECT_GT(run.world().bodies.size(), 0U);
    }
  }
}

TEST(SteppingAndSoft, ShippedScenesRunByEitherMethod) {
  run_some_steps<2>({"pile_2d", "deep_pile", "block_stack", "pyramid", "hopper_hard", "drum_hard", "cohesive_pile",
                     "breakup", "ice_breakup", "heap_2d"});
  run_some_steps<3>({"pile_3d", "column_collapse_3d"});
}

}  // namespace
