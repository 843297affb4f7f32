// SPDX-License-Identifier: MIT
// The input format of Sun's pipe program: its printed example, every kind of mistake, and the scene made from it.
#include <gtest/gtest.h>
#include <toml++/toml.h>

#include "base/error.hpp"
#include "foreign/pipe_input.hpp"
#include "foreign/pipe_scene.hpp"
#include "io_samples.hpp"
#include "scene/build.hpp"
#include "scene/load.hpp"

namespace moraine::foreign {
namespace {

using io::testing::error_of;
using io::testing::expect_contains;

const std::filesystem::path kExample = std::filesystem::path(MORAINE_SOURCE_DIR) / "tests/data/pipe.inp";

const std::string kSmall =
    "REM small\n"                            // 1
    "PARA\n"                                 // 2
    "0 100 2 1e-5 4 0 2.5 0 0.5 0.2 1e-5\n"  // 3
    "END PARA\n"                             // 4
    "RAND\n"                                 // 5
    "1 7 0.2 0.1 0.02\n"                     // 6
    "END RAND\n"                             // 7
    "DISK\n"                                 // 8
    "1 3.37 -21 -12 5 0\n"                   // 9
    "2 3.32 -28.5 -4 4 0.5\n"                // 10
    "END DISK\n"                             // 11
    "ROOT\n"                                 // 12
    "1 180 -20 -200\n"                       // 13
    "END ROOT\n";                            // 14

std::string replaced(std::string text, const std::string& what, const std::string& with) {
  const auto at = text.find(what);
  EXPECT_NE(at, std::string::npos) << what;
  return at == std::string::npos ? text : text.replace(at, what.size(), with);
}

std::string mistake(const std::string& text) {
  return error_of<base::InputError>([&] { read_pipe_text(text, "p.inp"); });
}

TEST(ForeignPipe, ThePrintedExampleIsRead) {
  const PipeInput in = read_pipe_input(kExample);
  ASSERT_EQ(in.disks.size(), 31U);
  ASSERT_EQ(in.circles.size(), 72U);
  EXPECT_EQ(in.begin, 0);
  EXPECT_EQ(in.end, 500);
  EXPECT_EQ(in.interval, 1);
  EXPECT_EQ(in.least_step, 0.00005);
  EXPECT_EQ(in.stream_x, 5);
  EXPECT_EQ(in.stream_y, 0);
  EXPECT_EQ(in.thickness, 2.5);
  EXPECT_EQ(in.most_force, 0);
  EXPECT_EQ(in.restitution, 0.7);
  EXPECT_EQ(in.friction, 0.3);
  EXPECT_EQ(in.tolerance, 0.00001);
  EXPECT_TRUE(in.random);
  EXPECT_EQ(in.seed, 2);
  EXPECT_EQ(in.radius_width, 0);
  EXPECT_EQ(in.x_width, 0.1);
  EXPECT_EQ(in.y_width, 0.02);
  EXPECT_EQ(in.disks[24].radius, 3.28);
  EXPECT_EQ(in.disks[24].x, -58.5);
  EXPECT_EQ(in.disks[24].y, 0);
  EXPECT_EQ(in.circles[0].radius, 180);
  EXPECT_EQ(in.circles[71].x, 175);
  EXPECT_EQ(in.circles[71].y, 23);
  // Sums over the printed columns: a digit typed wrongly would show.
  double radii = 0, x = 0, y = 0, wall_radii = 0, wall_x = 0, wall_y = 0;
  for (const PipeDisk& d : in.disks) {
    radii += d.radius;
    x += d.x;
    y += d.y;
    EXPECT_EQ(d.vx, 5);
    EXPECT_EQ(d.vy, 0);
  }
  for (const PipeCircle& c : in.circles) {
    wall_radii += c.radius;
    wall_x += c.x;
    wall_y += c.y;
  }
  EXPECT_NEAR(radii, 104.21, 1e-9);
  EXPECT_NEAR(x, -1348.5, 1e-9);
  EXPECT_NEAR(y, 0, 1e-9);
  EXPECT_NEAR(wall_radii, 980, 1e-9);
  EXPECT_NEAR(wall_x, 6260, 1e-9);
  EXPECT_NEAR(wall_y, 0, 1e-9) << "the walls are symmetric";
  for (std::size_t i = 0; i < in.circles.size(); i += 2) {
    EXPECT_EQ(in.circles[i].radius, in.circles[i + 1].radius);
    EXPECT_EQ(in.circles[i].x, in.circles[i + 1].x);
    EXPECT_EQ(in.circles[i].y, -in.circles[i + 1].y);
  }
}

TEST(ForeignPipe, FormsThatFortranTakesAreTaken) {
  const PipeInput in = read_pipe_text(kSmall, "p.inp");
  EXPECT_EQ(in.disks[1].vy, 0.5);
  EXPECT_EQ(in.disks[1].line, 10);
  EXPECT_EQ(in.para_line, 3);
  const PipeInput same =
      read_pipe_text(replaced(replaced(kSmall, "1e-5 4", "1.0D-5, +4."), "END PARA", "END"), "p.inp");
  EXPECT_EQ(same.least_step, 1e-5);
  EXPECT_EQ(same.stream_x, 4);
  EXPECT_EQ(read_pipe_text(replaced(kSmall, "RAND\n1 7 0.2 0.1 0.02\nEND RAND\n", ""), "p.inp").rand_line, 0);
  EXPECT_TRUE(read_pipe_text(kSmall.substr(0, kSmall.find("ROOT")), "p.inp").circles.empty());
  EXPECT_FALSE(read_pipe_text(replaced(kSmall, "1 7", "0 7"), "p.inp").random);
  std::string windows;
  for (const char c : kSmall) windows += c == '\n' ? std::string("\r\n") : std::string(1, c);
  EXPECT_EQ(read_pipe_text(windows, "p.inp").disks.size(), 2U);
}

TEST(ForeignPipe, MistakesAreToldWithTheirLine) {
  EXPECT_EQ(mistake(replaced(kSmall, " 0.2 1e-5", " 0.2")),
            "p.inp:3: 10 numbers, but a line of PARA has 11: X0, XEND, XIN, DH, VX, VY, TH, FMAX, E, U, TOL");
  EXPECT_EQ(mistake(replaced(kSmall, "5 0\n", "5\n")),
            "p.inp:9: 5 numbers, but a line of DISK has 6: I, R, X, Y, VX, VY");
  EXPECT_EQ(mistake(replaced(kSmall, "-200", "-200 1")), "p.inp:13: 5 numbers, but a line of ROOT has 4: I, R, X, Y");
  EXPECT_EQ(mistake(replaced(kSmall, "2 3.32", "3 3.32")),
            "p.inp:10: disk 3 stands where disk 2 belongs: they are numbered 1, 2, 3... in this order");
  EXPECT_EQ(mistake(replaced(kSmall, "1 180", "1.5 180")),
            "p.inp:13: circle 1.5 stands where circle 1 belongs: they are numbered 1, 2, 3... in this order");
  EXPECT_EQ(mistake(replaced(kSmall, "3.37", "3,3l")).substr(0, 43), "p.inp:9: '3l' is not a number, for X of DIS");
  EXPECT_EQ(mistake(replaced(kSmall, "3.37", "nan")), "p.inp:9: 'nan' is not a number, for R of DISK");
  EXPECT_EQ(mistake(replaced(kSmall, "END ROOT\n", "")), "p.inp:12: the ROOT block has no END");
  EXPECT_EQ(mistake(replaced(kSmall, "END RAND\n", "")),
            "p.inp:7: DISK begins before the RAND block of line 5 has its END");
  EXPECT_EQ(mistake(replaced(kSmall, "END RAND", "END PARA")), "p.inp:7: END PARA ends a RAND block");
  expect_contains(mistake(replaced(kSmall, "\nDISK", "\nDISKS")),
                  "p.inp:8: 'DISKS' is not a block; there is 'PARA', 'RAND', 'DISK', 'ROOT', and REM for remarks; did "
                  "you mean 'DISK'?");
  EXPECT_EQ(mistake(kSmall + "RAND\n"), "p.inp:15: 'RAND' stands after END ROOT, where the program stops reading");
  expect_contains(mistake(replaced(kSmall, "ROOT\n", "RAND\n1 7 0.2 0.1 0.02\nEND RAND\nROOT\n")),
                  "p.inp:12: a second RAND block; there is one of each");
  expect_contains(mistake("REM\n"), "has no PARA block");
  expect_contains(mistake(""), "has no DISK block");
  EXPECT_EQ(mistake(replaced(kSmall, "3.37", "-3.37")), "p.inp:9: R is -3.37: a radius is > 0");
  EXPECT_EQ(mistake(replaced(kSmall, "0.2 0.1", "6.7 0.1")),
            "p.inp:10: R is 3.32, but RI = 6.7 may take half of that away");
  EXPECT_EQ(mistake(replaced(kSmall, "1e-5 4", "1e-5 -4")),
            "p.inp:3: VX is -4: it must be > 0, as a batch follows every 50 cm / VX");
  EXPECT_EQ(mistake(replaced(kSmall, " 4 0 ", " 4 1 ")),
            "p.inp:3: VY is 1: a stream across the pipe cannot be imported, only 0");
  EXPECT_EQ(mistake(replaced(kSmall, "0 100", "0 -1")), "p.inp:3: XEND is -1: it must be above X0 = 0");
  EXPECT_EQ(mistake(replaced(kSmall, "0.5 0.2", "1.5 0.2")), "p.inp:3: E is 1.5: it must be >= 0 and <= 1");
  EXPECT_EQ(mistake(replaced(kSmall, "1 7 ", "1 7.5 ")), "p.inp:6: ISEED is 7.5, but a whole number is needed");
  expect_contains(mistake(std::string("PARA\0", 5)), "zero byte");
  // All at once.
  const std::string many = mistake(replaced(replaced(kSmall, "2 3.32", "3 3.32"), "1 180", "x 180"));
  EXPECT_EQ(std::count(many.begin(), many.end(), '\n'), 1) << many;
}

// Many blocks that begin within each other are read one after the other, and not all mistakes are told.
TEST(ForeignPipe, ManyBlocksWithoutAnEnd) {
  std::string text;
  for (int k = 0; k < 200000; ++k) text += "DISK\n";
  const std::string told = mistake(text);
  EXPECT_LT(std::count(told.begin(), told.end(), '\n'), 110);
  expect_contains(told, "further mistakes are not told");
}

// ---- the scene ----

TEST(ForeignPipe, WhatTheSceneRefusesIsRefused) {
  const auto refusal = [](const std::string& text) {
    return error_of<base::InputError>([&] { pipe_scene(read_pipe_text(text, "p.inp"), "p.inp"); });
  };
  expect_contains(mistake(replaced(kSmall, "0 100 2", "-1e308 1e308 2")), "p.inp:3: XEND is 1e+308");
  expect_contains(refusal(replaced(kSmall, "1 3.37", "1 1e-300")), "p.inp:");
  expect_contains(refusal(replaced(kSmall, "2 3.32 -28.5 -4", "2 3.32 -21.5 -11")),
                  "p.inp:10: makes a scene that cannot be run: inlet[0].points[1]: overlaps with points[0]");
  // A name may hold anything, a remark of a scene not.
  const std::string odd = pipe_scene(read_pipe_text(kSmall, "p.inp"), "a\nb = 1\r.inp");
  EXPECT_EQ(odd.find("\nb = 1"), std::string::npos);
  EXPECT_NO_THROW((void)toml::parse(odd));
}

toml::table scene_of(const std::string& text) {
  return toml::parse(pipe_scene(read_pipe_text(text, "p.inp"), "p.inp"));
}

std::vector<double> numbers(const toml::node_view<toml::node>& node) {
  std::vector<double> out;
  for (const toml::node& item : *node.as_array()) out.push_back(*item.value<double>());
  return out;
}

using List = std::vector<double>;

TEST(ForeignPipe, TheSceneHasWhatTheFileAndTheProgramSay) {
  toml::table s = scene_of(kSmall);
  EXPECT_EQ(s["dimension"], 2);
  EXPECT_EQ(s["method"], "hard");
  EXPECT_EQ(s["seed"], 7);
  EXPECT_EQ(s["time"]["end"], 100.0);
  EXPECT_EQ(s["hard"]["impact_speed"], 0.001);
  EXPECT_EQ(s["material"][0]["name"], "disk");
  EXPECT_EQ(s["material"][0]["density"], 1100.0);
  EXPECT_EQ(s["material"][1]["name"], "wall");
  for (const int k : {0, 1}) {
    EXPECT_EQ(s["contact"][k]["restitution"], 0.5);
    EXPECT_EQ(s["contact"][k]["friction"], 0.2);
  }
  EXPECT_FALSE(s["contact"][1]["between"]) << "all pairs but disk and disk";
  EXPECT_FALSE(s.contains("gravity"));
  EXPECT_EQ(s["flow"]["kind"], "parabolic");
  EXPECT_EQ(s["flow"]["speed"], 0.04);
  EXPECT_EQ(s["flow"]["half_width"], 0.2);
  EXPECT_EQ(s["flow"]["from"], -0.1);
  EXPECT_EQ(s["load"][0]["kind"], "stream");
  EXPECT_EQ(s["load"][0]["area"], "face");
  // 1/2 rho C_D = 0.05 g/cm^3.
  EXPECT_EQ(*s["load"][0]["density"].value<double>() * *s["load"][0]["drag_coefficient"].value<double>() / 2, 50.0);
  EXPECT_EQ(s["load"][0]["shadow"], true);
  EXPECT_EQ(s["load"][0]["shadow_least"], 0.1);
  EXPECT_EQ(s["load"][0]["shadow_reach"], 1.0001);
  EXPECT_EQ(s["load"][0]["components"], true);
  const auto inlet = s["inlet"][0];
  EXPECT_EQ(inlet["kind"], "batch");
  EXPECT_EQ(inlet["mass"], "sphere");
  EXPECT_EQ(inlet["every"], 12.5);
  EXPECT_EQ(inlet["without_room"], "wait");
  EXPECT_EQ(numbers(inlet["jitter"]), (List{0.001, 0.0002}));
  EXPECT_EQ(inlet["radius_jitter"], 0.002);
  ASSERT_EQ(inlet["points"].as_array()->size(), 2U);
  EXPECT_EQ(numbers(inlet["points"][0]), (List{-0.21, -0.12}));
  EXPECT_EQ(numbers(inlet["radii"])[0], 0.0337);
  EXPECT_EQ(numbers(inlet["velocities"][1]), (List{0.04, 0.005}));
  EXPECT_FALSE(inlet["velocity"]);
  EXPECT_EQ(numbers(s["outlet"][0]["at"]), (List{1.5, 0}));
  EXPECT_EQ(s["probe"][0]["kind"], "jam");
  EXPECT_EQ(s["probe"][0]["stop"], true);
  ASSERT_EQ(s["body"].as_array()->size(), 1U);
  EXPECT_EQ(numbers(s["body"][0]["position"]), (List{-0.2, -2.0}));
  EXPECT_EQ(s["body"][0]["radius"], 1.8);
  EXPECT_EQ(s["body"][0]["material"], "wall");
  EXPECT_EQ(s["body"][0]["fixed"], true);
  EXPECT_EQ(s["output"]["every"], 2.0);
}

TEST(ForeignPipe, TheSceneOfThePrintedExample) {
  toml::table s = toml::parse(pipe_scene(read_pipe_input(kExample), "pipe.inp"));
  EXPECT_EQ(s["inlet"][0]["points"].as_array()->size(), 31U);
  EXPECT_EQ(s["body"].as_array()->size(), 72U);
  EXPECT_EQ(s["inlet"][0]["every"], 10.0);
  EXPECT_EQ(numbers(s["inlet"][0]["velocity"]), (List{0.05, 0})) << "one for all";
  EXPECT_FALSE(s["inlet"][0]["velocities"]);
  EXPECT_EQ(s["time"]["end"], 500.0);
  const double steps = 500 / *s["hard"]["step"].value<double>();
  EXPECT_NEAR(steps, std::round(steps), 1e-6) << "the run ends with XEND";
  EXPECT_EQ(s["flow"]["speed"], 0.05);
}

// The text without the tables of that name.
std::string without(const std::string& scene, const std::vector<std::string>& tables) {
  std::string out;
  bool skip = false;
  std::istringstream lines(scene);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("[")) {
      skip = std::any_of(tables.begin(), tables.end(), [&](const std::string& t) { return line.starts_with(t); });
    }
    if (!skip) out += line + "\n";
  }
  return out;
}

