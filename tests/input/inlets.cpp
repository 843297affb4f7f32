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

}  // namespace
