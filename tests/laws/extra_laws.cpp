// SPDX-License-Identifier: MIT
// Rolling resistance, cohesion and bonds alone: springs, limits, growth, strength, energy.
#include <gtest/gtest.h>

#include <cmath>

#include "soft/extra_time.hpp"
#include "soft/laws/bond.hpp"
#include "soft/laws/cohesion.hpp"
#include "soft/laws/hertz.hpp"
#include "soft/laws/linear.hpp"
#include "soft/laws/rolling.hpp"

namespace {

using namespace moraine;
using namespace moraine::soft;
using math::Vec3;

template <int D>
laws::Approach<D> stretched(double overlap, double rate) {
  laws::Approach<D> a{};
  a.k[0] = 1;
  a.overlap = overlap;
  a.rate = rate;
  a.m_eff = 2;
  a.inverse_r = 10;
  return a;
}

TEST(ExtraLaws, TheConstantCoupleHasItsSizeUntilTheTurningIsNearlyOver) {
  const double dt = 1e-3, inertia = 0.5;
  const auto fast = laws::constant_couple(Vec3{0, 3, -4}, 2.0, inertia, dt);
  EXPECT_NEAR(math::norm(fast.total), 2, 1e-12);
  EXPECT_NEAR(fast.total[1], 2 * 0.6, 1e-12);
  EXPECT_NEAR(fast.lost_friction, 2 * 5 * dt, 1e-12);
  EXPECT_EQ(laws::constant_couple(0.0, 2.0, inertia, dt).total, 0);
  // Slow turning fades, and never turns round, even with as many contacts as a body may have.
  double spin = 1e-3;
  for (int step = 0; step < 200; ++step) {
    const double couple = laws::constant_couple(spin, 2.0, inertia, dt).total;
    spin -= 12 * couple * dt / inertia;
    EXPECT_GE(spin, 0);
  }
  EXPECT_LT(spin, 1e-9);
}

TEST(ExtraLaws, TheRollingSpringIsHeldAtItsLimitAndBooksWhatIsLost) {
  const double k = 100, dt = 1e-3;
  double angle = 0;
  auto m = laws::spring_couple(angle, 0.01, 10.0, 2.0, k, 0.05, dt);
  EXPECT_DOUBLE_EQ(m.total, 1 + 0.5) << "spring and dashpot";
  EXPECT_DOUBLE_EQ(m.elastic, 0.5 * k * 1e-4);
  EXPECT_NEAR(m.lost_dashpot, 0.05 * 100 * dt, 1e-15);
  EXPECT_NEAR(m.lost_friction, 0, 1e-16);
  m = laws::spring_couple(angle, 0.05, 50.0, 2.0, k, 0.05, dt);
  EXPECT_DOUBLE_EQ(m.total, 2) << "the limit, no dashpot";
  EXPECT_DOUBLE_EQ(angle, 0.02);
  EXPECT_EQ(m.lost_dashpot, 0);
  m = laws::spring_couple(angle, 0.05, 50.0, 2.0, k, 0.05, dt);
  EXPECT_NEAR(m.lost_friction, 2 * 0.05, 1e-15) << "all work of the limiting moment";
  m = laws::spring_couple(angle, -0.01, -10.0, 2.0, k, 0.0, dt);
  EXPECT_NEAR(m.total, 1, 1e-15) << "a reversed turning meets the spring at once";
  m = laws::spring_couple(angle, 0.0, 1000.0, 2.0, k, 0.05, dt);
  EXPECT_DOUBLE_EQ(m.total, 2) << "spring and dashpot together do not exceed the limit";
  EXPECT_NEAR(m.lost_dashpot, 1000 * dt, 1e-12);
  Vec3 across{0, 0.03, 0};
  const auto both = laws::spring_couple(across, Vec3{0, 0, 0.04}, Vec3{}, 2.0, k, 0.0, dt);
  EXPECT_NEAR(math::norm(both.total), 2, 1e-14);
  EXPECT_NEAR(across[1], 0.012, 1e-15);
  EXPECT_NEAR(across[2], 0.016, 1e-15);
}

TEST(ExtraLaws, StrengthGrowsWithTheAgeOfTheContact) {
  world::Cohesion c;
  c.at_once.force = 3;
  c.at_once.stress = 100;
  c.growth.force = 8;
  c.time = 5;
  const double section = 0.02;
  EXPECT_DOUBLE_EQ(c.strength(section, 0), 5);
  for (const double age : {0.1, 1.0, 5.0, 30.0})
    EXPECT_NEAR(c.strength(section, age), 5 + 8 * (1 - std::exp(-age / 5)), 1e-13);
  c.linear_growth = true;
  EXPECT_DOUBLE_EQ(c.strength(section, 2.5), 9);
  EXPECT_DOUBLE_EQ(c.strength(section, 50), 13);
  c.time = 0;
  EXPECT_DOUBLE_EQ(c.strength(section, 50), 5) << "no growth";
}

TEST(ExtraLaws, ACohesiveContactIsThePlainOneWhileItPushes) {
  world::PairLaw p;
  p.K = 1e5;
  p.damping = 20;
  for (const auto normal : {world::NormalLaw::kLinear, world::NormalLaw::kHertz}) {
    p.normal = normal;
    const auto a = stretched<3>(1e-3, 0.02);
    const laws::NormalForce f = laws::Cohesive::force(a, p, 1e-4);
    const laws::NormalForce plain = normal == world::NormalLaw::kLinear ? laws::Linear::force(a, p, nullptr, 1e-4)
                                                                        : laws::Hertz::force(a, p, nullptr, 1e-4);
    EXPECT_DOUBLE_EQ(f.total, plain.total);
    EXPECT_DOUBLE_EQ(f.spring, plain.spring);
    EXPECT_DOUBLE_EQ(f.elastic, plain.elastic);
    EXPECT_DOUBLE_EQ(f.lost, plain.lost);
  }
}

TEST(ExtraLaws, AStretchedContactPullsWithItsSpringAndNotBeyondItsStrength) {
  world::PairLaw p;
  p.K = 1e5;
  p.damping = 20;
  p.cohesion.stiffness = 4e4;
  auto a = stretched<2>(-1e-4, -0.01);
  a.strength = 50;
  laws::NormalForce f = laws::Cohesive::force(a, p, 1e-4);
  EXPECT_DOUBLE_EQ(f.spring, -10);
  EXPECT_DOUBLE_EQ(f.total, -10 - 20 * std::sqrt(2.0) * 0.01);
  EXPECT_DOUBLE_EQ(f.elastic, 0.5 * 1e5 * 1e-8);
  a.strength = 10.1;
  f = laws::Cohesive::force(a, p, 1e-4);
  EXPECT_DOUBLE_EQ(f.total, -10.1) << "no tension beyond the strength";
  EXPECT_GT(f.lost, 0);
  p.normal = world::NormalLaw::kHertz;
  a.rate = 0;
  EXPECT_DOUBLE_EQ(laws::Cohesive::force(a, p, 1e-4).total, -4) << "its own stiffness beside Hertz";
}

world::Bond bond() {
  world::Bond b;
  b.on = true;
  b.tension.force = 10;
  b.shear.force = 5;
  b.moment = 0.5;
  b.stiffness = 1000;
  b.shear_stiffness = 500;
  b.bending = 800;
  return b;
}

laws::BondForce<3> at(const world::Bond& b, laws::Strain<3> s) {
  return laws::bond_force<3>(stretched<3>(0, 0), s, {}, 0, 0.1, 1, b, 1e-3);
}

TEST(ExtraLaws, ABondIsASpringInEveryDirection) {
  const laws::BondForce<3> f = at(bond(), {-0.002, {0, 0.003, 0.004}, {0, 0.01, 0}, 0.02});
  EXPECT_DOUBLE_EQ(f.normal, -2);
  EXPECT_DOUBLE_EQ(f.shear[1], 1.5);
  EXPECT_DOUBLE_EQ(f.shear[2], 2);
  EXPECT_DOUBLE_EQ(f.roll[1], 8 * 0.01) << "k_b = bending R_eff^2 with R_eff = 0.1";
  EXPECT_DOUBLE_EQ(f.twist, 8 * 0.02);
  EXPECT_DOUBLE_EQ(f.elastic, 0.5 * (1000 * 4e-6 + 500 * 25e-6 + 8 * (1e-4 + 4e-4)));
  EXPECT_FALSE(f.breaks);
}

TEST(ExtraLaws, ABondBreaksByPullShearOrMoment) {
  const world::Bond b = bond();
  EXPECT_FALSE(at(b, {-0.00999, {}, {}, 0}).breaks);
  EXPECT_TRUE(at(b, {-0.01001, {}, {}, 0}).breaks);
  EXPECT_FALSE(at(b, {1, {}, {}, 0}).breaks) << "not by pushing";
  EXPECT_FALSE(at(b, {0, {0, 0.00599, 0.00799}, {}, 0}).breaks);
  EXPECT_TRUE(at(b, {0, {0, 0.00601, 0.00801}, {}, 0}).breaks);
  EXPECT_FALSE(at(b, {0, {}, {0, 0, 0.0624}, 0}).breaks);
  EXPECT_TRUE(at(b, {0, {}, {0, 0, 0.0626}, 0}).breaks);
  EXPECT_TRUE(at(b, {0, {}, {}, -0.0626}).breaks);
  world::Bond joint = b;
  joint.moment = 0;
  EXPECT_FALSE(at(joint, {0, {}, {0, 0, 10}, 10}).breaks);
  EXPECT_EQ(at(joint, {0, {}, {0, 0, 10}, 10}).roll[2], 0) << "without a strength of bending it turns freely";
}

TEST(ExtraLaws, TheStepKnowsOfRollingAndBonds) {
  world::PairLaw law;
  law.K = 1000;
  const TwoBodies ball{2, std::numeric_limits<double>::infinity(), 0.1, std::numeric_limits<double>::infinity()};
  EXPECT_FALSE(std::isfinite(extra_time<3>(law, ball).scale));
  law.rolling.law = world::RollingLaw::kSpring;
  law.rolling.stiffness = 1000;
  // k_r = 10, I = 0.008.
  EXPECT_NEAR(extra_time<3>(law, ball).scale, M_PI / std::sqrt(10 / 0.008), 1e-12);
  law.bond = bond();
  law.bond.stiffness = 1e6;
  EXPECT_NEAR(extra_time<3>(law, ball).scale, M_PI / std::sqrt(1e6 / 2), 1e-12);
  EXPECT_NEAR(largest_stretch<3>(law, 0.1), 1e-5, 1e-18);
}

}  // namespace
