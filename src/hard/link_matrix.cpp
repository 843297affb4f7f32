// SPDX-License-Identifier: MIT
#include "hard/link_matrix.hpp"

#include <algorithm>
#include <cmath>

namespace moraine::hard {

namespace {
// A pivot below this part of its diagonal means that the row depends on those before it, or that a light node hangs
// between heavy ones.
constexpr double kDependent = 1e-9;
// Below this, what pivots are differences of has lost so many digits that the solution is refined.
constexpr double kDoubtful = 1e-6;
constexpr int kRefinements = 2;
// What is added to the diagonal of a singular matrix, over its largest entry.
constexpr double kShift = 1e-7;

enum : std::uint32_t { kOfMeeting, kOfHubMeeting, kOfHub };

double component(const math::Vec2& n, double turn, std::uint32_t c) { return c < 2 ? n[static_cast<int>(c)] : turn; }
double component(const math::Vec3& n, const math::Vec3& turn, std::uint32_t c) {
  return c < 3 ? n[static_cast<int>(c)] : turn[static_cast<int>(c) - 3];
}
}  // namespace

template <int D>
std::uint32_t LinkMatrix<D>::hub_dims(std::uint32_t node) const {
  return D + (system_.turns[node] == 0 ? 0 : D == 2 ? 1 : 3);
}

template <int D>
LinkMatrix<D>::LinkMatrix(const System<D>& system) : system_(system), a_(system.row_a), b_(system.row_b) {
  const std::size_t n = system.row_count();
  for (std::size_t r = 0; r < n; ++r) still_.push_back(system.inverse_mass[a_[r]] + system.inverse_mass[b_[r]]);
  diagonal_ = still_;
  if (system.turning()) {
    ease_a_.resize(n);
    ease_b_.resize(n);
  }
  place_unknowns();
  std::vector<Pair> pairs = find_pairs();
  std::sort(pairs.begin(), pairs.end(), [](const Pair& x, const Pair& y) {
    if (x.row != y.row) return x.row < y.row;
    if (x.column != y.column) return x.column < y.column;
    return x.what != y.what ? x.what < y.what : x.which < y.which;
  });
  std::vector<std::uint32_t> start(unknowns_ + 1, 0), column;
  for (std::size_t m = 0; m < pairs.size(); ++m) {
    if (m == 0 || pairs[m - 1].row != pairs[m].row || pairs[m - 1].column != pairs[m].column) {
      column.push_back(pairs[m].column);
      ++start[pairs[m].row + 1];
    }
    const auto entry = static_cast<std::uint32_t>(column.size() - 1);
    if (pairs[m].what == kOfMeeting) meetings_[pairs[m].which].entry = entry;
    if (pairs[m].what == kOfHubMeeting) hub_meetings_[pairs[m].which].entry = entry;
    if (pairs[m].what == kOfHub) hubs_[pairs[m].which / 3].turn_entry[pairs[m].which % 3] = entry;
  }
  std::stable_sort(meetings_.begin(), meetings_.end(),
                   [](const Meeting& x, const Meeting& y) { return x.entry < y.entry; });
  for (std::size_t r = 0; r < unknowns_; ++r) start[r + 1] += start[r];
  entries_.resize(column.size());
  ldl_.analyse(std::move(start), std::move(column));
  own_.assign(unknowns_, 0);
  least_.assign(unknowns_, 0);
  barely_.assign(unknowns_, 0);
  for (const Hub& hub : hubs_) std::fill_n(barely_.begin() + hub.first, hub_dims(hub.node), -1e-300);
  for (std::size_t r = 0; r < n && hubs_.empty(); ++r) least_[r] = kDoubtful * diagonal_[r];
}

// Without hubs: the rows in their order. Otherwise rows that have something of their own on the diagonal, then the
// hubs, then rows that only lead from hub to hub or ground.
template <int D>
void LinkMatrix<D>::place_unknowns() {
  const std::size_t n = a_.size();
  unknowns_ = n;
  for (std::uint32_t node = 0; node < system_.movable(); ++node) {
    if (system_.hub[node] != 0) hubs_.push_back({node, 0});
  }
  if (hubs_.empty()) return;
  const auto couples = [&](std::uint32_t node) { return node < system_.movable() && system_.hub[node] == 0; };
  place_.assign(n, 0);
  std::uint32_t next = 0;
  for (std::size_t r = 0; r < n; ++r) {
    if (couples(a_[r]) || couples(b_[r])) place_[r] = next++;
  }
  for (Hub& hub : hubs_) {
    hub.first = next;
    next += hub_dims(hub.node);
  }
  for (std::size_t r = 0; r < n; ++r) {
    if (!couples(a_[r]) && !couples(b_[r])) place_[r] = next++;
  }
  unknowns_ = next;
}

template <int D>
std::vector<typename LinkMatrix<D>::Pair> LinkMatrix<D>::find_pairs() {
  std::vector<Pair> pairs;
  const auto place = [&](std::uint32_t r) { return place_.empty() ? r : place_[r]; };
  const auto add = [&](std::uint32_t x, std::uint32_t y, std::uint32_t what, std::size_t which) {
    pairs.push_back({std::max(x, y), std::min(x, y), what, static_cast<std::uint32_t>(which)});
  };
  std::vector<std::uint32_t> rows;
  std::size_t hub = 0;
  for (std::uint32_t node = 0; node < system_.movable(); ++node) {
    rows.clear();
    for (std::uint32_t p = system_.first_arc[node]; p < system_.first_arc[node + 1]; ++p) {
      const Arc<D>& arc = system_.arcs[system_.arc_at[p]];
      for (std::uint32_t s = 0; s < arc.rows; ++s) rows.push_back(arc.row + s);
    }
    if (system_.hub[node] != 0) {
      for (const std::uint32_t r : rows) {
        for (std::uint32_t c = 0; c < hub_dims(node); ++c) {
          add(place(r), hubs_[hub].first + c, kOfHubMeeting, hub_meetings_.size());
          hub_meetings_.push_back({0, r, static_cast<std::uint8_t>(c), static_cast<std::uint8_t>(b_[r] == node)});
        }
      }
      if (hub_dims(node) == 6) {
        add(hubs_[hub].first + 4, hubs_[hub].first + 3, kOfHub, 3 * hub);
        add(hubs_[hub].first + 5, hubs_[hub].first + 3, kOfHub, 3 * hub + 1);
        add(hubs_[hub].first + 5, hubs_[hub].first + 4, kOfHub, 3 * hub + 2);
      }
      ++hub;
      continue;
    }
    for (std::size_t i = 0; i < rows.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        const std::uint32_t r = rows[i], o = rows[j];
        const bool rb = b_[r] == node, ob = b_[o] == node;
        add(place(r), place(o), kOfMeeting, meetings_.size());
        meetings_.push_back({0, r, o, static_cast<std::uint8_t>(rb), static_cast<std::uint8_t>(ob),
                             (rb == ob ? 1 : -1) * system_.inverse_mass[node]});
      }
    }
  }
  return pairs;
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
  rows_now_ = &rows;
  const bool turning = system_.turning();
  if (turning) {
    find_ease(rows, k);
    for (std::size_t r = 0; r < diagonal_.size(); ++r)
      diagonal_[r] = still_[r] + math::dot(rows.turn_a[r], ease_a_[r]) + math::dot(rows.turn_b[r], ease_b_[r]);
    for (std::size_t r = 0; r < diagonal_.size() && hubs_.empty(); ++r) least_[r] = kDoubtful * diagonal_[r];
  }
  auto last = static_cast<std::uint32_t>(entries_.size());
  for (const Meeting& m : meetings_) {  // in the order of their entries
    double h = m.weight * math::dot(rows.n[m.row], rows.n[m.other]);
    if (turning) {
      const Spin<D>& turn = m.row_at_b != 0 ? rows.turn_b[m.row] : rows.turn_a[m.row];
      const Spin<D>& ease = m.other_at_b != 0 ? ease_b_[m.other] : ease_a_[m.other];
      const double t = math::dot(turn, ease);
      h += m.row_at_b == m.other_at_b ? t : -t;
    }
    entries_[m.entry] = m.entry == last ? entries_[m.entry] + h : h;
    last = m.entry;
  }
  if (!hubs_.empty()) assemble_hubs(rows, k);
}

