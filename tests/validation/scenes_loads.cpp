// SPDX-License-Identifier: MIT
// Forces from outside against closed forms: orbits, terminal velocities, decaying spins, parabolas, oscillators.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "support/in_memory.hpp"

namespace {

using namespace moraine;
using test::from_text;
using test::InMemory;

const char* const kStuff = R"(
[[material]]
name = "m"
density = 1000
stiffness = 1e5
[[contact]]
restitution = 0.5
)";

// ---- two bodies and their own gravity

constexpr double kG = 6.6743e-11, kDensity = 3000, kAxis = 1000;

double sphere_mass(double radius, double density) { return 4.0 / 3 * M_PI * radius * radius * radius * density; }

// Two spheres of masses 8 : 1 about their centre of mass, at their largest distance: semi-major axis kAxis.
struct Orbit {
  explicit Orbit(double e) : m0(sphere_mass(100, kDensity)), m1(sphere_mass(50, kDensity)) {
    distance = kAxis * (1 + e);
    speed = std::sqrt(kG * (m0 + m1) / kAxis * (1 - e) / (1 + e));
    period = 2 * M_PI * std::sqrt(kAxis * kAxis * kAxis / (kG * (m0 + m1)));
  }
  std::string scene(double turns) const {
    const double a = m1 / (m0 + m1), b = m0 / (m0 + m1);
    // The plane of the orbit is tilted: no axis of the coordinates is special.
    return fmt::format(R"(
dimension = 3
[time]
end = {0}
step = {1}
[[material]]
name = "m"
density = {2}
stiffness = 1e4
[[contact]]
restitution = 0.5
[[load]]
kind = "mutual-gravity"
[[body]]
material = "m"
radius = 100
position = [{3}, 0, 0]
velocity = [0, {4}, {5}]
[[body]]
material = "m"
radius = 50
position = [{6}, 0, 0]
velocity = [0, {7}, {8}]
[[probe]]
kind = "bodies"
ids = [0, 1]
every = {9}
[[probe]]
kind = "energy"
)",
                       turns * period, period / 20000, kDensity, -a * distance, -0.6 * a * speed, -0.8 * a * speed,
                       b * distance, 0.6 * b * speed, 0.8 * b * speed, period / 1000);
  }
  double m0, m1, distance, speed, period;
};

// Of the second body seen from the first: place and velocity along x and along the direction of motion at the start.
struct Relative {
  double t, x, y, vx, vy, away;
};
std::vector<Relative> relative(const InMemory<3>& m) {
  std::vector<Relative> out;
  for (const auto& r : m.rows.at("bodies")) {
    const auto d = [&](int k) { return r[static_cast<std::size_t>(10 + k)] - r[static_cast<std::size_t>(1 + k)]; };
    out.push_back({r[0], d(0), 0.6 * d(1) + 0.8 * d(2), d(3), 0.6 * d(4) + 0.8 * d(5), 0.8 * d(1) - 0.6 * d(2)});
  }
  return out;
}

class Kepler : public testing::TestWithParam<double> {};

TEST_P(Kepler, OrbitsCloseWithTheRightPeriodAndKeepTheirEnergy) {
  const double e = GetParam();
  const Orbit orbit(e);
  InMemory<3> m(from_text(orbit.scene(10)));
  m.to_the_end();
  const auto rows = relative(m);
  // Periods from crossings of the line of the apses in the direction of the start.
  std::vector<double> crossings{0};
  double nearest = rows[0].x, least = 1e300, most = -1e300;
  for (std::size_t k = 1; k < rows.size(); ++k) {
    const Relative &a = rows[k - 1], &b = rows[k];
    if (a.y < 0 && b.y >= 0) crossings.push_back(a.t + (b.t - a.t) * a.y / (a.y - b.y));
    const double r = std::hypot(b.x, b.y), energy = 0.5 * (b.vx * b.vx + b.vy * b.vy) - kG * (orbit.m0 + orbit.m1) / r;
    nearest = std::min(nearest, r);
    least = std::min(least, energy);
    most = std::max(most, energy);
    EXPECT_LT(std::fabs(b.away), 1e-9 * kAxis) << "leaves its plane";
  }
  ASSERT_GE(crossings.size(), 10U);
  EXPECT_NEAR(crossings[9] / 9, orbit.period, 1e-6 * orbit.period);
  EXPECT_NEAR(nearest, kAxis * (1 - e), 1e-5 * kAxis);
  EXPECT_LT(most - least, 1e-6 * std::fabs(least));
  EXPECT_NEAR(least, -kG * (orbit.m0 + orbit.m1) / (2 * kAxis), 1e-6 * std::fabs(least));
  EXPECT_NEAR(rows.back().x, orbit.distance, 1e-4 * kAxis);
  EXPECT_NEAR(rows.back().y, 0, 1e-4 * kAxis);
  EXPECT_LT(m.results("energy").at("worst_balance"), 1e-5 * m.results("energy").at("kinetic"));
}
INSTANTIATE_TEST_SUITE_P(Eccentricities, Kepler, testing::Values(0.0, 0.5),
                         [](const auto& i) { return i.param == 0 ? "Circle" : "Ellipse"; });

