// SPDX-License-Identifier: MIT
#include "hard/tree_matrix.hpp"

#include <algorithm>
#include <cmath>

#include "hard/topology.hpp"

namespace moraine::hard {

TreeMatrix::TreeMatrix(std::vector<std::uint32_t> parent) : parent_(std::move(parent)) {
  std::size_t at = 0;
  for (const std::uint32_t p : parent_) {
    depth_.push_back(p == kNone ? 0 : depth_[p] + 1);
    start_.push_back(at);
    at += depth_.back() + 1;
  }
  numbers_.assign(at, 0);
}

bool TreeMatrix::factor() {
  for (std::size_t k = size(); k-- > 0;) {
    double* __restrict own = row(k);
    const double d = own[depth_[k]];
    if (!(d > 0)) return false;
    for (std::uint32_t i = parent_[k]; i != kNone; i = parent_[i]) {
      const std::uint32_t last = depth_[i];
      const double part = own[last] / d;
      double* __restrict other = row(i);  // what lies before i on the way also lies before k, at the same depths
      for (std::uint32_t c = 0; c <= last; ++c) other[c] -= part * own[c];
      own[last] = part;
    }
  }
  return true;
}

void TreeMatrix::half_solve(double* x) const {
  for (std::size_t k = size(); k-- > 0;) {
    if (x[k] == 0) continue;
    const double* own = row(k);
    for (std::uint32_t i = parent_[k]; i != kNone; i = parent_[i]) x[i] -= own[depth_[i]] * x[k];
  }
}

void TreeMatrix::solve(double* x) const {
  half_solve(x);
  for (std::size_t k = 0; k < size(); ++k) {
    const double* own = row(k);
    double s = x[k] / own[depth_[k]];
    for (std::uint32_t i = parent_[k]; i != kNone; i = parent_[i]) s -= own[depth_[i]] * x[i];
    x[k] = s;
  }
}

void TreeMatrix::multiply(const double* x, double* y) const {
  std::fill(y, y + size(), 0.0);
  for (std::size_t k = 0; k < size(); ++k) {
    const double* own = row(k);
    y[k] += own[depth_[k]] * x[k];
    for (std::uint32_t i = parent_[k]; i != kNone; i = parent_[i]) {
      y[k] += own[depth_[i]] * x[i];
      y[i] += own[depth_[i]] * x[k];
    }
  }
}

// Rows from the leaves inwards, each with what is new of the coordinates beyond it and old of those before it.
double TreeMatrix::sweep(const double* b, double over_relaxation, double* x) const {
  std::vector<double> beyond(size(), 0.0);  // part of each row's product that coordinates beyond it make
  double worst = 0;
  for (std::size_t k = size(); k-- > 0;) {
    const double* own = row(k);
    double rest = b[k] - beyond[k] - own[depth_[k]] * x[k];
    for (std::uint32_t i = parent_[k]; i != kNone; i = parent_[i]) rest -= own[depth_[i]] * x[i];
    worst = std::max(worst, std::fabs(rest));
    x[k] += over_relaxation * rest / own[depth_[k]];
    for (std::uint32_t i = parent_[k]; i != kNone; i = parent_[i]) beyond[i] += own[depth_[i]] * x[k];
  }
  return worst;
}

}  // namespace moraine::hard
