// SPDX-License-Identifier: MIT
// Polyhedra and polygons as hard bodies: Coulomb's law to the digit, rest on faces, stacks and walls that stand, and
// impacts that keep what they must.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "base/random.hpp"
#include "support/in_memory.hpp"

namespace {

using namespace moraine;
using math::Vec2;
using math::Vec3;
using test::example;
using test::from_text;
using test::InMemory;

double way_on_slope(std::vector<std::string> sets) {
  sets.insert(sets.end(), {"method=hard", "hard.step=1 ms"});
  return InMemory<3>(example("block_on_slope", sets)).to_the_end().results("block").at("distance");
}

TEST(HardSolids, BlockSlidesAsCoulombSays) {
  for (const auto& [friction, degrees] : {std::pair{0.5, 30.0}, {0.2, 15.0}, {0.9, 45.0}, {0.0, 60.0}}) {
    const double angle = degrees * math::kPi / 180, g = 9.81;
    const double exact = 0.5 * g * (std::sin(angle) - friction * std::cos(angle));  // in one second
    const double way = way_on_slope(
        {"time.end=1", fmt::format("setup.friction={}", friction), fmt::format("setup.angle={}deg", degrees)});
    EXPECT_NEAR(way, exact, 0.003 * exact) << friction << " " << degrees;
  }
}

TEST(HardSolids, BlockStaysAboveTheCriticalFriction) {
  for (const char* friction : {"0.5774", "0.58", "0.6", "1"})
    EXPECT_LT(way_on_slope({"time.end=1", fmt::format("setup.friction={}", friction)}), 1e-6) << friction;
  EXPECT_GT(way_on_slope({"time.end=1", "setup.friction=0.577"}), 1e-3);
}

const char* const kBox = R"(
method = "hard"
dimension = 3
[time]
end = 1
[hard]
step = 0.001
[gravity]
direction = [0, 0, -1]
[[material]]
name = "stone"
density = 2500
[[contact]]
restitution = 0.3
friction = 0.6
[[solid]]
name = "box"
kind = "box"
size = [0.1, 0.14, 0.2]
[[wall]]
name = "floor"
material = "stone"
point = [0, 0, 0]
normal = [0, 0, 1]
)";

std::string box_at(const std::string& position, const std::string& orientation) {
  return fmt::format("[[body]]\nsolid = \"box\"\nmaterial = \"stone\"\nposition = {}\norientation = {}\n", position,
                     orientation);
}

TEST(HardSolids, DroppedBoxComesToRestOnAFace) {
  for (const char* turn : {"[0.6, 0, 0]", "[0, 0.8, 0]", "[0.5, 0.7, 0.2]", "[1.2, -0.4, 0.9]"}) {
    InMemory<3> run(from_text(kBox + box_at("[0, 0, 0.16]", turn), {"time.end=3"}));
    run.to_the_end();
    const world::World<3>& world = run.world();
    const double z = world.clumps.x[0][2];
    const double off = std::min({std::fabs(z - 0.05), std::fabs(z - 0.07), std::fabs(z - 0.1)});
    EXPECT_LT(off, 1e-4 * 0.13) << turn << " " << z;
    EXPECT_LT(math::norm(world.clumps.v[0]), 1e-6) << turn;
    EXPECT_LT(math::norm(world.clumps.w[0]), 1e-5) << turn;
  }
}

// Flush on all sides, one shifted and turned, and a ball upon them.
TEST(HardSolids, StackOfBoxesAndABallStands) {
  const std::string ball = "[[body]]\nmaterial = \"stone\"\nradius = 0.05\nposition = [0, 0, 0.65]\n";
  InMemory<3> run(from_text(kBox + box_at("[0, 0, 0.1]", "[0, 0, 0]") + box_at("[0, 0, 0.3]", "[0, 0, 0]") +
                                box_at("[0.01, 0.02, 0.5]", "[0, 0, 0.3]") + ball,
                            {"time.end=2"}));
  run.to_the_end();
  const world::World<3>& world = run.world();
  EXPECT_NEAR(world.clumps.x[0][2], 0.1, 1e-5);
  EXPECT_NEAR(world.clumps.x[1][2], 0.3, 1e-5);
  EXPECT_NEAR(world.clumps.x[2][2], 0.5, 1e-5);
  for (std::size_t c = 0; c < 3; ++c) {
    EXPECT_LT(math::norm(world.clumps.v[c]), 1e-6) << c;
    EXPECT_LT(math::norm(world.clumps.w[c]), 1e-5) << c;
  }
  for (std::size_t i = 0; i < world.bodies.size(); ++i) {
    if (world.bodies.clump[i] != world::kNoClump) continue;
    EXPECT_NEAR(world.bodies.place[i].x[2], 0.65, 1e-4);
  }
  const double weight = 9.81 * (world.clumps.mass[0] * 3 + 2500 * math::ball_volume(3, 0.05));
  EXPECT_NEAR(-world.walls[0].force[2], weight, 1e-4 * weight);
}

