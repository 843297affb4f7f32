// SPDX-License-Identifier: MIT
// The example of Vinogradov, three spheres on a grounded one: the code's mass matrix and quadratic terms against
// differentiation of the kinetic energy, and against the printed scalar equations (49)-(64). These have misprints: each
// is put right here, and put back alone to show that it matters. And the three disks of Sun (3.18).
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "hard/charts.hpp"
#include "hard/tree_coordinates.hpp"
#include "hard_samples.hpp"

namespace {

using namespace moraine::hard;
using namespace moraine::hard::samples;
namespace math = moraine::math;
using std::cos;
using std::sin;

// A number with two infinitesimals: exact first and mixed second derivatives.
struct Dual {
  double v = 0, a = 0, b = 0, ab = 0;
  friend Dual operator+(const Dual& x, const Dual& y) { return {x.v + y.v, x.a + y.a, x.b + y.b, x.ab + y.ab}; }
  friend Dual operator*(const Dual& x, const Dual& y) {
    return {x.v * y.v, x.a * y.v + x.v * y.a, x.b * y.v + x.v * y.b, x.ab * y.v + x.a * y.b + x.b * y.a + x.v * y.ab};
  }
  friend Dual operator*(double s, const Dual& x) { return {s * x.v, s * x.a, s * x.b, s * x.ab}; }
  Dual through(double f, double df, double ddf) const { return {f, df * a, df * b, df * ab + ddf * a * b}; }
};
Dual dual_sin(const Dual& x) { return x.through(sin(x.v), cos(x.v), -sin(x.v)); }
Dual dual_cos(const Dual& x) { return x.through(cos(x.v), -sin(x.v), -cos(x.v)); }

using Six = std::array<double, 6>;  // alpha_1, beta_1, alpha_2, ...

struct Example {
  std::array<double, 3> m{}, c{};
  Six q{}, rate{}, accel{};
  std::array<Vec<3>, 3> force{};
  Six inertia{}, load{};  // of the code: A q'' + B, and Q
  std::array<std::array<double, 6>, 6> mass{};
  Six quadratic{};

  explicit Example(std::uint64_t seed);
  Dual kinetic(const std::array<Dual, 6>& at, const std::array<Dual, 6>& speed) const;
};

// The same system as the code has it. Coordinates are found by their nodes, as the code numbers them in its own way.
Example::Example(std::uint64_t seed) {
  Builder<3> builder("three spheres", seed);
  Dice& dice = builder.dice;
  for (std::size_t i = 0; i < 3; ++i) {
    q[2 * i] = dice.between(-3, 3);
    q[2 * i + 1] = dice.between(0.4, 2.7);
    for (const std::size_t k : {2 * i, 2 * i + 1}) {
      rate[k] = dice.between(-2, 2);
      accel[k] = dice.between(-2, 2);
    }
    c[i] = dice.between(0.5, 1.5);
    force[i] = dice.vector<3>(3);
  }
  const std::int64_t ground = builder.body({}, 0.25, moraine::world::Held::kFixed);
  std::array<std::int64_t, 3> id{};
  for (std::size_t i = 0; i < 3; ++i) {
    const double a = q[2 * i], b = q[2 * i + 1];
    const std::int64_t before = i == 0 ? ground : id[0];
    id[i] = builder.body(builder.centre(before) + Vec<3>{sin(b) * cos(a), sin(b) * sin(a), cos(b)} * c[i], 0.25);
    builder.contact(id[i], before);
    m[i] = builder.world.bodies.mass[builder.index(id[i])];
  }
  const System<3> system(builder.world, false);
  TreeCoordinates<3> tree(system);
  EXPECT_EQ(tree.count(), 6U);
  Kinematics<3> k;
  system.read(builder.world, k);
  std::array<std::size_t, 6> at{};  // where the code has each
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t node = 0; node < 3; ++node) {
      if (system.id_of(node) != id[i]) continue;
      at[2 * i] = tree.first_of_way(node);
      at[2 * i + 1] = at[2 * i] + 1;
    }
  }
  std::vector<double> state(6), speed(6), all(6);
  for (std::size_t a = 0; a < 6; ++a) {
    state[at[a]] = q[a];
    speed[at[a]] = rate[a];
  }
  tree.place(state.data(), speed.data(), k);
  TreeMatrix matrix = tree.empty_matrix();
  tree.mass_matrix(k, matrix);
  for (std::size_t a = 0; a < 6; ++a) {
    std::vector<double> one(6, 0), column(6);
    one[at[a]] = 1;
    matrix.multiply(one.data(), column.data());
    for (std::size_t b = 0; b < 6; ++b) mass[b][a] = column[at[b]];
  }
  std::vector<Vec<3>> drag(3), push(3);
  for (std::size_t node = 0; node < 3; ++node) {
    drag[node] = tree.drift(node) * system.mass[node];
    for (std::size_t i = 0; i < 3; ++i) {
      if (system.id_of(node) == id[i]) push[node] = force[i];
    }
  }
  tree.gather(drag, std::vector<Spin<3>>(3, Spin<3>{}), all.data());
  for (std::size_t a = 0; a < 6; ++a) quadratic[a] = all[at[a]];
  tree.gather(push, std::vector<Spin<3>>(3, Spin<3>{}), all.data());
  for (std::size_t a = 0; a < 6; ++a) {
    load[a] = all[at[a]];
    inertia[a] = quadratic[a];
    for (std::size_t b = 0; b < 6; ++b) inertia[a] += mass[a][b] * accel[b];
  }
}

