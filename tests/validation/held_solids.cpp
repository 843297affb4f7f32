// SPDX-License-Identifier: MIT
// Solids that are fixed or on a prescribed way, by either method: what lies on them slides, is carried and bounces as
// it should.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "base/random.hpp"
#include "measure/energy.hpp"
#include "support/in_memory.hpp"

namespace {

using namespace moraine;
using math::Vec3;
using test::from_text;
using test::InMemory;

const char* const kHead = R"(
dimension = 3
[time]
end = 0.4
[hard]
step = 0.001
[gravity]
direction = [0, 0, -1]
[[material]]
name = "stone"
density = 2500
stiffness = 1e7
[[contact]]
restitution = 0.3
friction = 0.3
shear_damping = 0.2
[[solid]]
name = "slab"
kind = "box"
size = [2, 1, 0.2]
[[solid]]
name = "box"
kind = "box"
size = [0.1, 0.1, 0.1]
)";

std::string body(const std::string& solid, const Vec3& at, const std::string& more) {
  return fmt::format("[[body]]\nsolid = \"{}\"\nmaterial = \"stone\"\nposition = [{:.17g}, {:.17g}, {:.17g}]\n{}\n",
                     solid, at[0], at[1], at[2], more);
}
std::string method(bool hard) { return hard ? "method = \"hard\"\n" : std::string("method = \"soft\"\n"); }
// A scene's text with the method in front, as the file has it; [hard] goes with hard only.
std::string scene(bool hard, const std::string& bodies) {
  std::string head = kHead;
  if (!hard) head.replace(head.find("[hard]\nstep = 0.001\n"), std::string("[hard]\nstep = 0.001\n").size(), "");
  return method(hard) + head + bodies;
}

// Down a fixed slab, as Coulomb says.
TEST(HeldSolids, BlockSlidesDownAFixedSlab) {
  for (const bool hard : {false, true}) {
    for (const auto& [friction, degrees] : {std::pair{0.3, 30.0}, {0.2, 20.0}, {0.7, 30.0}}) {
      const double angle = degrees * math::kPi / 180;
      const Vec3 along{std::cos(angle), 0, -std::sin(angle)}, up{std::sin(angle), 0, std::cos(angle)};
      const Vec3 from = up * 0.15 - along * 0.5;
      const std::string turn = fmt::format("orientation = [0, {:.17g}, 0]", angle);
      InMemory<3> run(from_text(scene(hard, body("slab", {0, 0, 0}, turn + "\nfixed = true") + body("box", from, turn)),
                                {fmt::format("contact.0.friction={}", friction)}));
      run.to_the_end();
      const double way = math::dot(run.world().clumps.x[0] - from, along);
      const double exact = std::max(0.0, 0.5 * 9.81 * 0.16 * (std::sin(angle) - friction * std::cos(angle)));
      EXPECT_NEAR(way, exact, exact > 0 ? 0.005 * exact : 2e-5) << hard << " " << friction << " " << degrees;
      EXPECT_EQ(math::norm(run.world().bodies.place[0].x), 0) << hard;
    }
  }
}

// A belt of one slab: the block gains speed by friction until it goes along, and the slab has done twice that work.
TEST(HeldSolids, BlockIsCarriedByAMovingSlab) {
  for (const bool hard : {false, true}) {
    const double speed = 0.5, mu = 0.3;
    InMemory<3> run(from_text(scene(
        hard, body("slab", {0, 0, 0}, "[[body.motion]]\nvelocity = [0.5, 0, 0]") + body("box", {0, 0, 0.15}, ""))));
    run.run->keep_energy();
    run.to_the_end();
    const world::World<3>& world = run.world();
    const double until = speed / (mu * 9.81), way = speed * (0.4 - until) + 0.5 * speed * until;
    EXPECT_NEAR(world.clumps.x[0][0], way, 0.005 * way) << hard;
    EXPECT_NEAR(world.clumps.v[0][0], speed, 0.001 * speed) << hard;
    EXPECT_NEAR(world.bodies.place[0].x[0], 0.2, 1e-12) << hard;
    const double work = world.clumps.mass[0] * speed * speed;
    EXPECT_NEAR(world.ledger.walls, work, 0.01 * work) << hard;
    EXPECT_NEAR(world.ledger.friction, 0.5 * work, 0.02 * work) << hard;
  }
}

