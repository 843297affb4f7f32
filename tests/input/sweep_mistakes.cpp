// SPDX-License-Identifier: MIT
// Bad sweep files and bad files to import, from the command line: every mistake named, status 2, nothing written.
#include <gtest/gtest.h>

#include "support/sweeps.hpp"

using namespace moraine::testing;

namespace {

// The sweep file is refused with all these words in one of its errors, and nothing is written.
void expect_refused(const std::string& sweep, const std::vector<std::string>& parts, const Args& more = {}) {
  const Folder folder;
  put(folder / "scene.toml", kSound);
  put(folder / "sweep.toml", sweep);
  const auto before = everything_in(folder.path());
  EXPECT_TRUE(refused(run_moraine(Args{"sweep", "sweep.toml"} + more, folder.path(), {20}), parts));
  EXPECT_EQ(everything_in(folder.path()), before) << "something was written";
}

const std::string kTop = "scene = \"scene.toml\"\nresult = [\"bodies\"]\n";
const std::string kAxis = "[[axis]]\nkey = \"body.0.radius\"\nvalues = [0.1, 0.2]\n";

}  // namespace

TEST(SweepMistakes, OfTheFile) {
  expect_refused("", {"sweep.toml", "empty"});
  expect_refused("scene = ", {"sweep.toml:1", "not valid TOML"});
  expect_refused(kTop + kAxis + "vales = [3]\n", {"sweep.toml:6", "axis[0].vales", "did you mean 'values'?"});
  expect_refused(kTop + "[[axes]]\nkey = \"seed\"\n", {"sweep.toml:3", "axes", "unknown table"});
  expect_refused(kTop + "[axis]\nkey = \"seed\"\n", {"sweep.toml:3", "[[axis]]"});
  expect_refused(kTop + replaced(kAxis, "[0.1, 0.2]", "[]"), {"sweep.toml:5", "axis[0].values", "is empty"});
  expect_refused(kTop + kAxis + kAxis, {"sweep.toml:7", "axis[1].key", "an [[axis]]"});
  expect_refused(kTop + "seeds = 0\n" + kAxis, {"sweep.toml:3", "seeds"});
  expect_refused(kTop + "seeds = []\n" + kAxis, {"sweep.toml:3", "seeds"});
  expect_refused(kTop + "seeds = \"ten\"\n" + kAxis, {"sweep.toml:3", "seeds", "\"ten\""});
}

TEST(SweepMistakes, OfTheScene) {
  expect_refused(replaced(kTop, "scene.toml", "scone.toml") + kAxis,
                 {"sweep.toml:1", "scene", "there is no file", "scone.toml"});
  expect_refused(replaced(kTop, "scene.toml", "no_such_example") + kAxis, {"sweep.toml:1", "scene", "no_such_example"});
  expect_refused(kTop + replaced(kAxis, "radius", "radios"),
                 {"sweep.toml:4", "axis[0]", "body[0].radios", "did you mean 'radius'?"});
  expect_refused(kTop + replaced(kAxis, "body.0.", "body.3."), {"sweep.toml:4", "axis[0]", "index 3"});
  expect_refused(kTop + replaced(kAxis, "0.2", "-0.2"), {"sweep.toml:4", "axis[0]", "body[0].radius", "-0.2", "> 0 m"});
  expect_refused(kTop + replaced(kAxis, "0.2", "\"2 s\""), {"sweep.toml:4", "axis[0]", "2 s"});
  expect_refused(kTop + replaced(kAxis, "0.2", "0.6"),
                 {"overlaps wall", "radius = 0.6"});  // only seen when it is built
  expect_refused(kTop + kAxis, {"--set", "contact[0].restitution", "7"}, {"--set", "contact.0.restitution=7"});
  expect_refused(kTop + kAxis, {"--set", "body.0.radius=1", "[[axis]]"}, {"--set", "body.0.radius=1"});
}

