// SPDX-License-Identifier: MIT
// Clumps: the free rigid body, collisions that keep what must be kept, and a clump of one against a single body.
#include <gtest/gtest.h>

#include "measure/energy.hpp"
#include "support/in_memory.hpp"

namespace {

using namespace moraine;
using test::example;
using test::from_text;
using test::InMemory;

// 1e5 steps: energy and angular momentum to 1e-6 (found: 1e-14), and it flips.
TEST(Clump, TennisRacketFlipsAndKeepsEnergyAndAngularMomentum) {
  InMemory<3> run(example("tennis_racket"));
  run.to_the_end();
  ASSERT_EQ(run.world().step, 100000);
  const auto& rows = run.rows["racket"];
  // Columns: time, x(3), v(3), w(3), q(4), body_w(3), L(3), energy.
  double flips = 0;
  for (std::size_t k = 0; k < rows.size(); ++k) {
    EXPECT_NEAR(rows[k][20] / rows[0][20], 1, 1e-12);
    for (std::size_t c = 17; c < 20; ++c) EXPECT_NEAR(rows[k][c], rows[0][c], 1e-12 * std::fabs(rows[0][18]));
    if (k > 0 && rows[k][15] * rows[k - 1][15] < 0) ++flips;
  }
  EXPECT_GE(flips, 2);
}

// The step is of second order: the phase of the flip against a run with steps ten times finer.
TEST(Clump, FreeRotationIsOfSecondOrder) {
  const auto spin_at_end = [](const char* step) {
    InMemory<3> run(
        example("tennis_racket", {std::string("time.step=") + step, "time.end=2", "material.0.stiffness=100"}));
    run.to_the_end();
    const auto r = run.results("racket");
    return math::Vec3{r.at("0.body_wx"), r.at("0.body_wy"), r.at("0.body_wz")};
  };
  const auto exact = spin_at_end("1e-4");
  const double coarse = math::norm(spin_at_end("8e-3") - exact), fine = math::norm(spin_at_end("4e-3") - exact);
  EXPECT_NEAR(coarse / fine, 4, 0.3);
}

// Against the sphere it is.
TEST(Clump, OfOneMemberIsASingleBody) {
  const std::string scene = R"(
dimension = 3
[time]
end = 0.5
[gravity]
[[material]]
name = "ball"
density = 1000
stiffness = 1e5
[[contact]]
restitution = 0.7
friction = 0.4
[[wall]]
name = "floor"
material = "ball"
point = [0, 0, 0]
normal = [0, 0, 1]
[[clump]]
name = "one"
positions = [[0, 0, 0]]
radii = [0.05]
[[body]]
material = "ball"
position = [0, 0, 0.2]
velocity = [1, 0, 0]
spin = [5, 3, 1]
)";
  InMemory<3> single(from_text(scene + "radius = 0.05\n")), clump(from_text(scene + "clump = \"one\"\n"));
  single.to_the_end();
  clump.to_the_end();
  EXPECT_NEAR(clump.world().clumps.mass[0] / single.world().bodies.mass[0], 1, 1e-12);
  for (int k = 0; k < 3; ++k) {
    EXPECT_NEAR(clump.world().clumps.inertia[0][k] / single.world().bodies.inertia[0], 1, 1e-12);
    EXPECT_NEAR(clump.world().bodies.place[0].x[k], single.world().bodies.place[0].x[k], 1e-9);
    EXPECT_NEAR(clump.world().bodies.moving[0].w[k], single.world().bodies.moving[0].w[k], 1e-7);
  }
}

template <int D>
math::Vec3 angular_momentum(const world::World<D>& w) {
  math::Vec3 sum{};
  for (std::size_t c = 0; c < w.clumps.size(); ++c) {
    sum += math::spin_as_vec3(w.clump_momentum(c)) +
           math::cross(math::as_vec3(w.clumps.x[c]), math::as_vec3(w.clump_velocity(c))) * w.clumps.mass[c];
  }
  return sum;
}

// Smooth elastic clumps that fly into each other: energy, momentum and angular momentum.
template <int D>
void collisions_keep(const std::string& fill) {
  const std::string scene = "dimension = " + std::to_string(D) + R"(
seed = 2
[time]
end = 1.0
[[material]]
name = "ice"
density = 900
stiffness = 1e6
[[contact]]
restitution = 1
friction = 0
[[clump]]
name = "lump"
kind = "random"
count = 5
[[fill]]
method = "lattice"
material = "ice"
clump = "lump"
radius = 0.04
spacing = 0.09
random_speed = 1
)" + fill + "[[load]]\nkind = \"formula\"\nfx = \"-20*m*x\"\nfy = \"-20*m*y\"\n" +
                            (D == 3 ? "fz = \"-20*m*z\"\n" : "") + "[[probe]]\nkind = \"energy\"\n";
  InMemory<D> run(from_text(scene));
  run.run->begin(nullptr);
  run.run->step();
  const math::Vec3 before = angular_momentum<D>(run.world());
  std::int64_t contacts = 0;
  while (!run.run->finished()) {
    run.run->step();
    contacts += run.run->status().contacts;
  }
  run.run->finish();
  double scale = 0;
  for (std::size_t c = 0; c < run.world().clumps.size(); ++c) scale += run.world().clumps.mass[c] * 0.2;
  // A central force keeps angular momentum too. Both to the second order of the velocity foreseen.
  EXPECT_LT(math::norm(angular_momentum<D>(run.world()) - before), 1e-3 * scale);
  EXPECT_GT(contacts, 1000);
  EXPECT_LT(run.results("energy").at("relative_balance"), 1e-3);
}
TEST(Clump, CollisionsKeepEnergyAndAngularMomentum) {
  collisions_keep<2>("min = [-0.2, -0.2]\nmax = [0.2, 0.2]\n");
  collisions_keep<3>("min = [-0.15, -0.15, -0.15]\nmax = [0.15, 0.15, 0.15]\n");
}

}  // namespace
