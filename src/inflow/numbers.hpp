// SPDX-License-Identifier: MIT
// Random numbers in [0, 1) for arrivals: counter-based streams, or the generators of the sources, to replay them.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "base/random.hpp"
#include "base/record.hpp"

namespace moraine::inflow {

enum class Generator : std::uint8_t {
  kPhilox,        // base::Stream
  kCongruential,  // x <- 1812433253 x + 317 (mod 2^32), x / 2^32  (003 4.2)
  kShuffled,      // x <- 1366 x + 150899 (mod 714026) through a table of 97 (000 appendix E)
};

class Numbers {
 public:
  // A generator of the sources begins with `start`; a stream is chosen by seed and name.
  Numbers(Generator generator, std::uint64_t seed, const std::string& name, std::int64_t start);

  double uniform();
  double uniform(double low, double high) { return low + (high - low) * uniform(); }
  void save(const std::string& name, base::Record& record) const;
  void load(const std::string& name, const base::Record& record);

 private:
  Generator generator_;
  std::uint64_t seed_;
  std::string name_;
  base::Stream stream_;
  std::uint64_t x_ = 0;
  std::uint32_t last_ = 0;
  std::array<std::uint32_t, 97> table_{};
};

}  // namespace moraine::inflow
