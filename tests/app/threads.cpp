// SPDX-License-Identifier: MIT
// Every file of every example has the same bytes on any number of threads. (Their states on 1, 2, 3 and 8 threads:
// tests/determinism.)
#include <gtest/gtest.h>

#include "support/runs.hpp"

using namespace moraine::testing;

namespace {

// Long and large enough that several threads have work, and that most bodies touch something.
Args busy(const std::string& example) {
  if (example == "bed_3d") return set({"setup.count=6000", "gravity.acceleration=500", "time.end=0.003"});
  if (example == "heap_2d") return set({"time.end=0.3"});
  return shortened(example, 1200);
}

class Threads : public ::testing::TestWithParam<std::string> {};

}  // namespace

TEST_P(Threads, DoNotChangeASingleBit) {
  const Folder folder;
  for (const char* threads : {"1", "3"}) {
    SCOPED_TRACE(std::string(threads) + " threads");
    const Args run = Args{"run", GetParam(), "--quiet", "--threads", threads, "--out", threads};
    ASSERT_TRUE(ended_with(run_moraine(run + busy(GetParam()), folder.path()), 0));
    EXPECT_EQ(summary_of(folder / threads)["threads"], std::stoi(threads));
    expect_same_run(folder / "1", folder / threads);
  }
  if (GetParam() == "bed_3d") {
    EXPECT_GT(summary_of(folder / "1")["contacts"], 3000) << "too few contacts to tell anything";
  }
}

INSTANTIATE_TEST_SUITE_P(Example, Threads, ::testing::ValuesIn(example_names()),
                         [](const auto& instance) { return instance.param; });

// A gate that cannot close is none: another seed is another state.
TEST(StateHash, ChangesWithTheSeed) {
  const Folder folder;
  for (const char* seed : {"3", "4"})
    ASSERT_TRUE(ended_with(run_moraine(Args{"run", "shaker", "--quiet", "--out", seed} +
                                           set({"time.end=0.001", "seed=" + std::string(seed)}),
                                       folder.path()),
                           0));
  EXPECT_NE(hash_of(folder / "3"), hash_of(folder / "4"));
}

TEST(StateHash, DoesNotDependOnTheFolderOrTheClock) {
  const Folder folder;
  fs::create_directories(folder / "deep/er");
  ASSERT_TRUE(ended_with(run_moraine({"run", "impact_oblique", "--quiet", "--out", "a"}, folder.path()), 0));
  ASSERT_TRUE(ended_with(run_moraine({"run", "impact_oblique", "--out", "b"}, folder / "deep/er"), 0));
  expect_same_run(folder / "a", folder / "deep/er/b");
}
