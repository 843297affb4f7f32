// SPDX-License-Identifier: MIT
// The shipped scenes are good, and the complete scene that a run writes is the same run again.
#include <gtest/gtest.h>

#include "support/runs.hpp"
#include "support/scenes.hpp"

using namespace moraine::testing;

namespace {

// Runs a scene, then the scene.toml it wrote, from another folder.
void expect_same_again(const Folder& folder, const Args& run) {
  ASSERT_TRUE(ended_with(run_moraine(run + Args{"--out", "first", "--quiet"}, folder.path()), 0));
  const Ended again =
      run_moraine({"run", "../scene.toml", "--out", "../../second", "--quiet"}, folder / "first/series");
  ASSERT_TRUE(ended_with(again, 0));
  EXPECT_EQ(hash_of(folder / "first"), hash_of(folder / "second"));
  EXPECT_EQ(get(folder / "first/scene.toml"), get(folder / "second/scene.toml"));
  expect_same_files(folder / "first", folder / "second", "series");
}

class Example : public ::testing::TestWithParam<std::string> {};

}  // namespace

TEST_P(Example, PassesCheckByNameAndByPath) {
  const Folder folder;
  for (const std::string& scene : {GetParam(), (examples_folder() / (GetParam() + ".toml")).string()}) {
    const Ended end = run_moraine({"check", scene}, folder.path());
    EXPECT_TRUE(ended_with(end, 0));
    EXPECT_TRUE(contains(end.out, "good scene") && contains(end.out, "steps")) << end.out;
    EXPECT_TRUE(end.err.empty()) << end.err;
  }
  EXPECT_TRUE(everything_in(folder.path()).empty()) << "check wrote something";
}

TEST_P(Example, TheCompleteSceneOfARunIsTheSameRun) {
  const Folder folder;
  fs::create_directories(folder / "first");
  expect_same_again(folder, Args{"run", GetParam()} + shortened(GetParam()));
}

INSTANTIATE_TEST_SUITE_P(Shipped, Example, ::testing::ValuesIn(example_names()),
                         [](const auto& instance) { return instance.param; });

TEST(CompleteScene, OfARunWithAFractionIsTheSameRun) {
  const Folder folder;
  expect_same_again(folder, Args{"run", "shaker"} + set({"time.end=0.01", "time.fraction=0.02"}));
}

TEST(CompleteScene, OfARunFilledFromAFileIsTheSameRun) {
  const Folder folder;
  fs::create_directory(folder / "scenes");
  const std::string probe = "[[probe]]\nkind = \"energy\"\n";
  put(folder / "scenes/scene.toml",
      kWithoutBodies + "[[fill]]\nmethod = \"table\"\nmaterial = \"rock\"\nfile = \"data.csv\"\n" + probe);
  put(folder / "scenes/data.csv", "x,y,radius\n0.1,0.5,0.05\n0.3,0.5,0.05\n");
  expect_same_again(folder, {"run", "scenes/scene.toml"});
}

TEST(CompleteScene, OfARunFilledFromACheckpointIsTheSameRun) {
  const Folder folder;
  put(folder / "start.toml", kSound);
  ASSERT_TRUE(ended_with(run_moraine({"run", "start.toml", "--quiet", "--out", "start"}, folder.path()), 0));
  put(folder / "scene.toml", kWithoutBodies +
                                 "[[fill]]\nmethod = \"checkpoint\"\nmaterial = \"rock\"\nfile = \"start\"\n" +
                                 "[[probe]]\nkind = \"energy\"\n");
  expect_same_again(folder, {"run", "scene.toml"});
}

TEST(CompleteScene, OfARunFilledAtRandomIsTheSameRun) {
  const Folder folder;
  const std::string region = "material = \"rock\"\nradius = 0.02\nspread = 0.3\nmin = [-0.9, 0.1]\nmax = [0.9, 0.9]\n";
  put(folder / "scene.toml", replaced(kWithoutBodies, "dimension = 2", "dimension = 2\nseed = 12345") +
                                 "[[fill]]\nmethod = \"random\"\nfraction = 0.2\nrandom_speed = 1\n" + region +
                                 "[[fill]]\nmethod = \"rain\"\ncount = 50\nevery = 0.001\n" + region +
                                 "[[probe]]\nkind = \"energy\"\n");
  expect_same_again(folder, {"run", "scene.toml"});
}

TEST(CompleteScene, OfARunInAFlowFromAFileIsTheSameRun) {
  const Folder folder;
  fs::create_directory(folder / "scenes");
  put(folder / "scenes/scene.toml", kSound +
                                        "[flow]\nkind = \"table\"\nfile = \"wind.csv\"\n"
                                        "[[load]]\nkind = \"stream\"\ndensity = 1000\ndrag_coefficient = 1\n"
                                        "[[probe]]\nkind = \"energy\"\n"
                                        "[[probe]]\nkind = \"section\"\nfrom = [-1, 0]\nto = [1, 0.5]\n");
  put(folder / "scenes/wind.csv", "x,y,ux,uy\n-1,-1,1,0\n1,-1,2,0\n-1,1,0,3\n1,1,1,1\n");
  expect_same_again(folder, {"run", "scenes/scene.toml"});
  // A section is one table, of the name of its probe, without rows over time.
  const std::string section = get(folder / "first/series/section.csv");
  EXPECT_TRUE(contains(section, "r [m]") && contains(section, "speed [m/s]")) << section.substr(0, 200);
  EXPECT_FALSE(contains(section, "time")) << section.substr(0, 200);
}
