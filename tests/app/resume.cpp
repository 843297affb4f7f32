// SPDX-License-Identifier: MIT
// A run that is broken off, by whatever and whenever, and resumed, is the unbroken run: the same state, the same files.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <chrono>
#include <random>
#include <thread>

#include "io/checkpoint.hpp"
#include "support/kill_at.hpp"
#include "support/runs.hpp"
#include "support/scenes.hpp"

using namespace moraine::testing;

namespace {

const Args kBed =
    Args{"run", "bed_3d"} + set({"setup.count=400", "time.end=0.02", "gravity.acceleration=100", "output.every=0.002",
                                 "output.checkpoint_every=0.0005", "output.dump=true"});

// Bodies rain onto a short floor while the run goes on; some fall off its ends and leave the domain.
const char* const kRain = R"(title = "Rain"
dimension = 2
seed = 11
[time]
end = 0.6
step = 1e-4
[domain]
min = [-0.3, -0.2]
max = [0.3, 0.6]
[gravity]
[[material]]
name = "grain"
density = 1000
stiffness = 1e5
[[contact]]
restitution = 0.5
friction = 0.4
[[wall]]
name = "floor"
material = "grain"
from = [-0.1, 0]
to = [0.1, 0]
[wall.oscillation]
amplitude = [0.002, 0]
frequency = 20
[[fill]]
method = "rain"
material = "grain"
radius = 0.01
spread = 0.3
count = 60
batch = 5
every = 0.02
min = [-0.15, 0.1]
max = [0.15, 0.3]
velocity = [0.3, -1]
[[probe]]
kind = "energy"
[[probe]]
kind = "counts"
[[probe]]
kind = "coordination"
[[probe]]
kind = "walls"
[[probe]]
kind = "bodies"
ids = [0]
[[probe]]
kind = "contacts"
wall = "floor"
body = 0
[[probe]]
kind = "profile"
windows = [[0.05, 0.25], [0.2, 0.45], [0.4, 0.7]]
[output]
every = 0.05
dump = true
)";

struct Rain {
  Folder folder;
  Rain() { put(folder / "rain.toml", kRain); }
  Ended unbroken(const Args& more = {}) const {
    return run_moraine(Args{"run", "rain.toml", "--out", "whole", "--quiet", "--threads", "1"} + more, folder.path());
  }
};

Ended resume(const fs::path& run, int threads) {
  return run_moraine({"resume", run.string(), "--quiet", "--threads", std::to_string(threads)}, run.parent_path());
}

// Lets a process run for a while, then kills it. False: it had ended before.
bool kill_after(double seconds, const Args& args, const fs::path& folder) {
  Process process(with_program(args), folder);
  const double begin = seconds_now();
  while (seconds_now() - begin < seconds && process.running())
    std::this_thread::sleep_for(std::chrono::microseconds(200));
  if (!process.running()) return false;
  process.send(SIGKILL);
  return process.wait().signal == SIGKILL;
}

// Ten runs, killed at moments spread over the time the whole run took; every third is killed once more while it is
// resumed.
void expect_kills_do_not_matter(const Args& run, const Folder& folder, const fs::path& whole, double seconds) {
  std::mt19937_64 random(2024);
  int kills = 0;
  for (int k = 0; k < 10; ++k) {
    SCOPED_TRACE("kill " + std::to_string(k));
    double moment = seconds * (k + std::uniform_real_distribution<>(0, 1)(random)) / 10;
    const fs::path out = folder / ("broken" + std::to_string(k));
    const Args args = run + Args{"--out", out.string(), "--quiet", "--threads", std::to_string(1 + k % 3)};
    bool killed = kill_after(moment, args, folder.path());
    // The machine may be faster now than when we took the time.
    for (int tries = 0; !killed && tries < 4; ++tries) {
      fs::remove_all(out);
      killed = kill_after(moment *= 0.6, args, folder.path());
    }
    kills += killed ? 1 : 0;
    if (!fs::exists(out / "scene.toml")) continue;  // killed before it had begun
    if (k % 3 == 0) kill_after(0.5 * moment, {"resume", out.string(), "--quiet", "--threads", "2"}, folder.path());
    ASSERT_TRUE(ended_with(resume(out, 1 + (k + 1) % 3), 0));
    expect_same_run(whole, out);
    fs::remove_all(out);
  }
  EXPECT_GE(kills, 8) << "too few were killed in time to tell anything";
}

}  // namespace

