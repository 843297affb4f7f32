// SPDX-License-Identifier: MIT
// The scene that moraine import makes, run as it is.
#include <gtest/gtest.h>

#include "support/sweeps.hpp"

using namespace moraine::testing;

TEST(Import, ThePrintedExampleRunsToItsEndOrToAJam) {
  const Folder folder;
  const std::string input = (fs::path(MORAINE_SOURCE_DIR) / "tests/data/pipe.inp").string();
  ASSERT_TRUE(ended_with(run_moraine({"import", input, "--out", "pipe.toml"}, folder.path()), 0));
  ASSERT_TRUE(ended_with(run_moraine({"check", "pipe.toml"}, folder.path()), 0));
  ASSERT_TRUE(ended_with(run_moraine({"run", "pipe.toml", "--quiet", "--out", "run"}, folder.path()), 0));
  const Json summary = summary_of(folder / "run"), jam = summary.at("probes").at("jam");
  EXPECT_TRUE(summary.at("traffic").at("balanced").get<bool>());
  EXPECT_LT(summary.at("probes").at("overlaps").at("largest_max_overlap").get<double>(), 1e-4) << "of a radius";
  const double end = summary.at("time").get<double>();
  if (jam.at("jammed").get<double>() == 1) {
    const double step =
        summary.at("step").at("size").get<double>();  // at a step after the next look, which is 1 s away at most
    EXPECT_NEAR(jam.at("time").get<double>(), end, 1 + 2 * step) << "a jam ends the run";
  } else {
    EXPECT_NEAR(end, 500, 1e-6);
  }
}

TEST(Import, TheShippedJamMapIsASweepOfItsScene) {
  const Folder folder;
  const Ended end = run_moraine({"sweep", "pipe_jam_map", "--quiet", "--out", "map", "--set", "sweep.seeds=1", "--set",
                                 "time.end=0.1", "--set", "sweep.axis.0.values=[0.4, 0.5]"},
                                folder.path());
  ASSERT_TRUE(ended_with(end, 0));
  EXPECT_FALSE(contains(end.err, "no number")) << "no run jams in 0.1 s, and none has a time" << end.told();
  EXPECT_EQ(csv(folder / "map/table.csv").size(), 1U + 2 * 3 * 2);
}
