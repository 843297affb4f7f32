// SPDX-License-Identifier: MIT
// A small grain between large ones, from equal sizes to 1:100. Codes that take the dashpot's velocity half a step early
// go wrong here from about 1:3 on (Vyas et al. 2025): the grain is shaken, creeps or gains energy.
#include <gtest/gtest.h>

#include "measure/energy.hpp"
#include "support/in_memory.hpp"

namespace {

using namespace moraine;
using test::from_text;
using test::InMemory;

// The grain of radius 1 cm falls a little into the wedge between two (3D: three) fixed large ones that stand so far
// apart that it is held half way down the gap.
template <int D>
std::string wedge(double ratio, double friction) {
  const double r = 0.01, R = ratio * r;
  std::string out = "dimension = " + std::to_string(D) + R"(
[time]
end = 0.6
[gravity]
[[material]]
name = "rock"
density = 2000
stiffness = 1e5
[[contact]]
restitution = 0.5
shear_damping = 0.1
friction = )" + std::to_string(friction) +
                    "\n";
  const auto body = [&](double x, double y, double z, double radius, bool fixed) {
    out += "[[body]]\nmaterial = \"rock\"\nradius = " + std::to_string(radius) + "\nposition = [" + std::to_string(x) +
           ", " + (D == 3 ? std::to_string(y) + ", " : "") + std::to_string(z) + "]\n" +
           (fixed ? "fixed = true\n" : "");
  };
  // Horizontal distance at which the grain would rest at this height above the large centres.
  const double height = 0.3 * (R + r), level = std::sqrt((R + r) * (R + r) - height * height);
  const int count = D == 2 ? 2 : 3;
  for (int k = 0; k < count; ++k) {
    const double angle = 2 * math::kPi * k / count;
    body(level * math::cos(angle), level * math::sin(angle), 0, R, true);
  }
  body(0.002 * r, 0, height + 0.3 * r, r, false);
  return out + "[[probe]]\nkind = \"energy\"\n[[probe]]\nkind = \"bodies\"\nids = [" + std::to_string(count) + "]\n";
}

template <int D>
void comes_to_rest(double ratio, double friction) {
  SCOPED_TRACE(std::to_string(D) + "D, 1:" + std::to_string(ratio) + ", mu = " + std::to_string(friction));
  InMemory<D> run(from_text(wedge<D>(ratio, friction)));
  run.to_the_end();
  const auto& energy = run.rows["energy"];
  double lowest = 1e300;
  for (const auto& row : energy) {
    // Kinetic, potential and elastic energy together never grow.
    const double mechanical = row[1] + row[3] + row[4];
    EXPECT_LT(mechanical, lowest + 1e-6 * std::fabs(energy[0][3]));
    lowest = std::min(lowest, mechanical);
  }
  const double mass = run.world().bodies.mass.back();
  EXPECT_LT(energy.back()[1], 1e-12 * mass * 9.81 * 0.01) << "at rest";
  EXPECT_LT(run.results("energy").at("relative_balance"), 0.01);
  // It does not creep either: in the last tenth of the run it stays where it is.
  const auto& way = run.rows["bodies"];
  const auto &late = way[way.size() * 9 / 10], &end = way.back();
  for (std::size_t k = 1; k <= D; ++k) EXPECT_NEAR(late[k], end[k], 1e-9);
  EXPECT_LT(std::fabs(end[D]), 0.35 * (ratio + 1) * 0.01) << "it lies between the large ones";
}

TEST(SizeRatio, ASmallGrainComesToRestBetweenLargeOnes) {
  for (const double ratio : {1.0, 3.0, 10.0, 30.0, 100.0}) {
    for (const double friction : {0.2, 0.5}) {
      comes_to_rest<2>(ratio, friction);
      comes_to_rest<3>(ratio, friction);
    }
  }
}

}  // namespace
