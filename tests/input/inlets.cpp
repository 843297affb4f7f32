// SPDX-License-Identifier: MIT
// Mistakes in [[inlet]], [[outlet]] and the probes of traffic: one at a time, each told with its line, key, value and
// what is allowed; nothing is written.
#include <gtest/gtest.h>

#include "support/mistake.hpp"

using namespace moraine::testing;

namespace {

struct InletMistake {
  const char* name;
  std::string from, to;  // a line of the sound scene, and what stands there instead
  std::string line;      // the line that must be named
  std::vector<std::string> parts;
};
void PrintTo(const InletMistake& m, std::ostream* out) { *out << m.name; }

const std::string kStream = R"(dimension = 2

[time]
end = 0.1

[domain]
min = [-5, -5]
max = [50, 25]

[[material]]
name = "ice"
density = 900
stiffness = 1e6

[[contact]]
restitution = 0.4

[[wall]]
name = "bank"
material = "ice"
from = [0, 0]
to = [40, 0]

[[inlet]]
name = "floes"
material = "ice"
line = [[0, 1], [0, 20]]
velocity = [1, 0]
surface_density = 0.2
size = { kind = "gaussian", mean = 0.5, deviation = 0.1, min = 0.3, max = 0.7 }

[[outlet]]
name = "end"
at = [40, 0]
direction = [1, 0]

[[probe]]
kind = "jam"
)";

class Inlets : public ::testing::TestWithParam<InletMistake> {};

TEST(Inlets, TheSoundSceneRuns) {
  const Folder folder;
  put(folder / "scene.toml", kStream);
  EXPECT_TRUE(ended_with(run_moraine({"run", "scene.toml", "--quiet"}, folder.path()), 0));
}

TEST_P(Inlets, AreRefusedAndExplained) {
  const auto& [name, from, to, line, mentioned] = GetParam();
  expect_refused(Folder(), replaced(kStream, from, to), line, mentioned);
}

const std::string kLine = "line = [[0, 1], [0, 20]]", kDensity = "surface_density = 0.2";
const std::string kSize = "size = { kind = \"gaussian\", mean = 0.5, deviation = 0.1, min = 0.3, max = 0.7 }";

