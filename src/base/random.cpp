// SPDX-License-Identifier: MIT
#include "base/random.hpp"

#include <Random123/philox.h>

#include "base/hash.hpp"

namespace moraine::base {

namespace {
std::uint64_t name_key(std::string_view name) {
  Hash hash;
  hash.add(name);
  return hash.value();
}
}  // namespace

Stream::Stream(std::uint64_t seed, std::string_view name, std::uint64_t counter)
    : seed_(seed), key_(name_key(name)), counter_(counter) {}

std::uint64_t Stream::bits() {
  const r123::Philox4x32 philox;
  const r123::Philox4x32::ctr_type at = {{static_cast<std::uint32_t>(counter_),
                                          static_cast<std::uint32_t>(counter_ >> 32), static_cast<std::uint32_t>(seed_),
                                          static_cast<std::uint32_t>(seed_ >> 32)}};
  const r123::Philox4x32::key_type key = {{static_cast<std::uint32_t>(key_), static_cast<std::uint32_t>(key_ >> 32)}};
  const auto out = philox(at, key);
  ++counter_;
  return (static_cast<std::uint64_t>(out[1]) << 32) | out[0];
}

double Stream::uniform() { return static_cast<double>(bits() >> 11) * 0x1.0p-53; }

std::uint64_t Stream::below(std::uint64_t n) {
  const std::uint64_t limit = n * (~std::uint64_t{0} / n);
  for (;;) {
    const std::uint64_t value = bits();
    if (value < limit) return value % n;
  }
}

}  // namespace moraine::base