// In the plane the pull goes with 1/r, and the speed on a circle is sqrt(G (m + m')) at any distance.
TEST(PlanarGravity, CirclesHaveTheSameSpeedAtAnyDistance) {
  const double mass = M_PI * 0.01 * 1000, constant = 0.02, speed = std::sqrt(constant * 2 * mass);
  for (const double distance : {1.0, 3.0}) {
    const double turn = 2 * M_PI * distance / speed;
    InMemory<2> m(from_text(std::string("dimension = 2\n") + kStuff +
                            fmt::format(R"(
[time]
end = {0}
step = {1}
[[load]]
kind = "mutual-gravity"
law = "planar"
constant = {2}
[[body]]
material = "m"
radius = 0.1
position = [{3}, 0]
velocity = [0, {4}]
[[body]]
material = "m"
radius = 0.1
position = [-{3}, 0]
velocity = [0, -{4}]
[[probe]]
kind = "bodies"
ids = [0, 1]
)",
                                        3 * turn, turn / 10000, constant, 0.5 * distance, 0.5 * speed)));
    m.to_the_end();
    for (const auto& r : m.rows.at("bodies")) {
      EXPECT_NEAR(std::hypot(r[1] - r[6], r[2] - r[7]), distance, 1e-5 * distance);
      EXPECT_NEAR(std::hypot(r[3] - r[8], r[4] - r[9]), speed, 1e-5 * speed);
    }
    EXPECT_NEAR(m.rows.at("bodies").back()[1], 0.5 * distance, 1e-4 * distance) << "three turns";
    EXPECT_NEAR(m.rows.at("bodies").back()[2], 0, 1e-4 * distance) << "three turns";
  }
}

// ---- a stream

std::string falling(int dimension, const std::string& stream) {
  const bool flat = dimension == 2;
  return fmt::format("dimension = {}\n", dimension) + kStuff + "[gravity]\n[[load]]\nkind = \"stream\"\n" + stream +
         fmt::format("[[body]]\nmaterial = \"m\"\nradius = 0.01\nposition = {}\n", flat ? "[0, 0]" : "[0, 0, 0]") +
         "[[probe]]\nkind = \"bodies\"\nids = [0]\n[[probe]]\nkind = \"energy\"\n";
}

TEST(Stream, FormDragLeadsToTheTerminalSpeedAsATanh) {
  for (const int dimension : {2, 3}) {
    const double r = 0.01, depth = 0.5, rho = 50, coefficient = 0.8;
    const double mass = dimension == 2 ? M_PI * r * r * depth * 1000 : sphere_mass(r, 1000);
    const double area = dimension == 2 ? 2 * r * depth : M_PI * r * r;
    const double terminal = std::sqrt(2 * mass * 9.81 / (rho * coefficient * area));
    const auto scene = from_text("thickness = 0.5\n" + falling(dimension, "density = 50\ndrag_coefficient = 0.8\n") +
                                 "[time]\nend = 1.5\nstep = 2e-5\n");
    std::vector<std::vector<double>> rows;
    test::Results energy;
    if (dimension == 2) {
      InMemory<2> m(scene);
      energy = m.to_the_end().results("energy");
      rows = m.rows.at("bodies");
    } else {
      InMemory<3> m(scene);
      energy = m.to_the_end().results("energy");
      rows = m.rows.at("bodies");
    }
    const std::size_t down = dimension == 2 ? 4 : 6;
    for (const auto& row : rows)
      EXPECT_NEAR(row[down], -terminal * std::tanh(9.81 * row[0] / terminal), 1e-6 * terminal) << dimension << "D";
    EXPECT_NEAR(rows.back()[down], -terminal, 0.01 * terminal) << "it got there";
    EXPECT_LT(energy.at("relative_balance"), 1e-5);
  }
}

