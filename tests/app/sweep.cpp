// SPDX-License-Identifier: MIT
// moraine sweep from outside: tables that hold what the runs gave, nothing done twice, and what happens to runs that
// fail. Kills are in sweep_kill.cpp.
#include <gtest/gtest.h>

#include "support/sweeps.hpp"

using namespace moraine::testing;

namespace {

struct Box {
  Folder folder;
  explicit Box(const std::string& sweep = kBoxSweep, const std::string& end = "0.005") {
    put(folder / "scene.toml", random_box(end));
    put(folder / "sweep.toml", sweep);
  }
  Ended sweep(const Args& more = {}) const {
    return run_moraine(Args{"sweep", "sweep.toml", "--out", "out", "--quiet"} + more, folder.path());
  }
  fs::path out() const { return folder / "out"; }
};

}  // namespace

TEST(Sweep, TheTableHoldsWhatTheRunsGive) {
  const Box box;
  ASSERT_TRUE(ended_with(box.sweep(), 0));
  const auto table = csv(box.out() / "table.csv");
  ASSERT_EQ(table.size(), 19U);
  EXPECT_EQ(table[0], (Args{"contact.0.restitution", "fill.0.random_speed [m/s]", "seed", "energy.kinetic", "bodies",
                            "status", "run", "message", "wall [s]"}));
  // Row 3 + 6 + 2: restitution 0.6, speed 2 m/s, seed 2, run by hand.
  const auto& row = table[1 + 6 + 3 + 1];
  EXPECT_EQ(Args(row.begin(), row.begin() + 3), (Args{"0.6", "2", "2"}));
  ASSERT_TRUE(ended_with(run_moraine(Args{"run", "scene.toml", "--out", "alone", "--quiet"} +
                                         set({"contact.0.restitution=0.6", "fill.0.random_speed=2", "seed=2"}),
                                     box.folder.path()),
                         0));
  EXPECT_EQ(std::stod(row[3]), summary_of(box.folder / "alone")["energy"]["kinetic"].get<double>());
  EXPECT_EQ(row[4], "30");
  EXPECT_EQ(row[5], "finished");
  EXPECT_EQ(hash_of(box.out() / "runs" / row[6]), hash_of(box.folder / "alone"));

  const auto cells = csv(box.out() / "cells.csv");
  ASSERT_EQ(cells.size(), 7U);
  double mean = 0;
  for (int s = 0; s < 3; ++s) mean += std::stod(table[static_cast<std::size_t>(1 + 6 + 3 + s)][3]) / 3;
  EXPECT_EQ(cells[4][2], "3");
  EXPECT_NEAR(std::stod(cells[4][5]), mean, 1e-12 * mean);
  for (const char* name : {"map.svg", "map.png", "sweep.toml"}) EXPECT_TRUE(fs::exists(box.out() / name)) << name;
  expect_nothing_half_done(box.out());
}

TEST(Sweep, ASecondCallRepeatsNothing) {
  const Box box;
  ASSERT_TRUE(ended_with(box.sweep(), 0));
  const auto before = done_runs(box.out());
  ASSERT_EQ(before.size(), 18U);
  const std::string table = get(box.out() / "table.csv");
  fs::remove(box.out() / "table.csv");
  fs::remove(box.out() / "map.png");
  ASSERT_TRUE(ended_with(box.sweep(), 0));
  EXPECT_EQ(done_runs(box.out()), before);
  EXPECT_EQ(get(box.out() / "table.csv"), table);
  EXPECT_TRUE(fs::exists(box.out() / "map.png"));
}

