// SPDX-License-Identifier: MIT
// Hard contacts that come and go, against closed forms: bounces, slopes, contacts that open, cohesion and bonds.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <random>

#include "base/error.hpp"
#include "support/hard_contacts.hpp"
#include "support/sanitized.hpp"

namespace {

using namespace moraine;
using test::ball;
using test::energy_books;
using test::from_text;
using test::hard_floor;
using test::hard_head;
using test::InMemory;
using test::numbers;

constexpr double kG = 9.81;

struct HeightAndSpeed {
  double height, speed;
};
// A ball that falls from `drop`: bounce n goes up with e^n v0, and takes 2 e^n v0 / g.
HeightAndSpeed bounced(double drop, double e, double t) {
  const double v0 = std::sqrt(2 * kG * drop);
  double at = v0 / kG, v = e * v0;
  if (t < at) return {drop - 0.5 * kG * t * t, -kG * t};
  while (v > 1e-12 * v0 && t > at + 2 * v / kG) {
    at += 2 * v / kG;
    v *= e;
  }
  if (!(v > 1e-12 * v0)) return {0, 0};
  const double s = t - at;
  return {v * s - 0.5 * kG * s * s, v - kG * s};
}

struct Off {
  double height = 0, speed = 0;
};
Off bounce(double e, double end, const std::string& hard, const std::vector<std::string>& sets) {
  InMemory<2> run(from_text(
      hard_head(2, end, 0.01, e, 0, hard) + "[gravity]\n" + hard_floor(2) + ball("[0, 1.1]", "[0, 0]", 0.1), sets));
  run.run->begin(nullptr);
  Off worst;
  while (!run.run->finished()) {
    run.run->step();
    const HeightAndSpeed exact = bounced(1, e, run.world().time);
    worst.height = std::max(worst.height, std::fabs(run.world().bodies.place[0].x[1] - 0.1 - exact.height));
    worst.speed = std::max(worst.speed, std::fabs(run.world().bodies.moving[0].v[1] - exact.speed));
  }
  return worst;
}

// The last bounce before rest takes the tolerance, 1e-11 s: what is left out of the series is shorter.
TEST(HardBounce, HappensAtTheTimesOfTheGeometricSeriesAndEndsAtRest) {
  for (const char* search : {"bisection", "interpolation"}) {
    for (const char* integrator : {"rk4", "dopri", "extrapolation"}) {
      for (const double e : {0.3, 0.7, 0.8}) {  // 0.8: at rest after 4.06 s
        const Off off =
            bounce(e, 4.2, "impact_speed = 0\nevent_tolerance = 1e-11",
                   {std::string("hard.integrator=") + integrator, std::string("hard.event_search=") + search});
        EXPECT_LT(off.height, 2e-9) << search << " " << integrator << " e = " << e;
        EXPECT_LT(off.speed, 1e-8) << search << " " << integrator << " e = " << e;
      }
    }
  }
}

TEST(HardBounce, RestsAfterTheZenoPointWithItsWeightOnTheFloor) {
  for (const char* slow : {"impact_speed = 0", "impact_speed = 0.01", ""}) {
    InMemory<2> run(from_text(hard_head(2, 3, 0.01, 0.5, 0.3, slow) + "[gravity]\n" + hard_floor(2) +
                              ball("[0, 1.1]", "[0, 0]", 0.1) + "[[probe]]\nkind = \"energy\"\n"));
    run.to_the_end();
    const auto& w = run.world();
    EXPECT_NEAR(w.bodies.place[0].x[1], 0.1, 1e-12) << slow;
    EXPECT_NEAR(w.bodies.moving[0].v[1], 0, 1e-12) << slow;
    EXPECT_NEAR(w.walls[0].force[1], -w.bodies.mass[0] * kG, 1e-10) << slow;
    EXPECT_NEAR(w.ledger.normal_dashpot, w.bodies.mass[0] * kG * 1, 1e-8) << "all of m g h is lost";
  }
}

// Contacts at the end of steps: the error of the height falls in proportion to the step.
TEST(HardBounce, InStepsConvergesToTheSeriesWithFirstOrder) {
  const auto error = [](double step) {
    InMemory<2> run(
        from_text(hard_head(2, 0.8, step, 0.7, 0) + "[gravity]\n" + hard_floor(2) + ball("[0, 1.1]", "[0, 0]", 0.1),
                  {"hard.integrator=mixed-iteration"}));
    run.to_the_end();
    return std::fabs(run.world().bodies.place[0].x[1] - 0.1 - bounced(1, 0.7, 0.8).height);
  };
  double mean = 0;
  // A single step may happen to end near the impact: several, and the mean of their orders.
  double coarse = 0, fine = 0;
  for (const double part : {1.0, 0.97, 0.94, 0.91, 0.88}) {
    coarse += error(0.8 / std::round(80 / part));
    fine += error(0.8 / std::round(1280 / part));
  }
  mean = std::log2(coarse / fine) / 4;
  EXPECT_NEAR(mean, 1, 0.3) << coarse / 5 << " m with steps of about 10 ms, " << fine / 5 << " m with a 16th";
}

// In steps a ball comes to rest on the floor, at any restitution and step: it leaves each impact from where the
// surfaces touch with e times the speed it had there, and no longer when its flight would be shorter than a step. The
// bounces get late by up to a step each: the error of the moment of rest falls a little more slowly than the step, as
// there are more bounces (-log h of them) before it.
TEST(HardBounce, InStepsEndsAtRestOnTheFloor) {
  for (const double e : {0.0, 0.1, 0.3, 0.5, 0.7, 0.9}) {
    for (const double step : {0.001, 0.002, 0.005, 0.01}) {
      if (e == 0.9 && step < 0.005) continue;  // 9 s of flights
      const double v = std::sqrt(2 * kG), rest = v * (1 + e) / ((1 - e) * kG);
      InMemory<2> run(from_text(hard_head(2, rest + 0.5, step, e, 0.5, "impact_speed = 0\ncontacts = \"steps\"") +
                                    "[gravity]\n" + hard_floor(2) + ball("[0, 1.1]", "[0, 0]", 0.1),
                                {"hard.integrator=mixed-iteration"}));
      run.run->begin(nullptr);
      const double before = energy_books(run.world());
      double lowest = 1, last = 0;
      const auto& body = run.world().bodies;
      while (!run.run->finished()) {
        run.run->step();
        lowest = std::min(lowest, body.place[0].x[1] - 0.1);
        if (std::fabs(body.place[0].x[1] - 0.1) > 1e-9) last = run.world().time;
      }
      const auto what = fmt::format("e = {}, step {} s", e, step);
      EXPECT_GT(lowest, -1e-12) << what;
      EXPECT_NEAR(body.place[0].x[1], 0.1, 1e-12) << what;
      EXPECT_NEAR(body.moving[0].v[1], 0, 1e-12) << what;
      EXPECT_NEAR(energy_books(run.world()), before, 1e-10 * before) << what;
      const double bounces = e > 0 ? std::log(kG * step / v) / std::log(e) : 1;
      EXPECT_NEAR(last, rest, (2 + 0.5 * bounces + 1 / (1 - e)) * step) << what;
    }
  }
}

// A body that goes through another in one step is told.
TEST(HardBounce, InStepsThatAreTooLongIsTold) {
  InMemory<2> run(from_text(hard_head(2, 1, 0.1, 0.5, 0, "contacts = \"steps\"") + "[gravity]\n" + hard_floor(2) +
                                ball("[0, 1.1]", "[0, -3]", 0.1),
                            {"hard.integrator=mixed-iteration"}));
  try {
    run.to_the_end();
    FAIL() << "nobody noticed";
  } catch (const base::RunError& error) {
    EXPECT_NE(std::string(error.what()).find("body 0 has gone through wall 0"), std::string::npos) << error.what();
  }
}

// A round body on a slope, from rest. Rolls while mu > tan(a) k / (1 + k) with I = k m R^2, else slides and spins.
template <int D>
void on_a_slope(double angle, double mu, const std::string& integrator) {
  const double k = D == 2 ? 0.5 : 0.4, end = 0.6, r = 0.1;
  const std::string start = D == 2 ? numbers({0, r}) : numbers({0, 0, r}), rest = D == 2 ? "[0, 0]" : "[0, 0, 0]";
  InMemory<D> run(from_text(hard_head(D, end, 0.01, 0, mu) + fmt::format("[gravity]\ntilt = {:.17g}\n", angle) +
                                hard_floor(D) + ball(start, rest, r),
                            {"hard.integrator=" + integrator}));
  run.run->begin(nullptr);
  const double before = energy_books(run.world());
  while (!run.run->finished()) run.run->step();
  run.run->finish();
  const auto& w = run.world();
  const bool rolls = mu >= std::tan(angle) * k / (1 + k);
  const double a = rolls ? kG * std::sin(angle) / (1 + k) : kG * (std::sin(angle) - mu * std::cos(angle));
  const double turn = rolls ? a / r : mu * kG * std::cos(angle) / (k * r);
  double spin = 0;
  if constexpr (D == 2) {
    spin = -w.bodies.moving[0].w;
  } else {
    spin = w.bodies.moving[0].w[1];
  }
  const auto what = fmt::format("{}D, {} rad, mu = {}, {}", D, angle, mu, integrator);
  EXPECT_NEAR(w.bodies.moving[0].v[0], a * end, 1e-9) << what;
  EXPECT_NEAR(w.bodies.place[0].x[0], 0.5 * a * end * end, 1e-9) << what;
  EXPECT_NEAR(spin, turn * end, 1e-8) << what;
  EXPECT_NEAR(w.bodies.place[0].x[D - 1], r, 1e-12) << what;
  EXPECT_NEAR(energy_books(w), before, 1e-9 * w.bodies.mass[0]) << what;
}

TEST(HardSlope, RoundBodiesRollOrSlideAndSpin) {
  for (const char* integrator : {"rk4", "dopri", "mixed-iteration"}) {
    for (const double angle : {0.2, 0.8}) {
      for (const double mu : {0.0, 0.1, 0.5, 2.0}) {
        on_a_slope<2>(angle, mu, integrator);
        on_a_slope<3>(angle, mu, integrator);
      }
    }
  }
}

const std::string kBlock =
    "[[clump]]\nname = \"block\"\npositions = [[-0.15, 0], [0, 0], [0.15, 0]]\nradii = [0.1, 0.1, 0.1]\n"
    "[[body]]\nclump = \"block\"\nposition = [0, 0.1]\nmaterial = \"m\"\n";

// A block: three disks in a row as a clump with two feet cannot roll: it sticks below tan(a) = mu and slides above.
TEST(HardSlope, ABlockSticksBelowItsAngleAndSlidesAbove) {
  const double mu = 0.4, critical = std::atan(mu), end = 0.5;
  for (const double angle : {critical - 1e-6, critical + 1e-3, critical + 0.2}) {
    InMemory<2> run(from_text(hard_head(2, end, 0.01, 0, mu) + fmt::format("[gravity]\ntilt = {:.17g}\n", angle) +
                              hard_floor(2) + kBlock));
    run.to_the_end();
    const double a = std::max(0.0, kG * (std::sin(angle) - mu * std::cos(angle)));
    EXPECT_NEAR(run.world().clumps.x[0][0], 0.5 * a * end * end, 1e-10) << angle - critical;
    EXPECT_NEAR(run.world().clumps.v[0][0], a * end, 1e-10) << angle - critical;
  }
}

// Cohesion adds to what friction can be: mu (N + strength). The probe of overlaps knows.
TEST(HardFriction, OfCohesiveContactsIsInsideTheirOwnCone) {
  for (const char* integrator : {"dopri", "time-stepping"}) {
    for (const double force : {1000.0, 1.0}) {
      InMemory<2> run(from_text(hard_head(2, 0.1, 0.005, 0, 0.3) +
                                    fmt::format("cohesion = {{ force = {} }}\n[gravity]\ntilt = 0.6\n", force) +
                                    hard_floor(2) + kBlock +
                                    "[[probe]]\nkind = \"overlaps\"\n[[probe]]\nkind = \"energy\"\n",
                                {std::string("hard.integrator=") + integrator}));
      run.to_the_end();
      EXPECT_EQ(math::norm(run.world().clumps.v[0]) < 1e-9, force > 100) << integrator << " " << force;
      EXPECT_LT(run.results("overlaps").at("largest_cone"), 1e-9) << integrator << " " << force;
      // At rest nothing turns over, and what is left of the balance is rounding.
      if (force > 100) {
        EXPECT_LT(run.results("energy").at("relative_balance"), 1e-6) << integrator;
      }
    }
  }
}

// The smooth form never sticks: a block creeps with v = epsilon tan(a) / mu where it would stick.
TEST(HardFriction, SmoothCreepsWhereItShouldStick) {
  const double mu = 0.4, angle = 0.2, epsilon = 0.01;
  for (const char* integrator : {"dopri", "mixed-iteration"}) {
    InMemory<2> run(from_text(hard_head(2, 0.2, 0.001, 0, mu, "friction = \"smooth\"\nfriction_speed = 0.01") +
                                  fmt::format("[gravity]\ntilt = {}\n", angle) + hard_floor(2) + kBlock,
                              {std::string("hard.integrator=") + integrator}));
    run.to_the_end();
    EXPECT_NEAR(run.world().clumps.v[0][0], epsilon * std::tan(angle) / mu, 1e-8) << integrator;
  }
}

// The lagged form takes the force of the step before: none in the first.
TEST(HardFriction, LaggedIsOneStepLate) {
  const double mu = 0.4, angle = 0.8, end = 0.2;
  for (const double step : {0.002, 0.0005}) {
    InMemory<2> run(from_text(hard_head(2, end, step, 0, mu, "contacts = \"steps\"\nfriction = \"lagged\"") +
                                  fmt::format("[gravity]\ntilt = {}\n", angle) + hard_floor(2) + kBlock,
                              {"hard.integrator=mixed-iteration"}));
    run.to_the_end();
    const double braked = kG * std::sin(angle) * end - mu * kG * std::cos(angle) * (end - step);
    EXPECT_NEAR(run.world().clumps.v[0][0], braked, 1e-9) << step;
  }
}

// A sliding disk that comes to roll: v = 5/7 v0 for a ball, 2/3 v0 for a disk, after slipping for v0 / (mu g (1 +
// 1/k)).
TEST(HardSlope, ASlippingBodyComesToRollAtItsMoment) {
  const double mu = 0.3, v0 = 2;
  InMemory<2> disk(
      from_text(hard_head(2, 1, 0.01, 0, mu) + "[gravity]\n" + hard_floor(2) + ball("[0, 0.1]", "[2, 0]", 0.1)));
  disk.to_the_end();
  EXPECT_NEAR(disk.world().bodies.moving[0].v[0], 2 * v0 / 3, 1e-11);
  const double slips = v0 / (mu * kG * 3), way = v0 * slips - 0.5 * mu * kG * slips * slips;
  EXPECT_NEAR(disk.world().bodies.place[0].x[0], way + 2 * v0 / 3 * (1 - slips), 1e-10);
  const double lost = disk.world().bodies.mass[0] * v0 * v0 / 6;  // m v0^2 / 2 less 3/4 m (2 v0 / 3)^2
  EXPECT_NEAR(disk.world().ledger.friction, lost, 1e-9 * lost);
  InMemory<3> sphere(from_text(hard_head(3, 1, 0.01, 0, mu) + "[gravity]\n" + hard_floor(3) +
                               ball("[0, 0, 0.1]", numbers({1.2, 1.6, 0}), 0.1)));
  sphere.to_the_end();
  EXPECT_NEAR(sphere.world().bodies.moving[0].v[0], 5 * 1.2 / 7, 1e-10);
  EXPECT_NEAR(sphere.world().bodies.moving[0].v[1], 5 * 1.6 / 7, 1e-10);
}

// A frictionless disk slides down a round hill and leaves it where cos = 2/3 of its start's, with v^2 = g R cos; in
// flight the horizontal part of that stays.
TEST(HardLeaving, OfARoundHillIsWhereTheForceVanishes) {
  const double hill = 1, r = 0.1, sum = hill + r, start = 0.3;
  const std::string disk = ball(numbers({sum * std::sin(start), sum * std::cos(start)}), "[0, 0]", r);
  const std::string circle =
      "[[wall]]\nname = \"hill\"\nkind = \"circle\"\ncentre = [0, 0]\nradius = 1\nmaterial = \"m\"\n";
  const std::string held = "[[body]]\nposition = [0, 0]\nradius = 1\nmaterial = \"m\"\nfixed = true\n";
  for (const bool wall : {true, false}) {
    InMemory<2> run(from_text(hard_head(2, 1.2, 0.005, 0, 0) + "[gravity]\n" + (wall ? circle + disk : disk + held)));
    run.to_the_end();
    const auto x = run.world().bodies.place[0].x;
    const auto v = run.world().bodies.moving[0].v;
    EXPECT_GT(std::hypot(x[0], x[1]), sum + 0.1);
    const double should = std::acos(2 * std::cos(start) / 3);
    // Speed at leaving: v^2 = g sum cos.
    const double speed = std::sqrt(kG * sum * std::cos(should));
    const double left_vx = speed * std::cos(should);
    EXPECT_NEAR(v[0], left_vx, 2e-7) << (wall ? "wall" : "body");
  }
}

// A ball hangs on a ceiling that is shaken: its force m (g + a) reaches the strength at a moment that is known.
template <class Scene>
void tears_at_its_moment(const Scene& scene, double strength_over_weight, bool bond) {
  const double amplitude = 0.05, frequency = 3, omega = 2 * M_PI * frequency, end = 0.5;
  const double mass = 1000 * M_PI * 0.01;
  InMemory<2> run(from_text(scene(strength_over_weight * mass * kG)));
  run.to_the_end();
  // a = -A w^2 sin(w t): pulls in the second half of the swing.
  const double torn = (M_PI + std::asin((strength_over_weight - 1) * kG / (amplitude * omega * omega))) / omega;
  const double y = amplitude * std::sin(omega * torn), v = amplitude * omega * std::cos(omega * torn), s = end - torn;
  EXPECT_NEAR(run.world().bodies.moving[1].v[1], v - kG * s, 1e-7);
  EXPECT_NEAR(run.world().bodies.place[1].x[1], -0.2 + y + v * s - 0.5 * kG * s * s, 1e-7);
  if (bond) {
    EXPECT_EQ(run.world().bonds.broken, 1);
    EXPECT_NEAR(run.world().bonds.first_break, torn, 1e-9);
  }
}
const std::string kShaken =
    "[[body]]\nposition = [0, 0]\nradius = 0.1\nmaterial = \"m\"\n[body.oscillation]\namplitude = [0, 0.05]\nfrequency "
    "= 3\n"
    "[[body]]\nposition = [0, -0.2]\nvelocity = [0, 0.9424777960769379]\nradius = 0.1\nmaterial = \"m\"\n";

TEST(HardCohesion, HoldsUpToItsStrength) {
  for (const double strength : {1.2, 2.5}) {
    tears_at_its_moment(
        [](double force) {
          return hard_head(2, 0.5, 0.001, 0, 0) + fmt::format("cohesion.force = {:.17g}\n[gravity]\n", force) + kShaken;
        },
        strength, false);
  }
}

TEST(HardBond, BreaksAtItsStrength) {
  tears_at_its_moment(
      [](double force) {
        return hard_head(2, 0.5, 0.001, 0, 0) +
               fmt::format("bond = {{tension = {:.17g}, shear = 1e6}}\n[gravity]\n", force) + kShaken;
      },
      1.8, true);
}

// Disks on top of each other: each contact carries what is above it, and nothing moves.
TEST(HardStack, StandsWithItsWeight) {
  std::string scene = hard_head(2, 1, 0.01, 0, 0.5) + "[gravity]\n" + hard_floor(2);
  for (int i = 0; i < 6; ++i) scene += ball(numbers({0, 0.1 + 0.2 * i}), "[0, 0]", 0.1);
  InMemory<2> run(from_text(scene));
  run.to_the_end();
  const auto& w = run.world();
  for (int i = 0; i < 6; ++i) {
    EXPECT_NEAR(w.bodies.place[static_cast<std::size_t>(i)].x[1], 0.1 + 0.2 * i, 1e-12);
    EXPECT_NEAR(w.bodies.place[static_cast<std::size_t>(i)].x[0], 0, 1e-12);
  }
  EXPECT_NEAR(w.walls[0].force[1], -6 * w.bodies.mass[0] * kG, 1e-9);
}

// A ball falls on a chain that hangs at both ends; an elastic impact through all links loses nothing.
TEST(HardChain, IsHitByABallWithoutLoss) {
  const std::string scene =
      hard_head(2, 0.6, 0.001, 1, 0, "contacts = \"events\"\ntolerance = 1e-11") +
      "[gravity]\n[[chain]]\npath = [[0, 0], [0, -0.6], [1.8, -0.6], [1.8, 0]]\nlinks = [2, 6, 2]\n"
      "mass = 1\nradius = 0.05\nmaterial = \"m\"\nground_end = true\n" +
      ball("[0.93, 0.4]", "[0, 0]", 0.1);
  InMemory<2> run(from_text(scene));
  run.run->begin(nullptr);
  const double before = energy_books(run.world());
  while (!run.run->finished()) run.run->step();
  EXPECT_GT(run.world().collisions, 0);
  EXPECT_NEAR(run.world().ledger.normal_dashpot, 0, 1e-10);
  EXPECT_NEAR(energy_books(run.world()), before, 1e-6);
}

// Sees all contacts of every step.
template <int D>
class LeastForce final : public sim::Watch<D> {
 public:
  explicit LeastForce(double& least) : least_(least) {}
  bool due(std::int64_t /*step*/, bool /*last*/) const override { return true; }
  bool wants_contacts() const override { return true; }
  void look(const measure::Sight<D>& sight) override {
    for (const auto& r : sight.contacts) least_ = std::min(least_, r.normal_force);
  }

