// SPDX-License-Identifier: MIT
// What a fluid does to bodies in it against closed forms: coefficients over the Reynolds number, shadows, rims of
// floes, members of clumps in shear, buoyancy.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "base/random.hpp"
#include "flow/drag.hpp"
#include "support/in_memory.hpp"

namespace {

using namespace moraine;
using math::Vec2;
using math::Vec3;
using test::example;
using test::from_text;
using test::InMemory;

std::string stuff(int dimension) {
  return fmt::format(
      "dimension = {}\n[time]\nend = 0.002\nstep = 0.0002\n[[material]]\nname = \"m\"\ndensity = 1000\n"
      "stiffness = 1e4\n[[contact]]\nrestitution = 0.5\n",
      dimension);
}
std::string body(const std::string& position, double radius, const std::string& more = "") {
  return fmt::format("[[body]]\nmaterial = \"m\"\nposition = {}\nradius = {}\n{}", position, radius, more);
}

// Forces of the scene's loads at the start, by the order of bodies (and clumps) in memory.
template <int D>
world::Wrenches<D> forces_at_start(const std::string& text, int threads = 1) {
  auto built = scene::build<D>(from_text(text));
  base::Team team(threads);
  if (built.world.flow) built.world.flow->update(built.world, team);
  world::Wrenches<D> sums;
  sums.bodies.resize(built.world.bodies.size());
  sums.clumps.resize(built.world.clumps.size());
  for (auto& load : built.loads) load->add(built.world, team, sums);
  return sums;
}

// ---- over the Reynolds number

// C_D of spheres by Schiller and Naumann: at small Re Stokes' drag, 6 pi eta R v; 1.09 at Re = 100; 0.44 from 1000 on.
TEST(DragLaw, OfSchillerAndNaumannGoesFromStokesToNewton) {
  const auto force = [](double speed) {
    return forces_at_start<3>(stuff(3) + body("[0, 0, 0]", 0.01) +
                              fmt::format("[[load]]\nkind = \"stream\"\nvelocity = [{}, 0, 0]\ndensity = 900\n"
                                          "drag_law = \"schiller-naumann\"\nkinematic_viscosity = 1e-3\n",
                                          speed))
        .bodies[0]
        .force[0];
  };
  const double area = M_PI * 1e-4, eta = 0.9;
  EXPECT_NEAR(force(1e-6), 6 * M_PI * eta * 0.01 * 1e-6, 1e-3 * 6 * M_PI * eta * 0.01 * 1e-6);
  EXPECT_NEAR(force(5) / (0.5 * 900 * area * 25), 24.0 / 100 * (1 + 0.15 * std::pow(100, 0.687)), 1e-12);
  EXPECT_NEAR(force(5) / (0.5 * 900 * area * 25), 1.0917, 1e-4);
  EXPECT_NEAR(force(60) / (0.5 * 900 * area * 3600), 0.44, 1e-12);
  EXPECT_EQ(force(0), 0);
}

// White's fit for cylinders, 1 + 10 Re^(-2/3), for disks of the plane.
TEST(DragLaw, CanBeAFormulaOfRe) {
  const auto sums =
      forces_at_start<2>("thickness = 0.5\n" + stuff(2) + body("[0, 0]", 0.1) +
                         "[[load]]\nkind = \"stream\"\nvelocity = [3, 4]\ndensity = 10\ndrag_law = \"formula\"\n"
                         "drag_formula = \"1 + 10 * Re^(-2/3)\"\nkinematic_viscosity = 0.001\n");
  const double c = 1 + 10 * std::pow(1000, -2.0 / 3);
  EXPECT_NEAR(sums.bodies[0].force[0], 0.5 * 10 * c * 0.2 * 0.5 * 5 * 3, 1e-12);
  EXPECT_NEAR(sums.bodies[0].force[1], 0.5 * 10 * c * 0.2 * 0.5 * 5 * 4, 1e-12);
}

// (4.8) with the norm of u - v; Sun's program squares each component by itself.
TEST(Drag, HasTheNormOfTheVelocityOrEachComponentByItself) {
  const std::string load = "[[load]]\nkind = \"stream\"\nvelocity = [3, -4]\ndensity = 2\ndrag_coefficient = 1\n";
  const std::string scene = stuff(2) + body("[0, 0]", 0.5, "velocity = [0, 1]\n");
  const auto norm = forces_at_start<2>(scene + load).bodies[0].force,
             parts = forces_at_start<2>(scene + load + "components = true\n").bodies[0].force;
  EXPECT_NEAR(norm[0], std::sqrt(34.0) * 3, 1e-12);
  EXPECT_NEAR(norm[1], -std::sqrt(34.0) * 5, 1e-12);
  EXPECT_NEAR(parts[0], 9, 1e-12);
  EXPECT_NEAR(parts[1], -25, 1e-12);
}

// Form drag on the section and skin drag on the face of one floe, together; the rim is immersed to a depth.
TEST(Drag, OnTheRimAndAlongTheFaceAddUp) {
  const std::string scene = "thickness = 0.3\n" + stuff(2) + body("[0, 0]", 2);
  const std::string rim =
      "[[load]]\nkind = \"stream\"\nvelocity = [0.5, 0]\ndensity = 1025\ndrag_coefficient = 0.9\ndepth = 0.27\n";
  const std::string face =
      "[[load]]\nkind = \"stream\"\nvelocity = [0.5, 0]\ndensity = 1025\ndrag_coefficient = 0.011\narea = \"face\"\n";
  const double of_rim = 0.5 * 1025 * 0.9 * 4 * 0.27 * 0.25, of_face = 0.5 * 1025 * 0.011 * M_PI * 4 * 0.25;
  EXPECT_NEAR(forces_at_start<2>(scene + rim).bodies[0].force[0], of_rim, 1e-10);
  EXPECT_NEAR(forces_at_start<2>(scene + face).bodies[0].force[0], of_face, 1e-10);
  EXPECT_NEAR(forces_at_start<2>(scene + rim + face).bodies[0].force[0], of_rim + of_face, 1e-10);
}

// ---- shadows

// What is left to each body of a scene, in a stream along `u` (C_A of (4.13)).
template <int D>
std::vector<double> left(const std::string& bodies, const std::string& u, const std::string& more = "", int threads = 1,
                         const std::string& head = "") {
  const std::string load = "[[load]]\nkind = \"stream\"\nvelocity = " + u + "\ndensity = 1\ndrag_coefficient = 1\n";
  const auto whole = forces_at_start<D>(stuff(D) + head + bodies + load, threads),
             shaded = forces_at_start<D>(stuff(D) + head + bodies + load + "shadow = true\n" + more, threads);
  std::vector<double> out;
  for (std::size_t i = 0; i < whole.bodies.size(); ++i)
    out.push_back(math::norm(whole.bodies[i].force) > 0
                      ? math::norm(shaded.bodies[i].force) / math::norm(whole.bodies[i].force)
                      : 1);
  return out;
}

// (4.10), (4.11): two disks that touch, at an angle theta to the stream: h = (r_i + r_j)(1 - sin theta).
TEST(Shadow, OfADiskThatTouchesIsThatOfTheSource) {
  for (const double theta : {0.35, 0.6, 1.0, 1.5}) {
    const double ri = 0.08, rj = 0.1;
    const auto l =
        left<2>(body("[0, 0]", rj) +
                    body(fmt::format("[{}, {}]", -(ri + rj) * std::cos(theta), (ri + rj) * std::sin(theta)), ri),
                "[2, 0]", "shadow_least = 0\n");
    EXPECT_NEAR(l[0], 1 - (ri + rj) * (1 - std::sin(theta)) / (2 * rj), 1e-12) << theta;
    EXPECT_EQ(l[1], 1) << "the foremost is in no shadow";
  }
}

// Two shadows that overlap count once, as far as they overlap.
TEST(Shadow, IsTheUnionOfAllUpstream) {
  const std::string behind = body("[0, 0]", 0.1);
  const std::string a = body("[-0.3, 0.1]", 0.1), b = body("[-0.6, 0.05]", 0.1), far = body("[-3, -0.1]", 0.1),
                    beside = body("[0.3, -0.1]", 0.1);
  EXPECT_NEAR(left<2>(behind + a, "[1, 0]", "shadow_least = 0\n")[0], 0.5, 1e-12);
  EXPECT_NEAR(left<2>(behind + a + b, "[1, 0]", "shadow_least = 0\n")[0], 0.25, 1e-12);
  EXPECT_NEAR(left<2>(behind + a + b + far + beside, "[1, 0]", "shadow_least = 0\n")[0], 0.25, 1e-12);
  EXPECT_NEAR(left<2>(behind + a + b + far, "[1, 0]", "shadow_least = 0\nshadow_reach = 16\n")[0], 0, 1e-12);
  EXPECT_NEAR(left<2>(behind + body("[-0.3, 0]", 0.1), "[1, 0]")[0], 0.1, 1e-12) << "the least that is left";
  EXPECT_NEAR(left<2>(behind + a, "[-1, 0]")[1], 0.5, 1e-12) << "in a stream the other way the other is behind";
}

// Of each component by itself: shaded along x, but not along y.
TEST(Shadow, IsThatOfEachDirection) {
  const std::string load =
      "[[load]]\nkind = \"stream\"\nvelocity = [2, 3]\ndensity = 1\ndrag_coefficient = 1\n"
      "components = true\nshadow = true\n";
  const auto force =
      forces_at_start<2>(stuff(2) + body("[0, 0]", 0.1) + body("[-0.3, 0.1]", 0.1) + load).bodies[0].force;
  EXPECT_NEAR(force[0], 0.5 * 0.5 * 0.2 * 4, 1e-12);
  EXPECT_NEAR(force[1], 0.5 * 0.2 * 9, 1e-12);
}

// In 3D: the part of the section that the union of sections upstream covers.
TEST(Shadow, OfSpheresIsThePartOfTheSection) {
  const double r = 0.1, d = 0.1;  // two equal circles at a distance of one radius
  const double lens = 2 * r * r * std::acos(d / (2 * r)) - 0.5 * d * std::sqrt(4 * r * r - d * d);
  const std::string behind = body("[0, 0, 0]", r), before = body("[-0.4, 0, 0.1]", r);
  EXPECT_NEAR(left<3>(behind + before, "[1, 0, 0]")[0], 1 - lens / (M_PI * r * r), 1e-12);
  EXPECT_NEAR(left<3>(behind + before + body("[-0.7, 0, 0.1]", r), "[1, 0, 0]")[0], 1 - lens / (M_PI * r * r), 1e-12);
  EXPECT_NEAR(left<3>(behind + body("[-0.4, 0, 0]", 0.05), "[1, 0, 0]")[0], 0.75, 1e-12);
}

// The cells find the same as all pairs, also over a periodic end, to the same bits on any number of threads.
TEST(Shadow, OfManyIsFoundByCellsAsByAllPairs) {
  base::Stream random(1, "shadow");
  struct Disk {
    Vec2 x;
    double r;
  };
  std::vector<Disk> disks;
  std::string bodies;
  while (disks.size() < 700) {
    const Disk d{{random.uniform(0, 10), random.uniform(0, 6)}, random.uniform(0.03, 0.1)};
    bool free = d.x[1] > 0.1 && d.x[1] < 5.9;
    for (const Disk& o : disks) {
      Vec2 away = d.x - o.x;
      away[0] -= 10 * std::round(away[0] / 10);
      free = free && math::norm(away) > d.r + o.r;
    }
    if (!free) continue;
    disks.push_back(d);
    bodies += body(fmt::format("[{}, {}]", d.x[0], d.x[1]), d.r);
  }
  const Vec2 along{0.8, 0.6};
  const std::string head = "[domain]\nmin = [0, 0]\nmax = [10, 6]\nperiodic = [\"x\"]\n";
  const auto found = left<2>(bodies, "[0.8, 0.6]", "", 1, head);
  EXPECT_EQ(found, left<2>(bodies, "[0.8, 0.6]", "", 3, head));
  int shaded = 0;
  for (std::size_t j = 0; j < disks.size(); ++j) {
    // Covered points among many across the disk.
    int covered = 0;
    const int n = 2000;
    for (int k = 0; k < n; ++k) {
      const double at = disks[j].r * (2 * (k + 0.5) / n - 1);
      bool dark = false;
      for (std::size_t i = 0; i < disks.size() && !dark; ++i) {
        if (i == j) continue;
        Vec2 d = disks[i].x - disks[j].x;
        d[0] -= 10 * std::round(d[0] / 10);
        const double before = -math::dot(d, along), across = math::cross(along, d);
        dark = before > 0 && before <= 8 * disks[i].r && std::fabs(at - across) < disks[i].r;
      }
      covered += dark ? 1 : 0;
    }
    const double expected = std::max(0.1, 1 - static_cast<double>(covered) / n);
    EXPECT_NEAR(found[j], expected, 3.0 / n) << j;
    shaded += expected < 0.9 ? 1 : 0;
  }
  EXPECT_GT(shaded, 200);
}

// ---- clumps

const char* const kThree =
    "[[clump]]\nname = \"three\"\npositions = [[-0.8, 0], [0, 0], [0.8, 0]]\nradii = [0.5, 0.5, 0.5]\n";

// The stream sees the union's width: three in a row across, one along.
TEST(DragOfClumps, HasTheShadowOfTheUnion) {
  const std::string load = "[[load]]\nkind = \"stream\"\ndensity = 2\ndrag_coefficient = 1\nvelocity = ";
  const std::string scene = stuff(2) + kThree + "[[body]]\nclump = \"three\"\nmaterial = \"m\"\nposition = [0, 0]\n";
  EXPECT_NEAR(forces_at_start<2>(scene + load + "[0, 3]\n").clumps[0].force[1], 2.6 * 9, 1e-12);
  EXPECT_NEAR(forces_at_start<2>(scene + load + "[3, 0]\n").clumps[0].force[0], 1.0 * 9, 1e-12);
  EXPECT_NEAR(forces_at_start<2>(scene + load + "[0, 3]\n").clumps[0].torque, 0, 1e-12);
}

// In shear u_x = 2 y a rod that stands across is turned: each member feels the stream where it is.
TEST(DragOfClumps, TurnsThemInAShearedStream) {
  const std::string scene = stuff(2) + kThree +
                            "[[body]]\nclump = \"three\"\nmaterial = \"m\"\nposition = [0, 0]\norientation = "
                            "1.5707963267948966\n[flow]\nkind = \"formula\"\nux = \"2 * y\"\n"
                            "[[load]]\nkind = \"stream\"\ndensity = 2\ndrag_coefficient = 1\n";
  const auto sums = forces_at_start<2>(scene);
  // The relative velocity of the centre is zero: the share is that of the x axis, 2.6 of 3.
  const double each = 2.6 / 3 * 1.6 * 1.6;
  EXPECT_NEAR(sums.clumps[0].torque, -2 * 0.8 * each, 1e-9);
  EXPECT_NEAR(sums.clumps[0].force[0], 0, 1e-9);
}

// Free in the shear it comes to turn with it, on average with half the vorticity or less (as the fluid turns a rod).
TEST(DragOfClumps, BringsADiskOfMembersToTurnWithTheFluid) {
  // Four members in a cross: as round as can be. Per member (u - v)|u - v| vanishes in solid rotation.
  const std::string scene = stuff(2) +
                            "[[clump]]\nname = \"cross\"\npositions = [[-0.8, 0], [0, 0], [0.8, 0], [0, 0.8], [0, "
                            "-0.8]]\nradii = [0.5, 0.5, 0.5, 0.5, 0.5]\n"
                            "[[body]]\nclump = \"cross\"\nmaterial = \"m\"\nposition = [0, 0]\n"
                            "[flow]\nkind = \"formula\"\nux = \"-0.7 * y\"\nuy = \"0.7 * x\"\n"
                            "[[load]]\nkind = \"stream\"\ndensity = 20000\ndrag_coefficient = 2\n"
                            "[[probe]]\nkind = \"clumps\"\nids = [0]\n";
  InMemory<2> m(from_text(scene, {"time.end=60", "time.step=0.002"}));
  m.to_the_end();
  EXPECT_NEAR(m.rows.at("clumps").back()[5], 0.7, 0.01);
}

// ---- buoyancy

TEST(Buoyancy, IsTheWeightOfTheFluidDisplaced) {
  const std::string load = "[gravity]\n[[load]]\nkind = \"buoyancy\"\ndensity = 800\n";
  const auto ball = forces_at_start<3>(stuff(3) + body("[0, 0, 0]", 0.1) + load).bodies[0].force;
  EXPECT_NEAR(ball[2], 800 * 9.81 * 4.0 / 3 * M_PI * 1e-3, 1e-10);
  EXPECT_EQ(ball[0], 0);
  const auto disk = forces_at_start<2>("thickness = 0.5\n" + stuff(2) + body("[0, 0]", 0.1) + load).bodies[0].force;
  EXPECT_NEAR(disk[1], 800 * 9.81 * 0.5 * M_PI * 1e-2, 1e-10);
  // Members overlap: the union counts, once.
  const auto clump = forces_at_start<2>(stuff(2) + kThree +
                                        "[[body]]\nclump = \"three\"\nmaterial = \"m\"\nposition = [0, 0]\n" + load);
  const double lens = 2 * (0.25 * std::acos(0.8) - 0.4 * std::sqrt(0.25 - 0.16));
  EXPECT_NEAR(clump.clumps[0].force[1], 800 * 9.81 * (3 * M_PI * 0.25 - 2 * lens), 1e-8);
}

// A ball of half the density of the water floats half immersed; in 2D too.
TEST(Buoyancy, LetsThingsFloatAtASurface) {
  const std::string water =
      "[gravity]\n[[load]]\nkind = \"buoyancy\"\ndensity = 2000\nsurface = 3\n"
      "[[load]]\nkind = \"stream\"\ndensity = 2000\ndrag_coefficient = 1\n"
      "[[probe]]\nkind = \"bodies\"\nids = [0]\n";
  InMemory<3> ball(
      from_text(stuff(3) + body("[0, 0, 3.05]", 0.1) + water + "[[load]]\nkind = \"stream\"\nviscosity = 20\n",
                {"time.end=20", "time.step=0.001"}));
  ball.to_the_end();
  EXPECT_NEAR(ball.rows.at("bodies").back()[3], 3, 1e-6);
  InMemory<2> disk(
      from_text(stuff(2) + body("[0, 2.93]", 0.1) + water, {"global_damping=2", "time.end=20", "time.step=0.001"}));
  disk.to_the_end();
  EXPECT_NEAR(disk.rows.at("bodies").back()[2], 3, 1e-6);
}

// ---- wind on ice

// Every floe, round or not, drifts so that (v - u_w) / (u_a - v) = sqrt(rho_a C_a / (rho_w C_w)).
TEST(WindIce, DriftsWithTheRatioOfTheDrags) {
  MORAINE_NOT_UNDER_SANITIZERS();
  const double q = std::sqrt(1.3 * 0.0016 / (1025 * 0.0055)), drift = (0.1 + 15 * q) / (1 + q);
  InMemory<2> m(example("wind_ice"));
  m.to_the_end();
  double least = 1e300, most = 0;
  for (std::size_t i = 0; i < m.world().bodies.size(); ++i) {
    if (m.world().bodies.moving[i].held != world::Held::kFree) continue;
    least = std::min(least, m.world().velocity(i)[0]);
    most = std::max(most, m.world().velocity(i)[0]);
  }
  for (std::size_t c = 0; c < m.world().clumps.size(); ++c) {
    least = std::min(least, m.world().clump_velocity(c)[0]);
    most = std::max(most, m.world().clump_velocity(c)[0]);
  }
  std::printf("wind_ice: floes drift with %.5f to %.5f m/s, balance at %.5f\n", least, most, drift);
  EXPECT_NEAR(least, drift, 0.002 * drift);
  EXPECT_NEAR(most, drift, 0.002 * drift);
}

}  // namespace