template <int D>
void LinkMatrix<D>::assemble_hubs(const Rows<D>& rows, const Kinematics<D>& k) {
  const bool turning = system_.turning();
  const auto couples = [&](std::uint32_t node) { return node < system_.movable() && system_.hub[node] == 0; };
  for (std::size_t r = 0; r < a_.size(); ++r) {
    double own = 0;
    if (couples(a_[r])) own += system_.inverse_mass[a_[r]] + (turning ? math::dot(rows.turn_a[r], ease_a_[r]) : 0);
    if (couples(b_[r])) own += system_.inverse_mass[b_[r]] + (turning ? math::dot(rows.turn_b[r], ease_b_[r]) : 0);
    own_[place_[r]] = own;
    least_[place_[r]] = kDoubtful * diagonal_[r];
  }
  for (const HubMeeting& m : hub_meetings_) {
    const Spin<D> turn = !turning ? Spin<D>{} : m.at_b != 0 ? rows.turn_b[m.row] : rows.turn_a[m.row];
    const double value = component(rows.n[m.row], turn, m.component);
    entries_[m.entry] = m.at_b != 0 ? -value : value;
  }
  for (const Hub& hub : hubs_) {
    const double mass = system_.mass[hub.node];
    for (std::uint32_t c = 0; c < D; ++c) own_[hub.first + c] = -mass;
    if (hub_dims(hub.node) > D) {
      if constexpr (D == 2) {
        own_[hub.first + 2] = -system_.inertia[hub.node];
      } else {
        double tensor[3][3];
        for (int c = 0; c < 3; ++c) {
          Vec<3> axis{};
          axis[c] = 1;
          const Vec<3> column = system_.momentum_of(hub.node, k.q[hub.node], axis);
          for (int d = 0; d < 3; ++d) tensor[d][c] = column[d];
        }
        for (int c = 0; c < 3; ++c) own_[hub.first + 3 + static_cast<std::uint32_t>(c)] = -tensor[c][c];
        entries_[hub.turn_entry[0]] = -tensor[1][0];
        entries_[hub.turn_entry[1]] = -tensor[2][0];
        entries_[hub.turn_entry[2]] = -tensor[2][1];
      }
    }
    for (std::uint32_t c = 0; c < hub_dims(hub.node); ++c)
      least_[hub.first + c] = kDoubtful * own_[hub.first + c];  // negative
  }
}