// Its walls overlap each other, as they may.
TEST(ForeignPipe, WallsAndContactsOfThePrintedExampleAreAGoodScene) {
  const std::string text = without(pipe_scene(read_pipe_input(kExample), "pipe.inp"),
                                   {"[flow]", "[[inlet]]", "[[outlet]]", "[[load]]", "[[probe]]"});
  const scene::Scene scene = scene::load_scene_text(
      text + "[[body]]\nposition = [-0.3, 0]\nradius = 0.0337\nmaterial = \"disk\"\n", "pipe.toml", ".", {});
  const scene::Built<2> built = scene::build<2>(scene);
  EXPECT_EQ(built.world.bodies.size(), 73U);
  EXPECT_EQ(built.free_bodies, 1U);
}

TEST(ForeignPipe, WithoutChanceEveryBatchIsTheSame) {
  toml::table s = scene_of(replaced(kSmall, "1 7", "0 7"));
  EXPECT_FALSE(s["inlet"][0]["jitter"]);
  EXPECT_FALSE(s["inlet"][0]["radius_jitter"]);
  EXPECT_FALSE(scene_of(replaced(kSmall, "RAND\n1 7 0.2 0.1 0.02\nEND RAND\n", "")).contains("seed"));
  EXPECT_EQ(scene_of(replaced(kSmall, "0 100", "20 100"))["time"]["end"], 80.0) << "its clock begins at X0";
}

TEST(ForeignPipe, CommentsNameTheLines) {
  const std::string scene = pipe_scene(read_pipe_text(kSmall, "p.inp"), "p.inp");
  for (const char* part :
       {"end = 100.0  # line 3: XEND", "seed = 7  # line 6: ISEED", "[-0.285, -0.04],  # line 10: disk 2",
        "[[body]]  # line 13: circle 1", "#   DH = 1e-05 s (line 3)", "#   TOL", "#   FMAX", "#   TH = 2.5 cm"})
    expect_contains(scene, part);
}

}  // namespace
}  // namespace moraine::foreign