// From its folder alone the picture is drawn again: the same bytes, other formats, and what the command line had set.
TEST(Sweep, IsPlottedFromItsFolder) {
  const Box box;
  ASSERT_TRUE(ended_with(box.sweep({"--set", "sweep.seeds=2"}), 0));
  const std::string png = get(box.out() / "map.png");
  fs::remove(box.out() / "map.png");
  fs::remove(box.folder / "scene.toml");
  const auto plot = [&](const Args& more) { return run_moraine(Args{"plot", "out"} + more, box.folder.path()); };
  ASSERT_TRUE(ended_with(plot({}), 0));
  EXPECT_TRUE(get(box.out() / "map.png") == png);
  ASSERT_TRUE(ended_with(plot({"--formats", "pdf,png", "--dpi", "75.5", "--out", "else"}), 0));
  EXPECT_TRUE(fs::exists(box.folder / "else/map.pdf"));
  EXPECT_LT(fs::file_size(box.folder / "else/map.png"), png.size());
  EXPECT_TRUE(refused(plot({"--film"}), {"--film", "that of a sweep"}));
  EXPECT_TRUE(refused(plot({"--formats", "gif"}), {"--formats", "gif"}));
  EXPECT_TRUE(refused(run_moraine({"view", "out", "--no-browser"}, box.folder.path()),
                      {"out", "folder of a sweep", "moraine plot out", "out/runs"}));
  const std::string table = get(box.out() / "table.csv");
  put(box.out() / "table.csv", table.substr(0, table.rfind('\n', table.size() - 2) + 1));
  EXPECT_TRUE(refused(plot({}), {"table.csv", "11 rows", "12 runs"}));
  put(box.out() / "table.csv", table.substr(0, table.size() - 5));
  EXPECT_TRUE(refused(plot({}), {"table.csv:13", "no whole row"}));
  put(box.out() / "table.csv", "a,b\n");
  EXPECT_TRUE(refused(plot({}), {"table.csv:1", "other columns"}));
  fs::remove(box.out() / "table.csv");
  EXPECT_TRUE(refused(plot({}), {"no table.csv yet"}));
}

TEST(Sweep, HowManyAtATimeChangesNothing) {
  const Box box;
  ASSERT_TRUE(ended_with(box.sweep({"--jobs", "1"}), 0));
  const auto one = results_of(box.out());
  fs::rename(box.out(), box.folder / "one");
  ASSERT_TRUE(ended_with(box.sweep({"--jobs", "5"}), 0));
  EXPECT_EQ(results_of(box.out()), one);
}

// More seeds, other values, fewer cells: what is done and still belongs is kept.
TEST(Sweep, AChangedSweepFileKeepsWhatStillBelongs) {
  const Box box;
  ASSERT_TRUE(ended_with(box.sweep(), 0));
  const auto before = done_runs(box.out());
  put(box.folder / "sweep.toml", replaced(replaced(kBoxSweep, "seeds = 3", "seeds = 4"), "0.3, 0.6, 0.9", "0.6, 0.7"));
  ASSERT_TRUE(ended_with(box.sweep(), 0));
  const auto after = done_runs(box.out());
  for (const auto& [name, time] : before) EXPECT_TRUE(after.contains(name) && after.at(name) == time) << name;
  EXPECT_EQ(after.size(), 18U + 2 + 8) << "a fourth seed for two cells, two new cells";
  EXPECT_EQ(csv(box.out() / "table.csv").size(), 1U + 16) << "only the cells of this sweep";
}

TEST(Sweep, AChangedSceneIsRefusedUnlessToldToOverwrite) {
  const Box box;
  ASSERT_TRUE(ended_with(box.sweep(), 0));
  const auto before = done_runs(box.out());
  const std::string table = get(box.out() / "table.csv");
  put(box.folder / "scene.toml", "# a remark changes nothing\n" + random_box("0.005"));
  ASSERT_TRUE(ended_with(box.sweep(), 0));
  EXPECT_EQ(done_runs(box.out()), before);
  put(box.folder / "scene.toml", random_box("0.006"));
  EXPECT_TRUE(refused(box.sweep(), {"18 runs", "has changed", "--overwrite"}));
  EXPECT_EQ(done_runs(box.out()), before);
  EXPECT_EQ(get(box.out() / "table.csv"), table) << "nothing was written";
  ASSERT_TRUE(ended_with(box.sweep({"--overwrite"}), 0));
  const auto after = done_runs(box.out());
  for (const auto& [name, time] : before) EXPECT_NE(after.at(name), time);
  EXPECT_NE(get(box.out() / "table.csv"), table);
  // The same for values of all runs.
  EXPECT_TRUE(refused(box.sweep({"--set", "material.0.density=2600"}), {"18 runs", "has changed"}));
}

TEST(Sweep, SetReachesAllRunsAndTheSweepItself) {
  const Box box;
  ASSERT_TRUE(ended_with(box.sweep({"--set", "fill.0.count=7", "--set", "sweep.seeds=1"}), 0));
  const auto table = csv(box.out() / "table.csv");
  ASSERT_EQ(table.size(), 7U);
  for (std::size_t k = 1; k < table.size(); ++k) EXPECT_EQ(table[k][4], "7");
}

