// SPDX-License-Identifier: MIT
// The command line: --set, --out, --threads, and commands that are none.
#include <gtest/gtest.h>

#include "support/program.hpp"
#include "support/runs.hpp"
#include "support/scenes.hpp"

using namespace moraine::testing;

namespace {

Ended check_with(const std::string& scene, const Args& values) {
  const Folder folder;
  if (!contains(scene, "\n")) return run_moraine(Args{"check", scene} + set(values), folder.path());
  put(folder / "scene.toml", scene);
  return run_moraine(Args{"check", "scene.toml"} + set(values), folder.path());
}

// All files below a folder with their bytes and times: whether anything was touched.
std::map<std::string, std::string> state_of(const fs::path& folder) {
  auto files = files_of(folder);
  for (auto& [name, bytes] : files)
    bytes += "\nwritten at " + std::to_string(fs::last_write_time(folder / name).time_since_epoch().count());
  for (const std::string& name : everything_in(folder)) files.try_emplace(name, "folder");
  return files;
}

}  // namespace

TEST(Set, WithoutEqualsIsRefused) {
  EXPECT_TRUE(refused(check_with(kSound, {"time.end"}), {"--set", "time.end", "'='"}));
}

TEST(Set, TakesThePlaceOfTheOtherOfTwoKeysInTheFile) {
  const std::string steps = replaced(kSound, "end = 0.01", "steps = 10\nfraction = 0.05");
  EXPECT_TRUE(ended_with(check_with(steps, {"time.end=0.02", "time.step=1e-4"}), 0));
  EXPECT_TRUE(ended_with(check_with(kSound, {"time.steps=5"}), 0));
  EXPECT_TRUE(refused(check_with(kSound, {"time.steps=5", "time.end=1"}), {"time", "'end' and 'steps'"}));
}

TEST(Set, OfUnknownKeysIsRefusedWithTheNearest) {
  EXPECT_TRUE(refused(check_with(kSound, {"time.stepp=1e-6"}), {"--set", "time.stepp", "did you mean 'step"}));
  EXPECT_TRUE(refused(check_with(kSound, {"nonsense=1"}), {"--set", "nonsense", "unknown"}));
  EXPECT_TRUE(refused(check_with(kSound, {"body.0.raduis=1"}), {"--set", "body[0].raduis", "'radius'"}));
  EXPECT_TRUE(refused(check_with(kSound, {"body.3.radius=1"}), {"--set", "3", "1 entry"}));
  EXPECT_TRUE(refused(check_with(kSound, {"wall.flor.to=[1,1]"}), {"--set", "flor", "floor"}));
  EXPECT_TRUE(refused(check_with(kSound, {"=1"}), {"--set", "=1"}));
  EXPECT_TRUE(refused(check_with(kSound, {"."}), {"--set"}));
  EXPECT_TRUE(refused(check_with(kSound, {"body..radius=1"}), {"--set", "body..radius"}));
}

TEST(Set, OfBadValuesIsRefused) {
  EXPECT_TRUE(refused(check_with(kSound, {"time.end=soon"}), {"--set", "time.end", "soon", "a time (s)"}));
  EXPECT_TRUE(refused(check_with(kSound, {"time.end=5 kg"}), {"--set", "time.end", "5 kg", "mass"}));
  EXPECT_TRUE(refused(check_with(kSound, {"body.0.radius=-1"}), {"--set", "body[0].radius", "-1", "> 0"}));
  EXPECT_TRUE(refused(check_with(kSound, {"body.0.radius=nan"}), {"--set", "body[0].radius", "nan", "finite"}));
  EXPECT_TRUE(refused(check_with(kSound, {"body.0.position=[0]"}), {"--set", "body[0].position", "1 entry"}));
  EXPECT_TRUE(refused(check_with(kSound, {"body.0.fixed=maybe"}), {"--set", "body[0].fixed", "maybe"}));
  EXPECT_TRUE(refused(check_with(kSound, {"body=7"}), {"--set", "body", "7"}));
  EXPECT_TRUE(refused(check_with(kSound, {"time.end="}), {"--set", "time.end"}));
}

