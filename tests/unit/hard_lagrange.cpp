// SPDX-License-Identifier: MIT
// The Lagrange form against the Newton-Euler form, which shares nothing with it but the rows of the links.
#include "hard/lagrange.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include "base/error.hpp"
#include "hard/charts.hpp"
#include "hard/hard_step.hpp"
#include "hard/integrators.hpp"
#include "hard/newton_euler.hpp"
#include "hard_samples.hpp"

namespace {

using namespace moraine::hard;
using namespace moraine::hard::samples;
namespace base = moraine::base;
namespace math = moraine::math;
namespace world = moraine::world;

// Both forms of one system, and a state that satisfies its links.
template <int D>
struct Pair {
  Builder<D> b;
  base::Team team{1};
  System<D> system;
  Outer<D> outer;
  NewtonEuler<D> newton;
  Lagrange<D> lagrange;
  Kinematics<D> k;

  // `roll`: another one gives other velocities.
  explicit Pair(Builder<D> builder, const Settings& settings = {}, int roll = 0)
      : b(std::move(builder)),
        system(b.world, b.world.global_damping > 0),
        outer(b.world, system, team, nullptr),
        newton(b.world, system, outer, settings),
        lagrange(b.world, system, outer, settings) {
    system.read(b.world, k);
    for (int r = 0; r < roll; ++r) b.dice.between(0, 1);
    for (std::size_t i = 0; i < system.movable(); ++i) {
      k.v[i] = b.dice.template vector<D>(1);
      k.w[i] = b.dice.template spin<D>(2);
    }
    std::vector<double> y;
    newton.pack(k, y);
    newton.correct(0, y.data(), true, true);
    newton.unpack(0, y.data(), k);
  }
};

double component(double v, int) { return v; }
template <int D>
double component(const Vec<D>& v, int c) {
  return v[c];
}
// The largest component of the difference of two lists, over the largest in either.
template <class V>
double difference(const std::vector<V>& a, const std::vector<V>& b, std::size_t n, int dims, double floor = 1) {
  double worst = 0, size = floor;
  for (std::size_t i = 0; i < n; ++i) {
    for (int c = 0; c < dims; ++c) {
      worst = std::max(worst, std::fabs(component(a[i], c) - component(b[i], c)));
      size = std::max({size, std::fabs(component(a[i], c)), std::fabs(component(b[i], c))});
    }
  }
  return worst / size;
}
double angle_between(double a, double b) { return std::fabs(a - b); }
double angle_between(const math::Quaternion& a, const math::Quaternion& b) {
  const double plus = std::fabs(a.w + b.w) + std::fabs(a.x + b.x) + std::fabs(a.y + b.y) + std::fabs(a.z + b.z);
  const double minus = std::fabs(a.w - b.w) + std::fabs(a.x - b.x) + std::fabs(a.y - b.y) + std::fabs(a.z - b.z);
  return std::min(plus, minus);
}

// Accelerations of the nodes and torques (rates of angular momentum) of the last derivative() of each form.
template <int D>
struct Motion {
  std::vector<Vec<D>> a;
  std::vector<Spin<D>> torque;
};
template <int D>
Motion<D> of_newton(Pair<D>& p, double t = 0) {
  std::vector<double> y;
  p.newton.pack(p.k, y);
  std::vector<double> dy(y.size());
  p.newton.derivative(t, y.data(), dy.data());
  const std::size_t n = p.system.movable();
  Motion<D> m{std::vector<Vec<D>>(n), std::vector<Spin<D>>(n, Spin<D>{})};
  const double* at = dy.data() + 2 * D * n;
  for (std::size_t i = 0; i < n; ++i) {
    for (int c = 0; c < D; ++c) m.a[i][c] = dy[D * n + D * i + static_cast<std::size_t>(c)];
    if (p.system.turns[i] == 0) continue;
    if constexpr (D == 2) {
      m.torque[i] = at[1];
      at += 2;
    } else {
      m.torque[i] = {at[4], at[5], at[6]};
      at += 7;
    }
  }
  return m;
}
template <int D>
Motion<D> of_lagrange(Pair<D>& p, double t = 0) {
  std::vector<double> y;
  p.lagrange.pack(p.k, y);
  std::vector<double> dy(y.size());
  p.lagrange.derivative(t, y.data(), dy.data());
  const auto& tree = p.lagrange.coordinates();
  Motion<D> m;
  tree.carry(dy.data() + tree.count(), m.a, m.torque);
  for (std::size_t i = 0; i < m.a.size(); ++i) {
    m.a[i] += tree.drift(i);
    if (p.system.turns[i] == 0) {
      m.torque[i] = {};
      continue;
    }
    m.torque[i] = p.system.momentum_of(i, p.k.q[i], m.torque[i] + tree.turn_drift(i));
    if constexpr (D == 3) m.torque[i] += math::cross(p.k.w[i], p.system.momentum_of(i, p.k.q[i], p.k.w[i]));
  }
  return m;
}

template <int D>
std::vector<std::function<Builder<D>()>> all_samples() {
  return {[] { return chain<D>(6); },
          [] { return tree<D>(true); },
          [] { return tree<D>(false); },
          [] { return four_bar<D>(); },
          [] { return on_walls<D>(true); },
          [] { return on_walls<D>(false); },
          [] { return rolling_loop<D>(); },
          [] { return rigid_bodies<D>(false, true); },
          [] { return rigid_bodies<D>(false, false); },
          [] { return rigid_bodies<D>(true, true); },
          [] { return rigid_bodies<D>(true, false); },
          [] { return jointed_loop<D>(); },
          [] { return driven<D>(); },
          [] {
            Builder<D> b = rigid_bodies<D>(true, true);
            b.world.global_damping = 0.7;  // all rotations are then part of the equations
            b.name += ", damped";
            return b;
          }};
}

template <int D>
void expect_same_motion(Pair<D>& p, double tolerance) {
  const Motion<D> newton = of_newton(p), lagrange = of_lagrange(p);
  const std::size_t n = p.system.movable();
  constexpr int kSpins = D == 2 ? 1 : 3;
  EXPECT_LT(difference(newton.a, lagrange.a, n, D), tolerance) << "accelerations";
  EXPECT_LT(difference(newton.torque, lagrange.torque, n, kSpins), tolerance) << "torques";
  const std::vector<double>&f = p.newton.forces(), &g = p.lagrange.forces();
  ASSERT_EQ(f.size(), g.size());
  EXPECT_LT(difference(f, g, f.size(), 1), tolerance) << "forces";
}

template <int D>
void forms_agree() {
  for (const auto& sample : all_samples<D>()) {
    Pair<D> p(sample());
    SCOPED_TRACE(std::to_string(D) + "D " + p.b.name);
    // There and back.
    std::vector<double> y;
    p.lagrange.pack(p.k, y);
    EXPECT_EQ(y.size(), p.lagrange.size());
    Kinematics<D> back = p.k;
    for (std::size_t i = 0; i < p.system.movable(); ++i) {
      back.x[i] = back.v[i] = {};
      if (p.system.turns[i] == 0) continue;
      back.w[i] = {};
      back.q[i] = {};
    }
    p.lagrange.unpack(0, y.data(), back);
    const std::size_t n = p.system.movable();
    EXPECT_LT(difference(p.k.x, back.x, n, D), 1e-13);
    EXPECT_LT(difference(p.k.v, back.v, n, D), 1e-13);
    EXPECT_LT(difference(p.k.w, back.w, n, D == 2 ? 1 : 3), 1e-13);
    for (std::size_t i = 0; i < n; ++i) EXPECT_LT(angle_between(p.k.q[i], back.q[i]), 1e-13);
    for (int roll = 0; roll < 5; ++roll) {
      Pair<D> other(sample(), {}, roll);
      expect_same_motion(other, 1e-10);
    }
  }
}
TEST(HardLagrange, AgreesWithNewtonEulerInThePlane) { forms_agree<2>(); }
TEST(HardLagrange, AgreesWithNewtonEulerInSpace) { forms_agree<3>(); }

// As few coordinates as there are freedoms, and multipliers for loops and rolling only.
TEST(HardLagrange, CountsCoordinatesAndMultipliers) {
  const auto count = [](auto&& pair, std::size_t coordinates, std::size_t multipliers) {
    EXPECT_EQ(pair.lagrange.coordinates().count(), coordinates) << pair.b.name;
    EXPECT_EQ(pair.lagrange.multipliers(), multipliers) << pair.b.name;
  };
  count(Pair<2>(chain<2>(6)), 6, 0);
  count(Pair<3>(chain<3>(6)), 12, 0);
  count(Pair<2>(tree<2>(false)), 9, 0);
  count(Pair<3>(tree<3>(false)), 17, 0);
  count(Pair<2>(four_bar<2>()), 3, 1);
  count(Pair<2>(on_walls<2>(true)), 3, 0);
  count(Pair<3>(on_walls<3>(true)), 8, 0);
  count(Pair<2>(on_walls<2>(false)), 5, 2);      // two of the three roll, and turn
  count(Pair<3>(on_walls<3>(false)), 8 + 9, 6);  // three of the four
  count(Pair<2>(driven<2>()), 3, 0);
  count(Pair<3>(driven<3>()), 7, 0);
}

// Rods, walls and joints together keep their equations while the motion runs.
template <int D>
void paths_agree() {
  for (const auto& sample : all_samples<D>()) {
    Pair<D> p(sample());
    SCOPED_TRACE(std::to_string(D) + "D " + p.b.name);
    std::vector<double> y, z;
    p.newton.pack(p.k, y);
    p.lagrange.pack(p.k, z);
    Rk4 first, second;
    world::LinkReport report;
    const double h = 2.5e-4;
    const int steps = 4000;
    int changes = 0;
    for (int s = 0; s < steps; ++s) {
      first.advance(p.newton, s * h, h, y, report);
      second.advance(p.lagrange, s * h, h, z, report);
      p.newton.correct((s + 1) * h, y.data(), true, true);
      p.lagrange.correct((s + 1) * h, z.data(), true, true);
      changes += p.lagrange.change_charts(z.data()) ? 1 : 0;
    }
    Kinematics<D> a = p.k, c = p.k;
    p.newton.unpack(steps * h, y.data(), a);
    p.lagrange.unpack(steps * h, z.data(), c);
    const std::size_t n = p.system.movable();
    EXPECT_LT(difference(a.x, c.x, n, D), 1e-8) << changes << " charts";
    EXPECT_LT(difference(a.v, c.v, n, D), 1e-7);
    const Violation v = p.lagrange.violation(steps * h, z.data());
    EXPECT_LT(v.position, 1e-13);
    EXPECT_LT(v.velocity, 1e-12);
  }
}
TEST(HardLagrange, RunsLikeNewtonEulerInThePlane) { paths_agree<2>(); }
TEST(HardLagrange, RunsLikeNewtonEulerInSpace) { paths_agree<3>(); }

// Velocities that links forbid: the nearest allowed ones by kinetic energy, as the other form corrects them.
template <int D>
void impossible_velocities(Builder<D> builder) {
  Pair<D> p(std::move(builder));
  SCOPED_TRACE(p.b.name);
  for (std::size_t i = 0; i < p.system.movable(); ++i) {
    p.k.v[i] += p.b.dice.template vector<D>(1);
    if (p.system.turns[i] != 0) p.k.w[i] += p.b.dice.template spin<D>(1);
  }
  std::vector<double> y, z;
  p.newton.pack(p.k, y);
  p.newton.correct(0, y.data(), false, true);
  p.lagrange.pack(p.k, z);
  p.lagrange.correct(0, z.data(), false, true);
  Kinematics<D> a = p.k, c = p.k;
  p.newton.unpack(0, y.data(), a);
  p.lagrange.unpack(0, z.data(), c);
  EXPECT_GT(difference(p.k.v, c.v, p.system.movable(), D), 0.01);
  EXPECT_LT(difference(a.v, c.v, p.system.movable(), D), 1e-12);
  EXPECT_LT(difference(a.w, c.w, p.system.movable(), D == 2 ? 1 : 3), 1e-12);
}
TEST(HardLagrange, VelocitiesThatLinksForbidAreProjected) {
  for (const auto& sample : all_samples<2>()) impossible_velocities<2>(sample());
  for (const auto& sample : all_samples<3>()) impossible_velocities<3>(sample());
}

// A loop that is open by a centimetre is closed, and stays closed by what it weighs: bodies move the less the heavier.
TEST(HardLagrange, PositionsOfLoopsAreCorrected) {
  Pair<2> p(four_bar<2>());
  std::vector<double> z;
  p.lagrange.pack(p.k, z);
  for (std::size_t c = 0; c < p.lagrange.coordinates().count(); ++c) z[c] += 0.01;
  EXPECT_GT(p.lagrange.violation(0, z.data()).position, 1e-4);
  p.lagrange.correct(0, z.data(), true, true);
  EXPECT_LT(p.lagrange.violation(0, z.data()).position, 1e-15);
  EXPECT_LT(p.lagrange.violation(0, z.data()).velocity, 1e-14);
}

TEST(HardLagrange, SweepsFindWhatTheFactorsFind) {
  Settings settings;
  settings.solver = SolverKind::kIterative;
  settings.solver_tolerance = 1e-14;
  Pair<3> p(rigid_bodies<3>(true, true), settings), q(rigid_bodies<3>(true, true));
  const Motion<3> swept = of_lagrange(p), direct = of_lagrange(q);
  EXPECT_LT(difference(swept.a, direct.a, p.system.movable(), 3), 1e-10);
  EXPECT_GT(p.lagrange.iterations(), 10);
  EXPECT_EQ(q.lagrange.iterations(), 0);
  settings.most_sweeps = 3;
  Pair<3> r(rigid_bodies<3>(true, true), settings);
  EXPECT_THROW(of_lagrange(r), base::RunError);
}

// Forces hold everything in balance: m a = outer force + sum of the links', and torques likewise.
template <int D>
void expect_balance(Pair<D>& p, const Motion<D>& m) {
  Rows<D> rows(p.system);
  rows.update(p.system, p.k);
  const std::vector<double>& g = p.lagrange.forces();
  std::vector<Vec<D>> f(p.system.nodes(), Vec<D>{});
  std::vector<Spin<D>> torque(p.system.nodes(), Spin<D>{});
  double size = 1;
  for (const Arc<D>& arc : p.system.arcs) {
    for (std::uint32_t r = arc.row; r < arc.row + arc.rows; ++r) {
      ASSERT_TRUE(std::isfinite(g[r]));
      size = std::max(size, std::fabs(g[r]));
      f[arc.a] += rows.n[r] * g[r];
      f[arc.b] -= rows.n[r] * g[r];
      if (!p.system.turning()) continue;
      torque[arc.a] += rows.turn_a[r] * g[r];
      torque[arc.b] -= rows.turn_b[r] * g[r];
    }
  }
  for (std::size_t i = 0; i < p.system.movable(); ++i) {
    const Vec<D> rest = m.a[i] * p.system.mass[i] - p.b.world.gravity * p.system.mass[i] - f[i];
    EXPECT_LT(math::norm(rest), 1e-10 * size);
    if (p.system.turns[i] != 0) {
      EXPECT_LT(math::norm(m.torque[i] - torque[i]), 1e-10 * size);
    }
  }
}

// Links that depend on each other: forces are those of least norm, in both forms.
template <int D>
void overconstrained(Builder<D> builder, std::size_t redundant) {
  SCOPED_TRACE(builder.name);
  Pair<D> p(std::move(builder));
  const Motion<D> newton = of_newton(p), lagrange = of_lagrange(p);
  EXPECT_EQ(p.lagrange.multipliers() - p.lagrange.independent(), redundant);
  EXPECT_LT(difference(newton.a, lagrange.a, p.system.movable(), D), 1e-9);
  expect_balance(p, lagrange);
  const std::vector<double>&f = p.newton.forces(), &g = p.lagrange.forces();
  EXPECT_LT(difference(f, g, f.size(), 1), 1e-8);
}
TEST(HardLagrange, LinksThatDependOnEachOther) {
  {
    Builder<2> b("braced square", 21);
    const std::vector<Vec<2>> at{{0, 0}, {1, 0.1}, {0.9, 1.2}, {-0.1, 1}};
    for (const Vec<2>& x : at) b.body(x, 0.1);
    for (int i = 0; i < 4; ++i) {
      for (int j = 0; j < i; ++j) b.rod(b.at(i), b.at(j));
    }
    b.rod(b.at(0), b.ground({-1, 2}));
    overconstrained<2>(std::move(b), 1);
  }
  {
    Builder<2> b("twice the same rod, and between fixed points", 22);
    const std::int64_t p = b.body({0.3, -1}, 0.1), q = b.body({1, -1.5}, 0.1), r = b.body({-0.5, -0.5}, 0.1);
    b.rod(b.at(p), b.ground({0, 0}));
    b.rod(b.at(p), b.at(q));
    b.rod(b.at(q), b.at(p));
    b.link(LinkKind::kJoint, b.at(r), b.ground({-0.5, -0.5}));
    b.rod(b.at(r), b.ground({-1, -1}));
    overconstrained<2>(std::move(b), 2);
  }
  {
    Builder<3> b("a hinge of two joints", 23);
    const std::int64_t p = b.clump({0, 0, 0}), q = b.clump({1, 0, 0});
    b.rod(b.at(p), b.ground({0, 0.2, 1}));
    b.joint(p, q, {0.5, 0.2, 0.1});
    b.joint(p, q, {0.5, -0.3, 0});
    overconstrained<3>(std::move(b), 1);
  }
}

// Near a pole the angles are changed for others; the motion does not notice.
TEST(HardLagrange, ArcsPassTheirPoles) {
  Builder<3> b("over the pole", 31);
  const std::int64_t p = b.body({0.6, 0, -0.8}, 0.1), q = b.body({0.9, 0, -1.2}, 0.1);
  b.rod(b.at(p), b.ground({}));
  b.rod(b.at(q), b.at(p));
  Pair<3> pair(std::move(b));
  pair.k.v = std::vector<Vec<3>>(pair.system.nodes(), Vec<3>{});
  pair.k.v[0] = {0, 0.001, 0};
  std::vector<double> y, z;
  pair.newton.pack(pair.k, y);
  pair.newton.correct(0, y.data(), true, true);
  pair.newton.unpack(0, y.data(), pair.k);
  pair.lagrange.pack(pair.k, z);
  Rk4 first, second;
  world::LinkReport report;
  const double h = 2e-4;
  int changes = 0;
  double least = 1, jump = 0, apart = 0, low = 1;
  const std::size_t way = pair.lagrange.coordinates().first_of_way(0);
  Kinematics<3> before = pair.k, after = pair.k, other = pair.k;
  for (int s = 0; s < 10000; ++s) {
    first.advance(pair.newton, s * h, h, y, report);
    pair.newton.correct((s + 1) * h, y.data(), true, true);
    second.advance(pair.lagrange, s * h, h, z, report);
    pair.lagrange.unpack(0, z.data(), before);
    if (pair.lagrange.change_charts(z.data())) {
      ++changes;
      pair.lagrange.unpack(0, z.data(), after);
      jump = std::max({jump, difference(before.x, after.x, 2, 3), difference(before.v, after.v, 2, 3)});
    }
    pair.newton.unpack(0, y.data(), other);
    apart = std::max(apart, difference(before.x, other.x, 2, 3));
    least = std::min(least, std::fabs(std::sin(z[way + 1])));
    low = std::min(low, std::hypot(before.x[0][0], before.x[0][1]));  // distance from the axis through the pole
  }
  EXPECT_GE(changes, 2);
  EXPECT_LT(low, 0.05);
  EXPECT_GE(least, kNearPole - 0.01);
  EXPECT_LT(jump, 1e-14);
  EXPECT_LT(apart, 1e-8);
}

TEST(HardLagrange, BodiesPassTheirPoles) {
  Builder<3> b("tumbling", 32);
  b.clump({0, 0, 0});
  Pair<3> p(std::move(b));
  p.k.w[0] = {0.1, 3, 0.2};  // about the middle axis: it tumbles
  p.k.q[0] = {};             // figure axis upright: the source's angles would be singular at once
  std::vector<double> y, z;
  p.newton.pack(p.k, y);
  p.lagrange.pack(p.k, z);
  const std::vector<double> charts = p.lagrange.charts();
  EXPECT_NE(charts[1], 2);
  Rk4 first, second;
  world::LinkReport report;
  int changes = 0;
  const double h = 5e-4;
  Kinematics<3> a = p.k, c = p.k;
  for (int s = 0; s < 8000; ++s) {
    first.advance(p.newton, s * h, h, y, report);
    second.advance(p.lagrange, s * h, h, z, report);
    changes += p.lagrange.change_charts(z.data()) ? 1 : 0;
  }
  EXPECT_GE(changes, 1);
  p.newton.unpack(0, y.data(), a);
  p.lagrange.unpack(0, z.data(), c);
  EXPECT_LT(angle_between(a.q[0], c.q[0]), 1e-8);
  EXPECT_LT(difference(a.w, c.w, 1, 3), 1e-8);
}

// A state is the coordinates and their charts: with both, a fresh object goes on with the same bits.
TEST(HardLagrange, ChartsAndStateAreAllThereIs) {
  Pair<3> p(rigid_bodies<3>(true, true)), q(rigid_bodies<3>(true, true));
  std::vector<double> y, z;
  p.lagrange.pack(p.k, y);
  Rk4 first, second;
  world::LinkReport report;
  const auto step = [&](Lagrange<3>& form, Rk4& rk, std::vector<double>& state, int s) {
    rk.advance(form, s * 1e-3, 1e-3, state, report);
    form.correct((s + 1) * 1e-3, state.data(), true, true);
    form.change_charts(state.data());
  };
  for (int s = 0; s < 300; ++s) step(p.lagrange, first, y, s);
  q.lagrange.set_charts(p.lagrange.charts());
  z = y;
  for (int s = 300; s < 600; ++s) {
    step(p.lagrange, first, y, s);
    step(q.lagrange, second, z, s);
  }
  EXPECT_EQ(y, z);
  EXPECT_EQ(p.lagrange.charts(), q.lagrange.charts());
}

// In whole steps, as a run takes them: both forms show the same bodies and link forces, and a resumed run the same
// bits.
template <int D>
void whole_steps() {
  base::Team team(1);
  Settings newton, lagrange;
  lagrange.formulation = FormulationKind::kLagrange;
  Builder<D> b = rigid_bodies<D>(true, true);
  b.world.global_damping = 0.2;
  World<D> first = b.world, second = b.world;
  first.dt = second.dt = 5e-4;
  HardStep<D> one(newton, team), other(lagrange, team), resumed(lagrange, team);
  one.begin(first, nullptr);
  other.begin(second, nullptr);
  const auto step = [](HardStep<D>& stepper, World<D>& w) {
    stepper.forces(w, true, true, false);
    stepper.advance(w, true);
  };
  World<D> third;
  base::Record record;
  for (int s = 0; s < 1000; ++s) {
    step(one, first);
    step(other, second);
    if (s == 499) {
      other.save(record);
      third = second;
      resumed.begin(third, &record);
    } else if (s > 499) {
      step(resumed, third);
    }
  }
  one.forces(first, true, true, false);
  other.forces(second, true, true, false);
  resumed.forces(third, true, true, false);
  EXPECT_NEAR(first.time, 0.5, 1e-12);
  for (std::size_t i = 0; i < first.bodies.size(); ++i) {
    EXPECT_LT(math::norm(first.bodies.place[i].x - second.bodies.place[i].x), 1e-8);
    EXPECT_EQ(second.bodies.place[i].x, third.bodies.place[i].x);
    EXPECT_EQ(second.bodies.moving[i].v, third.bodies.moving[i].v);
  }
  for (std::size_t l = 0; l < first.links.size(); ++l) {
    EXPECT_LT(math::norm(first.links[l].pull - second.links[l].pull), 1e-6 * (1 + math::norm(first.links[l].pull)));
    EXPECT_EQ(second.links[l].pull, third.links[l].pull);
  }
  EXPECT_GT(first.ledger.global_damping, 0.1);
  EXPECT_NEAR(first.ledger.global_damping, second.ledger.global_damping, 1e-8);
  EXPECT_LT(second.report.position, 1e-13);
}
TEST(HardLagrange, WholeStepsInThePlane) { whole_steps<2>(); }
TEST(HardLagrange, WholeStepsInSpace) { whole_steps<3>(); }

}  // namespace
