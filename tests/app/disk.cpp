// SPDX-License-Identifier: MIT
// A full disk, a limit on file sizes, a read-only folder: told clearly, exit status 3, and the last complete checkpoint
// is whole and of use once there is room.
#include <gtest/gtest.h>
#include <sched.h>
#include <sys/mount.h>
#include <unistd.h>

#include <chrono>
#include <thread>

#include "io/checkpoint.hpp"
#include "support/runs.hpp"

using namespace moraine::testing;

namespace {

// A file system of our own, of any size. It is mounted where only this process and its children see it.
class OwnDisk {
 public:
  explicit OwnDisk(const std::string& options) {
    static const bool alone = ::geteuid() == 0 && ::unshare(CLONE_NEWNS) == 0 &&
                              ::mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0;
    mounted_ = alone && ::mount("tmpfs", folder_.path().c_str(), "tmpfs", 0, options.c_str()) == 0;
  }
  OwnDisk(const OwnDisk&) = delete;
  OwnDisk& operator=(const OwnDisk&) = delete;
  ~OwnDisk() {
    if (mounted_) ::umount2(folder_.path().c_str(), MNT_DETACH);
  }
  bool mounted() const { return mounted_; }
  const fs::path& path() const { return folder_.path(); }
  bool remount(const std::string& options, unsigned long flags = 0) {
    return ::mount("tmpfs", folder_.path().c_str(), "tmpfs", MS_REMOUNT | flags, options.c_str()) == 0;
  }

 private:
  Folder folder_;
  bool mounted_ = false;
};

const char* const kNoMount = "mounting a small disk takes root with the right to mount";

const Args kRun = Args{"run", "bed_3d", "--quiet"} +
                  set({"setup.count=300", "time.end=0.006", "gravity.acceleration=100", "output.every=0.0005",
                       "output.checkpoint_every=0.0004", "output.dump=true"});

Ended unbroken(const Folder& folder) { return run_moraine(kRun + Args{"--out", "whole"}, folder.path()); }

// Says what, where and what to do; leaves nothing half done.
void expect_told(const Ended& end, const fs::path& run, const std::string& reason) {
  EXPECT_TRUE(ended_with(end, 3));
  EXPECT_TRUE(names_problem(end, {run.string(), reason}));
  EXPECT_TRUE(contains(end.err, "what to do:")) << end.told();
  if (fs::exists(run)) expect_nothing_half_done(run);
}

// Once there is room: goes on, to the run that never stopped.
void expect_resumes(const fs::path& run, const fs::path& whole) {
  // The first checkpoint comes before everything else that a run writes.
  if (fs::exists(run / "frames.pvd") || fs::exists(run / "series")) {
    EXPECT_TRUE(fs::exists(run / "checkpoint.h5")) << "the last complete checkpoint is lost";
  }
  if (fs::exists(run / "checkpoint.h5")) {
    EXPECT_NO_THROW(moraine::io::read_checkpoint(run / "checkpoint.h5"));
  }
  if (fs::exists(run / "scene.toml")) {
    ASSERT_TRUE(ended_with(run_moraine({"resume", run.string(), "--quiet"}, run.parent_path()), 0));
  } else {
    ASSERT_TRUE(ended_with(run_moraine(kRun + Args{"--out", run.string()}, run.parent_path()), 0));
  }
  fs::remove(run / "checkpoint_failed.h5");
  expect_same_run(whole, run);
}

}  // namespace

TEST(Disk, FullIsToldAndResumedOnceThereIsRoom) {
  const Folder folder;
  ASSERT_TRUE(ended_with(unbroken(folder), 0));
  std::uintmax_t needed = 0;
  for (const auto& [name, bytes] : files_of(folder / "whole")) needed += bytes.size();
  int broken = 0, with_checkpoint = 0;
  for (const std::uintmax_t kilobytes : {4, 16, 64, 150, 300, 450, 600, 800, 1000, 1300}) {
    if (kilobytes * 1024 > needed) break;
    SCOPED_TRACE(std::to_string(kilobytes) + " kB");
    OwnDisk disk("size=" + std::to_string(kilobytes) + "k");
    if (!disk.mounted()) GTEST_SKIP() << kNoMount;
    const fs::path run = disk.path() / "run";
    expect_told(run_moraine(kRun + Args{"--out", run.string()}, folder.path()), run, "No space left");
    ++broken;
    with_checkpoint += fs::exists(run / "checkpoint.h5") ? 1 : 0;
    // Still no room: the same again, and no harm done.
    if (fs::exists(run / "scene.toml")) {
      EXPECT_TRUE(ended_with(run_moraine({"resume", run.string(), "--quiet"}, folder.path()), 3));
    }
    ASSERT_TRUE(disk.remount("size=100m"));
    expect_resumes(run, folder / "whole");
    if (HasFailure()) break;
  }
  EXPECT_GE(broken, 6);
  EXPECT_GE(with_checkpoint, 3);
}

