// SPDX-License-Identifier: MIT
// The probe "flux": what has passed, against what is known of the motion; periodic axes, windows, bodies and clumps
// that come and go, and a run that is broken and resumed.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "support/in_memory.hpp"

namespace {

using namespace moraine;
using test::from_text;
using test::InMemory;

const char* const kStuff =
    "[[material]]\nname = \"m\"\ndensity = 1000\nstiffness = 2e8\n[[contact]]\nrestitution = 1\n"
    "friction = 0\n";

std::string body(double x, double y, double vx, double vy) {
  return fmt::format("[[body]]\nmaterial = \"m\"\nradius = 0.1\nposition = [{}, {}]\nvelocity = [{}, {}]\n", x, y, vx,
                     vy);
}
std::string scene(const std::string& probe, const std::string& rest, double end = 1) {
  return fmt::format("dimension = 2\n[time]\nend = {}\nstep = 1e-4\n", end) + kStuff + rest +
         "[[probe]]\nkind = \"flux\"\n" + probe;
}
const double kMass = M_PI * 0.01 * 1000;

TEST(Flux, CountsUpAndDownWithMass) {
  // Two up at t = 0.55, one down at t = 0.25, and one that never gets there.
  InMemory<2> m(from_text(scene("at = 0\nrow_every = 0.1\n",
                                body(0, -0.55, 0, 1) + body(1, -1.1, 0, 2) + body(2, 0.5, 0, -2) + body(3, -2, 0, 1))));
  m.to_the_end();
  const auto& rows = m.rows.at("flux");
  ASSERT_EQ(rows.size(), 11U);
  for (const auto& row : rows) {
    const double passed = row[0] < 0.255 ? 0 : row[0] < 0.555 ? -1 : 1;
    EXPECT_EQ(row[1], passed) << row[0];
    EXPECT_NEAR(row[2], passed * kMass, 1e-9) << row[0];
  }
  EXPECT_NEAR(rows[3][3], -10, 1e-9) << "one down in a tenth of a second";
  EXPECT_NEAR(rows[6][3], 20, 1e-9);
  EXPECT_NEAR(rows[6][4], 20 * kMass, 1e-6);
  const auto results = m.results("flux");
  EXPECT_EQ(results.at("passed"), 1);
  EXPECT_NEAR(results.at("mass"), kMass, 1e-9);
  EXPECT_NEAR(results.at("number_rate"), 1, 1e-9) << "over the whole second";
}

TEST(Flux, AveragesBeginWhenTheyShould) {
  InMemory<2> m(from_text(scene("at = 0\nrow_every = 0.1\nfrom = 0.6\n", body(0, -0.5, 0, 1) + body(1, -0.75, 0, 1))));
  m.to_the_end();
  EXPECT_EQ(m.results("flux").at("passed"), 2);
  EXPECT_NEAR(m.results("flux").at("number_rate"), 1 / 0.4, 1e-6) << "the first had passed before";
}

TEST(Flux, AlongAnotherAxisAndThroughAWindow) {
  const std::string bodies = body(-0.5, 0, 1, 0) + body(-0.5, 1, 1, 0.2) + body(-0.5, -2, 1, 0);
  InMemory<2> all(from_text(scene("axis = \"x\"\nat = 0\n", bodies)));
  EXPECT_EQ(all.to_the_end().results("flux").at("passed"), 3);
  // The second crosses at y = 1.1.
  InMemory<2> some(from_text(scene("axis = \"x\"\nat = 0\nmin = [0, -0.5]\nmax = [0, 1.09]\n", bodies)));
  EXPECT_EQ(some.to_the_end().results("flux").at("passed"), 1);
  InMemory<2> more(from_text(scene("axis = \"x\"\nat = 0\nmin = [0, -0.5]\nmax = [0, 1.11]\n", bodies)));
  EXPECT_EQ(more.to_the_end().results("flux").at("passed"), 2);
}

// A window on an axis that is periodic: a body that has gone round counts where it then is.
TEST(Flux, WindowsKnowOfTurns) {
  const std::string box = "[domain]\nmin = [0, -5]\nmax = [2, 5]\nperiodic = [\"x\"]\n";
  // Crosses y = 0 at t = 0.5 and x = 1.5 + 2.5 = 4, that is at 0.
  const std::string one = body(1.5, -0.5, 5.2, 1);
  InMemory<2> there(from_text(scene("at = 0\nmin = [0, 0]\nmax = [0.3, 0]\n", box + one)));
  EXPECT_EQ(there.to_the_end().results("flux").at("passed"), 1);
  InMemory<2> elsewhere(from_text(scene("at = 0\nmin = [0.3, 0]\nmax = [2, 0]\n", box + one)));
  EXPECT_EQ(elsewhere.to_the_end().results("flux").at("passed"), 0);
}

// A gas in a periodic box, with collisions, turns and bodies reordered in memory: the net number is known from where
// the bodies are at the start and at the end.
TEST(Flux, IsExactInAPeriodicGas) {
  const std::string gas = R"(
[domain]
min = [0, 0]
max = [10, 10]
periodic = ["x", "y"]
[[fill]]
method = "lattice"
material = "m"
radius = 0.1
spread = 0.3
spacing = 0.5
jitter = 0.8
min = [0, 0]
max = [10, 10]
velocity = [3, -1]
random_speed = 20
)";
  const std::string two =
      "at = 3.7\n[[probe]]\nname = \"across\"\nkind = \"flux\"\naxis = \"x\"\nat = 0\nevery = 0.0003\nrow_every = "
      "0.1\n";
  InMemory<2> m(from_text(scene(two, gas, 1.5)));
  const auto side = [](const world::World<2>& w, std::size_t i, int axis, double at) {
    const auto x = w.domain.unwrapped(w.bodies.place[i].x, w.bodies.image[i], w.time);
    return std::floor((x[axis] - at) / 10);
  };
  const auto sum = [&](const world::World<2>& w, int axis, double at, bool mass) {
    double all = 0;
    for (std::size_t i = 0; i < w.bodies.size(); ++i) all += side(w, i, axis, at) * (mass ? w.bodies.mass[i] : 1);
    return all;
  };
  const std::vector<std::int64_t> order = m.world().bodies.id;
  const double up = sum(m.world(), 1, 3.7, false), up_mass = sum(m.world(), 1, 3.7, true),
               across = sum(m.world(), 0, 0, false);
  m.to_the_end();
  EXPECT_NE(m.world().bodies.id, order) << "they were to be reordered";
  EXPECT_EQ(m.results("flux").at("passed"), sum(m.world(), 1, 3.7, false) - up);
  EXPECT_NEAR(m.results("flux").at("mass"), sum(m.world(), 1, 3.7, true) - up_mass, 1e-6);
  EXPECT_EQ(m.results("across").at("passed"), sum(m.world(), 0, 0, false) - across);
  EXPECT_GT(m.results("across").at("passed"), 100);
  // Density times mean velocity: 400 bodies over 10 m, 3 m/s (the mean of the random part is not quite zero).
  const auto r = m.results("across");
  double mean = 0;
  for (std::size_t i = 0; i < m.world().bodies.size(); ++i) mean += m.world().bodies.mass[i] * m.world().velocity(i)[0];
  EXPECT_NEAR(r.at("mass_rate"), mean / 10, 4 * r.at("mass_rate_error"));
  EXPECT_GT(r.at("mass_rate_error"), 0);
}

