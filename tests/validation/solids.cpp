// SPDX-License-Identifier: MIT
// Polyhedra and polygons in motion: a block on a slope (Muth and Eberhard, section 7), boxes that come to rest on a
// face, collisions that keep energy and momentum, solids upon solids, balls upon solids.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>

#include "base/random.hpp"
#include "support/in_memory.hpp"

namespace {

using namespace moraine;
using math::Vec3;
using test::example;
using test::from_text;
using test::InMemory;

double way_on_slope(const std::vector<std::string>& sets) {
  return InMemory<3>(example("block_on_slope", sets)).to_the_end().results("block").at("distance");
}

TEST(Solids, BlockSlidesAsCoulombSays) {
  for (const auto& [friction, degrees] : {std::pair{0.5, 30.0}, {0.2, 15.0}, {0.9, 45.0}}) {
    const double angle = degrees * math::kPi / 180, g = 9.81;
    const double exact = 0.5 * g * (std::sin(angle) - friction * std::cos(angle));  // in one second
    const double way = way_on_slope(
        {"time.end=1", fmt::format("setup.friction={}", friction), fmt::format("setup.angle={}deg", degrees)});
    EXPECT_NEAR(way, exact, 0.005 * exact) << friction << " " << degrees;
  }
}

// The normal force of Walton and Braun is gone after an unloading by a hundredth of the overlap: it comes and goes as
// the block trembles, and no dashpot may hold the block meanwhile.
TEST(Solids, BlockSlidesAsCoulombSaysWithWaltonBraunToo) {
  const double exact = 0.5 * 9.81 * (0.5 - 0.5 * std::sqrt(0.75)) * 0.2 * 0.2;
  const double way = way_on_slope({"time.end=0.2", "setup.friction=0.5", "setup.law=walton-braun"});
  EXPECT_NEAR(way, exact, 0.02 * exact);
}

// How fine the step is makes no difference: a contact that began at rest is damped as its depth says.
TEST(Solids, WayOfTheBlockDoesNotDependOnTheStep) {
  const double way = way_on_slope({"time.end=0.3", "setup.friction=0.5", "time.fraction=0.02"});
  EXPECT_NEAR(way_on_slope({"time.end=0.3", "setup.friction=0.5", "time.fraction=0.005"}), way, 1e-6 * way);
}

// The springs are not loaded at first: the block slips by hundredths of a millimetre, and then stands still.
TEST(Solids, BlockStaysAboveTheCriticalFrictionAndCreepsWithAVelocityLaw) {
  for (const char* friction : {"setup.friction=0.58", "setup.friction=0.6"}) {
    const double half = way_on_slope({"time.end=0.5", friction}), whole = way_on_slope({"time.end=1", friction});
    EXPECT_LT(whole, 1e-4) << friction;
    EXPECT_NEAR(whole, half, 1e-9) << friction;
  }
  const double half = way_on_slope({"time.end=0.5", "setup.tangential=viscous"});
  const double whole = way_on_slope({"time.end=1", "setup.tangential=viscous"});
  EXPECT_GT(half, 1e-3);
  EXPECT_NEAR(whole / half, 2, 0.1);
}

// Blocks of all sizes and weights stand as deep in the plane, measured by their side, and slide alike; where the slope
// is upright, the block falls.
TEST(Solids, BlocksOfAllSizesSlideAsCoulombSays) {
  const double exact = 0.5 * 9.81 * (0.5 - 0.5 * std::sqrt(0.75));  // in one second
  for (const char* set : {"setup.side=1", "setup.side=0.3", "setup.density=20000"}) {
    EXPECT_NEAR(way_on_slope({"time.end=1", "setup.friction=0.5", set}), exact, 0.006 * exact) << set;
  }
  InMemory<3> upright(example("block_on_slope", {"time.end=0.1", "setup.angle=90deg"}));
  upright.to_the_end();
  EXPECT_NEAR(upright.results("block").at("distance"), 0.5 * 9.81 * 0.01, 1e-6);
}

const char* const kBox = R"(
dimension = 3
[time]
end = 1
[gravity]
direction = [0, 0, -1]
[[material]]
name = "stone"
density = 2500
stiffness = 1e5
[[contact]]
restitution = 0.3
friction = 0.6
shear_damping = 0.3
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

TEST(Solids, BoxOnItsFaceStandsStillForAMinute) {
  for (const char* method : {"soft", "hard"}) {
    InMemory<3> run(
        from_text(kBox + box_at("[0, 0, 0.1]", "[0, 0, 0.4]"),
                  {fmt::format("method={}", method), fmt::format("time.end={}", MORAINE_SANITIZED ? 2 : 60)}));
    run.run->begin(nullptr);
    while (run.world().time < 0.7) run.run->step();
    const Vec3 before = run.world().clumps.x[0];
    const math::Quaternion turned = run.world().clumps.orientation[0];
    while (!run.run->finished()) run.run->step();
    EXPECT_LT(math::norm(run.world().clumps.x[0] - before), 1e-7 * 0.2) << method;
    const math::Quaternion q = run.world().clumps.orientation[0] * math::inverse(turned);
    EXPECT_LT(math::norm(Vec3{q.x, q.y, q.z}), 1e-7) << method;
  }
}

// Dropped on an edge or a corner, it ends flat on one of its faces, at rest: the height of its centre is half an edge.
TEST(Solids, DroppedBoxComesToRestOnAFace) {
  for (const char* turn : {"[0.6, 0, 0]", "[0, 0.8, 0]", "[0.5, 0.7, 0.2]", "[1.2, -0.4, 0.9]"}) {
    InMemory<3> run(from_text(kBox + box_at("[0, 0, 0.16]", turn), {"time.end=2.5"}));
    run.to_the_end();
    const world::World<3>& world = run.world();
    const double z = world.clumps.x[0][2];
    const double off = std::min({std::fabs(z - 0.05), std::fabs(z - 0.07), std::fabs(z - 0.1)});
    EXPECT_LT(off, 2e-3 * 0.2) << turn << " " << z;
    EXPECT_LT(math::norm(world.clumps.v[0]), 1e-4) << turn;
    EXPECT_LT(math::norm(world.clumps.w[0]), 1e-3) << turn;
  }
}

struct Motion {
  double energy = 0;
  Vec3 momentum{}, angular{};
};
Motion motion_of(const world::World<3>& world) {
  Motion m;
  for (std::size_t c = 0; c < world.clumps.size(); ++c) {
    const Vec3 v = world.clump_velocity(c), l = world.clump_momentum(c);
    m.energy += 0.5 * world.clumps.mass[c] * math::norm2(v) + 0.5 * math::dot(l, world.clump_spin(c));
    m.momentum += v * world.clumps.mass[c];
    m.angular += l + math::cross(world.clumps.x[c], v) * world.clumps.mass[c];
  }
  return m;
}

TEST(Solids, ElasticCollisionsOfNonConvexBodiesKeepEnergyAndMomentum) {
  base::Stream random(5, "collisions");
  const bool whole = std::getenv("MORAINE_LONG") != nullptr;  // three quarters of an hour
  const int count = whole ? 10000 : MORAINE_SANITIZED != 0 ? 2 : 40;
  int met = 0;
  double sum = 0, worst = 0;
  for (int i = 0; i < count; ++i) {
    const auto any = [&](double size) {
      return fmt::format("[{}, {}, {}]", random.uniform(-size, size), random.uniform(-size, size),
                         random.uniform(-size, size));
    };
    const std::string text = fmt::format(
        R"(
dimension = 3
[time]
end = 0.6
[[material]]
name = "steel"
density = 1000
stiffness = 2e5
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
position = [-0.1, 0, 0]
velocity = [0.5, 0, 0]
orientation = {}
spin = {}
[[body]]
solid = "cross"
material = "steel"
position = {}
velocity = [-0.5, 0, 0]
orientation = {}
spin = {}
)",
        any(3), any(2), fmt::format("[0.1, {}, {}]", random.uniform(-0.05, 0.05), random.uniform(-0.05, 0.05)), any(3),
        any(2));
    InMemory<3> run(from_text(text));
    run.run->begin(nullptr);
    const Motion before = motion_of(run.world());
    bool touched = false;
    const auto apart =
        [&] {  // their centres are at most 0.212 m from each other at first, which is more than they reach
          const auto& at = run.world().clumps.x;
          return math::norm2(at[1] - at[0]) > 0.22 * 0.22;
        };
    while (!run.run->finished() && !apart()) {
      run.run->step();
      touched = touched || run.world().contacts.pair_points[0].size() > 0;
    }
    const Motion after = motion_of(run.world());
    met += touched ? 1 : 0;
    EXPECT_EQ(run.world().contacts.pair_points[0].size(), 0U) << i;
    const double change = std::fabs(after.energy / before.energy - 1);
    EXPECT_LT(change, 0.005) << i;
    sum += change;
    worst = std::max(worst, change);
    const double scale = run.world().clumps.mass[0];
    EXPECT_LT(math::norm(after.momentum - before.momentum), 1e-12 * scale) << i;
    EXPECT_LT(math::norm(after.angular - before.angular), 1e-12 * scale) << i;
  }
  EXPECT_GE(met, count / 2);
  if (count > 10) {  // the mean of a few says nothing
    EXPECT_LT(sum, 0.0005 * count);
  }
  std::cout << fmt::format("{} collisions, {} met: energy changes by {:.3g} in the mean, {:.3g} at most\n", count, met,
                           sum / count, worst);
}

