// SPDX-License-Identifier: MIT
#include "io/checkpoint.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>

#include "base/error.hpp"
#include "io/trajectory.hpp"
#include "unit/io_samples.hpp"

namespace moraine::io::testing {
namespace {

base::Record sample_record() {
  base::Record record;
  record.reals["plain"] = {0.1, -0.0, 5e-324, 1.7976931348623157e308, std::nextafter(1.0, 2.0)};
  record.reals["empty"] = {};
  record.reals["bodies/position.x"] = std::vector<double>(5000, 1.0 / 3.0);
  record.ints["count"] = {std::numeric_limits<std::int64_t>::min(), -1, 0, std::numeric_limits<std::int64_t>::max()};
  record.ints["none"] = {};
  record.texts["scene"] = "title = \"x\"\n\xC3\xBC\n";
  record.texts["empty"] = "";
  record.texts["zeros"] = std::string("a\0b\0", 4);
  record.texts["100%/."] = std::string(10000, 'y');
  return record;
}

bool same_bits(const base::Record& a, const base::Record& b) {
  if (a.ints != b.ints || a.texts != b.texts || a.reals.size() != b.reals.size()) return false;
  for (const auto& [name, values] : a.reals) {
    const auto it = b.reals.find(name);
    if (it == b.reals.end() || it->second.size() != values.size()) return false;
    for (std::size_t i = 0; i < values.size(); ++i)
      if (std::bit_cast<std::uint64_t>(values[i]) != std::bit_cast<std::uint64_t>(it->second[i])) return false;
  }
  return true;
}

TEST(IoCheckpoint, RoundTripIsBitExact) {
  const Folder folder;
  write_checkpoint(folder / "c.h5", sample_record());
  EXPECT_TRUE(same_bits(sample_record(), read_checkpoint(folder / "c.h5")));
  EXPECT_EQ(folder.entries(), 1u);
}

TEST(IoCheckpoint, AnEmptyRecordRoundTrips) {
  const Folder folder;
  write_checkpoint(folder / "c.h5", {});
  EXPECT_TRUE(same_bits({}, read_checkpoint(folder / "c.h5")));
}

TEST(IoCheckpoint, SameContentGivesTheSameBytes) {
  const Folder folder;
  write_checkpoint(folder / "a.h5", sample_record());
  write_checkpoint(folder / "b.h5", sample_record());
  EXPECT_EQ(get(folder / "a.h5"), get(folder / "b.h5"));
}

// HDF5's own way to open files, from another process; our reader goes through a driver of our own.
TEST(IoCheckpoint, OtherProgramsCanOpenIt) {
  const Folder folder;
  write_checkpoint(folder / "c.h5", sample_record());
  TrajectoryWriter writer = TrajectoryWriter::create(folder / "t.h5");
  for (int i = 0; i < 20; ++i) writer.append(sample_frame(300, i));
  put(folder / "read.py", R"(
import ctypes, ctypes.util, sys
lib = ctypes.CDLL(ctypes.util.find_library('hdf5_serial') or ctypes.util.find_library('hdf5'))
lib.H5open()
lib.H5Fopen.restype = lib.H5Dopen2.restype = ctypes.c_int64
lib.H5Dopen2.argtypes = [ctypes.c_int64, ctypes.c_char_p, ctypes.c_int64]
lib.H5Fopen.argtypes = [ctypes.c_char_p, ctypes.c_uint, ctypes.c_int64]
lib.H5Dread.argtypes = [ctypes.c_int64] * 5 + [ctypes.c_void_p]
double = ctypes.c_int64.in_dll(lib, 'H5T_NATIVE_DOUBLE_g').value
name, dataset, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
file = lib.H5Fopen(name.encode(), 0, 0)
data = lib.H5Dopen2(file, dataset.encode(), 0)
values = (ctypes.c_double * count)()
if file < 0 or data < 0 or lib.H5Dread(data, double, 0, 0, 0, values) < 0:
    sys.exit(1)
print(*values)
)");
  const auto read = [&](const std::string& file, const std::string& dataset, int count) {
    const std::string command =
        fmt::format("/usr/bin/python3 '{}' '{}' {} {} > '{}' 2>&1", (folder / "read.py").string(),
                    (folder / file).string(), dataset, count, (folder / "out").string());
    EXPECT_EQ(std::system(command.c_str()), 0) << get(folder / "out");
    return get(folder / "out");
  };
  // Both Python and fmt write the shortest text that is the same number.
  EXPECT_EQ(read("c.h5", "/reals/plain", 5), "0.1 -0.0 5e-324 1.7976931348623157e+308 1.0000000000000002\n");
  EXPECT_EQ(read("t.h5", "/frames/000017/radius", 300),
            fmt::format("{}\n", fmt::join(sample_frame(300, 17).radius, " ")));
}

TEST(IoCheckpoint, EveryChangedByteIsNoticed) {
  const Folder folder;
  base::Record record;
  record.reals["x"] = {1.5, 2.5};
  record.ints["n"] = {7};
  record.texts["t"] = "hello";
  write_checkpoint(folder / "c.h5", record);
  const std::string good = get(folder / "c.h5");
  ::testing::internal::CaptureStderr();
  for (std::size_t i = 0; i < good.size(); ++i) {
    std::string bad = good;
    bad[i] = static_cast<char>(bad[i] ^ (1 << (i % 8)));
    put(folder / "bad.h5", bad);
    EXPECT_THROW(read_checkpoint(folder / "bad.h5"), base::InputError) << "byte " << i;
  }
  EXPECT_EQ(::testing::internal::GetCapturedStderr(), "");
}

TEST(IoCheckpoint, EveryTruncationIsNoticed) {
  const Folder folder;
  write_checkpoint(folder / "c.h5", sample_record());
  const std::string good = get(folder / "c.h5");
  ::testing::internal::CaptureStderr();
  for (std::size_t size = 0; size < good.size(); size += size < 1024 ? 1 : 97) {
    put(folder / "bad.h5", good.substr(0, size));
    EXPECT_THROW(read_checkpoint(folder / "bad.h5"), base::InputError) << size << " bytes";
  }
  put(folder / "bad.h5", good + "x");
  EXPECT_THROW(read_checkpoint(folder / "bad.h5"), base::InputError);
  EXPECT_EQ(::testing::internal::GetCapturedStderr(), "");
}

TEST(IoCheckpoint, ForeignAndMissingFilesAreNamed) {
  const Folder folder;
  const auto text = [&](const std::string& name) {
    return error_of<base::InputError>([&] { read_checkpoint(folder / name); });
  };
  expect_contains(text("missing.h5"), "there is no such file");
  expect_contains(error_of<base::InputError>([&] { read_checkpoint(folder.path()); }), "is a folder");
  put(folder / "empty.h5", "");
  expect_contains(text("empty.h5"), "is empty");
  put(folder / "text.h5", std::string(5000, 'x'));
  expect_contains(text("text.h5"), "not a Moraine checkpoint");
  write_checkpoint(folder / "new.h5", sample_record());
  std::string newer = get(folder / "new.h5");
  newer[24] = 9;  // the version stands behind the 24 bytes of the magic word
  put(folder / "new.h5", newer);
  expect_contains(text("new.h5"), "was written by a newer version of Moraine (format 9; this program reads 3)");
  newer[24] = 1;
  put(folder / "new.h5", newer);
  expect_contains(text("new.h5"), "was written by an older version of Moraine (format 1; this program reads 3)");
}

TEST(IoCheckpoint, TheOldOneStaysWhenTheNewOneCannotBeWritten) {
  const Folder folder;
  write_checkpoint(folder / "c.h5", sample_record());
  std::filesystem::create_directory(folder / "c.h5.part");  // in the way, even for root
  base::Record other;
  other.set("x", 1.0);
  const std::string text = error_of<base::RunError>([&] { write_checkpoint(folder / "c.h5", other); });
  expect_contains(text, "c.h5");
  expect_contains(text, "what to do");
  EXPECT_TRUE(same_bits(sample_record(), read_checkpoint(folder / "c.h5")));
}

}  // namespace
}  // namespace moraine::io::testing