// The line is so near the edge of the domain that no look falls between the two.
TEST(Flux, CountsWhoLeavesTheDomainBehindTheLine) {
  const std::string box = "[domain]\nmin = [-5, -1]\nmax = [5, 1]\n";
  const std::string bodies = body(0, 0, 0, -3) + body(1, 0, 0, 3) + body(2, -0.5, -30, 0) + body(3, 0.3, 0, -2);
  InMemory<2> m(from_text(scene("at = -0.9995\n", box + bodies)));
  m.to_the_end();
  EXPECT_EQ(m.world().removed, 4);
  EXPECT_EQ(m.results("flux").at("passed"), -2);
  EXPECT_NEAR(m.results("flux").at("mass"), -2 * kMass, 1e-9);
}

TEST(Flux, DoesNotCountWhoAppears) {
  const std::string rain = R"(
[domain]
min = [-5, -2]
max = [5, 2]
[[fill]]
method = "rain"
material = "m"
radius = 0.05
min = [-4, -1]
max = [4, 1]
count = 60
batch = 5
every = 0.02
velocity = [0, -1]
)";
  InMemory<2> m(from_text(scene("at = 0\n", rain, 4)));
  m.to_the_end();
  EXPECT_EQ(m.world().removed, 60) << "all have fallen out";
  const double passed = m.results("flux").at("passed");
  EXPECT_LT(passed, -15) << "about half of them appeared above";
  EXPECT_GT(passed, -45);
}

TEST(Flux, CountsAClumpOnceWithItsMass) {
  const std::string clump = R"(
[domain]
min = [-5, -1]
max = [5, 5]
[[clump]]
name = "rod"
kind = "rod"
count = 4
[[body]]
clump = "rod"
radius = 0.3
position = [0, 1]
material = "m"
velocity = [0, -4]
spin = 9
)";
  for (const double at : {0.0, -0.9995}) {
    InMemory<2> m(from_text(scene(fmt::format("at = {}\n", at), clump)));
    const double mass = m.world().clumps.mass[0];
    m.to_the_end();
    EXPECT_EQ(m.world().clumps.size(), 0U) << "it has left";
    EXPECT_EQ(m.results("flux").at("passed"), -1);
    EXPECT_NEAR(m.results("flux").at("mass"), -mass, 1e-9 * mass);
  }
}

TEST(Flux, GoesOnAfterARestartAsIfUnbroken) {
  const std::string box = "[domain]\nmin = [0, 0]\nmax = [10, 10]\nperiodic = [\"x\"]\n";
  const std::string gas =
      "[[fill]]\nmethod = \"lattice\"\nmaterial = \"m\"\nradius = 0.1\nspacing = 0.6\njitter = 0.5\nmin = [0, 0]\n"
      "max = [10, 10]\nvelocity = [0, -2]\nrandom_speed = 8\n";
  const scene::Scene text = from_text(scene("at = 5\nmin = [1, 0]\nmax = [8, 0]\nfrom = 0.3\n", box + gas));
  const scene::Scene whole = scene::spelled_out(text, scene::build<2>(text));
  InMemory<2> unbroken(whole);
  unbroken.to_the_end();
  EXPECT_GT(unbroken.world().removed, 50) << "bodies were to leave";
  for (const int stop : {0, 2003, 5555}) {  // between looks, too
    InMemory<2> first(whole);
    first.run->begin(nullptr);
    while (first.world().step < stop) first.run->step();
    base::Record record;
    first.run->save(record);
    record.settle();
    InMemory<2> second(scene::build<2>(whole, true), 1);
    second.to_the_end(&record);
    EXPECT_EQ(second.results("flux"), unbroken.results("flux")) << stop;
    auto rows = first.rows.at("flux");
    const auto& more = second.rows.at("flux");
    rows.insert(rows.end(), more.begin(), more.end());
    EXPECT_EQ(rows, unbroken.rows.at("flux")) << stop;
  }
}

}  // namespace
