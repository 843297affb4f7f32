// SPDX-License-Identifier: MIT
// Files that are no scenes, and the files a [[fill]] reads.
#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <random>
#include <utility>

#include "support/program.hpp"
#include "support/runs.hpp"
#include "support/sanitized.hpp"
#include "support/scenes.hpp"

using namespace moraine::testing;

namespace {
constexpr uid_t kNobody = 65534;

Ended check(const Folder& folder, const std::string& name = "scene.toml", Limits limits = {10}) {
  return run_moraine({"check", name}, folder.path(), limits);
}
}  // namespace

TEST(SceneFile, EmptyIsRefused) {
  const Folder folder;
  for (const char* text : {"", "\n\n", "# only\n# comments\n", "\xEF\xBB\xBF"}) {
    put(folder / "scene.toml", text);
    EXPECT_TRUE(refused(check(folder), {"scene.toml", "empty"})) << "text: '" << text << "'";
  }
}

TEST(SceneFile, TwoHundredMegabytesOfZerosAreRefusedAtOnce) {
  const Folder folder;
  put(folder / "scene.toml", "");
  fs::resize_file(folder / "scene.toml", 200U << 20);
  EXPECT_TRUE(refused(check(folder, "scene.toml", {60, 128U << 20}), {"scene.toml", "larger than"})) << "or read";
  fs::resize_file(folder / "scene.toml", 1U << 20);
  EXPECT_TRUE(refused(check(folder), {"scene.toml:1", "zero byte"}));
}

TEST(SceneFile, AFolderIsRefused) {
  const Folder folder;
  fs::create_directory(folder / "scene.toml");
  EXPECT_TRUE(refused(check(folder), {"scene.toml", "is a folder"}));
}

TEST(SceneFile, AMissingOneIsToldWithTheNearestName) {
  const Folder folder;
  fs::create_directory(folder / "sub");
  put(folder / "sub/silo_flow.toml", kSound);
  put(folder / "silo_flow.toml", kSound);
  EXPECT_TRUE(refused(check(folder, "sub/silo_flw.toml"), {"sub/silo_flw.toml", "no such file", "silo_flow.toml"}));
  EXPECT_TRUE(refused(check(folder, "./silo_flw.toml"), {"silo_flw.toml", "no such file", "silo_flow.toml"}));
  EXPECT_TRUE(refused(check(folder, "nowhere/scene.toml"), {"nowhere/scene.toml", "no such file"}));
}

TEST(SceneFile, AMissingOneWithABareNameIsToldWithTheNearestFileHere) {
  const Folder folder;
  put(folder / "silo_flow.toml", kSound);
  EXPECT_TRUE(refused(check(folder, "silo_flw.toml"), {"silo_flw.toml", "no such file", "silo_flow.toml"}));
}

TEST(SceneFile, AMissingExampleIsToldWithTheNearestExample) {
  const Folder folder;
  EXPECT_TRUE(refused(check(folder, "shakr"), {"shakr", "shaker"}));
}

TEST(SceneFile, AnUnreadableOneIsRefused) {
  const Folder folder;
  put(folder / "scene.toml", kSound);
  fs::permissions(folder.path(), fs::perms::all);
  fs::permissions(folder / "scene.toml", fs::perms::none);
  Limits limits{10};
  if (::geteuid() == 0) {
    limits.user = kNobody;
    const Ended able = run_moraine({"--version"}, folder.path(), limits);
    if (able.status != 0) GTEST_SKIP() << "root reads every file, and nobody may not run " << MORAINE_PROGRAM;
  }
  EXPECT_TRUE(refused(check(folder, "scene.toml", limits), {"scene.toml", "cannot be read", "Permission denied"}));
}

