// SPDX-License-Identifier: MIT
// Walls that are bumpy, slide in themselves, move by steps and are taken away: against closed forms.
#include <gtest/gtest.h>

#include <cmath>

#include "support/in_memory.hpp"

namespace {

using namespace moraine;
using test::example;
using test::from_text;
using test::InMemory;

const std::string kMaterial = R"(
[[material]]
name = "disk"
density = 1000
stiffness = 1e7
[[contact]]
restitution = 0.5
friction = 0.3
shear_damping = 0.1
)";

const std::string kBelt = "dimension = 2\n[time]\nend = 3\n[gravity]\nacceleration = 10\n" + kMaterial + R"(
[domain]
min = [0, -1]
max = [10, 5]
periodic = ["x"]
[[wall]]
name = "belt"
material = "disk"
from = [0, 0]
to = [10, 0]
[[wall.motion]]
slide = [3, 0]
[[body]]
position = [5, 0.49842920]
radius = 0.5
material = "disk"
[[probe]]
kind = "bodies"
ids = [0]
[[probe]]
kind = "walls"
[[probe]]
kind = "energy"
)";

// A disk put on a belt slips until v + R w is the belt's speed: mu g t on the centre, 2 mu g t on the rim, so that it
// goes with a third of it.
TEST(WallPrograms, ABeltDragsADiskToAThirdOfItsSpeed) {
  InMemory<2> run(from_text(kBelt));
  run.to_the_end();
  const double r = 0.4984292, v = 3 / (1 + 2 * (r / 0.5) * (r / 0.5));  // at the contact, with the overlap: 1.0042
  EXPECT_NEAR(run.world().bodies.moving[0].v[0], v, 1e-4);
  EXPECT_NEAR(run.world().bodies.moving[0].w * r, 3 - v, 2e-4) << "its rim goes with the belt: v + r w = 3";
  EXPECT_EQ(run.world().walls[0].now.a[0], run.world().walls[0].start.a[0]) << "the wall itself stays";
  const auto energy = run.results("energy");
  EXPECT_LT(std::fabs(energy.at("relative_balance")), 2e-3);
  EXPECT_GT(energy.at("wall_work"), 0);
}

// It crosses the edge of the periodic cell again and again without a bump.
TEST(WallPrograms, AFloorAcrossAPeriodicCellHasNoEnds) {
  InMemory<2> run(from_text(kBelt, {"wall.0.motion.0.slide=[0, 0]", "body.0.velocity=[8, 0]", "body.0.spin=-16.050424",
                                    "time.end=10", "contact.0.friction=0.5"}));
  run.to_the_end();
  for (const auto& row : run.rows.at("bodies")) ASSERT_NEAR(row[2], 0.49842920, 2e-7) << "at time " << row[0];
  EXPECT_NEAR(run.world().bodies.moving[0].v[0], 8, 1e-5);
}

TEST(WallPrograms, BumpsStandEvenlyAndCarryTheWeightForTheWall) {
  InMemory<2> run(from_text(kBelt, {"wall.0.bumps.radius=0.5", "wall.0.bumps.gap=0.1", "body.0.position=[5.5555556, 0.84]",
                                    "wall.0.motion.0.slide=[0, 0]", "global_damping=2"}));
  ASSERT_EQ(run.world().bodies.size(), 1U + 9U) << "nine of diameter 1 with gaps of at least 0.1 fit on 10";
  run.to_the_end();
  const double weight = 1000 * M_PI * 0.25 * 10;
  EXPECT_NEAR(run.results("walls").at("belt.force_y"), -weight, 1e-3 * weight);
}

TEST(WallPrograms, BumpsSlideWithTheWallAndTurnRoundTheCell) {
  InMemory<2> run(from_text(kBelt, {"wall.0.bumps.radius=0.5", "body.0.position=[5, 3]", "gravity.acceleration=0",
                                    "time.end=7", "time.step=0.001"}));
  run.to_the_end();
  const auto& bodies = run.world().bodies;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    if (bodies.id[i] == 0) continue;
    const double start = static_cast<double>(bodies.id[i]) - 0.5;
    double at = std::fmod(start + 3 * 7.0, 10);
    EXPECT_NEAR(std::remainder(bodies.place[i].x[0] - at, 10), 0, 1e-9) << bodies.id[i];
    EXPECT_EQ(bodies.place[i].x[1], 0);
    EXPECT_EQ(bodies.moving[i].v[0], 3);
  }
}

