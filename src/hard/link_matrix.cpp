// SPDX-License-Identifier: MIT
#include "hard/link_matrix.hpp"

#include <algorithm>
#include <cmath>

namespace moraine::hard {

namespace {
// A pivot below this part of its diagonal means that the row depends on those before it.
constexpr double kDependent = 1e-9;
// What is added to the diagonal of a singular matrix, over its largest entry.
constexpr double kShift = 1e-7;
}  // namespace

template <int D>
LinkMatrix<D>::LinkMatrix(const System<D>& system) : system_(system) {
  const std::size_t n = system.row_count();
  a_.resize(n);
  b_.resize(n);
  for (const Arc<D>& arc : system.arcs) {
    for (std::uint32_t s = 0; s < arc.rows; ++s) {
      a_[arc.row + s] = arc.a;
      b_[arc.row + s] = arc.b;
    }
  }
  for (std::uint32_t node = 0; node < system.movable(); ++node) {
    std::vector<std::uint32_t> rows;
    for (std::uint32_t p = system.first_arc[node]; p < system.first_arc[node + 1]; ++p) {
      const Arc<D>& arc = system.arcs[system.arc_at[p]];
      for (std::uint32_t s = 0; s < arc.rows; ++s) rows.push_back(arc.row + s);
    }
    std::sort(rows.begin(), rows.end());
    for (std::size_t i = 0; i < rows.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        const std::uint32_t r = rows[i], o = rows[j];
        const bool rb = b_[r] == node, ob = b_[o] == node;
        meetings_.push_back({0, r, o, rb, ob, (rb == ob ? 1 : -1) * system.inverse_mass[node]});
      }
    }
  }
  std::sort(meetings_.begin(), meetings_.end(),
            [](const Meeting& x, const Meeting& y) { return x.row != y.row ? x.row < y.row : x.other < y.other; });
  std::vector<std::uint32_t> start(n + 1, 0), column;
  for (std::size_t m = 0; m < meetings_.size(); ++m) {
    const bool fresh =
        m == 0 || meetings_[m - 1].row != meetings_[m].row || meetings_[m - 1].other != meetings_[m].other;
    if (fresh) {
      column.push_back(meetings_[m].other);
      ++start[meetings_[m].row + 1];
    }
    meetings_[m].entry = static_cast<std::uint32_t>(column.size() - 1);
  }
  for (std::size_t r = 0; r < n; ++r) start[r + 1] += start[r];
  entries_.resize(column.size());
  for (std::size_t r = 0; r < n; ++r) still_.push_back(system.inverse_mass[a_[r]] + system.inverse_mass[b_[r]]);
  diagonal_ = still_;
  ldl_.analyse(std::move(start), std::move(column));
  if (system.turning()) {
    ease_a_.resize(n);
    ease_b_.resize(n);
  }
}

template <int D>
void LinkMatrix<D>::find_ease(const Rows<D>& rows, const Kinematics<D>& k) {
  for (std::size_t r = 0; r < a_.size(); ++r) {
    const auto ease = [&](std::uint32_t node, const Spin<D>& turn) {
      if (node >= system_.movable() || system_.turns[node] == 0) return Spin<D>{};
      return system_.spin_of(node, k.q[node], turn);
    };
    ease_a_[r] = ease(a_[r], rows.turn_a[r]);
    ease_b_[r] = ease(b_[r], rows.turn_b[r]);
  }
}

template <int D>
void LinkMatrix<D>::assemble(const Rows<D>& rows, const Kinematics<D>& k) {
  const bool turning = system_.turning();
  if (turning) find_ease(rows, k);
  for (std::size_t r = 0; r < diagonal_.size() && turning; ++r)
    diagonal_[r] = still_[r] + math::dot(rows.turn_a[r], ease_a_[r]) + math::dot(rows.turn_b[r], ease_b_[r]);
  std::fill(entries_.begin(), entries_.end(), 0.0);
  for (const Meeting& m : meetings_) {
    double h = m.weight * math::dot(rows.n[m.row], rows.n[m.other]);
    if (turning) {
      const Spin<D>& turn = m.row_at_b != 0 ? rows.turn_b[m.row] : rows.turn_a[m.row];
      const Spin<D>& ease = m.other_at_b != 0 ? ease_b_[m.other] : ease_a_[m.other];
      const double t = math::dot(turn, ease);
      h += m.row_at_b == m.other_at_b ? t : -t;
    }
    entries_[m.entry] += h;
  }
}

template <int D>
void LinkMatrix<D>::factor() {
  singular_ = !ldl_.factor(diagonal_.data(), entries_.data(), kDependent);
  if (!singular_) return;
  shifted_ = diagonal_;
  const double shift = kShift * *std::max_element(diagonal_.begin(), diagonal_.end());
  for (double& d : shifted_) d += shift;
  ldl_.factor(shifted_.data(), entries_.data(), 0);
}

// Of a singular H: with S = H + shift, x <- x + S^-1 H S^-1 (b - H x) leaves what H cannot reach at zero and converges
// like (2 shift / eigenvalue)^k for the rest: to the solution of least norm.
template <int D>
void LinkMatrix<D>::solve(std::vector<double>& b) {
  if (!singular_) return ldl_.solve(b.data());
  const std::size_t n = b.size();
  guess_.assign(n, 0);
  rest_ = b;
  std::vector<double> step(n);
  double before = 0;
  for (int round = 0; round < 50; ++round) {
    ldl_.solve(rest_.data());
    ldl_.multiply(diagonal_.data(), entries_.data(), rest_.data(), step.data());
    ldl_.solve(step.data());
    double change = 0, size = 0;
    for (std::size_t r = 0; r < n; ++r) {
      guess_[r] += step[r];
      change = std::max(change, std::fabs(step[r]));
      size = std::max(size, std::fabs(guess_[r]));
    }
    if (change <= 1e-15 * size || (round > 2 && change >= 0.5 * before)) break;
    before = change;
    ldl_.multiply(diagonal_.data(), entries_.data(), guess_.data(), rest_.data());
    for (std::size_t r = 0; r < n; ++r) rest_[r] = b[r] - rest_[r];
  }
  b = guess_;
}

template class LinkMatrix<2>;
template class LinkMatrix<3>;

}  // namespace moraine::hard
