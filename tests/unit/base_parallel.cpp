// SPDX-License-Identifier: MIT
// The team of threads: every chunk once, errors of the lowest chunk, and many short rounds. Random streams.
#include "base/parallel.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <stdexcept>

#include "base/random.hpp"

namespace {

using moraine::base::Stream;
using moraine::base::Team;

TEST(BaseParallel, EveryChunkIsDoneOnce) {
  for (const int threads : {1, 2, 3, 8}) {
    Team team(threads);
    for (const std::size_t chunks : {0, 1, 5, 6, 7, 100}) {
      std::vector<int> done(chunks, 0);
      for (int round = 0; round < 50; ++round) team.for_chunks(chunks, [&](std::size_t c) { ++done[c]; });
      for (std::size_t c = 0; c < chunks; ++c) EXPECT_EQ(done[c], 50) << threads << " threads, chunk " << c;
    }
  }
}

TEST(BaseParallel, TheErrorOfTheLowestChunkIsTheOneReported) {
  for (const int threads : {1, 2, 8}) {
    Team team(threads);
    for (int round = 0; round < 20; ++round) {
      try {
        team.for_chunks(64, [](std::size_t c) {
          if (c % 10 == 7) throw std::runtime_error(std::to_string(c));
        });
        FAIL() << "no error";
      } catch (const std::runtime_error& error) {
        EXPECT_STREQ(error.what(), "7");
      }
    }
  }
}

TEST(BaseRandom, StreamsAreRepeatableAndCanBeEnteredAnywhere) {
  Stream a(5, "fill.0"), b(5, "fill.1"), c(6, "fill.0");
  std::vector<double> first;
  for (int k = 0; k < 100; ++k) first.push_back(a.uniform());
  EXPECT_EQ(a.counter(), 100U);
  Stream again(5, "fill.0", 40);
  for (std::size_t k = 40; k < 100; ++k) EXPECT_EQ(again.uniform(), first[k]);
  EXPECT_NE(b.uniform(), first[0]);
  EXPECT_NE(c.uniform(), first[0]);
}

TEST(BaseRandom, UniformHasMeanAndVarianceOfTheUniformLaw) {
  Stream random(1, "test");
  double sum = 0, squares = 0;
  constexpr int kDraws = 200000;
  for (int k = 0; k < kDraws; ++k) {
    const double u = random.uniform();
    ASSERT_GE(u, 0);
    ASSERT_LT(u, 1);
    sum += u;
    squares += u * u;
  }
  EXPECT_NEAR(sum / kDraws, 0.5, 4 * 0.289 / std::sqrt(kDraws));
  EXPECT_NEAR(squares / kDraws, 1.0 / 3, 4 * 0.298 / std::sqrt(kDraws));
  std::vector<int> counts(7, 0);
  for (int k = 0; k < 70000; ++k) ++counts[random.below(7)];
  for (const int n : counts) EXPECT_NEAR(n, 10000, 400);
}

}  // namespace
