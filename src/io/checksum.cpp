// SPDX-License-Identifier: MIT
#include "io/checksum.hpp"

#include <cstring>

namespace moraine::io {

namespace {

// One round of a multiply-and-fold hash; each step can be undone, so a changed word always changes the state.
std::uint64_t mix(std::uint64_t state, std::uint64_t word) {
  state = (state ^ word) * 0xFF51AFD7ED558CCDull;
  return state ^ (state >> 32);
}

}  // namespace

void Checksum::add(const void* data, std::size_t size) {
  const auto* bytes = static_cast<const unsigned char*>(data);
  const auto take_byte = [&] {
    pending_ |= std::uint64_t{*bytes++} << (8 * (length_ % 8));
    --size;
    if (++length_ % 8 != 0) return;
    state_ = mix(state_, pending_);
    pending_ = 0;
  };
  while (size > 0 && length_ % 8 != 0) take_byte();
  for (; size >= 8; size -= 8, bytes += 8, length_ += 8) {
    std::uint64_t word;
    std::memcpy(&word, bytes, 8);
    state_ = mix(state_, word);
  }
  while (size > 0) take_byte();
}

std::uint64_t Checksum::value() const { return mix(mix(mix(state_, pending_), length_), 0); }

}  // namespace moraine::io