TEST(Stream, StokesDragLeadsToTheTerminalSpeedExponentially) {
  const double eta = 2, tau = sphere_mass(0.01, 1000) / (6 * M_PI * eta * 0.01);
  InMemory<3> m(from_text(falling(3, "viscosity = 2\n") + "[time]\nend = 0.08\nstep = 1e-6\n"));
  m.to_the_end();
  for (const auto& row : m.rows.at("bodies"))
    EXPECT_NEAR(row[6], -9.81 * tau * (1 - std::exp(-row[0] / tau)), 1e-6 * 9.81 * tau);
  EXPECT_NEAR(m.rows.at("bodies").back()[6], -9.81 * tau, 0.001 * 9.81 * tau) << "it got there";
}

// Without gravity, from rest in a stream u: v = u - u / (1 + k u t).
TEST(Stream, CarriesABodyAlong) {
  const double k = 0.5 * 50 * 0.8 * M_PI * 1e-4 / sphere_mass(0.01, 1000), u = 5;
  InMemory<3> m(from_text(
      falling(3, "density = 50\ndrag_coefficient = 0.8\nvelocity = [3, 0, 4]\n") + "[time]\nend = 0.5\nstep = 1e-5\n",
      {"gravity.acceleration=0"}));
  m.to_the_end();
  for (const auto& row : m.rows.at("bodies")) {
    const double v = u - u / (1 + k * u * row[0]);
    EXPECT_NEAR(row[4], 0.6 * v, 1e-5 * u);
    EXPECT_NEAR(row[6], 0.8 * v, 1e-5 * u);
  }
}

// ---- water below, wind above

// A floe of ice: a disk of 0.7 m, 0.3 m thick, given more keys of [[body]].
std::string floe(const std::string& loads, const std::string& body, const std::string& time) {
  return "dimension = 2\nthickness = 0.3\n[[material]]\nname = \"ice\"\ndensity = 917\nstiffness = 1e4\n"
         "[[contact]]\nrestitution = 0.5\n" +
         loads + "[time]\n" + time + "[[body]]\nmaterial = \"ice\"\nradius = 0.7\nposition = [0, 0]\n" + body +
         "[[probe]]\nkind = \"bodies\"\nids = [0]\n[[probe]]\nkind = \"energy\"\n";
}
constexpr double kFloeRadius = 0.7, kFloeArea = M_PI * kFloeRadius * kFloeRadius, kFloeMass = 917 * 0.3 * kFloeArea;
const char* const kWater = "[[load]]\nkind = \"skin\"\ndensity = 1025\ncoefficient = 0.0055\n";

// On a sloping sea: m g sin(a) = rho C A v^2, reached as tanh(t / tau) with tau = v / (g sin a).
TEST(Skin, LeadsToTheTerminalSpeedAsATanh) {
  const double pull = 9.81 * std::sin(0.02);
  const double terminal = std::sqrt(kFloeMass * pull / (1025 * 0.0055 * kFloeArea)), tau = terminal / pull;
  const std::string slope = fmt::format("[[load]]\nkind = \"force\"\nacceleration = [{}, 0]\n", pull);
  InMemory<2> m(from_text(floe(slope + kWater, "", fmt::format("end = {}\nstep = {}\n", 8 * tau, tau / 2000))));
  m.to_the_end();
  for (const auto& row : m.rows.at("bodies")) {
    EXPECT_NEAR(row[3], terminal * std::tanh(row[0] / tau), 1e-6 * terminal) << row[0];
    EXPECT_NEAR(row[4], 0, 1e-9);
  }
  EXPECT_NEAR(m.rows.at("bodies").back()[3], terminal, 1e-6 * terminal) << "it got there";
  EXPECT_LT(m.results("energy").at("relative_balance"), 1e-5);
}