INSTANTIATE_TEST_SUITE_P(
    Input, Inlets,
    ::testing::Values(
        InletMistake{"inside_a_wall",
                     kLine,
                     "line = [[1, 0], [1, 0.25]]",
                     "line = [[1, 0], [1, 0.25]]",
                     {"inlet[0].line", "lies in walls", "0.3 m"}},
        InletMistake{"too_narrow",
                     kLine,
                     "line = [[0, 0], [0, 0.4]]",
                     "line = [[0, 0], [0, 0.4]]",
                     {"inlet[0].line", "no place", "0.7 m"}},
        InletMistake{"outside",
                     kLine,
                     "line = [[0, 1], [0, 30]]",
                     "line = [[0, 1], [0, 30]]",
                     {"inlet[0].line", "[0, 30]", "outside the domain"}},
        InletMistake{"denser_than_packed",
                     kDensity,
                     "surface_density = 0.95",
                     "surface_density = 0.95",
                     {"inlet[0].surface_density", "0.95", "0.9069"}},
        InletMistake{"stands_still",
                     "velocity = [1, 0]",
                     "velocity = [0, 1]",
                     kDensity,
                     {"inlet[0].surface_density", "velocity across the line is zero"}},
        InletMistake{"two_rates", kDensity, kDensity + "\nrate = 2.0", "[[inlet]]", {"inlet[0]", "two of 'rate'"}},
        InletMistake{"no_rate", kDensity, "", "[[inlet]]", {"inlet[0]", "none of 'rate'"}},
        InletMistake{"wait_below_the_mean",
                     kDensity,
                     "rate = 0.5\nlongest_wait = 1.9",
                     "longest_wait = 1.9",
                     {"inlet[0].longest_wait", "1.9 s", "1/rate = 2 s"}},
        InletMistake{
            "same_name",
            "[[outlet]]",
            "[[inlet]]\nname = \"floes\"   # again\nmaterial = \"ice\"\n" +
                std::string(
                    "line = [[0, 1], [0, 19]]\nvelocity = [1, 0]\nrate = 1.0\nsize = { radius = 0.3 }\n[[outlet]]"),
            "name = \"floes\"   # again",
            {"inlet[1].name", "already an inlet \"floes\""}},
        InletMistake{"material",
                     "material = \"ice\"\nline",
                     "material = \"icee\"\nline",
                     "material = \"icee\"",
                     {"inlet[0].material", "icee", "ice"}},
        InletMistake{"sizes_reversed",
                     kSize,
                     "size = { kind = \"uniform\", min = 0.7, max = 0.3 }",
                     "size = { kind = \"uniform\", min = 0.7, max = 0.3 }",
                     {"inlet[0].size.max", "0.3 m", "0.7 m"}},
        InletMistake{"bell_far_off",
                     kSize,
                     "size = { kind = \"gaussian\", mean = 5, deviation = 0.1, min = 0.3, max = 0.7 }",
                     "size = { kind = \"gaussian\", mean = 5, deviation = 0.1, min = 0.3, max = 0.7 }",
                     {"inlet[0].size.mean", "nothing is left"}},
        InletMistake{"weights",
                     kSize,
                     "size = { kind = \"table\", values = [0.3, 0.4], weights = [1] }",
                     "size = { kind = \"table\", values = [0.3, 0.4], weights = [1] }",
                     {"inlet[0].size.weights", "1 numbers", "2"}},
        InletMistake{"no_flow",
                     "velocity = [1, 0]",
                     "with_flow = true",
                     "with_flow = true",
                     {"inlet[0].with_flow", "no [flow]"}},
        InletMistake{"patch_in_2d",
                     kLine,
                     "kind = \"patch\"\ncorner = [0, 0]\nside_a = [1, 0]\nside_b = [0, 1]",
                     kDensity,
                     {"inlet[0].surface_density"}},
        InletMistake{"outlet_direction",
                     "direction = [1, 0]",
                     "direction = [0, 0]",
                     "direction = [0, 0]",
                     {"outlet[0].direction", "zero"}},
        InletMistake{"far_too_fast",
                     kDensity,
                     "rate = 1e20",
                     "rate = 1e20",
                     {"inlet[0].rate", "1e+20 arrivals per second", "at most"}},
        InletMistake{"far_too_much_mass",
                     kDensity,
                     "mass_rate = 1e20",
                     "mass_rate = 1e20",
                     {"inlet[0].mass_rate", "arrivals per second; at most"}},
        InletMistake{"no_rate_at_all",
                     kDensity,
                     "mass_rate = 1e-320",
                     "mass_rate = 1e-320",
                     {"inlet[0].mass_rate", "arrivals per second", "above zero"}},
        InletMistake{"batches_faster_than_steps",
                     kLine + "\nvelocity = [1, 0]\n" + kDensity + "\n" + kSize,
                     "kind = \"batch\"\npoints = [[0, 5]]\nradii = [0.3]\nevery = 1e-300",
                     "every = 1e-300",
                     {"inlet[0].every", "1e-300 s", "one batch in a step"}},
        InletMistake{
            "jam_window_within_a_period",
            kLine + "\nvelocity = [1, 0]\n" + kDensity + "\n" + kSize +
                "\n\n[[outlet]]\nname = \"end\"\nat = [40, 0]\ndirection = [1, 0]\n\n[[probe]]\nkind = \"jam\"",
            "kind = \"batch\"\npoints = [[0, 5]]\nradii = [0.3]\nevery = 1\n[[probe]]\nkind = \"jam\"\nwindow = 1.5",
            "window = 1.5",
            {"probe[0].window", "1.5 s", "two periods", "2 s"}},
        InletMistake{"flow_is_wrong",  // and nothing is said of an inlet that only asks for it
                     kDensity + "\n" + kSize,
                     kDensity + "\n" + kSize + "\nwith_flow = true\n\n[flow]\nkind = \"formula\"\nux = \"1 +\"",
                     "ux = \"1 +\"",
                     {"flow.ux"}},
        InletMistake{"flow_that_changes",
                     kDensity + "\n" + kSize,
                     kDensity + "\n" + kSize + "\nwith_flow = true\n\n[flow]\nkind = \"formula\"\nux = \"1 + t\"",
                     kDensity,
                     {"inlet[0].surface_density", "change with t", "'rate'"}},
        InletMistake{"jam_inlet",
                     "kind = \"jam\"",
                     "kind = \"jam\"\ninlets = [\"floe\"]",
                     "inlets = [\"floe\"]",
                     {"probe[0].inlets[0]", "floe", "floes"}},
        InletMistake{"jam_region",
                     "kind = \"jam\"",
                     "kind = \"jam\"\nfull = 0.8",
                     "[[probe]]",
                     {"probe[0]", "'min', 'max' and 'full' go together"}}),
    [](const auto& mistake) { return std::string(mistake.param.name); });

// Obstacles that are closed all round, with and without a flow about them, and a channel.
const std::string kPier = R"(
[[wall]]
name = "a"
material = "ice"
from = [-2, 6]
to = [2, 6]
[[wall]]
name = "b"
material = "ice"
from = [2, 14]
to = [2, 6]
[[wall]]
name = "c"
material = "ice"
from = [2, 14]
to = [-2, 14]
[[wall]]
name = "d"
material = "ice"
from = [-2, 14]
to = [-2, 6]
)";

