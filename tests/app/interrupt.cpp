// SPDX-License-Identifier: MIT
// Ctrl-C and SIGTERM: a checkpoint, a word on how to go on, and nothing lost.
#include <gtest/gtest.h>
#include <signal.h>

#include <chrono>
#include <thread>

#include "io/checkpoint.hpp"
#include "support/runs.hpp"

using namespace moraine::testing;

namespace {

const Args kLong = Args{"run", "bed_3d"} + set({"setup.count=600", "time.end=0.02", "gravity.acceleration=100",
                                                "output.every=0.001", "output.checkpoint_minutes=99"});

Ended interrupted(int signal, const Folder& folder, const Args& more = {}) {
  Process process(with_program(kLong + Args{"--out", "broken"} + more), folder.path());
  const double begin = seconds_now();
  while (!fs::exists(folder / "broken/frames/bodies_000004.vtp") && process.running() && seconds_now() - begin < 30)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  process.send(signal);
  return process.wait();
}

}  // namespace

TEST(Interrupt, WritesACheckpointAndResumesToTheUnbrokenRun) {
  const Folder folder;
  ASSERT_TRUE(ended_with(run_moraine(kLong + Args{"--out", "whole", "--quiet"}, folder.path()), 0));
  for (const int signal : {SIGINT, SIGTERM}) {
    SCOPED_TRACE(signal);
    const Ended end = interrupted(signal, folder);
    ASSERT_TRUE(ended_with(end, 0));
    EXPECT_TRUE(contains(end.out, "moraine resume broken")) << end.told();
    const Json summary = summary_of(folder / "broken");
    EXPECT_EQ(summary["status"], "interrupted");
    const std::int64_t step = moraine::io::read_checkpoint(folder / "broken/checkpoint.h5").count("world.step");
    EXPECT_EQ(summary["steps"], step);
    EXPECT_GT(step, 1000) << "the checkpoint is an old one";
    EXPECT_LT(step, 6667);
    expect_nothing_half_done(folder / "broken");
    ASSERT_TRUE(ended_with(run_moraine({"resume", "broken", "--quiet", "--threads", "1"}, folder.path()), 0));
    EXPECT_EQ(summary_of(folder / "broken")["status"], "finished");
    expect_same_run(folder / "whole", folder / "broken");
    fs::remove_all(folder / "broken");
  }
}

TEST(Interrupt, SaysHowToGoOnWithTheFolderAsTyped) {
  const Folder folder;
  const Ended end = interrupted(SIGINT, folder, {"--quiet"});
  ASSERT_TRUE(ended_with(end, 0));
  const auto at = end.out.find("moraine resume ");
  ASSERT_NE(at, std::string::npos) << end.told();
  const std::string typed = end.out.substr(at + 15, end.out.find('\n', at) - at - 15);
  const Ended resumed = run_moraine({"resume", typed, "--set", "time.end=0.015"}, folder.path());
  EXPECT_TRUE(ended_with(resumed, 0));
}

TEST(Interrupt, TwiceAndResumedTwice) {
  const Folder folder;
  ASSERT_TRUE(ended_with(run_moraine(kLong + Args{"--out", "whole", "--quiet"}, folder.path()), 0));
  ASSERT_TRUE(ended_with(interrupted(SIGINT, folder), 0));
  {
    Process process(with_program({"resume", "broken", "--quiet"}), folder.path());
    const double begin = seconds_now();
    while (!fs::exists(folder / "broken/frames/bodies_000012.vtp") && process.running() && seconds_now() - begin < 30)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    process.send(SIGINT);
    const Ended end = process.wait();
    ASSERT_TRUE(ended_with(end, 0));
    EXPECT_TRUE(contains(end.out, "moraine resume broken")) << end.told();
    EXPECT_EQ(summary_of(folder / "broken")["status"], "interrupted");
  }
  ASSERT_TRUE(ended_with(run_moraine({"resume", "broken", "--quiet"}, folder.path()), 0));
  expect_same_run(folder / "whole", folder / "broken");
}
