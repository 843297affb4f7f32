// SPDX-License-Identifier: MIT
// How often something is done, in steps. An interval that is no whole number of steps does not drift: each time is the
// step nearest to a multiple of the interval.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace moraine::base {

class Pace {
 public:
  Pace() = default;  // every step
  explicit Pace(double steps) : steps_(std::max(1.0, steps)) {
    // What rounding alone keeps from being whole.
    if (const double whole = std::round(steps_); std::abs(steps_ - whole) < 1e-9 * whole) steps_ = whole;
  }
  static Pace of_steps(std::int64_t steps) { return Pace(static_cast<double>(steps)); }
  // Of an interval in time, in steps of this length; at least one step.
  static Pace of_time(double interval, double step) { return Pace(std::min(9e15, interval / step)); }

  double steps() const { return steps_; }
  // Which of the times is nearest to this step, counted from 0.
  std::int64_t index(std::int64_t step) const { return std::llround(static_cast<double>(step) / steps_); }
  bool due(std::int64_t step) const { return std::llround(static_cast<double>(index(step)) * steps_) == step; }

 private:
  double steps_ = 1;
};

}  // namespace moraine::base
