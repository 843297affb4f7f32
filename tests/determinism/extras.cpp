// SPDX-License-Identifier: MIT
// Bonds, cohesion and rolling resistance: the same bits on any number of threads and after a restart.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "support/in_memory.hpp"

namespace {

using namespace moraine;
using test::from_text;
using test::InMemory;

// A bonded block falls on a rough floor and breaks; more bodies than one thread is given. Moving fast enough for the
// lists of neighbours to be made anew, and the bodies to be reordered, several times.
std::string block(int dimension) {
  const bool flat = dimension == 2;
  return fmt::format("dimension = {}\nseed = 3\n[gravity]\n", dimension) + R"(
[[material]]
name = "m"
density = 2000
)" + (flat ? "stiffness = 1e6\n" : "stiffness = 2e5\n") +
         R"([[contact]]
restitution = 0.4
friction = 0.5
rolling = "spring"
rolling_friction = 0.1
cohesion = { force = 0.01, growth = 0.2, time = 0.02 }
)" +
         (flat ? "bond = { tension = 80, shear = 60, moment = 0.3 }\n"
               : "twisting_friction = 0.1\nbond = { tension = 0.6, shear = 0.4, moment = 0.0012 }\n") +
         (flat ? "[[wall]]\nname = \"floor\"\nmaterial = \"m\"\nfrom = [-9, 0.002]\nto = [9, 0]\n"
               : "[[wall]]\nname = \"floor\"\nmaterial = \"m\"\npoint = [0, 0, 0]\nnormal = [0.05, 0, 1]\n") +
         "[[fill]]\nmethod = \"lattice\"\nmaterial = \"m\"\nradius = 0.005\n" +
         (flat ? "min = [0, 0.002]\nmax = [0.9001, 0.4021]\nvelocity = [0.5, -2]\n"
               : "min = [0, 0, 0.002]\nmax = [0.2001, 0.2001, 0.0921]\nvelocity = [0.5, 0, -4]\n") +
         (flat ? "[time]\nend = 0.006\n" : "[time]\nend = 0.0015\n") + "[[probe]]\nkind = \"bonds\"\n";
}

template <int D>
void same_bits() {
  const scene::Scene short_form = from_text(block(D));
  const scene::Scene scene = scene::spelled_out(short_form, scene::build<D>(short_form));
  InMemory<D> one(scene);
  const std::uint64_t unbroken = one.to_the_end().run->state_hash();
  const auto bonds = one.results("bonds");
  EXPECT_GT(one.world().bodies.size(), 6 * base::kChunkBodies);
  EXPECT_GT(one.run->status().neighbour_finds, 2);
  EXPECT_GT(bonds.at("broken"), 20);
  EXPECT_GT(bonds.at("intact"), 1000);
  for (const int threads : MORAINE_SANITIZED != 0 ? std::vector<int>{3} : std::vector<int>{2, 3, 8}) {
    InMemory<D> other(scene, threads);
    EXPECT_EQ(other.to_the_end().run->state_hash(), unbroken) << threads << " threads";
    EXPECT_EQ(other.results("bonds"), bonds);
  }
  for (const double part : {0.2, 0.83}) {
    InMemory<D> first(scene);
    first.run->begin(nullptr);
    const auto stop = static_cast<std::int64_t>(part * static_cast<double>(first.run->status().end_step));
    while (first.world().step < stop) first.run->step();
    base::Record record;
    first.run->save(record);
    record.settle();
    InMemory<D> second(scene::build<D>(scene, true), 2);
    EXPECT_EQ(second.to_the_end(&record).run->state_hash(), unbroken) << "broken at " << part;
    EXPECT_EQ(second.results("bonds"), bonds) << "broken at " << part;
  }
}

TEST(Extras, GiveTheSameBitsOnAnyNumberOfThreadsAndAfterARestart2D) { same_bits<2>(); }
TEST(Extras, GiveTheSameBitsOnAnyNumberOfThreadsAndAfterARestart3D) { same_bits<3>(); }

// The springs of a contact must not notice which of its two bodies comes first in memory: two halves of one scene, the
// second given in the other order, move alike.
TEST(Extras, DoNotDependOnTheOrderOfBodies) {
  const auto pair = [](bool swapped) {
    const std::string a = "[[body]]\nmaterial = \"m\"\nradius = 0.01\nposition = [0, 0, 0]\nspin = [3, 50, 20]\n";
    const std::string b =
        "[[body]]\nmaterial = \"m\"\nradius = 0.012\nposition = [0.022, 0, 0]\nvelocity = [0, 0, 0.1]\nspin = [0, -20, "
        "5]\n";
    InMemory<3> m(from_text(std::string("dimension = 3\n") + R"(
[[material]]
name = "m"
density = 2000
stiffness = 1e5
[[contact]]
restitution = 0.4
rolling = "spring"
rolling_friction = 0.2
twisting_friction = 0.1
bond = { tension = 100, shear = 100, moment = 1 }
[time]
end = 0.05
)" + (swapped ? b + a : a + b)));
    m.to_the_end();
    const auto& bodies = m.world().bodies;
    const std::size_t i = bodies.id[0] == (swapped ? 1 : 0) ? 0 : 1;
    return std::pair{bodies.place[i].x, m.world().spin(i)};
  };
  const auto [x, w] = pair(false);
  const auto [y, u] = pair(true);
  EXPECT_LT(math::norm(x - y), 1e-12);
  EXPECT_LT(math::norm(w - u), 1e-8);
}

}  // namespace
