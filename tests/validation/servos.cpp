// SPDX-License-Identifier: MIT
// Servo walls hold what they are told to hold, and say when they cannot.
#include <gtest/gtest.h>

#include "support/in_memory.hpp"

namespace {

using namespace moraine;
using test::example;
using test::from_text;
using test::InMemory;

const std::string kColumn = R"(
dimension = 2
[time]
end = 2
[[material]]
name = "disk"
density = 1000
stiffness = 1e6
[[contact]]
restitution = 0.3
friction = 0.3
[[wall]]
name = "floor"
material = "disk"
from = [-1, 0]
to = [1, 0]
[[wall]]
name = "lid"
material = "disk"
from = [-1, 0.52]
to = [1, 0.52]
[wall.servo]
direction = [0, 1]
force = 500
[[fill]]
method = "lattice"
material = "disk"
radius = 0.05
min = [-0.05, 0]
max = [0.05, 0.5]
[[probe]]
kind = "walls"
)";

TEST(Servo, HoldsAForce) {
  InMemory<2> run(from_text(kColumn));
  run.to_the_end();
  const auto r = run.results("walls");
  EXPECT_NEAR(r.at("lid.force_y"), 500, 0.5);
  EXPECT_NEAR(r.at("floor.force_y"), -500, 0.5);
  EXPECT_NEAR(r.at("lid.vy"), 0, 1e-6);
  EXPECT_EQ(run.world().walls[1].drive.swings, 0);
}

TEST(Servo, WithMassHoldsItToo) {
  InMemory<2> run(from_text(kColumn, {"wall.1.servo.mass=20"}));
  run.to_the_end();
  EXPECT_NEAR(run.results("walls").at("lid.force_y"), 500, 5);
}

TEST(Servo, SwingsAreCounted) {
  InMemory<2> run(from_text(kColumn, {"wall.1.servo.gain=0.02", "wall.1.servo.fastest=2", "time.end=0.5"}));
  try {
    run.to_the_end();
  } catch (const std::exception&) {  // it may break the column
  }
  EXPECT_GE(run.world().walls[1].drive.swings, 20);
}

// Held within 1 % on the lateral walls; a peak above the end, and dilation after a small compaction.
TEST(Servo, TriaxialTestHasAPeakAndDilates) {
  MORAINE_NOT_UNDER_SANITIZERS();
  InMemory<3> run(example("triaxial_3d", {"setup.count=300", "setup.strain=0.16", "setup.rate=4"}));
  run.to_the_end();
  const auto box = run.results("box");
  EXPECT_NEAR(box.at("lateral_stress_mean") / 1e5, 1, 0.01);
  EXPECT_LT(box.at("lateral_stress_deviation"), 0.03 * 1e5);
  EXPECT_GT(box.at("peak_friction_angle"), box.at("final_friction_angle"));
  EXPECT_GT(box.at("peak_friction_angle"), 0.30);
  EXPECT_LT(box.at("peak_friction_angle"), 0.65);
  EXPECT_GT(box.at("dilation"), 0.02);
}

}  // namespace