// A box upon a box of the same size, flush on all sides, and a ball upon both: all carry.
TEST(Solids, StackOfBoxesAndABallStands) {
  const std::string ball = "[[body]]\nmaterial = \"stone\"\nradius = 0.05\nposition = [0, 0, 0.45]\n";
  InMemory<3> run(from_text(kBox + box_at("[0, 0, 0.1]", "[0, 0, 0]") + box_at("[0, 0, 0.3]", "[0, 0, 0]") + ball,
                            {"time.end=1.5"}));
  run.to_the_end();
  const world::World<3>& world = run.world();
  EXPECT_NEAR(world.clumps.x[0][2], 0.1, 1e-3);
  EXPECT_NEAR(world.clumps.x[1][2], 0.3, 2e-3);
  for (std::size_t i = 0; i < world.bodies.size(); ++i) {
    if (world.bodies.clump[i] != world::kNoClump) continue;
    EXPECT_NEAR(world.bodies.place[i].x[2], 0.45, 4e-3);
  }
  // What presses on the floor is the weight.
  const double weight = 9.81 * (world.clumps.mass[0] + world.clumps.mass[1] + 2500 * math::ball_volume(3, 0.05));
  EXPECT_NEAR(-world.walls[0].force[2], weight, 1e-3 * weight);
}

