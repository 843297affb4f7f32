// SPDX-License-Identifier: MIT
// Rolling resistance, cohesion and bonds against closed forms: rolling out, standing on a slope, tearing at the set
// force, bending; and what must be kept whatever they do.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "measure/energy.hpp"
#include "support/in_memory.hpp"

namespace {

using namespace moraine;
using test::example;
using test::from_text;
using test::InMemory;

const char* const kMaterial = R"(
[[material]]
name = "m"
density = 1000
stiffness = 2e6
)";

std::string ground(int dimension) {
  return fmt::format("dimension = {}\n[gravity]\n{}[[wall]]\nname = \"floor\"\nmaterial = \"m\"\n{}\n", dimension,
                     "[[material]]\nname = \"m\"\ndensity = 1000\nstiffness = 2e8\n",
                     dimension == 2 ? "from = [-100, 0]\nto = [100, 0]" : "point = [0, 0, 0]\nnormal = [0, 0, 1]");
}

// A ball that its weight has pressed into the floor already.
std::string ball(int dimension, const std::string& velocity, const std::string& spin) {
  const double height = 0.1 - 9.81 * 1000 * (dimension == 2 ? M_PI * 0.01 : 4.0 / 3 * M_PI * 0.001) / 1e8;
  return fmt::format("[[body]]\nmaterial = \"m\"\nradius = 0.1\nposition = [0, {}{}]\nvelocity = {}\nspin = {}\n",
                     dimension == 2 ? "" : "0, ", height, velocity, spin);
}

// --- rolling

TEST(Rolling, AConstantMomentSlowsABallAtTheRightRate) {
  const std::string rest =
      "[[contact]]\nrestitution = 0.3\nfriction = 0.5\nshear_damping = 0.3\nrolling = \"constant\"\n"
      "rolling_friction = 0.02\n[time]\nend = 1\n[[probe]]\nkind = \"energy\"\n";
  InMemory<2> disk(from_text(ground(2) + rest + ball(2, "[1, 0]", "-10")));
  disk.to_the_end();
  EXPECT_NEAR(disk.world().velocity(0)[0], 1 - 2.0 / 3 * 0.02 * 9.81, 5e-4);
  EXPECT_LT(disk.results("energy").at("relative_balance"), 1e-3);
  InMemory<3> sphere(from_text(ground(3) + rest + ball(3, "[0.6, 0.8, 0]", "[-8, 6, 0]")));
  sphere.to_the_end();
  const double v = 1 - 5.0 / 7 * 0.02 * 9.81;
  EXPECT_NEAR(sphere.world().velocity(0)[0], 0.6 * v, 5e-4);
  EXPECT_NEAR(sphere.world().velocity(0)[1], 0.8 * v, 5e-4);
  EXPECT_LT(sphere.results("energy").at("relative_balance"), 1e-3);
}

TEST(Rolling, ABallThatHasRolledOutLiesStill) {
  for (const char* law : {"constant", "spring"}) {
    InMemory<2> m(from_text(ground(2) +
                                "[[contact]]\nrestitution = 0.3\nfriction = 0.5\nshear_damping = 0.3\n"
                                "rolling_friction = 0.1\n[time]\nend = 1\n" +
                                ball(2, "[0.2, 0]", "-2"),
                            {fmt::format("contact.0.rolling={}", law)}));
    m.to_the_end();
    // It stops after 0.31 s and 3.1 cm.
    EXPECT_NEAR(m.world().bodies.place[0].x[0], 0.5 * 0.04 / (2.0 / 3 * 0.1 * 9.81), 3e-4) << law;
    EXPECT_LT(std::fabs(m.world().velocity(0)[0]), 1e-9) << law;
    EXPECT_LT(std::fabs(m.world().spin(0)), 1e-8) << law;
  }
}

