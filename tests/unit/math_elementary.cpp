// SPDX-License-Identifier: MIT
// Our sin, cos, exp, log, pow, acos against the C library, and rotations against their definition.
#include "math/elementary.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "base/random.hpp"
#include "math/rotation.hpp"

namespace {

namespace m = moraine::math;

double ulps(double a, double b) {
  if (a == b) return 0;
  return std::fabs(a - b) / (std::numeric_limits<double>::epsilon() * std::max(std::fabs(b), 1e-300));
}

TEST(MathElementary, SineAndCosineAreGoodToTwoUnits) {
  moraine::base::Stream random(1, "sin");
  for (int k = 0; k < 20000; ++k) {
    const double x = random.uniform(-1000, 1000);
    EXPECT_NEAR(m::sin(x), std::sin(x), 3e-16) << x;
    EXPECT_NEAR(m::cos(x), std::cos(x), 3e-16) << x;
  }
  EXPECT_EQ(m::sin(0), 0);
  EXPECT_EQ(m::cos(0), 1);
}

TEST(MathElementary, SineAndCosineOfLargeNumbersAreGoodToTwoUnits) {
  moraine::base::Stream random(5, "large");
  for (int k = 0; k < 20000; ++k) {
    const double x = (k % 2 == 0 ? 1 : -1) * std::exp(random.uniform(std::log(1e5), std::log(1.7e308)));
    EXPECT_NEAR(m::sin(x), std::sin(x), 3e-16) << x;
    EXPECT_NEAR(m::cos(x), std::cos(x), 3e-16) << x;
  }
  // The double nearest to a multiple of pi/2, relative to its size: 6381956970095103 * 2^797.
  const double x = std::ldexp(6381956970095103.0, 797);
  EXPECT_LT(ulps(m::cos(x), -4.68716592425462761112e-19), 2);  // by 2000-bit arithmetic; the C library's is 7 units off
  for (const double y : {0x1p20, -0x1p20, std::nextafter(0x1p20, 2e6), 1e22, std::numeric_limits<double>::max()}) {
    EXPECT_LT(ulps(m::sin(y), std::sin(y)), 3) << y;
    EXPECT_LT(ulps(m::cos(y), std::cos(y)), 3) << y;
  }
  EXPECT_TRUE(std::isnan(m::sin(std::numeric_limits<double>::infinity())));
  EXPECT_TRUE(std::isnan(m::cos(std::nan(""))));
}

TEST(MathElementary, ExpLogPowAreGoodToAFewUnits) {
  moraine::base::Stream random(2, "exp");
  for (int k = 0; k < 20000; ++k) {
    const double x = random.uniform(-600, 600), y = std::exp(random.uniform(-300, 300));
    EXPECT_LT(ulps(m::exp(x), std::exp(x)), 4) << x;
    EXPECT_NEAR(m::log(y), std::log(y), 4e-16 * std::max(1.0, std::fabs(std::log(y)))) << y;
    const double a = random.uniform(1e-6, 10), p = random.uniform(0.5, 4);
    EXPECT_LT(ulps(m::pow(a, p), std::pow(a, p)), 40) << a << "^" << p;
  }
  EXPECT_EQ(m::pow(0, 1.5), 0);
  EXPECT_EQ(m::pow(4, 1.5), 8);
}

TEST(MathElementary, ArcSineIsGoodToTwoUnits) {
  moraine::base::Stream random(4, "asin");
  for (int k = 0; k < 20000; ++k) {
    const double x = (k % 2 == 0 ? 1 : std::exp(random.uniform(-40, 0))) * random.uniform(-1, 1);
    EXPECT_LT(ulps(m::asin(x), std::asin(x)), 2) << x;
    EXPECT_LT(ulps(m::asin(1 - std::fabs(x)), std::asin(1 - std::fabs(x))), 2) << 1 - std::fabs(x);
  }
  EXPECT_EQ(m::asin(0), 0);
  EXPECT_EQ(m::asin(1), m::kPi / 2);
  EXPECT_EQ(m::asin(-1), -m::kPi / 2);
}

TEST(MathElementary, ArcsAreGood) {
  for (double x = -1; x <= 1; x += 1.0 / 4096) EXPECT_NEAR(m::acos(x), std::acos(x), 1e-15) << x;
  for (double x = 1; x < 50; x += 0.37)
    EXPECT_NEAR(m::acosh(x), std::acosh(x), 2e-15 * std::max(1.0, std::acosh(x))) << x;
}

TEST(MathElementary, ArcTangentIsGoodToTwoUnits) {
  moraine::base::Stream random(3, "atan");
  for (int k = 0; k < 20000; ++k) {
    const double size = std::exp(random.uniform(-40, 40));
    const double x = size * random.uniform(-1, 1), y = random.uniform(-1, 1) * (k % 2 == 0 ? size : 1);
    EXPECT_LT(ulps(m::atan2(y, x), std::atan2(y, x)), 2) << y << " / " << x;
    EXPECT_LT(ulps(m::atan(x), std::atan(x)), 2) << x;
  }
  const double inf = std::numeric_limits<double>::infinity();
  const double values[] = {0.0, -0.0, 1.0, -2.0, 5e-324, -5e-324, 1e-310, 1.7e308, -1.7e308, inf, -inf};
  for (const double x : values) {
    for (const double y : values) {
      EXPECT_LT(ulps(m::atan2(y, x), std::atan2(y, x)), 2) << y << " / " << x;
      EXPECT_EQ(std::signbit(m::atan2(y, x)), std::signbit(std::atan2(y, x))) << y << " / " << x;
    }
  }
  EXPECT_TRUE(std::isnan(m::atan2(std::nan(""), 1)));
  EXPECT_TRUE(std::isnan(m::atan(std::nan(""))));
}

TEST(MathElementary, HyperbolicTangentIsGoodToThreeUnits) {
  moraine::base::Stream random(4, "tanh");
  for (int k = 0; k < 20000; ++k) {
    const double x = k % 2 == 0 ? random.uniform(-25, 25) : random.uniform(-1.5, 1.5);
    EXPECT_LT(ulps(m::tanh(x), std::tanh(x)), 3) << x;
    EXPECT_LT(ulps(m::tanh(x * 1e-9), std::tanh(x * 1e-9)), 2) << x;
  }
  const double inf = std::numeric_limits<double>::infinity();
  EXPECT_EQ(m::tanh(inf), 1);
  EXPECT_EQ(m::tanh(-inf), -1);
  EXPECT_TRUE(std::isnan(m::tanh(std::nan(""))));
}

TEST(MathRotation, TurningStepByStepIsThirdOrderInTheAngleOfOneStep) {
  // A whole turn about a skew axis: the error of the Cayley form falls with the square of the number of steps.
  const m::Vec3 w = m::Vec3{1, 2, -2} * (2 * m::kPi / 3);
  double last = 0;
  for (const int steps : {50, 100, 200}) {
    m::Quaternion q;
    for (int k = 0; k < steps; ++k) m::turn(q, w, 1.0 / steps);
    EXPECT_NEAR(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z, 1, 1e-14);
    const double error = std::fabs(std::fabs(q.w) - 1) + std::fabs(q.x) + std::fabs(q.y) + std::fabs(q.z);
    if (last > 0) {
      EXPECT_NEAR(last / error, 4, 0.4) << steps;
    }
    last = error;
  }
}

TEST(MathRotation, TurnsAsTheRightHandDoes) {
  const m::Vec2 a = m::rotated(m::Vec2{1, 0}, m::kPi / 2);
  EXPECT_NEAR(a[0], 0, 1e-15);
  EXPECT_NEAR(a[1], 1, 1e-15);
  const m::Vec3 b = m::rotated(m::Vec3{1, 0, 0}, m::Vec3{0, 0, m::kPi / 2});
  EXPECT_NEAR(b[1], 1, 1e-15);
}

}  // namespace