template <int D>
void LinkMatrix<D>::factor() {
  const std::vector<double>& own = hubs_.empty() ? diagonal_ : own_;
  singular_ = doubtful_ = false;
  if (!ldl_.factor(own.data(), entries_.data(), least_.data())) factor_doubtful();
}

// Some pivot is small: because links depend on each other, or because masses differ by so much.
template <int D>
void LinkMatrix<D>::factor_doubtful() {
  const std::vector<double>& own = hubs_.empty() ? diagonal_ : own_;
  std::vector<double> least = least_;
  for (double& l : least) l *= kDependent / kDoubtful;
  doubtful_ = ldl_.factor(own.data(), entries_.data(), least.data()) ||
              (!depends() && ldl_.factor(own.data(), entries_.data(), barely_.data()));
  singular_ = !doubtful_;
  if (singular_) factor_shifted();
}

// Whether rows depend on each other does not depend on masses: pivots are those of nodes that all weigh the same.
template <int D>
bool LinkMatrix<D>::depends() {
  const Rows<D>& rows = *rows_now_;
  const bool turning = system_.turning();
  std::vector<double> own(unknowns_, 0), least(unknowns_, 0), entries(entries_.size(), 0);
  const auto add_end = [&](std::size_t r, std::uint32_t node, const Spin<D>& turn, const Spin<D>& ease) {
    if (node >= system_.movable()) return;
    const std::size_t place = hubs_.empty() ? r : place_[r];
    const double part = 1 + (turning ? math::dot(turn, ease) * system_.mass[node] : 0);
    if (system_.hub[node] == 0) own[place] += part;
    least[place] += kDependent * part;
  };
  const Spin<D> none{};
  for (std::size_t r = 0; r < a_.size(); ++r) {
    add_end(r, a_[r], turning ? rows.turn_a[r] : none, turning ? ease_a_[r] : none);
    add_end(r, b_[r], turning ? rows.turn_b[r] : none, turning ? ease_b_[r] : none);
  }
  for (const Meeting& m : meetings_) {
    double h = math::dot(rows.n[m.row], rows.n[m.other]);
    if (turning) {
      const std::uint32_t node = m.row_at_b != 0 ? b_[m.row] : a_[m.row];
      const Spin<D>& turn = m.row_at_b != 0 ? rows.turn_b[m.row] : rows.turn_a[m.row];
      const Spin<D>& ease = m.other_at_b != 0 ? ease_b_[m.other] : ease_a_[m.other];
      h += math::dot(turn, ease) * system_.mass[node];
    }
    entries[m.entry] += m.row_at_b == m.other_at_b ? h : -h;
  }
  for (const HubMeeting& m : hub_meetings_) entries[m.entry] = entries_[m.entry];
  for (const Hub& hub : hubs_) {
    const double each = 1 / system_.mass[hub.node];
    for (std::uint32_t u = hub.first; u < hub.first + hub_dims(hub.node); ++u) {
      own[u] = own_[u] * each;
      least[u] = kDependent * own[u];
    }
    if (hub_dims(hub.node) < 6) continue;
    for (const std::uint32_t entry : hub.turn_entry) entries[entry] = entries_[entry] * each;
  }
  return !ldl_.factor(own.data(), entries.data(), least.data());
}

