// SPDX-License-Identifier: MIT
#include "io/file.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <csignal>

#include "base/error.hpp"
#include "io/checksum.hpp"
#include "unit/io_samples.hpp"

namespace moraine::io::testing {
namespace {

TEST(IoFile, WritesAndReplacesWithoutLeavingAPart) {
  const Folder folder;
  write_file_atomically(folder / "a", "one");
  write_file_atomically(folder / "a", std::string("two\0three", 9));
  EXPECT_EQ(get(folder / "a"), std::string("two\0three", 9));
  EXPECT_EQ(folder.entries(), 1u);
}

TEST(IoFile, AFailureSaysWhyAndLeavesTheOldContent) {
  const Folder folder;
  write_file_atomically(folder / "a", "old");
  // A limit on the size of files fails in the middle of the writing, as a full disk does.
  struct rlimit before {};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
  struct rlimit small = before;
  small.rlim_cur = 10000;
  const auto old_signal = std::signal(SIGXFSZ, SIG_IGN);
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
  std::string text;
  try {
    write_file_atomically(folder / "a", std::string(20000, 'x'));
  } catch (const base::RunError& error) {
    text = error.what();
  }
  ::setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, old_signal);
  expect_contains(text, "cannot write");
  expect_contains(text, (folder / "a").string());
  expect_contains(text, "File too large");
  expect_contains(text, "what to do");
  EXPECT_EQ(get(folder / "a"), "old");
  EXPECT_EQ(folder.entries(), 1u);
}

TEST(IoFile, AFolderInTheWayOrMissingIsSaid) {
  const Folder folder;
  std::filesystem::create_directories(folder / "d/e");
  expect_contains(error_of<base::RunError>([&] { write_file_atomically(folder / "d", "x"); }), "put in place");
  EXPECT_FALSE(std::filesystem::exists(folder / "d.part"));
  expect_contains(error_of<base::RunError>([&] { write_file_atomically(folder / "no/a", "x"); }),
                  "No such file or directory");
}

TEST(IoFile, EnsureFolderMakesParentsAndRefusesAFile) {
  const Folder folder;
  ensure_folder(folder / "x/y/z");
  ensure_folder(folder / "x/y/z");
  EXPECT_TRUE(std::filesystem::is_directory(folder / "x/y/z"));
  put(folder / "f", "x");
  expect_contains(error_of<base::RunError>([&] { ensure_folder(folder / "f"); }), "make the folder");
  expect_contains(error_of<base::RunError>([&] { ensure_folder(folder / "f/g"); }), "Not a directory");
  expect_contains(error_of<base::RunError>([&] { ensure_folder("/proc/moraine/x"); }), "/proc/moraine/x");
}

TEST(IoFile, ReadTextFileRefusesWhatItCannotRead) {
  const Folder folder;
  put(folder / "a", std::string(5000, 'x'));
  EXPECT_EQ(read_text_file(folder / "a"), std::string(5000, 'x'));
  EXPECT_EQ(read_text_file(folder / "a", 5000).size(), 5000u);
  const std::string big = error_of<base::InputError>([&] { read_text_file(folder / "a", 4999); });
  expect_contains(big, "5000 bytes");
  expect_contains(big, "4999 bytes");
  expect_contains(error_of<base::InputError>([&] { read_text_file(folder / "b"); }), "there is no such file");
  expect_contains(error_of<base::InputError>([&] { read_text_file(folder.path()); }), "is a folder");
  ASSERT_EQ(::mkfifo((folder / "pipe").c_str(), 0600), 0);
  expect_contains(error_of<base::InputError>([&] { read_text_file(folder / "pipe"); }), "not an ordinary file");
  put(folder / "empty", "");
  EXPECT_EQ(read_text_file(folder / "empty"), "");
}

TEST(IoChecksum, DoesNotDependOnThePiecesButOnEveryByte) {
  std::string bytes;
  for (int i = 0; i < 100; ++i) bytes += static_cast<char>(7 * i);
  Checksum whole;
  whole.add(bytes.data(), bytes.size());
  for (std::size_t cut = 0; cut <= bytes.size(); ++cut) {
    Checksum pieces;
    pieces.add(bytes.data(), cut);
    pieces.add(bytes.data() + cut, bytes.size() - cut);
    EXPECT_EQ(pieces.value(), whole.value()) << cut;
    Checksum shorter;
    shorter.add(bytes.data(), cut);
    EXPECT_EQ(shorter.value() == whole.value(), cut == bytes.size());
  }
  for (char& c : bytes) {
    c = static_cast<char>(c ^ 16);
    Checksum changed;
    changed.add(bytes.data(), bytes.size());
    EXPECT_NE(changed.value(), whole.value());
    c = static_cast<char>(c ^ 16);
  }
}

}  // namespace
}  // namespace moraine::io::testing
