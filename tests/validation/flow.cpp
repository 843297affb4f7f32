// SPDX-License-Identifier: MIT
// Streams: the cylinder against its doublet, the L bend against the free vortex, what leaks, walls and bodies that
// move, and fields that are given.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>

#include "base/random.hpp"
#include "support/in_memory.hpp"
#include "support/program.hpp"

namespace {

using namespace moraine;
using math::Vec2;
using test::example;
using test::from_text;
using test::InMemory;

const char* const kStuff = R"(dimension = 2
[time]
end = 0.01
step = 0.001
[[material]]
name = "m"
density = 1000
stiffness = 1e4
[[contact]]
restitution = 0.5
[[body]]
material = "m"
radius = 0.01
position = [-50, -50]
)";

std::shared_ptr<world::Field<2>> field_of(const scene::Scene& scene) { return scene::build<2>(scene).world.flow; }

Vec2 cylinder(const Vec2& x, double u = 1, double radius = 1) {
  const double r4 = math::norm2(x) * math::norm2(x), a = u * radius * radius / r4;
  return {u + a * (x[1] * x[1] - x[0] * x[0]), -2 * a * x[0] * x[1]};
}

double cylinder_error(const std::vector<std::string>& sets) {
  const auto field = field_of(example("flow_cylinder", sets));
  double worst = 0;
  for (const double r : {1.5, 2.0, 3.0}) {
    for (int k = 0; k < 24; ++k) {
      const double a = 2 * M_PI * k / 24 + 0.05;
      const Vec2 x{r * std::cos(a), r * std::sin(a)};
      worst = std::max(worst, math::norm(field->velocity(x) - cylinder(x)));
    }
  }
  return worst;
}

// (5.34). The net-flow condition is of third order, the mid-point one of first.
TEST(FlowCylinder, GoesToTheExactOneWithTheStatedOrder) {
  struct Case {
    const char* condition;
    double order, of_eight;
  };
  for (const Case& c : {Case{"net-flow", 3, 0.0094}, Case{"mid-point", 1, 0.058}}) {
    double before = 0;
    for (const int panels : {8, 16, 32, 64, 128}) {
      const double error = cylinder_error({fmt::format("flow.panels={}", panels),
                                           fmt::format("flow.condition={}", c.condition), "flow.sampling=exact"});
      std::printf("cylinder %s: %d panels, error %.3g of the stream's speed\n", c.condition, panels, error);
      if (panels == 8) {
        EXPECT_LT(error, c.of_eight);
      } else {
        EXPECT_NEAR(std::log2(before / error), c.order, panels == 16 ? 0.6 : 0.2) << c.condition << " " << panels;
      }
      before = error;
    }
  }
}

TEST(FlowCylinder, IsSampledByTheGridAsWellAsByTheWholeSum) {
  const double exact = cylinder_error({"flow.panels=64", "flow.sampling=exact"}),
               grid = cylinder_error({"flow.panels=64", "flow.sampling=grid"});
  EXPECT_NEAR(grid, exact, 1e-7);
  InMemory<2> m(example("flow_cylinder", {"time.end=0.1"}));
  m.to_the_end();
  EXPECT_LT(m.results("flow").at("sampling_error"), 1e-7);
  EXPECT_EQ(m.results("flow").at("panels"), 64);
  EXPECT_LT(m.results("flow").at("leakage"), 1e-5);
}

// (5.32): at the foremost point the pressure is 1/2 rho U^2, beside the cylinder -3/2 rho U^2.
TEST(FlowCylinder, HasThePressureOfBernoulli) {
  const auto field = field_of(example("flow_cylinder", {"flow.panels=400"}));
  for (const double r : {1.02, 1.5, 4.0}) {
    for (const Vec2& x : {Vec2{-r, 0}, Vec2{0, r}, Vec2{r, 0}}) {
      const double u2 = math::norm2(cylinder(x));
      EXPECT_NEAR(field->pressure(x), 500 * (1 - u2), 1.5) << x[0] << " " << x[1];
    }
  }
  EXPECT_TRUE(field->velocity({0.5, 0.3}) == Vec2{}) << "nothing moves within the pier";
}

