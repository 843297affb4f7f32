// SPDX-License-Identifier: MIT
// Counter-based random numbers (Philox4x32-10): one named stream per purpose, whose whole state is a counter that a
// checkpoint can store. The same seed and name give the same numbers on every machine.
#pragma once

#include <cstdint>
#include <string_view>

namespace moraine::base {

class Stream {
 public:
  Stream(std::uint64_t seed, std::string_view name, std::uint64_t counter = 0);

  std::uint64_t bits();  // 64 random bits
  double uniform();      // in [0, 1), 53 bits
  double uniform(double low, double high) { return low + (high - low) * uniform(); }
  std::uint64_t below(std::uint64_t n);               // in [0, n), without bias
  std::uint64_t counter() const { return counter_; }  // numbers drawn so far

 private:
  std::uint64_t seed_, key_, counter_;
};

}  // namespace moraine::base
