// SPDX-License-Identifier: MIT
#include "hard/semi_definite.hpp"

#include <numeric>
#include <utility>

namespace moraine::hard {

void SemiDefinite::resize(std::size_t n) {
  order_.resize(n);
  numbers_.assign(n * n, 0);
}

// Exchanges rows and columns i < j of the lower triangle.
void SemiDefinite::swap(std::size_t i, std::size_t j) {
  if (i == j) return;
  for (std::size_t c = 0; c < i; ++c) std::swap(at(i, c), at(j, c));
  for (std::size_t c = i + 1; c < j; ++c) std::swap(at(c, i), at(j, c));
  for (std::size_t r = j + 1; r < size(); ++r) std::swap(at(r, i), at(r, j));
  std::swap(at(i, i), at(j, j));
  std::swap(order_[i], order_[j]);
}

void SemiDefinite::factor(const std::vector<double>& scale, double smallest) {
  const std::size_t n = size();
  std::iota(order_.begin(), order_.end(), 0U);
  for (rank_ = 0; rank_ < n; ++rank_) {
    const std::size_t k = rank_;
    std::size_t best = k;
    for (std::size_t r = k + 1; r < n; ++r) {
      if (at(r, r) * scale[order_[best]] > at(best, best) * scale[order_[r]]) best = r;
    }
    if (!(at(best, best) > smallest * scale[order_[best]])) return;
    swap(k, best);
    const double d = at(k, k);
    for (std::size_t r = k + 1; r < n; ++r) {
      const double part = at(r, k) / d;
      for (std::size_t c = k + 1; c <= r; ++c) at(r, c) -= part * at(c, k);
    }
    for (std::size_t r = k + 1; r < n; ++r) at(r, k) /= d;
  }
}

void SemiDefinite::solve(std::vector<double>& b) const {
  std::vector<double> x(rank_);
  for (std::size_t r = 0; r < rank_; ++r) {
    x[r] = b[order_[r]];
    for (std::size_t c = 0; c < r; ++c) x[r] -= l(r, c) * x[c];
  }
  for (std::size_t r = 0; r < rank_; ++r) x[r] /= l(r, r);
  for (std::size_t r = rank_; r-- > 0;) {
    for (std::size_t c = 0; c < r; ++c) x[c] -= l(r, c) * x[r];
  }
  b.assign(size(), 0);
  for (std::size_t r = 0; r < rank_; ++r) b[order_[r]] = x[r];
}

std::vector<double> SemiDefinite::null_vector(std::size_t k) const {
  std::vector<double> x(rank_), z(size(), 0);
  for (std::size_t c = 0; c < rank_; ++c) x[c] = -l(rank_ + k, c);
  for (std::size_t r = rank_; r-- > 0;) {
    for (std::size_t c = 0; c < r; ++c) x[c] -= l(r, c) * x[r];
  }
  for (std::size_t r = 0; r < rank_; ++r) z[order_[r]] = x[r];
  z[order_[rank_ + k]] = 1;
  return z;
}

}  // namespace moraine::hard