TEST(Solids, PolygonsRestOnSegmentsOfEitherSide) {
  const auto scene = [](double y, double g) {
    return fmt::format(R"(
dimension = 2
[time]
end = 1
[gravity]
direction = [0, {}]
[[material]]
name = "stone"
density = 100
stiffness = 1e6
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
    EXPECT_NEAR(run.world().clumps.x[0][1], 0.11 * side, 1e-3);
    EXPECT_LT(math::norm(run.world().clumps.v[0]), 1e-6);
  }
}

// In a hollow of radius R a square of side s stands on two corners, its centre sqrt(R^2 - s^2/4) - s/2 away from the
// axis: in a circle, and as a box in a lying cylinder, by either method. Walls have flat pieces of 2 degrees: up to R
// times 1.5e-4 nearer.
TEST(Solids, BoxInAHollow) {
  const double side = 0.3, radius = 0.5, away = std::sqrt(radius * radius - 0.25 * side * side) - 0.5 * side;
  const std::string both = R"(
[time]
end = 1.5
[[material]]
name = "stone"
density = 1000
stiffness = 1e7
[[contact]]
restitution = 0.2
friction = 0.4
[[wall]]
name = "hollow"
material = "stone"
radius = 0.5
)";
  const std::string flat = R"(
kind = "circle"
centre = [0, 0]
[gravity]
direction = [0, -1]
[[solid]]
name = "square"
kind = "polygon"
outline = [[0, 0], [0.3, 0], [0.3, 0.3], [0, 0.3]]
[[body]]
solid = "square"
material = "stone"
position = [0.02, -0.31]
orientation = 0.1
)";
  const std::string solid = R"(