// From (36), (37): r_1 = c_1, r_2 = c_1 + c_2, r_3 = c_1 + c_3.
Dual Example::kinetic(const std::array<Dual, 6>& at, const std::array<Dual, 6>& speed) const {
  std::array<std::array<Dual, 3>, 3> u;
  for (std::size_t i = 0; i < 3; ++i) {
    const Dual ca = dual_cos(at[2 * i]), sa = dual_sin(at[2 * i]);
    const Dual cb = dual_cos(at[2 * i + 1]), sb = dual_sin(at[2 * i + 1]);
    const Dual &da = speed[2 * i], &db = speed[2 * i + 1];
    u[i] = {c[i] * (db * cb * ca + -1.0 * (da * sb * sa)), c[i] * (db * cb * sa + da * sb * ca), -c[i] * (db * sb)};
  }
  Dual sum;
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t d = 0; d < 3; ++d) {
      const Dual v = i == 0 ? u[0][d] : u[0][d] + u[i][d];
      sum = sum + 0.5 * m[i] * (v * v);
    }
  }
  return sum;
}

TEST(HardVinogradov, MassesAndQuadraticTermsAreThoseOfTheKineticEnergy) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    const Example e(seed);
    const auto duals = [](const Six& numbers) {
      std::array<Dual, 6> d;
      for (std::size_t k = 0; k < 6; ++k) d[k].v = numbers[k];
      return d;
    };
    for (std::size_t a = 0; a < 6; ++a) {
      for (std::size_t b = 0; b < 6; ++b) {
        std::array<Dual, 6> speed = duals(e.rate);
        speed[a].a = 1;
        speed[b].b = 1;
        EXPECT_NEAR(e.mass[a][b], e.kinetic(duals(e.q), speed).ab, 1e-12);
      }
      // d/dt dT/dq'_a - dT/dq_a with no q''.
      std::array<Dual, 6> at = duals(e.q), speed = duals(e.rate);
      speed[a].a = 1;
      for (std::size_t b = 0; b < 6; ++b) at[b].b = e.rate[b];
      const double along = e.kinetic(at, speed).ab;
      at = duals(e.q);
      at[a].a = 1;
      EXPECT_NEAR(e.quadratic[a], along - e.kinetic(at, duals(e.rate)).a, 1e-12);
    }
  }
}

