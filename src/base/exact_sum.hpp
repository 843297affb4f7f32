// SPDX-License-Identifier: MIT
// A sum of numbers without any rounding (Shewchuk's expansions: parts that do not overlap): what came in, less what
// went out and what is there, is zero and not nearly so.
#pragma once

#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

namespace moraine::base {

class ExactSum {
 public:
  void add(double x) {
    std::size_t kept = 0;
    for (double part : parts_) {
      if (std::fabs(x) < std::fabs(part)) std::swap(x, part);
      const double high = x + part, low = part - (high - x);
      if (low != 0) parts_[kept++] = low;
      x = high;
    }
    parts_.resize(kept);
    if (x != 0) parts_.push_back(x);
  }
  void add(const ExactSum& other, double sign = 1) {
    for (const double part : other.parts()) add(sign * part);
  }
  // The nearest number but for a rounding or two.
  double value() const {
    double sum = 0;
    for (const double part : parts_) sum += part;  // from the smallest
    return sum;
  }
  bool is_zero() const { return parts_.empty(); }

  const std::vector<double>& parts() const { return parts_; }
  void set_parts(std::vector<double> parts) { parts_ = std::move(parts); }

 private:
  std::vector<double> parts_;  // ascending in size
};

}  // namespace moraine::base
