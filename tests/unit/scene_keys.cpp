// SPDX-License-Identifier: MIT
// The declared keys as a whole: sound defaults, a reference page that is up to date, a JSON schema, set-ups that
// expand.
#include "scene/keys.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "base/error.hpp"
#include "scene/load.hpp"
#include "scene/reader.hpp"
#include "scene/reference.hpp"
#include "scene/writer.hpp"

namespace moraine::scene {
namespace {

TEST(SceneKeys, EveryDefaultIsAValueThatItsKeyAccepts) { EXPECT_NO_THROW(check_defaults(scene_schema())); }

TEST(SceneKeys, TheReferencePageIsUpToDate) {
  std::ifstream file(std::string(MORAINE_SOURCE_DIR) + "/docs/scene-reference.md");
  std::stringstream text;
  text << file.rdbuf();
  EXPECT_EQ(text.str(), reference_markdown(scene_schema())) << "run: build/moraine schema > docs/scene-reference.md";
}

TEST(SceneKeys, TheJsonSchemaNamesEveryTable) {
  const auto schema = json_schema(scene_schema());
  for (const char* name :
       {"time", "domain", "gravity", "material", "contact", "wall", "body", "fill", "probe", "output", "setup"}) {
    EXPECT_TRUE(schema["properties"].contains(name)) << name;
  }
  EXPECT_EQ(schema["additionalProperties"], false);
}

TEST(SceneKeys, ASetUpExpandsIntoASceneThatReadsAsItself) {
  for (const char* text : {"dimension = 2\n[setup]\nkind = \"impact\"\nrestitution = 0.3\n",
                           "dimension = 3\n[setup]\nkind = \"impact\"\nagainst = \"wall\"\nlaw = \"hertz\"\n",
                           "dimension = 3\n[setup]\nkind = \"bed\"\ncount = 300\n"}) {
    const Scene scene = load_scene_text(text, "test.toml", ".", {});
    EXPECT_FALSE(scene.node.has("setup"));
    EXPECT_TRUE(scene.node.has("material"));
    EXPECT_TRUE(scene.node.table("time").has("end"));
    const std::string complete = write_complete(scene_schema(), scene.node);
    EXPECT_EQ(write_complete(scene_schema(), load_scene_text(complete, "again.toml", ".", {}).node), complete);
  }
}

TEST(SceneKeys, ValuesSetForTablesThatASetUpMakesComeAfterItsExpansion) {
  const Scene scene = load_scene_text("dimension = 2\n[setup]\nkind = \"impact\"\n", "test.toml", ".",
                                      {"contact.0.friction=0.123", "setup.angle=30 deg", "material.grain.density=7"});
  EXPECT_DOUBLE_EQ(scene.node.tables("contact")[0].number("friction"), 0.123);
  EXPECT_DOUBLE_EQ(scene.node.tables("material")[0].number("density"), 7);
  EXPECT_NEAR(scene.node.tables("body")[0].numbers("velocity")[1], 0.5, 1e-12);
}

TEST(SceneKeys, ASetUpAndItsOwnTablesExcludeEachOther) {
  EXPECT_THROW(load_scene_text("dimension = 2\n[setup]\nkind = \"impact\"\n[[material]]\nname = \"a\"\ndensity = 1\n",
                               "t", ".", {}),
               base::InputError);
}

}  // namespace
}  // namespace moraine::scene