// What is misprinted. Each can be put back alone.
enum Misprint {
  kNothing,
  k49Mass,
  k49MassOfRates,
  k49Beta2,
  k50Mass,
  k50MassOfRates,
  k50Two2,
  k50Two3,
  k51Length,
  k51Two,
  k55Eta22,
  k55Eta23,
  k56Mu22,
  k56Mu23,
  k57Eta31,
  k59Eta41,
  k60Mu41,
  k63Sign,
  k39Forces,
  kMisprints
};
const char* name_of(int misprint) {
  static const char* const names[kMisprints] = {"nothing",
                                                "(49) m1 for M11 at alpha1''",
                                                "(49) m1 for M11 at alpha1' beta1'",
                                                "(49) beta2'' for beta3''",
                                                "(50) m1 for M11 at beta1''",
                                                "(50) m1 for M11 at alpha1'^2",
                                                "(50) 2 missing at mu22^ab",
                                                "(50) 2 missing at mu23^ab",
                                                "(51) c2 missing",
                                                "(51) 2 missing",
                                                "(55) sign of eta22^a",
                                                "(55) sign of eta23^a",
                                                "(56) sign of mu22^ab",
                                                "(56) sign of mu23^ab",
                                                "(57) sign of eta31^b",
                                                "(59) sign of eta41^a",
                                                "(60) mu41^ab",
                                                "(63) sign of F2y",
                                                "(39) all forces for each i"};
  return names[misprint];
}

