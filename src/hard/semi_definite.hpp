// SPDX-License-Identifier: MIT
// Small dense symmetric matrices without negative eigenvalues, as loops make them: rows may depend on each other.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace moraine::hard {

class SemiDefinite {
 public:
  void resize(std::size_t n);
  std::size_t size() const { return order_.size(); }
  double& at(std::size_t r, std::size_t c) { return numbers_[r * size() + c]; }  // c <= r is read

  // L D L^T, the largest pivot first; where it falls below `smallest` times the row's `scale`, the row and all that are
  // left depend on those before.
  void factor(const std::vector<double>& scale, double smallest);
  std::size_t rank() const { return rank_; }
  // A solution that is zero at the dependent rows; exact if the equations do not contradict each other.
  void solve(std::vector<double>& b) const;
  // A vector that the matrix makes zero, for the k-th of the size() - rank() dependent rows.
  std::vector<double> null_vector(std::size_t k) const;

 private:
  double l(std::size_t r, std::size_t c) const { return numbers_[r * size() + c]; }
  void swap(std::size_t i, std::size_t j);

  std::vector<double> numbers_;
  std::vector<std::uint32_t> order_;  // the row at each place
  std::size_t rank_ = 0;
};

}  // namespace moraine::hard