TEST(Set, TellsAllBadValuesAtOnce) {
  const Ended end = check_with(kSound, {"time.end=-1", "body.0.radius=x", "contact.0.restitution=0", "a=1"});
  EXPECT_TRUE(ended_with(end, 2));
  EXPECT_EQ(end.errors().size(), 4U) << end.told();
}

// What the file lacks or has wrong, --set can give.
TEST(Set, MendsAFile) {
  EXPECT_TRUE(ended_with(check_with(replaced(kSound, "end = 0.01\n", ""), {"time.end=0.01"}), 0));
  EXPECT_TRUE(ended_with(check_with(replaced(kSound, "radius = 0.1\n", ""), {"body.0.radius=0.1"}), 0));
  EXPECT_TRUE(ended_with(check_with(replaced(kSound, "to = [1, 0]", "to = [1, 0, 0]"), {"wall.0.to=[1, 0]"}), 0));
  EXPECT_TRUE(ended_with(
      check_with(replaced(kSound, "restitution = 0.5", "restitution = 5"), {"contact.0.restitution=0.5"}), 0));
}

TEST(Set, ReachesEveryPartOfAScene) {
  const Folder folder;
  put(folder / "scene.toml", kSound);
  const Args values = {"title=Seven times 7",    "time.end=5 ms", "body.0.radius=5 cm",  "body[0].position.1=\"60 cm\"",
                       "wall.floor.to=[0.5, 0]", "seed=9",        "gravity.tilt=30 deg", "output.vtk=false"};
  const Ended end = run_moraine(Args{"run", "scene.toml", "--out", "run", "--quiet"} + set(values), folder.path());
  ASSERT_TRUE(ended_with(end, 0));
  const std::string complete = get(folder / "run/scene.toml");
  for (const char* line : {"title = \"Seven times 7\"\n", "end = 0.005 ", "radius = 0.05 ", "position = [0.0, 0.6] ",
                           "to = [0.5, 0.0] ", "seed = 9\n", "tilt = 0.523598775598", "vtk = false\n"})
    EXPECT_TRUE(contains(complete, std::string("\n") + line)) << line << " is not in:\n" << complete;
  const Json summary = summary_of(folder / "run");
  EXPECT_EQ(summary["seed"], 9);
  EXPECT_NEAR(summary["time"].get<double>(), 0.005, 1e-9);
  EXPECT_FALSE(fs::exists(folder / "run/frames"));
}

// As the user types it: --set setup.angle="30 deg" reaches us without the quotes.
TEST(Set, IntoASetupBeforeAndAfterItIsExpanded) {
  const Folder folder;
  const Args values = {"setup.angle=30 deg", "setup.count=20", "time.end=1e-5", "contact.0.friction=0.2",
                       "gravity.acceleration=1.62"};
  const Ended end = run_moraine(Args{"run", "bed_3d", "--out", "run", "--quiet"} + set(values), folder.path());
  ASSERT_TRUE(ended_with(end, 0));
  const std::string complete = get(folder / "run/scene.toml");
  for (const char* line : {"tilt = 0.523598775598", "friction = 0.2\n", "count = 20\n", "acceleration = 1.62 "})
    EXPECT_TRUE(contains(complete, std::string("\n") + line)) << line << " is not in:\n" << complete;
}

TEST(Set, BadValuesIntoASetupAreRefused) {
  EXPECT_TRUE(refused(check_with("bed_3d", {"setup.angle=30 kg"}), {"--set", "setup.angle", "30 kg", "angle"}));
  EXPECT_TRUE(refused(check_with("bed_3d", {"setup.cout=5"}), {"--set", "setup.cout", "'count'"}));
  EXPECT_TRUE(refused(check_with("bed_3d", {"contact.0.frction=0.2"}), {"--set", "contact[0].frction", "'friction'"}));
  EXPECT_TRUE(refused(check_with("bed_3d", {"contact.1.friction=0.2"}), {"--set", "1", "1 entry"}));
  EXPECT_TRUE(refused(check_with("bed_3d", {"setup.kind=heap"}), {"--set", "setup.kind", "heap", "'bed'"}));
}

