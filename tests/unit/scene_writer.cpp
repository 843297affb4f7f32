// SPDX-License-Identifier: MIT
// Complete scene files read back to the same values; the reference page and the JSON schema follow the declarations;
// damaged files never do worse than an InputError.
#include "scene/writer.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <nlohmann/json.hpp>
#include <random>

#include "scene/reader.hpp"
#include "scene/reference.hpp"

namespace moraine::scene {

const Schema& sample_schema();  // scene_reader.cpp

namespace {

const std::string kScene = R"(title = "Quotes \" and \\ and\nlines \u0001 é"
dimension = 3
time = {end = "1 day", step = "0.1 ms"}
output = {fields = ["f", "v"], window = [0, 1e-7]}
[[material]]
name = "ice"
density = 917
[[body]]
material = "ice"
position = [0.1, -0.0, 1e300]
radius = "1 in"
[[body]]
shape = "box"
material = "ice"
position = ["1 mm", 2, 3]
size = [1, 2, 3]
spin = ["2 rpm", 0, 0]
[[body.tag]]
key = "k"
at = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 0.12345678901234567, 0.12345678901234567, 0.12345678901234567, 12, 13, 14, 15]
[[body.tag]]
key = ""
)";

TEST(SceneWriter, RoundTrips) {
  const Schema& schema = sample_schema();
  const Node first = read_scene_text(schema, kScene, "a");
  const std::string text = write_complete(schema, first);
  const Node second = read_scene_text(schema, text, "b");
  EXPECT_TRUE(first == second) << text;
  EXPECT_EQ(write_complete(schema, second), text);
  EXPECT_TRUE(std::signbit(second.tables("body")[0].numbers("position")[1]));
  EXPECT_FALSE(read_scene_text(schema, kScene, "a", {"body.0.radius=1"}) == first);
}

TEST(SceneWriter, SpellsOutDefaults) {
  const Schema& schema = sample_schema();
  const Node scene = read_scene_text(schema, "time.end = 2\n[[material]]\nname = 'a'\ndensity = 1\n", "a");
  EXPECT_EQ(write_complete(schema, scene),
            "# A sample scene, complete: all defaults written out, all numbers in SI units\n\n"
            "title = \"untitled\"\ndimension = 2\nmethod = \"soft\"\n\n[time]\nend = 2.0  # s\nfraction = 0.05\n\n"
            "[gravity]\ng = [0.0, -9.81]  # m/s^2\n\n[[material]]\nname = \"a\"\ndensity = 1.0  # kg/m^3\n"
            "angle = 0.3490658503988659  # rad\n");
}

TEST(SceneWriter, LeavesOut) {
  const std::string text =
      write_complete(sample_schema(), read_scene_text(sample_schema(), kScene, "a"), {"body", "title"});
  EXPECT_EQ(text.find("body"), std::string::npos);
  EXPECT_EQ(text.find("title"), std::string::npos);
  EXPECT_NE(text.find("[[material]]"), std::string::npos);
}

// Every double that can stand in a scene comes back with the same bits.
TEST(SceneWriter, NumbersKeepTheirBits) {
  std::mt19937_64 random(1);
  const Schema schema("n", {keys::number("x").required().help("x")});
  for (int i = 0; i < 2000; ++i) {
    const std::uint64_t bits = random();
    double value = 0.0;
    std::memcpy(&value, &bits, sizeof value);
    if (!std::isfinite(value)) continue;
    const Node node = read_scene_text(schema, "x = " + toml_number(value), "n");
    EXPECT_EQ(node.number("x"), value) << toml_number(value);
  }
}

