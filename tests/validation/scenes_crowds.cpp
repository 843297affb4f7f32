// SPDX-License-Identifier: MIT
// The larger example scenes: budgets close, and the drum's power is what its clumps lose.
#include <gtest/gtest.h>

#include <cmath>

#include "support/in_memory.hpp"

namespace {

using namespace moraine;
using test::example;
using test::from_text;
using test::InMemory;

double lost(const std::vector<double>& energy_row) {
  return energy_row[5] + energy_row[6] + energy_row[7] + energy_row[8];
}

TEST(Drum, PowerIsWhatIsLostInTheSteadyFlow) {
  MORAINE_NOT_UNDER_SANITIZERS();
  InMemory<3> m(example("clumps_drum", {"fill.0.count=90", "material.0.stiffness=2000", "time.end=3", "fill.0.batch=90",
                                        "probe.0.every=1e-3", "probe.2.every=1e-4"}));
  m.to_the_end();
  const auto& energy = m.rows.at("energy");
  const auto at = [&](double t) {
    for (const auto& row : energy) {
      if (row[0] >= t) return row;
    }
    return energy.back();
  };
  // The first second is left out: the clumps rain in and settle.
  const auto begin = at(1), end = energy.back();
  EXPECT_EQ(begin[12], end[12]) << "all have come by then";
  const double work = end[9] - begin[9], loss = lost(end) - lost(begin);
  EXPECT_GT(loss, 0.01);
  EXPECT_NEAR(work, loss, 0.03 * loss);

  // The same from the torques on the drum and its two ends, each turning with 4 rad/s about y. The torque that the
  // clumps exert takes its work from the drum.
  double torque = 0;
  std::size_t n = 0;
  for (const auto& row : m.rows.at("drum")) {
    if (row[0] < begin[0]) continue;
    torque += row[5] + row[17] + row[29];
    ++n;
  }
  const double mean = -torque / static_cast<double>(n);
  EXPECT_NEAR(mean * 4 * (end[0] - begin[0]), work, 0.01 * work);
  EXPECT_LT(m.results("energy").at("relative_balance"), 1e-3);
}

TEST(Budget, OfTheWideSizesCloses) {
  MORAINE_NOT_UNDER_SANITIZERS();
  InMemory<3> m(example("wide_sizes", {"time.end=0.06", "fill.0.max=[0.02, 0.02, 0.006]"}));
  m.to_the_end();
  const auto r = m.results("energy");
  EXPECT_GT(r.at("friction") + r.at("normal_damping"), 0.2 * r.at("potential"));
  EXPECT_LT(r.at("relative_balance"), 1e-3);
}

TEST(Budget, OfTheRubblePilesCloses) {
  // Three by three by three each, nearer together.
  InMemory<3> m(example("rubble_pile", {"time.end=8000", "fill.0.min=[-260, -90, -80]", "fill.0.max=[-100, 70, 80]",
                                        "fill.1.min=[100, -70, -80]", "fill.1.max=[260, 90, 80]"}));
  m.to_the_end();
  EXPECT_EQ(m.world().bodies.size(), 54U);
  const auto r = m.results("energy");
  EXPECT_GT(r.at("friction") + r.at("normal_damping"), 0.3 * r.at("load_work")) << "they were to meet";
  EXPECT_LT(r.at("relative_balance"), 1e-3);
}

// The searches may list different candidates, but find the same contacts.
TEST(WideSizes, SweepAndCellsGiveTheSameMotion) {
  const std::vector<std::string> less{"time.end=0.02", "fill.0.max=[0.02, 0.02, 0.004]"};
  auto sweep = less;
  sweep.emplace_back("search.method=sweep");
  InMemory<3> a(example("wide_sizes", less)), b(example("wide_sizes", sweep));
  const auto x = a.to_the_end().results("energy"), y = b.to_the_end().results("energy");
  EXPECT_GT(x.at("friction"), 0);
  EXPECT_NEAR(x.at("kinetic"), y.at("kinetic"), 1e-6 * x.at("kinetic"));
}

// ---- the automatic step of clumps

std::string tetrahedra(const std::string& fill) {
  return R"(
dimension = 3
[time]
end = 0.01
[[material]]
name = "m"
density = 1000
stiffness = 2e4
[[contact]]
restitution = 1
[[clump]]
name = "four"
kind = "tetrahedron"
[[fill]]
material = "m"
clump = "four"
radius = 0.01
min = [0, 0, 0]
max = [0.1, 0.1, 0.1]
)" + fill;
}

// Two tetrahedra that meet at their tips across the line to their centres: each yields as 1/m + d^2/I has it, where d
// is how far a member is from the centre. (Four touching spheres of radius s: d = s sqrt(3/2), I = m (2/5 s^2 +
// 2/3 d^2), outer radius s + d.)
TEST(StepOfClumps, IsThatOfAPushOffTheCentre) {
  const double s = 0.01 / (1 + std::sqrt(1.5)), d = s * std::sqrt(1.5);
  const double mass = 4 * 4.0 / 3 * M_PI * s * s * s * 1000;
  const double inertia = mass * (0.4 * s * s + 2.0 / 3 * d * d);
  const double yields = 1 / (1 / mass + d * d / inertia);
  const double expected = M_PI * std::sqrt(0.5 * yields / 1e4);
  for (const char* fill : {"method = \"lattice\"\n", "method = \"rain\"\ncount = 5\nevery = 0.001\n"}) {
    const scene::Built<3> built = scene::build<3>(from_text(tetrahedra(fill)));
    EXPECT_NEAR(built.choice.contact_time, expected, 1e-4 * expected) << fill;
    EXPECT_LT(built.choice.step, expected / 49) << fill;
  }
}

}  // namespace