// On a turntable a block stays where friction holds it, and turns with it; the table's turn is exact at any time.
TEST(HeldSolids, BlockTurnsWithATable) {
  for (const bool hard : {false, true}) {
    const double spin = 2.5, radius = 0.3;  // spin^2 radius = 1.9 < mu g = 2.9
    InMemory<3> run(from_text(
        scene(hard, body("slab", {0, 0, 0}, "orientation = [0, 0, 0.4]\n[[body.motion]]\nspin = [0, 0, 2.5]") +
                        body("box", {radius, 0, 0.15}, "velocity = [0, 0.75, 0]\nspin = [0, 0, 2.5]"))));
    run.to_the_end();
    const world::World<3>& world = run.world();
    const double angle = spin * 0.4;
    EXPECT_NEAR(world.clumps.x[0][0], radius * std::cos(angle), 2e-3) << hard;
    EXPECT_NEAR(world.clumps.x[0][1], radius * std::sin(angle), 2e-3) << hard;
    const Vec3 points =
        math::rotated(Vec3{1, 0, 0}, world.bodies.orientation[0] * math::inverse(world.solids[0]->axes));
    EXPECT_NEAR(points[0], std::cos(0.4 + angle), 1e-12) << hard;
    EXPECT_NEAR(points[1], std::sin(0.4 + angle), 1e-12) << hard;
    const Vec3 turned =
        math::rotated(Vec3{1, 0, 0}, world.clumps.orientation[0] * math::inverse(world.solids[1]->axes));
    EXPECT_NEAR(std::atan2(turned[1], turned[0]), angle, 0.01) << hard;
  }
}

// An elastic ball without friction comes back as it went: from a face, an edge and a corner of a fixed cube.
TEST(HeldSolids, BallBouncesOffAFixedCube) {
  for (const bool hard : {false, true}) {
    for (const Vec3& to : {Vec3{0, 0, 1}, Vec3{1, 0, 1}, Vec3{1, 1, 1}}) {
      const Vec3 away = to * (1 / math::norm(to)), from = to * 0.05 + away * 0.1;
      const std::string ball = fmt::format(
          "[[body]]\nradius = 0.04\nmaterial = \"stone\"\nposition = [{:.17g}, {:.17g}, {:.17g}]\n"
          "velocity = [{:.17g}, {:.17g}, {:.17g}]\n",
          from[0], from[1], from[2], -away[0], -away[1], -away[2]);
      InMemory<3> run(from_text(scene(hard, body("box", {0, 0, 0}, "fixed = true") + ball),
                                {"contact.0.restitution=1", "contact.0.friction=0", "gravity.acceleration=0"}));
      run.to_the_end();
      const world::World<3>& world = run.world();
      EXPECT_NEAR(math::dot(world.velocity(1), away), 1, hard ? 1e-9 : 1e-3) << hard << " " << to[0] << to[1];
      EXPECT_NEAR(math::norm(world.velocity(1)), 1, hard ? 1e-9 : 1e-3) << hard;
    }
  }
}

