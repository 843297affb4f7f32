// SPDX-License-Identifier: MIT
// One or a few bodies with closed forms: bouncing, sliding into rolling, slopes, corners, damping, a grain held by
// friction.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "measure/energy.hpp"
#include "support/in_memory.hpp"

namespace {

using namespace moraine;
using test::from_text;
using test::InMemory;

const char* const kGround2D = R"(
dimension = 2
[gravity]
[[material]]
name = "m"
density = 1000
stiffness = 1e10
[[wall]]
name = "floor"
material = "m"
from = [-1000, 0]
to = [1000, 0]
)";
const char* const kGround3D = R"(
dimension = 3
[gravity]
[[material]]
name = "m"
density = 1000
stiffness = 1e10
[[wall]]
name = "floor"
material = "m"
point = [0, 0, 0]
normal = [0, 0, 1]
)";

TEST(SingleBodies, ABallBouncesToTheSquareOfTheRestitution) {
  InMemory<2> m(from_text(std::string(kGround2D) + R"(
[[contact]]
restitution = 0.7
[[body]]
material = "m"
radius = 0.1
position = [0, 1.1]
[time]
end = 1.2
[[probe]]
kind = "bodies"
ids = [0]
every = 1e-4
)"));
  m.to_the_end();
  // Falls 1 m in sqrt(2/g) = 0.4515 s, rises for 0.7 of that to 0.49 m. The contact itself takes some time.
  double top = 0;
  for (const auto& row : m.rows.at("bodies")) {
    if (row[0] > 0.5) top = std::max(top, row[2] - 0.1);
  }
  EXPECT_NEAR(top, 0.49, 0.0025);
}

// A body thrown along a rough floor without spin slides until it rolls: v = 2/3 v_0 for a disk, 5/7 v_0 for a sphere.
TEST(SingleBodies, SlidingTurnsIntoRollingAtTheRightSpeed) {
  const std::string rest = R"(
[[contact]]
restitution = 0.5
friction = 0.3
shear_damping = 0.3
[time]
end = 1.0
[[body]]
material = "m"
radius = 0.1
)";
  InMemory<2> disk(from_text(std::string(kGround2D) + rest + "position = [0, 0.1]\nvelocity = [1, 0]\n"));
  InMemory<3> ball(from_text(std::string(kGround3D) + rest + "position = [0, 0, 0.1]\nvelocity = [0.6, 0.8, 0]\n"));
  disk.to_the_end();
  ball.to_the_end();
  EXPECT_NEAR(disk.world().velocity(0)[0], 2.0 / 3, 1e-3);
  EXPECT_NEAR(disk.world().spin(0), -2.0 / 3 / 0.1, 0.02);
  const math::Vec3 v = ball.world().velocity(0), w = ball.world().spin(0);
  EXPECT_NEAR(v[0], 0.6 * 5 / 7, 1e-3);
  EXPECT_NEAR(v[1], 0.8 * 5 / 7, 1e-3);
  EXPECT_NEAR(w[0], -0.8 * 5 / 7 / 0.1, 0.02);
  EXPECT_NEAR(w[1], 0.6 * 5 / 7 / 0.1, 0.02);
}

TEST(SingleBodies, OnASlopeASphereRollsOrSlidesAsTheoryHasIt) {
  for (const double degrees : {10.0, 30.0, 60.0}) {
    InMemory<3> m(from_text(std::string(kGround3D) + R"(
[[contact]]
restitution = 0.5
friction = 0.3
[time]
end = 0.5
[[body]]
material = "m"
radius = 0.1
position = [0, 0, 0.1]
)",
                            {fmt::format("gravity.tilt={} deg", degrees)}));
    m.to_the_end();
    const double a = degrees * M_PI / 180;
    const double rolling = 5.0 / 7 * 9.81 * std::sin(a), sliding = 9.81 * (std::sin(a) - 0.3 * std::cos(a));
    const double expected = std::tan(a) < 3.5 * 0.3 ? rolling : sliding;
    EXPECT_NEAR(m.world().velocity(0)[0], 0.5 * expected, 0.004 * expected) << degrees;
  }
}

TEST(SingleBodies, GlobalDampingLetsAFreeBodyFadeExponentially) {
  InMemory<2> m(from_text(R"(
dimension = 2
global_damping = 3
[[material]]
name = "m"
density = 1000
stiffness = 1e6
[[contact]]
restitution = 0.5
[[body]]
material = "m"
radius = 0.1
position = [0, 0]
velocity = [2, -1]
spin = 5
[time]
end = 1
step = 1e-4
[[probe]]
kind = "energy"
)"));
  m.to_the_end();
  EXPECT_NEAR(m.world().velocity(0)[0], 2 * std::exp(-3), 1e-5);
  EXPECT_NEAR(m.world().spin(0), 5 * std::exp(-3), 1e-5);
  EXPECT_LT(m.results("energy").at("relative_balance"), 1e-5);
}

// Two collinear segments are one floor: a disk rolling over the joint feels nothing. A vertical segment's end is solid.
TEST(SingleBodies, JointsOfWallsAreSmoothAndEndsAreSolid) {
  const std::string rest = R"(
[[contact]]
restitution = 0.5
friction = 0.5
[time]
end = 0.6
[[body]]
material = "m"
radius = 0.1
position = [-0.3, 0.1]
velocity = [1, 0]
spin = -10
[[probe]]
kind = "bodies"
ids = [0]
every = 1e-4
)";
  InMemory<2> joined(from_text(R"(
dimension = 2
[gravity]
[[material]]
name = "m"
density = 1000
stiffness = 1e10
[[wall]]
name = "left"
material = "m"
from = [-5, 0]
to = [0, 0]
[[wall]]
name = "right"
material = "m"
from = [0, 0]
to = [5, 0]
)" + rest));
  InMemory<2> whole(from_text(std::string(kGround2D) + rest));
  joined.to_the_end();
  whole.to_the_end();
  const auto &a = joined.rows.at("bodies"), &b = whole.rows.at("bodies");
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t k = 0; k < a.size(); ++k) EXPECT_NEAR(a[k][2], b[k][2], 1e-6) << "height at x = " << a[k][1];
  EXPECT_NEAR(a.back()[3], 1, 1e-3) << "still rolling";
}