// A ball with the spring law stands on slopes of tan < mu_r, without creeping, and rolls on steeper ones.
template <int D>
void slope(double factor) {
  const double mu = 0.1, a = std::atan(factor * mu);
  InMemory<D> m(from_text(ground(D) +
                              "[[contact]]\nrestitution = 0.3\nfriction = 0.5\nshear_damping = 0.3\n"
                              "rolling = \"spring\"\nrolling_friction = 0.1\n[time]\nend = 1\n"
                              "[[probe]]\nkind = \"bodies\"\nids = [0]\n[[probe]]\nkind = \"energy\"\n" +
                              ball(D, D == 2 ? "[0, 0]" : "[0, 0, 0]", D == 2 ? "0" : "[0, 0, 0]"),
                          {fmt::format("gravity.tilt={}", a)}));
  m.to_the_end();
  const double v = m.world().velocity(0)[0];
  if (factor < 1) {
    const auto& rows = m.rows.at("bodies");
    EXPECT_LT(std::fabs(rows.back()[1] - rows[rows.size() / 2][1]), 1e-9) << D << "D: creeps";
    EXPECT_LT(std::fabs(rows.back()[1]), 1e-3) << D << "D: gave way";
    EXPECT_LT(std::fabs(v), 1e-7) << D << "D";
  } else {
    const double expected = (D == 2 ? 2.0 / 3 : 5.0 / 7) * 9.81 * (std::sin(a) - mu * std::cos(a));
    EXPECT_NEAR(v, expected, 0.01 * expected) << D << "D";
    EXPECT_LT(m.results("energy").at("relative_balance"), 1e-3);
  }
}

TEST(Rolling, ABallStandsOnAFlatSlopeAndRollsOnASteepOne) {
  for (const double factor : {0.5, 0.9, 1.2, 3.0}) {
    slope<2>(factor);
    slope<3>(factor);
  }
}

TEST(Rolling, TwistingFrictionStopsASpinningTop) {
  for (const char* law : {"constant", "spring"}) {
    InMemory<3> m(from_text(ground(3) +
                                "[[contact]]\nrestitution = 0.3\nrolling_friction = 0.05\ntwisting_friction = 0.02\n"
                                "[time]\nend = 0.5\n[[probe]]\nkind = \"energy\"\n" +
                                ball(3, "[0, 0, 0]", "[0, 0, 10]"),
                            {fmt::format("contact.0.rolling={}", law)}));
    m.to_the_end();
    EXPECT_NEAR(m.world().spin(0)[2], 10 - 0.5 * 0.02 * 9.81 / (0.4 * 0.1), 5e-3) << law;
    EXPECT_LT(m.results("energy").at("relative_balance"), 1e-3) << law;
  }
}

// --- cohesion

// Body 1 sticks to the fixed body 0 and is pulled away by body 2, to which it is bonded firmly, from `wait` on.
std::string pulled(const std::string& law, double wait, double speed) {
  return fmt::format(R"(
dimension = 2
{0}young = 1e9
[[material]]
name = "hook"
density = 1000
stiffness = 2e6
young = 1e9
[[contact]]
restitution = 0.5
{1}
[[contact]]
between = ["m", "hook"]
restitution = 0.5
bond = {{ tension = 2000, shear = 2000, gap = 0.01 }}
[[body]]
material = "m"
radius = 0.01
position = [0, 0]
fixed = true
[[body]]
material = "m"
radius = 0.01
position = [0.01999999, 0]
[[body]]
material = "hook"
radius = 0.01
position = [0.04, 0]
motion = [{{ from = {2}, velocity = [{3}, 0] }}]
[time]
end = {4}
step = 1e-5
[[probe]]
kind = "contacts"
pairs = [[0, 1]]
every = 1e-5
[[probe]]
kind = "energy"
)",
                     kMaterial, law, wait, speed, wait + 0.5);
}

// The largest pull of the spring of contact 0-1, and when it was.
struct Torn {
  double pull = 0, time = 0;
};
template <int D>
Torn torn(const InMemory<D>& m, double K) {
  Torn t;
  for (const auto& row : m.rows.at("contacts")) {
    if (-K * row[3] > t.pull) t = {-K * row[3], row[0]};
  }
  EXPECT_EQ(m.rows.at("contacts").back()[3], 0) << "still closed";
  return t;
}