// A stream in another direction about a square: as the same scene turned.
TEST(FlowExternal, DoesNotDependOnTheFrame) {
  const auto scene = [](double angle, const Vec2& shift) {
    std::string text = kStuff;
    const auto place = [&](double x, double y) {
      return fmt::format("[{}, {}]", shift[0] + x * std::cos(angle) - y * std::sin(angle),
                         shift[1] + x * std::sin(angle) + y * std::cos(angle));
    };
    const double c[5][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}, {-1, -1}};
    for (int k = 0; k < 4; ++k)
      text += fmt::format("[[wall]]\nname = \"w{}\"\nmaterial = \"m\"\nfrom = {}\nto = {}\n", k,
                          place(c[k][0], c[k][1]), place(c[k + 1][0], c[k + 1][1]));
    return text + fmt::format("[flow]\nkind = \"external\"\nvelocity = [{}, {}]\npanels = 60\n", std::cos(angle),
                              std::sin(angle));
  };
  const auto level = field_of(from_text(scene(0, {0, 0}))), turned = field_of(from_text(scene(0.7, {10, -3})));
  base::Stream random(1, "frame");
  for (int k = 0; k < 50; ++k) {
    const Vec2 x{random.uniform(-3, 3), random.uniform(-3, 3)};
    const Vec2 u = level->velocity(x);
    const Vec2 y{10 + x[0] * std::cos(0.7) - x[1] * std::sin(0.7), -3 + x[0] * std::sin(0.7) + x[1] * std::cos(0.7)};
    const Vec2 v = turned->velocity(y);
    EXPECT_NEAR(v[0], u[0] * std::cos(0.7) - u[1] * std::sin(0.7), 1e-6);
    EXPECT_NEAR(v[1], u[0] * std::sin(0.7) + u[1] * std::cos(0.7), 1e-6);
  }
}

// ---- the bend

struct Bend {
  test::Results flow;
  double flux = 0, worst = 0;  // through A-A; error of the profile in the middle half of the channel
};
Bend run_bend(const std::vector<std::string>& sets) {
  std::vector<std::string> all{"time.end=0.01"};
  all.insert(all.end(), sets.begin(), sets.end());
  InMemory<2> m(example("flow_bend", all));
  m.to_the_end();
  Bend bend{m.results("flow"), m.results("section").at("flux"), 0};
  const auto tables = m.probes.at("section")->tables();
  EXPECT_EQ(tables.at(0).name, "section");
  EXPECT_EQ(tables[0].columns[0].name, "r");
  EXPECT_EQ(tables[0].columns[1].name, "speed");
  for (const auto& row : tables[0].rows) {
    if (row[0] < 1.25 || row[0] > 1.75) continue;
    bend.worst = std::max(bend.worst, std::fabs(row[1] * row[0] * std::log(2.0) - 1));
  }
  return bend;
}

// (5.35): u = U (R_o - R_i) / (r ln(R_o / R_i)).
TEST(FlowBend, KeepsItsFluxAndIsAFreeVortexAcrossTheBend) {
  const Bend bend = run_bend({});
  std::printf("bend, 56 panels: flux through A-A %.6f, leakage %.2g, seepage %.3g, profile within %.2g\n", bend.flux,
              bend.flow.at("leakage"), bend.flow.at("seepage"), bend.worst);
  EXPECT_EQ(bend.flow.at("panels"), 56);
  EXPECT_LT(bend.flow.at("leakage"), 1e-4);
  EXPECT_NEAR(bend.flow.at("flux_in"), 1, 1e-4);
  EXPECT_NEAR(bend.flow.at("flux_out"), 1, 1e-4);
  EXPECT_NEAR(bend.flux, 1, 0.002);
  EXPECT_LT(bend.worst, 0.01);
}

TEST(FlowBend, LeaksIfTheConditionIsAskedForAtMidPoints) {
  const Bend bend = run_bend({"flow.condition=mid-point"});
  std::printf("bend, mid-points: flux through A-A %.4f, leakage %.3f\n", bend.flux, bend.flow.at("leakage"));
  EXPECT_NEAR(bend.flux, 0.85, 0.01);
  EXPECT_NEAR(bend.flow.at("leakage"), 0.20, 0.01);
}