// The left sides of (49)-(52) without their minus (misprint: T is minus the inertia, so that inertia = Q), and Q of
// (61)-(64); those of alpha_3, beta_3 are (51), (52), (63), (64) with 3 in place of 2. `wrong`: put back as printed.
struct Scalar {
  Six inertia{}, load{};
  Scalar(const Example& e, int wrong) {
    const auto is = [&](Misprint k) { return wrong == k; };
    const double m1 = e.m[0], m2 = e.m[1], m3 = e.m[2], c1 = e.c[0], c2 = e.c[1], c3 = e.c[2];
    const double M11 = m1 + m2 + m3;
    const double a1 = e.q[0], b1 = e.q[1], a2 = e.q[2], b2 = e.q[3], a3 = e.q[4], b3 = e.q[5];
    const double da1 = e.rate[0], db1 = e.rate[1], da2 = e.rate[2], db2 = e.rate[3], da3 = e.rate[4], db3 = e.rate[5];
    const double dda1 = e.accel[0], ddb1 = e.accel[1], dda2 = e.accel[2], ddb2 = e.accel[3], dda3 = e.accel[4],
                 ddb3 = e.accel[5];
    // (53), (54)
    const double eta11a = sin(b1) * sin(b1);
    const double eta12a = sin(b1) * sin(b2) * cos(a2 - a1), eta12b = sin(b1) * cos(b2) * sin(a2 - a1);
    const double eta13a = sin(b1) * sin(b3) * cos(a3 - a1), eta13b = sin(b1) * cos(b3) * sin(a3 - a1);
    const double mu11ab = sin(2 * b1);
    const double mu12a = sin(b1) * sin(b2) * sin(a1 - a2), mu12ab = sin(b1) * cos(b2) * cos(a1 - a2),
                 mu12b = sin(b1) * sin(b2) * sin(a1 - a2);
    const double mu13a = sin(b1) * sin(b3) * sin(a1 - a3), mu13ab = sin(b1) * cos(b3) * cos(a1 - a3),
                 mu13b = sin(b1) * sin(b3) * sin(a1 - a3);
    // (49)
    inertia[0] = (is(k49Mass) ? m1 : M11) * c1 * c1 * eta11a * dda1 + m2 * c1 * c2 * (eta12a * dda2 + eta12b * ddb2) +
                 m3 * c1 * c3 * (eta13a * dda3 + eta13b * (is(k49Beta2) ? ddb2 : ddb3)) +
                 (is(k49MassOfRates) ? m1 : M11) * c1 * c1 * mu11ab * da1 * db1 +
                 m2 * c1 * c2 * (mu12a * da2 * da2 + 2 * mu12ab * da2 * db2 + mu12b * db2 * db2) +
                 m3 * c1 * c3 * (mu13a * da3 * da3 + 2 * mu13ab * da3 * db3 + mu13b * db3 * db3);
    // (55), (56)
    const double eta22a = (is(k55Eta22) ? -1 : 1) * cos(b1) * sin(b2) * sin(a1 - a2),
                 eta22b = cos(b1) * cos(b2) * cos(a1 - a2) + sin(b1) * sin(b2);
    const double eta23a = (is(k55Eta23) ? -1 : 1) * cos(b1) * sin(b3) * sin(a1 - a3),
                 eta23b = cos(b1) * cos(b3) * cos(a1 - a3) + sin(b1) * sin(b3);
    const double mu21a = -0.5 * sin(2 * b1);
    const double mu22a = -cos(b1) * sin(b2) * cos(a1 - a2),
                 mu22ab = (is(k56Mu22) ? -1 : 1) * cos(b1) * cos(b2) * sin(a1 - a2),
                 mu22b = -cos(b1) * sin(b2) * cos(a1 - a2) + sin(b1) * cos(b2);
    const double mu23a = -cos(b1) * sin(b3) * cos(a1 - a3),
                 mu23ab = (is(k56Mu23) ? -1 : 1) * cos(b1) * cos(b3) * sin(a1 - a3),
                 mu23b = -cos(b1) * sin(b3) * cos(a1 - a3) + sin(b1) * cos(b3);
    // (50)
    inertia[1] = (is(k50Mass) ? m1 : M11) * c1 * c1 * ddb1 + m2 * c1 * c2 * (eta22a * dda2 + eta22b * ddb2) +
                 m3 * c1 * c3 * (eta23a * dda3 + eta23b * ddb3) +
                 (is(k50MassOfRates) ? m1 : M11) * c1 * c1 * mu21a * da1 * da1 +
                 m2 * c1 * c2 * (mu22a * da2 * da2 + (is(k50Two2) ? 1 : 2) * mu22ab * da2 * db2 + mu22b * db2 * db2) +
                 m3 * c1 * c3 * (mu23a * da3 * da3 + (is(k50Two3) ? 1 : 2) * mu23ab * da3 * db3 + mu23b * db3 * db3);
    // (51), (52) and (57)-(60), of sphere 2 and, with its index, of sphere 3
    const auto leaf = [&](double mass, double c, double a, double b, double da, double db, double dda, double ddb,
                          double* out) {
      const double eta31a = sin(b1) * sin(b) * cos(a - a1),
                   eta31b = cos(b1) * sin(b) * (is(k57Eta31) ? sin(a - a1) : sin(a1 - a)), eta32a = sin(b) * sin(b);
      const double mu31a = sin(b1) * sin(b) * sin(a - a1), mu31ab = cos(b1) * sin(b) * cos(a - a1),
                   mu31b = sin(b1) * sin(b) * sin(a - a1), mu32ab = 0.5 * sin(2 * b);
      out[0] = mass * c *
               (c1 * (eta31a * dda1 + eta31b * ddb1) + c * eta32a * dda +
                c1 * (mu31a * da1 * da1 + 2 * mu31ab * da1 * db1 + mu31b * db1 * db1) +
                (is(k51Two) ? 1 : 2) * (is(k51Length) ? 1 : c) * mu32ab * da * db);
      const double eta41a = (is(k59Eta41) ? -1 : 1) * sin(b1) * cos(b) * sin(a - a1),
                   eta41b = cos(b1) * cos(b) * cos(a - a1) + sin(b1) * sin(b);
      const double mu41a = -sin(b1) * cos(b) * cos(a - a1),
                   mu41ab = is(k60Mu41) ? -sin(b1) * cos(b) * sin(a - a1) : cos(b1) * cos(b) * sin(a - a1),
                   mu41b = -sin(b1) * cos(b) * cos(a - a1) + cos(b1) * sin(b), mu42a = -0.5 * sin(2 * b);
      out[1] = mass * c *
               (c1 * (eta41a * dda1 + eta41b * ddb1) + c * ddb +
                c1 * (mu41a * da1 * da1 + 2 * mu41ab * da1 * db1 + mu41b * db1 * db1) + c * mu42a * da * da);
    };
    leaf(m2, c2, a2, b2, da2, db2, dda2, ddb2, inertia.data() + 2);
    leaf(m3, c3, a3, b3, da3, db3, dda3, ddb3, inertia.data() + 4);
    // (61)-(64)
    const Vec<3> all = e.force[0] + e.force[1] + e.force[2];
    const auto loads = [&](double c, double a, double b, const Vec<3>& f, double sign, double* out) {
      out[0] = c * (-f[0] * sin(a) + sign * f[1] * cos(a)) * sin(b);
      out[1] = c * (f[0] * cos(a) * cos(b) + f[1] * sin(a) * cos(b) - f[2] * sin(b));
    };
    loads(c1, a1, b1, all, 1, load.data());
    loads(c2, a2, b2, is(k39Forces) ? all : e.force[1], is(k63Sign) ? -1 : 1, load.data() + 2);
    loads(c3, a3, b3, is(k39Forces) ? all : e.force[2], is(k63Sign) ? -1 : 1, load.data() + 4);
  }
};