TEST(Cohesion, TwoBodiesSeparateAtTheirStrength) {
  const double strength = 80, speed = 1e-3;
  InMemory<2> m(from_text(pulled("cohesion = { force = 80 }", 0, speed)));
  m.to_the_end();
  EXPECT_NEAR(torn(m, 1e6).pull, strength, 1e-3 * strength);
  EXPECT_LT(m.results("energy").at("relative_balance"), 1e-3);
  // As a stress over the section 2 r * thickness.
  InMemory<2> stress(from_text(pulled("cohesion = { stress = 4000 }", 0, speed)));
  EXPECT_NEAR(torn(stress.to_the_end(), 1e6).pull, strength, 1e-3 * strength);
  // Beside Hertz, with a stretched spring of its own.
  InMemory<2> hertz(from_text(pulled("normal = \"hertz\"\ncohesion = { force = 80, stiffness = 5e5 }", 0, speed), {}));
  EXPECT_NEAR(torn(hertz.to_the_end(), 5e5).pull, strength, 1e-3 * strength);
  EXPECT_LT(hertz.results("energy").at("relative_balance"), 1e-3);
}

TEST(Cohesion, TheStrengthFollowsItsGrowth) {
  for (const double wait : {0.0, 0.2, 0.5, 1.5}) {
    InMemory<2> grown(from_text(pulled("cohesion = { force = 20, growth = 60, time = 0.4 }", wait, 1e-3)));
    const Torn t = torn(grown.to_the_end(), 1e6);
    const double expected = 20 + 60 * (1 - std::exp(-t.time / 0.4));
    EXPECT_NEAR(t.pull, expected, 2e-4 * expected) << wait;
    InMemory<2> line(from_text(pulled("cohesion = { growth = 60, time = 0.4, form = \"linear\" }", wait, 2e-3)));
    if (wait == 0) continue;  // without any strength at first, it is lost at the first shiver
    const Torn l = torn(line.to_the_end(), 1e6);
    EXPECT_NEAR(l.pull, 60 * std::min(1.0, l.time / 0.4), 0.02) << wait;
  }
}

// A ball under a ceiling holds if its strength exceeds its weight (and the first swing of its fall), and else falls.
TEST(Cohesion, ABallHangsFromACeilingOrFalls) {
  const double weight = 1000 * 4.0 / 3 * M_PI * 1e-3 * 9.81;
  for (const double factor : {0.9, 2.1}) {
    InMemory<3> m(from_text(fmt::format(R"(
dimension = 3
[gravity]
{}
[[wall]]
name = "ceiling"
material = "m"
point = [0, 0, 0]
normal = [0, 0, -1]
[[contact]]
restitution = 0.5
cohesion = {{ force = {} }}
[[body]]
material = "m"
radius = 0.1
position = [0, 0, -0.0999999]
[time]
end = 0.4
[[probe]]
kind = "walls"
[[probe]]
kind = "energy"
)",
                                        kMaterial, factor * weight)));
    m.to_the_end();
    if (factor < 1) {
      EXPECT_NEAR(m.world().velocity(0)[2], -9.81 * 0.4, 0.05);
    } else {
      EXPECT_NEAR(m.results("walls").at("ceiling.force_z"), -weight, 1e-3 * weight);
      EXPECT_NEAR(m.world().bodies.place[0].x[2], -0.1 - weight / 1e6, 1e-8);
    }
    EXPECT_LT(m.results("energy").at("relative_balance"), 1e-3) << factor;
  }
}

// Coulomb with cohesion: a sled without weight resists mu times the strength of its seven contacts.
TEST(Cohesion, RaisesFriction) {
  const std::string text = std::string("dimension = 2\nglobal_damping = 200\n") + kMaterial + R"(
[gravity]
direction = [1, 0]
[[wall]]
name = "floor"
material = "m"
from = [-10, 0]
to = [10, 0]
[[clump]]
name = "sled"
positions = [[-0.3, 0], [-0.2, 0], [-0.1, 0], [0, 0], [0.1, 0], [0.2, 0], [0.3, 0]]
radii = [0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1]
[[contact]]
restitution = 0.2
friction = 0.4
shear_damping = 0.5
cohesion = { force = 100 }
[[body]]
material = "m"
clump = "sled"
position = [0, 0.09999999]
[time]
end = 0.6
)";
  const double mass = InMemory<2>(from_text(text)).world().clumps.mass[0], limit = 0.4 * 700;
  for (const double factor : {0.95, 1.05}) {
    InMemory<2> sled(from_text(text, {fmt::format("gravity.acceleration={}", factor * limit / mass)}));
    sled.to_the_end();
    const double v = sled.world().clump_velocity(0)[0];
    if (factor < 1) {
      EXPECT_LT(std::fabs(v), 1e-8);
    } else {
      EXPECT_NEAR(v, (factor - 1) * limit / mass / 200, 0.01 * v) << "what friction leaves, against the damping";
    }
  }
}