// Windows that had ended, were going on, or had not begun when the run was made longer.
TEST(Resume, TablesOfALongerRunAreThoseOfAnUnbrokenOne) {
  const Rain rain;
  const auto run = [&](const char* out, const char* end) {
    return run_moraine(Args{"run", "rain.toml", "--quiet", "--out", out} + set({"probe.6.row_every=0.003", end}),
                       rain.folder.path());
  };
  ASSERT_TRUE(ended_with(run("whole", "time.end=0.6"), 0));
  ASSERT_TRUE(ended_with(run("part", "time.end=0.3"), 0));
  EXPECT_TRUE(fs::exists(rain.folder / "part/series/profile_2.csv"));
  EXPECT_FALSE(fs::exists(rain.folder / "part/series/profile_3.csv"));
  const auto resume_to = [&](const char* end) {
    return run_moraine(Args{"resume", "part", "--quiet"} + set({end}), rain.folder.path());
  };
  // A table from after the checkpoint, of a session that was killed, is none of this run's.
  put(rain.folder / "part/series/profile_3.csv", "y [m]\n1\n");
  ASSERT_TRUE(ended_with(resume_to("time.end=0.35"), 0));
  EXPECT_FALSE(fs::exists(rain.folder / "part/series/profile_3.csv"));
  ASSERT_TRUE(ended_with(resume_to("time.end=0.6"), 0));
  for (const char* name : {"profile", "profile_1", "profile_2", "profile_3"}) {
    const std::string file = std::string("series/") + name + ".csv";
    EXPECT_TRUE(get(rain.folder / "part" / file) == get(rain.folder / "whole" / file)) << file;
  }
}

TEST(Resume, AfterKillsAtRandomMoments) {
  const Folder folder;
  const double begin = seconds_now();
  ASSERT_TRUE(ended_with(run_moraine(kBed + Args{"--out", "whole", "--quiet", "--threads", "1"}, folder.path()), 0));
  const double seconds = seconds_now() - begin;
  EXPECT_GT(summary_of(folder / "whole")["contacts"], 100) << "nothing much happens in this run";
  expect_kills_do_not_matter(kBed, folder, folder / "whole", seconds);
}

TEST(Resume, AfterKillsOfARunThatFillsAtRandom) {
  const Rain rain;
  const Args checkpoints = set({"output.checkpoint_every=0.01"});
  const double begin = seconds_now();
  ASSERT_TRUE(ended_with(rain.unbroken(checkpoints), 0));
  const double seconds = seconds_now() - begin;
  const Json summary = summary_of(rain.folder / "whole");
  EXPECT_GT(summary["removed"], 3);
  EXPECT_GT(summary["bodies"], 3);
  expect_kills_do_not_matter(Args{"run", "rain.toml"} + checkpoints, rain.folder, rain.folder / "whole", seconds);
}

// Random arrivals, departures, the exact sums of both, averages of probes.
TEST(Resume, AfterKillsOfARiverOfIce) {
  const Folder folder;
  const Args river =
      Args{"run", "river_ice"} + set({"time.end=1500", "outlet.0.at=[1000, 0]", "output.checkpoint_every=50"});
  const double begin = seconds_now();
  ASSERT_TRUE(ended_with(run_moraine(river + Args{"--out", "whole", "--quiet", "--threads", "1"}, folder.path()), 0));
  const double seconds = seconds_now() - begin;
  const Json traffic = summary_of(folder / "whole")["traffic"];
  EXPECT_GT(traffic["came"]["number"], 50);
  EXPECT_GT(traffic["went"]["number"], 50);
  EXPECT_EQ(traffic["balanced"], true);
  expect_kills_do_not_matter(river, folder, folder / "whole", seconds);
}