TEST(FlowBend, PanelsAreHalvedUntilNoMoreSeepsThanAskedFor) {
  const Bend coarse = run_bend({}), fine = run_bend({"flow.tolerance=1e-3"}),
             few = run_bend({"flow.tolerance=1e-6", "flow.most_panels=70"});
  std::printf("bend: seepage %.3g with 56 panels, %.3g with %g\n", coarse.flow.at("seepage"), fine.flow.at("seepage"),
              fine.flow.at("panels"));
  EXPECT_GT(coarse.flow.at("seepage"), 1e-3);
  EXPECT_LE(fine.flow.at("seepage"), 1e-3);
  EXPECT_GT(fine.flow.at("panels"), 56);
  EXPECT_GT(few.flow.at("panels"), 56);
  EXPECT_LE(few.flow.at("panels"), 70);
}

// A straight channel has a uniform flow, in and out through any number of ends.
TEST(FlowChannel, OfStraightWallsIsUniform) {
  const std::string walls =
      "[[wall]]\nname = \"low\"\nmaterial = \"m\"\nfrom = [0, 0]\nto = [4, 0]\n"
      "[[wall]]\nname = \"high\"\nmaterial = \"m\"\nfrom = [4, 1]\nto = [0, 1]\n";
  const std::string ends =
      "[flow]\nkind = \"channel\"\npanels = 60\n[[flow.end]]\nfrom = [0, 0]\nto = [0, 1]\nspeed = 2\n"
      "[[flow.end]]\nfrom = [4, 0.5]\nto = [4, 0]\nspeed = -2\n[[flow.end]]\nfrom = [4, 0.5]\nto = [4, 1]\n";
  const auto field = field_of(from_text(kStuff + walls + ends));
  for (const Vec2& x : {Vec2{0.5, 0.5}, Vec2{2, 0.2}, Vec2{3.6, 0.7}}) {
    EXPECT_NEAR(field->velocity(x)[0], 2, 0.01);
    EXPECT_NEAR(field->velocity(x)[1], 0, 0.01);
  }
  for (const Vec2& x : {Vec2{-0.1, 0.5}, Vec2{2, 1.01}, Vec2{40, 0}}) EXPECT_TRUE(field->velocity(x) == Vec2{});
}

// ---- what moves

// A pier that moves through still water makes the flow of one that stands in a stream, less that stream.
TEST(FlowOfMovingWalls, IsThatOfTheirDoublet) {
  InMemory<2> m(
      from_text(std::string(kStuff) +
                    "[[wall]]\nname = \"pier\"\nkind = \"circle\"\nmaterial = \"m\"\ncentre = [0, 0]\nradius = 1\n"
                    "[[wall.motion]]\nvelocity = [3, 0]\n"
                    "[flow]\nkind = \"external\"\nvelocity = [1, 0]\npanels = 64\n",
                {"time.end=1"}));
  m.to_the_end();
  for (const Vec2& d : {Vec2{1.5, 0}, Vec2{0, 2}, Vec2{-2, 1}}) {
    const Vec2 u = m.world().flow->velocity(Vec2{3, 0} + d), v = cylinder(d, -2) + Vec2{3, 0};
    EXPECT_NEAR(u[0], v[0], 1e-4);
    EXPECT_NEAR(u[1], v[1], 1e-4);
  }
}

