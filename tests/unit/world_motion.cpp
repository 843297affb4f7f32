// SPDX-License-Identifier: MIT
// Prescribed motion: intervals, oscillation, spin about a point; velocity is the derivative of position.
#include "world/motion.hpp"

#include <gtest/gtest.h>

#include "world/near_wall.hpp"

namespace {

using namespace moraine;
using world::Motion;

TEST(WorldMotion, IntervalsAddUpAndEnd) {
  Motion<2> m;
  m.intervals.push_back({1, 3, {2, 0}, 0});
  m.intervals.push_back({2, 4, {0, -1}, 0});
  EXPECT_EQ(m.shift(0.5), (math::Vec2{0, 0}));
  EXPECT_EQ(m.shift(2), (math::Vec2{2, 0}));
  EXPECT_EQ(m.shift(10), (math::Vec2{4, -2}));
  EXPECT_EQ(m.velocity(2.5), (math::Vec2{2, -1}));
  EXPECT_EQ(m.velocity(4), (math::Vec2{0, 0}));
}

template <int D>
void velocity_is_the_derivative(const Motion<D>& m, const math::Vec<D>& x0, double t) {
  const double h = 1e-6;
  const math::Vec<D> numeric = (m.place(x0, t + h) - m.place(x0, t - h)) * (0.5 / h);
  const math::Vec<D> arm = m.place(x0, t) - (m.about + m.shift(t));
  const math::Vec<D> exact = m.velocity(t) + math::cross(m.spin(t), arm);
  for (int k = 0; k < D; ++k) EXPECT_NEAR(numeric[k], exact[k], 1e-8) << "t = " << t;
}

TEST(WorldMotion, VelocityIsTheDerivativeOfPosition) {
  Motion<2> a;
  a.about = {0.3, -0.2};
  a.intervals.push_back({0, 10, {0.1, 0.2}, 1.5});
  a.amplitude = {0.05, 0.02};
  a.frequency = 3;
  a.phase = 0.4;
  Motion<3> b;
  b.about = {1, 0, 0};
  b.intervals.push_back({0, 1, {0, 0, 0.3}, {0, 2, 0}});
  b.intervals.push_back({1, 5, {0.1, 0, 0}, {1, 0, 1}});
  for (const double t : {0.2, 0.77, 1.3, 2.9}) {
    velocity_is_the_derivative<2>(a, {1, 1}, t);
    velocity_is_the_derivative<3>(b, {0.2, 0.5, -0.3}, t);
  }
}

TEST(WorldMotion, DistanceToASegmentKnowsItsEnds) {
  const world::Surface<2> s{{0, 0}, {2, 0}};
  EXPECT_DOUBLE_EQ(world::distance_to(s, {1, 0.5}), 0.5);
  EXPECT_DOUBLE_EQ(world::distance_to(s, {-3, 4}), 5);
  EXPECT_DOUBLE_EQ(world::distance_to(s, {5, -4}), 5);
  const world::Surface<3> plane{{0, 0, 1}, {0, 0, 1}};
  EXPECT_DOUBLE_EQ(world::distance_to(plane, {7, 7, 3}), 2);
  EXPECT_DOUBLE_EQ(world::distance_to(plane, {7, 7, 0}), -1);
}

}  // namespace