TEST(WallPrograms, BumpsCoverAPlane) {
  InMemory<3> run(from_text("dimension = 3\n[time]\nend = 0.01\n" + kMaterial + R"(
[domain]
min = [0, 0, -1]
max = [4, 6, 5]
periodic = ["x", "y"]
[[wall]]
name = "floor"
material = "disk"
point = [0, 0, 0]
normal = [0, 0, 1]
[wall.bumps]
radius = 0.5
[[body]]
position = [2, 3, 2]
radius = 0.5
material = "disk"
)"));
  EXPECT_EQ(run.world().bodies.size(), 1U + 24U);
}

// A servo presses a bumpy wall on a sheared packing: the stress is held, and bumps and wall stay together.
TEST(WallPrograms, AServoMovesABumpyWall) {
  InMemory<2> run(example("couette", {"setup.pressure=50", "setup.speed=1", "setup.aspect=1.25", "time.end=40",
                                      "setup.windows=[[20, 40]]", "setup.windows_by=time", "setup.restitution=0.5"}));
  run.to_the_end();
  const auto& rows = run.rows.at("walls");
  const auto columns = run.probes.at("walls")->columns();
  std::size_t fy = 0;
  while (columns[fy].name != "upper.force_y") ++fy;
  double sum = 0, count = 0;
  for (const auto& row : rows) {
    if (row[0] < 20) continue;
    sum += row[1 + fy];
    ++count;
  }
  EXPECT_NEAR(sum / count / 8, 50, 2) << "mean stress on the upper wall, asked for: 50";
  const auto& world = run.world();
  for (std::size_t i = 0; i < world.bodies.size(); ++i) {
    const std::uint32_t motion = world.bodies.motion[i];
    if (motion == world::kNoMotion || world.guided[motion].wall != 1) continue;
    EXPECT_NEAR(world.bodies.place[i].x[1], world.walls[1].start.a[1] + world.walls[1].drive.moved, 1e-12);
  }
  EXPECT_NE(world.walls[1].drive.moved, 0);
  EXPECT_LT(std::fabs(run.results("energy").at("relative_balance")), 5e-3);
}

TEST(WallPrograms, SlidingBumpyWallsKeepTheEnergyBudget) {
  InMemory<2> run(example("couette", {"time.collisions=200", "time.fraction=0.02"}));
  run.to_the_end();
  EXPECT_LT(std::fabs(run.results("energy").at("relative_balance")), 1e-3);
}

const std::string kTrapDoor = "dimension = 2\n[time]\nend = 1\nstep = 1e-4\n[gravity]\nacceleration = 10\n" + kMaterial + R"(
[[wall]]
name = "door"
material = "disk"
from = [-5, 0]
to = [5, 0]
until = 0.5
[[body]]
position = [0, 0.4984]
radius = 0.5
material = "disk"
[[probe]]
kind = "bodies"
ids = [0]
[[probe]]
kind = "energy"
)";

// It rests, and from the moment that the wall is gone it falls freely, to the last digit.
TEST(WallPrograms, AWallThatIsTakenAwayLetsGo) {
  for (const auto& sets : {std::vector<std::string>{}, {"wall.0.until_step=5000"}}) {
    scene::Scene scene = sets.empty() ? from_text(kTrapDoor) : [&] {
      std::string text = kTrapDoor;
      return from_text(text.replace(text.find("until = 0.5"), 11, "until_step = 5000"));
    }();
    InMemory<2> run(scene);
    run.to_the_end();
    double y = 0, v = 0;
    for (const auto& row : run.rows.at("bodies")) {
      if (row[0] < 0.5 - 1e-9) continue;
      if (v == 0 && y == 0) {
        y = row[2];
        v = row[4];
      }
      const double t = row[0] - 0.5;
      ASSERT_NEAR(row[2], y + v * t - 5 * t * t, 1e-9) << "at time " << row[0];
    }
    EXPECT_NEAR(y, 0.49846, 2e-4) << "was at rest before";
    EXPECT_LT(std::fabs(run.results("energy").at("relative_balance")), 1e-3) << "what was stored leaves with the wall";
    EXPECT_LT(run.results("energy").at("added"), 0);
  }
}

