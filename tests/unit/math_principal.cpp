// SPDX-License-Identifier: MIT
// Principal axes: the matrix comes back from its values and axes, the frame is right-handed, the signs are fixed.
#include "math/principal.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "base/random.hpp"

namespace {

namespace m = moraine::math;

// The unit vector k turned by q, as q k q*.
m::Vec3 axis(const m::Quaternion& q, int k) {
  const m::Quaternion v{0, k == 0 ? 1.0 : 0.0, k == 1 ? 1.0 : 0.0, k == 2 ? 1.0 : 0.0};
  const m::Quaternion r = q * v * m::Quaternion{q.w, -q.x, -q.y, -q.z};
  return {r.x, r.y, r.z};
}

double element(const m::Principal& p, int i, int j) {
  double sum = 0;
  for (int k = 0; k < 3; ++k) sum += p.values[k] * axis(p.axes, k)[i] * axis(p.axes, k)[j];
  return sum;
}

void expect_reproduces(const m::Symmetric3& s, double tolerance) {
  const m::Principal p = m::principal_axes(s);
  EXPECT_NEAR(element(p, 0, 0), s.xx, tolerance);
  EXPECT_NEAR(element(p, 1, 1), s.yy, tolerance);
  EXPECT_NEAR(element(p, 2, 2), s.zz, tolerance);
  EXPECT_NEAR(element(p, 0, 1), s.xy, tolerance);
  EXPECT_NEAR(element(p, 0, 2), s.xz, tolerance);
  EXPECT_NEAR(element(p, 1, 2), s.yz, tolerance);
  EXPECT_LE(p.values[0], p.values[1]);
  EXPECT_LE(p.values[1], p.values[2]);
  EXPECT_GE(p.axes.w, 0);
  for (int k = 0; k < 2; ++k) {
    const m::Vec3 a = axis(p.axes, k);
    double largest = 0;
    for (int i = 0; i < 3; ++i) largest = std::fabs(a[i]) > std::fabs(largest) ? a[i] : largest;
    EXPECT_GT(largest, 0) << k;
  }
}

TEST(MathPrincipal, TheMatrixComesBack) {
  moraine::base::Stream random(7, "principal");
  const auto draw = [&] { return random.uniform(-1, 1); };
  for (int k = 0; k < 2000; ++k) expect_reproduces({draw(), draw(), draw(), draw(), draw(), draw()}, 3e-15);
}

TEST(MathPrincipal, ValuesOfAKnownMatrix) {
  // 2 -1 0 / -1 2 -1 / 0 -1 2 has the values 2 - sqrt 2, 2, 2 + sqrt 2.
  const m::Principal p = m::principal_axes({2, 2, 2, -1, 0, -1});
  EXPECT_NEAR(p.values[0], 2 - std::sqrt(2.0), 1e-15);
  EXPECT_NEAR(p.values[1], 2, 1e-15);
  EXPECT_NEAR(p.values[2], 2 + std::sqrt(2.0), 1e-15);
}

TEST(MathPrincipal, EqualValuesKeepTheGivenAxes) {
  const m::Principal p = m::principal_axes({3, 3, 3, 1e-16, -1e-16, 0});
  EXPECT_EQ(p.axes.w, 1);
  EXPECT_EQ(p.axes.x, 0);
  EXPECT_EQ(p.axes.y, 0);
  EXPECT_EQ(p.axes.z, 0);
}

TEST(MathPrincipal, SortsADiagonalMatrix) {
  for (const m::Vec3 d :
       {m::Vec3{1, 2, 3}, {1, 3, 2}, {2, 1, 3}, {2, 3, 1}, {3, 1, 2}, {3, 2, 1}, {2, 1, 1}, {0, 0, 0}}) {
    const m::Principal p = m::principal_axes({d[0], d[1], d[2], 0, 0, 0});
    double sorted[] = {d[0], d[1], d[2]};
    std::sort(sorted, sorted + 3);
    for (int i = 0; i < 3; ++i) {
      EXPECT_EQ(p.values[i], sorted[i]);
      EXPECT_NEAR(element(p, i, i), d[i], 3e-15);
      EXPECT_NEAR(element(p, i, (i + 1) % 3), 0, 3e-15);
    }
  }
}

TEST(MathPrincipal, TinyAndHugeMatricesAreNoDifferent) {
  expect_reproduces({1e-30, 3e-30, 2e-30, 0.5e-30, 0.3e-30, -0.7e-30}, 1e-44);
  expect_reproduces({1e30, 3e30, 2e30, 0.5e30, 0.3e30, -0.7e30}, 1e16);
}

TEST(MathRotation, KardanAnglesComeBackAndTurnAxisByAxis) {
  moraine::base::Stream random(3, "kardan");
  for (int k = 0; k < 2000; ++k) {
    const m::Vec3 angles{random.uniform(-3.14, 3.14), random.uniform(-1.57, 1.57), random.uniform(-3.14, 3.14)};
    const m::Quaternion q = m::from_kardan(angles);
    const m::Vec3 back = m::kardan_of(q), other = m::kardan_of({-q.w, -q.x, -q.y, -q.z});
    for (int i = 0; i < 3; ++i) {
      EXPECT_NEAR(back[i], angles[i], 1e-11) << k;
      EXPECT_NEAR(other[i], angles[i], 1e-11) << k;
    }
    // The matrix of the sources: R = Rx(a) Ry(b) Rz(c), of which R z = (sin b, -sin a cos b, cos a cos b).
    const m::Vec3 z = axis(q, 2);
    EXPECT_NEAR(z[0], std::sin(angles[1]), 1e-15);
    EXPECT_NEAR(z[1], -std::sin(angles[0]) * std::cos(angles[1]), 1e-15);
    EXPECT_NEAR(z[2], std::cos(angles[0]) * std::cos(angles[1]), 1e-15);
  }
  // Where the second is a right angle, the same turn comes back.
  for (const double sign : {-1.0, 1.0}) {
    const m::Quaternion q = m::from_kardan({0.4, sign * m::kPi / 2, 0.3}), back = m::from_kardan(m::kardan_of(q));
    for (int k = 0; k < 3; ++k) {
      for (int i = 0; i < 3; ++i) EXPECT_NEAR(axis(back, k)[i], axis(q, k)[i], 1e-7);
    }
  }
}

}  // namespace
