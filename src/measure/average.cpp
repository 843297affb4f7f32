// SPDX-License-Identifier: MIT
#include "measure/average.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace moraine::measure {

namespace {

void add_to(std::vector<double>& sums, std::span<const double> values) {
  for (std::size_t k = 0; k < sums.size(); ++k) sums[k] += values[k];
}

std::vector<double> as_they_are(std::span<const double> means) { return {means.begin(), means.end()}; }

std::span<const double> take(std::span<const double>& numbers, std::size_t count) {
  if (numbers.size() < count) throw std::runtime_error("the averages of the checkpoint do not belong to this scene");
  const auto taken = numbers.first(count);
  numbers = numbers.subspan(count);
  return taken;
}

// Neighbours among the blocks that are alike tell that the series remembers for longer than a block: their correlation,
// free of its bias (Kendall). It counts only beyond three times its own scatter, or white noise would look worse than
// it is. `values`: of each block in turn, about `mean`.
double memory_of(const std::vector<std::vector<double>>& values, std::size_t which, double mean, double most) {
  const auto n = static_cast<double>(values.size());
  constexpr std::size_t kEnough = 8;
  if (values.size() < kEnough) return 0;
  double square = 0, product = 0;
  for (std::size_t b = 0; b < values.size(); ++b) {
    square += (values[b][which] - mean) * (values[b][which] - mean);
    if (b > 0) product += (values[b][which] - mean) * (values[b - 1][which] - mean);
  }
  if (!(square > 0)) return 0;
  const double r = std::min(most, (product / square + 1 / n) / (1 - 4 / n));
  return r > 3 / std::sqrt(n) ? r : 0;
}

// Variance of the mean of n blocks over that of one block, of an autoregressive series.
double variance_of_mean(double r, double n) {
  return ((1 + r) / (1 - r) - 2 * r * (1 - std::pow(r, n)) / (n * (1 - r) * (1 - r))) / n;
}

double mean_of(const std::vector<std::vector<double>>& values, std::size_t which) {
  double sum = 0;
  for (const auto& v : values) sum += v[which];
  return sum / static_cast<double>(values.size());
}

// Sum of the squares about the mean.
double scatter_of(const std::vector<std::vector<double>>& values, std::size_t which, double mean) {
  double square = 0;
  for (const auto& v : values) square += (v[which] - mean) * (v[which] - mean);
  return square;
}

}  // namespace

void Blocks::add(std::span<const double> values) {
  if (values.size() != open_.size()) throw std::logic_error("a sample of averages has another number of channels");
  add_to(open_, values);
  if (++in_open_ < block_size_) return;
  blocks_.push_back(open_);
  std::fill(open_.begin(), open_.end(), 0.0);
  in_open_ = 0;
  if (blocks_.size() == kBlocks) join_pairs();
}

// A last one without partner goes back to the unfinished block.
void Blocks::join_pairs() {
  const std::size_t pairs = blocks_.size() / 2;
  if (blocks_.size() % 2 == 1) {
    add_to(open_, blocks_.back());
    in_open_ += block_size_;
  }
  for (std::size_t k = 0; k < pairs; ++k) {
    if (k > 0) blocks_[k] = std::move(blocks_[2 * k]);
    add_to(blocks_[k], blocks_[2 * k + 1]);
  }
  blocks_.resize(pairs);
  block_size_ *= 2;
}

std::vector<double> Blocks::sums() const {
  std::vector<double> all(open_.size(), 0.0);
  for (const auto& block : blocks_) add_to(all, block);
  add_to(all, open_);
  return all;
}

std::vector<double> Blocks::means() const {
  std::vector<double> all = sums();
  for (double& sum : all) sum /= static_cast<double>(std::max<std::int64_t>(1, count()));
  return all;
}

// Added up anew, not taken from the whole: the difference of two large sums may be no number to divide by.
std::vector<double> Blocks::means_of(std::size_t first, std::size_t end, std::size_t without) const {
  std::vector<double> all(open_.size(), 0.0);
  for (std::size_t b = first; b < end; ++b) {
    if (b != without) add_to(all, blocks_[b]);
  }
  const std::size_t taken = end - first - (without < end ? 1 : 0);
  for (double& sum : all) sum /= static_cast<double>(taken) * static_cast<double>(block_size_);
  return all;
}

