// SPDX-License-Identifier: MIT
// A sweep that is killed or interrupted at any moment, and called again, ends with the table of an unbroken one; what
// was done is not done again, and no run outlives it.
#include <gtest/gtest.h>
#include <signal.h>

#include <algorithm>
#include <chrono>
#include <thread>

#include "io/checkpoint.hpp"
#include "support/sweeps.hpp"

using namespace moraine::testing;

namespace {

// Runs of a tenth of a second or more, with twenty checkpoints each.
struct Long {
  Folder folder;
  Long() {
    put(folder / "scene.toml", random_box("10") + "checkpoint_every = 0.5\n");
    put(folder / "sweep.toml", replaced(replaced(kBoxSweep, "seeds = 3", "seeds = 2"), "0.3, 0.6, 0.9", "0.3, 0.6"));
  }
  Args command(const std::string& out) const { return {"sweep", "sweep.toml", "--out", out, "--quiet", "--jobs", "2"}; }
  Ended whole(const std::string& out) const { return run_moraine(command(out), folder.path()); }
};

void wait_for_end_of(const std::vector<pid_t>& pids) {
  const double begin = seconds_now();
  for (const pid_t pid : pids) {
    while (is_alive(pid) && seconds_now() - begin < 5) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    EXPECT_FALSE(is_alive(pid)) << "a run outlives its sweep";
  }
}

}  // namespace

TEST(SweepKill, AtAnyMomentCostsNothingThatWasDone) {
  const Long l;
  double begin = seconds_now();
  ASSERT_TRUE(ended_with(l.whole("whole"), 0));
  const double seconds = seconds_now() - begin;
  const auto table = results_of(l.folder / "whole");
  ASSERT_EQ(table.size(), 9U);
  int kills = 0, kept = 0, with_runs = 0;
  for (int k = 0; k < 8; ++k) {
    SCOPED_TRACE("kill " + std::to_string(k));
    const std::string out = "broken" + std::to_string(k);
    std::map<std::string, fs::file_time_type> done;
    // Killed again and again, each time a little later, until it ends by itself.
    for (int round = 0; round < 3; ++round) {
      Process process(with_program(l.command(out)), l.folder.path());
      begin = seconds_now();
      const double moment = seconds * (0.05 + 0.11 * k) / (round + 1);
      while (seconds_now() - begin < moment && process.running())
        std::this_thread::sleep_for(std::chrono::microseconds(200));
      if (!process.running()) break;
      const auto children = children_of(process.pid());
      process.send(SIGKILL);
      kills += process.wait().signal == SIGKILL ? 1 : 0;
      with_runs += children.empty() ? 0 : 1;
      wait_for_end_of(children);
      const auto now = done_runs(l.folder / out);
      for (const auto& [name, time] : done) EXPECT_TRUE(now.contains(name) && now.at(name) == time) << name;
      done = now;
    }
    const auto before = done_runs(l.folder / out);
    kept += static_cast<int>(before.size());
    ASSERT_TRUE(ended_with(l.whole(out), 0));
    const auto after = done_runs(l.folder / out);
    for (const auto& [name, time] : before) EXPECT_EQ(after.at(name), time) << name << " was done again";
    EXPECT_EQ(results_of(l.folder / out), table);
    EXPECT_EQ(get(l.folder / out / "cells.csv"), get(l.folder / "whole/cells.csv"));
    EXPECT_EQ(get(l.folder / out / "map.svg"), get(l.folder / "whole/map.svg"));
    expect_nothing_half_done(l.folder / out);
    fs::remove_all(l.folder / out);
  }
  EXPECT_GE(kills, 8) << "too few were killed in time to tell anything";
  EXPECT_GE(with_runs, 6) << "too few had runs going on";
  EXPECT_GE(kept, 8) << "too few runs were done before a kill";
}