TEST(SingleBodies, ADiskDroppedOnTheEndOfASegmentBouncesBackUp) {
  InMemory<2> m(from_text(R"(
dimension = 2
[gravity]
[[material]]
name = "m"
density = 1000
stiffness = 1e6
[[contact]]
restitution = 0.8
[[wall]]
name = "post"
material = "m"
from = [0, -1]
to = [0, 0]
[[body]]
material = "m"
radius = 0.1
position = [0, 0.6]
[time]
end = 0.45
)"));
  m.to_the_end();
  EXPECT_GT(m.world().velocity(0)[1], 0);
  EXPECT_GT(m.world().bodies.place[0].x[1], 0.1);
}

// A small grain pressed between two large ones is held by friction against gravity, for sizes 1:1 to 1:100: it sags by
// m g / (2 K_t) and rests; carried up by the large ones, it comes along without spin.
class HeldGrain : public testing::TestWithParam<double> {};

std::string held_grain(double ratio, const char* motion) {
  const double r = 0.01, large = r * ratio, press = 0.002 * r;
  return fmt::format(R"(
dimension = 3
[gravity]
[[material]]
name = "m"
density = 2500
stiffness = 2e4
[[contact]]
restitution = 0.5
friction = 0.5
stiffness_ratio = 0.8
shear_damping = 0.2
[[body]]
material = "m"
radius = {0}
position = [0, 0, 0]
[[body]]
material = "m"
radius = {1}
position = [{2}, 0, 0]
{3}
[[body]]
material = "m"
radius = {1}
position = [-{2}, 0, 0]
{3}
[time]
end = 0.2
[[probe]]
kind = "energy"
)",
                     r, large, r + large - press, motion);
}

TEST_P(HeldGrain, RestsWhereItsFrictionHoldsIt) {
  InMemory<3> m(from_text(held_grain(GetParam(), "fixed = true"), {"contact.0.stiffness=10000"}));
  m.to_the_end();
  const auto& bodies = m.world().bodies;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    if (bodies.id[i] != 0) continue;
    const double mass = bodies.mass[i];
    ASSERT_GT(0.5 * 1e4 * 0.002 * 0.01 * 2, mass * 9.81) << "friction must be able to hold it";
    EXPECT_LT(math::norm(m.world().velocity(i)), 1e-7);
    EXPECT_LT(math::norm(m.world().spin(i)), 1e-5);
    EXPECT_NEAR(bodies.place[i].x[2], -mass * 9.81 / (2 * 0.8 * 1e4), 0.01 * mass * 9.81 / (2 * 0.8 * 1e4));
    EXPECT_NEAR(bodies.place[i].x[0], 0, 1e-12);
    EXPECT_NEAR(bodies.place[i].x[1], 0, 1e-12);
  }
}

TEST_P(HeldGrain, ComesAlongWithTheLargeOnes) {
  InMemory<3> m(from_text(held_grain(GetParam(), "[[body.motion]]\nfrom = 0.05\nvelocity = [0, 0, 0.02]\n"),
                          {"contact.0.stiffness=10000"}));
  m.to_the_end();
  const auto& bodies = m.world().bodies;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    if (bodies.id[i] != 0) continue;
    EXPECT_NEAR(m.world().velocity(i)[2], 0.02, 2e-5);
    EXPECT_LT(math::norm(m.world().spin(i)), 1e-3);
  }
}
INSTANTIATE_TEST_SUITE_P(Ratios, HeldGrain, testing::Values(1.0, 3.0, 10.0, 30.0, 100.0));

// The step of a scene whose only moving thing is a clump is chosen for the clump's contacts.
TEST(SingleBodies, AClumpAloneHasAContactTime) {
  const std::string contact = "[[contact]]\nrestitution = 0.5\n[time]\nend = 0.1\n";
  const scene::Built<2> clump = scene::build<2>(from_text(std::string(kGround2D) + contact + R"(
[[clump]]
name = "one"
positions = [[0, 0]]
radii = [0.1]
[[body]]
material = "m"
clump = "one"
position = [0, 1]
)"));
  const scene::Built<2> disk = scene::build<2>(
      from_text(std::string(kGround2D) + contact + "[[body]]\nmaterial = \"m\"\nradius = 0.1\nposition = [0, 1]\n"));
  EXPECT_NEAR(clump.choice.contact_time, disk.choice.contact_time, 1e-9 * disk.choice.contact_time);
  EXPECT_NEAR(clump.choice.step, disk.choice.step, 1e-9 * disk.choice.step);
}

}  // namespace