kind = "cylinder"
point = [0, -1, 0]
axis = [0, 1, 0]
length = 2
[gravity]
direction = [0, 0, -1]
[[solid]]
name = "box"
kind = "box"
size = [0.3, 0.2, 0.3]
[[body]]
solid = "box"
material = "stone"
position = [0.02, 0.1, -0.31]
orientation = [0, 0.1, 0]
)";
  for (const char* method : {"soft", "hard"}) {
    const auto set = [&](int dimension) {
      std::vector<std::string> sets{fmt::format("method={}", method), fmt::format("dimension={}", dimension)};
      if (std::string(method) == "hard") sets.emplace_back("hard.step=1ms");
      return sets;
    };
    InMemory<2> plane(from_text("dimension = 2\n" + both + flat, set(2)));
    plane.to_the_end();
    EXPECT_NEAR(math::norm(plane.world().clumps.x[0]), away, 3e-4 * radius) << method;
    EXPECT_LT(math::norm(plane.world().clumps.v[0]), 1e-3) << method;
    InMemory<3> room(from_text("dimension = 3\n" + both + solid, set(3)));
    room.to_the_end();
    EXPECT_NEAR(std::hypot(room.world().clumps.x[0][0], room.world().clumps.x[0][2]), away, 3e-4 * radius) << method;
    EXPECT_NEAR(room.world().clumps.x[0][1], 0.1, 1e-3) << method;
    EXPECT_LT(math::norm(room.world().clumps.v[0]), 1e-3) << method;
  }
}

// On a disc, and over its rim.
TEST(Solids, BoxOnADisc) {
  for (const char* method : {"soft", "hard"}) {
    for (const double x : {0.25, 0.35}) {
      const std::string text = fmt::format(R"(
method = "{}"
dimension = 3
[time]
end = 0.8
step = {}
[gravity]
direction = [0, 0, -1]
[[material]]
name = "stone"
density = 1000
stiffness = 1e6
[[contact]]
restitution = 0.2
friction = 0.8
[[wall]]
name = "disc"
material = "stone"
kind = "disc"
centre = [0, 0, 0]
normal = [0, 0, 1]
radius = 0.3
[[solid]]
name = "box"
kind = "box"
size = [0.2, 0.2, 0.1]
[[body]]
solid = "box"
material = "stone"
position = [{}, 0, 0.05]
)",
                                           method, std::string(method) == "hard" ? "1e-3" : "5e-5", x);
      InMemory<3> run(from_text(text));
      run.to_the_end();
      if (x < 0.3) {
        EXPECT_NEAR(run.world().clumps.x[0][2], 0.05, 1e-3) << method;
      } else {
        EXPECT_LT(run.world().clumps.x[0][2], -0.05) << method;
      }
    }
  }
}

// Neither the way to tell inside from outside nor that to find neighbours changes a bit.
TEST(Solids, RaysAndBothSearchesGiveTheSameBits) {
  const auto places = [](auto dimension, const char* name, std::vector<std::string> sets) {
    constexpr int D = decltype(dimension)::value;
    sets.emplace_back(D == 2 ? "time.end=0.3" : "time.end=0.6");
    if (D == 3) sets.insert(sets.end(), {"fill.0.count=12", "fill.1.count=4"});
    InMemory<D> run(example(name, sets));
    run.to_the_end();
    return run.world().clumps.x;
  };
  const auto check = [&](auto dimension, const char* name) {
    const auto usual = places(dimension, name, {});
    EXPECT_GT(usual.size(), 10U);
    EXPECT_EQ(usual, places(dimension, name, {"solid.0.inside=rays", "solid.1.inside=rays"})) << name;
    EXPECT_EQ(usual, places(dimension, name, {"search.method=cells"})) << name;
    EXPECT_EQ(usual, places(dimension, name, {"search.method=sweep"})) << name;
  };
  check(std::integral_constant<int, 2>(), "polygons_2d");
  check(std::integral_constant<int, 3>(), "rock_heap");
}

