// SPDX-License-Identifier: MIT
// What a run leaves for people and scripts: summary.json, the series, and what the small commands print.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "io/series.hpp"
#include "support/runs.hpp"

using namespace moraine::testing;

namespace {

// Every number finite (nlohmann writes NaN and infinity as null), nothing empty where a value belongs.
void expect_no_null(const Json& json, const std::string& path) {
  EXPECT_FALSE(json.is_null()) << path << " is null";
  if (json.is_number_float()) {
    EXPECT_TRUE(std::isfinite(json.get<double>())) << path;
  }
  if (!json.is_structured()) return;
  for (const auto& [name, value] : json.items()) expect_no_null(value, path + "/" + name);
}

// Begins with three numbers with points between.
bool is_version(const std::string& text) {
  int major = 0, minor = 0, patch = 0;
  return std::sscanf(text.c_str(), "%d.%d.%d", &major, &minor, &patch) == 3;
}

class Outputs : public ::testing::TestWithParam<std::string> {};

}  // namespace

TEST_P(Outputs, TheSummaryIsCompleteAndTheSeriesHaveUnits) {
  const Folder folder;
  const Ended end = run_moraine(Args{"run", GetParam(), "--out", "run"} + shortened(GetParam(), 3000), folder.path());
  ASSERT_TRUE(ended_with(end, 0));
  EXPECT_TRUE(contains(end.out, "results in run")) << end.out;
  const Json summary = summary_of(folder / "run");
  expect_no_null(summary, "");
  for (const char* key : {"version", "title", "status", "dimension", "seed", "threads", "time", "steps", "bodies",
                          "contacts", "removed", "left_domain", "energy", "step", "timings", "state_hash", "probes"})
    EXPECT_TRUE(summary.contains(key)) << key << " is missing";
  EXPECT_TRUE(is_version(summary["version"].get<std::string>()));
  const auto hash = summary["state_hash"].get<std::string>();
  EXPECT_EQ(hash.size(), 16U);
  EXPECT_EQ(hash.find_first_not_of("0123456789abcdef"), std::string::npos) << hash;
  EXPECT_GT(summary["steps"], 0);
  EXPECT_GT(summary["bodies"], 0);
  EXPECT_GT(summary["timings"]["loop"], 0.0);
  EXPECT_GE(summary["timings"]["phases"].size(), 3U);
  for (const char* kind : {"kinetic", "translational", "rotational", "potential"})
    EXPECT_TRUE(summary["energy"].contains(kind));
  std::vector<std::string> series, probes;
  for (const std::string& name : everything_in(folder / "run/series")) series.push_back(fs::path(name).stem().string());
  for (const auto& [name, unused] : summary["probes"].items()) probes.push_back(name);
  std::sort(probes.begin(), probes.end());
  // Besides the series of a probe there may be its tables, NAME_part.
  std::vector<std::string> rest;
  for (const std::string& name : series) {
    const bool table = std::any_of(probes.begin(), probes.end(),
                                   [&](const std::string& probe) { return name.rfind(probe + "_", 0) == 0; });
    if (std::find(probes.begin(), probes.end(), name) != probes.end() || !table) rest.push_back(name);
  }
  EXPECT_EQ(rest, probes) << "a series for every probe, and a probe for every series";
  for (const std::string& name : probes) {
    const auto read = moraine::io::read_series(folder / "run/series" / (name + ".csv"));
    EXPECT_FALSE(read.cut_short);
    ASSERT_GE(read.columns.size(), 2U);
    if (name == "section") {  // one table instead of a series
      EXPECT_EQ(read.columns[0].name, "r");
      EXPECT_EQ(read.columns[1].name, "speed");
      continue;
    }
    const std::size_t time = read.columns[0].name == "cycle" ? 1 : 0;
    EXPECT_EQ(read.columns[time].name, "time");
    EXPECT_EQ(read.columns[time].unit, "s");
    ASSERT_GE(read.values[0].size(), 2U) << name;
    EXPECT_TRUE(std::is_sorted(read.values[0].begin(), read.values[0].end()));
    if (name == "energy") {
      for (std::size_t k = 1; k < read.columns.size(); ++k)
        EXPECT_EQ(read.columns[k].unit, "J") << read.columns[k].name;
      EXPECT_NEAR(read.column("kinetic").back(), summary["energy"]["kinetic"].get<double>(),
                  1e-12 * summary["energy"]["kinetic"].get<double>());
      EXPECT_EQ(read.column("kinetic").back(), summary["probes"]["energy"]["kinetic"].get<double>());
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Example, Outputs, ::testing::ValuesIn(example_names()),
                         [](const auto& instance) { return instance.param; });

TEST(Summary, NamesTheSeedAndTheTitleOfTheScene) {
  const Folder folder;
  ASSERT_TRUE(ended_with(run_moraine(Args{"run", "shaker", "--quiet", "--out", "run"} +
                                         set({"seed=77", "title=A \"quoted\" \u00fc", "time.end=0.001"}),
                                     folder.path()),
                         0));
  EXPECT_EQ(summary_of(folder / "run")["seed"], 77);
  EXPECT_EQ(summary_of(folder / "run")["title"], "A \"quoted\" \u00fc");
}

TEST(Quiet, PrintsNothing) {
  const Folder folder;
  const Ended end = run_moraine({"run", "impact_normal", "--quiet"}, folder.path());
  ASSERT_TRUE(ended_with(end, 0));
  EXPECT_EQ(end.out + end.err, "");
}

TEST(Commands, VersionIsANumber) {
  const Folder folder;
  const Ended end = run_moraine({"--version"}, folder.path());
  ASSERT_TRUE(ended_with(end, 0));
  EXPECT_TRUE(is_version(end.out)) << end.out;
}

TEST(Commands, HelpNamesEveryCommand) {
  const Folder folder;
  const Ended end = run_moraine({"--help"}, folder.path());
  ASSERT_TRUE(ended_with(end, 0));
  for (const char* command : {"run", "check", "resume", "plot", "view", "sweep", "import", "examples", "schema"})
    EXPECT_TRUE(contains(end.out, command)) << command;
}

TEST(Commands, ExamplesListsAllScenesWithTheirTitles) {
  const Folder folder;
  const Ended end = run_moraine({"examples"}, folder.path());
  ASSERT_TRUE(ended_with(end, 0));
  for (const std::string& name : example_names()) {
    EXPECT_TRUE(("\n" + end.out).find("\n" + name + " ") != std::string::npos) << name << " is not in:\n" << end.out;
    EXPECT_TRUE(ended_with(run_moraine({"check", name}, folder.path()), 0));
  }
}

TEST(Commands, SchemaIsValidJsonWithEveryTable) {
  const Folder folder;
  const Ended end = run_moraine({"schema", "--json"}, folder.path());
  ASSERT_TRUE(ended_with(end, 0));
  const Json schema = Json::parse(end.out);
  EXPECT_TRUE(contains(schema.at("$schema").get<std::string>(), "json-schema.org"));
  for (const char* key : {"title", "dimension", "time", "domain", "gravity", "material", "contact", "wall", "body",
                          "fill", "probe", "output", "setup"})
    EXPECT_TRUE(schema.at("properties").contains(key)) << key;
  EXPECT_EQ(schema.at("additionalProperties"), false) << "an editor must see a misspelt key";
}

TEST(Commands, SchemaForReadersNamesEveryKeyWithItsUnit) {
  const Folder folder;
  const Ended end = run_moraine({"schema"}, folder.path());
  ASSERT_TRUE(ended_with(end, 0));
  for (const char* part : {"restitution", "kg/m^3", "checkpoint_every", "walton-braun", "squeeze"})
    EXPECT_TRUE(contains(end.out, part)) << part;
}
