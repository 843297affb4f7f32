// SPDX-License-Identifier: MIT
#include "math/ldl.hpp"

#include <suitesparse/amd.h>

#include <algorithm>
#include <limits>
#include <new>
#include <numeric>

#include "base/error.hpp"

namespace moraine::math {

std::vector<std::uint32_t> elimination_order(const std::vector<std::uint32_t>& start,
                                             const std::vector<std::uint32_t>& other) {
  const std::size_t n = start.size() - 1;
  std::vector<std::uint32_t> order(n);
  if (other.empty()) {  // nothing is coupled
    std::iota(order.begin(), order.end(), 0U);
    return order;
  }
  std::vector<SuiteSparse_long> ap(start.begin(), start.end()), ai(other.begin(), other.end()), p(n);
  const auto status = amd_l_order(static_cast<SuiteSparse_long>(n), ap.data(), ai.data(), p.data(), nullptr, nullptr);
  if (status != AMD_OK && status != AMD_OK_BUT_JUMBLED) throw std::bad_alloc();
  std::transform(p.begin(), p.end(), order.begin(), [](SuiteSparse_long i) { return static_cast<std::uint32_t>(i); });
  return order;
}

void SparseLdl::analyse(std::vector<std::uint32_t> start, std::vector<std::uint32_t> column) {
  start_ = std::move(start);
  column_ = std::move(column);
  const std::size_t n = size();
  constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();
  // The elimination tree, and with it the pattern of each row of L: all on the ways from its entries towards the root.
  std::vector<std::uint32_t> parent(n, kNone), mark(n, kNone);
  pattern_start_.assign(1, 0);
  pattern_.clear();
  std::vector<std::uint32_t> count(n, 0);
  for (std::uint32_t k = 0; k < n; ++k) {
    mark[k] = k;
    const std::size_t first = pattern_.size();
    for (std::uint32_t p = start_[k]; p < start_[k + 1]; ++p) {
      for (std::uint32_t i = column_[p]; mark[i] != k; i = parent[i]) {
        if (parent[i] == kNone) parent[i] = k;
        mark[i] = k;
        pattern_.push_back(i);
        ++count[i];
      }
    }
    std::sort(pattern_.begin() + static_cast<std::ptrdiff_t>(first), pattern_.end());
    if (pattern_.size() > std::numeric_limits<std::uint32_t>::max() / 2)
      throw base::RunError("the links or contacts are too closely woven for a direct solver", "use fewer of them");
    pattern_start_.push_back(static_cast<std::uint32_t>(pattern_.size()));
  }
  l_start_.assign(n + 1, 0);
  for (std::size_t i = 0; i < n; ++i) l_start_[i + 1] = l_start_[i] + count[i];
  l_row_.resize(pattern_.size());
  l_.assign(pattern_.size(), 0);
  place_.resize(pattern_.size());
  std::vector<std::uint32_t> next(l_start_.begin(), l_start_.end() - 1);
  for (std::uint32_t k = 0; k < n; ++k) {
    for (std::uint32_t p = pattern_start_[k]; p < pattern_start_[k + 1]; ++p) {
      place_[p] = next[pattern_[p]]++;
      l_row_[place_[p]] = k;
    }
  }
  inverse_d_.assign(n, 0);
  work_.assign(n, 0);
}

// Row by row (up-looking): row k of L solves a triangular system with the rows before it.
bool SparseLdl::factor(const double* diagonal, const double* entries, const double* least, double* x) {
  const std::size_t n = size();
  double* __restrict y = work_.data();
  double* __restrict l = l_.data();
  for (std::size_t k = 0; k < n; ++k) {
    for (std::uint32_t p = start_[k]; p < start_[k + 1]; ++p) y[column_[p]] = entries[p];
    double d = diagonal[k];
    for (std::uint32_t p = pattern_start_[k]; p < pattern_start_[k + 1]; ++p) {
      const std::uint32_t i = pattern_[p], at = place_[p];
      const double yi = y[i];
      y[i] = 0;
      for (std::uint32_t q = l_start_[i]; q < at; ++q) y[l_row_[q]] -= l[q] * yi;
      const double lki = yi * inverse_d_[i];
      d -= lki * yi;
      l[at] = lki;
      if (x != nullptr) x[k] -= lki * x[i];
    }
    if (!(least[k] < 0 ? d < least[k] : d > least[k])) {
      std::fill(work_.begin(), work_.end(), 0.0);
      return false;
    }
    inverse_d_[k] = 1 / d;
  }
  return true;
}

void SparseLdl::solve(double* x) const {
  const std::size_t n = size();
  for (std::size_t j = 0; j < n; ++j) {
    const double xj = x[j];
    for (std::uint32_t q = l_start_[j]; q < l_start_[j + 1]; ++q) x[l_row_[q]] -= l_[q] * xj;
  }
  solve_back(x);
}

void SparseLdl::solve_back(double* x) const {
  for (std::size_t j = size(); j-- > 0;) {
    double s = x[j] * inverse_d_[j];
    for (std::uint32_t q = l_start_[j]; q < l_start_[j + 1]; ++q) s -= l_[q] * x[l_row_[q]];
    x[j] = s;
  }
}

}  // namespace moraine::math
