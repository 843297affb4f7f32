// SPDX-License-Identifier: MIT
// Few numbers of many runs: means with their errors, and probabilities with the interval that Wilson gave them.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace moraine::sweep {

struct Interval {
  double low = 0, high = 0;
};

// Of a probability, where `hits` of `runs` > 0 were hits: E. B. Wilson, J. Am. Stat. Assoc. 22 (1927), 209. Unlike the
// mean with its standard error it is never empty and never leaves [0, 1], at 0 of 10 as well. `z`: 1.96 for 95 %.
inline constexpr double kZ95 = 1.959963984540054;
Interval wilson(std::int64_t hits, std::int64_t runs, double z = kZ95);

struct Statistics {
  std::int64_t count = 0;
  double mean = 0;                       // 0 if there are none
  std::optional<double> deviation;       // of one run, with count - 1; from two runs on
  std::optional<double> standard_error;  // of the mean
  std::optional<Interval> probability;   // 95 %, where the mean is one

  std::int64_t hits() const;
};

// `yes_or_no`: the values are 0 and 1, the mean is a probability.
Statistics statistics(const std::vector<double>& values, bool yes_or_no = false);

// Are there values, and only 0 and 1?
bool is_yes_or_no(const std::vector<double>& values);

}  // namespace moraine::sweep