// An L, whose principal axes are not those it is given in: turned in three ways that mean the same, and told so again.
TEST(Solids, AreTurnedByAVectorKardanAnglesOrAQuaternion) {
  const auto told = [](const char* turn) {
    InMemory<3> run(from_text(std::string(R"(
dimension = 3
[time]
end = 0.01
[[material]]
name = "stone"
density = 2500
stiffness = 1e5
[[contact]]
restitution = 0.3
[[solid]]
name = "angle"
kind = "L"
width = 0.1
height = 0.2
bar = 0.03
[[body]]
solid = "angle"
material = "stone"
position = [0, 0, 0]
)") + turn + "\n[[probe]]\nkind = \"clumps\"\nids = [0]\n"));
    return run.to_the_end().results("clumps");
  };
  const math::Quaternion q = math::from_kardan({0.3, -0.4, 1.1});
  const double angle = 2 * std::acos(q.w), part = angle / std::sin(0.5 * angle);
  for (const std::string& turn :
       {std::string("kardan = [0.3, -0.4, 1.1]"),
        fmt::format("quaternion = [{}, {}, {}, {}]", 2 * q.w, 2 * q.x, 2 * q.y, 2 * q.z),
        fmt::format("quaternion = [{}, {}, {}, {}]", 1e-200 * q.w, 1e-200 * q.x, 1e-200 * q.y, 1e-200 * q.z),
        fmt::format("quaternion = [{}, {}, {}, {}]", 1e300 * q.w, 1e300 * q.x, 1e300 * q.y, 1e300 * q.z),
        fmt::format("orientation = [{}, {}, {}]", part * q.x, part * q.y, part * q.z)}) {
    const auto r = told(turn.c_str());
    EXPECT_NEAR(r.at("0.kardan_x"), 0.3, 1e-14) << turn;
    EXPECT_NEAR(r.at("0.kardan_y"), -0.4, 1e-14) << turn;
    EXPECT_NEAR(r.at("0.kardan_z"), 1.1, 1e-14) << turn;
    EXPECT_NEAR(std::fabs(r.at("0.qw") * q.w + r.at("0.qx") * q.x + r.at("0.qy") * q.y + r.at("0.qz") * q.z), 1, 1e-14)
        << turn;
  }
}

// A face lands on all its corners at once: they are as many springs and dashpots, and the step must resolve that. Each
// dashpot is that of a corner alone, so that more corners give less back.
TEST(Solids, FlatLandingOnManyCornersMakesNoEnergy) {
  double before = 1;
  for (const int corners : {4, 12, 48, 200}) {
    const std::string text = fmt::format(
        "dimension = 3\n[time]\nend = 0.004\n[[material]]\nname = \"s\"\ndensity = 1000\nstiffness = 1e6\n"
        "[[contact]]\nrestitution = 0.1\nfriction = 0.5\n[[solid]]\nname = \"a\"\nkind = \"prism\"\n"
        "corners = {}\nradius = 0.1\nheight = 0.1\n[[wall]]\nname = \"w\"\nmaterial = \"s\"\npoint = [0, 0, 0]\n"
        "normal = [0, 0, 1]\n[[body]]\nsolid = \"a\"\nmaterial = \"s\"\nposition = [0, 0, 0.0500001]\n"
        "velocity = [0, 0, -1]\n[[probe]]\nkind = \"energy\"\n",
        corners);
    InMemory<3> run(from_text(text));
    run.to_the_end();
    const double back = run.world().clumps.v[0][2];
    EXPECT_GT(back, 0) << corners;
    EXPECT_LT(back, 0.12) << corners;
    EXPECT_LT(back, before) << corners;
    EXPECT_LT(std::fabs(run.results("energy").at("relative_balance")), 2e-3) << corners;
    before = back;
  }
}

const char* const kThinWall = R"(
dimension = 2
[time]
end = 0.5
[gravity]
direction = [0, -1]
[[material]]
name = "s"
density = 1000
stiffness = 1e6
[[contact]]
restitution = 0.3
friction = 0.4
shear_damping = 0.2
[[wall]]
name = "w"
material = "s"
from = [-50, 0]
to = [50, 0]
[[solid]]
name = "a"
kind = "polygon"
outline = [[0, 0], [0.2, 0], [0.2, 0.005], [0.005, 0.005], [0.005, 0.2], [0, 0.2]]
[[body]]
solid = "a"
material = "s"
position = [0, 0.2]
)";

// Of a thin wall, a thin piece that has come through by its own thickness cannot tell on which side it was.
TEST(Solids, ThinPiecesRestOnThinWallsOrTheRunStops) {
  for (const char* turn : {"body.0.orientation=0.3", "body.0.orientation=2", "body.0.orientation=4"}) {
    InMemory<2> run(from_text(kThinWall, {turn}));
    run.to_the_end();
    EXPECT_GT(run.world().clumps.x[0][1], 0.05) << turn;
  }
  InMemory<2> pierced(from_text(kThinWall, {"body.0.orientation=0"}));
  EXPECT_THROW(pierced.to_the_end(), base::RunError);
}

}  // namespace