// What the user wrote stands in line 9 of bed_3d.toml; the lines of the expanded text are no help to anyone.
TEST(Setup, MistakesPointToTheFileAsTheUserWroteIt) {
  const Folder folder;
  const std::string scene = "dimension = 3\n[time]\nend = 0.1\nstep = \"1 ms\"\n[setup]\nkind = \"bed\"\ncount = 20\n";
  put(folder / "scene.toml", scene);
  const Ended end = run_moraine({"check", "scene.toml"}, folder.path());
  EXPECT_TRUE(refused(end, {"scene.toml:4: ", "time.step", "longer than is stable"}));
}

TEST(Setup, BesideItsOwnTablesIsRefused) {
  const Folder folder;
  put(folder / "scene.toml", "dimension = 3\n[setup]\nkind = \"bed\"\n" + kRock);
  EXPECT_TRUE(refused(run_moraine({"check", "scene.toml"}, folder.path()), {"scene.toml:4", "material", "[setup]"}));
}

TEST(Command, UnknownOnesAreRefused) {
  const Folder folder;
  const Ended end = run_moraine({"rum", "bed_3d"}, folder.path());
  EXPECT_TRUE(ended_with(end, 2));
  EXPECT_TRUE(contains(end.out + end.err, "rum")) << "does not say what it did not understand\n" << end.told();
  for (const Args& args : {Args{}, Args{"run"}, Args{"check"}, Args{"resume"}, Args{"run", "bed_3d", "--fast"},
                           Args{"check", "bed_3d", "shaker"}, Args{"run", "bed_3d", "--set"}}) {
    const Ended told = run_moraine(args, folder.path());
    EXPECT_TRUE(ended_with(told, 2));
    EXPECT_TRUE(told.err.starts_with("error: ")) << told.told();
  }
  EXPECT_TRUE(everything_in(folder.path()).empty()) << "something was written";
}

TEST(Command, ThreadsMustBeAtLeastOne) {
  const Folder folder;
  for (const char* threads : {"0", "-1", "1.5", "many", "1000000000000", ""}) {
    const Ended end = run_moraine({"run", "impact_normal", "--threads", threads}, folder.path());
    EXPECT_TRUE(ended_with(end, 2));
    EXPECT_TRUE(contains(end.err, "--threads")) << end.told();
  }
  EXPECT_TRUE(everything_in(folder.path()).empty()) << "something was written";
}

// ---- --out

TEST(Out, PointingToAFileIsRefused) {
  const Folder folder;
  put(folder / "precious", "do not touch");
  const Ended end = run_moraine({"run", "impact_normal", "--out", "precious"}, folder.path());
  EXPECT_TRUE(refused(end, {"--out", "precious", "file"}));
  EXPECT_EQ(get(folder / "precious"), "do not touch");
}

TEST(Out, PointingToAForeignFolderIsRefusedAndUntouched) {
  const Folder folder;
  fs::create_directories(folder / "photos/series");
  put(folder / "photos/series/a.csv", "1");
  put(folder / "photos/scene.toml", kSound);  // a user's scene is not a run's
  const auto before = state_of(folder.path());
  for (const Args& more : {Args{}, Args{"--overwrite"}}) {
    const Ended end = run_moraine(Args{"run", "impact_normal", "--out", "photos"} + more, folder.path());
    EXPECT_TRUE(refused(end, {"--out", "photos"}));
  }
  EXPECT_EQ(state_of(folder.path()), before);
}

