// SPDX-License-Identifier: MIT
// The probes "truss-forces" and "clusters" in scenes: held bodies, clumps, space, hard runs, nothing at all, clusters
// of known shape; the same bits on any number of threads and after a break.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "support/in_memory.hpp"

namespace {

using namespace moraine;
using test::from_text;
using test::InMemory;
using test::Results;
using Rows = std::vector<std::vector<double>>;

const char* const kStuff =
    "[[material]]\nname = \"m\"\ndensity = 1000\nstiffness = 2e5\n[[contact]]\nrestitution = 0.5\nfriction = 0\n";
const std::string kTruss = "[[probe]]\nkind = \"truss-forces\"\n";
const std::string kClusters = "[[probe]]\nkind = \"clusters\"\n";

// A moment, in which nothing moves.
std::string moment(int dimension, const std::string& rest) {
  return fmt::format("dimension = {}\n[time]\nend = 2e-6\nstep = 1e-6\n", dimension) + kStuff + rest;
}
// They touch where they are a diameter apart.
template <std::size_t N>
std::string bodies(const std::vector<std::array<double, N>>& places, const std::string& keys = "") {
  std::string text;
  for (const auto& p : places) {
    text += fmt::format("[[body]]\nmaterial = \"m\"\nradius = 0.50000005\nposition = [{:.17g}", p[0]);
    for (std::size_t c = 1; c < N; ++c) text += fmt::format(", {:.17g}", p[c]);
    text += "]\n" + keys;
  }
  return text;
}
template <int D>
Results of(const std::string& text, const std::string& probe) {
  InMemory<D> m(from_text(text));
  m.to_the_end();
  return m.results(probe);
}
std::string wall(const std::string& name, const std::string& from, const std::string& to) {
  return fmt::format("[[wall]]\nname = \"{}\"\nmaterial = \"m\"\nfrom = [{}]\nto = [{}]\n", name, from, to);
}

using Places = std::vector<std::array<double, 2>>;
const double kUp = std::sqrt(0.75);

TEST(Clusters, OfKnownShape) {
  const auto count = [](const Places& places) { return of<2>(moment(2, bodies(places) + kClusters), "clusters"); };
  const Results pair = count({{0, 0}, {1, 0}, {5, 5}});  // and one alone
  EXPECT_EQ(pair.at("clusters"), 1);
  EXPECT_EQ(pair.at("largest"), 2);
  EXPECT_EQ(pair.at("rigid"), 1);
  EXPECT_EQ(pair.at("rigid_bodies"), 2);
  EXPECT_EQ(pair.at("held"), 0);
  EXPECT_EQ(pair.at("redundant"), 0);
  // The sources' rule asks for disks of two contacts not to be neighbours.
  const Results triangle = count({{0, 0}, {1, 0}, {0.5, kUp}});
  EXPECT_EQ(triangle.at("rigid"), 1);
  EXPECT_EQ(triangle.at("redundant"), 0);
  EXPECT_EQ(triangle.at("rule_fails"), 1);
  const Results square = count({{0, 0}, {1, 0}, {1, 1}, {0, 1}});
  EXPECT_EQ(square.at("rigid"), 0);
  EXPECT_EQ(square.at("rigid_bodies"), 0);
  EXPECT_EQ(square.at("rule_fails"), 0);
  // Seven disks: 12 contacts, of which 11 would do. Apart from it two that touch.
  Places seven = {{0, 0}, {8, 0}, {9, 0}};
  for (int k = 0; k < 6; ++k) seven.push_back({std::cos(M_PI * k / 3), std::sin(M_PI * k / 3)});
  const Results hexagon = count(seven);
  EXPECT_EQ(hexagon.at("clusters"), 2);
  EXPECT_EQ(hexagon.at("largest"), 7);
  EXPECT_EQ(hexagon.at("rigid"), 2);
  EXPECT_EQ(hexagon.at("rigid_bodies"), 9);
  EXPECT_EQ(hexagon.at("redundant"), 1);
  EXPECT_EQ(hexagon.at("special"), 0);
  EXPECT_EQ(hexagon.at("parts"), 1);
  EXPECT_EQ(hexagon.at("largest_part"), 7);
  EXPECT_EQ(hexagon.at("part_bodies"), 7);
  // Two triangles that share a disk turn about it, and a tail of two disks.
  const Results hinge = count({{0, 0}, {1, 0}, {0.5, kUp}, {0, 2 * kUp}, {1, 2 * kUp}, {2, 2 * kUp}, {3, 2 * kUp}});
  EXPECT_EQ(hinge.at("clusters"), 1);
  EXPECT_EQ(hinge.at("rigid"), 0);
  EXPECT_EQ(hinge.at("parts"), 2);
  EXPECT_EQ(hinge.at("largest_part"), 3);
  EXPECT_EQ(hinge.at("part_bodies"), 5);
}

// A disk straight between two of a rigid frame: two rods are enough to hold it in general, but not in a line.
TEST(Clusters, SpecialPositionsAreTold) {
  Places frame = {{1, 0}, {1, -2 * kUp}};
  for (const double side : {-1.0, 1.0}) {
    for (const auto& [x, row] : std::vector<std::array<double, 2>>{
             {0, 0}, {-1, 0}, {-0.5, 1}, {-1.5, 1}, {0, 2}, {-1, 2}, {0.5, 3}, {-0.5, 3}})
      frame.push_back({1 + side * (1 - x), -kUp * row});
  }
  const Results r = of<2>(moment(2, bodies(frame) + kClusters), "clusters");
  EXPECT_EQ(r.at("clusters"), 1);
  EXPECT_EQ(r.at("largest"), 18);
  EXPECT_EQ(r.at("rigid"), 0);
  EXPECT_EQ(r.at("special"), 1);
}

TEST(Clusters, WallsHoldWhatWouldMove) {
  // A square in a corner that is too wide, and in one that fits.
  const Places square = {{0.5, 0.5}, {1.5, 0.5}, {1.5, 1.5}, {0.5, 1.5}};
  const std::string two = wall("floor", "0, 0", "5, 0") + wall("left", "0, 5", "0, 0");
  const Results corner = of<2>(moment(2, bodies(square) + two + kClusters), "clusters");
  EXPECT_EQ(corner.at("held"), 1);  // the two walls touch two disks each: 8 contacts for 8 freedoms
  EXPECT_EQ(corner.at("held_bodies"), 4);
  EXPECT_EQ(corner.at("rigid"), 0);
  EXPECT_EQ(corner.at("redundant"), 0);
  const Results floor = of<2>(moment(2, bodies(square) + wall("floor", "0, 0", "5, 0") + kClusters), "clusters");
  EXPECT_EQ(floor.at("held"), 0);
  const Results box = of<2>(moment(2, bodies(square) + two + wall("right", "2, 0", "2, 5") + kClusters), "clusters");
  EXPECT_EQ(box.at("held"), 1);
  EXPECT_EQ(box.at("redundant"), 2);
}

TEST(Clusters, InSpace) {
  using In3 = std::vector<std::array<double, 3>>;
  const auto count = [](const In3& places) { return of<3>(moment(3, bodies(places) + kClusters), "clusters"); };
  EXPECT_EQ(count({{0, 0, 0}, {1, 0, 0}}).at("rigid"), 1);
  EXPECT_EQ(count({{0, 0, 0}, {1, 0, 0}, {2, 0, 0}}).at("rigid"), 0);
  const double r = 1 / std::sqrt(3.0);
  In3 four = {{0, 0, std::sqrt(2.0 / 3)}};
  for (int k = 0; k < 3; ++k) four.push_back({r * std::cos(2 * M_PI * k / 3), r * std::sin(2 * M_PI * k / 3), 0});
  EXPECT_EQ(count(four).at("rigid"), 1);
  EXPECT_EQ(count(four).at("redundant"), 0);
  four.push_back({0, 0, -std::sqrt(2.0 / 3)});  // from below: nine contacts for nine inner freedoms
  EXPECT_EQ(count(four).at("rigid"), 1);
  EXPECT_EQ(count(four).at("redundant"), 0);
  four.push_back({0, 0, 1 + std::sqrt(2.0 / 3)});  // and one that only lies on top
  EXPECT_EQ(count(four).at("rigid"), 0);
}

const char* const kGravity = "[gravity]\nacceleration = 10\n";

TEST(TrussProbe, ADiskOnTwoThatAreHeld) {
  for (const char* held : {"fixed = true\n", "motion = [{ velocity = [0, 0] }]\n"}) {
    const std::string text = moment(2, kGravity + bodies<2>({{0, 0}, {1, 0}}, held) + bodies<2>({{0.5, kUp}}) + kTruss);
    const Results r = of<2>(text, "truss-forces");
    const double weight = 10 * 1000 * M_PI * 0.25;
    EXPECT_EQ(r.at("bodies"), 1);
    EXPECT_EQ(r.at("contacts"), 2);
    EXPECT_EQ(r.at("peeled"), 2);
    EXPECT_NEAR(r.at("mean_force"), weight / std::sqrt(3.0), 1e-6 * weight);
    EXPECT_LT(r.at("residual"), 1e-12);
    EXPECT_GT(r.at("difference"), 0.1);  // the run has not yet come to rest
  }
}

// A clump of two disks and one of three on the floor, and what is told of each contact.
TEST(TrussProbe, ClumpsOnAFloor) {
  const std::string shape =
      "[[clump]]\nname = \"two\"\npositions = [[0, 0], [0.9, 0]]\nradii = [0.5, 0.5]\n"
      "[[clump]]\nname = \"three\"\npositions = [[0, 0], [0.8, 0], [1.6, 0]]\nradii = [0.5, 0.5, 0.5]\n";
  const std::string text = moment(2, kGravity + shape + wall("floor", "-9, 0", "9, 0") +
                                         "[[body]]\nmaterial = \"m\"\nclump = \"two\"\nposition = [-4, 0.4999999]\n"
                                         "[[body]]\nmaterial = \"m\"\nclump = \"three\"\nposition = [4, 0.4999999]\n" +
                                         kTruss);
  InMemory<2> m(from_text(text));
  m.to_the_end();
  const Results r = m.results("truss-forces");
  EXPECT_EQ(r.at("bodies"), 2);
  EXPECT_EQ(r.at("contacts"), 5);
  EXPECT_EQ(r.at("peeled"), 2);
  EXPECT_EQ(r.at("truss"), 3);
  EXPECT_LT(r.at("residual"), 1e-10);
  const auto tables = m.probes.at("truss-forces")->tables();
  ASSERT_EQ(tables.size(), 1U);
  EXPECT_EQ(tables[0].name, "truss-forces_contacts");
  ASSERT_EQ(tables[0].rows.size(), 5U);
  for (const auto& row : tables[0].rows) {
    ASSERT_EQ(row.size(), tables[0].columns.size());
    EXPECT_EQ(row[1], -1);  // the floor
    const double share = row[0] < 2 ? m.world().clumps.mass[0] * 10 / 2 : m.world().clumps.mass[1] * 10 / 3;
    EXPECT_NEAR(row[7], share, 1e-9 * share);  // fy on the body
    EXPECT_NEAR(row[10], share, 1e-9 * share);
    EXPECT_EQ(row[12], row[0] < 2 ? 0 : 1);
  }
}

// A sphere on three that a floor and a ring of planes hold: as the run itself has it once it is at rest.
TEST(TrussProbe, ATetrahedronInSpaceComesToRestWithTheForcesOfTheTruss) {
  std::string text =
      "dimension = 3\nglobal_damping = 300\n[time]\nend = 0.5\n[gravity]\nacceleration = 10\n[[material]]\n"
      "name = \"m\"\ndensity = 1000\nstiffness = 2e8\n[[contact]]\nrestitution = 0.5\nfriction = 0\n"
      "[[wall]]\nname = \"floor\"\nmaterial = \"m\"\npoint = [0, 0, 0]\nnormal = [0, 0, 1]\n";
  const double r = 1 / std::sqrt(3.0);
  std::vector<std::array<double, 3>> places = {{0, 0, 0.5 + std::sqrt(2.0 / 3)}};
  for (int k = 0; k < 3; ++k) {
    const double c = std::cos(2 * M_PI * k / 3), s = std::sin(2 * M_PI * k / 3);
    places.push_back({r * c, r * s, 0.5});
    text += fmt::format(
        "[[wall]]\nname = \"side{}\"\nmaterial = \"m\"\npoint = [{:.17g}, {:.17g}, 0]\nnormal = [{:.17g}, {:.17g}, "
        "0]\n",
        k, (r + 0.5) * c, (r + 0.5) * s, -c, -s);
  }
  text += bodies(places) + kTruss + "every = 1\n";
  const Results f = of<3>(text, "truss-forces");
  const double weight = 10 * 1000 * M_PI / 6;
  EXPECT_EQ(f.at("bodies"), 4);
  EXPECT_NEAR(f.at("largest_force"), 4.0 / 3 * weight, 1e-5 * weight);
  EXPECT_LT(f.at("residual"), 1e-10);
  EXPECT_LT(f.at("difference"), 1e-4);
}

// Hard disks on a floor, one on the other: the truss has the forces of their links.
TEST(TrussProbe, AHardStack) {
  std::string text =
      "dimension = 2\nmethod = \"hard\"\n[time]\nend = 0.01\nstep = 0.001\n[[material]]\nname = \"m\"\n"
      "density = 1000\n" +
      std::string(kGravity) + wall("floor", "-9, 0", "9, 0");
  double x = 0, y = 0.5;
  for (int k = 0; k < 6; ++k) {
    text += fmt::format("[[body]]\nmaterial = \"m\"\nradius = 0.5\nposition = [{:.17g}, {:.17g}]\n", x, y);
    x += std::sin(k % 2 == 0 ? 1e-4 : -2e-4);
    y += std::cos(k % 2 == 0 ? 1e-4 : -2e-4);
  }
  text += "[[link]]\nkind = \"contact\"\nbody = 0\nwall = \"floor\"\n";
  for (int k = 1; k < 6; ++k) text += fmt::format("[[link]]\nkind = \"contact\"\nbody = {}\nto = {}\n", k, k - 1);
  const Results f = of<2>(text + kTruss, "truss-forces");
  EXPECT_EQ(f.at("contacts"), 6);
  EXPECT_EQ(f.at("peeled"), 6);
  EXPECT_LT(f.at("difference"), 1e-3);  // it begins to fall over
  const Results g = of<2>(text + kTruss + "loads = \"motion\"\n", "truss-forces");
  EXPECT_LT(g.at("difference"), 1e-10);
  EXPECT_LT(g.at("residual"), 1e-10);
}

TEST(TrussProbe, NothingToBear) {
  const std::string floor = wall("floor", "-9, 0", "9, 0");
  const std::string fill =
      "[[fill]]\nmethod = \"rain\"\nmaterial = \"m\"\nradius = 0.1\nmin = [-1, 1]\nmax = [1, 2]\ncount = 1\nevery = "
      "1\n";
  for (const std::string& scene :
       {floor + fill, floor + bodies<2>({{0, 3}}), floor + kGravity + bodies<2>({{0, 0.5}}, "fixed = true\n")}) {
    InMemory<2> m(from_text(moment(2, scene + kTruss + kClusters)));
    m.to_the_end();
    for (const auto& [name, rows] : m.rows) {
      ASSERT_FALSE(rows.empty());
      for (const auto& row : rows) {
        for (const double value : row) EXPECT_TRUE(std::isfinite(value)) << name;
      }
    }
    EXPECT_EQ(m.results("truss-forces").at("contacts"), 0);
    EXPECT_EQ(m.results("truss-forces").at("residual"), 0);
    EXPECT_EQ(m.results("clusters").at("clusters"), 0);
  }
}

// A heap of some thousand disks that falls together, large enough to be shared by threads.
std::string falling(const std::string& keys) {
  return "dimension = 2\nseed = 3\n[time]\nend = 0.04\n[gravity]\nacceleration = 40\n[[material]]\nname = "
         "\"m\"\ndensity = 1000\n"
         "stiffness = 1e5\n[[contact]]\nrestitution = 0.3\nfriction = 0.4\n[domain]\nmin = [0, 0]\nmax = [0.72, 2]\n"
         "periodic = [\"x\"]\n" +
         wall("floor", "0, 0.01", "0.72, 0.01") +
         "[[fill]]\nmethod = \"lattice\"\nmaterial = \"m\"\nradius = 0.005\nspread = 0.05\nmin = [0, 0.01]\n"
         "max = [0.72, 0.5]\ncount = 3100\njitter = 0.5\n" +
         kTruss + "every = 0.02\n" + keys + kClusters + "every = 0.02\n";
}

TEST(TrussProbe, ThreadsAndBreaksChangeNoBit) {
  MORAINE_NOT_UNDER_SANITIZERS();
  const scene::Scene whole = [] {
    const scene::Scene short_form = from_text(falling("friction = false\n"));
    return scene::spelled_out(short_form, scene::build<2>(short_form));
  }();
  InMemory<2> one(whole, 1), two(whole, 2), first(whole, 1);
  one.to_the_end();
  two.to_the_end();
  EXPECT_GT(one.results("truss-forces").at("contacts"), 1000);
  EXPECT_GT(one.results("clusters").at("clusters"), 1);
  first.run->begin(nullptr);
  while (first.world().time < 0.03) first.run->step();
  base::Record record;
  first.run->save(record);
  record.settle();
  InMemory<2> second(scene::build<2>(whole, true), 2);
  second.to_the_end(&record);
  for (const char* probe : {"truss-forces", "clusters"}) {
    EXPECT_EQ(one.rows.at(probe), two.rows.at(probe));
    EXPECT_EQ(one.rows.at(probe).back(), second.rows.at(probe).back());
    EXPECT_EQ(one.results(probe), second.results(probe));
  }
  EXPECT_EQ(one.probes.at("truss-forces")->tables()[0].rows, second.probes.at("truss-forces")->tables()[0].rows);
}

}  // namespace
