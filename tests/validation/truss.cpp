// SPDX-License-Identifier: MIT
// Contact forces by the equivalent truss against those of soft runs on the same packing, as contacts become stiffer;
// and clusters of known shape.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "support/in_memory.hpp"

namespace {

using namespace moraine;
using test::example;
using test::from_text;
using test::InMemory;
using test::Results;

// Disks of radius 0.5 and mass 1 (where not given) under gravity of 1 m/s^2, that come to rest by strong drag. Times go
// with the stiffness, so that runs of all stiffnesses are alike.
struct Scene {
  double stiffness = 1e4;  // of a contact
  std::string contact = "friction = 0\n", bodies, walls, probes = "[[probe]]\nkind = \"truss-forces\"\nevery = 1e9\n";

  void disk(double x, double y, double mass = 1) {
    bodies +=
        fmt::format("[[body]]\nmaterial = \"m\"\nradius = 0.5\nmass = {}\nposition = [{:.17g}, {:.17g}]\n", mass, x, y);
  }
  void wall(const std::string& name, double x0, double y0, double x1, double y1) {
    walls +=
        fmt::format("[[wall]]\nname = \"{}\"\nmaterial = \"m\"\nfrom = [{:.17g}, {:.17g}]\nto = [{:.17g}, {:.17g}]\n",
                    name, x0, y0, x1, y1);
  }
  bool slowly = false;  // gravity grows for two thirds of the time
  std::string text(double periods = 60, double drag = 0.5) const {
    const double rate = std::sqrt(stiffness), end = periods * 2 * M_PI / rate;
    return fmt::format(
               "dimension = 2\nglobal_damping = {}\n[time]\nend = {}\nfraction = 0.03\n{}"
               "[[material]]\nname = \"m\"\ndensity = 1\nstiffness = {}\n[[contact]]\nrestitution = 0.5\n",
               drag * rate, end,
               slowly ? fmt::format("[[load]]\nkind = \"formula\"\nfy = \"-m * min(1, t / {})\"\n", end / 1.5)
                      : "[gravity]\nacceleration = 1\n",
               2 * stiffness) +
           contact + walls + bodies + probes;
  }
};

// Rows of 5 and 4 disks in turn, in a box that the longer rows fill; one of the top row is heavy.
Scene hexagonal_box(double stiffness) {
  Scene s;
  s.stiffness = stiffness;
  const double up = std::sqrt(0.75);
  for (int row = 0; row < 5; ++row) {
    for (int k = 0; k < 5 - row % 2; ++k)
      s.disk(0.5 + k + 0.5 * (row % 2), 0.5 + up * row, row == 4 && k == 1 ? 40 : 1 + 0.1 * ((3 * k + 5 * row) % 7));
  }
  s.wall("floor", 0, 0, 5, 0);
  s.wall("left", 0, 0, 0, 7);
  s.wall("right", 5, 7, 5, 0);
  return s;
}

Results results_of(const std::string& what, const std::string& text) {
  InMemory<2> m(from_text(text));
  m.to_the_end();
  const Results r = m.results("truss-forces");
  EXPECT_LT(r.at("residual"), 1e-10) << what;
  EXPECT_EQ(r.at("unbalanced"), 0) << what;
  EXPECT_EQ(r.at("settled"), 1) << what;
  return r;
}

// The contacts are more than the equations, so that balance alone does not give the forces. Bodies sink by the
// overlaps: the difference goes like 1 / stiffness, 7.5e-4, 7.0e-5, 7.0e-6.
TEST(TrussForces, OfAnIndeterminatePackingAreThoseOfStiffSoftContacts) {
  double before = 0;
  for (const double stiffness : {1e4, 1e5, 1e6}) {
    const Results r =
        results_of(fmt::format("box, stiffness {:.0e}", stiffness), hexagonal_box(stiffness).text(150, 0.15));
    EXPECT_GT(r.at("contacts"), 2 * r.at("bodies"));
    EXPECT_LT(r.at("peeled"), r.at("truss"));
    if (before > 0) {
      EXPECT_NEAR(before / r.at("difference"), 10, 1) << stiffness;
    }
    before = r.at("difference");
  }
  EXPECT_LT(before, 1e-5);
}

// A disk between two walls at 60 degrees, with friction too small to stick and large enough to. Sinking does not change
// the directions: all stiffnesses are alike.
TEST(TrussForces, OfADiskInAWedgeAreThoseOfSoftContacts) {
  const double alpha = M_PI / 3, c = std::cos(alpha), s = std::sin(alpha), ratio = 0.8;
  for (const double mu : {0.3, 3.0}) {
    Scene scene;
    scene.contact = fmt::format("friction = {}\nstiffness_ratio = {}\nshear_damping = 0.5\n", mu, ratio);
    scene.disk(0, 0.5 / c);
    scene.wall("left", 0, 0, -3 * c, 3 * s);
    scene.wall("right", 3 * c, 3 * s, 0, 0);
    const Results r = results_of(mu < 1 ? "wedge that slides" : "wedge that sticks", scene.text(60, 3));
    const bool slides = ratio * s > mu * c;
    EXPECT_EQ(slides, mu < 1);
    const double normal = slides ? 0.5 / (c + mu * s) : 0.5 * c / (c * c + ratio * s * s);
    const double shear = slides ? mu * normal : ratio * normal * s / c;
    EXPECT_NEAR(r.at("mean_force"), std::hypot(normal, shear), 1e-9);
    EXPECT_EQ(r.at("sliding"), slides ? 2 : 0);
    EXPECT_LT(r.at("difference"), 1e-8);
  }
}

// Two disks on a rough floor, and one on both: friction alone holds them together. The whole can roll as gears do.
TEST(TrussForces, OfARoughPyramidAreThoseOfSoftContacts) {
  Scene scene;
  scene.contact = "friction = 1\nshear_damping = 0.5\n";
  scene.disk(-0.6, 0.5);
  scene.disk(0.6, 0.5);
  scene.disk(0, 0.5 + 0.8);
  scene.wall("floor", -3, 0, 3, 0);
  const Results r = results_of("rough pyramid", scene.text(200, 0.3));
  EXPECT_EQ(r.at("contacts"), 4);
  EXPECT_EQ(r.at("loose"), 1);
  // Friction at both contacts of a lower disk is the same, t, since it does not turn: t (1 + cos) = n sin and
  // n cos + t sin = 1/2, where the upper contact leans by the angle. Up to the overlaps of 1e-4.
  const double lean = std::atan2(0.6, 0.8), along = 0.5 * std::sin(lean) / (1 + std::cos(lean));
  EXPECT_NEAR(r.at("largest_force"), std::hypot(1.5, along), 1e-4);
  EXPECT_LT(r.at("difference"), 1e-8);
}

// The same in space: a sphere on three that do not touch each other, on a rough floor.
TEST(TrussForces, OfARoughTetrahedronAreThoseOfSoftContacts) {
  const double stiffness = 1e5, rate = std::sqrt(stiffness), lean = std::atan2(0.6, 0.8);
  std::string text = fmt::format(
      "dimension = 3\nglobal_damping = {}\n[time]\nend = {}\nfraction = 0.03\n[gravity]\nacceleration = 1\n"
      "[[material]]\nname = \"m\"\ndensity = 1\nstiffness = {}\n[[contact]]\nrestitution = 0.5\nfriction = 1\n"
      "shear_damping = 0.5\n[[wall]]\nname = \"floor\"\nmaterial = \"m\"\npoint = [0, 0, 0]\nnormal = [0, 0, 1]\n",
      0.3 * rate, 200 * 2 * M_PI / rate, 2 * stiffness);
  const auto ball = [&](double x, double y, double z) {
    text += fmt::format("[[body]]\nmaterial = \"m\"\nradius = 0.5\nmass = 1\nposition = [{:.17g}, {:.17g}, {:.17g}]\n",
                        x, y, z);
  };
  ball(0, 0, 0.5 + std::cos(lean));
  for (int k = 0; k < 3; ++k)
    ball(std::sin(lean) * std::cos(2 * M_PI * k / 3), std::sin(lean) * std::sin(2 * M_PI * k / 3), 0.5);
  InMemory<3> m(from_text(text + "[[probe]]\nkind = \"truss-forces\"\nevery = 1e9\n"));
  m.to_the_end();
  const Results r = m.results("truss-forces");
  EXPECT_EQ(r.at("contacts"), 6);
  EXPECT_LT(r.at("residual"), 1e-10);
  EXPECT_EQ(r.at("least_energy"), 0);
  // As above, where a third of the upper weight goes to each side; up to the overlaps of 1e-5.
  const double along = std::sin(lean) / (1 + std::cos(lean)) / 3;
  EXPECT_NEAR(r.at("largest_force"), std::hypot(4.0 / 3, along), 1e-4);
  EXPECT_LT(r.at("difference"), 1e-6);
}

// The box again, with friction. Where contacts slide, forces depend on how the load came: the truss has them for one
// that grows slowly from nothing, so that the run's forces come to them as it grows more slowly: 2.0e-3, 7.0e-4, 1.8e-4
// with mu = 0.1 and 1.1e-3, 2.7e-4, 6.6e-5 with mu = 1.
TEST(TrussForces, OfARoughBoxAreThoseOfSlowlyLoadedStiffSoftContacts) {
  for (const double mu : {0.1, 1.0}) {
    double before = 0;
    for (const double periods : {250.0, 1000.0, 4000.0}) {
      Scene scene = hexagonal_box(1e6);
      scene.contact = fmt::format("friction = {}\nshear_damping = 0.5\n", mu);
      scene.slowly = true;
      scene.probes += "loads = \"motion\"\n";
      InMemory<2> m(from_text(scene.text(periods, 0.3)));
      m.to_the_end();
      const Results r = m.results("truss-forces");
      EXPECT_LT(r.at("residual"), 1e-10);
      EXPECT_EQ(r.at("settled"), 1);
      EXPECT_GT(r.at("sliding"), 5);
      if (before > 0) {
        EXPECT_GT(before / r.at("difference"), 2) << mu << " " << periods;
      }
      before = r.at("difference");
    }
    EXPECT_LT(before, 5e-4);
  }
}

}  // namespace
