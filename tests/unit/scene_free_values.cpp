// SPDX-License-Identifier: MIT
// Keys whose values the schema does not know: values of any kind, and tables of settings for another file.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "scene/reader.hpp"
#include "scene/reference.hpp"
#include "scene/writer.hpp"

namespace moraine::scene {
namespace {

using Texts = std::vector<std::string>;

const Schema& free_schema() {
  using namespace keys;
  static const Schema schema("Free values",
                             {value("any").count(1).help("of any kind"), settings("set").help("of another"),
                              tables("one", {settings("set").required().count(1).help("at least one")}).help("many")});
  return schema;
}

Node read(const std::string& text, const Texts& sets = {}) { return read_scene_text(free_schema(), text, "f", sets); }

std::string mistakes(const std::string& text) {
  try {
    read(text);
  } catch (const base::InputError& error) {
    return error.what();
  }
  return "";
}

TEST(SceneFreeValues, AreKeptAsToml) {
  EXPECT_EQ(read("any = 3").text("any"), "3");
  EXPECT_EQ(read("any = 3.0").text("any"), "3.0");
  EXPECT_EQ(read("any = 0.1").text("any"), "0.1");
  EXPECT_EQ(read("any = '5 \"cm\"'").text("any"), "\"5 \\\"cm\\\"\"");
  EXPECT_EQ(read("any = true").text("any"), "true");
  EXPECT_FALSE(read("any = 3").is_list("any"));
  EXPECT_TRUE(read("any = [3]").is_list("any"));
  EXPECT_EQ(read("any = [1, 2.5, 'a', [0, 1]]").texts("any"), (Texts{"1", "2.5", "\"a\"", "[0, 1]"}));
  EXPECT_EQ(read("any = 1", {"any=[7, 8]"}).texts("any"), (Texts{"7", "8"}));
  EXPECT_FALSE(read("[set]\na = 1").has("any"));
}

TEST(SceneFreeValues, SettingsArePathsHoweverTheyAreWritten) {
  const Texts expected = {"a.b=1", "a.c=\"2 cm\""};
  for (const char* text : {"[set]\na.b = 1\na.c = '2 cm'", "[set.a]\nb = 1\nc = '2 cm'",
                           "set = {\"a.b\" = 1, \"a.c\" = '2 cm'}", "set.a = {b = 1, c = '2 cm'}"})
    EXPECT_EQ(read(text).texts("set"), expected) << text;
  EXPECT_EQ(read("[set]\na = 1", {"set.b.0.c=5"}).texts("set"), (Texts{"a=1", "b.0.c=5"}));
}

TEST(SceneFreeValues, MistakesAreToldWithTheirPlace) {
  EXPECT_EQ(mistakes("\nany = {a = 1}"),
            "f:2: any: found a table, but a number, a text in quotes, true or false, or a list of them is needed");
  EXPECT_EQ(
      mistakes("any = [1, 1979-05-27]"),
      "f:1: any[1]: found a date or time, but a number, a text in quotes, true or false, or a list of them is needed");
  EXPECT_EQ(mistakes("any = []"), "f:1: any: has 0 values, but it needs at least 1");
  EXPECT_EQ(mistakes("any = [nan]"),
            "f:1: any[0]: found nan, but a number, a text in quotes, true or false, or a list of them is needed");
  EXPECT_EQ(mistakes("set = 3"), "f:1: set: found 3, but a table of keys and values is needed");
  EXPECT_EQ(mistakes("[set]\na = 1\n\"b=2\" = 3"), "f:3: set.b=2: is not the path of a key");
  EXPECT_EQ(mistakes("[set]\n[[set.a]]\nb = 1"),
            "f:2: set.a: found an array of tables, but a number, a text in quotes, true or false, or a list of them is "
            "needed");
  EXPECT_EQ(mistakes("[[one]]\nset = {}"), "f:2: one[0].set: has 0 keys, but it needs at least 1");
}

TEST(SceneFreeValues, RoundTripThroughTheWriter) {
  const Node first = read("any = [1, 'a b', [2.0, 3]]\nset = {\"a.b\" = 'x', c = 1.5}");
  const std::string text = write_complete(free_schema(), first);
  EXPECT_TRUE(read(text) == first) << text;
  EXPECT_TRUE(read(write_complete(free_schema(), read("any = 'q'"))) == read("any = 'q'"));
}

TEST(SceneFreeValues, AreInTheSchemaForEditors) {
  const auto json = json_schema(free_schema());
  EXPECT_EQ(json["properties"]["set"]["type"], "object");
  EXPECT_EQ(json["properties"]["any"]["type"].size(), 4U);
}

}  // namespace
}  // namespace moraine::scene