template <int D>
bool LinkMatrix<D>::factor_and_solve(std::vector<double>& b) {
  if (!hubs_.empty()) {
    factor();
    if (singular_ || doubtful_) return false;
    solve_factored(b);
    return true;
  }
  singular_ = doubtful_ = false;
  if (!ldl_.factor(diagonal_.data(), entries_.data(), least_.data(), b.data())) {
    factor_doubtful();
    return false;
  }
  ldl_.solve_back(b.data());
  return true;
}

template <int D>
void LinkMatrix<D>::factor_shifted() {
  shifted_ = hubs_.empty() ? diagonal_ : own_;
  const double shift = kShift * *std::max_element(diagonal_.begin(), diagonal_.end());
  for (std::size_t r = 0; r < a_.size(); ++r) shifted_[hubs_.empty() ? r : place_[r]] += shift;
  ldl_.factor(shifted_.data(), entries_.data(), barely_.data());
}

template <int D>
void LinkMatrix<D>::solve_factored(std::vector<double>& b) {
  if (hubs_.empty()) return ldl_.solve(b.data());
  extended_.assign(unknowns_, 0);
  for (std::size_t r = 0; r < b.size(); ++r) extended_[place_[r]] = b[r];
  ldl_.solve(extended_.data());
  for (std::size_t r = 0; r < b.size(); ++r) b[r] = extended_[place_[r]];
}

// Through the nodes: what the forces do to them, and what that does to the rows.
template <int D>
void LinkMatrix<D>::multiply(const std::vector<double>& x, std::vector<double>& y) {
  Moves<D> moves = system_.no_moves();
  for (std::size_t r = 0; r < x.size(); ++r) add(moves, r, x[r]);
  y.resize(x.size());
  for (std::size_t r = 0; r < x.size(); ++r) y[r] = -apart(moves, r);
}

// What is left is found through the nodes, where nothing cancels.
template <int D>
void LinkMatrix<D>::solve_refined(std::vector<double>& b) {
  std::vector<double> x = b, rest;
  solve_factored(x);
  for (int round = 0; round < kRefinements; ++round) {
    multiply(x, rest);
    for (std::size_t r = 0; r < b.size(); ++r) rest[r] = b[r] - rest[r];
    solve_factored(rest);
    for (std::size_t r = 0; r < b.size(); ++r) x[r] += rest[r];
  }
  b = std::move(x);
}

// Of a singular H: with S = H + shift, x <- x + S^-1 H S^-1 (b - H x) leaves what H cannot reach at zero and converges
// like (2 shift / eigenvalue)^k for the rest: to the solution of least norm.
template <int D>
void LinkMatrix<D>::solve(std::vector<double>& b) {
  if (doubtful_) return solve_refined(b);
  if (!singular_) return solve_factored(b);
  const std::size_t n = b.size();
  std::vector<double> guess(n, 0), rest = b, step;
  double before = 0;
  for (int round = 0; round < 50; ++round) {
    solve_factored(rest);
    multiply(rest, step);
    solve_factored(step);
    double change = 0, size = 0;
    for (std::size_t r = 0; r < n; ++r) {
      guess[r] += step[r];
      change = std::max(change, std::fabs(step[r]));
      size = std::max(size, std::fabs(guess[r]));
    }
    if (change <= 1e-15 * size || (round > 2 && change >= 0.5 * before)) break;
    before = change;
    multiply(guess, rest);
    for (std::size_t r = 0; r < n; ++r) rest[r] = b[r] - rest[r];
  }
  b = std::move(guess);
}

template class LinkMatrix<2>;
template class LinkMatrix<3>;

}  // namespace moraine::hard
