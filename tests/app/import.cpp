// SPDX-License-Identifier: MIT
// The scene that moraine import makes, run as it is.
#include <gtest/gtest.h>

#include "support/sweeps.hpp"

using namespace moraine::testing;

namespace {

bool scenes_have(const char* table) {
  const Folder folder;
  return Json::parse(run_moraine({"schema", "--json"}, folder.path()).out).at("properties").contains(table);
}

}  // namespace

TEST(Import, ThePrintedExampleRunsToItsEndOrToAJam) {
  if (!scenes_have("inlet") || !scenes_have("outlet") || !scenes_have("flow"))
    GTEST_SKIP() << "this version has no inlets, outlets or streams";
  const Folder folder;
  const std::string input = (fs::path(MORAINE_SOURCE_DIR) / "tests/data/pipe.inp").string();
  ASSERT_TRUE(ended_with(run_moraine({"import", input, "--out", "pipe.toml"}, folder.path()), 0));
  ASSERT_TRUE(ended_with(run_moraine({"check", "pipe.toml"}, folder.path()), 0));
  ASSERT_TRUE(ended_with(run_moraine({"run", "pipe.toml", "--quiet", "--out", "run"}, folder.path()), 0));
  const Json summary = summary_of(folder / "run"), jam = summary.at("probes").at("jam");
  const double end = summary.at("time").get<double>();
  if (jam.at("jammed").get<double>() == 1) {
    EXPECT_NEAR(jam.at("time").get<double>(), end, 1) << "a jam ends the run";
  } else {
    EXPECT_NEAR(end, 500, 1e-6);
  }
}

TEST(Import, TheShippedJamMapIsASweepOfItsScene) {
  if (!fs::exists(examples_folder() / "pipe_jam.toml")) GTEST_SKIP() << "this version has no scene pipe_jam";
  const Folder folder;
  const Ended end = run_moraine({"sweep", "pipe_jam_map", "--quiet", "--out", "map", "--set", "sweep.seeds=1", "--set",
                                 "time.end=0.1", "--set", "sweep.axis.0.values=[0.4, 0.5]"},
                                folder.path());
  ASSERT_TRUE(ended_with(end, 0));
  EXPECT_FALSE(contains(end.err, "no number 'probes.jam.jammed'")) << end.told();
  EXPECT_EQ(csv(folder / "map/table.csv").size(), 1U + 2 * 4 * 2);
}
