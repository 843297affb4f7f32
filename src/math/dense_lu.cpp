// SPDX-License-Identifier: MIT
#include "math/dense_lu.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace moraine::math {

namespace {
constexpr std::size_t kBlock = 32;        // columns eliminated together: their rows stay in the cache
constexpr std::size_t kRowsAtATime = 16;  // of the rest, for one thread
constexpr double kSingular = 1e-14;       // pivot over the largest one
}  // namespace

// Columns from .. to - 1, all rows below; whole rows are swapped.
bool DenseLu::factor_panel(std::size_t from, std::size_t to) {
  for (std::size_t k = from; k < to; ++k) {
    std::size_t pivot = k;
    for (std::size_t i = k + 1; i < n_; ++i) {
      if (std::fabs(at(i, k)) > std::fabs(at(pivot, k))) pivot = i;
    }
    swapped_[k] = pivot;
    const double size = std::fabs(at(pivot, k));
    if (!(size > 0)) return false;
    smallest_ = std::min(smallest_, size);
    largest_ = std::max(largest_, size);
    if (pivot != k) std::swap_ranges(&at(k, 0), &at(k, 0) + n_, &at(pivot, 0));
    const double inverse = 1 / at(k, k);
    for (std::size_t i = k + 1; i < n_; ++i) {
      const double factor = at(i, k) *= inverse;
      if (factor == 0) continue;
      for (std::size_t c = k + 1; c < to; ++c) at(i, c) -= factor * at(k, c);
    }
  }
  return true;
}

bool DenseLu::factor(std::size_t n, std::vector<double> a, base::Team& team) {
  n_ = n;
  a_ = std::move(a);
  swapped_.assign(n, 0);
  smallest_ = std::numeric_limits<double>::infinity();
  largest_ = 0;
  for (std::size_t from = 0; from < n; from += kBlock) {
    const std::size_t to = std::min(n, from + kBlock);
    if (!factor_panel(from, to)) return false;
    // The rows of the block, right of it.
    for (std::size_t i = from + 1; i < to; ++i) {
      for (std::size_t k = from; k < i; ++k) {
        const double factor = at(i, k);
        const double* upper = &a_[k * n_];
        double* row = &a_[i * n_];
        for (std::size_t c = to; c < n; ++c) row[c] -= factor * upper[c];
      }
    }
    // All below: each row by itself, its sums in the order of k.
    const std::size_t chunks = (n - to + kRowsAtATime - 1) / kRowsAtATime;
    team.for_chunks(chunks, [&](std::size_t chunk) {
      const std::size_t first = to + chunk * kRowsAtATime, last = std::min(n, first + kRowsAtATime);
      for (std::size_t i = first; i < last; ++i) {
        double* row = &a_[i * n_];
        for (std::size_t k = from; k < to; ++k) {
          const double factor = row[k];
          const double* upper = &a_[k * n_];
          for (std::size_t c = to; c < n; ++c) row[c] -= factor * upper[c];
        }
      }
    });
  }
  return smallest_ > kSingular * largest_;
}

void DenseLu::solve(std::vector<double>& b) const {
  for (std::size_t k = 0; k < n_; ++k) std::swap(b[k], b[swapped_[k]]);
  for (std::size_t i = 0; i < n_; ++i) {
    const double* row = &a_[i * n_];
    double sum = b[i];
    for (std::size_t k = 0; k < i; ++k) sum -= row[k] * b[k];
    b[i] = sum;
  }
  for (std::size_t i = n_; i-- > 0;) {
    const double* row = &a_[i * n_];
    double sum = b[i];
    for (std::size_t k = i + 1; k < n_; ++k) sum -= row[k] * b[k];
    b[i] = sum / row[i];
  }
}

}  // namespace moraine::math
