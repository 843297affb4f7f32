// SPDX-License-Identifier: MIT
#include "io/trajectory.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mount.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstring>
#include <limits>
#include <thread>

#include "base/error.hpp"
#include "base/record.hpp"
#include "io/checkpoint.hpp"
#include "io/dump.hpp"
#include "io/file.hpp"
#include "io/journal.hpp"
#include "unit/io_samples.hpp"
#include "unit/io_versions.hpp"

namespace moraine::io::testing {
namespace {

constexpr int kBodies = 50;

void write_frames(const std::filesystem::path& path, int count) {
  TrajectoryWriter writer = TrajectoryWriter::create(path);
  for (int i = 0; i < count; ++i) writer.append(sample_frame(kBodies, i));
  writer.close();
}

void expect_frames(const std::filesystem::path& path, std::int64_t count) {
  const TrajectoryReader reader(path);
  ASSERT_EQ(reader.count(), count);
  for (int i = 0; i < count; ++i) {
    EXPECT_EQ(reader.times()[i], sample_frame(0, i).time);
    expect_same(reader.read(i), sample_frame(kBodies, i));
  }
}

TEST(IoTrajectory, EveryFieldRoundTrips) {
  const Folder folder;
  write_frames(folder / "t.h5", 12);
  expect_frames(folder / "t.h5", 12);
  EXPECT_EQ(folder.entries(), 1u);
  const TrajectoryReader reader(folder / "t.h5");
  EXPECT_THROW(reader.read(12), std::out_of_range);
  EXPECT_THROW(reader.read(-1), std::out_of_range);
}

TEST(IoTrajectory, EmptyAndLargeFramesRoundTrip) {
  const Folder folder;
  measure::Frame nothing;
  nothing.dimension = 2;
  TrajectoryWriter writer = TrajectoryWriter::create(folder / "t.h5");
  writer.append(nothing);
  writer.append(sample_frame(20000, 1));
  writer.append(sample_frame(1, 2));
  EXPECT_EQ(writer.count(), 3);
  const TrajectoryReader reader(folder / "t.h5");
  expect_same(reader.read(0), nothing);
  expect_same(reader.read(1), sample_frame(20000, 1));
  expect_same(reader.read(2), sample_frame(1, 2));
}

TEST(IoTrajectory, ResumeDropsTheLaterFrames) {
  const Folder folder;
  write_frames(folder / "t.h5", 10);
  expect_contains(error_of<base::InputError>([&] { TrajectoryWriter::resume(folder / "t.h5", 11); }),
                  "it has 10 frames, 11 are needed");
  TrajectoryReader live(folder / "t.h5");
  TrajectoryWriter writer = TrajectoryWriter::resume(folder / "t.h5", 6);
  EXPECT_EQ(writer.count(), 6);
  expect_frames(folder / "t.h5", 6);
  EXPECT_EQ(live.refresh(), 6);
  for (int i = 6; i < 9; ++i) writer.append(sample_frame(kBodies, i));
  expect_frames(folder / "t.h5", 9);
  EXPECT_EQ(live.refresh(), 9);
  TrajectoryWriter::resume(folder / "t.h5", 9).append(sample_frame(kBodies, 9));
  expect_frames(folder / "t.h5", 10);
  TrajectoryWriter::resume(folder / "t.h5", 0).append(sample_frame(kBodies, 0));
  expect_frames(folder / "t.h5", 1);
}

TEST(IoTrajectory, NotANumberIsNeverWritten) {
  const Folder folder;
  write_frames(folder / "t.h5", 2);
  TrajectoryWriter writer = TrajectoryWriter::resume(folder / "t.h5", 2);
  measure::Frame bad = sample_frame(kBodies, 2);
  bad.velocity[3][1] = std::numeric_limits<double>::quiet_NaN();
  const std::string text = error_of<base::RunError>([&] { writer.append(bad); });
  expect_contains(text, "velocity of body 109");
  expect_contains(text, "t.h5");
  bad = sample_frame(kBodies, 2);
  bad.mass.pop_back();
  EXPECT_THROW(writer.append(bad), std::logic_error);
  writer.append(sample_frame(kBodies, 2));
  expect_frames(folder / "t.h5", 3);
  writer.close();
  EXPECT_THROW(writer.append(sample_frame(kBodies, 3)), std::logic_error);
}

TEST(IoTrajectory, ForeignAndMissingFilesAreNamed) {
  const Folder folder;
  const auto text = [&](const std::string& name) {
    return error_of<base::InputError>([&] { TrajectoryReader(folder / name); });
  };
  ::testing::internal::CaptureStderr();
  expect_contains(text("missing.h5"), "there is no such file");
  put(folder / "empty.h5", "");
  expect_contains(text("empty.h5"), "is not a Moraine trajectory");
  put(folder / "text.h5", std::string(5000, 'x'));
  expect_contains(text("text.h5"), "is not a Moraine trajectory");
  write_checkpoint(folder / "checkpoint.h5", {});
  expect_contains(text("checkpoint.h5"), "not 'moraine trajectory'");
  write_frames(folder / "new.h5", 1);
  set_version(folder / "new.h5", 7);
  expect_contains(text("new.h5"), "was written by a newer version of Moraine (format 7; this program reads 1)");
  EXPECT_EQ(::testing::internal::GetCapturedStderr(), "");
}

// Either an error that says so, or exactly the frames that were written (the byte was one that nobody uses).
void expect_error_or_truth(const std::filesystem::path& path, int frames, const std::string& what) {
  try {
    const TrajectoryReader reader(path);
    ASSERT_EQ(reader.count(), frames) << what;
    for (int i = 0; i < frames; ++i) {
      const measure::Frame frame = reader.read(i);
      ASSERT_EQ(reader.times()[i], sample_frame(0, i).time) << what;
      expect_same(frame, sample_frame(4, i));
    }
  } catch (const base::InputError&) {
  }
}

TEST(IoTrajectory, DamageIsNoticed) {
  const Folder folder;
  TrajectoryWriter writer = TrajectoryWriter::create(folder / "t.h5");
  for (int i = 0; i < 2; ++i) writer.append(sample_frame(4, i));
  const std::string good = get(folder / "t.h5");
  const char* every = std::getenv("MORAINE_TEST_EVERY_BYTE");  // the long way, minutes
  ::testing::internal::CaptureStderr();
  for (std::size_t i = 0; i < good.size(); i += every != nullptr ? 1 : 23) {
    std::string bad = good;
    bad[i] = static_cast<char>(bad[i] ^ (1 << (i % 8)));
    put(folder / "bad.h5", bad);
    expect_error_or_truth(folder / "bad.h5", 2, fmt::format("byte {}", i));
  }
  for (std::size_t size = 0; size < good.size(); size += every != nullptr ? 1 : 97) {
    put(folder / "bad.h5", good.substr(0, size));
    EXPECT_THROW(TrajectoryReader(folder / "bad.h5"), base::InputError) << size;
  }
  EXPECT_EQ(::testing::internal::GetCapturedStderr(), "");
}

TEST(IoTrajectory, AChangedNumberIsNoticed) {
  const Folder folder;
  TrajectoryWriter writer = TrajectoryWriter::create(folder / "t.h5");
  writer.append(sample_frame(2000, 0));  // large enough to lie outside of the dataset's own header
  std::string bytes = get(folder / "t.h5");
  const double radius = sample_frame(2000, 0).radius[1000];
  const auto at = bytes.find(std::string(reinterpret_cast<const char*>(&radius), 8));
  ASSERT_NE(at, std::string::npos);
  bytes[at] = static_cast<char>(bytes[at] ^ 1);
  put(folder / "t.h5", bytes);
  const TrajectoryReader reader(folder / "t.h5");
  const std::string text = error_of<base::InputError>([&] { reader.read(0); });
  expect_contains(text, "frames/000000");
  expect_contains(text, "checksum");
}

// Every state in which a kill can leave the file between "before" and "after" an append.
TEST(IoTrajectory, AnAppendBrokenOffAnywhereIsFinishedOrUndone) {
  const Folder folder;
  write_frames(folder / "t.h5", 30);
  const std::string before = get(folder / "t.h5");
  TrajectoryWriter::resume(folder / "t.h5", 30).append(sample_frame(kBodies, 30));
  const std::string after = get(folder / "t.h5");
  ASSERT_GT(after.size(), before.size());

  put(folder / "before", before);
  const Descriptor base(::open((folder / "before").c_str(), O_RDONLY));
  Hdf5Image image(base.get(), before.size());
  ASSERT_EQ(image.write(before.size(), std::string_view(after).substr(before.size())), 0);
  for (std::size_t i = 0; i < before.size(); ++i)
    if (before[i] != after[i]) {
      ASSERT_EQ(image.write(i, std::string_view(&after[i], 1)), 0);
    }
  ASSERT_GE(image.pages().size(), 2u) << "with one page only, this test shows nothing";

  // While the new bytes are being written: the old frames, and the next append succeeds.
  for (const std::size_t part : {std::size_t{1}, (after.size() - before.size()) / 2, after.size() - before.size()}) {
    put(folder / "t.h5", before + after.substr(before.size(), part));
    expect_frames(folder / "t.h5", 30);
    TrajectoryWriter::resume(folder / "t.h5", 30).append(sample_frame(kBodies, 30));
    expect_frames(folder / "t.h5", 31);
  }
  // With the note written and any number of pages in place: the new frame is there, for readers and for a resumed run.
  std::string torn = before + after.substr(before.size());
  auto page = image.pages().begin();
  for (std::size_t done = 0; done <= image.pages().size(); ++done) {
    put(folder / "t.h5", torn);
    put(folder / "t.h5.journal", journal_bytes(image));
    expect_frames(folder / "t.h5", 31);
    TrajectoryWriter::resume(folder / "t.h5", 31).append(sample_frame(kBodies, 31));
    EXPECT_FALSE(std::filesystem::exists(folder / "t.h5.journal"));
    expect_frames(folder / "t.h5", 32);
    if (page == image.pages().end()) break;
    torn.replace(page->first, page->second.size(), page->second);
    ++page;
  }
  // A damaged note is said, not carried out.
  std::string note = journal_bytes(image);
  note[100] = static_cast<char>(note[100] ^ 1);
  put(folder / "t.h5", before + after.substr(before.size()));
  put(folder / "t.h5.journal", note);
  expect_contains(error_of<base::InputError>([&] { TrajectoryReader(folder / "t.h5"); }), "t.h5.journal");
}

// Appends until it is killed, telling each finished frame through the pipe.
[[noreturn]] void append_forever(const std::filesystem::path& path, int pipe, std::int64_t from) {
  try {
    TrajectoryWriter writer = TrajectoryWriter::resume(path, from);
    for (int i = static_cast<int>(from);; ++i) {
      writer.append(sample_frame(kBodies, i));
      if (::write(pipe, &i, sizeof i) != sizeof i) ::_exit(1);
    }
  } catch (...) {
    ::_exit(2);
  }
}

struct Child {
  pid_t id = -1;
  int pipe = -1;
  int last = -1;