// Without output.checkpoint_every this is how most runs look in their first minutes.
TEST(Resume, WhereTheOnlyCheckpointIsThatOfTheStart) {
  const Rain rain;
  const Args bed =
      set({"setup.count=400", "time.end=0.002", "gravity.acceleration=300", "output.checkpoint_minutes=99"});
  for (const Args& run : {Args{"run", "rain.toml"}, Args{"run", "bed_3d"} + bed}) {
    SCOPED_TRACE(run[1]);
    for (const char* name : {"whole", "traced", "broken"}) fs::remove_all(rain.folder / name);
    ASSERT_TRUE(ended_with(run_moraine(run + Args{"--out", "whole", "--quiet"}, rain.folder.path()), 0));
    const Traced whole = run_and_kill(run + Args{"--out", "traced"}, rain.folder.path(), 0);
    if (!whole.possible) GTEST_SKIP() << "this system does not let one process trace another";
    ASSERT_TRUE(run_and_kill(run + Args{"--out", "broken"}, rain.folder.path(), whole.operations / 2).killed);
    ASSERT_EQ(moraine::io::read_checkpoint(rain.folder / "broken/checkpoint.h5").count("world.step"), 0);
    ASSERT_TRUE(ended_with(resume(rain.folder / "broken", 2), 0));
    expect_same_run(rain.folder / "whole", rain.folder / "broken");
  }
}

// Killed right after the start: all there is, is the scene, with a step that nobody has given.
TEST(Resume, WhereThereIsNoCheckpointYet) {
  for (const Args& run : {Args{"run", "river_ice"} + set({"time.end=40"}),
                          Args{"run", "bed_3d"} + set({"setup.count=100", "time.end=0.0005"})}) {
    const Folder folder;
    SCOPED_TRACE(run[1]);
    ASSERT_TRUE(ended_with(run_moraine(run + Args{"--out", "whole", "--quiet"}, folder.path()), 0));
    fs::create_directory(folder / "broken");
    fs::copy_file(folder / "whole/scene.toml", folder / "broken/scene.toml");
    ASSERT_TRUE(ended_with(resume(folder / "broken", 2), 0));
    expect_same_run(folder / "whole", folder / "broken");
    EXPECT_EQ(summary_of(folder / "broken")["step"]["automatic"], summary_of(folder / "whole")["step"]["automatic"]);
    // Another step is one that somebody has given.
    const double step = summary_of(folder / "whole")["step"]["size"];
    ASSERT_TRUE(ended_with(run_moraine({"run", "whole/scene.toml", "--out", "other", "--quiet", "--set",
                                        fmt::format("time.step={:.6g}", step / 2)},
                                       folder.path()),
                           0));
    EXPECT_EQ(summary_of(folder / "other")["step"]["automatic"], false);
  }
}

// Every moment at which the disk looks different: also in the middle of a checkpoint, a frame, or the very beginning.
TEST(Resume, AfterAKillBetweenAnyTwoChangesOfTheDisk) {
  const Rain rain;
  const Args values = set({"time.end=0.2", "output.checkpoint_every=0.03"});
  ASSERT_TRUE(ended_with(rain.unbroken(values), 0));
  const auto killed_run = [&](const char* out, int n) {
    return run_and_kill(Args{"run", "rain.toml", "--out", out} + values, rain.folder.path(), n);
  };
  const Traced whole = killed_run("traced", 0);
  if (!whole.possible) GTEST_SKIP() << "this system does not let one process trace another";
  ASSERT_EQ(whole.status, 0);
  ASSERT_GT(whole.operations, 60);
  expect_same_run(rain.folder / "whole", rain.folder / "traced");
  // All of the first and the last ones, and a sample of those between.
  for (int n = 1; n <= whole.operations; n += n < 16 || n > whole.operations - 8 ? 1 : 5) {
    SCOPED_TRACE("killed before change " + std::to_string(n) + " of " + std::to_string(whole.operations));
    const fs::path out = rain.folder / "broken";
    fs::remove_all(out);
    ASSERT_TRUE(killed_run("broken", n).killed);
    if (fs::exists(out / "scene.toml")) {
      ASSERT_TRUE(ended_with(resume(out, 1 + n % 2), 0));
    } else {  // nothing to resume: then it must be possible to begin again
      ASSERT_TRUE(ended_with(
          run_moraine(Args{"run", "rain.toml", "--out", "broken", "--quiet"} + values, rain.folder.path()), 0));
    }
    expect_same_run(rain.folder / "whole", out);
    if (HasFailure()) break;
  }
}

