// SPDX-License-Identifier: MIT
// Hard contacts by time stepping against closed forms: impacts, slopes, rolling, bouncing, rest.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "support/in_memory.hpp"

namespace {

using namespace moraine;
using math::Vec2;
using math::Vec3;
using test::from_text;
using test::InMemory;

constexpr double kG = 9.81;

std::string scene(int dimension, double end, double step, const std::string& contact, bool gravity = true) {
  return fmt::format(
      "dimension = {}\nmethod = \"hard\"\n[time]\nend = {}\nstep = {}\n{}[[material]]\nname = \"m\"\n"
      "density = 1000\n[[contact]]\n{}\n",
      dimension, end, step, gravity ? "[gravity]\n" : "", contact);
}
std::string tilted(int dimension, double end, double step, const std::string& contact, double angle) {
  return scene(dimension, end, step, contact, false) + fmt::format("[gravity]\ntilt = {:.17g}\n", angle);
}

template <int D>
double energy(const world::World<D>& world) {
  double sum = 0;
  for (std::size_t i = 0; i < world.bodies.size(); ++i) {
    sum += 0.5 * world.bodies.mass[i] * math::norm2(world.velocity(i)) +
           0.5 * world.bodies.inertia[i] * math::norm2(world.spin(i));
  }
  return sum;
}

struct Impact {
  double e, mu, radius, speed, offset, spin;
};

// Two disks or spheres that meet off centre with spin: normal impulse (1+e) m u_n, tangential what stops the slip or
// mu times the normal one.
template <int D>
void check_impact(const Impact& c) {
  const double r1 = 0.3, r2 = c.radius, reach = r1 + r2;
  const double sine = c.offset, cosine = std::sqrt(1 - sine * sine);
  const std::string zero = D == 3 ? ", 0" : "";
  const auto spin = [&](double w) { return D == 3 ? fmt::format("[0, 0, {:.17g}]", w) : fmt::format("{:.17g}", w); };
  const std::string text =
      scene(D, 0.1, 0.001, fmt::format("restitution = {}\nfriction = {}", c.e, c.mu), false) +
      fmt::format("[[body]]\nposition = [0, 0{}]\nradius = {}\nmaterial = \"m\"\n", zero, r1) +
      fmt::format(
          "[[body]]\nposition = [{:.17g}, {:.17g}{}]\nvelocity = [{:.17g}, 0{}]\n"
          "spin = {}\nradius = {}\nmaterial = \"m\"\n",
          cosine * reach * (1 + 1e-12), sine * reach * (1 + 1e-12), zero, -c.speed, zero, spin(c.spin), r2);
  InMemory<D> run(from_text(text));
  const auto& w = run.world();
  run.run->begin(nullptr);
  const double m1 = w.bodies.mass[0], m2 = w.bodies.mass[1], i1 = w.bodies.inertia[0], i2 = w.bodies.inertia[1];
  const double before = energy(w);
  while (!run.run->finished()) run.run->step();
  ASSERT_EQ(w.bodies.id[0], 0);
  const auto v1 = w.bodies.moving[0].v, v2 = w.bodies.moving[1].v;
  EXPECT_NEAR(m1 * v1[0] + m2 * v2[0], -m2 * c.speed, 1e-14 * m2 * c.speed) << "momentum along x";
  EXPECT_NEAR(m1 * v1[1] + m2 * v2[1], 0, 1e-14 * m2 * c.speed) << "momentum along y";
  const double m_n = 1 / (1 / m1 + 1 / m2), m_t = 1 / (1 / m1 + 1 / m2 + r1 * r1 / i1 + r2 * r2 / i2);
  const double u_n = -c.speed * cosine, u_t = c.speed * sine - r2 * c.spin;  // of body 2 against 1, n from 1 to 2
  const double j_n = -(1 + c.e) * m_n * u_n, j_t = std::min(c.mu * j_n, std::fabs(u_t) * m_t);
  const double loss = 0.5 * (1 - c.e * c.e) * m_n * u_n * u_n + j_t * std::fabs(u_t) - 0.5 * j_t * j_t / m_t;
  EXPECT_NEAR(before - energy(w), loss, 1e-10 * before) << "energy: " << before - energy(w) << ", theory " << loss;
  EXPECT_NEAR(math::norm(v1) * m1, std::hypot(j_n, j_t), 1e-10 * std::hypot(j_n, j_t)) << "impulse";
}

TEST(SteppingImpact, OfTwoDisksFollowsNewtonAndCoulomb) {
  for (const Impact& c : {Impact{0.5, 0, 0.3, 2, 0, 0},
                          {1, 0, 0.1, 1, 0.5, 0},
                          {0, 0.3, 0.5, 3, 0.3, 0},
                          {0.8, 0.1, 0.3, 2, 0.7, 5},
                          {0.9, 1, 0.2, 1, 0.4, -8},
                          {0.3, 0.5, 0.3, 1, 0, 20}})
    check_impact<2>(c);
}
TEST(SteppingImpact, OfTwoSpheresFollowsNewtonAndCoulomb) {
  for (const Impact& c : {Impact{0.5, 0, 0.3, 2, 0, 0},
                          {1, 0, 0.1, 1, 0.5, 0},
                          {0, 0.3, 0.5, 3, 0.3, 0},
                          {0.8, 0.1, 0.3, 2, 0.7, 5},
                          {0.9, 1, 0.2, 1, 0.4, -8},
                          {0.3, 0.5, 0.3, 1, 0, 20}})
    check_impact<3>(c);
}

// A head-on impact has no such freedom: exact to rounding, for any masses.
TEST(SteppingImpact, HeadOnLosesWhatNewtonsRuleSays) {
  for (const double e : {0.0, 0.25, 0.6, 1.0}) {
    for (const double r2 : {0.05, 0.3, 1.1}) {
      const std::string text =
          scene(3, 0.2, 0.001, fmt::format("restitution = {}\nfriction = 0.4", e), false) +
          "[[body]]\nposition = [0, 0, 0]\nvelocity = [0.5, 0, 0]\nradius = 0.3\nmaterial = \"m\"\n" +
          fmt::format("[[body]]\nposition = [{}, 0, 0]\nvelocity = [-1.5, 0, 0]\nradius = {}\nmaterial = \"m\"\n",
                      0.3 + r2 + 0.1234, r2);
      InMemory<3> run(from_text(text));
      run.run->begin(nullptr);
      const auto& b = run.world().bodies;
      const double m1 = b.mass[0], m2 = b.mass[1], before = energy(run.world());
      while (!run.run->finished()) run.run->step();
      const double loss = 0.5 * (1 - e * e) * m1 * m2 / (m1 + m2) * 4;
      EXPECT_NEAR(before - energy(run.world()), loss, 1e-12 * before) << e << " " << r2;
      EXPECT_NEAR(b.moving[1].v[0] - b.moving[0].v[0], 2 * e, 1e-12);
      EXPECT_NEAR(m1 * b.moving[0].v[0] + m2 * b.moving[1].v[0], 0.5 * m1 - 1.5 * m2, 1e-13 * (m1 + m2));
    }
  }
}

// A rod of disks that falls flat on one end: J = (1+e) m v / (1 + m x^2 / I), and the spin that goes with it.
TEST(SteppingImpact, OfAClumpTurnsItByItsLever) {
  for (const double e : {0.0, 0.7}) {
    const std::string text = scene(2, 0.05, 0.0005, fmt::format("restitution = {}\nfriction = 0", e), false) + R"(
[[clump]]
name = "rod"
positions = [[-0.4, 0], [-0.2, 0], [0, 0], [0.2, 0], [0.4, 0]]
radii = [0.1, 0.1, 0.1, 0.1, 0.1]
[[body]]
clump = "rod"
material = "m"
position = [0, 0.11]
velocity = [0, -1]
[[body]]
position = [-0.4, -0.2]
radius = 0.2
material = "m"
fixed = true
)";
    InMemory<2> run(from_text(text));
    run.run->begin(nullptr);
    const auto& c = run.world().clumps;
    const double m = c.mass[0], inertia = c.inertia[0];
    while (!run.run->finished() && std::fabs(c.w[0]) < 1e-9) run.run->step();
    run.run->step();
    const double J = (1 + e) * m / (1 + m * 0.16 / inertia);
    EXPECT_NEAR(c.v[0][1], -1 + J / m, 2e-3) << "theory " << -1 + J / m;
    EXPECT_NEAR(c.w[0], -0.4 * J / inertia, 4e-3 * J / inertia) << "theory " << -0.4 * J / inertia;
  }
}

