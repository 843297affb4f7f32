// SPDX-License-Identifier: MIT
// Hard contacts of many bodies: piles that stay, and thousands of random small scenes.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "base/error.hpp"
#include "support/in_memory.hpp"

namespace {

using namespace moraine;
using test::example;
using test::from_text;
using test::InMemory;

// 60 s of simulated time: no move beyond a millionth of a radius, no energy.
TEST(SteppingRest, APyramidOf210DisksStaysWhereItIs) {
  MORAINE_NOT_UNDER_SANITIZERS();
  InMemory<2> run(example("pyramid", {"time.end=60", "probe.0.every=5", "probe.1.every=5", "probe.2.every=5"}));
  run.to_the_end();
  const auto seen = run.results("overlaps");
  EXPECT_LT(seen.at("moved"), 1e-6);
  EXPECT_LT(seen.at("max_overlap"), 1e-9);
  EXPECT_LT(seen.at("kinetic"), 1e-20);
  const auto& b = run.world().bodies;
  const double unit = 210 * b.mass[0] * 9.81 * b.place[0].radius;  // m g R of all
  EXPECT_LT(std::fabs(run.results("energy").at("balance")), 1e-6 * unit);
}
TEST(SteppingRest, ABlockOf200DisksStaysWhereItHasSettled) {
  MORAINE_NOT_UNDER_SANITIZERS();
  InMemory<2> run(example("block_stack", {"time.end=62", "probe.0.every=5", "probe.0.from=2", "probe.1.every=5"}));
  run.to_the_end();
  const auto seen = run.results("overlaps");
  EXPECT_LT(seen.at("moved"), 1e-6);
  EXPECT_LT(seen.at("max_overlap"), 1e-4);
  EXPECT_LT(seen.at("kinetic"), 1e-20);
}

// A free pyramid: three rows stand with a friction of 1 and fall with 0.5, six fall with both; by either method.
TEST(SteppingRest, BothMethodsAgreeOnWhichFreePyramidsStand) {
  struct Case {
    int rows;
    double friction;
    bool stands;
  };
  for (const Case& c : {Case{2, 0.5, true}, {2, 0.25, false}, {3, 0.5, false}, {3, 1, true}, {6, 1, false}}) {
    for (const char* method : {"hard", "soft"}) {
      InMemory<2> run(example(
          "pyramid", {"setup.held=false", fmt::format("setup.rows={}", c.rows),
                      fmt::format("setup.friction={}", c.friction), "time.end=1", fmt::format("method={}", method)}));
      run.to_the_end();
      EXPECT_EQ(run.results("overlaps").at("moved") < 0.01, c.stands) << method << " " << c.rows << " " << c.friction;
    }
  }
}

// By hand, three free rows have forces in balance within the cones from a friction of 0.434 on, four from 0.473 on
// (docs/hard-contacts.md): contacts that are followed take them.
TEST(SteppingRest, FollowedContactsHoldFreePyramidsThatHaveForcesInBalance) {
  struct Case {
    int rows;
    double friction;
    bool stands;
  };
  for (const Case& c : {Case{2, 0.26, false}, {2, 0.28, true}, {3, 0.425, false}, {3, 0.44, true}, {4, 0.48, true}}) {
    InMemory<2> run(
        example("pyramid", {"setup.held=false", fmt::format("setup.rows={}", c.rows),
                            fmt::format("setup.friction={}", c.friction), "time.end=0.5", "hard.integrator=dopri"}));
    run.to_the_end();
    EXPECT_EQ(run.results("overlaps").at("moved") < 1e-9, c.stands) << c.rows << " rows, friction " << c.friction;
  }
}

// Random boxes of a few bodies with random laws, sizes, speeds, walls, clumps, bonds, held bodies.
template <int D>
std::string random_scene(std::mt19937_64& random) {
  std::uniform_real_distribution<double> unit(0, 1);
  const auto pick = [&](int n) { return static_cast<int>(random() % static_cast<std::uint64_t>(n)); };
  const std::string zero = D == 3 ? ", 0" : "";
  std::string text =
      fmt::format("dimension = {}\nmethod = \"hard\"\nseed = {}\n[time]\nsteps = 12\nstep = {:.6g}\nmax_overlap = 1\n",
                  D, pick(1000), std::pow(10.0, -1 - 3 * unit(random)));
  if (pick(4) > 0) text += fmt::format("[gravity]\nacceleration = {:.4g}\n", std::pow(10.0, 2 * unit(random) - 0.5));
  if (pick(3) == 0)
    text += fmt::format("[hard]\nsubsteps = {}\nleast_iterations = {}\ncontact_solver = \"{}\"\n", 1 + pick(6),
                        1 + pick(3), pick(2) == 0 ? "conjugate" : "gauss-seidel");
  text += "[[material]]\nname = \"m\"\ndensity = 1000\n[[contact]]\n";
  text += fmt::format("restitution = {:.3g}\nfriction = {:.3g}\n", pick(3) == 0 ? pick(2) : unit(random),
                      pick(4) == 0 ? 0 : 1.5 * unit(random));
  if (pick(4) == 0) text += fmt::format("rolling = \"constant\"\nrolling_friction = {:.3g}\n", 0.3 * unit(random));
  if (pick(5) == 0) text += fmt::format("cohesion = {{ force = {:.4g} }}\n", 1000 * unit(random));
  if (pick(6) == 0) text += "bond = { tension = 500, shear = 300, moment = 20, gap = 0.1 }\n";
  if (D == 2) {
    text += "[[wall]]\nname = \"floor\"\nmaterial = \"m\"\nfrom = [-3, 0]\nto = [3, 0]\n";
    if (pick(2) == 0) text += "[[wall]]\nname = \"side\"\nmaterial = \"m\"\nfrom = [-1, 2]\nto = [-0.8, 0]\n";
    if (pick(4) == 0)
      text += "[[wall]]\nname = \"ring\"\nkind = \"circle\"\nmaterial = \"m\"\ncentre = [0, 0.5]\nradius = 1.4\n";
  } else {
    text += "[[wall]]\nname = \"floor\"\nmaterial = \"m\"\npoint = [0, 0, 0]\nnormal = [0, 0, 1]\n";
    if (pick(2) == 0) text += "[[wall]]\nname = \"side\"\nmaterial = \"m\"\npoint = [-1, 0, 0]\nnormal = [1, 0, 0.2]\n";
  }
  if (pick(3) == 0) text += fmt::format("[[wall.motion]]\nvelocity = [0.3, 0{}]\n", zero);
  const bool clumps = pick(3) == 0;
  if (clumps)
    text += fmt::format("[[clump]]\nname = \"c\"\npositions = [[0, 0{0}], [0.1, 0{0}]]\nradii = [0.08, 0.06]\n", zero);
  const int n = 1 + pick(7);
  for (int k = 0; k < n; ++k) {
    const double x = -0.6 + 0.35 * (k % 4) + 0.02 * unit(random), y = 0.2 + 0.35 * (k / 4) + 0.05 * unit(random);
    const std::string place = D == 3 ? fmt::format("[{:.4g}, {:.4g}, {:.4g}]", x, 0.1 * unit(random), y)
                                     : fmt::format("[{:.4g}, {:.4g}]", x, y);
    const double fast = std::pow(10.0, 3 * unit(random) - 1);
    text += fmt::format("[[body]]\nmaterial = \"m\"\nposition = {}\n", place);
    const bool clump = clumps && pick(2) == 0;
    text += clump ? "clump = \"c\"\n" : fmt::format("radius = {:.4g}\n", 0.05 + 0.1 * unit(random));
    if (!clump && pick(8) == 0) {
      text += "fixed = true\n";
    } else {
      text += fmt::format("velocity = [{:.4g}, {:.4g}{}]\n", fast * (unit(random) - 0.5), -fast * unit(random), zero);
    }
  }
  return text;
}

template <int D>
void run_random_scenes(int count, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  int finished = 0, told = 0;
  for (int k = 0; k < count; ++k) {
    const std::string text = random_scene<D>(random);
    SCOPED_TRACE(text);
    try {
      InMemory<D> run(from_text(text));
      run.run->begin(nullptr);
      const bool pulls = text.find("cohesion") != std::string::npos || text.find("bond") != std::string::npos;
      // Where the normal force is in a contact's memory (hard/contact_memory.hpp).
      const bool extras = text.find("rolling") != std::string::npos;
      const std::size_t normal = D == 2 ? (extras ? 2 : 1) : (extras ? 6 : 3);
      while (!run.run->finished()) {
        run.run->step();
        const auto& w = run.world();
        for (std::size_t i = 0; i < w.bodies.size(); ++i) {
          ASSERT_TRUE(math::is_finite(w.bodies.place[i].x) && math::is_finite(w.velocity(i)));
        }
        const auto& slots = w.contacts.pairs;
        for (std::size_t p = 0; p < slots.size() && !pulls; ++p) {
          if (slots.touching[p] != 1) continue;
          ASSERT_GE(slots.memory[p * slots.stride + normal], 0) << "pulls";
        }
      }
      ++finished;
    } catch (const base::RunError& e) {
      EXPECT_FALSE(std::string(e.what()).empty());
      ++told;
    } catch (const base::InputError& e) {
      ADD_FAILURE() << e.what();
      return;
    }
    if (testing::Test::HasFailure()) return;
  }
  EXPECT_GT(finished, count * 9 / 10) << told << " ended with a message";
}

TEST(SteppingFuzz, TenThousandSmallScenesEndWell) {
  const int count = MORAINE_SANITIZED != 0 ? 200 : 5000;
  run_random_scenes<2>(count, 1);
  if (!HasFailure()) run_random_scenes<3>(count, 2);
}

}  // namespace