TEST(SceneFile, BinaryGarbageIsRefused) {
  const Folder folder;
  std::mt19937 random(1);
  for (int k = 0; k < 20; ++k) {
    std::string bytes(5000, '\0');
    for (char& c : bytes) c = static_cast<char>(random() % (k % 2 == 0 ? 256 : 255) + (k % 2));
    put(folder / "scene.toml", bytes);
    EXPECT_TRUE(refused(check(folder), {"scene.toml"}));
  }
}

TEST(SceneFile, InvalidUtf8IsRefusedWithItsLine) {
  const Folder folder;
  for (const char* bad : {"\xff\xfe", "\xc3", "\xed\xa0\x80", "\xf5\x80\x80\x80", "\xc0\xaf"}) {
    put(folder / "scene.toml", "# first\ntitle = \"" + std::string(bad) + "\"\n" + kSound);
    EXPECT_TRUE(refused(check(folder), {"scene.toml:2"}));
  }
}

TEST(SceneFile, SyntaxErrorIsToldWithItsLineAndAHint) {
  const Folder folder;
  put(folder / "scene.toml", "dimension = 2\n[time]\nend = 5 s\n");
  EXPECT_TRUE(refused(check(folder), {"scene.toml:3", "quotes"}));
}

TEST(SceneFile, DeepNestingIsRefused) {
  const Folder folder;
  const std::string open(100000, '['), close(100000, ']');
  put(folder / "scene.toml", "a = " + open + close + "\n");
  EXPECT_TRUE(refused(check(folder), {"scene.toml"}));
  std::string dotted = "a";
  for (int k = 0; k < 100000; ++k) dotted += ".a";
  put(folder / "scene.toml", dotted + " = 1\n");
  EXPECT_TRUE(refused(check(folder), {"scene.toml"}));
}

TEST(SceneFile, TenThousandMistakesAreToldInTime) {
  const Folder folder;
  std::string scene = kSound;
  for (int k = 0; k < 10000; ++k) scene += "[[body]]\nradius = -1\n";
  put(folder / "scene.toml", scene);
  EXPECT_TRUE(refused(check(folder), {"body[10000].radius"}));
}

// ---- [[fill]] from files

namespace {

struct BadFile {
  const char* name;
  std::string bytes;
  std::vector<std::string> parts;
};

void expect_refused(const char* method, const std::vector<BadFile>& files) {
  const Folder folder;
  const std::string scene =
      kWithoutBodies + "[[fill]]\nmethod = \"" + method + "\"\nmaterial = \"rock\"\nfile = \"data\"\n";
  put(folder / "scene.toml", scene);
  const std::string where = "scene.toml:" + std::to_string(line_of(scene, "file = ")) + ": ";
  for (const BadFile& file : files) {
    SCOPED_TRACE(file.name);
    fs::remove_all(folder / "data");
    if (std::string(file.name) == "folder")
      fs::create_directory(folder / "data");
    else if (std::string(file.name) != "missing")
      put(folder / "data", file.bytes);
    auto parts = file.parts;
    parts.insert(parts.end(), {where, "fill[0].file", "data"});
    const Ended end = check(folder);
    EXPECT_TRUE(refused(end, parts));
    EXPECT_EQ(end.errors().size(), 1U) << end.told();
  }
}

}  // namespace

TEST(FillFromTable, BadFilesAreRefused) {
  const std::string head = "x,y,radius\n", good = "0.1,0.5,0.05\n";
  expect_refused("table",
                 {{"missing", "", {"no such file"}},
                  {"folder", "", {"folder"}},
                  {"empty", "", {"empty"}},
                  {"only a header", head, {"no rows"}},
                  {"no header", good, {":1", "0.1"}},
                  {"text in a number", head + good + "0.1,0.7,wide\n", {":3", "radius", "'wide'"}},
                  {"nan", head + "nan,0.5,0.1\n", {":2", "x", "'nan'"}},
                  {"infinite", head + "0,0.5,inf\n", {":2", "radius", "'inf'"}},
                  {"too large for a number", head + "0,0.5,1e999\n", {":2", "radius", "1e999"}},
                  {"no radius", "x,y\n0.1,0.5\n", {"radius"}},
                  {"no y", "x,radius\n0.1,0.05\n", {"'y'"}},
                  {"negative radius", head + good + "0.4,0.5,-0.05\n", {"radius", "-0.05", "2"}},
                  {"zero radius", head + "0.4,0.5,0\n", {"radius", "0"}},
                  {"short row", head + "0.4,0.5\n", {":2", "2", "3"}},
                  {"long row", head + "0.4,0.5,0.05,1\n", {":2", "4", "3"}},
                  {"column twice", "x,y,x,radius\n0,0.5,0,0.1\n", {":1", "'x'", "twice"}},
                  {"cut gzip", std::string("\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03\xab\xd0", 12), {"damaged"}},
                  {"binary", std::string("\0\1\2\3\xff\xfe\n\0\n", 9), {}}});
}