double farthest(const Example& e, const Scalar& s) {
  double worst = 0;
  for (std::size_t k = 0; k < 6; ++k)
    worst = std::max({worst, std::fabs(s.inertia[k] - e.inertia[k]), std::fabs(s.load[k] - e.load[k])});
  return worst;
}

TEST(HardVinogradov, TheCorrectedScalarEquationsAreTheCodes) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    const Example e(seed);
    EXPECT_LT(farthest(e, Scalar(e, kNothing)), 1e-12);
  }
}

// By far more than rounding in some state at least; in a single one the term in question may happen to be small.
TEST(HardVinogradov, EachMisprintAloneIsWrong) {
  for (int k = kNothing + 1; k < kMisprints; ++k) {
    double worst = 0;
    for (std::uint64_t seed = 1; seed <= 10; ++seed) {
      const Example e(seed);
      worst = std::max(worst, farthest(e, Scalar(e, k)));
    }
    EXPECT_GT(worst, 0.1) << name_of(k);
  }
}

// A body's vector by Euler angles: its velocity from (4) with the dot that psi lacks there, and its acceleration by
// (16) with e_phiphi once. The printed 2 e_phiphi would be off by as much as the term itself.
TEST(HardVinogradov, VectorsOfBodiesByEulerAngles) {
  Dice dice(6);
  for (int round = 0; round < 10; ++round) {
    const Vec<3> body = dice.vector<3>(1);
    double angles[3], rates[3];
    for (int c = 0; c < 3; ++c) {
      angles[c] = dice.between(0.4, 2.7);
      rates[c] = dice.between(-2, 2);
    }
    const auto about = [](const Dual& angle, int axis, const std::array<Dual, 3>& r) {
      const Dual c = dual_cos(angle), s = dual_sin(angle);
      const auto i = static_cast<std::size_t>((axis + 1) % 3), j = static_cast<std::size_t>((axis + 2) % 3);
      std::array<Dual, 3> turned = r;
      turned[i] = c * r[i] + -1.0 * (s * r[j]);
      turned[j] = s * r[i] + c * r[j];
      return turned;
    };
    const auto vector = [&](const std::array<Dual, 3>& q) {
      const std::array<Dual, 3> r{Dual{body[0]}, Dual{body[1]}, Dual{body[2]}};
      return about(q[0], 2, about(q[1], 0, about(q[2], 2, r)));
    };
    std::array<Dual, 3> q, only_phi;
    for (std::size_t c = 0; c < 3; ++c) {
      q[c] = {angles[c], rates[c], rates[c], 0};
      only_phi[c] = {angles[c], c == 2 ? rates[c] : 0, c == 2 ? rates[c] : 0, 0};
    }
    const Euler euler(angles, rates);
    const math::Quaternion turned = Euler::orientation(2, angles);
    const Vec<3> e = math::rotated(body, turned), v = math::cross(euler.spin, e);
    const Vec<3> a = math::cross(euler.drift, e) + math::cross(euler.spin, v);
    // (4): components along the body's axes
    const double st = sin(angles[1]), ct = cos(angles[1]), sp = sin(angles[2]), cp = cos(angles[2]);
    const Vec<3> printed{rates[0] * st * sp + rates[1] * cp, rates[0] * st * cp - rates[1] * sp,
                         rates[2] + rates[0] * ct};
    const Vec<3> in_body = math::rotated(euler.spin, math::inverse(turned));
    double twice = 0;
    for (int c = 0; c < 3; ++c) {
      const Dual d = vector(q)[static_cast<std::size_t>(c)];
      EXPECT_NEAR(e[c], d.v, 1e-14);
      EXPECT_NEAR(v[c], d.a, 1e-13);
      EXPECT_NEAR(a[c], d.ab, 1e-13);
      EXPECT_NEAR(in_body[c], printed[c], 1e-14);
      twice = std::max(twice, std::fabs(vector(only_phi)[static_cast<std::size_t>(c)].ab));
    }
    EXPECT_GT(twice, 1e-3);
  }
}