// Room for one checkpoint but not for a second beside it: the first must be whole when the second has failed.
TEST(Disk, FullInTheMiddleOfACheckpointLeavesTheOneBefore) {
  const Folder folder;
  // Nothing else that could fill the disk first.
  const Args run = kRun + set({"output.vtk=false", "output.trajectory=false", "output.dump=false", "probe.0.every=1",
                               "probe.1.every=1"});
  ASSERT_TRUE(ended_with(run_moraine(run + Args{"--out", "whole"}, folder.path()), 0));
  const auto size = fs::file_size(folder / "whole/checkpoint.h5");
  ASSERT_GT(size, 80U * 1024);
  OwnDisk disk("size=" + std::to_string(size * 3 / 2 / 1024) + "k");
  if (!disk.mounted()) GTEST_SKIP() << kNoMount;
  const fs::path out = disk.path() / "run";
  expect_told(run_moraine(run + Args{"--out", out.string()}, folder.path()), out, "No space left");
  ASSERT_TRUE(fs::exists(out / "checkpoint.h5")) << "the last complete checkpoint is lost";
  EXPECT_NO_THROW(moraine::io::read_checkpoint(out / "checkpoint.h5"));
  ASSERT_TRUE(disk.remount("size=10m"));
  ASSERT_TRUE(ended_with(run_moraine({"resume", out.string(), "--quiet"}, folder.path()), 0));
  EXPECT_EQ(hash_of(out), hash_of(folder / "whole"));
  expect_same_files(folder / "whole", out, "series");
}

// The system's answer to a limit on file sizes is a signal that kills; a simulation must survive it.
TEST(Disk, ALimitOnFileSizesIsToldAndResumedWithoutIt) {
  const Folder folder;
  ASSERT_TRUE(ended_with(unbroken(folder), 0));
  for (const std::uint64_t kilobytes : {1, 8, 60, 120, 300}) {
    SCOPED_TRACE(std::to_string(kilobytes) + " kB");
    const fs::path run = folder / "run";
    fs::remove_all(run);
    Limits limits;
    limits.file_size = kilobytes * 1024;
    expect_told(run_moraine(kRun + Args{"--out", run.string()}, folder.path(), limits), run, "File too large");
    expect_resumes(run, folder / "whole");
    if (HasFailure()) break;
  }
}

TEST(Disk, AReadOnlyFolderIsTold) {
  const Folder folder;
  OwnDisk disk("size=10m");
  if (!disk.mounted()) GTEST_SKIP() << kNoMount;
  ASSERT_TRUE(ended_with(unbroken(folder), 0));
  const fs::path run = disk.path() / "run";
  // The first part of the run, then the disk can no longer be written to.
  ASSERT_TRUE(ended_with(run_moraine(kRun + set({"time.end=0.003"}) + Args{"--out", run.string()}, folder.path()), 0));
  ASSERT_TRUE(disk.remount("", MS_RDONLY));
  const auto before = files_of(run);
  const Args resume = {"resume", run.string(), "--quiet", "--set", "time.end=0.006"};
  for (const Args& args : {resume, kRun + Args{"--out", run.string(), "--overwrite"},
                           kRun + Args{"--out", (disk.path() / "new").string()}})
    expect_told(run_moraine(args, folder.path()),
                args[0] == "resume" || args.back() == "--overwrite" ? run : disk.path() / "new",
                "Read-only file system");
  EXPECT_EQ(files_of(run), before);
  ASSERT_TRUE(disk.remount("size=10m"));
  ASSERT_TRUE(ended_with(run_moraine(resume, folder.path()), 0));
  EXPECT_EQ(hash_of(run), hash_of(folder / "whole"));
}

TEST(Disk, AFolderWithoutPermissionIsTold) {
  const Folder folder;
  fs::create_directory(folder / "closed");
  fs::permissions(folder / "closed",
                  fs::perms::owner_read | fs::perms::owner_exec | fs::perms::others_read | fs::perms::others_exec);
  fs::permissions(folder.path(), fs::perms::all);
  Limits limits;
  if (::geteuid() == 0) {
    limits.user = 65534;
    if (run_moraine({"--version"}, folder.path(), limits).status != 0)
      GTEST_SKIP() << "root may write everywhere, and nobody may not run " << MORAINE_PROGRAM;
  }
  for (const char* out : {"closed", "closed/deep/run"})
    expect_told(run_moraine(kRun + Args{"--out", out}, folder.path(), limits), out, "Permission denied");
  EXPECT_TRUE(everything_in(folder / "closed").empty());
}

// Somebody tidies up while the run goes on.
TEST(Disk, AnOutputFolderThatVanishesIsTold) {
  const Folder folder;
  Process process(with_program(kRun + set({"time.end=10"}) + Args{"--out", "run"}), folder.path());
  const double begin = seconds_now();
  while (!fs::exists(folder / "run/frames/bodies_000002.vtp") && process.running() && seconds_now() - begin < 30)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  fs::rename(folder / "run", folder / "elsewhere");
  const Ended end = process.wait();
  EXPECT_TRUE(ended_with(end, 3));
  EXPECT_TRUE(names_problem(end, {"run/"}));
  ASSERT_TRUE(ended_with(run_moraine({"resume", "elsewhere", "--quiet", "--set", "time.end=0.006"}, folder.path()), 0));
}