TEST(FillFromTable, ASoundOneIsTaken) {
  const Folder folder;
  put(folder / "scene.toml",
      kWithoutBodies + "[[fill]]\nmethod = \"table\"\nmaterial = \"rock\"\nfile = \"data.csv\"\n");
  put(folder / "data.csv", "x,y,radius\n0.1,0.5,0.05\n0.3,0.5,0.05\n");
  const Ended end = check(folder);
  EXPECT_TRUE(ended_with(end, 0));
  EXPECT_TRUE(contains(end.out, "2 (2 free)")) << end.out;
}

// A row that lies on another or outside is a mistake of the file, not of the scene: the message names both.
TEST(FillFromTable, BodiesThatOverlapOrLieOutsideAreToldWithTheFill) {
  const Folder folder;
  const std::string scene = kWithoutBodies + "[[fill]]\nmethod = \"table\"\nmaterial = \"rock\"\nfile = \"data.csv\"\n";
  put(folder / "scene.toml", scene);
  put(folder / "data.csv", "x,y,radius\n0.1,0.5,0.05\n0.1,0.51,0.05\n");
  EXPECT_TRUE(refused(check(folder), {"scene.toml", "body 1", "overlaps body 0"}));
  put(folder / "data.csv", "x,y,radius\n0.1,0.5,0.05\n1e300,0.51,0.05\n");
  EXPECT_TRUE(refused(check(folder), {"scene.toml", "body 1", "outside the domain"}));
}

TEST(FillFromCheckpoint, BadFilesAreRefused) {
  const Folder folder;
  put(folder / "scene.toml", kSound);
  ASSERT_TRUE(ended_with(run_moraine({"run", "scene.toml", "--quiet", "--out", "run"}, folder.path()), 0));
  const std::string good = get(folder / "run/checkpoint.h5");
  ASSERT_GT(good.size(), 2000U);
  std::string flipped = good;
  flipped[good.size() / 2] = static_cast<char>(flipped[good.size() / 2] ^ 1);
  std::vector<BadFile> files = {{"missing", "", {"no such file"}},
                                {"folder", "", {"no such file"}},  // that is, no checkpoint.h5 in it
                                {"empty", "", {"empty"}},
                                {"another kind of file", "x,y,radius\n0,0.5,0.1\n", {"not a Moraine checkpoint"}},
                                {"long other kind of file", std::string(100000, 'x'), {"not a Moraine checkpoint"}},
                                {"cut short", good.substr(0, good.size() / 2), {"cut short"}},
                                {"one byte short", good.substr(0, good.size() - 1), {"cut short"}},
                                {"only its seal", good.substr(0, 512), {"cut short"}},
                                {"one byte longer", good + "x", {"damaged"}},
                                {"one bit flipped", flipped, {"damaged"}}};
  expect_refused("checkpoint", files);
}

