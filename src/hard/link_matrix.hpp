// SPDX-License-Identifier: MIT
// The matrix of the link forces, H = J M^-1 J^T: it says how much each link's rate changes by each link's force. Never
// formed densely: two rows meet where their links share a movable node. At hubs, where hundreds may meet, they do not
// meet directly: the hub's own acceleration u by the links is kept as unknown,
//   H' x - J_hub u = b,   -J_hub^T x - M_hub u = 0,
// with H' of the other nodes, so that the work grows with the number of links there and not with its cube.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "hard/rows.hpp"
#include "math/ldl.hpp"

namespace moraine::hard {

template <int D>
class LinkMatrix {
 public:
  explicit LinkMatrix(const System<D>& system);

  // Numbers for the present rows and orientations; `rows` must live until the last solve().
  void assemble(const Rows<D>& rows, const Kinematics<D>& k);
  // Factors what was assembled; solve() then overwrites b by x with H x = b. Where links depend on each other H is
  // singular: x is then the one of least norm (and, if the equations contradict each other, of least squares).
  void factor();
  void solve(std::vector<double>& b);
  // Both in one go, where H is far from singular; otherwise false, b is lost, and solve() is left to do.
  bool factor_and_solve(std::vector<double>& b);
  void multiply(const std::vector<double>& x, std::vector<double>& y);  // y = H x
  bool singular() const { return singular_; }
  std::size_t factor_entries() const { return ldl_.entries(); }

  const std::vector<double>& diagonal() const { return diagonal_; }
  // What an amount along a row (a force, a shift) does to its two nodes, M^-1 J^T; and how much moves take the two ends
  // of a row apart, J. Of the rows last assembled.
  void add(Moves<D>& moves, std::size_t row, double amount) const {
    const std::uint32_t i = a_[row], j = b_[row];
    moves.x[i] += rows_now_->n[row] * (amount * system_.inverse_mass[i]);
    moves.x[j] -= rows_now_->n[row] * (amount * system_.inverse_mass[j]);
    if (moves.turn.empty()) return;
    moves.turn[i] += ease_a_[row] * amount;
    moves.turn[j] -= ease_b_[row] * amount;
  }
  double apart(const Moves<D>& moves, std::size_t row) const {
    const std::uint32_t i = a_[row], j = b_[row];
    double s = math::dot(rows_now_->n[row], moves.x[j] - moves.x[i]);
    if (!moves.turn.empty())
      s += math::dot(rows_now_->turn_b[row], moves.turn[j]) - math::dot(rows_now_->turn_a[row], moves.turn[i]);
    return s;
  }

 private:
  struct Meeting {        // of two rows at a node
    std::uint32_t entry;  // in entries_
    std::uint32_t row, other;
    std::uint8_t row_at_b, other_at_b;
    double weight;  // sign / mass
  };
  struct HubMeeting {  // of a row and one component of a hub's motion
    std::uint32_t entry, row;
    std::uint8_t component, at_b;
  };
  struct Hub {
    std::uint32_t node, first;                  // its first unknown
    std::array<std::uint32_t, 3> turn_entry{};  // 3D: its inertia off the diagonal
  };
  struct Pair {  // an entry below the diagonal that something adds to
    std::uint32_t row, column, what, which;
  };
  void place_unknowns();
  std::vector<Pair> find_pairs();
  void find_ease(const Rows<D>& rows, const Kinematics<D>& k);
  void assemble_hubs(const Rows<D>& rows, const Kinematics<D>& k);
  void solve_factored(std::vector<double>& b);
  void factor_doubtful();
  bool depends();
  void solve_refined(std::vector<double>& b);
  void factor_shifted();
  std::uint32_t hub_dims(std::uint32_t node) const;

  const System<D>& system_;
  const Rows<D>* rows_now_ = nullptr;
  const std::vector<std::uint32_t>&a_, &b_;  // nodes of each row
  std::vector<Meeting> meetings_;
  std::vector<HubMeeting> hub_meetings_;
  std::vector<Hub> hubs_;
  std::vector<std::uint32_t> place_;  // of each row among the unknowns; empty: without hubs, its own number
  std::size_t unknowns_ = 0;
  math::SparseLdl ldl_;
  std::vector<double> still_;     // the diagonal without rotation: n has length 1
  std::vector<double> diagonal_;  // of H
  std::vector<double> own_, least_, barely_, entries_, shifted_, extended_;  // of all unknowns
  std::vector<Spin<D>> ease_a_, ease_b_;  // I^-1 turn of each row at its two ends; empty where nothing turns
  bool singular_ = false;
  bool doubtful_ = false;  // not singular, but with pivots that have lost digits: solutions are refined
};

}  // namespace moraine::hard