// The same where an earlier run is replaced: the folder never becomes one that Moraine calls a stranger's.
TEST(Resume, AfterAKillWhileAnEarlierRunIsReplaced) {
  const Rain rain;
  const Args values = set({"time.end=0.05", "output.checkpoint_every=0.03"});
  ASSERT_TRUE(ended_with(rain.unbroken(values), 0));
  const Args again = Args{"run", "rain.toml", "--out", "replaced", "--overwrite"} + values;
  const auto earlier = [&] {
    fs::remove_all(rain.folder / "replaced");
    return run_moraine(Args{"run", "impact_normal", "--out", "replaced", "--quiet"}, rain.folder.path());
  };
  ASSERT_TRUE(ended_with(earlier(), 0));
  const fs::path saved = rain.folder / "saved";
  fs::copy(rain.folder / "replaced", saved, fs::copy_options::recursive);
  const Traced whole = run_and_kill(again, rain.folder.path(), 0);
  if (!whole.possible) GTEST_SKIP() << "this system does not let one process trace another";
  for (int n = 1; n <= whole.operations; n += n < 200 ? 9 : 5) {
    SCOPED_TRACE("killed before change " + std::to_string(n) + " of " + std::to_string(whole.operations));
    fs::remove_all(rain.folder / "replaced");
    fs::copy(saved, rain.folder / "replaced", fs::copy_options::recursive);
    ASSERT_TRUE(run_and_kill(again, rain.folder.path(), n).killed);
    ASSERT_TRUE(ended_with(run_moraine(again + Args{"--quiet"}, rain.folder.path()), 0));
    expect_same_run(rain.folder / "whole", rain.folder / "replaced");
    if (HasFailure()) break;
  }
}

TEST(Resume, AFinishedRunChangesNothing) {
  const Rain rain;
  const Args values = set({"time.end=0.1"});
  ASSERT_TRUE(ended_with(rain.unbroken(values), 0));
  fs::copy(rain.folder / "whole", rain.folder / "copy", fs::copy_options::recursive);
  ASSERT_TRUE(ended_with(resume(rain.folder / "copy", 2), 0));
  expect_same_run(rain.folder / "whole", rain.folder / "copy");
}

// What the summary says of the step and of the work done is of the whole run, not of its last part.
TEST(Resume, KeepsTheStatisticsOfTheWholeRun) {
  const Folder folder;
  const Args run = Args{"run", "bed_3d"} +
                   set({"setup.count=400", "time.end=0.005", "output.every=0.001", "output.checkpoint_every=0.0005"});
  ASSERT_TRUE(ended_with(run_moraine(run + Args{"--quiet", "--out", "whole"}, folder.path()), 0));
  const Traced traced = run_and_kill(run + Args{"--out", "traced"}, folder.path(), 0);
  if (!traced.possible) GTEST_SKIP() << "this system does not let one process trace another";
  ASSERT_TRUE(run_and_kill(run + Args{"--out", "broken"}, folder.path(), traced.operations * 2 / 3).killed);
  const double earlier = moraine::io::read_checkpoint(folder / "broken/checkpoint.h5").number("run.loop_seconds");
  EXPECT_GT(earlier, 0) << "the time spent before the kill is forgotten";
  ASSERT_TRUE(ended_with(resume(folder / "broken", 1), 0));
  const Json a = summary_of(folder / "whole"), b = summary_of(folder / "broken");
  EXPECT_TRUE(a["step"] == b["step"]) << Json::diff(a["step"], b["step"]).dump(1);
  EXPECT_EQ(moraine::io::read_checkpoint(folder / "whole/checkpoint.h5").number("run.body_steps"),
            moraine::io::read_checkpoint(folder / "broken/checkpoint.h5").number("run.body_steps"));
}