// I w' = -(2/5) pi rho C R^5 w^2: w = w_0 / (1 + t / tau).
TEST(Skin, SlowsTheSpinOfADisk) {
  const double w0 = 3, inertia = 0.5 * kFloeMass * kFloeRadius * kFloeRadius;
  const double tau = inertia / (0.4 * M_PI * 1025 * 0.0055 * std::pow(kFloeRadius, 5) * w0);
  for (const double sign : {1.0, -1.0}) {
    InMemory<2> m(from_text(floe(kWater, fmt::format("spin = {}\n", sign * w0),
                                 fmt::format("end = {}\nstep = {}\n", 10 * tau, tau / 1000))));
    m.to_the_end();
    for (const auto& row : m.rows.at("bodies"))
      EXPECT_NEAR(row[5], sign * w0 / (1 + row[0] / tau), 1e-6 * w0) << row[0];
    EXPECT_LT(m.results("energy").at("worst_balance"), 1e-5 * m.rows.at("energy").front()[1]);
    const auto& energy = m.rows.at("energy");
    EXPECT_NEAR(energy.back()[10] - energy.front()[10], -0.5 * inertia * w0 * w0 * (1 - 1.0 / 121),
                1e-5 * inertia * w0 * w0)
        << "work of the load";
  }
}

// Both balance where sqrt(k_a) (u_a - v) = sqrt(k_w) (v - u_w), k = rho C: v = (u_w + q u_a) / (1 + q), q = sqrt(k_a /
// k_w).
TEST(Skin, OfWindAndWaterLeadsToTheDriftBetween) {
  const double q = std::sqrt(1.3 * 0.0016 / (1025 * 0.0055)), vx = (0.2 + q * 6) / (1 + q),
               vy = (-0.1 + q * 8) / (1 + q);
  InMemory<2> m(from_text(floe(std::string(kWater) + "velocity = [0.2, -0.1]\n[[load]]\nkind = \"skin\"\n"
                                                     "density = 1.3\ncoefficient = 0.0016\nvelocity = [6, 8]\n",
                               "", "end = 6000\nstep = 0.05\n")));
  m.to_the_end();
  EXPECT_NEAR(m.rows.at("bodies").back()[3], vx, 1e-4 * vx);
  EXPECT_NEAR(m.rows.at("bodies").back()[4], vy, 1e-4 * vx);
}

// From rest in a stream u, with k = rho C A / m: v = u - u / (1 + k u t).
double carried(double k, double u, double t) { return u - u / (1 + k * u * t); }

// Two disks that overlap: the face is that of their union, shared by both. Each rubs with the velocity of its own
// centre, at d = 1/2 from that of the pair, and with its spin.
TEST(Skin, OfAClumpIsThatOfTheUnion) {
  const double lens = 2 * (std::acos(0.5) - 0.5 * std::sqrt(0.75)), area = 2 * M_PI - lens;
  const std::string clump =
      "dimension = 2\nthickness = 0.3\n[time]\nend = 40\nstep = 1e-2\n" + std::string(kStuff) + kWater +
      "velocity = [3, 4]\n[[clump]]\nname = \"pair\"\npositions = [[0, 0], [1, 0]]\nradii = [1, 1]\n"
      "[[body]]\nclump = \"pair\"\nposition = [0, 0]\nmaterial = \"m\"\n"
      "[[probe]]\nkind = \"clumps\"\nids = [0]\n";
  InMemory<2> carried_along(from_text(clump)), turning(from_text(clump, {"load.0.velocity=[0, 0]", "body.0.spin=2"}));
  const double mass = turning.world().clumps.mass[0], inertia = turning.world().clumps.inertia[0];
  EXPECT_NEAR(mass, 300 * area, 1e-9 * mass);
  carried_along.to_the_end();
  for (const auto& row : carried_along.rows.at("clumps")) {
    const double v = carried(1025 * 0.0055 * area / mass, 5, row[0]);
    EXPECT_NEAR(row[3], 0.6 * v, 1e-5);
    EXPECT_NEAR(row[4], 0.8 * v, 1e-5);
    EXPECT_NEAR(row[5], 0, 1e-9);
  }
  const double share = area / (2 * M_PI), moment = share * 2 * (M_PI * 0.125 + 0.4 * M_PI),
               tau = inertia / (1025 * 0.0055 * moment * 2);
  turning.to_the_end();
  for (const auto& row : turning.rows.at("clumps")) EXPECT_NEAR(row[5], 2 / (1 + row[0] / tau), 1e-5);
}

