// SPDX-License-Identifier: MIT
// Walls that yield: a lid comes to rest with the force that was asked for, and its energy is accounted for.
#include <gtest/gtest.h>

#include <cmath>

#include "support/in_memory.hpp"

namespace {

using namespace moraine;
using test::example;
using test::from_text;
using test::InMemory;

TEST(Piston, OfTheExampleBouncesAndComesToRestWithItsWeightAndItsLoad) {
  MORAINE_NOT_UNDER_SANITIZERS();
  // A shallower bed than that of the example.
  InMemory<3> m(example("piston", {"fill.0.max=[0.04, 0.04, 0.05]", "wall.5.point=[0, 0, 0.08]"}));
  m.to_the_end();
  const auto walls = m.results("walls");
  EXPECT_NEAR(walls.at("lid.force_z"), 9.81 + 5, 0.005 * 14.81);
  EXPECT_NEAR(walls.at("lid.vz"), 0, 1e-4);
  double weight = 0;
  for (const double mass : m.world().bodies.mass) weight += 9.81 * mass;
  // Friction at the sides bears a part of it.
  EXPECT_LT(-walls.at("floor.force_z"), 14.81 + weight);
  EXPECT_GT(-walls.at("floor.force_z"), 0.8 * (14.81 + weight));
  EXPECT_LT(m.results("energy").at("relative_balance"), 1e-3);

  double fastest_up = 0, hardest = 0;
  for (const auto& row : m.rows.at("walls")) {
    fastest_up = std::max(fastest_up, row[24]);
    hardest = std::max(hardest, row[15]);
  }
  EXPECT_GT(fastest_up, 0.02);
  EXPECT_GT(hardest, 2 * 14.81);
}

const char* const kFlat = R"(
dimension = 2
[time]
end = 2.5
fraction = 0.02
[gravity]
[[material]]
name = "m"
density = 2500
stiffness = 1e6
[[contact]]
restitution = 0.4
friction = 0.3
shear_damping = 0.3
[[wall]]
name = "floor"
material = "m"
from = [-0.2, 0]
to = [0.2, 0]
[[wall]]
name = "left"
material = "m"
from = [-0.1, -0.1]
to = [-0.1, 0.5]
[[wall]]
name = "right"
material = "m"
from = [0.1, -0.1]
to = [0.1, 0.5]
[[wall]]
name = "lid"
material = "m"
from = [-0.1, 0.25]
to = [0.1, 0.25]
[wall.free]
mass = 20
load = 150
direction = [0, 1]
[[fill]]
method = "lattice"
material = "m"
radius = 0.007
spread = 0.1
spacing = 0.017
jitter = 1
min = [-0.1, 0]
max = [0.1, 0.2]
[[probe]]
kind = "walls"
walls = ["lid"]
[[probe]]
kind = "energy"
)";

TEST(Piston, InThePlaneComesToRestWithItsWeightAndItsLoad) {
  InMemory<2> m(from_text(kFlat));
  m.to_the_end();
  const double expected = 20 * 9.81 + 150;
  EXPECT_NEAR(m.results("walls").at("lid.force_y"), expected, 0.005 * expected);
  EXPECT_NEAR(m.results("walls").at("lid.vy"), 0, 1e-4);
  EXPECT_LT(m.results("energy").at("relative_balance"), 1e-3);
}

// Until it meets the grains it falls freely, with what its load adds.
TEST(Piston, FallsAsItsMassAndLoadHaveIt) {
  InMemory<2> m(from_text(kFlat, {"time.end=0.08", "wall.3.from=[-0.1, 0.4]", "wall.3.to=[0.1, 0.4]"}));
  m.to_the_end();
  const double a = 9.81 + 150.0 / 20;
  for (const auto& row : m.rows.at("walls")) {
    EXPECT_NEAR(row[5], 0.4 - 0.5 * a * row[0] * row[0], 1e-9);
    EXPECT_NEAR(row[7], -a * row[0], 1e-9);
  }
}

// A brake alone ends at the terminal speed, (weight + load) / damping, exponentially.
TEST(Piston, WithABrakeSinksAtItsTerminalSpeed) {
  InMemory<2> m(
      from_text(kFlat, {"time.end=0.1", "wall.3.from=[-0.1, 0.4]", "wall.3.to=[0.1, 0.4]", "wall.3.free.damping=800"}));
  m.to_the_end();
  const double terminal = (20 * 9.81 + 150) / 800;
  for (const auto& row : m.rows.at("walls"))
    EXPECT_NEAR(row[7], -terminal * (1 - std::exp(-800 / 20.0 * row[0])), 1e-4 * terminal);
}

}  // namespace
