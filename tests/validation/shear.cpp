// SPDX-License-Identifier: MIT
// Lees-Edwards: momentum, the linear profile, and stress by contacts and motion against stress by work.
#include <gtest/gtest.h>

#include "measure/energy.hpp"
#include "support/in_memory.hpp"

namespace {

using namespace moraine;
using test::example;
using test::from_text;
using test::InMemory;

const char* const kSpheres = R"(
dimension = 3
seed = 3
[time]
end = 1.0
[domain]
min = [0, 0, 0]
max = [0.1, 0.1, 0.1]
periodic = ["x", "y", "z"]
[domain.shear]
rate = 10
flow = "y"
gradient = "z"
[[material]]
name = "ball"
density = 1000
stiffness = 1e4
[[contact]]
restitution = 0.7
friction = 0.3
[[fill]]
method = "random"
material = "ball"
radius = 0.006
min = [0, 0, 0]
max = [0.1, 0.1, 0.1]
fraction = 0.3
random_speed = 0.05
[[probe]]
kind = "stress"
from = 0.3
every = 1e-3
[[probe]]
kind = "energy"
)";

// With the speed of the image that each body is in, counted from where it started, forces come in pairs.
template <int D>
math::Vec<D> whole_momentum(const world::World<D>& world, double& size) {
  const auto& s = world.domain.shear;
  math::Vec<D> sum{};
  for (std::size_t i = 0; i < world.bodies.size(); ++i) {
    math::Vec<D> v = world.velocity(i);
    v[s.flow] += world.bodies.image[i][static_cast<std::size_t>(s.gradient)] * world.domain.slide_speed();
    if (world.bodies.moving[i].held != world::Held::kFree) continue;
    sum += v * world.bodies.mass[i];
    size += math::norm(v) * world.bodies.mass[i];
  }
  return sum;
}

template <int D>
void momentum_is_kept(const scene::Scene& scene) {
  InMemory<D> run(scene);
  run.run->begin(nullptr);
  run.run->step();
  double size = 0;
  const auto before = whole_momentum<D>(run.world(), size);
  while (!run.run->finished()) run.run->step();
  const auto after = whole_momentum<D>(run.world(), size);
  EXPECT_LT(math::norm(after - before), 1e-12 * size);
  EXPECT_GT(run.run->status().contacts, 0);
}

TEST(Shear, KeepsMomentum) {
  momentum_is_kept<2>(example("simple_shear", {"time.end=0.3"}));
  momentum_is_kept<3>(from_text(kSpheres, {"time.end=0.2"}));
}

// Of clumps too, whose members may lie in other images than their centre.
TEST(Shear, KeepsMomentumOfClumps) {
  const std::string clumps = std::string(kSpheres) + "[[clump]]\nname = \"pair\"\nkind = \"rod\"\ncount = 2\n";
  InMemory<3> run(
      from_text(clumps, {"fill.0.clump=pair", "fill.0.radius=0.008", "fill.0.fraction=0.2", "time.end=0.3"}));
  run.run->begin(nullptr);
  run.run->step();
  const auto momentum = [&](double& size) {
    const auto& w = run.world();
    math::Vec3 sum{};
    for (std::size_t c = 0; c < w.clumps.size(); ++c) {
      math::Vec3 v = w.clump_velocity(c);
      v[1] += w.clumps.image[c][2] * w.domain.slide_speed();
      sum += v * w.clumps.mass[c];
      size += math::norm(v) * w.clumps.mass[c];
    }
    return sum;
  };
  double size = 0;
  const math::Vec3 before = momentum(size);
  while (!run.run->finished()) run.run->step();
  run.run->finish();
  EXPECT_LT(math::norm(momentum(size) - before), 1e-12 * size);
  EXPECT_LT(run.results("energy").at("relative_balance"), 1e-3);
}

