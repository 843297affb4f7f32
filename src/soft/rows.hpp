// SPDX-License-Identifier: MIT
// Records (the numbers of one body or contact, one after the other in memory) and rows (one number each of several
// bodies or contacts, side by side), and the way from one to the other, four by four. Written with the vectors that
// g++ and clang know on every machine: which instructions they become is up to the function that these are inlined
// into. Nothing here rounds.
#pragma once

#include <cstddef>
#include <cstring>

namespace moraine::soft {

using Four = double __attribute__((vector_size(32)));

[[gnu::always_inline]] inline void load(const void* from, Four& to) { std::memcpy(&to, from, sizeof to); }
[[gnu::always_inline]] inline void store(const Four& from, void* to) { std::memcpy(to, &from, sizeof from); }

// number(0) .. number(3)
template <class Number>
[[gnu::always_inline]] inline void fill(const Number& number, Four& to) {
  const double numbers[4] = {number(0), number(1), number(2), number(3)};
  load(numbers, to);
}

// Four records of four become four rows, or the other way round.
[[gnu::always_inline]] inline void transpose(Four& a, Four& b, Four& c, Four& d) {
  const Four ab_even = __builtin_shufflevector(a, b, 0, 4, 2, 6), ab_odd = __builtin_shufflevector(a, b, 1, 5, 3, 7);
  const Four cd_even = __builtin_shufflevector(c, d, 0, 4, 2, 6), cd_odd = __builtin_shufflevector(c, d, 1, 5, 3, 7);
  a = __builtin_shufflevector(ab_even, cd_even, 0, 1, 4, 5);
  b = __builtin_shufflevector(ab_odd, cd_odd, 0, 1, 4, 5);
  c = __builtin_shufflevector(ab_even, cd_even, 2, 3, 6, 7);
  d = __builtin_shufflevector(ab_odd, cd_odd, 2, 3, 6, 7);
}

}  // namespace moraine::soft