// Rolling down a slope: 2/3 g sin (disk), 5/7 (sphere) where friction holds; otherwise g (sin - mu cos) and the spin of
// the friction alone. Gravity is tilted, the floor is level.
template <int D>
void check_slope(double angle, double mu) {
  const double factor = D == 2 ? 0.5 : 0.4, r = 0.2, end = 1;  // I = factor m r^2
  const std::string floor =
      D == 2 ? "[[wall]]\nname = \"floor\"\nmaterial = \"m\"\nfrom = [-50, 0]\nto = [50, 0]\n"
             : "[[wall]]\nname = \"floor\"\nmaterial = \"m\"\npoint = [0, 0, 0]\nnormal = [0, 0, 1]\n";
  const std::string text =
      tilted(D, end, 0.002, fmt::format("friction = {}", mu), angle) + floor +
      fmt::format("[[body]]\nposition = {}\nradius = {}\nmaterial = \"m\"\n", D == 2 ? "[0, 0.2]" : "[0, 0, 0.2]", r);
  InMemory<D> run(from_text(text));
  run.to_the_end();
  const auto& w = run.world();
  const double down = kG * std::sin(angle), hold = mu * kG * std::cos(angle);
  const bool rolls = std::tan(angle) <= mu * (1 + 1 / factor);
  const double a = rolls ? down / (1 + factor) : down - hold;
  const double turn = rolls ? a / r : hold / (factor * r);
  EXPECT_NEAR(w.velocity(0)[0], a * end, 1e-9) << angle << " " << mu;
  EXPECT_NEAR(math::norm(w.spin(0)), turn * end, 1e-8) << angle << " " << mu;
  EXPECT_NEAR(w.bodies.place[0].x[0], 0.5 * a * end * end, 1e-9);
}
TEST(SteppingSlope, ADiskRollsWithTwoThirdsOrSlides) {
  for (const double angle : {0.1, 0.5, 1.0, 1.3}) {
    for (const double mu : {0.05, 0.2, 0.5, 1.0}) check_slope<2>(angle, mu);
  }
}
TEST(SteppingSlope, ASphereRollsWithFiveSeventhsOrSlides) {
  for (const double angle : {0.1, 0.5, 1.0, 1.3}) {
    for (const double mu : {0.05, 0.2, 0.5, 1.0}) check_slope<3>(angle, mu);
  }
}

