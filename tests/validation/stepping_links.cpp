// SPDX-License-Identifier: MIT
// Links by time stepping: against the same scenes by Newton-Euler, and together with contacts.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "support/in_memory.hpp"

namespace {

using namespace moraine;
using math::Vec;
using test::example;
using test::from_text;
using test::InMemory;

template <int D>
std::vector<Vec<D>> places(const world::World<D>& world) {
  std::vector<Vec<D>> x(static_cast<std::size_t>(world.bodies.next_id));
  for (std::size_t i = 0; i < world.bodies.size(); ++i)
    x[static_cast<std::size_t>(world.bodies.id[i])] = world.bodies.place[i].x;
  return x;
}
template <int D>
double largest(const std::vector<Vec<D>>& a, const std::vector<Vec<D>>& b) {
  double worst = 0;
  for (std::size_t k = 0; k < a.size(); ++k) worst = std::max(worst, math::norm(a[k] - b[k]));
  return worst;
}

// Errors at the end with steps of h and h / 2, against rk4 with h / 20 (corrected at its end).
template <int D>
void expect_second_order(const std::string& name, std::vector<std::string> sets, double h, double bound) {
  const auto with = [&](const std::string& integrator, double step) {
    std::vector<std::string> all = sets;
    all.push_back("hard.integrator=" + integrator);
    all.push_back(fmt::format("time.step={:.17g}", step));
    InMemory<D> run(example(name, all));
    run.to_the_end();
    return places(run.world());
  };
  const auto exact = with("rk4", h / 20);
  const double coarse = largest(with("time-stepping", h), exact), fine = largest(with("time-stepping", h / 2), exact);
  EXPECT_LT(coarse, bound) << name;
  EXPECT_GT(coarse / fine, 3.4) << name << ": " << coarse << ", " << fine;
  EXPECT_LT(coarse / fine, 4.6) << name << ": " << coarse << ", " << fine;
}

TEST(SteppingLinks, AreOfSecondOrder) {
  expect_second_order<2>("pendulum", {"setup.links=1", "time.end=1"}, 0.002, 1e-4);
  expect_second_order<2>("pendulum", {"setup.links=8", "time.end=0.5"}, 0.001, 1e-4);
  expect_second_order<2>("chain_bars", {"time.end=0.3"}, 0.001, 1e-4);
  expect_second_order<3>("three_spheres", {"time.end=1"}, 0.002, 1e-4);
  expect_second_order<3>("cluster_3d", {"time.end=0.5"}, 0.001, 1e-3);
}

// Whatever the topology allows: lengths are kept, also where links depend on each other.
TEST(SteppingLinks, KeepTheirLength) {
  for (const char* name : {"wheel", "stack", "chain_points"}) {
    InMemory<2> run(example(name, {"hard.integrator=time-stepping", "time.step=0.001", "time.end=0.5"}));
    run.to_the_end();
    EXPECT_LT(run.world().report.position, 1e-6) << name;
  }
}

// A weight hangs on a rod: the rod pulls with it. (The first step's impulse is that of half a step.)
TEST(SteppingLinks, PullWithTheWeight) {
  InMemory<2> run(from_text(
      "dimension = 2\nmethod = \"hard\"\n[time]\nend = 0.05\nstep = 0.001\n[hard]\nintegrator = \"time-stepping\"\n"
      "[gravity]\n[[material]]\nname = \"m\"\ndensity = 1000\n"
      "[[body]]\nmaterial = \"m\"\nmass = 2\nradius = 0.1\nposition = [0, 0]\n"
      "[[link]]\nkind = \"rod\"\nbody = 0\nground = [0, 1]\n"));
  run.to_the_end();
  EXPECT_NEAR(run.world().links[0].force[0], 2 * 9.81, 1e-9);
  EXPECT_NEAR(run.world().bodies.place[0].x[1], 0, 1e-12);
}

// Two disks that a rod holds apart fall on a floor and stay lying there: links and contacts together.
TEST(SteppingLinks, AndContactsTogether) {
  const std::string text =
      "dimension = 2\nmethod = \"hard\"\n[time]\nend = 2\nstep = 0.002\n[hard]\nintegrator = \"time-stepping\"\n"
      "contacts = \"steps\"\n[gravity]\n[[material]]\nname = \"m\"\ndensity = 1000\n"
      "[[contact]]\nrestitution = 0.2\nfriction = 0.5\nrolling = \"constant\"\nrolling_friction = 0.02\n"
      "[[wall]]\nname = \"floor\"\nmaterial = \"m\"\nfrom = [-5, 0]\nto = [5, 0]\n"
      "[[body]]\nmaterial = \"m\"\nradius = 0.1\nposition = [0, 0.5]\n"
      "[[body]]\nmaterial = \"m\"\nradius = 0.2\nposition = [0.3, 0.9]\n"
      "[[body]]\nmaterial = \"m\"\nradius = 0.1\nposition = [-0.3, 0.9]\n"
      "[[link]]\nkind = \"rod\"\nbody = 0\nto = 1\n[[link]]\nkind = \"rod\"\nbody = 0\nto = 2\n";
  for (const int threads : {1, 3}) {
    InMemory<2> run(from_text(text), threads);
    run.to_the_end();
    const auto x = places(run.world());
    EXPECT_NEAR(math::norm(x[1] - x[0]), 0.5, 1e-8);
    EXPECT_NEAR(math::norm(x[2] - x[0]), 0.5, 1e-8);
    double speed = 0;
    for (std::size_t i = 0; i < 3; ++i) speed = std::max(speed, math::norm(run.world().velocity(i)));
    EXPECT_LT(speed, 1e-6);
    double weight = 0;
    for (const double m : run.world().bodies.mass) weight += 9.81 * m;
    EXPECT_NEAR(-run.world().walls[0].force[1], weight, 1e-6 * weight);
  }
}

// Without forces from outside a free chain keeps its momentum, spin included, and its energy to second order, in
// however many parts a step is.
TEST(SteppingLinks, KeepMomentum) {
  const auto turned = [](double step, int parts) {
    InMemory<2> run(from_text(fmt::format(
        "dimension = 2\nmethod = \"hard\"\n[time]\nend = 1\nstep = {}\n[hard]\nintegrator = \"time-stepping\"\n"
        "substeps = {}\n"
        "[[material]]\nname = \"m\"\ndensity = 1000\n"
        "[[body]]\nmaterial = \"m\"\nmass = 1\nradius = 0.1\nposition = [0, 0]\nvelocity = [0, 1]\n"
        "[[body]]\nmaterial = \"m\"\nmass = 2\nradius = 0.1\nposition = [1, 0]\nvelocity = [0, -0.5]\n"
        "[[body]]\nmaterial = \"m\"\nmass = 3\nradius = 0.1\nposition = [1, 1]\nvelocity = [0.7, -0.5]\n"
        "[[link]]\nkind = \"rod\"\nbody = 0\nto = 1\n[[link]]\nkind = \"rod\"\nbody = 1\nto = 2\n",
        step, parts)));
    run.to_the_end();
    const auto& w = run.world();
    Vec<2> momentum{};
    double angular = 0, kinetic = 0;
    for (std::size_t i = 0; i < 3; ++i) {
      const Vec<2> v = w.bodies.moving[i].v_now, x = w.bodies.place[i].x - v * (0.5 * step / parts);
      momentum += v * w.bodies.mass[i];
      angular += w.bodies.mass[i] * math::cross(x, v);
      kinetic += 0.5 * w.bodies.mass[i] * math::norm2(v);
    }
    EXPECT_NEAR(momentum[0], 2.1, 1e-12);
    EXPECT_NEAR(momentum[1], -1.5, 1e-12);
    EXPECT_NEAR(angular, 2 * -0.5 + 3 * (-0.5 - 0.7), 1e-11);
    return std::fabs(kinetic - (0.5 + 0.25 + 1.5 * 0.74));
  };
  EXPECT_LT(turned(0.001, 1), 1e-5);
  EXPECT_LT(turned(0.004, 8), 1e-5);
}

// A linked body that is gone is told, with its link.
TEST(SteppingLinks, SayWhoHasLeft) {
  InMemory<2> run(from_text(
      "dimension = 2\nmethod = \"hard\"\n[time]\nend = 3\nstep = 0.002\n[hard]\nintegrator = \"time-stepping\"\n"
      "[gravity]\n[domain]\nmin = [-5, -1]\nmax = [5, 3]\n[[material]]\nname = \"m\"\ndensity = 1000\n"
      "[[body]]\nmaterial = \"m\"\nradius = 0.1\nposition = [0, 0.5]\n"
      "[[body]]\nmaterial = \"m\"\nradius = 0.1\nposition = [0.5, 0.9]\n"
      "[[link]]\nkind = \"rod\"\nbody = 0\nto = 1\n"));
  try {
    run.to_the_end();
    FAIL() << "nobody noticed";
  } catch (const base::RunError& error) {
    EXPECT_NE(std::string(error.what()).find("body 0, an end of link 0"), std::string::npos) << error.what();
  }
}

}  // namespace
