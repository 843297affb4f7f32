// SPDX-License-Identifier: MIT
// A 64-bit sum over bytes that tells whether a file is still what was written. Finds damage, not forgery.
// The same bytes give the same sum however they are cut into pieces.
#pragma once

#include <cstddef>
#include <cstdint>

namespace moraine::io {

class Checksum {
 public:
  void add(const void* data, std::size_t size);
  std::uint64_t value() const;

 private:
  std::uint64_t state_ = 0x9E3779B97F4A7C15ull;
  std::uint64_t length_ = 0;
  std::uint64_t pending_ = 0;  // the bytes that do not yet fill a word
};

}  // namespace moraine::io