TEST(SceneFuzz, DamagedScenesNeverCrash) {
  const Schema& schema = sample_schema();
  std::mt19937 random(7);
  int read = 0, refused = 0;
  for (int i = 0; i < 20000; ++i) {
    std::string text = kScene;
    const int edits = 1 + static_cast<int>(random() % 4);
    for (int e = 0; e < edits; ++e) {
      const std::size_t at = random() % text.size();
      switch (random() % 4) {
        case 0:
          text[at] = static_cast<char>(random());
          break;
        case 1:
          text.erase(at, 1 + random() % 20);
          break;
        case 2:
          text.insert(at, 1, "[]{}=\".,'\n#-0e"[random() % 14]);
          break;
        default:
          text[at] = text[random() % text.size()];
      }
      if (text.empty()) text = " ";
    }
    try {
      const Node node = read_scene_text(schema, text, "fuzz");
      const std::string complete = write_complete(schema, node);
      EXPECT_TRUE(read_scene_text(schema, complete, "again") == node) << text;
      ++read;
    } catch (const base::InputError& error) {
      EXPECT_FALSE(error.problems().empty());
      ++refused;
    }
  }
  EXPECT_GT(read, 500);
  EXPECT_GT(refused, 5000);
}

TEST(SceneFuzz, DamagedSetsNeverCrash) {
  const Schema& schema = sample_schema();
  std::mt19937 random(11);
  const std::string letters = "abdy01.[]=\"' {}-e\n#,x";
  const std::vector<std::string> seeds{"body.0.radius=5 cm", "material.ice.density=3", "time={end=1}",
                                       "body[1].tag[0].at.2=7"};
  for (int i = 0; i < 3000; ++i) {
    std::string set = seeds[random() % seeds.size()];
    for (int e = 0; e < 3; ++e) set[random() % set.size()] = letters[random() % letters.size()];
    try {
      read_scene_text(schema, kScene, "fuzz", {set});
    } catch (const base::InputError& error) {
      EXPECT_FALSE(error.problems().empty()) << set;
    }
  }
}

TEST(SceneReference, HasARowForEveryKey) {
  const std::string page = reference_markdown(sample_schema());
  for (const char* line : {"## `[time]`\n", "## `[[body]]`\n", "### `[[body]]` with `shape = \"box\"`\n",
                           "### `[[body.tag]]`\n", "| `end` | a time (s) | required | > 0 s | When to stop. |\n",
                           "| `fraction` | a plain number | `0.05` | > 0 and <= 1 | Of the contact time. |\n",
                           "| `step` | a time (s) | absent | > 0 s | Step; chosen if absent. |\n",
                           "| `method` | a name in quotes | `\"soft\"` | `soft`, `hard` | How contacts work. |\n",
                           "- `hard`: constraints\n", "in 3D `[0, 0, -9.81]`", "each > 0 m"})
    EXPECT_NE(page.find(line), std::string::npos) << line << page;
}

TEST(SceneReference, JsonSchemaFollowsTheKeys) {
  const auto json = json_schema(sample_schema());
  EXPECT_EQ(json["$schema"], "https://json-schema.org/draft/2020-12/schema");
  EXPECT_EQ(json["additionalProperties"], false);
  EXPECT_EQ(json["required"].dump(), R"(["time","material"])");
  const auto& time = json["properties"]["time"];
  EXPECT_EQ(time["required"].dump(), R"(["end"])");
  EXPECT_EQ(time["properties"]["end"]["anyOf"][0].dump(), R"({"type":"number","exclusiveMinimum":0.0})");
  EXPECT_EQ(time["properties"]["fraction"]["default"], 0.05);
  EXPECT_EQ(json["properties"]["method"]["enum"].dump(), R"(["soft","hard"])");
  const auto& body = json["properties"]["body"]["items"];
  EXPECT_EQ(body["additionalProperties"], false);
  ASSERT_EQ(body["allOf"].size(), 3u);
  // The default variant needs no selector, the others do.
  EXPECT_FALSE(body["allOf"][0]["if"].contains("required"));
  EXPECT_EQ(body["allOf"][1]["if"]["required"].dump(), R"(["shape"])");
  EXPECT_EQ(body["allOf"][1]["then"]["properties"]["radius"], false);
  EXPECT_EQ(body["allOf"][1]["then"]["required"].dump(), R"(["size"])");
}

}  // namespace
}  // namespace moraine::scene