// Half a brick and more over the edge falls; less stands.
TEST(HardSolids, BoxOverAnEdgeTipsWhereItsCentreIs) {
  for (const double over : {-0.002, 0.002}) {
    InMemory<3> run(from_text(
        kBox + box_at("[0, 0, 0.1]", "[0, 0, 0]") + box_at(fmt::format("[{}, 0, 0.3]", 0.05 + over), "[0, 0, 0]"),
        {"time.end=1.5", "contact.0.friction=2"}));
    run.to_the_end();
    const double z = run.world().clumps.x[1][2];
    if (over < 0) {
      EXPECT_NEAR(z, 0.3, 1e-5);
    } else {
      EXPECT_LT(z, 0.25);
    }
  }
}

TEST(HardSolids, WallOfBricksStands) {
  InMemory<3> run(example("wall_of_bricks", {"method=hard", "hard.step=1 ms"}));
  run.run->begin(nullptr);
  const std::vector<Vec3> before = run.world().clumps.x;
  while (!run.run->finished()) run.run->step();
  for (std::size_t c = 0; c < before.size(); ++c) EXPECT_LT(math::norm(run.world().clumps.x[c] - before[c]), 1e-5) << c;
}

// Elastic impacts without friction. Momentum and angular momentum stay; energy too, unless an impact throws the two
// into a second contact within the same step, which then does not bounce in full (4 of 1000).
TEST(HardSolids, ElasticImpactsOfNonConvexBodies) {
  base::Stream random(5, "collisions");
  const int count = MORAINE_SANITIZED != 0 ? 5 : 100;
  int met = 0, off = 0;
  double changes = 0;
  for (int i = 0; i < count; ++i) {
    const auto any = [&](double size) {
      return fmt::format("[{}, {}, {}]", random.uniform(-size, size), random.uniform(-size, size),
                         random.uniform(-size, size));
    };
    const std::string text = fmt::format(
        R"(
method = "hard"
dimension = 3
[time]
end = 0.6
[hard]
step = 0.001
impact_speed = 0
[[material]]
name = "steel"
density = 1000
[[contact]]
restitution = 1.0
friction = 0.0
[[solid]]
name = "l"
kind = "L"
width = 0.1
height = 0.14
bar = 0.04
[[solid]]
name = "cross"
kind = "cross"
size = 0.16
bar = 0.04
[[body]]
solid = "l"
material = "steel"
position = [-0.2, 0, 0]
velocity = [0.5, 0, 0]
orientation = {}
spin = {}
[[body]]
solid = "cross"
material = "steel"
position = [0.2, {}, {}]
velocity = [-0.5, 0, 0]
orientation = {}
spin = {}
)",
        any(3), any(2), random.uniform(-0.05, 0.05), random.uniform(-0.05, 0.05), any(3), any(2));
    InMemory<3> run(from_text(text));
    run.run->begin(nullptr);
    const auto energy = [&] {
      double sum = 0;
      const world::World<3>& world = run.world();
      for (std::size_t c = 0; c < 2; ++c)
        sum += 0.5 * world.clumps.mass[c] * math::norm2(world.clump_velocity(c)) +
               0.5 * math::dot(world.clump_momentum(c), world.clump_spin(c));
      return sum;
    };
    const auto momentum = [&] {
      const world::World<3>& world = run.world();
      return world.clump_velocity(0) * world.clumps.mass[0] + world.clump_velocity(1) * world.clumps.mass[1];
    };
    const auto angular = [&] {
      Vec3 sum{};
      const world::World<3>& world = run.world();
      for (std::size_t c = 0; c < 2; ++c)
        sum += world.clump_momentum(c) + math::cross(world.clumps.x[c], world.clump_velocity(c)) * world.clumps.mass[c];
      return sum;
    };
    const double before = energy();
    const Vec3 p = momentum(), l = angular();
    std::int64_t met_here = 0;
    while (!run.run->finished()) {
      run.run->step();
      met_here += run.run->stepper().contacts();
    }
    met += met_here > 0 ? 1 : 0;
    const double scale = run.world().clumps.mass[0];
    const double change = std::fabs(energy() / before - 1);
    changes += change;
    off += change > 0.005 ? 1 : 0;
    EXPECT_LT(energy(), before * 1.005) << i;
    EXPECT_LT(math::norm(momentum() - p), 1e-12 * scale) << i;
    EXPECT_LT(math::norm(angular() - l), 1e-12 * scale) << i;
  }
  EXPECT_GE(met, count / 2);
  EXPECT_LE(off, std::max(1, count / 100));
  if (count > 10) {  // the mean of a few says nothing
    EXPECT_LT(changes, 0.002 * count);
  }
}