TEST(Resume, ToALaterEndIsTheLongerRun) {
  const Folder folder;
  const Args values = set({"setup.count=400", "gravity.acceleration=100", "output.every=0.001"});
  const auto run = [&](const char* out, const char* end) {
    return run_moraine(Args{"run", "bed_3d", "--quiet", "--out", out} + values + set({end}), folder.path());
  };
  ASSERT_TRUE(ended_with(run("long", "time.end=0.006"), 0));
  ASSERT_TRUE(ended_with(run("short", "time.end=0.003"), 0));
  ASSERT_NE(hash_of(folder / "long"), hash_of(folder / "short"));
  ASSERT_TRUE(ended_with(run_moraine({"resume", "short", "--quiet", "--set", "time.end=0.006"}, folder.path()), 0));
  EXPECT_EQ(hash_of(folder / "long"), hash_of(folder / "short"));
  EXPECT_EQ(summary_of(folder / "long")["steps"], summary_of(folder / "short")["steps"]);
}

// Whatever happens in a step - contacts that close, slide, latch or open - a checkpoint after it holds it.
TEST(Resume, FromACheckpointAtAnyStep) {
  for (const char* law : {"linear", "walton-braun"}) {
    const Folder folder;
    const auto run = [&](const std::string& out, int steps) {
      return run_moraine(
          Args{"run", "bed_3d", "--quiet", "--threads", "1", "--out", out} +
              set({"setup.count=300", "gravity.acceleration=2000", "output.trajectory=false", "output.vtk=false",
                   "contact.0.normal=" + std::string(law), "time.end=" + std::to_string(3e-6 * steps)}),
          folder.path());
    };
    ASSERT_TRUE(ended_with(run("whole", 700), 0));
    for (int steps = 600; steps < 615; ++steps) {
      const std::string out = std::to_string(steps);
      ASSERT_TRUE(ended_with(run(out, steps), 0));
      ASSERT_EQ(summary_of(folder / out)["steps"], steps);
      ASSERT_GT(summary_of(folder / out)["contacts"], 100) << "too little happens";
      ASSERT_TRUE(ended_with(
          run_moraine({"resume", out, "--quiet", "--threads", "1", "--set", "time.end=0.0021"}, folder.path()), 0));
      ASSERT_EQ(hash_of(folder / out), hash_of(folder / "whole")) << law << ", broken at step " << steps;
    }
  }
}

// A body that has just left is still in memory when the checkpoint is written; it must not come back, nor leave twice.
TEST(Resume, FromTheStepAtWhichABodyLeft) {
  const Rain rain;
  const auto run = [&](const char* out, double end) {
    return run_moraine(Args{"run", "rain.toml", "--quiet", "--out", out} + set({"time.end=" + std::to_string(end)}),
                       rain.folder.path());
  };
  ASSERT_TRUE(ended_with(run("whole", 0.25), 0));
  const Json whole = summary_of(rain.folder / "whole");
  ASSERT_GE(whole["left_domain"].size(), 2U);
  const double moment = whole["left_domain"][0]["time"].get<double>();
  ASSERT_TRUE(ended_with(run("part", moment), 0));
  ASSERT_EQ(summary_of(rain.folder / "part")["removed"], 1) << "not the moment at which it leaves";
  ASSERT_TRUE(ended_with(run_moraine({"resume", "part", "--quiet", "--set", "time.end=0.25"}, rain.folder.path()), 0));
  const Json part = summary_of(rain.folder / "part");
  for (const char* key : {"state_hash", "left_domain", "removed", "bodies"}) EXPECT_EQ(part[key], whole[key]) << key;
}

// The last that was known of a body that has left stays in the summary.
TEST(Resume, ARunThatWatchedABodyThatHasLeft) {
  const Rain rain;
  const auto run = [&](const char* out, const char* end) {
    return run_moraine(Args{"run", "rain.toml", "--quiet", "--out", out} + set({"probe.4.ids=[3]", end}),
                       rain.folder.path());
  };
  ASSERT_TRUE(ended_with(run("whole", "time.end=0.25"), 0));
  ASSERT_EQ(summary_of(rain.folder / "whole")["left_domain"][0]["id"], 3) << "another one leaves first";
  EXPECT_EQ(summary_of(rain.folder / "whole")["probes"]["bodies"].size(), 5U);
  ASSERT_TRUE(ended_with(run("part", "time.end=0.2"), 0));
  ASSERT_TRUE(ended_with(run_moraine({"resume", "part", "--quiet", "--set", "time.end=0.25"}, rain.folder.path()), 0));
  EXPECT_EQ(summary_of(rain.folder / "part")["probes"]["bodies"].size(), 5U) << "forgotten where it was last seen";
}

