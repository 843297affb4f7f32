// SPDX-License-Identifier: MIT
// What a finding by cells costs, in pairs looked at: as much per body in large systems as in small ones, and hardly
// more with sizes of 10:1, 30:1 or 100:1 than with equal ones.
#include <gtest/gtest.h>

#include "find/neighbours.hpp"
#include "support/crowds.hpp"

namespace {

using namespace moraine;
using test::Mix;

template <int D>
double candidates_per_body(std::size_t count, double ratio, Mix mix) {
  const double fraction = D == 2 ? 0.6 : 0.4;
  world::World<D> w = test::random_world<D>(
      1, {.count = count, .ratio = ratio, .mix = mix, .space = test::Space::kCube, .fraction = fraction});
  double diameters = 0;
  for (const auto& p : w.bodies.place) diameters += 2 * p.radius;
  w.skin = 0.2 * diameters / static_cast<double>(count);
  base::Team team(1);
  find::Search<D> search(team);
  search.find_neighbours(w);
  EXPECT_GE(search.candidates(), w.contacts.pairs.size());
  return static_cast<double>(search.candidates()) / static_cast<double>(count);
}

TEST(FindCost, HardlyGrowsWithTheSpreadOfSizes) {
  for (const Mix mix : {Mix::kUniform, Mix::kFewLarge, Mix::kPowerLaw}) {
    for (const double ratio : {10.0, 30.0, 100.0}) {
      const double flat = candidates_per_body<2>(20000, ratio, mix), solid = candidates_per_body<3>(20000, ratio, mix);
      EXPECT_LT(flat, 1.3 * candidates_per_body<2>(20000, 1, mix)) << ratio << ":1";
      EXPECT_LT(solid, 1.3 * candidates_per_body<3>(20000, 1, mix)) << ratio << ":1";
    }
  }
}

template <int D>
double growth(double ratio) {
  return candidates_per_body<D>(40000, ratio, Mix::kUniform) / candidates_per_body<D>(10000, ratio, Mix::kUniform);
}

TEST(FindCost, IsLinearInTheNumberOfBodies) {
  for (const double ratio : {1.0, 10.0, 30.0}) {
    EXPECT_NEAR(growth<2>(ratio), 1, 0.1) << ratio << ":1";
    EXPECT_NEAR(growth<3>(ratio), 1, 0.1) << ratio << ":1";
  }
}

}  // namespace
