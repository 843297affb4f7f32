// SPDX-License-Identifier: MIT
// The matrix of the link forces, H = J M^-1 J^T: it says how much each link's rate changes by each link's force. Never
// formed densely: two rows meet where their links share a movable node.
#pragma once

#include <cstdint>
#include <vector>

#include "hard/ldl.hpp"
#include "hard/rows.hpp"

namespace moraine::hard {

template <int D>
class LinkMatrix {
 public:
  explicit LinkMatrix(const System<D>& system);

  // Numbers for the present rows and orientations.
  void assemble(const Rows<D>& rows, const Kinematics<D>& k);
  // Factors what was assembled; solve() then overwrites b by x with H x = b. Where links depend on each other H is
  // singular: x is then the one of least norm (and, if the equations contradict each other, of least squares).
  void factor();
  void solve(std::vector<double>& b);
  bool singular() const { return singular_; }
  std::size_t factor_entries() const { return ldl_.entries(); }

  const std::vector<double>& diagonal() const { return diagonal_; }
  // I^-1 turn of each row at its two ends; empty where nothing turns.
  const std::vector<Spin<D>>& ease_a() const { return ease_a_; }
  const std::vector<Spin<D>>& ease_b() const { return ease_b_; }

 private:
  void find_ease(const Rows<D>& rows, const Kinematics<D>& k);

  struct Meeting {        // of two rows at a node
    std::uint32_t entry;  // in entries_
    std::uint32_t row, other;
    std::uint8_t row_at_b, other_at_b;
    double weight;  // sign / mass
  };
  const System<D>& system_;
  std::vector<std::uint32_t> a_, b_;  // nodes of each row
  std::vector<Meeting> meetings_;
  SparseLdl ldl_;
  std::vector<double> still_;  // the diagonal without rotation: n has length 1
  std::vector<double> diagonal_, entries_, shifted_, guess_, rest_;
  std::vector<Spin<D>> ease_a_, ease_b_;
  bool singular_ = false;
};

}  // namespace moraine::hard