TEST(Out, PointingToAnEarlierRunIsRefusedAndIntact) {
  const Folder folder;
  ASSERT_TRUE(ended_with(run_moraine({"run", "impact_normal", "--quiet", "--out", "run"}, folder.path()), 0));
  const auto before = state_of(folder.path());
  EXPECT_TRUE(
      refused(run_moraine({"run", "impact_oblique", "--out", "run"}, folder.path()), {"--out", "run", "--overwrite"}));
  EXPECT_EQ(state_of(folder.path()), before);
  EXPECT_EQ(summary_of(folder / "run")["title"], "Head-on impact of two disks");
}

TEST(Out, OverwriteReplacesAnEarlierRunAndNothingElse) {
  const Folder folder;
  ASSERT_TRUE(ended_with(run_moraine({"run", "impact_normal", "--quiet", "--out", "run"}, folder.path()), 0));
  put(folder / "run/notes.txt", "mine");
  ASSERT_TRUE(
      ended_with(run_moraine({"run", "shaker", "--quiet", "--out", "run", "--overwrite", "--set", "time.end=0.001"},
                             folder.path()),
                 0));
  ASSERT_TRUE(ended_with(
      run_moraine({"run", "shaker", "--quiet", "--out", "new", "--set", "time.end=0.001"}, folder.path()), 0));
  EXPECT_EQ(get(folder / "run/notes.txt"), "mine");
  fs::remove(folder / "run/notes.txt");
  EXPECT_EQ(everything_in(folder / "run"), everything_in(folder / "new"));
  expect_same_run(folder / "new", folder / "run");
}

// A scene that is bad must not cost the user the earlier run.
TEST(Out, OverwriteWithABadSceneLeavesTheEarlierRun) {
  const Folder folder;
  ASSERT_TRUE(ended_with(run_moraine({"run", "impact_normal", "--quiet", "--out", "run"}, folder.path()), 0));
  const auto before = state_of(folder / "run");
  put(folder / "scene.toml", replaced(kSound, "radius = 0.1", "radius = -1"));
  EXPECT_TRUE(
      refused(run_moraine({"run", "scene.toml", "--out", "run", "--overwrite"}, folder.path()), {"body[0].radius"}));
  EXPECT_EQ(state_of(folder / "run"), before);
}

TEST(Out, WithoutItTheNextFreeNameIsTaken) {
  const Folder folder;
  for (int k = 0; k < 3; ++k)
    ASSERT_TRUE(ended_with(run_moraine({"run", "impact_normal", "--quiet"}, folder.path()), 0));
  for (const char* name : {"out/impact_normal", "out/impact_normal-2", "out/impact_normal-3"})
    EXPECT_TRUE(fs::exists(folder / name / "summary.json")) << name;
}

// ---- resume

TEST(ResumeCommand, OfWhatIsNoRunIsRefused) {
  const Folder folder;
  put(folder / "file", "");
  fs::create_directory(folder / "empty");
  fs::create_directory(folder / "foreign");
  put(folder / "foreign/scene.toml", kSound);
  const auto before = state_of(folder.path());
  for (const char* name : {"file", "empty", "foreign", "missing"})
    EXPECT_TRUE(refused(run_moraine({"resume", name}, folder.path()), {name}));
  EXPECT_EQ(state_of(folder.path()), before);
}

TEST(ResumeCommand, WithADamagedCheckpointIsRefused) {
  const Folder folder;
  ASSERT_TRUE(ended_with(run_moraine({"run", "impact_normal", "--quiet", "--out", "run"}, folder.path()), 0));
  const std::string good = get(folder / "run/checkpoint.h5");
  for (const std::string& bad :
       {std::string(), good.substr(0, good.size() / 2), good.substr(0, 600) + good.substr(601)}) {
    put(folder / "run/checkpoint.h5", bad);
    EXPECT_TRUE(refused(run_moraine({"resume", "run"}, folder.path()), {"run/checkpoint.h5"}));
  }
}

