// SPDX-License-Identifier: MIT
// Random numbers, distributions and waiting times of inlets, against what they should be: Kolmogorov-Smirnov over a
// million draws, moments, and the sources' generators by their recurrences.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "base/exact_sum.hpp"
#include "inflow/distribution.hpp"
#include "inflow/waiting.hpp"
#include "support/sanitized.hpp"

namespace {

using namespace moraine;
using inflow::Distribution;
using inflow::Generator;
using inflow::Numbers;
using inflow::Sampler;
using inflow::Waiting;

constexpr bool kSanitized = MORAINE_SANITIZED != 0;

const std::size_t kDraws = kSanitized ? 20000 : 1000000;

// The largest distance of the empirical distribution from the true one, times sqrt(n): above 1.95 in one of a thousand
// cases if both are the same.
template <class Cumulative>
double kolmogorov(std::vector<double> draws, const Cumulative& cumulative) {
  std::sort(draws.begin(), draws.end());
  const auto n = static_cast<double>(draws.size());
  double worst = 0;
  for (std::size_t k = 0; k < draws.size(); ++k) {
    const double f = cumulative(draws[k]);
    worst = std::max({worst, f - static_cast<double>(k) / n, static_cast<double>(k + 1) / n - f});
  }
  return worst * std::sqrt(n);
}

std::vector<double> drawn(const Distribution& distribution, const std::string& name, std::size_t draws = kDraws) {
  Numbers numbers(Generator::kPhilox, 7, name, 0);
  std::vector<double> out(draws);
  for (double& x : out) x = distribution.draw(numbers);
  return out;
}

// In a range a hundred thousand times as wide as the bell: panels and tries would miss it.
TEST(InflowDistributions, NarrowBellsInWideRanges) {
  for (const double deviation : {1e-3, 1e-6, 1e-9, 1e-12, 1e-300}) {
    for (const Sampler sampler : {Sampler::kInversion, Sampler::kDiscretisation, Sampler::kRejection}) {
      Distribution d = Distribution::gaussian(0.3, deviation, 0.1, 0.5);
      d.use(sampler, 20000);
      EXPECT_NEAR(d.mean(), 0.3, 1e-12 + 1e-3 * deviation) << deviation;
      const double variance = d.moment(2) - d.mean() * d.mean();
      EXPECT_NEAR(variance, deviation * deviation, 1e-6 * deviation * deviation + 1e-15) << deviation;
      for (const double x : drawn(d, "narrow", 10000)) ASSERT_LE(std::fabs(x - 0.3), 9 * deviation + 1e-9) << deviation;
    }
    if (deviation < 1e-7) continue;
    const Distribution d = Distribution::gaussian(0.3, deviation, 0.1, 0.5);
    EXPECT_LT(kolmogorov(drawn(d, "narrow", kDraws / 10), [&](double x) { return d.cumulative(x); }), 1.95)
        << deviation;
  }
  // Cut, with the mean outside.
  const Distribution edge = Distribution::gaussian(0.1 - 5e-6, 1e-6, 0.1, 0.5);
  EXPECT_GT(edge.mean(), 0.1);
  EXPECT_LT(edge.mean(), 0.1 + 1e-6);
}

TEST(InflowDistributions, AllSamplersAgreeWithTheDensity) {
  const std::vector<std::pair<const char*, Distribution>> all{
      {"uniform", Distribution::uniform(2, 5)},
      {"gaussian", Distribution::gaussian(55, 15, 30, 80)},
      {"off centre", Distribution::gaussian(1, 2, 3, 9)},
      {"density", Distribution::density({1, 2, 4, 4.5}, {0, 3, 1, 0})}};
  for (const auto& [name, of] : all) {
    for (const Sampler sampler : {Sampler::kInversion, Sampler::kDiscretisation, Sampler::kRejection}) {
      Distribution d = of;
      d.use(sampler, 20000);
      // A million of the floes of 003 8.2.1, fewer of the others.
      const std::size_t draws =
          name == std::string("gaussian") && sampler == Sampler::kInversion ? kDraws : kDraws / 10;
      const double distance = kolmogorov(drawn(d, name, draws), [&](double x) { return d.cumulative(x); });
      EXPECT_LT(distance, 1.95) << name << ", sampler " << static_cast<int>(sampler);
      EXPECT_GT(distance, 0.25) << name << ": no randomness";
    }
  }
}

// With few intervals the density is a staircase: the difference must be seen, or the test above says nothing.
TEST(InflowDistributions, CoarseIntervalsShow) {
  Distribution d = Distribution::gaussian(55, 15, 30, 80);
  d.use(Sampler::kDiscretisation, 3);
  EXPECT_GT(kolmogorov(drawn(d, "coarse", kDraws / 5), [&](double x) { return d.cumulative(x); }),
            kSanitized ? 1.95 : 5);
}

TEST(InflowDistributions, TablesComeByWeight) {
  for (const Sampler sampler : {Sampler::kInversion, Sampler::kDiscretisation, Sampler::kRejection}) {
    Distribution d = Distribution::table({0.3, 0.1, 0.2}, {1, 2, 5});
    d.use(sampler);
    const auto draws = drawn(d, "table");
    const auto n = static_cast<double>(draws.size());
    for (const auto& [value, share] : {std::pair{0.3, 1.0 / 8}, {0.1, 2.0 / 8}, {0.2, 5.0 / 8}}) {
      const auto count = static_cast<double>(std::count(draws.begin(), draws.end(), value));
      EXPECT_NEAR(count / n, share, 4 * std::sqrt(share * (1 - share) / n));
    }
    EXPECT_DOUBLE_EQ(d.mean(), (0.3 + 0.2 + 1.0) / 8);
  }
}

// The floes of 003 8.2.1: the mean square of the cut bell by the closed form, against the sum that is used.
TEST(InflowDistributions, MomentsOfTheCutBellByClosedForm) {
  const double mu = 55, sigma = 15, a = 30, b = 80;
  const Distribution d = Distribution::gaussian(mu, sigma, a, b);
  const double alpha = (a - mu) / sigma, beta = (b - mu) / sigma;
  const auto phi = [](double z) { return std::exp(-0.5 * z * z) / std::sqrt(2 * M_PI); };
  const double whole = 0.5 * (std::erf(beta / M_SQRT2) - std::erf(alpha / M_SQRT2));
  EXPECT_NEAR(whole, 0.904419, 1e-6);  // the part that the source forgets to divide by
  const double mean = mu + sigma * (phi(alpha) - phi(beta)) / whole;
  const double variance =
      sigma * sigma *
      (1 + (alpha * phi(alpha) - beta * phi(beta)) / whole - std::pow((phi(alpha) - phi(beta)) / whole, 2));
  EXPECT_NEAR(d.mean(), mean, 1e-12 * mean);
  EXPECT_NEAR(d.moment(2), variance + mean * mean, 1e-12 * mean * mean);
  EXPECT_NEAR(d.cumulative(60), 0.5 * (std::erf((60 - mu) / sigma / M_SQRT2) - std::erf(alpha / M_SQRT2)) / whole,
              1e-13);
}

TEST(InflowDistributions, InversionGivesBackTheProbability) {
  const Distribution d = Distribution::gaussian(7.5, 1.5, 5, 10);
  Numbers numbers(Generator::kPhilox, 3, "u", 0), same(Generator::kPhilox, 3, "u", 0);
  for (int k = 0; k < 1000; ++k) EXPECT_NEAR(d.cumulative(d.draw(numbers)), same.uniform(), 1e-13);
}

TEST(InflowWaiting, TheMeanIsOneOverTheRateForEveryCut) {
  for (const double cut : {1.02, 1.2, 2.0, 4.0, 20.0, 300.0}) {
    const double rate = 0.37;
    const Waiting w = Waiting::cut(rate, cut / rate);
    EXPECT_NEAR(w.longest() * rate, cut, 1e-9 * cut);
    Numbers numbers(Generator::kPhilox, 5, "wait", 0);
    double sum = 0;
    std::vector<double> draws(kDraws);
    for (double& t : draws) sum += t = w.draw(numbers);
    EXPECT_NEAR(sum / static_cast<double>(kDraws) * rate, 1, 4 / std::sqrt(static_cast<double>(kDraws))) << cut;
    EXPECT_GE(*std::min_element(draws.begin(), draws.end()), w.shortest());
    EXPECT_LE(*std::max_element(draws.begin(), draws.end()), cut / rate * (1 + 1e-12));
    EXPECT_LT(kolmogorov(draws, [&](double t) { return w.cumulative(t); }), 1.95) << cut;
  }
  // Four mean waits: 0.0793096 of one at least (spec).
  EXPECT_NEAR(Waiting::cut(1, 4).shortest(), 0.0793096, 5e-8);
  const Waiting whole = Waiting::exponential(2.5);
  Numbers numbers(Generator::kPhilox, 6, "wait", 0);
  std::vector<double> draws(kDraws);
  for (double& t : draws) t = whole.draw(numbers);
  EXPECT_LT(kolmogorov(draws, [](double t) { return 1 - std::exp(-2.5 * t); }), 1.95);
}

TEST(InflowNumbers, TheSourcesGeneratorsFollowTheirRecurrences) {
  Numbers wierzba(Generator::kCongruential, 0, "", 12345);
  std::uint64_t x = 12345;
  for (int k = 0; k < 10000; ++k) {
    x = (1812433253ULL * x + 317) % 4294967296ULL;
    ASSERT_EQ(wierzba.uniform(), static_cast<double>(x) / 4294967296.0);
  }
  // The shuffled one, written out as the printed program has it.
  Numbers sun(Generator::kShuffled, 0, "", 2);
  const std::int64_t m = 714026, a = 1366, c = 150899;
  std::int64_t seed = (c - 2) % m, table[97];
  for (std::int64_t& entry : table) entry = seed = (a * seed + c) % m;
  seed = (a * seed + c) % m;
  std::int64_t last = seed;
  for (int k = 0; k < 10000; ++k) {
    const std::int64_t j = 97 * last / m;
    last = table[j];
    ASSERT_EQ(sun.uniform(), static_cast<double>(last) / static_cast<double>(m));
    table[j] = seed = (a * seed + c) % m;
  }
}

TEST(InflowNumbers, GoOnAfterSavingAtAnyPlace) {
  for (const Generator g : {Generator::kPhilox, Generator::kCongruential, Generator::kShuffled}) {
    Numbers one(g, 4, "s", 9);
    for (int k = 0; k < 123; ++k) one.uniform();
    base::Record record;
    one.save("x", record);
    Numbers two(g, 4, "s", 9);
    two.load("x", record);
    for (int k = 0; k < 300; ++k) ASSERT_EQ(one.uniform(), two.uniform());
  }
}

TEST(ExactSums, LoseNothing) {
  base::ExactSum sum;
  base::Stream random(1, "sum");
  std::vector<double> values;
  for (int k = 0; k < 10000; ++k)
    values.push_back(std::ldexp(random.uniform(-1, 1), static_cast<int>(random.below(120)) - 60));
  for (const double v : values) sum.add(v);
  EXPECT_FALSE(sum.is_zero());
  std::reverse(values.begin(), values.end());
  for (const double v : values) sum.add(-v);
  EXPECT_TRUE(sum.is_zero());
  sum.add(1e16);
  sum.add(1);
  sum.add(-1e16);
  EXPECT_EQ(sum.value(), 1);
}

}  // namespace
