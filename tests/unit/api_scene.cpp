// SPDX-License-Identifier: MIT
// Scenes of the library: from texts and files, with values set, and what is said of mistakes.
#include <gtest/gtest.h>

#include <moraine/moraine.hpp>

#include "support/program.hpp"
#include "support/scenes.hpp"

namespace {

using moraine::InputError;
using moraine::Problem;
using moraine::Scene;
using moraine::Simulation;
using moraine::testing::contains;
using moraine::testing::Folder;
using moraine::testing::kBody;
using moraine::testing::kSound;
using moraine::testing::line_of;
using moraine::testing::replaced;

template <class Work>
std::vector<Problem> problems_of(const Work& work) {
  try {
    work();
  } catch (const InputError& error) {
    return error.problems();
  }
  return {};
}

TEST(ApiScene, KnowsItsDimension) {
  EXPECT_EQ(Scene::from_text(kSound).dimension(), 2);
  EXPECT_EQ(Scene::from_file(moraine::testing::examples_folder() / "bed_3d.toml").dimension(), 3);
}

TEST(ApiScene, SpellsItselfOutAsASceneThatIsTheSame) {
  const std::string complete = Scene::from_text(kSound).toml();
  EXPECT_TRUE(contains(complete, "max_overlap")) << complete;  // a default
  EXPECT_EQ(Scene::from_text(complete).toml(), complete);
}

TEST(ApiScene, SetsValuesAtOnceOrLater) {
  Scene later = Scene::from_text(kSound);
  const Scene before = later;
  later.set("body.0.radius=5 cm");
  EXPECT_EQ(later.toml(), Scene::from_text(kSound, {"body.0.radius=0.05"}).toml());
  EXPECT_DOUBLE_EQ(Simulation(later).body(0).radius, 0.05);
  EXPECT_DOUBLE_EQ(Simulation(before).body(0).radius, 0.1);

  const auto bed = moraine::testing::examples_folder() / "bed_3d.toml";
  Scene file = Scene::from_file(bed);
  file.set("setup.count=40");
  file.set("time.end=1e-4");
  EXPECT_EQ(file.toml(), Scene::from_file(bed, {"setup.count=40", "time.end=1e-4"}).toml());
  EXPECT_NE(file.toml(), Scene::from_file(bed, {"setup.count=90", "time.end=1e-4"}).toml());
}

TEST(ApiScene, StaysAsItWasIfAValueIsWrong) {
  Scene scene = Scene::from_text(kSound);
  const std::string before = scene.toml();
  const auto problems = problems_of([&] { scene.set("body.0.radius=-1"); });
  ASSERT_EQ(problems.size(), 1U);
  EXPECT_TRUE(contains(problems[0].key, "radius")) << problems[0].str();
  EXPECT_EQ(scene.toml(), before);
  EXPECT_THROW(scene.set("no such thing"), InputError);
  EXPECT_EQ(scene.toml(), before);
}

TEST(ApiScene, NamesAllMistakesWithLineAndKey) {
  const std::string text = replaced(replaced(kSound, "radius = 0.1", "radius = -0.1"), "density", "densty");
  const auto problems = problems_of([&] { Scene::from_text(text); });
  ASSERT_GE(problems.size(), 2U);
  bool radius = false, density = false;
  for (const Problem& p : problems) {
    radius = radius || (p.key == "body[0].radius" && p.line == line_of(text, "radius = -0.1"));
    density = density || (contains(p.text, "density") && p.line == line_of(text, "densty"));
    EXPECT_TRUE(contains(p.str(), p.text));
  }
  EXPECT_TRUE(radius && density) << problems_of([&] { Scene::from_text(text); })[0].str();
}

TEST(ApiScene, MistakesOfMeaningAreNamedWhenItIsBuilt) {
  const Scene scene = Scene::from_text(replaced(kSound, "name = \"rock\"", "name = \"ice\""));
  EXPECT_GE(problems_of([&] { Simulation{scene}; }).size(), 2U);  // of the wall and of the body
}

TEST(ApiScene, FilesThatItNamesAreLookedForInItsFolder) {
  const Folder folder;
  moraine::testing::put(folder / "grains.csv", "x,y,radius\n0.3,0.7,0.05\n-0.3,0.7,0.04\n");
  const std::string text = kSound + "[[fill]]\nmethod = \"table\"\nmaterial = \"rock\"\nfile = \"grains.csv\"\n";
  EXPECT_EQ(Simulation(Scene::from_text(text, {}, folder.path())).body_count(), 3U);
  EXPECT_THROW(Simulation(Scene::from_text(text)), InputError);
  moraine::testing::put(folder / "scene.toml", text);
  const Scene file = Scene::from_file(folder / "scene.toml");
  EXPECT_EQ(Simulation(file).body_count(), 3U);
  EXPECT_EQ(Simulation(Simulation(file).scene()).body_count(), 3U);  // spelled out: from anywhere
}

TEST(ApiScene, AFileThatIsNotThereIsNamed) {
  const auto problems = problems_of([] { Scene::from_file("/no/such/scene.toml"); });
  ASSERT_EQ(problems.size(), 1U);
  EXPECT_EQ(problems[0].file, "/no/such/scene.toml");
}

TEST(ApiVersion, IsThatOfTheProgram) {
  const Folder nowhere;
  EXPECT_EQ(moraine::testing::run_moraine({"--version"}, nowhere.path()).out, std::string(moraine::kVersion) + "\n");
}

}  // namespace
