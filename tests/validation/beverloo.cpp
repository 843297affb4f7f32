// SPDX-License-Identifier: MIT
// Beverloo's law in two dimensions, Q = C (D - k)^(3/2), in small bins: the short version of bench/studies/beverloo.py.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "support/in_memory.hpp"

namespace {

using namespace moraine;
using test::from_text;
using test::InMemory;

constexpr double kDiameter = 5e-3;

struct Rate {
  double q, error;  // grains per sqrt(d/g)
};

// A bin 40 d wide; D in diameters. Slow grains rain in above wherever there is room, so that the level stays.
Rate outflow(double outlet) {
  const double d = kDiameter, half = 20 * d, hole = 0.5 * outlet * d;
  const auto wall = [](const char* name, double x0, double y0, double x1, double y1) {
    return fmt::format("[[wall]]\nname = \"{}\"\nmaterial = \"m\"\nfrom = [{}, {}]\nto = [{}, {}]\n", name, x0, y0, x1,
                       y1);
  };
  const double top = 38 * d, floor = 4 * d;
  const std::string grains = fmt::format("material = \"m\"\nradius = {}\nspread = 0.2\n", 0.5 * d);
  InMemory<2> m(from_text(
      "dimension = 2\n[time]\nend = 1.8\nfraction = 0.1\n[gravity]\n[[material]]\nname = \"m\"\ndensity = 1000\n"
      "stiffness = 2e5\n[[contact]]\nrestitution = 0.5\nfriction = 0.5\nshear_damping = 0.2\n" +
      fmt::format("[domain]\nmin = [{}, 0]\nmax = [{}, {}]\n", -half - d, half + d, top) +
      wall("left", -half, -d, -half, top + d) + wall("right", half, -d, half, top + d) +
      wall("floor left", -half, floor, -hole, floor) + wall("floor right", hole, floor, half, floor) +
      wall("plug", -hole, floor, hole, floor) + "until = 0.2\n" + "[[fill]]\nmethod = \"lattice\"\n" + grains +
      fmt::format("jitter = 1\nmin = [{}, {}]\nmax = [{}, {}]\n", -half, floor, half, 34 * d) +
      "[[fill]]\nmethod = \"rain\"\n" + grains +
      fmt::format("min = [{}, {}]\nmax = [{}, {}]\n", -half, 28 * d, half, top) +
      "velocity = [0, -0.5]\ncount = 100000\nbatch = 150\nevery = 0.01\n" +
      fmt::format("[[probe]]\nkind = \"flux\"\nat = {}\nfrom = 0.5\nrow_every = 0.05\n", 2 * d)));
  m.to_the_end();
  const auto r = m.results("flux");
  const double unit = std::sqrt(d / 9.81);
  return {-r.at("number_rate") * unit, r.at("number_rate_error") * unit};
}

TEST(Beverloo, FlowOutOfABinGrowsWithThePower3Over2) {
  MORAINE_NOT_UNDER_SANITIZERS();
  const std::vector<double> outlets{6, 9, 13};
  std::vector<double> y, error;  // Q^(2/3), a straight line over D
  for (const double outlet : outlets) {
    const Rate rate = outflow(outlet);
    ASSERT_GT(rate.q, 0) << outlet;
    EXPECT_GT(rate.error, 0);
    EXPECT_LT(rate.error, 0.05 * rate.q) << outlet;
    y.push_back(std::pow(rate.q, 2.0 / 3));
    error.push_back(2.0 / 3 * rate.error / rate.q * y.back());
    RecordProperty(fmt::format("Q_{}", outlet), fmt::format("{} +- {}", rate.q, rate.error));
  }
  // The middle lies on the line through the other two.
  const double part = (outlets[1] - outlets[0]) / (outlets[2] - outlets[0]);
  const double line = y[0] + part * (y[2] - y[0]);
  const double spread = std::hypot(error[1], std::hypot((1 - part) * error[0], part * error[2]));
  EXPECT_NEAR(y[1], line, 3 * spread);
  // Where it meets zero: Beverloo's k, one to two diameters. And the power, were k the usual 1.4.
  const double slope = (y[2] - y[0]) / (outlets[2] - outlets[0]), k = outlets[0] - y[0] / slope;
  EXPECT_GT(k, 0.5);
  EXPECT_LT(k, 2.5);
  const double power = 1.5 * std::log(y[2] / y[0]) / std::log((outlets[2] - 1.4) / (outlets[0] - 1.4));
  EXPECT_NEAR(power, 1.5, 0.15);
  RecordProperty("k", fmt::format("{}", k));
  RecordProperty("power", fmt::format("{}", power));
}

}  // namespace