std::vector<double> Blocks::errors(const Function& function, std::size_t first, std::size_t end,
                                   bool with_memory) const {
  std::vector<std::vector<double>> left_out;
  for (std::size_t b = first; b < end; ++b) left_out.push_back(function(means_of(first, end, b)));
  const auto n = static_cast<double>(left_out.size());
  std::vector<double> out(left_out[0].size(), 0.0);
  constexpr double kMostMemory = 0.9;
  for (std::size_t k = 0; k < out.size(); ++k) {
    const double mean = mean_of(left_out, k), r = with_memory ? memory_of(left_out, k, mean, kMostMemory) : 0;
    out[k] = std::sqrt(scatter_of(left_out, k, mean) * (n - 1) / n * (1 + r) / (1 - r));
  }
  return out;
}

Blocks::Estimate Blocks::estimate(const Function& function) const {
  Estimate out{function(means()), {}};
  if (blocks_.size() < kFewest) {
    out.error.assign(out.value.size(), 0.0);
  } else {
    out.error = errors(function, 0, blocks_.size(), true);
  }
  return out;
}

Blocks::Estimate Blocks::estimate() const { return estimate(as_they_are); }

Blocks::Estimate Blocks::estimate(const Function& function, std::span<const Blocks* const> pieces) const {
  Estimate out = estimate(function);
  std::int64_t size = block_size_;
  for (const Blocks* piece : pieces) size = std::max(size, piece->block_size_);
  const auto with_size = [size](Blocks blocks) {
    while (blocks.block_size_ < size) blocks.join_pairs();
    return blocks;
  };
  Blocks all(channels());
  all.block_size_ = size;
  for (const Blocks* piece : pieces) {
    const Blocks part = with_size(*piece);
    all.blocks_.insert(all.blocks_.end(), part.blocks_.begin(), part.blocks_.end());
  }
  const std::size_t count = all.blocks_.size(), own = with_size(*this).blocks_.size();
  if (pieces.size() < 2 || own < kFewest) return out;
  std::vector<std::vector<double>> left_out;
  for (std::size_t b = 0; b < count; ++b) left_out.push_back(function(all.means_of(0, count, b)));
  const auto n = static_cast<double>(count);
  constexpr double kMostMemory = 0.95;
  for (std::size_t k = 0; k < out.error.size(); ++k) {
    const double mean = mean_of(left_out, k), r = memory_of(left_out, k, mean, kMostMemory);
    if (r == 0) continue;
    // Of a single block, and about the true mean: that of the blocks has gone along with them.
    const double variance = scatter_of(left_out, k, mean) * (n - 1) / (1 - variance_of_mean(r, n));
    out.error[k] = std::max(out.error[k], std::sqrt(variance * variance_of_mean(r, static_cast<double>(own))));
  }
  return out;
}

double Blocks::drift(const Function& function, std::size_t which) const {
  const std::size_t n = blocks_.size(), half = n / 2;
  if (n < kFewest) return 0;
  const double before = function(means_of(0, half, half))[which], after = function(means_of(half, n, n))[which];
  constexpr double kRounding = 1e-11;
  if (std::fabs(after - before) <= kRounding * std::max(std::fabs(before), std::fabs(after))) return 0;
  const double first = errors(function, 0, half, false)[which], second = errors(function, half, n, false)[which];
  return std::clamp((after - before) / std::sqrt(first * first + second * second), -kMostDrift, kMostDrift);
}

std::vector<double> Blocks::saved() const {
  std::vector<double> out{static_cast<double>(open_.size()), static_cast<double>(in_open_),
                          static_cast<double>(block_size_), static_cast<double>(blocks_.size())};
  out.insert(out.end(), open_.begin(), open_.end());
  for (const auto& block : blocks_) out.insert(out.end(), block.begin(), block.end());
  return out;
}

void Blocks::load(std::span<const double>& numbers) {
  const auto head = take(numbers, 4);
  const auto channels = static_cast<std::size_t>(head[0]);
  in_open_ = static_cast<std::int64_t>(head[1]);
  block_size_ = static_cast<std::int64_t>(head[2]);
  const auto own = [&] {
    const auto taken = take(numbers, channels);
    return std::vector<double>(taken.begin(), taken.end());
  };
  open_ = own();
  blocks_.assign(static_cast<std::size_t>(head[3]), {});
  for (auto& block : blocks_) block = own();
}

}  // namespace moraine::measure
