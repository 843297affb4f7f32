// SPDX-License-Identifier: MIT
// Many bodies: momentum, angular momentum and energy are kept, the budget closes, packings reach what they should.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "measure/energy.hpp"
#include "support/in_memory.hpp"

namespace {

using namespace moraine;
using test::example;
using test::from_text;
using test::InMemory;

std::string gas(int dimension, const char* periodic, double e) {
  return fmt::format(R"(
dimension = {0}
seed = 11
[[material]]
name = "m"
density = 1000
stiffness = 1e6
[[contact]]
restitution = {2}
friction = 0.4
[domain]
{1}
[[fill]]
method = "random"
material = "m"
radius = 0.05
spread = 0.3
fraction = {3}
min = [{4}]
max = [{5}]
random_speed = 1
[time]
end = 0.4
[[probe]]
kind = "energy"
)",
                     dimension, periodic, e, dimension == 2 ? 0.4 : 0.2, dimension == 2 ? "0, 0" : "0, 0, 0",
                     dimension == 2 ? "2, 2" : "1, 1, 1");
}

template <int D>
void momentum_is_kept(const std::string& text) {
  InMemory<D> m(from_text(text));
  m.run->begin(nullptr);
  const math::Vec<D> before = measure::momentum(m.world());
  double scale = 0;
  for (std::size_t i = 0; i < m.world().bodies.size(); ++i)
    scale += m.world().bodies.mass[i] * math::norm(m.world().velocity(i));
  while (!m.run->finished()) m.run->step();
  m.run->finish();
  const math::Vec<D> after = measure::momentum(m.world());
  for (int k = 0; k < D; ++k) EXPECT_NEAR(after[k], before[k], 1e-12 * scale);
  EXPECT_GT(m.results("energy").at("friction"), 0) << "nothing happened";
  EXPECT_LT(m.results("energy").at("relative_balance"), 1e-3);
}

TEST(Conservation, MomentumInAPeriodicBoxWithoutGravity) {
  momentum_is_kept<2>(gas(2, "min = [0, 0]\nmax = [2, 2]\nperiodic = [\"x\", \"y\"]", 0.7));
  momentum_is_kept<3>(gas(3, "min = [0, 0, 0]\nmax = [1, 1, 1]\nperiodic = [\"x\", \"y\", \"z\"]", 0.7));
}

TEST(Conservation, AngularMomentumOfAnOpenCloud) {
  InMemory<3> m(from_text(gas(3, "", 0.6)));
  m.run->begin(nullptr);
  const auto angular = [&] {
    math::Vec3 l{};
    const auto& b = m.world().bodies;
    for (std::size_t i = 0; i < b.size(); ++i) {
      l += math::cross(b.place[i].x, m.world().velocity(i) * b.mass[i]) + m.world().spin(i) * b.inertia[i];
    }
    return l;
  };
  const math::Vec3 before = angular();
  while (!m.run->finished()) m.run->step();
  m.run->finish();
  const math::Vec3 after = angular();
  EXPECT_GT(m.results("energy").at("normal_damping"), 0);
  for (int k = 0; k < 3; ++k) EXPECT_NEAR(after[k], before[k], 1e-10 * math::norm(before) + 1e-10);
}

TEST(Conservation, UndampedSmoothGasKeepsItsEnergy) {
  InMemory<2> m(from_text(gas(2, "min = [0, 0]\nmax = [2, 2]\nperiodic = [\"x\", \"y\"]", 1.0),
                          {"contact.0.friction=0", "contact.0.tangential=none", "time.fraction=0.005"}));
  m.to_the_end();
  const auto& rows = m.rows.at("energy");
  const double first = rows.front()[1] + rows.front()[4], last = rows.back()[1] + rows.back()[4];
  EXPECT_NEAR(last, first, 1e-4 * first);
}

// Energy put in: what fell. The budget must close to 0.1 % of it.
TEST(Conservation, EnergyBudgetOfTheHeapCloses) {
  InMemory<2> m(example("heap_2d", {"time.end=0.6"}));
  m.to_the_end();
  const auto r = m.results("energy");
  EXPECT_GT(r.at("normal_damping") + r.at("friction"), 5);
  EXPECT_LT(r.at("relative_balance"), 1e-3);
}