TEST(ResumeCommand, CannotChangeThePhysics) {
  const Folder folder;
  put(folder / "scene.toml", kSound);
  ASSERT_TRUE(ended_with(run_moraine({"run", "scene.toml", "--quiet", "--out", "run"}, folder.path()), 0));
  const auto before = state_of(folder / "run");
  for (const char* value : {"contact.0.friction=1", "seed=2", "time.step=1e-6", "body.0.radius=0.2", "nonsense"})
    EXPECT_TRUE(refused(run_moraine({"resume", "run", "--set", value}, folder.path()), {"--set"}));
  EXPECT_EQ(state_of(folder / "run"), before);
}

TEST(View, OfWhatCannotBeShownIsRefused) {
  const Folder folder;
  const auto view = [&](Args args) {
    args.insert(args.begin(), {"view", "--no-browser"});
    return run_moraine(args, folder.path());
  };
  EXPECT_TRUE(refused(view({"nothing_here"}), {"nothing_here", "no example of that name"}));
  EXPECT_TRUE(refused(view({"./nothing.toml"}), {"nothing.toml"}));
  EXPECT_EQ(view({"heap_2d", "--port", "70000"}).status, 2);
  EXPECT_EQ(view({}).status, 2);
  put(folder / "scene.toml", replaced(kSound, "radius = 0.1", "radius = -0.1"));
  EXPECT_TRUE(refused(view({"scene.toml"}), {"scene.toml:", "body[0].radius", "-0.1"}));
  fs::create_directories(folder / "sub/empty");
  EXPECT_TRUE(refused(view({"sub/empty"}), {"sub/empty", "not the output folder of a Moraine run"}));
  put(folder / "scene.toml", kSound);
  ASSERT_TRUE(ended_with(run_moraine({"run", "scene.toml", "--quiet", "--out", "run"}, folder.path()), 0));
  EXPECT_TRUE(refused(view({"run", "--set", "time.end=1"}), {"--set", "goes with a scene"}));
  const std::string frames = get(folder / "run/trajectory.h5");
  put(folder / "run/trajectory.h5", frames.substr(0, frames.size() / 3));
  EXPECT_TRUE(refused(view({"run"}), {"trajectory.h5"}));
  put(folder / "run/trajectory.h5", "PNG or whatever");
  EXPECT_TRUE(refused(view({"run"}), {"trajectory.h5"}));
  fs::remove(folder / "run/trajectory.h5");
  EXPECT_TRUE(refused(view({"run"}), {"run", "output.trajectory"}));
}

TEST(Command, DotsPerInchNeedNotBeWhole) {
  const Folder folder;
  for (const char* dots : {"29", "1201", "nan", "x"}) {
    const Ended end = run_moraine({"plot", "run", "--dpi", dots}, folder.path());
    EXPECT_TRUE(ended_with(end, 2));
    EXPECT_TRUE(contains(end.err, "--dpi")) << end.told();
  }
  EXPECT_TRUE(contains(run_moraine({"plot", "run", "--dpi", "100.5"}, folder.path()).err, "no such folder"));
}

// Bytes of files and users that would steer the terminal are written out.
TEST(Command, TerminalsAreNotSteered) {
  const Folder folder;
  fs::create_directories(folder / "run/series");
  put(folder / "run/scene.toml", "title = \"x\"\n");
  put(folder / "run/series/a.csv", "time [s],a [J]\n0,\x1b[31m\x07\xff\xc2\x9b\u00b5\n");
  const Ended end = run_moraine({"plot", "run"}, folder.path());
  EXPECT_TRUE(refused(end, {"a.csv:2", "\\x1b[31m\\x07\\xff\\xc2\\x9b\u00b5"}));
  put(folder / "scene.toml", std::string(kSound) + "[[probe]]\nkind = \"energy\"\nname = \"x\\u0000\\u001b[2Jy\"\n");
  const Ended name = run_moraine({"check", "scene.toml"}, folder.path());
  EXPECT_TRUE(ended_with(name, 2));
  for (const char c : name.err) EXPECT_TRUE(static_cast<unsigned char>(c) >= 0x20 || c == '\n') << name.told();
}