// Two piers that come nearer to each other: as if they had always stood where they are.
TEST(FlowOfMovingWalls, FollowsHowTheyStandToEachOther) {
  const auto scene = [](double apart, double speed) {
    std::string text = kStuff;
    text += fmt::format("[[wall]]\nname = \"a\"\nkind = \"circle\"\nmaterial = \"m\"\ncentre = [0, {}]\nradius = 1\n",
                        apart);
    if (speed != 0) text += fmt::format("[[wall.motion]]\nvelocity = [0, {}]\nto = 0.0095\n", speed);
    return text +
           "[[wall]]\nname = \"b\"\nkind = \"circle\"\nmaterial = \"m\"\ncentre = [0, 0]\nradius = 1\n"
           "[flow]\nkind = \"external\"\nvelocity = [1, 0]\npanels = 80\nsampling = \"exact\"\n";
  };
  InMemory<2> moved(from_text(scene(4, -100)));
  moved.to_the_end();
  const auto stood = field_of(from_text(scene(4 - 0.95, 0)));
  for (const Vec2& x : {Vec2{0, 1.5}, Vec2{2, 2}, Vec2{-3, -1}}) {
    const Vec2 u = moved.world().flow->velocity(x), v = stood->velocity(x);
    EXPECT_NEAR(u[0], v[0], 1e-9);
    EXPECT_NEAR(u[1], v[1], 1e-9);
  }
}

// A piston pushes what the open end lets out.
TEST(FlowOfMovingWalls, PushesWaterOutOfAChannel) {
  const std::string text = std::string(kStuff) +
                           "[[wall]]\nname = \"piston\"\nmaterial = \"m\"\nfrom = [0, 0]\nto = [0, 1]\n"
                           "[[wall.motion]]\nvelocity = [0.5, 0]\nto = 0.0001\n"
                           "[[wall]]\nname = \"low\"\nmaterial = \"m\"\nfrom = [0, 0]\nto = [4, 0]\n"
                           "[[wall]]\nname = \"high\"\nmaterial = \"m\"\nfrom = [4, 1]\nto = [0, 1]\n"
                           "[flow]\nkind = \"channel\"\npanels = 60\n[[flow.end]]\nfrom = [4, 0]\nto = [4, 0.5]\n"
                           "[[flow.end]]\nfrom = [4, 0.5]\nto = [4, 1]\nspeed = -0.5\n";
  const auto field = field_of(from_text(text));
  EXPECT_NEAR(field->velocity({2, 0.5})[0], 0.5, 0.003);
}

// A body that acts back is to others what a round pier is.
TEST(FlowWithBodies, AFixedDiskIsAPier) {
  const std::string pier =
      "[[wall]]\nname = \"far\"\nkind = \"circle\"\nmaterial = \"m\"\ncentre = [0, 6]\nradius = 1\n";
  const std::string flow = "[flow]\nkind = \"external\"\nvelocity = [1, 0]\npanels = 100\n";
  std::string with_body = kStuff;
  with_body += pier + flow + "bodies = true\n[[body]]\nmaterial = \"m\"\nradius = 1\nposition = [0, 0]\nfixed = true\n";
  const std::string with_wall =
      std::string(kStuff) + pier + flow +
      "[[wall]]\nname = \"near\"\nkind = \"circle\"\nmaterial = \"m\"\ncentre = [0, 0]\nradius = 1\n";
  InMemory<2> m(from_text(with_body));
  m.to_the_end();
  const auto walls = field_of(from_text(with_wall));
  double worst = 0;
  for (int k = 0; k < 40; ++k) {
    const Vec2 x{2.5 * std::cos(0.16 * k), 2.5 * std::sin(0.16 * k)};
    worst = std::max(worst, math::norm(m.world().flow->velocity(x) - walls->velocity(x)));
  }
  std::printf("a disk of radius 1, 6 m from a pier: its doublet is within %.2g of panels on both\n", worst);
  EXPECT_LT(worst, 0.002);
  // It does not see itself, but the pier.
  const Vec2 own = m.world().flow->velocity({0, 0});
  EXPECT_NEAR(own[0], 1 + 1.0 / 36, 0.002);
}

// ---- fields that are given