TEST(SweepMistakes, OfTheFolder) {
  const Folder folder;
  put(folder / "scene.toml", kSound);
  put(folder / "sweep.toml", kTop + kAxis);
  fs::create_directory(folder / "taken");
  put(folder / "taken/notes.txt", "mine");
  put(folder / "file", "mine");
  const auto before = everything_in(folder.path());
  EXPECT_TRUE(refused(run_moraine({"sweep", "sweep.toml", "--out", "taken"}, folder.path()),
                      {"taken", "not of a Moraine sweep"}));
  EXPECT_TRUE(refused(run_moraine({"sweep", "sweep.toml", "--out", "file"}, folder.path()), {"file", "is a file"}));
  EXPECT_TRUE(refused(run_moraine({"sweep", "swep.toml"}, folder.path()), {"swep.toml", "did you mean 'sweep.toml'?"}));
  EXPECT_TRUE(refused(run_moraine({"sweep", "no/sweep.toml"}, folder.path()), {"no/sweep.toml", "no such file"}));
  EXPECT_EQ(everything_in(folder.path()), before);
}

// A mistake that only the run itself sees stops the sweep at once, with its own words.
TEST(SweepMistakes, ThatARunFindsStopTheSweep) {
  const Folder folder;
  put(folder / "scene.toml", kSound);
  put(folder / "sweep.toml", kTop + "seeds = 3\n" + kAxis);
  ASSERT_TRUE(ended_with(
      run_moraine({"sweep", "sweep.toml", "--out", "out", "--quiet", "--set", "sweep.seeds=1"}, folder.path()), 0));
  // Somebody put files where the folder of a run belongs.
  const fs::path run = folder / "out/runs" / csv(folder / "out/table.csv").at(1).at(4);
  fs::remove_all(folder / "out/runs");
  fs::create_directories(run);
  put(run / "notes.txt", "mine");
  const Ended end = run_moraine({"sweep", "sweep.toml", "--out", "out", "--quiet", "--jobs", "1"}, folder.path());
  EXPECT_TRUE(refused(end, {"sweep.toml", "the run with radius = 0.1 m, seed 1", "not of a Moraine run"}));
  EXPECT_EQ(get(run / "notes.txt"), "mine");
  EXPECT_EQ(std::distance(fs::directory_iterator(folder / "out/runs"), {}), 2) << "a note and a folder: no other run";
}

// ---- import ----

TEST(ImportMistakes, AreToldAndNothingIsWritten) {
  const Folder folder;
  const std::string good = get(fs::path(MORAINE_SOURCE_DIR) / "tests/data/pipe.inp");
  put(folder / "good.inp", good);
  put(folder / "bad.inp", replaced(good, " 3   3.35", " 4   3.35"));
  fs::create_directory(folder / "folder");
  const auto import = [&](const Args& args) { return run_moraine(Args{"import"} + args, folder.path()); };
  EXPECT_TRUE(
      refused(import({"bad.inp", "--out", "scene.toml"}), {"bad.inp:13", "disk 4 stands where disk 3 belongs"}));
  EXPECT_FALSE(fs::exists(folder / "scene.toml"));
  EXPECT_TRUE(refused(import({"none.inp"}), {"none.inp"}));
  EXPECT_TRUE(refused(import({"folder"}), {"folder"}));
  EXPECT_TRUE(refused(import({"good.inp", "--out", "folder"}), {"folder", "is a folder"}));
  const Ended text = import({"good.inp"});
  ASSERT_TRUE(ended_with(text, 0));
  ASSERT_TRUE(ended_with(import({"good.inp", "--out", "scene.toml"}), 0));
  EXPECT_EQ(get(folder / "scene.toml"), text.out);
  EXPECT_TRUE(refused(import({"good.inp", "--out", "scene.toml"}), {"scene.toml", "--overwrite"}));
  EXPECT_TRUE(ended_with(import({"good.inp", "--out", "scene.toml", "--overwrite"}), 0));
}