TEST(HardSolids, PolygonsRestOnSegmentsOfEitherSide) {
  const auto scene = [](double y, double g) {
    return fmt::format(R"(
method = "hard"
dimension = 2
[time]
end = 1
[hard]
step = 0.001
[gravity]
direction = [0, {}]
[[material]]
name = "stone"
density = 100
[[contact]]
restitution = 0.3
friction = 0.6
[[solid]]
name = "angle"
kind = "polygon"
outline = [[0, 0], [0.3, 0], [0.3, 0.1], [0.1, 0.1], [0.1, 0.3], [0, 0.3]]
[[wall]]
name = "line"
material = "stone"
from = [-1, 0]
to = [1, 0]
[[body]]
solid = "angle"
material = "stone"
position = [0, {}]
orientation = {}
)",
                       g, y, y > 0 ? 0.0 : math::kPi);
  };
  for (const double side : {1.0, -1.0}) {
    InMemory<2> run(from_text(scene(0.115 * side, -side)));
    run.to_the_end();
    EXPECT_NEAR(run.world().clumps.x[0][1], 0.11 * side, 1e-6);
    EXPECT_LT(math::norm(run.world().clumps.v[0]), 1e-6);
  }
}

// The slope of the cone that has the same height of the centre of mass and the same mean square distance from the axis.
double slope_of(const world::World<3>& world, double lowest) {
  double height = 0, square = 0;
  Vec3 middle{};
  const auto n = static_cast<double>(world.bodies.size());
  for (const auto& place : world.bodies.place) middle += place.x * (1 / n);
  for (const auto& place : world.bodies.place) {
    const Vec3 off = place.x - middle;
    height += (place.x[2] - lowest) / n;
    square += (off[0] * off[0] + off[1] * off[1]) / n;
  }
  return std::atan(4 * height / std::sqrt(square * 10 / 3)) * 180 / math::kPi;
}