// The example: the column stands by its cohesion, and falls without it.
TEST(Cohesion, AColumnOfCohesiveGrainsStands) {
  const auto height = [](const InMemory<2>& m) {
    double top = 0;
    for (const auto& p : m.world().bodies.place) top = std::max(top, p.x[1]);
    return top;
  };
  for (const char* force : {"300", "0"}) {
    InMemory<2> m(example("cohesive_column",
                          {"time.end=0.6", "time.fraction=0.04", fmt::format("contact.0.cohesion.force={}", force)}));
    const double before = height(m);
    const double after = height(m.to_the_end());
    if (force[0] == '3') {
      EXPECT_GT(after, 0.97 * before);
    } else {
      EXPECT_LT(after, 0.5 * before);
    }
    // Mostly from the sudden start of the plates at this coarse step; a quarter of it with a step a quarter as long.
    EXPECT_LT(m.results("energy").at("relative_balance"), 5e-3) << force;
  }
}

// --- bonds

std::string row_of(int count, double spacing, const std::string& last) {
  std::string out;
  for (int k = 0; k < count; ++k) {
    out += fmt::format("[[body]]\nmaterial = \"m\"\nradius = 0.01\nposition = [{}, 0]\n", k * spacing);
    if (k == 0) out += "fixed = true\n";
    if (k == count - 1) out += last;
  }
  return out;
}