  Child(const std::filesystem::path& path, std::int64_t from) {
    int ends[2];
    if (::pipe(ends) != 0) throw std::runtime_error("no pipe");
    id = ::fork();
    if (id == 0) append_forever(path, ends[1], from);
    ::close(ends[1]);
    pipe = ends[0];
  }
  bool wait_for_frame() { return ::read(pipe, &last, sizeof last) == sizeof last; }
  void kill() {
    ::kill(id, SIGKILL);
    while (wait_for_frame()) {
    }
    int status = 0;
    ::waitpid(id, &status, 0);
    ::close(pipe);
    EXPECT_TRUE(WIFSIGNALED(status)) << "the child ended by itself, status " << status;
  }
};

TEST(IoTrajectory, AKilledRunLeavesEveryFinishedFrame) {
  const Folder folder;
  const auto path = folder / "t.h5";
  TrajectoryWriter::create(path);
  std::int64_t count = 0;
  for (int round = 0; round < 25; ++round) {
    Child child(path, count);
    ASSERT_TRUE(child.wait_for_frame());
    std::this_thread::sleep_for(std::chrono::microseconds(137 * round));  // another moment of the append each time
    child.kill();
    const TrajectoryReader reader(path);
    ASSERT_GE(reader.count(), child.last + 1);
    ASSERT_LE(reader.count(), child.last + 2);  // one more may be finished but not told
    count = reader.count();
  }
  expect_frames(path, count);
}

TEST(IoTrajectory, CanBeReadWhileItIsWritten) {
  const Folder folder;
  const auto path = folder / "t.h5";
  TrajectoryWriter::create(path);
  Child child(path, 0);
  TrajectoryReader reader(path);
  // Looks as often as it can, which must not starve the writer: on a slow disk too, some frames come.
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  int looks = 0;
  while (std::chrono::steady_clock::now() < end && reader.count() < 100) {
    const std::int64_t count = reader.refresh();
    if (count > 0) expect_same(reader.read(count - 1), sample_frame(kBodies, static_cast<int>(count - 1)));
    ++looks;
  }
  child.kill();
  EXPECT_GE(reader.refresh(), 100);
  EXPECT_GT(looks, 10);
}

TEST(IoTrajectory, AReaderThatHangsDoesNotStopARun) {
  const Folder folder;
  write_frames(folder / "t.h5", 1);
  const Descriptor file = open_for_reading(folder / "t.h5");
  const ReadLock hanging(file.get());
  TrajectoryWriter::resume(folder / "t.h5", 1).append(sample_frame(kBodies, 1));
  expect_frames(folder / "t.h5", 2);
}

// A disk of 300 KB. Needs the right to mount.
class SmallDisk {
 public:
  explicit SmallDisk(const std::filesystem::path& path) : path_(path) {
    std::filesystem::create_directory(path);
    mounted_ = ::mount("tmpfs", path.c_str(), "tmpfs", 0, "size=600k") == 0;
  }
  SmallDisk(const SmallDisk&) = delete;
  SmallDisk& operator=(const SmallDisk&) = delete;
  ~SmallDisk() {
    if (mounted_) ::umount(path_.c_str());
  }
  bool mounted() const { return mounted_; }
  std::filesystem::path operator/(const std::string& name) const { return path_ / name; }

