// SPDX-License-Identifier: MIT
// The time between two arrivals: always the same, or exponential, whole or cut to [shortest, longest] so that the mean
// stays one over the rate: with x = rate (longest - shortest) that is x / (1 - e^-x) = rate * longest, which has a
// solution if rate * longest > 1.
#pragma once

#include <limits>

#include "inflow/numbers.hpp"

namespace moraine::inflow {

class Waiting {
 public:
  static Waiting constant(double rate);
  static Waiting exponential(double rate);
  static Waiting cut(double rate, double longest);  // rate * longest > 1

  double draw(Numbers& numbers) const;
  double rate() const { return rate_; }
  double shortest() const { return shortest_; }
  double longest() const { return longest_; }
  double cumulative(double t) const;

 private:
  double rate_ = 0, shortest_ = 0, longest_ = std::numeric_limits<double>::infinity();
  double kept_ = 1;  // part of the exponential that is not cut off: 1 - e^-x; 0: constant
};

}  // namespace moraine::inflow