TEST(FillFromCheckpoint, OfAnotherDimensionIsRefused) {
  const Folder folder;
  ASSERT_TRUE(ended_with(
      run_moraine(Args{"run", "bed_3d", "--quiet", "--out", "run3"} + set({"setup.count=20", "time.end=1e-5"}),
                  folder.path()),
      0));
  put(folder / "scene.toml",
      kWithoutBodies + "[[fill]]\nmethod = \"checkpoint\"\nmaterial = \"rock\"\nfile = \"run3\"\n");
  EXPECT_TRUE(refused(check(folder), {"scene.toml:21", "fill[0].file", "3D", "2D"}));
}

TEST(FillFromCheckpoint, ASoundOneIsTaken) {
  const Folder folder;
  put(folder / "scene.toml", kSound);
  ASSERT_TRUE(ended_with(run_moraine({"run", "scene.toml", "--quiet", "--out", "run"}, folder.path()), 0));
  for (const char* file : {"run", "run/checkpoint.h5"}) {
    put(folder / "again.toml", kWithoutBodies + "[[fill]]\nmethod = \"checkpoint\"\nmaterial = \"rock\"\nfile = \"" +
                                   std::string(file) + "\"\n");
    const Ended end = check(folder, "again.toml");
    EXPECT_TRUE(ended_with(end, 0));
    EXPECT_TRUE(contains(end.out, "1 (1 free)")) << end.out;
  }
}

// ---- more bodies than any memory holds

TEST(HugeFill, IsRefusedBeforeItEatsTheMemory) {
  const Folder folder;
  const std::string start = kHead + kRock + kContact + "[[fill]]\nmaterial = \"rock\"\nradius = 0.01\nmin = [0, 0]\n";
  const std::vector<std::pair<std::string, std::string>> fills = {
      {"lattice", "method = \"lattice\"\nmax = [1e6, 1e6]\n"},
      {"a lattice whose number does not fit 64 bits", "method = \"lattice\"\nmax = [1e12, 1e12]\n"},
      {"a lattice whose rows do not fit 64 bits", "method = \"lattice\"\nmax = [1e300, 1e300]\n"},
      {"random fraction", "method = \"random\"\nfraction = 0.3\nmax = [1e6, 1e6]\n"},
      {"random count", "method = \"random\"\ncount = 1000000000000\nmax = [1e6, 1e6]\n"},
      {"squeeze", "method = \"squeeze\"\nfraction = 0.7\nmax = [1e6, 1e6]\n"}};
  for (const auto& [name, text] : fills) {
    SCOPED_TRACE(name);
    const std::string scene = start + text;
    put(folder / "scene.toml", scene);
    // It must know from the numbers alone: no memory, no time.
    const Ended end = check(folder, "scene.toml", {60, 1U << 30});
    EXPECT_TRUE(refused(end, {"scene.toml:", "fill[0]"}));
    EXPECT_FALSE(contains(end.err, "too small")) << "the opposite is true\n" << end.told();
  }
}

TEST(HugeFill, OfASetupIsRefused) {
  const Folder folder;
  const std::vector<std::array<std::string, 3>> wanted = {{"bed_3d", "setup.count=100000000000", "count"},
                                                          {"chute", "setup.radius=1e-9", "wall[0].bumps.radius"},
                                                          {"chute", "setup.radius=1e-300", "wall[0].bumps.radius"},
                                                          {"couette", "setup.radius=1e-9", "wall[1].bumps.radius"},
                                                          {"pipe_jam", "setup.diameter=1e-4", "setup.diameter"}};
  for (const auto& [scene, set, key] : wanted)
    EXPECT_TRUE(refused(run_moraine({"check", scene, "--set", set}, folder.path(), {2, 1U << 30}), {key})) << set;
  if (MORAINE_SANITIZED) return;  // which need memory without a limit
  // Not refused: a scene that the memory given here does not hold.
  const Ended end = run_moraine({"check", "bed_3d", "--set", "setup.count=900000"}, folder.path(), {60, 1U << 28});
  EXPECT_EQ(end.status, 3) << end.told();
  EXPECT_TRUE(contains(end.err, "more memory than there is")) << end.told();
}
