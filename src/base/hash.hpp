// SPDX-License-Identifier: MIT
// A 64-bit fingerprint of numbers, bit by bit: equal only when every bit of every number is equal. Used for the state
// hash of a run and for naming random streams; not for security.
#pragma once

#include <bit>
#include <cstdint>
#include <string_view>

namespace moraine::base {

class Hash {
 public:
  void add(std::uint64_t word) {
    value_ ^= word;
    value_ *= 0x9E3779B97F4A7C15ULL;
    value_ ^= value_ >> 32;
  }
  void add(double number) { add(std::bit_cast<std::uint64_t>(number)); }
  void add(std::string_view text) {
    for (const char c : text) add(static_cast<std::uint64_t>(static_cast<unsigned char>(c)));
    add(static_cast<std::uint64_t>(text.size()));
  }
  std::uint64_t value() const { return value_; }

 private:
  std::uint64_t value_ = 0xCBF29CE484222325ULL;
};

}  // namespace moraine::base