TEST(Conservation, EnergyBudgetOfTheShakerClosesWithTheWorkOfTheFloor) {
  InMemory<2> m(example("shaker", {"time.end=0.5"}));
  m.to_the_end();
  const auto r = m.results("energy");
  EXPECT_GT(r.at("wall_work"), 1);
  EXPECT_LT(r.at("relative_balance"), 1e-3);
}

class BudgetOfEveryLaw : public testing::TestWithParam<std::vector<std::string>> {};
TEST_P(BudgetOfEveryLaw, Closes) {
  for (const int dimension : {2, 3}) {
    const std::string box = dimension == 2 ? "min = [0, 0]\nmax = [2, 2]\nperiodic = [\"x\", \"y\"]"
                                           : "min = [0, 0, 0]\nmax = [1, 1, 1]\nperiodic = [\"x\", \"y\", \"z\"]";
    std::vector<std::string> sets = GetParam();
    sets.emplace_back("material.0.young=1e8");
    sets.emplace_back("contact.0.coefficient=1e8");
    const scene::Scene scene = from_text(gas(dimension, box.c_str(), 0.6), sets);
    std::map<std::string, double> r;
    if (dimension == 2) {
      InMemory<2> m(scene);
      r = m.to_the_end().results("energy");
    } else {
      InMemory<3> m(scene);
      r = m.to_the_end().results("energy");
    }
    EXPECT_GT(r.at("normal_damping"), 1);
    EXPECT_LT(r.at("relative_balance"), 2e-3) << dimension << "D";
  }
}
INSTANTIATE_TEST_SUITE_P(
    Conservation, BudgetOfEveryLaw,
    testing::Values(std::vector<std::string>{"contact.0.normal=linear", "contact.0.no_tension=false"},
                    std::vector<std::string>{"contact.0.normal=linear", "contact.0.friction_limit=total",
                                             "contact.0.shear_damping=0.1"},
                    std::vector<std::string>{"contact.0.normal=hertz", "contact.0.tangential=mindlin"},
                    std::vector<std::string>{"contact.0.normal=hunt-crossley"},
                    std::vector<std::string>{"contact.0.normal=walton-braun"},
                    std::vector<std::string>{"contact.0.normal=linear", "contact.0.tangential=viscous",
                                             "contact.0.shear_viscosity=500"}));

TEST(Packings, SqueezingReachesTheFractionAskedFor) {
  const scene::Scene scene = from_text(R"(
dimension = 2
[[material]]
name = "m"
density = 1000
stiffness = 1e6
[[contact]]
restitution = 0.5
[[fill]]
method = "squeeze"
material = "m"
radius = 0.03
fraction = 0.78
min = [0, 0]
max = [2, 2]
[time]
end = 0.001
)");
  const scene::Built<2> built = scene::build<2>(scene);
  double covered = 0;
  for (const auto& m : built.world.bodies.place) {
    covered += M_PI * m.radius * m.radius;
    EXPECT_GT(m.x[0], 0.7 * m.radius);
    EXPECT_LT(m.x[1], 2 - 0.7 * m.radius);
  }
  EXPECT_NEAR(covered / 4, 0.78, 0.002);
}

// Weight on the floor of a settled bed is the weight of the bed.
TEST(Packings, ASettledLayerPressesOnItsFloorWithItsWeight) {
  InMemory<2> m(from_text(R"(
dimension = 2
global_damping = 5
[gravity]
[[material]]
name = "m"
density = 1000
stiffness = 1e5
[[contact]]
restitution = 0.3
[domain]
min = [0, -1]
max = [1, 2]
periodic = ["x"]
[[wall]]
name = "floor"
material = "m"
from = [-1, 0]
to = [2, 0]
[[fill]]
method = "lattice"
material = "m"
radius = 0.02
spread = 0.1
spacing = 0.05
jitter = 1
min = [0, 0.01]
max = [1, 0.4]
[time]
end = 3
rest_energy = 1e-9
[[probe]]
kind = "walls"
)"));
  m.to_the_end();
  EXPECT_TRUE(m.run->at_rest());
  double weight = 0;
  for (const double mass : m.world().bodies.mass) weight += mass * 9.81;
  EXPECT_NEAR(m.results("walls").at("floor.force_y"), -weight, 0.002 * weight);
}

}  // namespace
