// SPDX-License-Identifier: MIT
// Impacts of hard bodies against closed forms: pairs with friction, clumps, lines of balls by both laws.
#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "support/hard_contacts.hpp"

namespace {

using namespace moraine;
using test::ball;
using test::energy_books;
using test::from_text;
using test::hard_floor;
using test::hard_head;
using test::InMemory;
using test::numbers;

// Two round bodies that meet at an angle. Impulses: r_n = (1 + e) u_n / W_n with W_n = 1/m1 + 1/m2, and across
// u_t / W_t if that is at most mu r_n, else mu r_n, with W_t = W_n + R1^2/I1 + R2^2/I2.
template <int D>
void meet_obliquely(double e, double mu, double across, double spin) {
  const double r1 = 0.1, r2 = 0.25, gap = 0.3, u = 2;
  const auto at = [&](double x) { return D == 2 ? numbers({x, 0}) : numbers({x, 0, 0}); };
  const std::string v = D == 2 ? numbers({u, across}) : numbers({u, across, 0});
  const std::string turn = D == 2 ? fmt::format("spin = {:.17g}", spin) : "spin = " + numbers({0, 0, spin});
  // The one that is hit moves along, so that the line of centres stays where it is.
  const std::string along = D == 2 ? numbers({0, across}) : numbers({0, across, 0});
  InMemory<D> run(
      from_text(hard_head(D, 0.3, 0.01, e, mu) + ball(at(0), v, r1, turn) + ball(at(gap + r1 + r2), along, r2)));
  run.run->begin(nullptr);
  const auto& b = run.world().bodies;
  const double m1 = b.mass[0], m2 = b.mass[1], i1 = b.inertia[0], i2 = b.inertia[1];
  const double before = energy_books(run.world());
  while (!run.run->finished()) run.run->step();
  const double w_n = 1 / m1 + 1 / m2, w_t = w_n + r1 * r1 / i1 + r2 * r2 / i2, r_n = (1 + e) * u / w_n;
  const double slip = -spin * r1;  // of the second's surface against the first's
  const double stick = -slip / w_t, r_t = std::fabs(stick) <= mu * r_n ? stick : std::copysign(mu * r_n, stick);
  const auto w_of = [&](std::size_t i) {
    if constexpr (D == 2) {
      return b.moving[i].w;
    } else {
      return b.moving[i].w[2];
    }
  };
  const auto what = fmt::format("{}D, e = {}, mu = {}, spin = {}", D, e, mu, spin);
  EXPECT_NEAR(b.moving[0].v[0], u - r_n / m1, 1e-13) << what;
  EXPECT_NEAR(b.moving[1].v[0], r_n / m2, 1e-13) << what;
  EXPECT_NEAR(b.moving[0].v[1], across - r_t / m1, 1e-13) << what;
  EXPECT_NEAR(b.moving[1].v[1], across + r_t / m2, 1e-13) << what;
  EXPECT_NEAR(w_of(0), spin - r1 * r_t / i1, 1e-11) << what;
  EXPECT_NEAR(w_of(1), -r2 * r_t / i2, 1e-11) << what;
  const double momentum = m1 * b.moving[0].v[0] + m2 * b.moving[1].v[0];
  EXPECT_NEAR(momentum, m1 * u, 4e-16 * m1 * u) << what;
  // Newton's rule loses (1 - e^2) u^2 / (2 W_n) along the normal.
  EXPECT_NEAR(run.world().ledger.normal_dashpot, (1 - e * e) * u * u / (2 * w_n), 1e-12 * m1 * u * u) << what;
  EXPECT_NEAR(energy_books(run.world()), before, 1e-12 * std::fabs(before)) << what;
}

TEST(HardImpact, OfTwoBodiesHasItsImpulsesWithAndWithoutSlip) {
  for (const double e : {0.0, 0.5, 1.0}) {
    for (const double mu : {0.0, 0.2, 10.0}) {
      for (const double spin : {0.0, -30.0, 5.0}) {
        meet_obliquely<2>(e, mu, 0.7, spin);
        meet_obliquely<3>(e, mu, -0.4, spin);
      }
    }
  }
}

// A dumbbell falls on a frictionless floor with one end: r = (1 + e) v / (1/m + a^2 / I), a the arm along the floor.
TEST(HardImpact, OfAClumpTurnsIt) {
  const double e = 0.6, r = 0.1, half = 0.08, angle = 0.5, v = 3;
  InMemory<2> run(from_text(
      hard_head(2, 0.1, 0.01, e, 0) + hard_floor(2) +
      fmt::format("[[clump]]\nname = \"d\"\npositions = [[-{0}, 0], [{0}, 0]]\nradii = [{1}, {1}]\n", half, r) +
      fmt::format("[[body]]\nclump = \"d\"\nposition = [0, {:.17g}]\nvelocity = [0, {:.17g}]\n"
                  "orientation = {:.17g}\nmaterial = \"m\"\n",
                  half * std::sin(angle) + r + 0.15, -v, angle)));
  run.run->begin(nullptr);
  const auto& c = run.world().clumps;
  const double before = energy_books(run.world()), m = c.mass[0], inertia = c.inertia[0], arm = half * std::cos(angle);
  while (run.world().time < 0.06) run.run->step();
  const double impulse = (1 + e) * v / (1 / m + arm * arm / inertia);
  EXPECT_NEAR(c.v[0][1], -v + impulse / m, 1e-12);
  EXPECT_NEAR(c.w[0], -arm * impulse / inertia, 1e-11);
  EXPECT_NEAR(energy_books(run.world()), before, 1e-12 * before);
}

// The same with friction. At the point of contact, r from the centre of mass, r_n and r_t the impulses, W the matrix
// of the change of (u_n, u_t): Newton u_n' = -e u_n, and Coulomb u_t' = 0 if |r_t| <= mu r_n, else r_t = -+ mu r_n.
// Returns whether it sticks.
bool fall_of_a_dumbbell(double e, double mu, double along, const std::string& how) {
  const double r = 0.1, half = 0.08, angle = 0.5, v = 3;
  const bool events = how == "dopri";
  InMemory<2> run(from_text(
      hard_head(2, 0.1, events ? 0.01 : 0.0001, e, mu) + hard_floor(2) +
          fmt::format("[[clump]]\nname = \"d\"\npositions = [[-{0}, 0], [{0}, 0]]\nradii = [{1}, {1}]\n", half, r) +
          fmt::format("[[body]]\nclump = \"d\"\nposition = [0, {:.17g}]\nvelocity = [{:.17g}, {:.17g}]\n"
                      "orientation = {:.17g}\nmaterial = \"m\"\n",
                      half * std::sin(angle) + r + 0.15, along, -v, angle),
      {"hard.integrator=" + how}));
  run.run->begin(nullptr);
  const auto& c = run.world().clumps;
  const double before = energy_books(run.world()), m = c.mass[0], inertia = c.inertia[0];
  const double x = -half * std::cos(angle), y = -half * std::sin(angle) - r;
  // n = (0, 1), t = (1, 0), u = v + w x (x, y).
  const double w_nn = 1 / m + x * x / inertia, w_tt = 1 / m + y * y / inertia, w_nt = -x * y / inertia;
  const double det = w_nn * w_tt - w_nt * w_nt;
  double r_n = ((1 + e) * v * w_tt + along * w_nt) / det, r_t = (-along * w_nn - (1 + e) * v * w_nt) / det;
  const bool sticks = std::fabs(r_t) <= mu * r_n;
  if (!sticks) {
    const double sense = r_t > 0 ? 1 : -1;
    r_n = (1 + e) * v / (w_nn + sense * mu * w_nt);
    r_t = sense * mu * r_n;
  }
  const auto what = fmt::format("{}, e = {}, mu = {}, along {} m/s", how, e, mu, along);
  EXPECT_GT(r_n, 0) << what;
  while (run.world().time < 0.0555) run.run->step();  // before the other end comes down
  // Time stepping meets within a step, over which arms turn: to its first order.
  const double close = how == "time-stepping" ? 1e-3 * (v + std::fabs(along)) : 1e-11;
  EXPECT_NEAR(c.v[0][1], -v + r_n / m, close) << what;
  EXPECT_NEAR(c.v[0][0], along + r_t / m, close) << what;
  EXPECT_NEAR(c.w[0], (x * r_n - y * r_t) / inertia, close / half) << what;
  if (events) {
    EXPECT_NEAR(energy_books(run.world()), before, 1e-12 * before) << what;
  }
  return sticks;
}

TEST(HardImpact, OfAClumpWithFrictionSticksOrSlides) {
  for (const char* how : {"dopri", "mixed-iteration", "time-stepping"}) {
    for (const double e : {0.0, 0.6}) {
      EXPECT_TRUE(fall_of_a_dumbbell(e, 5, 0.5, how));
      EXPECT_FALSE(fall_of_a_dumbbell(e, 0.1, 4, how));
      EXPECT_FALSE(fall_of_a_dumbbell(e, 0.1, -8, how));
    }
  }
}

std::vector<double> line_of_balls(int count, int moving, const std::string& impacts, double e, double gap) {
  std::string scene = hard_head(2, 0.5, 0.01, e, 0, "impacts = \"" + impacts + "\"");
  for (int i = 0; i < count; ++i) {
    const double x = 0.2 * i - (i < moving ? 0.1 : 0) + (i >= moving ? gap * (i - moving) : 0);
    scene += ball(numbers({x, 0}), i < moving ? "[1, 0]" : "[0, 0]", 0.1);
  }
  InMemory<2> run(from_text(scene));
  run.to_the_end();
  std::vector<double> v;
  for (const auto& m : run.world().bodies.moving) v.push_back(m.v[0]);
  return v;
}

void expect_speeds(const std::vector<double>& is, const std::vector<double>& should, const std::string& what) {
  ASSERT_EQ(is.size(), should.size());
  for (std::size_t i = 0; i < is.size(); ++i) EXPECT_NEAR(is[i], should[i], 1e-12) << what << ", ball " << i;
}

// One ball meets two that touch. Together: -1/3, 2/3, 2/3 of its speed; in turn it stops and the last one goes.
TEST(HardImpact, OfAThreeBallLineFollowsTheLawThatIsChosen) {
  expect_speeds(line_of_balls(3, 1, "simultaneous", 1, 0), {-1.0 / 3, 2.0 / 3, 2.0 / 3}, "together");
  expect_speeds(line_of_balls(3, 1, "sequential", 1, 0), {0, 0, 1}, "in turn");
  expect_speeds(line_of_balls(3, 1, "simultaneous", 1, 1e-3), {0, 0, 1}, "with gaps both laws are the same");
  // Plastic: r of the first contact 2/3, and all go on with a third.
  expect_speeds(line_of_balls(3, 1, "simultaneous", 0, 0), {1.0 / 3, 1.0 / 3, 1.0 / 3}, "plastic");
  expect_speeds(line_of_balls(3, 1, "sequential", 0, 0), {1.0 / 3, 1.0 / 3, 1.0 / 3}, "plastic, in turn");
}

// Newton's cradle: as many go as come. Together (n = 5, one comes): with W tridiagonal 2, -1 the impulses fall
// linearly, r_k = r_1 (5 - k)/4, r_1 (2 - 3/4) = 2, and the others go on as one with 2/5; the first returns with -3/5.
TEST(HardImpact, OfACradleFollowsTheLawThatIsChosen) {
  expect_speeds(line_of_balls(5, 1, "sequential", 1, 0), {0, 0, 0, 0, 1}, "one");
  expect_speeds(line_of_balls(5, 2, "sequential", 1, 0), {0, 0, 0, 1, 1}, "two");
  expect_speeds(line_of_balls(5, 3, "sequential", 1, 0), {0, 0, 1, 1, 1}, "three");
  expect_speeds(line_of_balls(5, 1, "simultaneous", 1, 0), {-0.6, 0.4, 0.4, 0.4, 0.4}, "together");
}

// A wall that comes towards a ball: its speed counts, and its work closes the books.
TEST(HardImpact, OnAMovingWallTakesTheWallsSpeed) {
  const std::string wall =
      "[[wall]]\nname = \"w\"\nfrom = [-1, 0]\nto = [1, 0]\nmaterial = \"m\"\n[[wall.motion]]\nvelocity = [0, 2]\n";
  InMemory<2> run(from_text(hard_head(2, 0.5, 0.01, 0.5, 0) + wall + ball("[0, 0.5]", "[0, -1]", 0.1)));
  run.run->begin(nullptr);
  const double before = energy_books(run.world());
  while (!run.run->finished()) run.run->step();
  EXPECT_NEAR(run.world().bodies.moving[0].v[1], 2 + 0.5 * 3, 1e-13);
  EXPECT_NEAR(energy_books(run.world()), before, 1e-12 * before);
}

}  // namespace