TEST(Resume, ARunThatWatchesBodiesOfAFill) {
  const Folder folder;
  put(folder / "scene.toml", kSound + "[[fill]]\nmethod = \"lattice\"\nmaterial = \"rock\"\nradius = 0.01\n" +
                                 "min = [0.5, 0.5]\nmax = [0.9, 0.9]\n[[probe]]\nkind = \"bodies\"\nids = [0, 5]\n");
  ASSERT_TRUE(ended_with(run_moraine({"run", "scene.toml", "--quiet", "--out", "run"}, folder.path()), 0));
  EXPECT_TRUE(ended_with(resume(folder / "run", 1), 0));
}

TEST(Resume, ARunFilledFromAFileThatIsNoLongerThere) {
  const Folder folder;
  put(folder / "scene.toml",
      kWithoutBodies + "[[fill]]\nmethod = \"table\"\nmaterial = \"rock\"\nfile = \"data.csv\"\n");
  put(folder / "data.csv", "x,y,radius\n0.1,0.5,0.05\n0.3,0.5,0.05\n");
  ASSERT_TRUE(ended_with(run_moraine({"run", "scene.toml", "--quiet", "--out", "run"}, folder.path()), 0));
  const std::string hash = hash_of(folder / "run");
  fs::remove(folder / "data.csv");
  EXPECT_TRUE(ended_with(resume(folder / "run", 1), 0));
  EXPECT_EQ(hash_of(folder / "run"), hash);
}

TEST(Resume, ARunWithAFractionOfTheContactTime) {
  const Folder folder;
  const Args run = Args{"run", "heap_2d"} + set({"time.end=0.1", "time.fraction=0.02", "output.checkpoint_every=0.01"});
  ASSERT_TRUE(ended_with(run_moraine(run + Args{"--quiet", "--out", "whole"}, folder.path()), 0));
  const Traced traced = run_and_kill(run + Args{"--out", "traced"}, folder.path(), 0);
  if (!traced.possible) GTEST_SKIP() << "this system does not let one process trace another";
  ASSERT_TRUE(run_and_kill(run + Args{"--out", "broken"}, folder.path(), traced.operations / 2).killed);
  ASSERT_TRUE(ended_with(resume(folder / "broken", 2), 0));
  expect_same_run(folder / "whole", folder / "broken");
}

// ---- every example can be resumed

namespace {
class ResumeExample : public ::testing::TestWithParam<std::string> {};
}  // namespace

TEST_P(ResumeExample, IsTheUnbrokenRun) {
  const Folder folder;
  const Args values = shortened(GetParam());
  const auto [steps, end] = steps_and_end(run_moraine(Args{"check", GetParam()} + values, folder.path()).out);
  const Args run = Args{"run", GetParam()} + values + set({"output.checkpoint_every=" + std::to_string(0.1 * end)});
  const Traced traced = run_and_kill(run + Args{"--out", "whole"}, folder.path(), 0);
  if (!traced.possible) GTEST_SKIP() << "this system does not let one process trace another";
  const int n = static_cast<int>(0.6 * traced.operations);
  SCOPED_TRACE("killed before change " + std::to_string(n) + " of " + std::to_string(traced.operations));
  ASSERT_TRUE(run_and_kill(run + Args{"--out", "broken"}, folder.path(), n).killed);
  ASSERT_TRUE(ended_with(resume(folder / "broken", 3), 0));
  expect_same_run(folder / "whole", folder / "broken");
}

INSTANTIATE_TEST_SUITE_P(Shipped, ResumeExample, ::testing::ValuesIn(example_names()),
                         [](const auto& instance) { return instance.param; });
