// SPDX-License-Identifier: MIT
// Averages over blocks: sums, errors of white noise and of a series with a memory, ratios, drift, saving.
#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>

#include "base/random.hpp"
#include "measure/average.hpp"

namespace moraine::measure {
namespace {

std::vector<double> same(std::span<const double> means) { return {means.begin(), means.end()}; }

void add(Blocks& blocks, std::initializer_list<double> values) { blocks.add(std::span(values.begin(), values.size())); }

// Of variance 1.
double noise(base::Stream& random) { return std::sqrt(12.0) * (random.uniform() - 0.5); }

// Mean of the estimated variance of the mean over many series, made by `next`.
template <class Next>
double estimated_variance(int series, int samples, const Next& next) {
  double sum = 0;
  for (int s = 0; s < series; ++s) {
    base::Stream random(static_cast<std::uint64_t>(s), "average");
    Blocks blocks(1);
    double value = 0;
    for (int k = 0; k < samples; ++k) {
      value = next(value, random);
      add(blocks, {value});
    }
    sum += std::pow(blocks.estimate().error[0], 2);
  }
  return sum / series;
}

TEST(MeasureAverage, AllSamplesCountInTheMeans) {
  for (const int n : {1, 3, 31, 32, 33, 37, 100, 1000}) {
    Blocks blocks(2);
    for (int k = 1; k <= n; ++k) add(blocks, {static_cast<double>(k), 1.0});
    EXPECT_EQ(blocks.count(), n);
    EXPECT_EQ(blocks.sums(), (std::vector<double>{0.5 * n * (n + 1), static_cast<double>(n)}));
    EXPECT_EQ(blocks.estimate().value, (std::vector<double>{0.5 * (n + 1), 1}));
    EXPECT_EQ(blocks.estimate().error[1], 0);
    EXPECT_LT(blocks.blocks(), 32U);
    EXPECT_TRUE(n <= 32 || blocks.blocks() >= 16U);
  }
}

TEST(MeasureAverage, WithoutOrWithFewSamplesThereIsNoError) {
  Blocks blocks(1);
  EXPECT_EQ(blocks.estimate(same).value[0], 0);
  for (int k = 0; k < 3; ++k) add(blocks, {k * 5.0});
  EXPECT_EQ(blocks.estimate(same).value[0], 5);
  EXPECT_EQ(blocks.estimate(same).error[0], 0);
  EXPECT_EQ(blocks.drift(same), 0);
  EXPECT_FALSE(blocks.steady(0));
  add(blocks, {15.0});
  EXPECT_NEAR(blocks.estimate(same).error[0], std::sqrt(125.0 / 3 / 4), 1e-12);  // that of four numbers
}

TEST(MeasureAverage, ASampleOfAnotherSizeIsRefused) {
  Blocks blocks(2);
  EXPECT_THROW(add(blocks, {1.0}), std::logic_error);
}

// One estimate scatters by about 30 %; the mean of 400 by 2 %.
TEST(MeasureAverage, ErrorOfWhiteNoise) {
  const double variance = estimated_variance(400, 1500, [](double, base::Stream& random) { return noise(random); });
  EXPECT_NEAR(variance * 1500, 1, 0.06);
}

// x' = r x + sqrt(1 - r^2) noise has variance 1, and its mean that of (1 + r) / (1 - r) times as few samples.
TEST(MeasureAverage, ErrorOfASeriesWithAMemory) {
  const double r = 0.9;
  const double variance = estimated_variance(
      400, 20000, [r](double x, base::Stream& random) { return r * x + std::sqrt(1 - r * r) * noise(random); });
  EXPECT_NEAR(variance * 20000 * (1 - r) / (1 + r), 1, 0.08);
}

// A memory of 400 samples, in blocks of 256 and 512: blocks alone would tell less than half of the variance.
TEST(MeasureAverage, ErrorOfASeriesThatRemembersForLongerThanABlock) {
  const double r = 0.995;
  const double variance = estimated_variance(
      400, 8192, [r](double x, base::Stream& random) { return r * x + std::sqrt(1 - r * r) * noise(random); });
  const double told = variance * 8192 * (1 - r) / (1 + r);
  EXPECT_GT(told, 0.75);
  EXPECT_LT(told, 1.25);
}

// Three windows of 600 samples that lie next to each other, of a series that remembers 800: how often the true mean is
// within two errors of theirs. One window alone knows too little.
TEST(MeasureAverage, ErrorsOfWindowsKnowWhatTheSeriesRemembers) {
  const double r = 0.9975;
  constexpr int kSeries = 400, kWindow = 600;
  int within = 0, alone = 0;
  double white_told = 0, white_alone = 0;
  for (std::uint64_t s = 0; s < kSeries; ++s) {
    base::Stream random(s, "windows");
    std::vector<Blocks> windows(3, Blocks(1)), white(3, Blocks(1));
    double x = noise(random);
    for (int k = 0; k < 3 * kWindow; ++k) {
      x = r * x + std::sqrt(1 - r * r) * noise(random);
      add(windows[static_cast<std::size_t>(k / kWindow)], {x});
      add(white[static_cast<std::size_t>(k / kWindow)], {noise(random)});
    }
    const std::vector<const Blocks*> pieces = {&windows[0], &windows[1], &windows[2]};
    const std::vector<const Blocks*> white_pieces = {&white[0], &white[1], &white[2]};
    for (std::size_t w = 0; w < 3; ++w) {
      const double mean = std::fabs(windows[w].means()[0]);
      within += mean < 2 * windows[w].estimate(same, pieces).error[0] ? 1 : 0;
      alone += mean < 2 * windows[w].estimate(same).error[0] ? 1 : 0;
      white_told += std::pow(white[w].estimate(same, white_pieces).error[0], 2);
      white_alone += std::pow(white[w].estimate(same).error[0], 2);
    }
  }
  EXPECT_GT(within, 0.93 * 3 * kSeries);
  EXPECT_LT(alone, 0.80 * 3 * kSeries);
  EXPECT_NEAR(white_told / white_alone, 1, 0.02);
}

// Windows of other lengths, in blocks of another size.
TEST(MeasureAverage, PiecesOfAnyLengthMakeOneSeries) {
  Blocks fine(1), coarse(1);
  for (int k = 0; k < 31; ++k) add(fine, {std::sin(0.3 * k)});
  for (int k = 31; k < 531; ++k) add(coarse, {std::sin(0.3 * k)});
  const std::vector<const Blocks*> pieces = {&fine, &coarse}, few = {&fine};
  EXPECT_EQ(fine.estimate(same, pieces).value, fine.estimate(same).value);
  EXPECT_EQ(fine.estimate(same, few).error, fine.estimate(same).error);
  EXPECT_GE(coarse.estimate(same, pieces).error[0], coarse.estimate(same).error[0]);
  EXPECT_EQ(fine.count(), 31);
}

// The scatter of the ratio of two sums over many series is the error that each of them tells.
TEST(MeasureAverage, ErrorOfARatio) {
  const Blocks::Function ratio = [](std::span<const double> m) { return std::vector{m[0] / m[1]}; };
  double sum = 0, square = 0, told = 0;
  constexpr int kSeries = 400;
  for (std::uint64_t s = 0; s < kSeries; ++s) {
    base::Stream random(s, "ratio");
    Blocks blocks(2);
    for (int k = 0; k < 700; ++k) {
      const double below = 1 + random.uniform();
      add(blocks, {2 * below + 0.3 * noise(random), below});
    }
    const auto estimate = blocks.estimate(ratio);
    sum += estimate.value[0];
    square += estimate.value[0] * estimate.value[0];
    told += std::pow(estimate.error[0], 2);
  }
  const double mean = sum / kSeries, variance = square / kSeries - mean * mean;
  EXPECT_NEAR(mean, 2, 5 * std::sqrt(variance / kSeries));
  EXPECT_NEAR(told / kSeries / variance, 1, 0.2);
}

TEST(MeasureAverage, DriftTellsARampFromNoise) {
  int beyond = 0;
  for (std::uint64_t s = 0; s < 200; ++s) {
    base::Stream random(s, "drift");
    Blocks still(1), rising(1);
    for (int k = 0; k < 2000; ++k) {
      const double value = noise(random);
      add(still, {value});
      add(rising, {value + 4e-4 * k});
    }
    beyond += std::fabs(still.drift(same)) > 2 ? 1 : 0;
    EXPECT_GT(rising.drift(same), 4) << s;
    EXPECT_FALSE(rising.steady(rising.drift(same)));
  }
  // 5 to 6 % of steady series are called unsteady.
  EXPECT_LT(beyond, 25);
  EXPECT_GT(beyond, 2);
}

TEST(MeasureAverage, DriftIsAlwaysANumber) {
  Blocks constant(1), step(1);
  for (int k = 0; k < 16; ++k) {
    add(constant, {3.0});
    add(step, {k < 8 ? 1.0 : 0.0});
  }
  EXPECT_EQ(constant.drift(same), 0);
  Blocks rounded(1);
  for (int k = 0; k < 1000; ++k) add(rounded, {0.1});
  EXPECT_EQ(rounded.drift(same), 0);
  EXPECT_TRUE(constant.steady(constant.drift(same)));
  EXPECT_EQ(step.drift(same), -Blocks::kMostDrift);
}

TEST(MeasureAverage, GoesOnFromSavedNumbersToTheSameBits) {
  base::Stream random(5, "saved");
  Blocks whole(3), first(3);
  const auto next = [&] { return std::vector<double>{random.uniform(), noise(random), 1e-9 * noise(random)}; };
  for (int k = 0; k < 777; ++k) {
    const auto values = next();
    whole.add(values);
    if (k == 400) {
      std::vector<double> numbers = first.saved();
      numbers.push_back(42);
      std::span<const double> rest = numbers;
      first = Blocks(3);
      first.load(rest);
      EXPECT_EQ(rest.size(), 1U);
      std::span<const double> cut = std::span<const double>(numbers).first(numbers.size() - 2);
      EXPECT_THROW(Blocks(3).load(cut), std::runtime_error);
    }
    first.add(values);
  }
  EXPECT_EQ(first.saved(), whole.saved());
  EXPECT_EQ(first.estimate().error, whole.estimate().error);
}

}  // namespace
}  // namespace moraine::measure
