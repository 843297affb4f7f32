// SPDX-License-Identifier: MIT
// Trouble in a run: exit status 3, and the message names the body, the time and what to change.
#include <gtest/gtest.h>

#include "io/checkpoint.hpp"
#include "io/trajectory.hpp"
#include "support/runs.hpp"
#include "support/scenes.hpp"

using namespace moraine::testing;

namespace {

// A fast body hits a soft one that lies still.
const std::string kFastAndSoft = R"(dimension = 2
[time]
end = 0.1
step = 1e-4
[[material]]
name = "jelly"
density = 1000
stiffness = "1e4 N/m"
[[contact]]
restitution = 0.5
[[body]]
position = [0, 0]
radius = 0.1
material = "jelly"
[[body]]
position = [1, 0]
velocity = [-50, 0]
radius = 0.1
material = "jelly"
[[probe]]
kind = "energy"
[output]
checkpoint_every = 0.005
)";

// One body stays, one leaves through the side at 0.05 s, one at 0.08 s.
const std::string kLeaving = R"(dimension = 2
[time]
end = 0.1
step = 1e-4
[domain]
min = [-1, -1]
max = [1, 1]
[[material]]
name = "rock"
density = 1000
stiffness = "1e6 N/m"
[[contact]]
restitution = 0.5
[[body]]
position = [0, 0]
radius = 0.1
material = "rock"
[[body]]
position = [0.5, 0.5]
velocity = [10, 0]
radius = 0.1
material = "rock"
[[body]]
position = [0.5, -0.5]
velocity = [6.25, 0]
radius = 0.1
material = "rock"
[[probe]]
kind = "counts"
)";

}  // namespace

TEST(Trouble, OverlapTooDeepIsToldAndTheRunCanBeLookedAt) {
  const Folder folder;
  put(folder / "scene.toml", kFastAndSoft);
  const Ended end = run_moraine({"run", "scene.toml", "--out", "run"}, folder.path());
  ASSERT_TRUE(ended_with(end, 3));
  EXPECT_TRUE(names_problem(end, {"body 0", "body 1", "overlap", "0.5", "time 0.017"}));
  EXPECT_TRUE(contains(end.err, "what to do:") && contains(end.err, "stiffness") && contains(end.err, "max_overlap"))
      << end.err;
  const Json summary = summary_of(folder / "run");
  EXPECT_EQ(summary["status"], "failed");
  EXPECT_NEAR(summary["time"].get<double>(), 0.017, 0.001);
  EXPECT_EQ(moraine::io::read_checkpoint(folder / "run/checkpoint.h5").count("world.step"), 150)
      << "the last good checkpoint";
  expect_nothing_half_done(folder / "run");
  // The last good checkpoint stands before the trouble: the same end again, by the same bits.
  const Ended again = run_moraine({"resume", "run"}, folder.path());
  EXPECT_TRUE(ended_with(again, 3));
  EXPECT_EQ(again.errors(), end.errors());
}

TEST(Trouble, OverlapWithAWallNamesTheWall) {
  const Folder folder;
  put(folder / "scene.toml",
      replaced(replaced(kSound, "1e6 N/m", "1e3 N/m"), "radius = 0.1", "radius = 0.1\nvelocity = [0, -100]"));
  const Ended end = run_moraine({"run", "scene.toml", "--out", "run"}, folder.path());
  ASSERT_TRUE(ended_with(end, 3));
  EXPECT_TRUE(names_problem(end, {"body 0", "wall", "floor", "overlap", "time 0.00"}));
}

TEST(Trouble, AHigherLimitLetsTheRunGoOn) {
  const Folder folder;
  put(folder / "scene.toml", kFastAndSoft);
  const Ended end =
      run_moraine({"run", "scene.toml", "--out", "run", "--quiet", "--set", "time.max_overlap=1"}, folder.path());
  EXPECT_TRUE(ended_with(end, 3)) << "it goes deeper than its radius";
  EXPECT_TRUE(names_problem(end, {"overlap", "the limit is 1"}));
  EXPECT_TRUE(ended_with(run_moraine({"run", "scene.toml", "--out", "stiff", "--quiet", "--set",
                                      "material.0.stiffness=1e8", "--set", "time.step=1e-5"},
                                     folder.path()),
                         0));
}

TEST(Trouble, ABodyThatLeavesStopsTheRunIfToldSo) {
  const Folder folder;
  put(folder / "scene.toml", kLeaving);
  const Ended end = run_moraine({"run", "scene.toml", "--out", "run", "--set", "domain.outside=stop"}, folder.path());
  ASSERT_TRUE(ended_with(end, 3));
  EXPECT_TRUE(names_problem(end, {"body 1", "left the domain", "time 0.05 s"}));
  EXPECT_TRUE(contains(end.err, "what to do:") && contains(end.err, "domain.outside")) << end.err;
  EXPECT_EQ(summary_of(folder / "run")["status"], "failed");
}

TEST(Trouble, BodiesThatLeaveAreRemovedAndReported) {
  const Folder folder;
  put(folder / "scene.toml", kLeaving);
  const Ended end = run_moraine({"run", "scene.toml", "--out", "run"}, folder.path());
  ASSERT_TRUE(ended_with(end, 0));
  EXPECT_TRUE(contains(end.out, "2 bodies left the domain")) << end.out;
  const Json summary = summary_of(folder / "run");
  EXPECT_EQ(summary["status"], "finished");
  EXPECT_EQ(summary["bodies"], 1);
  EXPECT_EQ(summary["removed"], 2);
  ASSERT_EQ(summary["left_domain"].size(), 2U);
  EXPECT_EQ(summary["left_domain"][0]["id"], 1);
  EXPECT_NEAR(summary["left_domain"][0]["time"].get<double>(), 0.05, 2e-4);
  EXPECT_EQ(summary["left_domain"][1]["id"], 2);
  EXPECT_NEAR(summary["left_domain"][1]["time"].get<double>(), 0.08, 2e-4);
  EXPECT_EQ(summary["probes"]["counts"]["bodies"], 1.0);
  EXPECT_EQ(summary["probes"]["counts"]["removed"], 2.0);
  const moraine::io::TrajectoryReader frames(folder / "run/trajectory.h5");
  EXPECT_EQ(frames.read(0).id, (std::vector<std::int64_t>{0, 1, 2}));
  EXPECT_EQ(frames.read(frames.count() - 1).id, (std::vector<std::int64_t>{0}));
}

TEST(Trouble, ASpeedBeyondAllNumbersIsToldAndTheSummaryStaysValid) {
  const Folder folder;
  put(folder / "scene.toml", replaced(kLeaving, "velocity = [10, 0]", "velocity = [1e300, 0]"));
  const Ended end = run_moraine({"run", "scene.toml", "--out", "run"}, folder.path());
  EXPECT_TRUE(end.status == 2 || end.status == 3) << end.told();
  EXPECT_TRUE(contains(end.err, "body 1") || contains(end.err, "body[1]")) << end.told();
  if (!fs::exists(folder / "run/summary.json")) return;
  const Json energy = summary_of(folder / "run").at("energy");
  for (const auto& [name, value] : energy.items()) EXPECT_TRUE(value.is_number()) << name << " is " << value;
}
