// SPDX-License-Identifier: MIT
#include "io/dump.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <sstream>

#include "base/error.hpp"
#include "unit/io_samples.hpp"

namespace moraine::io::testing {
namespace {

TEST(IoDump, IsTheTextThatLammpsWrites) {
  const Folder folder;
  measure::Frame frame = sample_frame(2, 3);
  frame.position[0] = {0.1, -0.5, 1.0 / 3.0};
  frame.velocity[0] = {1, 2, 3};
  frame.spin[0] = {4, 5, 6};
  frame.radius[0] = 0.25;
  append_lammps_dump(folder / "d", frame);
  std::istringstream lines(get(folder / "d"));
  const char* expected[] = {"ITEM: TIMESTEP",
                            "3000",
                            "ITEM: NUMBER OF ATOMS",
                            "2",
                            "ITEM: BOX BOUNDS pp ff ff",
                            "-1 1",
                            "-2 2",
                            "-3 3.5",
                            "ITEM: ATOMS id type x y z radius vx vy vz omegax omegay omegaz",
                            "100 1 0.1 -0.5 0.3333333333333333 0.25 1 2 3 4 5 6"};
  std::string line;
  for (const char* want : expected) {
    ASSERT_TRUE(std::getline(lines, line));
    EXPECT_EQ(line, want);
  }
  ASSERT_TRUE(std::getline(lines, line));
  expect_contains(line, "103 2 ");
  EXPECT_FALSE(std::getline(lines, line));
}

TEST(IoDump, AFlatBoxGetsTheHeightOfTheLargestDisc) {
  const Folder folder;
  measure::Frame frame = sample_frame(2);
  frame.domain_min[2] = frame.domain_max[2] = 0;
  frame.radius = {0.25, 0.5};
  append_lammps_dump(folder / "d", frame);
  expect_contains(get(folder / "d"), "\n-0.5 0.5\nITEM: ATOMS");
}

TEST(IoDump, AppendsAndKeepsTheFirstFrames) {
  const Folder folder;
  std::string text;
  for (int i = 0; i < 6; ++i) {
    append_lammps_dump(folder / "d", sample_frame(i % 3 == 1 ? 0 : 5, i));
    if (i == 3) text = get(folder / "d");
  }
  EXPECT_EQ(count_lammps_frames(folder / "d"), 6);
  expect_contains(error_of<base::InputError>([&] { keep_lammps_frames(folder / "d", 7); }),
                  "it has 6 complete frames, 7 are needed");
  std::ofstream(folder / "d", std::ios::app) << "ITEM: TIMESTEP\n7000\nITEM: NUM";  // a run killed within a frame
  EXPECT_EQ(count_lammps_frames(folder / "d"), 6);
  keep_lammps_frames(folder / "d", 4);
  EXPECT_EQ(get(folder / "d"), text);
  append_lammps_dump(folder / "d", sample_frame(5, 4));
  EXPECT_EQ(count_lammps_frames(folder / "d"), 5);
  keep_lammps_frames(folder / "d", 0);
  EXPECT_EQ(get(folder / "d"), "");
}

TEST(IoDump, AFrameCutAnywhereDoesNotCount) {
  const Folder folder;
  append_lammps_dump(folder / "d", sample_frame(3, 0));
  const std::size_t first = get(folder / "d").size();
  append_lammps_dump(folder / "d", sample_frame(3, 1));
  const std::string all = get(folder / "d");
  for (std::size_t size = first; size <= all.size(); ++size) {
    put(folder / "cut", all.substr(0, size));
    EXPECT_EQ(count_lammps_frames(folder / "cut"), size == all.size() ? 2 : 1) << size;
  }
}

TEST(IoDump, ForeignFilesAndBadNumbersAreRefused) {
  const Folder folder;
  put(folder / "x", "something else\n");
  expect_contains(error_of<base::InputError>([&] { count_lammps_frames(folder / "x"); }), "is not a LAMMPS dump");
  EXPECT_THROW(keep_lammps_frames(folder / "missing", 1), base::InputError);
  measure::Frame bad = sample_frame(3);
  bad.position[1][2] = std::numeric_limits<double>::infinity();
  expect_contains(error_of<base::RunError>([&] { append_lammps_dump(folder / "d", bad); }), "position of body 103");
  EXPECT_FALSE(std::filesystem::exists(folder / "d"));
}

}  // namespace
}  // namespace moraine::io::testing
