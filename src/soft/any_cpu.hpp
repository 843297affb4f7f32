// SPDX-License-Identifier: MIT
// Loops over many contacts are compiled for several instruction sets; the machine's best one is picked when the program
// starts. No instruction set changes a bit: there are no fused operations (-ffp-contract=off), and sums have one order.
#pragma once

#if defined(__GNUC__) && !defined(__clang__) && defined(__x86_64__) && !defined(MORAINE_SANITIZED)
#define MORAINE_ANY_CPU [[gnu::flatten, gnu::target_clones("avx512f", "avx2", "default")]]
#else
#define MORAINE_ANY_CPU
#endif

#if defined(__clang__)
#define MORAINE_INDEPENDENT  // clang does not vectorise these loops
#else
#define MORAINE_INDEPENDENT _Pragma("GCC ivdep")
#endif