 private:
  double& least_;
};

struct Dice {
  std::mt19937 random;
  double operator()(double a, double b) { return a + (b - a) * static_cast<double>(random()) / 4294967296.0; }
};

// Disks, or spheres, and now and then clumps, fall into a box.
template <int D>
std::string random_box(Dice& dice, const std::string& hard) {
  const double mu = dice(0, 1) < 0.3 ? 0 : dice(0, 0.8), e = dice(0, 1) < 0.3 ? 0 : dice(0, 0.9);
  std::string scene = hard_head(D, 0.4, 0.01, e, mu, hard) + "[gravity]\n";
  for (int d = 0; d < D; ++d) {
    for (const int side : {0, 1}) {
      if (d == D - 1 && side == 1) continue;
      std::array<double, 3> at{}, normal{}, to{};
      at[static_cast<std::size_t>(d)] = to[static_cast<std::size_t>(d)] = side;
      normal[static_cast<std::size_t>(d)] = 1 - 2 * side;
      to[static_cast<std::size_t>(1 - d % 2)] = d == 0 ? 3 : 1;
      scene += fmt::format("[[wall]]\nname = \"w{}{}\"\nmaterial = \"m\"\n", d, side);
      scene += D == 2 ? fmt::format("from = [{}, {}]\nto = [{}, {}]\n", at[0], at[1], to[0], to[1])
                      : fmt::format("point = [{}, {}, {}]\nnormal = [{}, {}, {}]\n", at[0], at[1], at[2], normal[0],
                                    normal[1], normal[2]);
    }
  }
  if (D == 2) scene += "[[clump]]\nname = \"c\"\npositions = [[-0.06, 0], [0.05, 0.02]]\nradii = [0.08, 0.06]\n";
  const int bodies = 2 + static_cast<int>(dice(0, 6));
  double y = 0.05, last = 0;
  for (int b = 0; b < bodies; ++b) {
    const bool clump = D == 2 && dice(0, 1) < 0.25;
    const double r = clump ? 0.16 : dice(0.05, 0.2);
    y += r + last + 0.02;
    last = r;
    const std::string x = D == 2 ? numbers({dice(r, 1 - r), y}) : numbers({dice(r, 1 - r), dice(r, 1 - r), y});
    const std::string v =
        D == 2 ? numbers({dice(-2, 2), dice(-2, 0)}) : numbers({dice(-2, 2), dice(-2, 2), dice(-2, 0)});
    const std::string w =
        "spin = " + (D == 2 ? fmt::format("{:.17g}", dice(-5, 5)) : numbers({dice(-5, 5), dice(-5, 5), 1}));
    scene += clump
                 ? fmt::format("[[body]]\nclump = \"c\"\nposition = {}\nvelocity = {}\nmaterial = \"m\"\n{}\n", x, v, w)
                 : ball(x, v, r, w);
  }
  return scene;
}

// Nothing hangs, nothing is lost, no contact pulls.
template <int D>
void run_random_boxes(int count, unsigned seed, const std::vector<std::string>& hards, bool books,
                      const std::vector<std::string>& sets = {}, int may_stop = 0) {
  Dice dice{std::mt19937(seed)};
  for (int n = 0; n < count; ++n) {
    const std::string scene = random_box<D>(dice, hards[static_cast<std::size_t>(n) % hards.size()]);
    SCOPED_TRACE(scene);
    InMemory<D> run(from_text(scene, sets));
    double least = 0;
    run.run->add(std::make_unique<LeastForce<D>>(least));
    run.run->begin(nullptr);
    const double before = energy_books(run.world());
    try {
      while (!run.run->finished()) run.run->step();
    } catch (const base::RunError& error) {
      ASSERT_NE(scene.find("friction_limit"), std::string::npos) << error.what();
      ASSERT_EQ(std::string(error.what()).find("no longer a number"), std::string::npos) << error.what();
      ASSERT_GT(may_stop--, 0) << error.what();
    }
    for (const auto& m : run.world().bodies.moving) ASSERT_TRUE(math::is_finite(m.v) && math::is_finite(m.w));
    EXPECT_GE(least, books ? -1e-9 * std::fabs(before) : -1e-3 * std::fabs(before)) << "the strongest pull (N)";
    if (books) {
      EXPECT_NEAR(energy_books(run.world()), before, 1e-5 * std::fabs(before));
    }
  }
}

TEST(HardBox, RandomScenesRunToTheirEnd) {
  run_random_boxes<2>(MORAINE_SANITIZED ? 12 : 200, 7,
                      {"", "impacts = \"sequential\"", "impact_speed = 0", "event_search = \"bisection\""}, true);
}

TEST(HardBox, RandomScenesInSpaceRunToTheirEnd) {
  run_random_boxes<3>(MORAINE_SANITIZED ? 1 : 10, 11, {"", "impact_speed = 0"}, true);
}

TEST(HardBox, RandomScenesWithSmoothFrictionRunToTheirEnd) {
  const std::string smooth = "friction = \"smooth\"\nfriction_speed = 0.01\n";
  run_random_boxes<2>(MORAINE_SANITIZED ? 3 : 10, 13, {smooth, smooth + "friction_limit = true\n"}, false);
}

// Two of the 26 with the sources' limited friction end with a message: their iteration turns in a circle.
TEST(HardBox, RandomScenesInStepsRunToTheirEnd) {
  const std::string steps = "contacts = \"steps\"\n";
  run_random_boxes<2>(MORAINE_SANITIZED ? 6 : 40, 17,
                      {steps, steps + "friction = \"smooth\"\nfriction_limit = true",
                       steps + "friction = \"lagged\"\nfriction_limit = true"},
                      false, {"hard.integrator=mixed-iteration", "time.step=0.002"}, 2);
}

}  // namespace
