// SPDX-License-Identifier: MIT
// Symmetric matrices over the coordinates of a tree: an entry may differ from zero only where one of its two
// coordinates lies on the way from the other to the root. Factored from the leaves inwards nothing new appears (L^T D
// L), and every row is one piece of memory: for a chain this is a dense matrix, for short branches nearly a diagonal
// one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace moraine::hard {

class TreeMatrix {
 public:
  // The next coordinate towards the root, always a lower one; kNone at a root.
  explicit TreeMatrix(std::vector<std::uint32_t> parent);

  std::size_t size() const { return parent_.size(); }
  std::size_t entries() const { return numbers_.size(); }
  std::uint32_t parent(std::size_t k) const { return parent_[k]; }
  // How many coordinates lie between k and its root: the place of k in the rows of what is beyond it.
  std::uint32_t depth(std::size_t k) const { return depth_[k]; }
  // Row k: entries with the coordinates on its way, from the root on; the last one, at depth(k), is the diagonal.
  double* row(std::size_t k) { return numbers_.data() + start_[k]; }
  const double* row(std::size_t k) const { return numbers_.data() + start_[k]; }

  // In place. False at a pivot that is not positive.
  bool factor();
  void solve(double* x) const;
  // With A = L^T D L: x <- L^-T x, so that x^T A^-1 y is the sum of x_k y_k / D_k.
  void half_solve(double* x) const;
  double pivot(std::size_t k) const { return row(k)[depth_[k]]; }

  // Before factor(): y = A x; and one sweep of Gauss-Seidel with over-relaxation on A x = b. Returns the largest rest
  // that it met.
  void multiply(const double* x, double* y) const;
  double sweep(const double* b, double over_relaxation, double* x) const;

 private:
  std::vector<std::uint32_t> parent_, depth_;
  std::vector<std::size_t> start_;
  std::vector<double> numbers_;
};

}  // namespace moraine::hard
