// SPDX-License-Identifier: MIT
// The probe "forces": lattices whose contacts, forces and directions are known, a gas that knows no direction, signs,
// and a run that is broken and resumed.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "support/in_memory.hpp"

namespace {

using namespace moraine;
using test::from_text;
using test::InMemory;
using Rows = std::vector<std::vector<double>>;

// K = 1e5 N/m between two.
const char* const kStuff =
    "[[material]]\nname = \"m\"\ndensity = 1000\nstiffness = 2e5\n[[contact]]\nrestitution = 0.5\n"
    "friction = 0.5\nstiffness_ratio = 0.8\n";

// Disks of radius 0.5 at these places in a box that is periodic both ways: for a moment, in which nothing moves.
std::string packing(double length, double height, const std::vector<std::array<double, 2>>& places,
                    const std::string& keys = "") {
  std::string text = "dimension = 2\n[time]\nend = 1e-4\nstep = 1e-5\n" + std::string(kStuff) +
                     fmt::format("[domain]\nmin = [0, 0]\nmax = [{}, {}]\nperiodic = [\"x\", \"y\"]\n", length, height);
  for (const auto& p : places)
    text += fmt::format("[[body]]\nmaterial = \"m\"\nradius = 0.5\nposition = [{}, {}]\n", p[0], p[1]);
  return text + "[[probe]]\nkind = \"forces\"\nevery = 1e-5\n" + keys;
}

template <int D>
Rows table(const InMemory<D>& m, const std::string& part) {
  for (const measure::Table& t : m.probes.at("forces")->tables()) {
    if (t.name == "forces_" + part) {
      for (const auto& row : t.rows) EXPECT_EQ(row.size(), t.columns.size());
      return t.rows;
    }
  }
  ADD_FAILURE() << "no table " << part;
  return {};
}

double from_zero(double degrees) { return std::min(degrees, 180 - degrees); }

// Squeezed by 0.004 along x and half of that along y.
TEST(Forces, OfASquareLattice) {
  const double dx = 0.996, dy = 0.998;
  std::vector<std::array<double, 2>> places;
  for (int i = 0; i < 4; ++i) {
    for (int j = 0; j < 5; ++j) places.push_back({(i + 0.5) * dx, (j + 0.5) * dy});
  }
  InMemory<2> m(from_text(packing(4 * dx, 5 * dy, places)));
  m.to_the_end();
  const auto r = m.results("forces");
  EXPECT_NEAR(r.at("contacts"), 40, 1e-9);
  EXPECT_NEAR(r.at("mean_normal"), 1e5 * 0.003, 1e-6);
  EXPECT_NEAR(r.at("mean_shear"), 0, 1e-6);
  EXPECT_NEAR(r.at("Fxx"), 0.5, 1e-9);
  EXPECT_NEAR(r.at("Fyy"), 0.5, 1e-9);
  EXPECT_NEAR(r.at("Fxy"), 0, 1e-9);
  EXPECT_NEAR(r.at("anisotropy"), 0, 1e-9);
  EXPECT_NEAR(r.at("mean_normal_error"), 0, 1e-6);

  const Rows directions = table(m, "directions");
  ASSERT_EQ(directions.size(), 36U);
  for (const auto& row : directions) {
    const bool along = row[0] == 0, across = row[0] == 90;
    EXPECT_NEAR(row[1], along || across ? 18 / M_PI : 0, 1e-9) << row[0];
    EXPECT_NEAR(row[3], along ? 4.0 / 3 : across ? 2.0 / 3 : 0, 1e-6) << row[0];
    EXPECT_NEAR(row[5], 0, 1e-6) << row[0];
  }
  const Rows sizes = table(m, "distribution");
  ASSERT_EQ(sizes.size(), 40U);
  double all = 0;
  for (const auto& row : sizes) {
    // 2/3 and 4/3 lie in bins 4 and 8 of width 0.15.
    const bool hit = std::fabs(row[0] - 0.675) < 1e-9 || std::fabs(row[0] - 1.275) < 1e-9;
    EXPECT_NEAR(row[1], hit ? 0.5 / 0.15 : 0, 1e-9) << row[0];
    all += row[1] * 0.15;
  }
  EXPECT_NEAR(all, 1, 1e-9);
}

// Not touching across: all contacts along x, and the anisotropy is whole.
TEST(Forces, OfRows) {
  std::vector<std::array<double, 2>> places;
  for (int i = 0; i < 4; ++i) {
    for (int j = 0; j < 3; ++j) places.push_back({(i + 0.5) * 0.998, j * 1.1 + 0.5});
  }
  InMemory<2> m(from_text(packing(4 * 0.998, 3.3, places)));
  m.to_the_end();
  EXPECT_NEAR(m.results("forces").at("contacts"), 12, 1e-9);
  EXPECT_NEAR(m.results("forces").at("anisotropy"), 1, 1e-9);
  EXPECT_NEAR(from_zero(m.results("forces").at("direction")), 0, 1e-6);
  EXPECT_NEAR(m.results("forces").at("direction_error"), 0, 1e-6);
  EXPECT_NEAR(table(m, "directions")[0][1], 36 / M_PI, 1e-9);
}

TEST(Forces, OfAHexagonalLattice) {
  const double d = 0.997, height = d * std::sqrt(0.75);
  std::vector<std::array<double, 2>> upright, turned;
  for (int i = 0; i < 4; ++i) {
    for (int j = 0; j < 4; ++j) {
      upright.push_back({(i + 0.25 + 0.5 * (j % 2)) * d, (j + 0.5) * height});
      turned.push_back({upright.back()[1], upright.back()[0]});
    }
  }
  for (const bool upside : {false, true}) {
    InMemory<2> m(from_text(upside ? packing(4 * height, 4 * d, turned, "angles = 18\n")
                                   : packing(4 * d, 4 * height, upright, "angles = 18\n")));
    m.to_the_end();
    const auto r = m.results("forces");
    EXPECT_NEAR(r.at("contacts"), 48, 1e-9);
    EXPECT_NEAR(r.at("mean_normal"), 1e5 * 0.003, 1e-6);
    EXPECT_NEAR(r.at("Fxx"), 0.5, 1e-9);
    EXPECT_NEAR(r.at("Fyy"), 0.5, 1e-9);
    EXPECT_NEAR(r.at("Fxy"), 0, 1e-9);
    EXPECT_NEAR(r.at("anisotropy"), 0, 1e-9);
    for (const auto& row : table(m, "directions")) {
      const bool hit = std::fmod(row[0] + (upside ? 30 : 0), 60) == 0;
      EXPECT_NEAR(row[1], hit ? 6 / M_PI : 0, 1e-9) << row[0];
      EXPECT_NEAR(row[3], hit ? 1 : 0, 1e-6) << row[0];
    }
  }
}

TEST(Forces, OfACubicLatticeInThreePlanes) {
  std::string text = "dimension = 3\n[time]\nend = 1e-4\nstep = 1e-5\n" + std::string(kStuff) +
                     "[domain]\nmin = [0, 0, 0]\nmax = [2.994, 2.994, 3.3]\nperiodic = [\"x\", \"y\", \"z\"]\n";
  for (int i = 0; i < 27; ++i)
    text += fmt::format("[[body]]\nmaterial = \"m\"\nradius = 0.5\nposition = [{}, {}, {}]\n", (i % 3 + 0.5) * 0.998,
                        (i / 3 % 3 + 0.5) * 0.998, (i / 9 + 0.5) * 1.1);
  // No contacts along z: in the plane of x and z all that are seen are along x.
  text +=
      "[[probe]]\nkind = \"forces\"\nevery = 1e-5\nplane = [\"x\", \"z\"]\n"
      "[[probe]]\nkind = \"forces\"\nname = \"level\"\nevery = 1e-5\n";
  InMemory<3> m(from_text(text));
  m.to_the_end();
  const auto r = m.results("forces");
  EXPECT_NEAR(r.at("contacts"), 54, 1e-9);
  EXPECT_NEAR(r.at("Fxx"), 0.5, 1e-9);
  EXPECT_NEAR(r.at("Fyy"), 0.5, 1e-9);
  EXPECT_NEAR(r.at("Fzz"), 0, 1e-9);
  EXPECT_NEAR(r.at("Fxz"), 0, 1e-9);
  EXPECT_NEAR(r.at("anisotropy"), 0.5, 1e-9);
  EXPECT_NEAR(from_zero(r.at("direction")), 0, 1e-6);
  for (const auto& row : table(m, "directions")) EXPECT_NEAR(row[1], row[0] == 0 ? 36 / M_PI : 0, 1e-9) << row[0];
  const Rows level = m.probes.at("level")->tables()[1].rows;
  for (const auto& row : level) EXPECT_NEAR(row[1], row[0] == 0 || row[0] == 90 ? 18 / M_PI : 0, 1e-9) << row[0];
}

// Contacts with walls count if wanted; so does the friction that they could have.
TEST(Forces, WithWallsAndTheirFriction) {
  const std::string text = std::string("dimension = 2\n[time]\nend = 1e-4\nstep = 1e-5\n") + kStuff +
                           "[[wall]]\nname = \"floor\"\nmaterial = \"m\"\nfrom = [-1, 0]\nto = [1, 0]\n"
                           "[[body]]\nmaterial = \"m\"\nradius = 0.1\nposition = [0, 0.0998]\nvelocity = [0.3, 0]\n";
  InMemory<2> m(from_text(text + "[[probe]]\nkind = \"forces\"\nevery = 1e-5\nwalls = true\nfrom = 5e-5\n"
                                 "[[probe]]\nkind = \"forces\"\nname = \"without\"\n"
                                 "[[probe]]\nkind = \"contacts\"\nbody = 0\nwall = \"floor\"\nevery = 1e-5\n"));
  m.to_the_end();
  EXPECT_EQ(m.results("without").at("contacts"), 0);
  EXPECT_EQ(m.results("without").at("mean_normal"), 0);
  const auto& rows = m.rows.at("forces");
  const auto& contact = m.rows.at("contacts");
  ASSERT_EQ(rows.size(), 11U);
  ASSERT_EQ(contact.size(), 11U);
  for (std::size_t k = 1; k < rows.size(); ++k) {
    EXPECT_EQ(rows[k][1], 1);
    EXPECT_NEAR(rows[k][2], contact[k][1], 1e-9 * contact[k][1]);
    EXPECT_NEAR(rows[k][3], std::fabs(contact[k][2]), 1e-9 * contact[k][1]);
    EXPECT_NEAR(rows[k][4], std::fabs(contact[k][2]) / (0.5 * contact[k][1]), 1e-9);
    EXPECT_GT(rows[k][4], 0);
  }
  // The normal points down into the floor; the disk slides to +x and drags the floor along: with the normal turned
  // anticlockwise, +x.
  double shear = 0, normal = 0;
  for (std::size_t k = 5; k < contact.size(); ++k) {
    shear += contact[k][2];
    normal += contact[k][1];
  }
  EXPECT_GT(shear, 0);
  EXPECT_NEAR(table(m, "directions")[18][5], shear / normal, 1e-9);
}

// Elastic disks at 0.6 covered: no direction is better than another, and the errors know how well that is seen.
TEST(Forces, OfAGasKnowNoDirection) {
  const std::string text = std::string("dimension = 2\nseed = 3\n[time]\nend = 0.6\n") +
                           "[[material]]\nname = \"m\"\ndensity = 1000\nstiffness = 2e7\n[[contact]]\nrestitution = 1\n"
                           "friction = 0\n[domain]\nmin = [0, 0]\nmax = [2.4, 2.4]\nperiodic = [\"x\", \"y\"]\n"
                           "[[fill]]\nmethod = \"lattice\"\nmaterial = \"m\"\nradius = 0.05\nspacing = 0.12\n"
                           "jitter = 1\nmin = [0, 0]\nmax = [2.4, 2.4]\nrandom_speed = 3\n"
                           "[[probe]]\nkind = \"forces\"\nfrom = 0.1\nevery = 0.0005\nangles = 6\n";
  InMemory<2> m(from_text(text));
  m.to_the_end();
  const auto r = m.results("forces");
  EXPECT_GT(r.at("contacts"), 10);
  EXPECT_NEAR(r.at("Fxx") + r.at("Fyy"), 1, 1e-9);
  EXPECT_NEAR(r.at("Fxx"), 0.5, 3 * r.at("Fxx_error"));
  EXPECT_NEAR(r.at("Fxy"), 0, 3 * r.at("Fxy_error"));
  EXPECT_LT(r.at("Fxx_error"), 0.02);
  EXPECT_GT(r.at("Fxx_error"), 1e-4);
  EXPECT_EQ(r.at("mean_shear"), 0);
  double density = 0;
  for (const auto& row : table(m, "directions")) {
    EXPECT_NEAR(row[1], 1 / M_PI, 4 * row[2]) << row[0];
    EXPECT_NEAR(row[3], 1, 4 * row[4]) << row[0];
    density += row[1] * M_PI / 6;
  }
  EXPECT_NEAR(density, 1, 1e-9);
}

// A packing at rest, squeezed without friction: isotropic as far as so many contacts can tell.
TEST(Forces, OfARandomPackingAreIsotropic) {
  const std::string text =
      "dimension = 2\nseed = 5\n[time]\nend = 1e-3\n" + std::string(kStuff) +
      "[[wall]]\nname = \"low\"\nmaterial = \"m\"\nfrom = [0, 0]\nto = [2, 0]\n"
      "[[wall]]\nname = \"high\"\nmaterial = \"m\"\nfrom = [0, 2]\nto = [2, 2]\n"
      "[[wall]]\nname = \"left\"\nmaterial = \"m\"\nfrom = [0, 0]\nto = [0, 2]\n"
      "[[wall]]\nname = \"right\"\nmaterial = \"m\"\nfrom = [2, 0]\nto = [2, 2]\n"
      "[[fill]]\nmethod = \"squeeze\"\nmaterial = \"m\"\nradius = 0.04\nspread = 0.25\nmin = [0, 0]\n"
      "max = [2, 2]\nfraction = 0.88\nfriction = 0\nrelax_steps = 3000\n[[probe]]\nkind = \"forces\"\n";
  InMemory<2> m(from_text(text));
  m.to_the_end();
  const auto r = m.results("forces");
  ASSERT_GT(r.at("contacts"), 600);
  // The spread of cos^2 of a random direction is 1/8.
  EXPECT_NEAR(r.at("Fxx"), 0.5, 4 * std::sqrt(0.125 / r.at("contacts")));
  EXPECT_NEAR(r.at("Fxy"), 0, 4 * std::sqrt(0.125 / r.at("contacts")));
}

TEST(Forces, GoOnAfterARestartAsIfUnbroken) {
  const std::string text =
      std::string("dimension = 2\n[time]\nend = 0.05\n[gravity]\n") + kStuff +
      "[domain]\nmin = [0, 0]\nmax = [2, 3]\nperiodic = [\"x\"]\n"
      "[[wall]]\nname = \"floor\"\nmaterial = \"m\"\nfrom = [-1, 0.1]\nto = [3, 0.1]\n"
      "[[fill]]\nmethod = \"lattice\"\nmaterial = \"m\"\nradius = 0.05\nspacing = 0.1\nmin = [0, 0.1]\n"
      "max = [2, 1]\nrandom_speed = 1\n[[probe]]\nkind = \"forces\"\nfrom = 0.01\nevery = 1e-4\nwalls = true\n";
  const scene::Scene whole = [&] {
    const scene::Scene short_form = from_text(text);
    return scene::spelled_out(short_form, scene::build<2>(short_form));
  }();
  InMemory<2> unbroken(whole);
  unbroken.to_the_end();
  EXPECT_GT(unbroken.results("forces").at("contacts"), 50);
  InMemory<2> first(whole);
  first.run->begin(nullptr);
  while (first.world().time < 0.023) first.run->step();
  base::Record record;
  first.run->save(record);
  record.settle();
  InMemory<2> second(scene::build<2>(whole, true), 2);
  second.to_the_end(&record);
  EXPECT_EQ(second.results("forces"), unbroken.results("forces"));
  for (const char* part : {"distribution", "directions"}) EXPECT_EQ(table(second, part), table(unbroken, part));
  EXPECT_EQ(second.rows.at("forces").back(), unbroken.rows.at("forces").back());
}

}  // namespace