// In the plane: an L of stone on a fixed polygon, and the measures know what the fixed one covers.
TEST(HeldSolids, PolygonRestsOnAFixedOne) {
  for (const bool hard : {false, true}) {
    InMemory<2> run(from_text(method(hard) + R"(
dimension = 2
[time]
end = 1
[gravity]
direction = [0, -1]
[domain]
min = [-1, -1]
max = [1, 1]
[[material]]
name = "stone"
density = 100
stiffness = 1e6
[[contact]]
restitution = 0.3
friction = 0.6
[[solid]]
name = "ramp"
kind = "polygon"
outline = [[-0.5, 0], [0.5, 0], [0, 0.2]]
[[solid]]
name = "square"
kind = "polygon"
outline = [[0, 0], [0.1, 0], [0.1, 0.1], [0, 0.1]]
[[body]]
solid = "ramp"
material = "stone"
position = [0, 0]
orientation = 3.14159265358979312
fixed = true
[[body]]
solid = "square"
material = "stone"
position = [0.02, 0.1266666666666666]
[[probe]]
kind = "stress"
name = "all"
)"));
    run.to_the_end();
    const world::World<2>& world = run.world();
    // Upside down its long side is above, a third of the height over its centre.
    EXPECT_NEAR(world.clumps.x[0][1], 0.2 / 3 + 0.05, hard ? 1e-6 : 1e-4) << hard;
    EXPECT_NEAR(world.clumps.x[0][0], 0.02, 1e-4) << hard;
    EXPECT_LT(math::norm(world.clumps.v[0]), 1e-6) << hard;
    EXPECT_NEAR(world.volume(0), 0.1, 1e-12);
    EXPECT_NEAR(world.volume(1), 0.01, 1e-12);
  }
}

// Clumps and solids that move freely: without friction and losses an impact keeps momentum, angular momentum and
// energy.
TEST(ClumpsAndSolids, ElasticImpactsKeepWhatTheyMust) {
  for (const bool hard : {false, true}) {
    base::Stream random(7, "clumps");
    int met = 0;
    for (int k = 0; k < (MORAINE_SANITIZED != 0 ? 2 : 12); ++k) {
      const auto any = [&](double size) {
        return fmt::format("[{}, {}, {}]", random.uniform(-size, size), random.uniform(-size, size),
                           random.uniform(-size, size));
      };
      const auto moving = [&](const char* shape, double x) {
        return fmt::format(
            "[[body]]\n{}\nmaterial = \"stone\"\nposition = [{}, {}, {}]\nvelocity = [{}, 0, 0]\norientation = {}\n"
            "spin = {}\n",
            shape, x, random.uniform(-0.03, 0.03), random.uniform(-0.03, 0.03), x < 0 ? 0.5 : -0.5, any(3), any(2));
      };
      InMemory<3> run(from_text(method(hard) + "dimension = 3\n[time]\nend = 0.5\n" +
                                (hard ? "[hard]\nstep = 0.001\nimpact_speed = 0\n" : "") +
                                "[[material]]\nname = \"stone\"\ndensity = 1000\nstiffness = "
                                "2e5\n[[contact]]\nrestitution = 1\nfriction = 0\n"
                                "[[solid]]\nname = \"l\"\nkind = \"L\"\nwidth = 0.1\nheight = 0.14\nbar = 0.04\n"
                                "[[clump]]\nname = \"four\"\nkind = \"tetrahedron\"\n" +
                                moving("solid = \"l\"", -0.11) + moving("clump = \"four\"\nradius = 0.07", 0.11)));
      const auto motion = [&] {
        const world::World<3>& world = run.world();
        std::array<double, 7> sum{};
        for (std::size_t c = 0; c < world.clumps.size(); ++c) {
          const Vec3 p = world.clump_velocity(c) * world.clumps.mass[c], l = world.clump_momentum(c);
          const Vec3 about = l + math::cross(world.clumps.x[c], p);
          for (int i = 0; i < 3; ++i) {
            sum[static_cast<std::size_t>(i)] += p[i];
            sum[static_cast<std::size_t>(3 + i)] += about[i];
          }
          sum[6] += 0.5 * math::norm2(p) / world.clumps.mass[c] + 0.5 * math::dot(l, world.clump_spin(c));
        }
        return sum;
      };
      run.run->begin(nullptr);
      const std::array<double, 7> before = motion();
      const Vec3 v = run.world().clump_velocity(0);
      run.to_the_end();
      const std::array<double, 7> after = motion();
      met += math::norm(run.world().clump_velocity(0) - v) > 0.01 ? 1 : 0;
      for (std::size_t i = 0; i < 6; ++i) EXPECT_NEAR(after[i], before[i], 1e-12) << hard << " " << k << " " << i;
      EXPECT_NEAR(after[6], before[6], 0.005 * before[6]) << hard << " " << k;
    }
    EXPECT_GE(met, MORAINE_SANITIZED != 0 ? 1 : 9) << hard;
  }
}

// A row of balls that lies along a fixed slope slides as Coulomb says, or stays.
TEST(ClumpsAndSolids, RodSlidesDownAFixedSlab) {
  for (const bool hard : {false, true}) {
    for (const double friction : {0.3, 0.7}) {
      const double angle = math::kPi / 6;
      const Vec3 along{std::cos(angle), 0, -std::sin(angle)}, up{std::sin(angle), 0, std::cos(angle)};
      const Vec3 from = up * 0.15 - along * 0.5;
      const std::string turn = fmt::format("orientation = [0, {:.17g}, 0]\n", angle);
      InMemory<3> run(from_text(
          scene(hard,
                "[[clump]]\nname = \"row\"\nkind = \"list\"\npositions = [[-0.08, 0, 0], [0, 0, 0], [0.08, 0, 0]]\n"
                "radii = [0.05, 0.05, 0.05]\n" +
                    body("slab", {0, 0, 0}, turn + "fixed = true") +
                    fmt::format("[[body]]\nclump = \"row\"\nmaterial = \"stone\"\nposition = [{:.17g}, 0, "
                                "{:.17g}]\n{}",
                                from[0], from[2], turn)),
          {fmt::format("contact.0.friction={}", friction)}));
      run.to_the_end();
      const double way = math::dot(run.world().clumps.x[0] - from, along);
      const double exact = std::max(0.0, 0.5 * 9.81 * 0.16 * (std::sin(angle) - friction * std::cos(angle)));
      EXPECT_NEAR(way, exact, exact > 0 ? 0.01 * exact : 5e-5) << hard << " " << friction;
    }
  }
}

}  // namespace