TEST(InletsInObstacles, AreRefusedBeforeAnythingElse) {
  const std::string inside = replaced(kStream, kLine, "line = [[0, 8], [0, 12]]");
  expect_refused(Folder(), inside + kPier, "line = [[0, 8], [0, 12]]",
                 {"inlet[0].line", "within wall \"a\"", "no outlet lies in it"});
  const std::string circle =
      "[[wall]]\nname = \"tank\"\nkind = \"circle\"\nmaterial = \"ice\"\ncentre = [0, 10]\nradius = 4\n";
  expect_refused(Folder(), inside + circle, "line = [[0, 8], [0, 12]]", {"inlet[0].line", "within wall \"tank\""});
  const std::string stream = "[flow]\nkind = \"external\"\nvelocity = [1, 0]\nwalls = [\"a\", \"b\", \"c\", \"d\"]\n";
  expect_refused(Folder(), inside + kPier + stream, "line = [[0, 8], [0, 12]]",
                 {"inlet[0].line", "within wall", "no fluid"});
  // With the velocity of the flow it is zero there: of that nothing is said.
  const std::string carried = replaced(inside, "velocity = [1, 0]", "with_flow = true");
  expect_refused(Folder(), carried + kPier + stream, "line = [[0, 8], [0, 12]]",
                 {"inlet[0].line", "within wall", "no fluid"});
}

// A tank that is filled, and whose outlet is in it, is none.
TEST(InletsInObstacles, TanksMayBeFilled) {
  const Folder folder;
  const std::string inside = replaced(kStream, kLine, "line = [[0, 8], [0, 12]]") + kPier;
  put(folder / "scene.toml", replaced(inside, "at = [40, 0]", "at = [1, 0]"));
  EXPECT_TRUE(ended_with(run_moraine({"check", "scene.toml"}, folder.path()), 0));
}

TEST(InletsInObstacles, OutsideAChannelIsRefused) {
  const Folder folder;
  for (const char* command : {"check", "run"}) {
    const Ended end =
        run_moraine({command, "river_ice", "--set", "inlet.0.line=[[100, -900], [100, -500]]"}, folder.path());
    EXPECT_TRUE(refused(end, {"inlet[0].line", "outside the channel", "wall \"right_1\""}));
    EXPECT_EQ(end.errors().size(), 1U) << end.told();
  }
}

TEST(Inlets, WhatLeavesAtOnceIsAWarning) {
  const Folder folder;
  const auto told = [&](const std::string& scene) {
    put(folder / "scene.toml", scene);
    const Ended end = run_moraine({"check", "scene.toml"}, folder.path());
    EXPECT_TRUE(ended_with(end, 0));
    return end.err;
  };
  EXPECT_EQ(told(kStream), "");
  const std::string behind = told(replaced(kStream, "at = [40, 0]", "at = [-1, 0]"));
  EXPECT_TRUE(contains(behind, "inlet[0]: lies beyond the outlet \"end\": all that arrives leaves at once")) << behind;
  const std::string away =
      told(replaced(replaced(kStream, kLine, "line = [[-5, 1], [-5, 20]]"), "velocity = [1, 0]", "velocity = [-1, 0]"));
  EXPECT_TRUE(contains(away, "inlet[0]: moves out of the domain at x = -5: all that arrives")) << away;
}

TEST(Inlets, BelowTheFloorIsAWarning) {
  const Folder folder;
  EXPECT_FALSE(contains(run_moraine({"check", "chute_bin"}, folder.path()).err, "warning"));
  const Ended below =
      run_moraine({"check", "chute_bin", "--set", "inlet.0.line=[[0.5, -0.5], [0.6, -0.6]]"}, folder.path());
  EXPECT_TRUE(contains(below.err, "inlet[0]: nothing lies below: what arrives falls out of the domain"))
      << below.told();
}

TEST(Inlets, APipeIsToldWhatItsGrainsCannotBe) {
  const Folder folder;
  const Ended wide = run_moraine({"check", "pipe_jam", "--set", "setup.diameter=0.4"}, folder.path());
  EXPECT_TRUE(refused(wide, {"setup.diameter", "do not fit", "0.4 m wide"}));
  const Ended thin = run_moraine({"check", "pipe_jam", "--set", "setup.density=0.001"}, folder.path());
  EXPECT_TRUE(ended_with(thin, 0));
  EXPECT_TRUE(contains(thin.err, "setup.density = 0.001 is not met by whole grains")) << thin.told();
  EXPECT_FALSE(contains(run_moraine({"check", "pipe_jam"}, folder.path()).err, "warning"));
}

}  // namespace
