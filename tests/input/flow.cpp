// SPDX-License-Identifier: MIT
// Mistakes in [flow], its loads and its probes: one at a time, each told with its line, key, value and what is allowed.
#include <gtest/gtest.h>

#include "support/mistake.hpp"

using namespace moraine::testing;

namespace {

struct FlowMistake {
  const char* name;
  std::string scene;
  std::string line;  // the line that must be named
  std::vector<std::string> parts;
};
void PrintTo(const FlowMistake& m, std::ostream* out) { *out << m.name; }

class Flow : public ::testing::TestWithParam<FlowMistake> {};

TEST_P(Flow, IsRefusedAndExplained) {
  const auto& [name, scene, line, mentioned] = GetParam();
  const Folder folder;
  put(folder / "gaps.csv", "x,y,ux,uy\n0,0,1,0\n1,0,1,0\n0,1,1,0\n");
  put(folder / "uneven.csv", "x,y,ux,uy\n0,0,1,0\n1,0,1,0\n3,0,1,0\n0,1,1,0\n1,1,1,0\n3,1,1,0\n");
  put(folder / "short.csv", "x,y,ux\n0,0,1\n1,0,1\n0,1,1\n1,1,1\n");
  expect_refused(folder, scene, line, mentioned);
}

const std::string kStart =
    kHead + kRock + kContact + "[[body]]\nposition = [2, 0.5]\nradius = 0.1\nmaterial = \"rock\"\n";

std::string wall(const std::string& name, const std::string& keys) {
  return "[[wall]]\nname = \"" + name + "\"\nmaterial = \"rock\"\n" + keys + "\n";
}
std::string end(const std::string& from, const std::string& to, const std::string& speed) {
  return "[[flow.end]]\nfrom = " + from + "\nto = " + to + "\n" + (speed.empty() ? "" : "speed = " + speed + "\n");
}

const std::string kLow = wall("low", "from = [0, 0]\nto = [4, 0]"), kHigh = wall("high", "from = [0, 1]\nto = [4, 1]");
const std::string kIn = end("[0, 0]", "[0, 1]", "1"), kOut = end("[4, 0]", "[4, 1]", "");
const std::string kChannel = "[flow]\nkind = \"channel\"\n";
const std::string kStream = "[flow]\nkind = \"external\"\nvelocity = [1, 0]\n";

std::vector<FlowMistake> flows() {
  return {
      {"AHoleInAChannel",
       kStart + kLow + wall("high", "from = [0, 1]\nto = [3.9, 1]") + kChannel + kIn + kOut,
       "from = [0, 1]\nto = [3.9",
       {"wall[1].from", "hole", "\"high\"", "0.1 m away", "(4, 1)", "[[flow.end]]"}},
      {"EndsThatDoNotBalance",
       kStart + kLow + kHigh + kChannel + kIn + end("[4, 0]", "[4, 1]", "-0.8 # out"),
       "speed = -0.8",
       {"flow.end[1].speed", "do not balance", "1 m^2/s", "0.8 m^2/s", "leave out"}},
      {"TwoEndsLeftOpen",
       kStart + kLow + kHigh + kChannel + end("[0, 0]", "[0, 1]", "") +
           end("[4, 0]", "[4, 1]", "").replace(0, 12, "[[flow.end]] # two"),
       "[[flow.end]] # two",
       {"flow.end[1]", "only one"}},
      {"NoEnds", kStart + kLow + kHigh + kChannel, "[flow]", {"flow", "open ends", "are 0"}},
      {"OneEnd", kStart + kLow + kHigh + kChannel + kIn, "[flow]", {"flow", "open ends", "is 1"}},
      {"NoWalls", kStart + kStream, "kind = \"external\"", {"flow.kind", "about walls", "none"}},
      {"WallsThatCross",
       kStart + kLow + kHigh + wall("pier", "from = [1, -0.5]\nto = [1, 0.5]") + kChannel + kIn + kOut,
       "from = [1, -0.5]",
       {"wall[2].from", "\"pier\"", "crosses", "\"low\"", "(1, 0)"}},
      {"AnObstacleThatIsOpen",
       kStart + wall("plate", "from = [0, 0]\nto = [1, 0]") + wall("back", "from = [1, 0]\nto = [0, 1]") +
           wall("front", "from = [0, 1]\nto = [0, 0.1]") + kStream,
       "from = [0, 0]\nto = [1, 0]",
       {"wall[0].from", "hole", "\"plate\"", "\"front\"", "0.1 m away", "closed all round"}},
      {"NothingFlows",
       kStart + kLow + kHigh + kChannel + end("[0, 0]", "[0, 1]", "0") + kOut,
       "[flow]",
       {"flow", "nothing flows"}},
      {"ACircleThroughAWall",
       kStart + kLow + kHigh + wall("pier", "kind = \"circle\"\ncentre = [1, 0.1]\nradius = 0.2") + kChannel + kIn +
           kOut,
       "centre = [1, 0.1]",
       {"wall[2].centre", "\"pier\"", "crosses", "\"low\""}},
      {"AWallOfAnotherName",
       kStart + kLow + kHigh + kChannel + "walls = [\"low\", \"hihg\"]\n" + kIn + kOut,
       "walls = ",
       {"flow.walls[1]", "\"hihg\"", "did you mean 'high'"}},
      {"AWallTwice",
       kStart + kLow + kHigh + kChannel + "walls = [\"low\", \"high\", \"low\"]\n" + kIn + kOut,
       "walls = ",
       {"flow.walls[2]", "\"low\"", "twice"}},
      {"AWallThatIsTakenAway",
       kStart + kLow + wall("high", "from = [0, 1]\nto = [4, 1]\nuntil = 0.005") + kChannel + kIn + kOut,
       "until = ",
       {"wall[1].until", "taken away", "flow.walls"}},
      {"AGridWhereWallsMove",
       kStart + wall("pier", "kind = \"circle\"\ncentre = [0, 0]\nradius = 1\nmotion = [{velocity = [1, 0]}]") +
           kStream + "sampling = \"grid\"\n",
       "sampling = ",
       {"flow.sampling", "grid", "\"pier\"", "moves"}},
      {"PanelsIn3D",
       "dimension = 3\n[time]\nend = 0.01\n" + kRock + kContact +
           "[[body]]\nposition = [0, 0, 0.5]\nradius = 0.1\nmaterial = \"rock\"\n"
           "[flow]\nkind = \"external\"\nvelocity = [1, 0, 0]\n",
       "kind = \"external\"",
       {"flow.kind", "2D", "parabolic"}},
      {"NoKind", kStart + "[flow]\nvelocity = [1, 0]\n", "[flow]", {"flow.kind", "missing", "'channel'"}},
      {"NoFormula", kStart + "[flow]\nkind = \"formula\"\n", "[flow]", {"flow", "no formula", "ux"}},
      {"FormulaOfVelocity",
       kStart + "[flow]\nkind = \"formula\"\nux = \"1 + vx\"\n",
       "ux = ",
       {"flow.ux", "'vx'", "character 5"}},
      {"FormulaAlongZInThePlane", kStart + "[flow]\nkind = \"formula\"\nuz = \"1\"\n", "uz = ", {"flow.uz", "3D"}},
      {"ProfileAlongNothing",
       kStart + "[flow]\nkind = \"parabolic\"\nspeed = 1\nhalf_width = 1\naxis = [0, 0]\n",
       "axis = ",
       {"flow.axis", "zero"}},
      {"TableThatIsNotThere",
       kStart + "[flow]\nkind = \"table\"\nfile = \"none.csv\"\n",
       "file = ",
       {"flow.file", "none.csv"}},
      {"TableWithGaps",
       kStart + "[flow]\nkind = \"table\"\nfile = \"gaps.csv\"\n",
       "file = ",
       {"flow.file", "3 rows", "4 nodes"}},
      {"TableThatIsNotRegular",
       kStart + "[flow]\nkind = \"table\"\nfile = \"uneven.csv\"\n",
       "file = ",
       {"flow.file", "not regular along x"}},
      {"TableWithoutAColumn",
       kStart + "[flow]\nkind = \"table\"\nfile = \"short.csv\"\n",
       "file = ",
       {"flow.file", "'uy'", "'ux'"}},
  };
}

std::string load(const std::string& keys) { return kStart + "[[load]]\nkind = \"stream\"\ndensity = 1000\n" + keys; }

std::vector<FlowMistake> parts() {
  return {
      {"ReynoldsWithoutViscosity",
       load("drag_law = \"schiller-naumann\"\n"),
       "drag_law = ",
       {"load[0].drag_law", "kinematic_viscosity"}},
      {"NoDragFormula",
       load("drag_law = \"formula\"\nkinematic_viscosity = 1e-6\n"),
       "drag_law = ",
       {"load[0].drag_law", "drag_formula", "Re"}},
      {"DragFormulaOfSomethingElse",
       load("drag_law = \"formula\"\nkinematic_viscosity = 1e-6\ndrag_formula = \"24 / re\"\n"),
       "drag_formula = ",
       {"load[0].drag_formula", "'re'", "'Re'"}},
      {"DragFormulaOfAConstant",
       load("drag_coefficient = 1\ndrag_formula = \"24 / Re\"\n"),
       "drag_formula = ",
       {"load[0].drag_formula", "constant"}},
      {"DepthOfAFace",
       load("drag_coefficient = 1\narea = \"face\"\ndepth = 0.1\n"),
       "depth = ",
       {"load[0].depth", "section"}},
      {"BuoyancyWithoutGravity",
       kStart + "[[load]]\nkind = \"buoyancy\"\ndensity = 1000\n",
       "kind = \"buoyancy\"",
       {"load[0].kind", "[gravity]"}},
      {"ProbeOfNoFlow", kStart + "[[probe]]\nkind = \"flow\"\n", "kind = ", {"probe[0].kind", "[flow]"}},
      {"ProbeOfAFlowWithoutPanels",
       kStart + "[flow]\nkind = \"uniform\"\nvelocity = [1, 0]\n[[probe]]\nkind = \"flow\"\n",
       "kind = \"flow\"",
       {"probe[0].kind", "panels", "\"uniform\""}},
      {"SectionWithoutLength",
       kStart +
           "[flow]\nkind = \"uniform\"\nvelocity = [1, 0]\n[[probe]]\nkind = \"section\"\nfrom = [1, 2]\nto = [1, 2]\n",
       "to = [1, 2]",
       {"probe[0].to", "no length"}},
  };
}

INSTANTIATE_TEST_SUITE_P(Mistakes, Flow, ::testing::ValuesIn(flows()), [](const auto& i) { return i.param.name; });
INSTANTIATE_TEST_SUITE_P(MistakesOfParts, Flow, ::testing::ValuesIn(parts()),
                         [](const auto& i) { return i.param.name; });

// A scene for the library has its stream from a program.
TEST(FlowOfAProgram, IsMissedByTheRun) {
  const Folder folder;
  put(folder / "scene.toml", kStart + "[flow]\nkind = \"callback\"\n");
  const Ended end = run_moraine({"run", "scene.toml", "--quiet"}, folder.path());
  EXPECT_TRUE(ended_with(end, 3));
  EXPECT_TRUE(contains(end.err, "set_flow")) << end.err;
}

}  // namespace
