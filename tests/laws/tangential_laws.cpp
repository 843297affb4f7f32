// SPDX-License-Identifier: MIT
// Each tangential law alone: spring, cap, dashpot, memory, energy.
#include "soft/laws/tangential.hpp"

#include <gtest/gtest.h>

namespace {

using namespace moraine;
using namespace moraine::soft;
using laws::NormalForce;

world::PairLaw pair_law() {
  world::PairLaw p;
  p.mu = 0.5;
  p.Kt = 1000;
  p.shear_damping = 3;
  return p;
}

template <int D>
laws::Approach<D> sliding(Tangent<D> slip, double dt) {
  laws::Approach<D> a{};
  a.k[0] = 1;
  a.overlap = 0.01;
  a.slip = slip;
  a.slid = slip * dt;
  a.m_eff = 1;
  a.inverse_r = 1;
  return a;
}

const NormalForce kPush{12, 10, 0, 0};  // whole force 12, spring part 10

TEST(TangentialLaws, CundallStrackSticksThenSlides) {
  const world::PairLaw p = pair_law();
  double memory[2] = {0, 0};
  const double dt = 1e-3;
  auto f = laws::CundallStrack::force<2>(sliding<2>(2.0, dt), kPush, p, memory, dt);
  EXPECT_DOUBLE_EQ(memory[0], 2e-3);
  EXPECT_DOUBLE_EQ(f.total, 1000 * 2e-3 + 3 * 2.0) << "spring and dashpot while it sticks";
  EXPECT_DOUBLE_EQ(f.lost_dashpot, 3 * 2.0 * 2.0 * dt);
  EXPECT_NEAR(f.lost_friction, 0, 1e-15);
  f = laws::CundallStrack::force<2>(sliding<2>(10.0, dt), kPush, p, memory, dt);
  // It began to slide 7/10 of a step ago: 0.2 of a step too much has the dashpot acted at the last.
  EXPECT_NEAR(f.total, 5 - 0.2 * 3 * 10, 1e-12);
  f = laws::CundallStrack::force<2>(sliding<2>(10.0, dt), kPush, p, memory, dt);
  EXPECT_DOUBLE_EQ(f.total, 5) << "mu times the spring part of the normal force, no dashpot";
  EXPECT_DOUBLE_EQ(memory[0], 5e-3) << "the spring is held at the limit";
  // Work of the spring force over the slip, less what the spring still holds.
  EXPECT_NEAR(f.lost_friction, 5 * 0.010, 1e-12);
  f = laws::CundallStrack::force<2>(sliding<2>(-1.0, dt), kPush, p, memory, dt);
  EXPECT_DOUBLE_EQ(memory[0], 4e-3) << "a reversed motion sticks at once";
}

TEST(TangentialLaws, WaltonsLimitTakesTheWholeForce) {
  world::PairLaw p = pair_law();
  p.limit_by_total = 1;
  double memory[2] = {0, 0};
  const auto f = laws::CundallStrack::force<2>(sliding<2>(10.0, 1e-3), kPush, p, memory, 1e-3);
  EXPECT_DOUBLE_EQ(f.total, 6);
  EXPECT_DOUBLE_EQ(memory[0], 6e-3);
}

TEST(TangentialLaws, TheSpringFollowsThePlaneOfContactAndKeepsItsLength) {
  const world::PairLaw p = pair_law();
  double memory[4] = {0, 3e-3, 4e-3, 0};
  laws::Approach<3> a = sliding<3>({0, 0, 0}, 1e-3);
  a.k = {0.6, 0.8, 0};
  laws::CundallStrack::force<3>(a, {100, 100, 0, 0}, p, memory, 1e-3);
  EXPECT_NEAR(a.k[0] * memory[0] + a.k[1] * memory[1] + a.k[2] * memory[2], 0, 1e-15);
  EXPECT_NEAR(memory[0] * memory[0] + memory[1] * memory[1] + memory[2] * memory[2], 25e-6, 1e-15);
  // Twist: the pair turns about its normal and the spring with it.
  double twisted[4] = {0, 1e-3, 0, 0};
  a = sliding<3>({0, 0, 0}, 1e-3);
  for (int k = 0; k < 1000; ++k) {
    a.twist = M_PI / 2 / 1000;
    laws::CundallStrack::force<3>(a, {100, 100, 0, 0}, p, twisted, 1e-3);
  }
  EXPECT_NEAR(twisted[1], 0, 1e-8);
  EXPECT_NEAR(twisted[2], 1e-3, 1e-8);
}

TEST(TangentialLaws, IsotropicIn3D) {
  const world::PairLaw p = pair_law();
  double a[4] = {}, b[4] = {};
  const auto fa = laws::CundallStrack::force<3>(sliding<3>({0, 10, 0}, 1e-3), kPush, p, a, 1e-3);
  const auto fb = laws::CundallStrack::force<3>(sliding<3>({0, 6, 8}, 1e-3), kPush, p, b, 1e-3);
  EXPECT_NEAR(math::norm(fa.total), 5, 1e-12);
  EXPECT_NEAR(math::norm(fb.total), 5, 1e-12);
}

TEST(TangentialLaws, ViscousFrictionHasNoMemory) {
  world::PairLaw p = pair_law();
  p.Kt = 2;
  EXPECT_DOUBLE_EQ((laws::Viscous::force<2>(sliding<2>(1.0, 1), kPush, p, nullptr, 1).total), 2);
  EXPECT_DOUBLE_EQ((laws::Viscous::force<2>(sliding<2>(-50.0, 1), kPush, p, nullptr, 1).total), -6);
  EXPECT_DOUBLE_EQ((laws::Viscous::force<2>(sliding<2>(0.0, 1), kPush, p, nullptr, 1).total), 0);
}

TEST(TangentialLaws, MindlinStiffensWithTheOverlapAndShrinksOnUnloading) {
  world::PairLaw p = pair_law();
  p.Kt = 8 * 1e6;
  p.shear_damping = 0;
  double memory[2] = {};
  laws::Approach<2> a = sliding<2>(1e-3, 1e-3);
  const NormalForce strong{1e9, 1e9, 0, 0};
  a.overlap = 0.04;
  auto f = laws::Mindlin::force<2>(a, strong, p, memory, 1);
  EXPECT_NEAR(f.total, 8e6 * 0.2 * 1e-6, 1e-9);
  a.overlap = 0.01;
  a.slid = 0;
  f = laws::Mindlin::force<2>(a, strong, p, memory, 1);
  EXPECT_NEAR(f.total, 8e6 * 0.2 * 1e-6 * 0.5, 1e-9) << "F_s shrinks with the contact radius";
  f = laws::Mindlin::force<2>(a, {1, 1, 0, 0}, p, memory, 1);
  EXPECT_DOUBLE_EQ(f.total, 0.5) << "capped by friction";
}

// A limit of nothing is no sticking: neither at rest nor at the last look at a contact is there a dashpot.
TEST(TangentialLaws, NoFrictionMeansNoDashpot) {
  world::PairLaw p = pair_law();
  p.mu = 0;
  for (const double slid : {0.0, 1e-3}) {
    for (const double rate : {0.0, 5.0}) {
      p.shear_rate = rate;
      double memory[2] = {}, memory3[4] = {}, memory_m[2] = {};
      laws::Approach<2> a = sliding<2>(2.0, 1e-3);
      a.slid = slid;
      laws::Approach<3> b = sliding<3>({0, 2, 1}, 1e-3);
      b.slid = {0, slid, 0};
      const auto f = laws::CundallStrack::force<2>(a, kPush, p, memory, 1e-3);
      const auto f3 = laws::CundallStrack::force<3>(b, kPush, p, memory3, 1e-3);
      const auto fm = laws::Mindlin::force<2>(a, kPush, p, memory_m, 1e-3);
      EXPECT_EQ(f.total, 0);
      EXPECT_EQ(math::norm(f3.total), 0);
      EXPECT_EQ(fm.total, 0);
      EXPECT_EQ(f.lost_dashpot + f3.lost_dashpot + fm.lost_dashpot, 0);
    }
  }
}

// Beside Walton-Braun spring and dashpot together stay below the limit, and what the dashpot takes is still a loss.
TEST(TangentialLaws, SpringAndDashpotTogetherMayBeLimited) {
  const world::PairLaw p = pair_law();
  double memory[2] = {4e-3, -1};
  const auto f = laws::CundallStrackLimited::force<2>(sliding<2>(0.5, 1e-3), kPush, p, memory, 1e-3);
  EXPECT_DOUBLE_EQ(f.total, 5) << "4.5 of the spring and 1.5 of the dashpot";
  EXPECT_NEAR(f.lost_dashpot, 0.5 * 0.5 * 1e-3, 1e-16);
  double free[2] = {1e-3, -1};
  const auto g = laws::CundallStrackLimited::force<2>(sliding<2>(0.5, 1e-3), kPush, p, free, 1e-3);
  EXPECT_DOUBLE_EQ(g.total, 1.5 + 1.5);
  double back[4] = {0, 4.9e-3, 0, -1};
  const auto h = laws::CundallStrackLimited::force<3>(sliding<3>({0, -0.05, 2}, 1e-3), kPush, p, back, 1e-3);
  EXPECT_LE(math::norm(h.total), 5 * (1 + 1e-15));
  EXPECT_GE(h.lost_dashpot, 0);
}

}  // namespace