TEST(WallPrograms, BumpsLeaveWithTheirWall) {
  InMemory<2> run(from_text(kTrapDoor, {"wall.0.bumps.radius=0.5", "body.0.position=[0, 0.9]"}));
  run.to_the_end();
  EXPECT_EQ(run.world().bodies.size(), 1U);
  EXPECT_LT(run.world().bodies.place[0].x[1], 0);
  EXPECT_EQ(run.world().removed, 0);
}

// Counted in steps, or by how far it goes, a motion is the same as in seconds and by speed.
TEST(WallPrograms, StepsAndShiftsAreTheSameAsTimesAndSpeeds) {
  const std::string scene = "dimension = 2\n[time]\nsteps = 3000\nstep = 1e-4\n" + kMaterial + R"(
[[wall]]
name = "paddle"
material = "disk"
from = [-5, 0]
to = [5, 0]
[[wall.motion]]
MOTION
[[body]]
position = [0, 0.52]
radius = 0.5
material = "disk"
)";
  const auto hash = [&](const std::string& motion) {
    std::string text = scene;
    return InMemory<2>(from_text(text.replace(text.find("MOTION"), 6, motion))).to_the_end().run->state_hash();
  };
  const std::uint64_t by_time = hash("from = 0.1\nto = 0.2\nvelocity = [0, 1]\n");
  EXPECT_EQ(hash("from_step = 1000\nto_step = 2000\nvelocity = [0, 1]\n"), by_time);
  InMemory<2> shifted(from_text([&] {
    std::string text = scene;
    return text.replace(text.find("MOTION"), 6, "from_step = 1000\nto_step = 2000\nshift = [0, 0.1]\n");
  }()));
  shifted.to_the_end();
  EXPECT_NEAR(shifted.world().walls[0].now.a[1], 0.1, 1e-15);
}

// Bodies that grow in a domain without walls: as dense as asked, and no deeper in each other than the contacts let them.
TEST(WallPrograms, SqueezingWithoutWallsFillsAPeriodicDomain) {
  const auto scene = [](int d, double fraction) {
    return "dimension = " + std::to_string(d) + "\n[time]\nend = 0.001\n" + kMaterial + "[domain]\nmin = " +
           (d == 2 ? "[0, 0]\nmax = [20, 20]\nperiodic = [\"x\", \"y\"]\n"
                   : "[0, 0, 0]\nmax = [9, 9, 9]\nperiodic = [\"x\", \"y\", \"z\"]\n") +
           "[[fill]]\nmethod = \"squeeze\"\nmaterial = \"disk\"\nradius = 0.5\nspread = 0.2\nfriction = 0\nfraction = " +
           std::to_string(fraction) + "\nloose_fraction = " + (d == 2 ? "0.4" : "0.3") + "\nmin = " +
           (d == 2 ? "[0, 0]\nmax = [20, 20]\n" : "[0, 0, 0]\nmax = [9, 9, 9]\n");
  };
  InMemory<2> flat(from_text(scene(2, 0.8)));
  double covered = 0;
  for (const auto& p : flat.world().bodies.place) covered += M_PI * p.radius * p.radius;
  EXPECT_NEAR(covered / 400, 0.8, 0.02);
  InMemory<3> solid(from_text(scene(3, 0.55)));
  covered = 0;
  for (const auto& p : solid.world().bodies.place) covered += 4.0 / 3.0 * M_PI * std::pow(p.radius, 3);
  EXPECT_NEAR(covered / 729, 0.55, 0.03);
}

}  // namespace