// Of two bodies that are thrown the fast one leaves a domain that none may leave.
TEST(Sweep, ARunThatFailsIsInTheTableAndTheOthersGoOn) {
  const std::string sweep =
      "scene = \"scene.toml\"\nresult = [\"bodies\"]\n[[axis]]\nkey = \"body.0.velocity\"\nvalues = [[0, 0], [300, 0], "
      "[1, 0]]\n";
  const Box box(sweep);
  put(box.folder / "scene.toml", replaced(kSound, "max = [1, 1]\n", "max = [1, 1]\noutside = \"stop\"\n"));
  const Ended end = box.sweep();
  EXPECT_TRUE(ended_with(end, 3));
  EXPECT_TRUE(contains(end.err, "failed: the run with velocity = [300, 0]")) << end.told();
  const auto table = csv(box.out() / "table.csv");
  ASSERT_EQ(table.size(), 4U);
  EXPECT_EQ(table[1][2], "finished");
  EXPECT_EQ(table[2][2], "failed");
  EXPECT_EQ(table[2][1], "");
  EXPECT_TRUE(contains(table[2][4], "left the domain") || contains(table[2][4], "domain")) << table[2][4];
  EXPECT_EQ(table[3][2], "finished");
  const auto cells = csv(box.out() / "cells.csv");
  EXPECT_EQ(cells[2][1] + cells[2][2], "01") << "no run, one failed";
  // Called again it is tried again, and the others are not.
  const auto before = done_runs(box.out());
  EXPECT_TRUE(ended_with(box.sweep(), 3));
  EXPECT_EQ(done_runs(box.out()), before);
}

TEST(Sweep, AResultThatIsInNoSummaryIsWarnedOf) {
  const Box box(replaced(kBoxSweep, "energy.kinetic", "energy.kinetik"));
  const Ended end = box.sweep();
  EXPECT_TRUE(ended_with(end, 0));
  EXPECT_TRUE(contains(end.err, "warning: sweep.toml: there is no number 'energy.kinetik'") &&
              contains(end.err, "did you mean 'energy.kinetic'?"))
      << end.told();
  put(box.folder / "sweep.toml", kBoxSweep);
  const auto before = done_runs(box.out());
  ASSERT_TRUE(ended_with(box.sweep(), 0));
  EXPECT_EQ(done_runs(box.out()), before) << "the runs were good";
  EXPECT_NE(csv(box.out() / "table.csv")[1][3], "");
}

TEST(Sweep, ShippedOnesAreFoundAndListed) {
  const Folder folder;
  const Ended list = run_moraine({"examples"}, folder.path());
  ASSERT_TRUE(ended_with(list, 0));
  EXPECT_TRUE(contains(list.out, "\noblique_impact ") && contains(list.out, "\npipe_jam_map ")) << list.out;
  EXPECT_TRUE(
      refused(run_moraine({"run", "oblique_impact"}, folder.path()), {"is a sweep", "moraine sweep oblique_impact"}));
  EXPECT_TRUE(refused(run_moraine({"sweep", "heap_2d"}, folder.path()), {"is a scene", "moraine run heap_2d"}));
  EXPECT_TRUE(refused(run_moraine({"sweep", "oblique_impct"}, folder.path()), {"did you mean 'oblique_impact'?"}));
  EXPECT_TRUE(everything_in(folder.path()).empty());
}

// (A.69): sliding all the way, the slip that comes back is -1 + 3 mu (1 + e) / tan(angle).
TEST(Sweep, TheShippedSweepOfImpactsFollowsTheClosedForm) {
  const Folder folder;
  ASSERT_TRUE(ended_with(run_moraine({"sweep", "oblique_impact", "--quiet"}, folder.path()), 0));
  const fs::path out = folder / "out/oblique_impact";
  const auto table = csv(out / "table.csv");
  ASSERT_EQ(table.size(), 52U);
  EXPECT_EQ(table[0][0], "setup.angle [deg]");
  int sliding = 0;
  for (std::size_t k = 1; k < table.size(); ++k) {
    const double angle = std::stod(table[k][0]) * std::acos(-1.0) / 180, mu = std::stod(table[k][1]);
    const double slides = -1 + 3 * mu * 1.8 / std::tan(angle), beta = std::stod(table[k][2]);
    EXPECT_NEAR(std::stod(table[k][3]), 0.8, 0.003) << "restitution";
    if (slides > -0.1) continue;  // sticks for a while
    EXPECT_NEAR(beta, slides, 0.003) << table[k][0] << " deg, mu = " << mu;
    ++sliding;
  }
  EXPECT_GT(sliding, 15);
  EXPECT_TRUE(contains(get(out / "map.svg"), "<svg"));
}