// What cannot roll sticks below tan(angle) = mu and slides above with g (sin - mu cos).
TEST(SteppingSlope, ASledSticksBelowTheAngleOfFrictionAndSlidesAbove) {
  for (const double mu : {0.2, 0.5, 0.9}) {
    for (const double part : {0.5, 0.99, 1.01, 1.5}) {
      const double angle = std::atan(part * mu);
      const std::string text = tilted(2, 1, 0.002, fmt::format("friction = {}", mu), angle) + R"(
[[wall]]
name = "floor"
material = "m"
from = [-50, 0]
to = [50, 0]
[[clump]]
name = "sled"
positions = [[-0.2, 0], [0, 0], [0.2, 0]]
radii = [0.1, 0.1, 0.1]
[[body]]
clump = "sled"
material = "m"
position = [0, 0.1]
)";
      InMemory<2> run(from_text(text));
      const double start = run.world().clumps.x[0][0];
      run.to_the_end();
      const double a = std::max(0.0, kG * (std::sin(angle) - mu * std::cos(angle)));
      EXPECT_NEAR(run.world().clumps.v[0][0], a, 1e-8) << mu << " " << part;
      EXPECT_NEAR(run.world().clumps.x[0][0] - start, 0.5 * a, 1e-8);
    }
  }
}

// Resistance to rolling: v' = -mu_r g / (1 + I / m r^2).
TEST(SteppingRolling, ADiskIsSlowedByItsResistance) {
  const std::string text = scene(2, 1, 0.002, "friction = 0.5\nrolling = \"constant\"\nrolling_friction = 0.03") +
                           "[[wall]]\nname = \"floor\"\nmaterial = \"m\"\nfrom = [-50, 0]\nto = [50, 0]\n[[body]]\n"
                           "position = [0, 0.25]\nradius = 0.25\nvelocity = [2, 0]\nspin = -8\nmaterial = \"m\"\n";
  InMemory<2> run(from_text(text));
  run.to_the_end();
  EXPECT_NEAR(run.world().velocity(0)[0], 2 - 0.03 * kG / 1.5, 1e-9);
  EXPECT_NEAR(run.world().spin(0), -run.world().velocity(0)[0] / 0.25, 1e-9);
}

