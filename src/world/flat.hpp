// SPDX-License-Identifier: MIT
// Arrays of plain numbers (Vec, Quaternion, double) as a flat list of doubles, and back: how states are saved.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <vector>

namespace moraine::world {

template <class T>
std::vector<double> flat(const std::vector<T>& values) {
  static_assert(std::is_trivially_copyable_v<T> && sizeof(T) % sizeof(double) == 0);
  constexpr std::size_t kNumbers = sizeof(T) / sizeof(double);  // NOLINT(bugprone-sizeof-expression): T may be double
  std::vector<double> out(values.size() * kNumbers);
  if (!values.empty()) std::memcpy(out.data(), values.data(), out.size() * sizeof(double));
  return out;
}
template <class T>
void unflat(const std::vector<double>& numbers, std::vector<T>& values) {
  values.resize(numbers.size() * sizeof(double) / sizeof(T));
  if (!numbers.empty()) std::memcpy(static_cast<void*>(values.data()), numbers.data(), numbers.size() * sizeof(double));
}

// Turns round each periodic axis, 21 bits each: more than a million either way.
inline constexpr std::int64_t kTurnBits = 21, kTurnZero = std::int64_t{1} << (kTurnBits - 1);
template <std::size_t D>
std::int64_t packed_image(const std::array<std::int32_t, D>& turns) {
  std::int64_t packed = 0;
  for (std::size_t k = 0; k < D; ++k) packed |= (turns[k] + kTurnZero) << (kTurnBits * static_cast<std::int64_t>(k));
  return packed;
}
template <std::size_t D>
std::array<std::int32_t, D> unpacked_image(std::int64_t packed) {
  std::array<std::int32_t, D> turns;
  for (std::size_t k = 0; k < D; ++k) {
    turns[k] = static_cast<std::int32_t>(
        ((packed >> (kTurnBits * static_cast<std::int64_t>(k))) & (2 * kTurnZero - 1)) - kTurnZero);
  }
  return turns;
}

}  // namespace moraine::world