// (49) has the wrong sign as a whole: with the printed minus a sphere would fall upwards.
TEST(HardVinogradov, InertiaIsNotMinusTheForce) {
  Builder<3> b("one sphere", 5);
  const std::int64_t p = b.body({1, 0, 0}, 0.1);
  b.rod(b.at(p), b.ground({}));
  const System<3> system(b.world, false);
  TreeCoordinates<3> tree(system);
  Kinematics<3> k;
  system.read(b.world, k);
  double q[2], rates[2], load[2];
  tree.find(k, q, rates);
  tree.place(q, rates, k);
  TreeMatrix a = tree.empty_matrix();
  tree.mass_matrix(k, a);
  ASSERT_TRUE(a.factor());
  tree.gather({Vec<3>{0, 0, -9.81 * system.mass[0]}}, {Spin<3>{}}, load);
  a.solve(load);
  EXPECT_NEAR(load[1], 9.81, 1e-14);  // beta grows: downwards
}

// Sun (3.18), times l_i: three disks, P of (3.15).
TEST(HardVinogradov, ThreeDisksOfSun) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    Builder<2> b("three disks", seed);
    std::array<double, 3> l{}, th{}, rate{}, accel{}, m{};
    std::array<std::int64_t, 3> id{};
    for (std::size_t i = 0; i < 3; ++i) {
      l[i] = b.dice.between(0.5, 1.5);
      th[i] = b.dice.between(-3, 3);
      rate[i] = b.dice.between(-2, 2);
      accel[i] = b.dice.between(-2, 2);
      const Vec<2> from = i == 0 ? Vec<2>{} : b.centre(id[0]);
      id[i] = b.body(from + Vec<2>{cos(th[i]), sin(th[i])} * l[i], 0.1);
      b.rod(b.at(id[i]), i == 0 ? b.ground({}) : b.at(id[0]));
      m[i] = b.world.bodies.mass[b.index(id[i])];
    }
    const System<2> system(b.world, false);
    TreeCoordinates<2> tree(system);
    Kinematics<2> k;
    system.read(b.world, k);
    std::array<std::size_t, 3> at{};
    std::vector<double> q(3), speed(3), second(3), inertia(3), bend(3), load(3);
    for (std::size_t i = 0; i < 3; ++i) {
      for (std::size_t node = 0; node < 3; ++node) {
        if (system.id_of(node) == id[i]) at[i] = tree.first_of_way(node);
      }
      q[at[i]] = th[i];
      speed[at[i]] = rate[i];
      second[at[i]] = accel[i];
    }
    tree.place(q.data(), speed.data(), k);
    TreeMatrix a = tree.empty_matrix();
    tree.mass_matrix(k, a);
    a.multiply(second.data(), inertia.data());
    std::vector<Vec<2>> drag(3), weight(3);
    for (std::size_t node = 0; node < 3; ++node) {
      drag[node] = tree.drift(node) * system.mass[node];
      weight[node] = b.world.gravity * system.mass[node];
    }
    tree.gather(drag, std::vector<double>(3, 0), bend.data());
    tree.gather(weight, std::vector<double>(3, 0), load.data());
    const double g = 9.81, all = m[0] + m[1] + m[2];
    const auto beyond = [&](std::size_t i, std::size_t j) { return i == 0 && j == 0 ? all : m[std::max(i, j)]; };
    for (std::size_t i = 0; i < 3; ++i) {
      double sum = 0;
      for (std::size_t j = 0; j < 3; ++j) {
        if (i != j && i > 0 && j > 0) continue;  // on no common path
        sum += beyond(i, j) * l[i] * l[j] * (cos(th[i] - th[j]) * accel[j] + sin(th[i] - th[j]) * rate[j] * rate[j]);
      }
      EXPECT_NEAR(inertia[at[i]] + bend[at[i]], sum, 1e-13);
      EXPECT_NEAR(load[at[i]], -beyond(i, i) * g * l[i] * cos(th[i]), 1e-13);
    }
  }
}

}  // namespace