TEST(Bonds, AChainBreaksAtTheSetForce) {
  for (const double spacing : {0.02, 0.0199, 0.0201}) {  // touching, overlapping, over a gap
    InMemory<2> m(from_text(std::string("dimension = 2\n") + kMaterial + R"(
[[contact]]
restitution = 0.5
bond = { tension = 100, shear = 100, gap = 0.02 }
[time]
end = 5
[[probe]]
kind = "contacts"
pairs = [[0, 1], [1, 2], [2, 3], [3, 4]]
every = 1e-4
[[probe]]
kind = "bonds"
every = 1e-4
[[probe]]
kind = "energy"
)" + row_of(5, spacing, "motion = [{ velocity = [1e-4, 0] }]\n")));
    m.to_the_end();
    const auto r = m.results("bonds");
    EXPECT_GE(r.at("broken"), 1);
    EXPECT_EQ(r.at("intact") + r.at("broken"), 4);
    // Four springs of 1e6 N/m in a row.
    EXPECT_NEAR(r.at("first_break"), 100 / 0.25e6 / 1e-4, 0.01);
    double pull = 0;
    for (const auto& row : m.rows.at("contacts")) pull = std::max({pull, -row[1], -row[4], -row[7], -row[10]});
    EXPECT_NEAR(pull, 100, 0.01) << spacing;
    EXPECT_LT(m.results("energy").at("relative_balance"), 1e-3) << spacing;
  }
}

// Body 1 is held from above and sheared by its neighbours left and right, which sink.
TEST(Bonds, BreakInShearAtTheSetForce) {
  InMemory<2> m(from_text(std::string("dimension = 2\n") + kMaterial + R"(
[[material]]
name = "hook"
density = 1000
stiffness = 2e6
[[contact]]
restitution = 0.5
bond = { tension = 1000, shear = 50 }
[[contact]]
between = ["m", "hook"]
restitution = 0.5
bond = { tension = 1000, shear = 1000 }
[[body]]
material = "m"
radius = 0.01
position = [-0.02, 0]
motion = [{ velocity = [0, -1e-4] }]
[[body]]
material = "m"
radius = 0.01
position = [0, 0]
[[body]]
material = "m"
radius = 0.01
position = [0.02, 0]
motion = [{ velocity = [0, -1e-4] }]
[[body]]
material = "hook"
radius = 0.01
position = [0, 0.02]
fixed = true
[time]
end = 4
[[probe]]
kind = "contacts"
pairs = [[0, 1], [1, 2], [1, 3]]
every = 1e-4
[[probe]]
kind = "bonds"
[[probe]]
kind = "energy"
)"));
  m.to_the_end();
  EXPECT_GE(m.results("bonds").at("broken"), 1);
  double shear = 0, pull = 0;
  for (const auto& row : m.rows.at("contacts")) {
    shear = std::max({shear, std::fabs(row[2]), std::fabs(row[5])});
    pull = std::max(pull, -row[7]);
  }
  EXPECT_NEAR(shear, 50, 0.02);
  EXPECT_NEAR(pull, 100, 0.2);
  EXPECT_LT(m.results("energy").at("relative_balance"), 1e-3);
}

// A cantilever of bonded bodies under its own weight: each bond turns by M / k_b and slides by V / K_s.
template <int D>
void cantilever() {
  constexpr int kCount = 8;
  const double R = 0.01, g = 0.05, K = 1e6, Ks = 0.8 * K, kb = 1.5 * K * 0.25 * R * R;
  std::string bodies;
  for (int k = 0; k < kCount; ++k) {
    bodies += fmt::format("[[body]]\nmaterial = \"m\"\nradius = 0.01\nposition = [{}, 0{}]\n{}", 0.02 * k,
                          D == 3 ? ", 0" : "", k == 0 ? "fixed = true\n" : "");
  }
  InMemory<D> m(
      from_text(fmt::format("dimension = {}\nglobal_damping = 40\n[gravity]\nacceleration = {}\n{}", D, g, kMaterial) +
                R"(
[[contact]]
restitution = 0.5
bond = { tension = 1000, shear = 1000, moment = 1000, bending_ratio = 1.5 }
[time]
end = 1.5
[[probe]]
kind = "energy"
)" + bodies));
  m.to_the_end();
  const double weight = m.world().bodies.mass[0] * g;
  double expected = 0;
  for (int bond = 0; bond < kCount - 1; ++bond) {
    const double at = 0.02 * bond + R, tip = 0.02 * (kCount - 1);
    double V = 0, M = 0;
    for (int k = bond + 1; k < kCount; ++k) {
      V += weight;
      M += weight * (0.02 * k - at);
    }
    expected += M / kb * (tip - at) + V / Ks;
  }
  double sag = 0;
  for (std::size_t i = 0; i < m.world().bodies.size(); ++i) sag = std::min(sag, m.world().bodies.place[i].x[D - 1]);
  EXPECT_NEAR(-sag, expected, 1e-5 * expected) << D << "D";
  EXPECT_LT(m.results("energy").at("relative_balance"), 1e-3) << D << "D";
}

TEST(Bonds, ACantileverBendsAsItsSpringsHaveIt) {
  cantilever<2>();
  cantilever<3>();
}

TEST(Bonds, BreakByBendingAtTheSetMoment) {
  // A single ball at the end of an arm of one bond: M = m g R at rest; twice that when let go.
  const double weight = 1000 * M_PI * 1e-4 * 9.81;
  for (const double factor : {0.9, 2.1}) {
    InMemory<2> m(from_text(std::string("dimension = 2\n[gravity]\n") + kMaterial +
                            fmt::format("[[contact]]\nrestitution = 0.5\nbond = {{ tension = 1000, shear = 1000, "
                                        "moment = {} }}\n[time]\nend = 0.3\n[[probe]]\nkind = \"bonds\"\n"
                                        "[[probe]]\nkind = \"energy\"\n",
                                        factor * weight * 0.01) +
                            row_of(2, 0.02, "")));
    m.to_the_end();
    EXPECT_EQ(m.results("bonds").at("broken"), factor < 1 ? 1 : 0);
    EXPECT_LT(m.results("energy").at("relative_balance"), 1e-3) << factor;
  }
}

TEST(Bonds, FormWhereverBodiesTouchIfAskedTo) {
  const std::string text = std::string("dimension = 2\n") + kMaterial + R"(
[[contact]]
restitution = 0.5
bond = { tension = 500, shear = 500, forms = "touch" }
[[body]]
material = "m"
radius = 0.01
position = [0, 0]
velocity = [0.1, 0]
[[body]]
material = "m"
radius = 0.01
position = [0.03, 0.002]
velocity = [-0.1, 0]
[time]
end = 0.5
[[probe]]
kind = "bonds"
[[probe]]
kind = "energy"
)";
  InMemory<2> stuck(from_text(text));
  stuck.to_the_end();
  EXPECT_EQ(stuck.results("bonds").at("intact"), 1);
  EXPECT_LT(stuck.results("energy").at("relative_balance"), 1e-3);
  InMemory<2> apart(from_text(text, {"contact.0.bond.forms=start"}));
  EXPECT_EQ(apart.to_the_end().results("bonds").at("intact"), 0);
  InMemory<2> torn(from_text(text, {"contact.0.bond.tension=5"}));
  EXPECT_EQ(torn.to_the_end().results("bonds").at("broken"), 1);
  EXPECT_LT(torn.results("energy").at("relative_balance"), 1e-3);
}

// --- what is kept

// Two bonded blocks collide off centre in free space and crumble; cohesion and rolling resistance act between the
// pieces.
std::string crash(int dimension) {
  const bool flat = dimension == 2;
  const auto block = [&](double x, double y, double v) {
    return fmt::format(
        "[[fill]]\nmethod = \"lattice\"\nmaterial = \"m\"\nradius = 0.01\nmin = [{}, {}{}]\nmax = [{}, {}{}]\n"
        "velocity = [{}, 0{}]\n",
        x, y, flat ? "" : ", 0", x + 0.1001, y + 0.1001, flat ? "" : ", 0.0601", v, flat ? "" : ", 0");
  };
  return fmt::format("dimension = {}\n", dimension) + kMaterial + R"(
[[contact]]
restitution = 0.5
friction = 0.4
rolling = "spring"
rolling_friction = 0.1
cohesion = { force = 2, growth = 10, time = 0.05 }
bond = { tension = 60, shear = 40, moment = 0.2 }
[time]
end = 0.1
[[probe]]
kind = "energy"
[[probe]]
kind = "bonds"
)" +
         (flat
              ? ""
              : "[[contact]]\nbetween = [\"m\", \"m\"]\nrestitution = 0.5\nfriction = 0.4\nrolling = \"spring\"\n"
                "rolling_friction = 0.1\ntwisting_friction = 0.05\ncohesion = { force = 2, growth = 10, time = 0.05 }\n"
                "bond = { tension = 1, shear = 0.7, moment = 0.003 }\n") +
         block(0, 0, 1) + block(0.105, 0.053, -1);
}

template <int D>
void is_kept() {
  InMemory<D> m(from_text(crash(D)));
  m.run->begin(nullptr);
  const auto angular = [&] {
    math::Spin<D> l{};
    const auto& b = m.world().bodies;
    for (std::size_t i = 0; i < b.size(); ++i)
      l += math::cross(b.place[i].x, m.world().velocity(i) * b.mass[i]) + m.world().spin(i) * b.inertia[i];
    return l;
  };
  const math::Vec<D> before = measure::momentum(m.world());
  const math::Spin<D> turning = angular();
  double scale = 0;
  for (std::size_t i = 0; i < m.world().bodies.size(); ++i) scale += m.world().bodies.mass[i];
  while (!m.run->finished()) m.run->step();
  m.run->finish();
  const math::Vec<D> after = measure::momentum(m.world());
  for (int k = 0; k < D; ++k) EXPECT_NEAR(after[k], before[k], 1e-12 * scale) << D << "D";
  EXPECT_GT(math::norm(turning), 0);
  EXPECT_LT(math::norm(angular() - turning), 1e-10 * math::norm(turning)) << D << "D";
  EXPECT_GT(m.results("bonds").at("broken"), 10) << D << "D: nothing happened";
  EXPECT_GT(m.results("bonds").at("intact"), 10) << D << "D: nothing left";
  EXPECT_LT(m.results("energy").at("relative_balance"), 1e-4) << D << "D";
}

TEST(Extras, MomentumAngularMomentumAndTheEnergyBudgetAreKept) {
  is_kept<2>();
  is_kept<3>();
}

}  // namespace
