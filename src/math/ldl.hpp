// SPDX-License-Identifier: MIT
// Sparse symmetric matrices: L D L^T with a fixed pattern. The pattern is analysed once; numbers are factored as often
// as they change. The order of elimination is that of the rows: whoever numbers them chooses it (elimination_order).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace moraine::math {

// An order of few new entries (approximate minimum degree) for a symmetric pattern: neighbours of i are
// other[start[i] .. start[i+1]). Returns the old number of each new place.
std::vector<std::uint32_t> elimination_order(const std::vector<std::uint32_t>& start,
                                             const std::vector<std::uint32_t>& other);

class SparseLdl {
 public:
  // Entries of row r left of the diagonal: columns column[start[r] .. start[r+1]), ascending.
  void analyse(std::vector<std::uint32_t> start, std::vector<std::uint32_t> column);
  // `entries` as given to analyse. Stops and returns false at a pivot that is not larger than `least` where that is
  // positive or zero, or not smaller where it is negative.
  // With x, its first half of solve() is done in passing.
  bool factor(const double* diagonal, const double* entries, const double* least, double* x = nullptr);
  void solve(double* x) const;       // in place
  void solve_back(double* x) const;  // the second half

  std::size_t size() const { return start_.empty() ? 0 : start_.size() - 1; }
  double pivot(std::size_t k) const { return 1 / inverse_d_[k]; }  // of D, in the last factor
  std::size_t entries() const { return l_.size(); }                // of L, below the diagonal

 private:
  std::vector<std::uint32_t> start_, column_;  // of A
  std::vector<std::uint32_t> l_start_;         // columns of L ...
  std::vector<std::uint32_t> l_row_;           // ... their rows, ascending ...
  std::vector<double> l_;                      // ... and numbers
  std::vector<std::uint32_t> pattern_start_;   // rows of L: columns ascending, and where each number stands in l_
  std::vector<std::uint32_t> pattern_, place_;
  std::vector<double> inverse_d_, work_;
};

}  // namespace moraine::math
