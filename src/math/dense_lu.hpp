// SPDX-License-Identifier: MIT
// Dense systems of linear equations: L U with partial pivoting. Own code, since libraries choose their blocks by the
// caches they find, and with them the order of sums: the bits of a run must not depend on the machine, nor on the
// number of threads.
#pragma once

#include <cstddef>
#include <vector>

#include "base/parallel.hpp"

namespace moraine::math {

class DenseLu {
 public:
  // `a`: n x n numbers, row by row. False if the matrix is singular to working precision.
  bool factor(std::size_t n, std::vector<double> a, base::Team& team);
  // b becomes the solution.
  void solve(std::vector<double>& b) const;

  std::size_t size() const { return n_; }
  double smallest_pivot() const { return smallest_; }  // over the largest

 private:
  bool factor_panel(std::size_t from, std::size_t to);
  double& at(std::size_t i, std::size_t k) { return a_[i * n_ + k]; }

  std::size_t n_ = 0;
  std::vector<double> a_;             // L below the diagonal (1 on it), U above
  std::vector<std::size_t> swapped_;  // row k was swapped with this one
  double smallest_ = 0, largest_ = 0;
};

}  // namespace moraine::math
