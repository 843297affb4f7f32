// SPDX-License-Identifier: MIT
// Mistakes in solids: one at a time, each told with its line, key, value and what is allowed.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "support/mistake.hpp"
#include "support/runs.hpp"

using namespace moraine::testing;

namespace {

struct SolidMistake {
  const char* name;
  std::string scene;
  std::string line;
  std::vector<std::string> parts;
};
void PrintTo(const SolidMistake& m, std::ostream* out) { *out << m.name; }

class SolidPart : public ::testing::TestWithParam<SolidMistake> {};

TEST_P(SolidPart, IsRefusedAndExplained) {
  const auto& [name, scene, line, mentioned] = GetParam();
  const Folder folder;
  // A box without one of its triangles, and one that is cut by a triangle.
  const std::string box =
      "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\nv 1 0 1\nv 1 1 1\nv 0 1 1\n"
      "f 1 3 2\nf 1 4 3\nf 5 6 7\nf 5 7 8\nf 1 2 6\nf 1 6 5\nf 2 3 7\nf 2 7 6\nf 3 4 8\nf 3 8 7\nf 4 1 5\n";
  put(folder / "open.obj", box);
  put(folder / "whole.obj", box + "f 4 5 8\n");
  put(folder / "flipped.obj", box + "f 4 8 5\n");
  // Two boxes: of the same height, shifted; and one in the other.
  const auto with = [&](double shift, double low, double size) {
    std::string out = box + "f 4 5 8\n";
    for (const int k : {0, 1, 2, 3, 4, 5, 6, 7}) {
      const bool x = k % 4 == 1 || k % 4 == 2, y = k % 4 > 1, z = k > 3;
      out += fmt::format("v {} {} {}\n", shift + low + (x ? size : 0), low + (y ? size : 0), low + (z ? size : 0));
    }
    return out +
           "f 9 11 10\nf 9 12 11\nf 13 14 15\nf 13 15 16\nf 9 10 14\nf 9 14 13\nf 10 11 15\nf 10 15 14\n"
           "f 11 12 16\nf 11 16 15\nf 12 9 13\nf 12 13 16\n";
  };
  put(folder / "aligned.obj", with(0.5, 0, 1));
  put(folder / "nested.obj", with(0, 0.3, 0.3));
  expect_refused(folder, scene, line, mentioned);
}

const std::string kSolidHead3 = "dimension = 3\n[time]\nend = 0.01\n" + kRock + kContact +
                                "[[body]]\nposition = [0, 0, 0.5]\nradius = 0.1\nmaterial = \"rock\"\n";

std::string solid(const std::string& keys) { return kSolidHead3 + "[[solid]]\nname = \"s\"\n" + keys; }
const std::string kSolidBox = "kind = \"box\"\nsize = [1, 1, 1]\n";

const std::string kTurned = solid(kSolidBox) + "[[body]]\nsolid = \"s\"\nmaterial = \"rock\"\nposition = [3, 0, 3]\n";

std::vector<SolidMistake> mistakes() {
  return {
      {"TurnedTwice",
       kTurned + "orientation = [0.1, 0, 0]\nkardan = [0, 0.2, 0]\n",
       "kardan = ",
       {"body[1].kardan", "'orientation' is given too"}},
      {"TurnedByNothing",
       kTurned + "quaternion = [0, 0, 0, 0]\n",
       "quaternion = ",
       {"body[1].quaternion", "has no direction"}},
      {"QuaternionOfThree", kTurned + "quaternion = [1, 0, 0]\n", "quaternion = ", {"body[1].quaternion", "4"}},
      {"UnknownKind", solid("kind = \"cube\"\n"), "kind = \"cube\"", {"solid[0].kind", "\"cube\"", "'box'"}},
      {"FlatBox", solid("kind = \"box\"\nsize = [1, 0, 1]\n"), "size = ", {"solid[0].size", "above 0"}},
      {"ThickL",
       solid("kind = \"L\"\nwidth = 0.1\nheight = 0.3\nbar = 0.2\n"),
       "bar = ",
       {"solid[0].bar", "less than width", "0.2", "0.1"}},
      {"StarWithoutPoints",
       solid("kind = \"star\"\nradius = 0.1\ninner = 0.1\nheight = 0.1\n"),
       "inner = ",
       {"solid[0].inner", "less than radius"}},
      {"PolygonInSpace", solid("kind = \"polygon\"\n"), "kind = \"polygon\"", {"solid[0].kind", "2D"}},
      {"MissingMesh", solid("kind = \"mesh\"\nfile = \"none.stl\"\n"), "file = ", {"solid[0].file", "none.stl"}},
      {"OpenMesh",
       solid("kind = \"mesh\"\nfile = \"open.obj\"\n"),
       "file = ",
       {"solid[0].file", "does not bound a solid", "open", "3 edges"}},
      {"FlippedTriangle",
       solid("kind = \"mesh\"\nfile = \"flipped.obj\"\n"),
       "file = ",
       {"solid[0].file", "does not bound a solid", "face opposite sides", "12"}},
      {"PartsThatOverlapInOnePlane",
       solid("kind = \"mesh\"\nfile = \"aligned.obj\"\n"),
       "file = ",
       {"solid[0].file", "does not bound a solid", "triangles 1 and 13", "touch or cross"}},
      {"HollowThatFacesOutwards",
       solid("kind = \"mesh\"\nfile = \"nested.obj\"\n"),
       "file = ",
       {"solid[0].file", "triangle 13", "faces outwards", "a hollow must face inwards"}},
      {"ThinBox", solid("kind = \"box\"\nsize = [1, 1, 1e-9]\n"), "size = ", {"solid[0].size", "too thin", "1e-07"}},
      {"ThickCross",
       solid("kind = \"cross\"\nsize = 1\nbar = 0.999999999\n"),
       "bar = ",
       {"solid[0].bar", "too thin", "1e-07"}},
      {"HugeBox",
       solid("kind = \"box\"\nsize = [1e80, 1e80, 1e80]\n"),
       "size = ",
       {"solid[0].size", "double precision"}},
      {"TurnedTooFar",
       kTurned + "kardan = [1e300, 0, 0]\n",
       "kardan = ",
       {"body[1].kardan", "1e+300 rad", "at most 1000000000 rad"}},
      {"TurnedTooFarByAVector",
       kTurned + "orientation = [0, 1e12, 0]\n",
       "orientation = ",
       {"body[1].orientation", "out of range"}},
      {"NameTwice",
       solid(kSolidBox) + "[[clump]]\nname = \"c\"\nkind = \"tetrahedron\"\n[[solid]]\nname = \"c\"\n" + kSolidBox,
       "name = \"c\"\nkind = \"box\"",
       {"solid[1].name", "already", "\"c\""}},
      {"UnknownSolid",
       solid(kSolidBox) + "[[body]]\nposition = [3, 0, 0]\nmaterial = \"rock\"\nsolid = \"brick\"\n",
       "solid = \"brick\"",
       {"body[1].solid", "brick", "s"}},
      {"SolidAndClump",
       solid(kSolidBox) + "[[clump]]\nname = \"c\"\nkind = \"tetrahedron\"\n[[body]]\nposition = [3, 0, 0]\n" +
           "material = \"rock\"\nclump = \"c\"\nsolid = \"s\"\n",
       "solid = \"s\"",
       {"body[1].solid", "clump is given too"}},
      {"FixedAndMovedSolid",
       solid(kSolidBox) + "[[body]]\nposition = [3, 0, 0]\nmaterial = \"rock\"\nsolid = \"s\"\nfixed = true\n" +
           "[[body.motion]]\nspin = [0, 0, 1]\n",
       "fixed = true",
       {"body[1].fixed", "a fixed body cannot have a motion"}},
      {"BallInAFixedSolid",
       solid(kSolidBox) + "[[body]]\nposition = [0, 0, 0.1]\nmaterial = \"rock\"\nsolid = \"s\"\nfixed = true\n",
       "position = [0, 0, 0.1]",
       {"body[1].position", "overlaps body 0", "0.2 m"}},
      {"OverlappingSolids",
       solid(kSolidBox) + "[[body]]\nposition = [5, 0, 0]\nmaterial = \"rock\"\nsolid = \"s\"\n" +
           "[[body]]\nposition = [5.8, 0.1, 0]\nmaterial = \"rock\"\nsolid = \"s\"\n",
       "position = [5.8",
       {"body[2].position", "overlaps body 1", "0.1 m"}},
      {"CylinderBesideSolids",
       solid(kSolidBox) + "[[wall]]\nname = \"pipe\"\nmaterial = \"rock\"\nkind = \"cylinder\"\npoint = [0, 0, 0]\n" +
           "axis = [0, 0, 1]\nradius = 4\n",
       "[[wall]]",
       {"wall[0]", "'length' is missing", "ends"}},
  };
}
INSTANTIATE_TEST_SUITE_P(Input, SolidPart, ::testing::ValuesIn(mistakes()),
                         [](const auto& each) { return std::string(each.param.name); });

// A value out of range does not keep an unknown name from being told.
TEST(SolidNames, AreCheckedBesideOtherMistakes) {
  const Folder folder;
  put(folder / "scene.toml", solid("kind = \"rough-rock\"\nsize = [1, 1, 1]\nroughness = 1.5\n") +
                                 "[[body]]\nposition = [3, 0, 0]\nmaterial = \"rock\"\nsolid = \"brick\"\n");
  const Ended end = run_moraine({"check", "scene.toml"}, folder.path());
  EXPECT_TRUE(refused(end, {"solid[0].roughness", "1.5"}));
  EXPECT_TRUE(refused(end, {"body[1].solid", "brick"}));
  EXPECT_EQ(end.errors().size(), 2U) << end.told();
}

// What is refused as it stands can be repaired.
TEST(SolidMesh, IsRepairedOnRequest) {
  const Folder folder;
  const std::string corners = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\nv 1 0 1\nv 1 1 1\nv 0 1 1\n";
  const std::string sides =
      "f 1 3 2\nf 1 4 3\nf 5 6 7\nf 5 7 8\nf 1 2 6\nf 1 6 5\nf 2 3 7\nf 2 7 6\nf 3 4 8\nf 3 8 7\n";
  put(folder / "open.obj", corners + sides + "f 4 1 5\n");
  put(folder / "flipped.obj", corners + sides + "f 4 1 5\nf 4 8 5\n");
  put(folder / "inside_out.obj", corners + "f 1 2 3\nf 1 3 4\nf 5 7 6\nf 5 8 7\nf 1 6 2\nf 1 5 6\nf 2 7 3\nf 2 6 7\n" +
                                     "f 3 8 4\nf 3 7 8\nf 4 5 1\nf 4 8 5\n");
  for (const char* file : {"open.obj", "flipped.obj", "inside_out.obj"}) {
    const std::string scene = solid("kind = \"mesh\"\nfile = \"" + std::string(file) + "\"\nrepair = true\n") +
                              "[[body]]\nposition = [3, 0, 0]\nmaterial = \"rock\"\nsolid = \"s\"\n";
    put(folder / "scene.toml", scene);
    const Ended end = run_moraine({"check", "scene.toml"}, folder.path());
    EXPECT_EQ(end.status, 0) << file << end.told();
  }
}

// Solids of another run come with their shape, place and turn; other shapes under the same numbers are refused.
TEST(SolidFill, TakesTheSolidsOfACheckpoint) {
  const Folder folder;
  const std::string head = "dimension = 3\n[time]\nend = 0.01\n[gravity]\ndirection = [0, 0, -1]\n" + kRock + kContact;
  const auto shape = [](const char* height) {
    return std::string("[[solid]]\nname = \"s\"\nkind = \"L\"\nwidth = 0.1\nheight = ") + height + "\nbar = 0.03\n";
  };
  put(folder / "start.toml",
      head + shape("0.2") +
          "[[body]]\nsolid = \"s\"\nmaterial = \"rock\"\nposition = [0, 0, 1]\nkardan = [0.3, 0.2, 0.1]\n"
          "spin = [1, 2, 3]\n");
  ASSERT_TRUE(ended_with(run_moraine({"run", "start.toml", "--quiet", "--out", "start"}, folder.path()), 0));
  const std::string fill =
      "[[fill]]\nmethod = \"checkpoint\"\nmaterial = \"rock\"\nfile = \"start\"\n"
      "[[probe]]\nkind = \"clumps\"\nids = [0]\n";
  put(folder / "next.toml", head + shape("0.2") + fill);
  ASSERT_TRUE(ended_with(run_moraine({"run", "next.toml", "--quiet", "--out", "next"}, folder.path()), 0));
  EXPECT_EQ(summary_of(folder / "next")["clumps"], 1);
  const Json a = summary_of(folder / "start"), b = summary_of(folder / "next");
  EXPECT_NEAR(a["energy"]["rotational"].get<double>(), b["energy"]["rotational"].get<double>(),
              1e-9 * a["energy"]["rotational"].get<double>());
  EXPECT_EQ(a["traffic"]["begun"]["volume"], b["traffic"]["begun"]["volume"]);
  for (const std::string& other : {shape("0.21"), std::string()}) {
    put(folder / "other.toml", head + other + fill);
    const Ended end = run_moraine({"run", "other.toml", "--quiet", "--out", "other"}, folder.path());
    EXPECT_TRUE(refused(end, {"fill[0].file", "solids", "not those of th"}));
    EXPECT_FALSE(fs::exists(folder / "other"));
  }
}

// Held solids of another run come as fixed ones; under other shapes they are refused, as free ones are.
TEST(SolidFill, TakesHeldSolidsOfACheckpoint) {
  const Folder folder;
  const std::string head = "dimension = 3\n[time]\nend = 0.01\n[gravity]\ndirection = [0, 0, -1]\n" + kRock + kContact;
  const auto shape = [](const char* height) {
    return std::string("[[solid]]\nname = \"s\"\nkind = \"L\"\nwidth = 0.1\nheight = ") + height + "\nbar = 0.03\n";
  };
  put(folder / "start.toml",
      head + shape("0.2") +
          "[[body]]\nsolid = \"s\"\nmaterial = \"rock\"\nposition = [0, 0, 1]\nkardan = [0.3, 0.2, 0.1]\n"
          "[[body.motion]]\nspin = [0, 0, 5]\nvelocity = [1, 0, 0]\n");
  ASSERT_TRUE(ended_with(run_moraine({"run", "start.toml", "--quiet", "--out", "start"}, folder.path()), 0));
  const std::string fill =
      "[[fill]]\nmethod = \"checkpoint\"\nmaterial = \"rock\"\nfile = \"start\"\n"
      "[[probe]]\nkind = \"bodies\"\nname = \"held\"\nids = [0]\n";
  put(folder / "next.toml", head + shape("0.2") + fill);
  ASSERT_TRUE(ended_with(run_moraine({"run", "next.toml", "--quiet", "--out", "next"}, folder.path()), 0));
  const Json end = summary_of(folder / "next")["probes"]["held"];
  EXPECT_NEAR(end["0.x"].get<double>(), 0.01, 1e-12) << end;
  // Resumed to a later end they are there, too: a ball falls on the one of the fill.
  const std::string ball =
      "[[body]]\nradius = 0.05\nmaterial = \"rock\"\nposition = [0.01, 0, 1.2]\nvelocity = [0, 0, -10]\n";
  const auto hash = [&](const char* run) { return summary_of(folder / run)["state_hash"].get<std::string>(); };
  put(folder / "ball.toml", replaced(head, "end = 0.01", "end = 0.01\nstep = 2e-5") + shape("0.2") + ball + fill);
  ASSERT_TRUE(ended_with(run_moraine({"run", "ball.toml", "--quiet", "--out", "short"}, folder.path()), 0));
  const Args to_later = {"--quiet", "--set", "time.end=0.03"};
  ASSERT_TRUE(ended_with(run_moraine(Args{"run", "ball.toml", "--out", "long"} + to_later, folder.path()), 0));
  EXPECT_GT(summary_of(folder / "long")["energy"]["kinetic"].get<double>(), 0);
  ASSERT_TRUE(ended_with(run_moraine(Args{"resume", "short"} + to_later, folder.path()), 0));
  EXPECT_EQ(hash("short"), hash("long"));
  put(folder / "other.toml", head + shape("0.21") + fill);
  EXPECT_TRUE(refused(run_moraine({"check", "other.toml"}, folder.path()), {"fill[0].file", "not those of th"}));
}

// What bodies there are is not known where their shape cannot be made: ids are not judged.
TEST(SolidNames, ShapesThatFailAreToldAlone) {
  const Folder folder;
  put(folder / "scene.toml", "dimension = 3\n[time]\nend = 0.01\n" + kRock + kContact + "[[solid]]\nname = \"s\"\n" +
                                 "kind = \"box\"\nsize = [1, 1, 1e-9]\n[[body]]\nsolid = \"s\"\nmaterial = \"rock\"\n" +
                                 "position = [0, 0, 0]\n[[probe]]\nkind = \"clumps\"\nids = [0]\n");
  const Ended end = run_moraine({"check", "scene.toml"}, folder.path());
  EXPECT_TRUE(refused(end, {"solid[0].size", "too thin"}));
  EXPECT_EQ(end.errors().size(), 1U) << end.told();
}

TEST(SolidNames, DoubledCornersOfAPolygonAreTold) {
  const Folder folder;
  put(folder / "scene.toml",
      "dimension = 2\n[time]\nend = 0.01\n" + kRock + kContact + "[[solid]]\nname = \"s\"\n" +
          "kind = \"polygon\"\noutline = [[0, 0], [1, 0], [1, 0], [0, 1]]\n[[body]]\nsolid = \"s\"\n" +
          "material = \"rock\"\nposition = [0, 0]\n");
  const Ended end = run_moraine({"check", "scene.toml"}, folder.path());
  EXPECT_TRUE(refused(end, {"solid[0].outline", "corners 1 and 2 are the same point"}));
}

// Of set-ups, by their own keys.
TEST(SolidSetups, NumbersThatDoNotGoTogetherAreToldByTheirKeys) {
  const Folder folder;
  const auto told = [&](const std::vector<std::string>& arguments, const std::vector<std::string>& parts) {
    std::vector<std::string> all{"check"};
    all.insert(all.end(), arguments.begin(), arguments.end());
    EXPECT_TRUE(refused(run_moraine(all, folder.path()), parts)) << arguments[0] << " " << arguments[2];
  };
  told({"block_on_slope", "--set", "setup.stiffness=1"}, {"setup.stiffness", "too soft", "at least 2.87e+03 N/m"});
  told({"block_on_slope", "--set", "setup.law=hertz"}, {"setup.law", "hertz", "'walton-braun'"});
  told({"block_on_slope", "--set", "setup.angle=91deg"}, {"setup.angle", "<= 90 deg"});
  told({"couette", "--set", "setup.windows=[]"}, {"setup.windows", "at least one window"});
  told({"couette", "--set", "setup.windows=[[5,3]]"}, {"setup.windows[0]", "[5, 3] is no window"});
  told({"channel", "--set", "setup.concentration=0.95"}, {"setup.concentration", "0.95", "at most 0.88 in 2D"});
  told({"channel", "--set", "setup.concentration=0.75", "--set", "dimension=3"},
       {"setup.concentration", "0.75", "at most 0.66 in 3D"});
  for (const std::vector<std::string>& fine :
       {std::vector<std::string>{"check", "block_on_slope", "--set", "setup.angle=90deg"},
        {"check", "channel", "--set", "dimension=3"}}) {
    EXPECT_EQ(run_moraine(fine, folder.path()).status, 0) << fine[1];
  }
}

}  // namespace