// In 3D: the shadow along the stream. A dumbbell seen from its end is one sphere, seen from the side it is two.
TEST(Skin, In3DActsOnTheProjectedArea) {
  const double single = M_PI * 1e-4, mass = 2 * sphere_mass(0.01, 1000);
  const auto run = [](const char* stream, const std::string& body) {
    InMemory<3> m(from_text(std::string("dimension = 3\n") + kStuff +
                            "[time]\nend = 2\nstep = 1e-4\n[[load]]\nkind = \"skin\"\ndensity = 50\ncoefficient = 0.8\n"
                            "velocity = " +
                            stream +
                            "\n[[clump]]\nname = \"two\"\npositions = [[0, 0, 0], [0.02, 0, 0]]\n"
                            "radii = [0.01, 0.01]\n[[body]]\nposition = [0, 0, 0]\nmaterial = \"m\"\n" +
                            body));
    m.to_the_end();
    return m.world().clumps.size() > 0 ? m.world().clump_velocity(0) : m.world().velocity(0);
  };
  const std::string two = "clump = \"two\"\n";
  EXPECT_NEAR(run("[2, 0, 0]", two)[0], carried(40 * single / mass, 2, 2), 1e-4);
  EXPECT_NEAR(run("[0, 0, 2]", two)[2], carried(40 * 2 * single / mass, 2, 2), 1e-4);
  EXPECT_NEAR(run("[0, 0, 2]", "radius = 0.01\n")[2], carried(40 * single / (0.5 * mass), 2, 2), 1e-4);
}

// ---- spin

TEST(SpinDown, DecaysExponentially) {
  const std::string load = "[time]\nend = 1\nstep = 1e-4\n[[load]]\nkind = \"spin-down\"\nrate = 3\n";
  InMemory<2> disk(from_text(std::string("dimension = 2\n") + kStuff + load +
                             "[[body]]\nmaterial = \"m\"\nradius = 0.1\nposition = [0, 0]\nspin = 7\n"
                             "velocity = [2, 0]\n[[probe]]\nkind = \"bodies\"\nids = [0]\n"));
  InMemory<3> ball(from_text(std::string("dimension = 3\n") + kStuff + load +
                             "[[body]]\nmaterial = \"m\"\nradius = 0.1\nposition = [0, 0, 0]\nspin = [1, 2, -3]\n"
                             "[[probe]]\nkind = \"bodies\"\nids = [0]\n[[probe]]\nkind = \"energy\"\n"));
  disk.to_the_end();
  ball.to_the_end();
  for (const auto& row : disk.rows.at("bodies")) {
    EXPECT_NEAR(row[5], 7 * std::exp(-3 * row[0]), 1e-6);
    EXPECT_EQ(row[3], 2) << "only rotation is slowed";
  }
  for (const auto& row : ball.rows.at("bodies")) {
    const double left = std::exp(-3 * row[0]);
    EXPECT_NEAR(row[7], left, 1e-6);
    EXPECT_NEAR(row[8], 2 * left, 1e-6);
    EXPECT_NEAR(row[9], -3 * left, 1e-6);
  }
  EXPECT_LT(ball.results("energy").at("worst_balance"), 1e-5 * ball.rows.at("energy").front()[1]);
}

// The angular momentum of a tumbling clump fades, whatever its spin does meanwhile.
TEST(SpinDown, LetsTheAngularMomentumOfAClumpFade) {
  InMemory<3> m(from_text(std::string("dimension = 3\n") + kStuff + R"(
[time]
end = 1
step = 1e-4
[[load]]
kind = "spin-down"
rate = 2
[[clump]]
name = "bent"
positions = [[0, 0, 0], [0.1, 0, 0], [0.2, 0, 0], [0.2, 0.1, 0]]
radii = [0.06, 0.06, 0.06, 0.06]
[[body]]
clump = "bent"
position = [0, 0, 0]
material = "m"
spin = [4, 9, 2]
[[probe]]
kind = "clumps"
ids = [0]
)"));
  m.to_the_end();
  const auto& rows = m.rows.at("clumps");
  double turned = 0;
  for (const auto& row : rows) {
    for (std::size_t k = 17; k < 20; ++k)
      EXPECT_NEAR(row[k], rows[0][k] * std::exp(-2 * row[0]), 1e-6 * std::fabs(rows[0][18]));
    turned = std::max(turned, std::fabs(row[14] / rows[0][14] - std::exp(-2 * row[0])));
  }
  EXPECT_GT(turned, 0.1) << "it was to tumble: the spin in its own frame must not fade alone";
}

// ---- a given force, and formulas

std::string two_balls(const std::string& loads) {
  return std::string("dimension = 3\n") + kStuff + "[[material]]\nname = \"other\"\ndensity = 1000\nstiffness = 1e5\n" +
         loads + R"(
[time]
end = 1
step = 1e-4
[[body]]
material = "m"
radius = 0.1
position = [1, 0, 0]
velocity = [0, 2, 0]
[[body]]
material = "other"
radius = 0.1
position = [-1, 0, 1]
velocity = [0, 2, 0]
[[probe]]
kind = "bodies"
ids = [0, 1]
[[probe]]
kind = "energy"
)";
}

