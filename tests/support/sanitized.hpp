// SPDX-License-Identifier: MIT
// Is this built with the address or the thread sanitizer?
#pragma once

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define MORAINE_SANITIZED 1
#else
#define MORAINE_SANITIZED 0
#endif

// For long runs of physics whose code shorter tests go through as well: they would take ten times as long.
#define MORAINE_NOT_UNDER_SANITIZERS() \
  if (MORAINE_SANITIZED) GTEST_SKIP() << "too long under the sanitizers"
