// SPDX-License-Identifier: MIT
// Averages of a stream of samples whose successive values may depend on each other: sums over blocks of samples, from
// which follow standard errors, also of ratios and other functions of averages, and whether there is a drift. Knows
// nothing of what is averaged.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace moraine::measure {

// Sums of several channels over blocks of samples. There are at most 32 blocks: then they are joined in pairs, so that
// there are 16 twice as long, and so on. Errors are right once a block is longer than what happens in it is remembered.
class Blocks {
 public:
  explicit Blocks(std::size_t channels = 0) : open_(channels, 0.0) {}

  void add(std::span<const double> values);  // one sample: a number for each channel
  std::size_t channels() const { return open_.size(); }
  std::int64_t count() const { return static_cast<std::int64_t>(blocks_.size()) * block_size_ + in_open_; }
  std::size_t blocks() const { return blocks_.size(); }  // finished ones
  std::vector<double> sums() const;                      // of all samples, the unfinished block included
  std::vector<double> means() const;                     // zero without samples

  struct Estimate {
    std::vector<double> value, error;
  };
  // Numbers made from the mean of each channel, such as the ratio of two.
  using Function = std::function<std::vector<double>(std::span<const double> means)>;
  // The numbers of all samples, and their standard errors by leaving out each finished block in turn (jackknife). The
  // errors are 0 with fewer than kFewest blocks, for want of anything better. Without samples: of means that are zero.
  Estimate estimate(const Function& function) const;
  // The same for the means themselves.
  Estimate estimate() const;
  // The same where these blocks are a piece of a longer series: all its pieces in their order, this one among them.
  // What the long series remembers for longer than this piece lasts makes the errors larger.
  Estimate estimate(const Function& function, std::span<const Blocks* const> pieces) const;
  // How much number `which` of the function in the second half of the finished blocks differs from that in the first,
  // in units of the standard error of the difference: below 2 in size the state is steady as far as one can tell. 0
  // with fewer than kFewest blocks, and where the two differ by rounding only; at most kMostDrift in size, should
  // nothing scatter.
  double drift(const Function& function, std::size_t which = 0) const;

  // What to say of a drift; where there are too few blocks to tell, it is not steady.
  bool steady(double drift) const { return blocks_.size() >= kFewest && drift > -kSteady && drift < kSteady; }

  std::vector<double> saved() const;
  void load(std::span<const double>& numbers);  // takes its own off the front; throws std::runtime_error if too few

  static constexpr std::size_t kFewest = 4;
  static constexpr double kMostDrift = 1e6, kSteady = 2;

 private:
  static constexpr std::size_t kBlocks = 32;
  // The mean of each channel over the finished blocks first .. end-1 but for one (`without` = end: none).
  std::vector<double> means_of(std::size_t first, std::size_t end, std::size_t without) const;
  // Standard errors from the finished blocks first .. end-1; `with_memory`: larger where neighbouring blocks are alike.
  std::vector<double> errors(const Function& function, std::size_t first, std::size_t end, bool with_memory) const;
  void join_pairs();

  std::vector<std::vector<double>> blocks_;  // sums of finished blocks
  std::vector<double> open_;                 // sums of the unfinished one
  std::int64_t in_open_ = 0, block_size_ = 1;
};

}  // namespace moraine::measure