TEST(ConstantForce, GivesAParabolaToTheMaterialsItIsFor) {
  InMemory<3> m(from_text(two_balls(R"(
[[load]]
kind = "force"
materials = ["m"]
force = [0, 0, 12]
torque = [0, 0.3, 0]
acceleration = [3, 0, 0]
)")));
  m.to_the_end();
  const double mass = sphere_mass(0.1, 1000), inertia = 0.4 * mass * 0.01;
  for (const auto& row : m.rows.at("bodies")) {
    const double t = row[0];
    EXPECT_NEAR(row[1], 1 + 1.5 * t * t, 1e-9);
    EXPECT_NEAR(row[2], 2 * t, 1e-9);
    EXPECT_NEAR(row[3], 0.5 * 12 / mass * t * t, 1e-9);
    EXPECT_NEAR(row[8], 0.3 / inertia * t, 1e-9) << "spin";
    EXPECT_NEAR(row[10], -1, 1e-12) << "the other material is not touched";
    EXPECT_NEAR(row[12], 1, 1e-12);
  }
  EXPECT_LT(m.results("energy").at("relative_balance"), 1e-9);
}

TEST(ConstantForce, ActsFromBeginToEnd) {
  InMemory<3> m(from_text(two_balls("[[load]]\nkind = \"force\"\nacceleration = [0, 0, 4]\nfrom = 0.25\nto = 0.75\n")));
  m.to_the_end();
  for (const auto& row : m.rows.at("bodies")) {
    const double acted = std::min(std::max(row[0] - 0.25, 0.0), 0.5);
    EXPECT_NEAR(row[6], 4 * acted, 4 * 1.001e-4) << row[0];  // within a step
  }
}

TEST(Formula, OfAConstantForceIsTheConstantForce) {
  InMemory<3> given(from_text(two_balls("[[load]]\nkind = \"force\"\nforce = [1, 0, 12]\ntorque = [0, 0, 0.5]\n")));
  InMemory<3> written(
      from_text(two_balls("[[load]]\nkind = \"formula\"\nfx = \"1\"\nfz = \"3 * 4\"\ntz = \"1 / 2\"\n")));
  given.to_the_end();
  written.to_the_end();
  EXPECT_EQ(given.rows.at("bodies"), written.rows.at("bodies"));
  EXPECT_GT(given.rows.at("bodies").back()[6], 0.1);
}

TEST(Formula, OfASpringGivesItsPeriodAndOfADashpotItsDecay) {
  // x about 0 with omega = 4 pi: two periods in the run. vy fades; z gets the integral of a cosine of time.
  InMemory<3> m(from_text(two_balls(R"(
[[load]]
kind = "formula"
fx = "-m * (4 * pi)^2 * x"
fy = "-3 * m * vy"
fz = "cos(2 * t) * m"
)")));
  m.to_the_end();
  for (const auto& row : m.rows.at("bodies")) {
    const double t = row[0];
    EXPECT_NEAR(row[1], std::cos(4 * M_PI * t), 5e-6);
    EXPECT_NEAR(row[5], 2 * std::exp(-3 * t), 1e-6);
    EXPECT_NEAR(row[6], 0.5 * std::sin(2 * t), 1e-6);
  }
  EXPECT_LT(m.results("energy").at("relative_balance"), 1e-5);
}

}  // namespace