TEST(FlowParabolic, IsTheProfileOfThePipeFromItsBeginning) {
  const auto field = field_of(
      from_text(std::string(kStuff) + "[flow]\nkind = \"parabolic\"\nspeed = 0.1\nhalf_width = 0.2\nfrom = -0.1\n"));
  EXPECT_NEAR(field->velocity({0, 0})[0], 0.15, 1e-15);
  EXPECT_NEAR(field->velocity({1, 0.1})[0], 0.15 * 0.75, 1e-15);
  EXPECT_NEAR(field->velocity({-0.0999, -0.1})[0], 0.15 * 0.75, 1e-15);
  EXPECT_EQ(field->velocity({-0.1001, -0.1})[0], 0.1);
  EXPECT_EQ(field->velocity({0, 0.21})[0], 0);
  const auto round =
      scene::build<3>(from_text("dimension = 3\n[time]\nend = 1\nstep = 0.01\n[[material]]\nname = \"m\"\n"
                                "density = 1\nstiffness = 1\n[[contact]]\nrestitution = 0.5\n[[body]]\n"
                                "material = \"m\"\nradius = 0.1\nposition = [0, 0, 0]\n[flow]\nkind = "
                                "\"parabolic\"\nspeed = 3\nhalf_width = 2\naxis = [0, 0, 5]\n"
                                "point = [1, 0, 0]\n"))
          .world.flow;
  EXPECT_NEAR(round->velocity({1, 0, 7})[2], 6, 1e-15);
  EXPECT_NEAR(round->velocity({1, 1, 7})[2], 6 * 0.75, 1e-15);
  EXPECT_EQ(round->velocity({1, 1, 7})[0], 0);
}

TEST(FlowTable, IsLinearBetweenItsNodesInAnyOrderOfRows) {
  const moraine::testing::Folder folder;
  std::ofstream out(folder / "wind.csv");
  out << "y,x,uy,ux\n";
  for (const double y : {1.0, -1.0, 0.0}) {
    for (const double x : {0.0, 4.0, 2.0, 6.0}) out << y << "," << x << "," << x * y << "," << 2 * x + y << "\n";
  }
  out.close();
  const auto load = [&](const char* outside) {
    return field_of(scene::load_scene_text(
        std::string(kStuff) + "[flow]\nkind = \"table\"\nfile = \"wind.csv\"\noutside = \"" + outside + "\"\n",
        "test.toml", folder.path(), {}));
  };
  const auto field = load("error");
  EXPECT_NEAR(field->velocity({3, 0.5})[0], 6.5, 1e-14);
  EXPECT_NEAR(field->velocity({3, 0.5})[1], 1.5, 1e-14);
  EXPECT_NEAR(field->velocity({6, 1})[0], 13, 1e-14);
  EXPECT_THROW(field->velocity({6.1, 0}), base::RunError);
  EXPECT_NEAR(load("nearest")->velocity({7, 0.25})[0], 12.25, 1e-14);
}

// m v' = 1/2 rho C_D 2 R (u - v) |u - v| with u of place and time, beside an integration of its own.
TEST(FlowFormula, CarriesABodyAlong) {
  std::string text = kStuff;
  text +=
      "[flow]\nkind = \"formula\"\nux = \"0.5 * cos(t)\"\nuy = \"0.3 - 0.1 * y\"\n"
      "[[load]]\nkind = \"stream\"\ndensity = 1000\ndrag_coefficient = 5\n[[probe]]\nkind = \"bodies\"\nids = [0]\n";
  InMemory<2> m(from_text(text, {"body.0.position=[0, 0]", "time.end=2", "time.step=1e-4"}));
  m.to_the_end();
  const auto& last = m.rows.at("bodies").back();
  const double k = 0.5 * 1000 * 5 * 0.02 / (M_PI * 1e-4 * 1000), h = 1e-5;
  Vec2 x{}, v{};
  const auto pull = [&](const Vec2& at, const Vec2& speed, double t) {
    const Vec2 past = Vec2{0.5 * std::cos(t), 0.3 - 0.1 * at[1]} - speed;
    return past * (k * math::norm(past));
  };
  for (int n = 0; n < 200000; ++n) {  // midpoint rule
    const Vec2 middle = v + pull(x, v, n * h) * (0.5 * h), there = x + v * (0.5 * h);
    v += pull(there, middle, (n + 0.5) * h) * h;
    x += middle * h;
  }
  for (std::size_t c = 0; c < 2; ++c) {
    EXPECT_NEAR(last[1 + c], x[static_cast<int>(c)], 2e-5);
    EXPECT_NEAR(last[3 + c], v[static_cast<int>(c)], 2e-5);
  }
}

}  // namespace