// A run that was killed in its middle goes on from its checkpoint.
TEST(SweepKill, ARunGoesOnFromItsCheckpoint) {
  const Long l;
  put(l.folder / "scene.toml", random_box("100") + "checkpoint_every = 1\n");
  put(l.folder / "sweep.toml", "scene = \"scene.toml\"\nseeds = 1\nresult = [\"energy.kinetic\"]\n");
  {
    Process process(with_program(l.command("out")), l.folder.path());
    const double begin = seconds_now();
    std::int64_t steps = 0;
    while (steps < 30000 && process.running() && seconds_now() - begin < 60) {
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
      std::error_code error;
      for (const auto& entry : fs::directory_iterator(l.folder / "out/runs", error)) {
        const fs::path checkpoint = entry.path() / "checkpoint.h5";
        if (fs::exists(checkpoint)) steps = moraine::io::read_checkpoint(checkpoint).count("world.step");
      }
    }
    ASSERT_TRUE(process.running()) << "it has ended too soon: " << steps << " steps";
    process.send(SIGKILL);
    process.wait();
  }
  ASSERT_TRUE(ended_with(l.whole("out"), 0));
  const auto row = csv(l.folder / "out/table.csv").at(1);
  const Json summary = summary_of(l.folder / "out/runs" / row.at(3));
  EXPECT_GT(summary["timings"]["loop_with_earlier_sessions"], summary["timings"]["loop"]) << "it began again";
  ASSERT_TRUE(ended_with(
      run_moraine({"run", "scene.toml", "--set", "seed=1", "--out", "alone", "--quiet"}, l.folder.path()), 0));
  EXPECT_EQ(summary["state_hash"], hash_of(l.folder / "alone"));
}

TEST(SweepKill, ADamagedCheckpointIsNotTheEnd) {
  const Long l;
  ASSERT_TRUE(ended_with(l.whole("whole"), 0));
  ASSERT_TRUE(ended_with(l.whole("out"), 0));
  const std::string name = done_runs(l.folder / "out").begin()->first;
  fs::remove(l.folder / "out/runs" / name / "summary.json");
  put(l.folder / "out/runs" / name / "checkpoint.h5", "nonsense");
  const Ended end = l.whole("out");
  ASSERT_TRUE(ended_with(end, 0));
  EXPECT_TRUE(contains(end.err, "begins again")) << end.told();
  EXPECT_EQ(results_of(l.folder / "out"), results_of(l.folder / "whole"));
}

TEST(SweepKill, InterruptEndsTheRunsAndSaysHowToGoOn) {
  const Long l;
  ASSERT_TRUE(ended_with(l.whole("whole"), 0));
  for (const int signal : {SIGINT, SIGTERM}) {
    SCOPED_TRACE(signal);
    Process process(with_program(l.command("out")), l.folder.path());
    const double begin = seconds_now();
    while (children_of(process.pid()).empty() && process.running() && seconds_now() - begin < 30)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    std::this_thread::sleep_for(std::chrono::milliseconds(30));
    const auto children = children_of(process.pid());
    process.send(signal);
    const Ended end = process.wait();
    ASSERT_TRUE(ended_with(end, 0));
    wait_for_end_of(children);
    EXPECT_TRUE(contains(end.out, "of 8 runs are done; go on with: moraine sweep sweep.toml --out out --jobs 2"))
        << end.told();
    const auto rows = results_of(l.folder / "out");
    ASSERT_EQ(rows.size(), 9U) << "the table of what there is";
    EXPECT_TRUE(
        std::any_of(rows.begin(), rows.end(), [](const auto& r) { return r[5] != "finished" && r[5] != "status"; }));
    ASSERT_TRUE(ended_with(l.whole("out"), 0));
    EXPECT_EQ(results_of(l.folder / "out"), results_of(l.folder / "whole"));
    fs::remove_all(l.folder / "out");
  }
}

TEST(SweepKill, TwoInOneFolderDoNotMix) {
  const Long l;
  Process first(with_program(l.command("out")), l.folder.path());
  const double begin = seconds_now();
  while (!fs::exists(l.folder / "out/sweep.toml") && first.running() && seconds_now() - begin < 30)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  EXPECT_TRUE(refused(l.whole("out"), {"another sweep is going on in this folder"}));
  EXPECT_TRUE(ended_with(first.wait(), 0));
}