// Stress by work: the two must agree within 1 %. The budget closes. (Numbers at a rate of 10/s: about 8.4 Pa.)
TEST(Shear, StressByContactsIsStressByWork) {
  MORAINE_NOT_UNDER_SANITIZERS();
  InMemory<2> flat(example("simple_shear", {"time.end=2"}));
  flat.to_the_end();
  const auto stress = flat.results("stress");
  EXPECT_NEAR(stress.at("shear_stress") / stress.at("shear_stress_by_work"), 1, 0.01);
  EXPECT_LT(flat.results("energy").at("relative_balance"), 1e-3);
  InMemory<3> solid(from_text(kSpheres, {"time.end=3", "probe.0.every=5e-4"}));
  solid.to_the_end();
  const auto of_spheres = solid.results("stress");
  EXPECT_NEAR(of_spheres.at("shear_stress") / of_spheres.at("shear_stress_by_work"), 1, 0.01);
  EXPECT_LT(solid.results("energy").at("relative_balance"), 1e-3);
}

// Friction and inertial number are those of the means; sizes are known here.
TEST(Shear, FrictionAndInertialNumberFollowFromTheStress) {
  InMemory<2> flat(example("simple_shear", {"time.end=0.6", "probe.0.from=0.2", "setup.spread=0", "thickness=0.5"}));
  const auto s = flat.to_the_end().results("stress");
  EXPECT_NEAR(s.at("friction"), s.at("shear_stress") / s.at("pressure"), 1e-12);
  const double mass = 1000 * 3.14159265358979 * 0.005 * 0.005 * 0.5;
  EXPECT_NEAR(s.at("inertial_number"), 10 * std::sqrt(mass / (s.at("pressure") * 0.5)), 1e-9);
  // Half the relative error of the pressure, as I goes with its root.
  EXPECT_NEAR(s.at("inertial_number_error") / s.at("inertial_number"), 0.5 * s.at("pressure_error") / s.at("pressure"),
              0.05 * s.at("pressure_error") / s.at("pressure"));
  EXPECT_GT(s.at("friction_error"), 0);
  InMemory<3> solid(from_text(kSpheres, {"time.end=0.4"}));
  const auto t = solid.to_the_end().results("stress");
  EXPECT_NEAR(t.at("inertial_number"), 10 * 0.012 * std::sqrt(1000 / t.at("pressure")), 1e-9);
}

// Bagnold: with hard disks the rate is the only clock, so stress and temperature grow with its square.
TEST(Shear, StressGrowsWithTheSquareOfTheRate) {
  MORAINE_NOT_UNDER_SANITIZERS();
  const auto at_rate = [](double rate) {
    InMemory<2> run(
        example("simple_shear", {"domain.shear.rate=" + std::to_string(rate), "time.end=" + std::to_string(16 / rate),
                                 "probe.0.from=" + std::to_string(6 / rate)}));
    run.to_the_end();
    return run.results("stress");
  };
  const auto slow = at_rate(5), fast = at_rate(10);
  EXPECT_NEAR(fast.at("pressure") / slow.at("pressure"), 4, 0.3);
  EXPECT_NEAR(fast.at("temperature") / slow.at("temperature"), 4, 0.3);
}

TEST(Shear, ProfileIsLinear) {
  MORAINE_NOT_UNDER_SANITIZERS();
  InMemory<2> run(example("simple_shear", {"time.end=1.5"}));
  run.run->begin(nullptr);
  constexpr int kBins = 8;
  std::array<double, kBins> sum{}, count{};
  const auto& w = run.world();
  const double height = w.domain.length(1);
  while (!run.run->finished()) {
    run.run->step();
    if (w.time < 0.3 || w.step % 200 != 0) continue;
    for (std::size_t i = 0; i < w.bodies.size(); ++i) {
      // Between two findings a body may be a little outside.
      double y = w.bodies.place[i].x[1] / height, v = w.bodies.moving[i].v[0];
      v -= std::floor(y) * w.domain.slide_speed();
      y -= std::floor(y);
      const auto bin = static_cast<std::size_t>(y * kBins);
      sum[bin] += v - w.domain.slide_speed() * (y - 0.5);
      ++count[bin];
    }
  }
  for (int b = 0; b < kBins; ++b) {
    const auto k = static_cast<std::size_t>(b);
    EXPECT_LT(std::fabs(sum[k] / count[k]), 0.02 * w.domain.slide_speed()) << "bin " << b;
  }
}

}  // namespace