// A tube full of jacks, and one full of spheres of the same outer size, mass and friction, is taken away.
TEST(HardSolids, JacksHoldASteeperHeapThanSpheres) {
  MORAINE_NOT_UNDER_SANITIZERS();
  const std::vector<std::string> sets{"fill.0.count=50",
                                      "wall.1.until=1.2",
                                      "wall.1.radius=0.1",
                                      "time.end=2.5",
                                      "fill.0.min=[-0.06,-0.06,0.3]",
                                      "fill.0.max=[0.06,0.06,0.55]"};
  InMemory<3> jacks(example("jacks", sets));
  jacks.to_the_end();
  ASSERT_EQ(jacks.world().clumps.size(), 50U);
  InMemory<3> balls(from_text(R"(
method = "hard"
dimension = 3
[time]
end = 2.5
[hard]
step = 0.002
[gravity]
direction = [0, 0, -1]
[[material]]
name = "plastic"
density = 1100
[[contact]]
restitution = 0.1
friction = 0.5
[[wall]]
name = "ground"
material = "plastic"
point = [0, 0, 0]
normal = [0, 0, 1]
[[wall]]
name = "tube"
material = "plastic"
kind = "cylinder"
point = [0, 0, 0]
axis = [0, 0, 1]
radius = 0.1
length = 0.6
until = 1.2
[[fill]]
method = "rain"
material = "plastic"
radius = 0.03066
min = [-0.06, -0.06, 0.3]
max = [0.06, 0.06, 0.55]
count = 50
batch = 12
every = 0.1
velocity = [0, 0, -1]
)"));
  balls.to_the_end();
  ASSERT_EQ(balls.world().bodies.size(), 50U);
  const double steep = slope_of(jacks.world(), 0.01), flat = slope_of(balls.world(), 0.03066);
  EXPECT_GT(steep, 20);
  EXPECT_LT(flat, 0.5 * steep);
  fmt::print("slopes: jacks {:.1f}, spheres {:.1f} degrees\n", steep, flat);
}

// Pieces leave the chute at its end in the order in which they began, all of them, and come to rest on the floor.
TEST(HardSolids, PiecesLeaveTheHelixInOrder) {
  MORAINE_NOT_UNDER_SANITIZERS();
  InMemory<3> run(example("helix", {"setup.count=6", "setup.turns=2", "setup.pitch=0.3", "time.end=14"}));
  const world::World<3>& world = run.world();
  std::vector<std::int64_t> arrived;
  run.run->begin(nullptr);
  const double end_of_chute = -2 * 0.3;
  while (!run.run->finished()) {
    run.run->step();
    for (std::size_t i = 0; i < world.bodies.size(); ++i) {
      const std::int64_t id = world.bodies.id[i];
      if (world.bodies.place[i].x[2] > end_of_chute) continue;
      if (std::find(arrived.begin(), arrived.end(), id) == arrived.end()) arrived.push_back(id);
    }
  }
  EXPECT_EQ(arrived, (std::vector<std::int64_t>{0, 1, 2, 3, 4, 5}));
  for (std::size_t c = 0; c < world.clumps.size(); ++c) EXPECT_LT(math::norm(world.clump_velocity(c)), 1e-3);
}

// Thinner than a fiftieth of their radius, and of a thousandth.
TEST(HardSolids, ThinPiecesDoNotFallThroughThinWalls) {
  for (const double thin : {0.02, 0.005, 0.001}) {
    InMemory<2> flat(from_text(fmt::format(
        "method = \"hard\"\ndimension = 2\n[time]\nend = 1\n[hard]\nstep = 0.001\n[gravity]\ndirection = [0, -1]\n"
        "[[material]]\nname = \"s\"\ndensity = 1000\n[[contact]]\nrestitution = 0.2\nfriction = 0.4\n[[wall]]\nname = "
        "\"w\"\n"
        "material = \"s\"\nfrom = [-50, 0]\nto = [50, 0]\n[[solid]]\nname = \"a\"\nkind = \"polygon\"\n"
        "outline = [[0, 0], [1, 0], [1, {0}], [{0}, {0}], [{0}, 1], [0, 1]]\n[[body]]\nsolid = \"a\"\n"
        "material = \"s\"\nposition = [0, 0.6]\norientation = 0.3\n",
        thin)));
    flat.to_the_end();
    EXPECT_NEAR(flat.world().clumps.x[0][1], 0.255, 0.02) << thin;
    for (const char* kind :
         {"kind = \"L\"\nwidth = 0.3\nheight = 0.3\nbar = {}", "kind = \"box\"\nsize = [0.3, 0.3, {}]"}) {
      InMemory<3> run(from_text(fmt::format(
          "method = \"hard\"\ndimension = 3\n[time]\nend = 1\n[hard]\nstep = 0.001\n[gravity]\n"
          "direction = [0, 0, -1]\n[[material]]\nname = \"s\"\ndensity = 1000\n[[contact]]\nrestitution = 0.2\n"
          "friction = 0.5\n[[wall]]\nname = \"w\"\nmaterial = \"s\"\nkind = \"disc\"\ncentre = [0, 0, 0]\nnormal = [0, "
          "0, 1]\n"
          "radius = 0.5\n[[solid]]\nname = \"a\"\n{}\n[[body]]\nsolid = \"a\"\nmaterial = \"s\"\n"
          "position = [0.2, 0.1, 0.35]\nvelocity = [0, 0, -1]\norientation = [1.2, 0.3, 0.2]\n",
          fmt::format(fmt::runtime(kind), thin))));
      run.to_the_end();
      EXPECT_NEAR(run.world().clumps.x[0][2], 0.5 * thin, 1e-4) << kind << thin;
    }
  }
}

}  // namespace