 private:
  std::filesystem::path path_;
  bool mounted_ = false;
};

TEST(IoFullDisk, TheTrajectoryKeepsWhatItHas) {
  const Folder folder;
  const SmallDisk disk(folder / "disk");
  if (!disk.mounted()) GTEST_SKIP() << "no right to mount a small disk here";
  TrajectoryWriter writer = TrajectoryWriter::create(disk / "t.h5");
  std::string text, before;
  while (text.empty() && writer.count() < 1000) {
    before = get(disk / "t.h5");
    try {
      writer.append(sample_frame(kBodies, static_cast<int>(writer.count())));
    } catch (const base::RunError& error) {
      text = error.what();
    }
  }
  expect_contains(text, "t.h5");
  expect_contains(text, "No space left on device");
  expect_contains(text, "free some space");
  ASSERT_GT(writer.count(), 2);
  EXPECT_EQ(get(disk / "t.h5"), before);  // what was written of the failed frame is taken back
  expect_frames(disk / "t.h5", writer.count());
  // With room again, the same writer goes on.
  const auto count = writer.count();
  TrajectoryWriter shorter = TrajectoryWriter::resume(disk / "t.h5", count / 2);
  shorter.append(sample_frame(kBodies, static_cast<int>(count / 2)));
  expect_frames(disk / "t.h5", count / 2 + 1);
}

TEST(IoFullDisk, TheLastCheckpointSurvives) {
  const Folder folder;
  const SmallDisk disk(folder / "disk");
  if (!disk.mounted()) GTEST_SKIP() << "no right to mount a small disk here";
  base::Record small, large;
  small.reals["x"] = std::vector<double>(1000, 1.5);
  large.reals["x"] = std::vector<double>(100000, 2.5);
  write_checkpoint(disk / "c.h5", small);
  expect_contains(error_of<base::RunError>([&] { write_checkpoint(disk / "c.h5", large); }), "No space left");
  EXPECT_EQ(read_checkpoint(disk / "c.h5").real("x"), small.real("x"));
  EXPECT_FALSE(std::filesystem::exists(disk / "c.h5.part"));
}

TEST(IoFullDisk, TheDumpHasNoHalfFrame) {
  const Folder folder;
  const SmallDisk disk(folder / "disk");
  if (!disk.mounted()) GTEST_SKIP() << "no right to mount a small disk here";
  std::int64_t count = 0;
  std::string text;
  while (text.empty() && count < 1000) {
    try {
      append_lammps_dump(disk / "d.lammpstrj", sample_frame(kBodies, static_cast<int>(count)));
      ++count;
    } catch (const base::RunError& error) {
      text = error.what();
    }
  }
  expect_contains(text, "No space left");
  EXPECT_EQ(count_lammps_frames(disk / "d.lammpstrj"), count);
  EXPECT_EQ(get(disk / "d.lammpstrj").back(), '\n');
}

}  // namespace
}  // namespace moraine::io::testing

// HDF5 itself forgets some memory when it refuses a damaged file. Only looked at by the leak sanitizer.
extern "C" const char* __lsan_default_suppressions() { return "leak:libhdf5"; }