// A ball that bounces: the n-th bounce at t_1 (1 + 2 (e + e^2 + ...)). Steps meet it with first order.
double error_of_bounces(double e, double step) {
  const std::string text =
      scene(2, 1.5, step, fmt::format("restitution = {}", e)) +
      "[hard]\nimpact_speed = 0.01\nsubsteps = 1\n[[wall]]\nname = \"floor\"\nmaterial = \"m\"\n"
      "from = [-5, 0]\nto = [5, 0]\n[[body]]\nposition = [0, 0.55]\nradius = 0.05\nmaterial = \"m\"\n";
  InMemory<2> run(from_text(text));
  run.run->begin(nullptr);
  double worst = 0, t = std::sqrt(2 * 0.5 / kG), flight = 2 * t * e, before = 0;
  int bounces = 0;
  while (!run.run->finished() && bounces < 4) {
    run.run->step();
    const double v = run.world().velocity(0)[1];
    if (before < -0.1 && v > 0) {
      worst = std::max(worst, std::fabs(run.world().time - t));
      t += flight;
      flight *= e;
      ++bounces;
    }
    before = v;
  }
  EXPECT_EQ(bounces, 4);
  return worst;
}
TEST(SteppingBounce, TimesConvergeWithFirstOrder) {
  for (const double e : {0.5, 0.7}) {
    double coarse = 0, fine = 0;
    for (const double shift : {1.0, 1.07, 1.13, 1.19}) {  // where in a step the bounce falls is chance
      coarse += error_of_bounces(e, 0.004 * shift) / 4;
      fine += error_of_bounces(e, 0.00025 * shift) / 4;
    }
    EXPECT_LT(coarse, 0.016) << e;
    EXPECT_NEAR(std::log(coarse / fine) / std::log(16.0), 1, 0.35) << coarse << " " << fine;
  }
}
TEST(SteppingBounce, EndsAtRest) {
  for (const double e : {0.3, 0.8, 0.95}) {
    const std::string text = scene(3, 20, 0.004, fmt::format("restitution = {}", e)) +
                             "[[wall]]\nname = \"floor\"\nmaterial = \"m\"\npoint = [0, 0, 0]\nnormal = [0, 0, 1]\n"
                             "[[body]]\nposition = [0, 0, 0.35]\nradius = 0.05\nmaterial = \"m\"\n";
    InMemory<3> run(from_text(text));
    run.to_the_end();
    EXPECT_NEAR(run.world().velocity(0)[2], 0, 1e-12) << e;
    EXPECT_NEAR(run.world().bodies.place[0].x[2], 0.05, 1e-6) << e;
  }
}

// A disk that hangs on another by cohesion: falls if it is heavier than the contact is strong.
TEST(SteppingCohesion, HoldsUpToItsStrength) {
  const double weight = M_PI * 0.01 * 1000 * kG;  // radius 0.1, thickness 1
  for (const double part : {0.95, 1.05}) {
    const std::string text =
        scene(2, 1, 0.002, fmt::format("friction = 0.3\n[contact.cohesion]\nforce = {:.17g}", part * weight)) +
        "[[body]]\nposition = [0, 0]\nradius = 0.1\nmaterial = \"m\"\nfixed = true\n[[body]]\nposition = [0, -0.2]\n"
        "radius = 0.1\nmaterial = \"m\"\nvelocity = [0, 0.1]\n";
    InMemory<2> run(from_text(text));
    run.to_the_end();
    double y = 0;
    for (std::size_t i = 0; i < 2; ++i) y = std::min(y, run.world().bodies.place[i].x[1]);
    if (part > 1) {
      EXPECT_NEAR(y, -0.2, 1e-6);
    } else {
      EXPECT_NEAR(y, -0.2 - 0.5 * kG, 0.02) << "breaks at once and falls";
    }
  }
}

}  // namespace
