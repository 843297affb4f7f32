// SPDX-License-Identifier: MIT
#include "hard/cone_solver.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace moraine::hard {

namespace {
constexpr double kDependent = 1e-11;  // pivots below this part of the first: the rows that are left depend on others
constexpr double kSmallPivot = 1e-7;  // of its column, below which all are looked at
constexpr double kShift = 1e-13;      // of the squares of dependent rows, over the largest
constexpr double kNothing = 1e-11;    // relative: forces and speeds that are only rounding
constexpr double kGoodEnough = 1e-8;  // of sweeps alone, where no set of modes is consistent
constexpr double kAsGoodAsCanBe = 1e-13;
constexpr int kFirstRepairs = 20, kRepairs = 60, kAttempts = 8;
constexpr double kMostWork = 3e8, kFar = 1e6;

double largest(const std::vector<double>& values) {
  double most = 0;
  for (const double v : values) {
    if (std::isnan(v)) return std::numeric_limits<double>::infinity();
    most = std::max(most, std::fabs(v));
  }
  return most;
}
}  // namespace

double ConeProblem::speed(std::size_t row) const {
  double sum = q[row];
  for (std::size_t c = 0; c < rows(); ++c) sum += at(row, c) * r[c];
  return sum;
}

void ConeProblem::change(std::size_t row, double by) {
  if (by == 0) return;
  r[row] += by;
  for (std::size_t k = 0; k < rows(); ++k) u_[k] += at(k, row) * by;
}

void ConeProblem::sweep_friction(const Cone& cone) {
  const std::size_t t = cone.row + 1;
  const double limit = std::max(0.0, cone.limit(r[cone.row]));
  std::array<double, 2> next{};
  double size = 0, ease = 0;
  for (std::size_t s = 0; s < cone.across; ++s) ease = std::max(ease, at(t + s, t + s));
  for (std::size_t s = 0; s < cone.across; ++s) {
    next[s] = cone.slips ? limit * cone.along[s] : r[t + s] - u_[t + s] / ease;
    size += next[s] * next[s];
  }
  size = std::sqrt(size);
  const double factor = !cone.slips && size > limit ? limit / size : 1;
  for (std::size_t s = 0; s < cone.across; ++s) change(t + s, next[s] * factor - r[t + s]);
}

// Normal force and friction of a contact at once, by the projection of de Saxce and Feng: slower than one after the
// other, but it also comes to an end where these drive each other.
double ConeProblem::sweep_cone(const Cone& cone, double part) {
  const std::size_t row = cone.row, n = 1 + cone.across;
  double ease = 0, slip = 0, size = 0;
  for (std::size_t i = 0; i < n; ++i) {
    double sum = 0;
    for (std::size_t j = 0; j < n; ++j) sum += std::fabs(at(row + i, row + j));
    ease = std::max(ease, sum);
    if (i > 0) slip += u_[row + i] * u_[row + i];
  }
  const double rho = part / ease, apex = cone.hold + cone.shear / cone.mu;
  double r_n = r[row] + apex - rho * (u_[row] + cone.mu * std::sqrt(slip));
  std::array<double, 2> r_t{};
  for (std::size_t s = 0; s < cone.across; ++s) {
    r_t[s] = r[row + 1 + s] - rho * u_[row + 1 + s];
    size += r_t[s] * r_t[s];
  }
  size = std::sqrt(size);
  if (cone.mu * size <= -r_n) {
    r_n = 0;
    r_t = {};
  } else if (size > cone.mu * r_n) {
    r_n = (r_n + cone.mu * size) / (1 + cone.mu * cone.mu);
    for (double& x : r_t) x *= cone.mu * r_n / size;
  }
  double most = std::fabs(r_n - apex - r[row]);
  change(row, r_n - apex - r[row]);
  for (std::size_t s = 0; s < cone.across; ++s) {
    most = std::max(most, std::fabs(r_t[s] - r[row + 1 + s]));
    change(row + 1 + s, r_t[s] - r[row + 1 + s]);
  }
  return most / rho;
}

// Returns the largest change of speed that it made. `part`: 0, or of the step that normal force and friction take
// together.
double ConeProblem::sweep(double part) {
  double most = 0;
  std::size_t next = 0;
  for (const Cone& cone : cones) {
    next = cone.row + 1 + cone.across;
    if (part > 0 && cone.across > 0 && cone.mu > 0 && !cone.slips) {
      most = std::max(most, sweep_cone(cone, part));
      continue;
    }
    const double ease = at(cone.row, cone.row);
    const double r_n = std::max(-cone.hold, r[cone.row] - u_[cone.row] / ease), before = r[cone.row];
    change(cone.row, r_n - before);
    most = std::max(most, std::fabs(r_n - before) * ease);
    if (cone.across == 0) continue;
    const double t0 = r[cone.row + 1], t1 = cone.across > 1 ? r[cone.row + 2] : 0;
    sweep_friction(cone);
    const double moved = std::fabs(r[cone.row + 1] - t0) + (cone.across > 1 ? std::fabs(r[cone.row + 2] - t1) : 0);
    most = std::max(most, moved * at(cone.row + 1, cone.row + 1));
  }
  for (std::size_t row = next; row < rows(); ++row) {
    if (!(at(row, row) > 0)) continue;
    most = std::max(most, std::fabs(u_[row]));
    change(row, -u_[row] / at(row, row));
  }
  return most;
}

void ConeProblem::name_modes() {
  const double no_force = kNothing * largest(r);
  for (Cone& cone : cones) {
    const double r_n = r[cone.row];
    if (r_n <= -cone.hold + no_force && r_n * at(cone.row, cone.row) <= kNothing * largest(q)) {
      cone.mode = Mode::kOpen;
      continue;
    }
    if (r_n < -cone.hold * (1 - 1e-9)) {
      cone.mode = Mode::kOpen;
      continue;
    }
    cone.mode = cone.slips ? Mode::kSlide : Mode::kStick;
    if (cone.slips || cone.across == 0) continue;
    double size = 0;
    for (std::size_t s = 0; s < cone.across; ++s) size += r[cone.row + 1 + s] * r[cone.row + 1 + s];
    size = std::sqrt(size);
    if (size < cone.limit(r_n) * (1 - 1e-9)) continue;
    cone.mode = Mode::kSlide;
    for (std::size_t s = 0; s < cone.across; ++s) cone.along[s] = size > 0 ? r[cone.row + 1 + s] / size : 0;
  }
}

void ConeProblem::list_unknowns() {
  unknowns_.clear();
  std::size_t next = 0;
  for (const Cone& cone : cones) {
    next = cone.row + 1 + cone.across;
    if (cone.mode == Mode::kOpen) continue;
    unknowns_.push_back(cone.row);
    for (std::size_t s = 0; s < cone.across && cone.mode == Mode::kStick; ++s) unknowns_.push_back(cone.row + 1 + s);
  }
  for (std::size_t row = next; row < rows(); ++row) unknowns_.push_back(row);
}

// Friction that follows from the normal forces, and what does not act.
void ConeProblem::set_sliding() {
  for (const Cone& cone : cones) {
    if (cone.mode == Mode::kOpen) r[cone.row] = 0;
    for (std::size_t s = 0; s < cone.across && cone.mode != Mode::kStick; ++s)
      r[cone.row + 1 + s] = cone.mode == Mode::kSlide ? cone.limit(r[cone.row]) * cone.along[s] : 0;
  }
}

// The equations of the unknowns, as L U. Where they depend on each other, those of A A^T + e instead.
void ConeProblem::factor() {
  const std::size_t n = unknowns_.size();
  lu_.resize(n * n);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) lu_[i * n + j] = at(unknowns_[i], unknowns_[j]);
  }
  // A normal force that friction slides with brings the friction along.
  std::size_t column = 0;
  for (const Cone& cone : cones) {
    if (cone.mode == Mode::kOpen) continue;
    if (cone.mode == Mode::kSlide && cone.mu != 0) {
      for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t s = 0; s < cone.across; ++s)
          lu_[i * n + column] += cone.mu * cone.along[s] * at(unknowns_[i], cone.row + 1 + s);
      }
    }
    column += cone.mode == Mode::kStick ? 1 + cone.across : 1;
  }
  a_ = lu_;
  eliminate(n);
  dependent_ = rank_ < n;
  if (!dependent_) return;
  double most = 0;
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      double sum = 0;
      for (std::size_t k = 0; k < n; ++k) sum += a_[i * n + k] * a_[j * n + k];
      lu_[i * n + j] = sum;
    }
    most = std::max(most, lu_[i * n + i]);
  }
  for (std::size_t i = 0; i < n; ++i) lu_[i * n + i] += kShift * most;
  eliminate(n);
}

// L U with the largest pivot of each column; where that is too small, anew with the largest of all that is left.
void ConeProblem::eliminate(std::size_t n) {
  const std::vector<double> whole = lu_;
  if (eliminate(n, false)) return;
  lu_ = whole;
  eliminate(n, true);
}

bool ConeProblem::eliminate(std::size_t n, bool any_column) {
  row_at_.resize(n);
  column_at_.resize(n);
  for (std::size_t k = 0; k < n; ++k) row_at_[k] = column_at_[k] = k;
  const double first = largest(lu_);
  rank_ = 0;
  for (std::size_t k = 0; k < n; ++k) {
    std::size_t best_row = k, best_column = k;
    double best = 0;
    for (std::size_t j = k; j < (any_column ? n : k + 1); ++j) {
      for (std::size_t i = k; i < n; ++i) {
        const double size = std::fabs(lu_[i * n + j]);
        if (size > best) {
          best = size;
          best_row = i;
          best_column = j;
        }
      }
    }
    if (!(best > (any_column ? kDependent : kSmallPivot) * first)) return false;
    ++rank_;
    if (best_row != k) {
      std::swap_ranges(&lu_[k * n], &lu_[k * n] + n, &lu_[best_row * n]);
      std::swap(row_at_[k], row_at_[best_row]);
    }
    if (best_column != k) {
      for (std::size_t i = 0; i < n; ++i) std::swap(lu_[i * n + k], lu_[i * n + best_column]);
      std::swap(column_at_[k], column_at_[best_column]);
    }
    const double* __restrict pivot = &lu_[k * n];
    for (std::size_t i = k + 1; i < n; ++i) {
      double* __restrict row = &lu_[i * n];
      if (row[k] == 0) continue;
      const double factor = row[k] /= pivot[k];
      for (std::size_t j = k + 1; j < n; ++j) row[j] -= factor * pivot[j];
    }
  }
  return true;
}

void ConeProblem::solve_modes() {
  list_unknowns();
  set_sliding();
  const std::size_t n = unknowns_.size();
  if (n == 0) return;
  factor();
  std::vector<double> b(n), x(n);
  // Again to take rounding out; and where rows depend on each other, until only what cannot be reached is left.
  for (int round = 0; round < (dependent_ ? 8 : 2); ++round) {
    for (std::size_t k = 0; k < n; ++k) b[k] = -speed(unknowns_[row_at_[k]]);
    for (std::size_t k = 0; k < rank_; ++k) {
      for (std::size_t j = 0; j < k; ++j) b[k] -= lu_[k * n + j] * b[j];
    }
    for (std::size_t k = rank_; k-- > 0;) {
      for (std::size_t j = k + 1; j < rank_; ++j) b[k] -= lu_[k * n + j] * b[j];
      b[k] /= lu_[k * n + k];
    }
    std::fill(x.begin(), x.end(), 0);
    for (std::size_t k = 0; k < rank_; ++k) x[column_at_[k]] = b[k];
    for (std::size_t k = 0; k < n; ++k) {
      double by = x[k];
      if (dependent_) {
        by = 0;
        for (std::size_t i = 0; i < n; ++i) by += a_[i * n + k] * x[i];
      }
      r[unknowns_[k]] += by;
    }
    set_sliding();
  }
}

bool ConeProblem::repair_friction(Cone& cone, double no_force, double no_speed) {
  if (cone.across == 0 || cone.slips) return false;
  double size = 0, u_size = 0, with = 0;
  for (std::size_t s = 0; s < cone.across; ++s) {
    const double r_t = r[cone.row + 1 + s], u_t = speed(cone.row + 1 + s);
    size += r_t * r_t;
    u_size += u_t * u_t;
    with += u_t * cone.along[s];
  }
  size = std::sqrt(size);
  u_size = std::sqrt(u_size);
  if (cone.mode == Mode::kStick) {
    if (size <= cone.limit(r[cone.row]) + no_force) return false;
    cone.mode = Mode::kSlide;
    for (std::size_t s = 0; s < cone.across; ++s) cone.along[s] = r[cone.row + 1 + s] / size;
    return true;
  }
  if (with > no_speed) {
    cone.mode = Mode::kStick;
    return true;
  }
  if (cone.across == 1 || u_size <= no_speed || -with >= u_size * (1 - 1e-13)) return false;
  for (std::size_t s = 0; s < cone.across; ++s) cone.along[s] = -speed(cone.row + 1 + s) / u_size;
  return true;
}

// Modes that the forces and speeds contradict are changed; false: there are none.
bool ConeProblem::repair() {
  const double force = largest(r), no_force = kNothing * force;
  double fastest = largest(q);
  for (std::size_t row = 0; row < rows(); ++row) fastest = std::max(fastest, at(row, row) * std::fabs(r[row]));
  const double no_speed = kNothing * fastest;
  bool changed = false;
  for (Cone& cone : cones) {
    if (cone.mode == Mode::kOpen) {
      if (speed(cone.row) >= -no_speed) continue;
      cone.mode = cone.slips ? Mode::kSlide : Mode::kStick;
      changed = true;
    } else if (r[cone.row] < -cone.hold - no_force) {
      cone.mode = Mode::kOpen;
      changed = true;
    } else if (repair_friction(cone, no_force, no_speed)) {
      changed = true;
    }
  }
  return changed;
}

// How far r is from an answer, as a speed over the fastest.
double ConeProblem::violation() const {
  if (!std::isfinite(largest(r))) return std::numeric_limits<double>::infinity();
  double worst = 0, fastest = largest(q);
  std::size_t next = 0;
  for (std::size_t row = 0; row < rows(); ++row) fastest = std::max(fastest, at(row, row) * std::fabs(r[row]));
  // Sweeps that run away end in numbers whose products are none.
  const auto note = [&](double off) {
    worst = std::isnan(off) ? std::numeric_limits<double>::infinity() : std::max(worst, off);
  };
  for (const Cone& cone : cones) {
    next = cone.row + 1 + cone.across;
    const double ease = at(cone.row, cone.row), limit = std::max(0.0, cone.limit(r[cone.row]));
    const double u = speed(cone.row);
    note(std::isnan(u) ? u : std::fabs(std::min(u, (r[cone.row] + cone.hold) * ease)));
    std::array<double, 2> should{};
    double size = 0, ease_across = 0;
    for (std::size_t s = 0; s < cone.across; ++s)
      ease_across = std::max(ease_across, at(cone.row + 1 + s, cone.row + 1 + s));
    for (std::size_t s = 0; s < cone.across; ++s) {
      const std::size_t row = cone.row + 1 + s;
      should[s] = cone.slips ? limit * cone.along[s] : r[row] - speed(row) / ease_across;
      size += should[s] * should[s];
    }
    const double factor = !cone.slips && size > limit * limit ? limit / std::sqrt(size) : 1;
    for (std::size_t s = 0; s < cone.across; ++s) {
      const std::size_t row = cone.row + 1 + s;
      note(std::fabs(should[s] * factor - r[row]) * ease_across);
    }
  }
  for (std::size_t row = next; row < rows(); ++row) note(std::fabs(speed(row)));
  if (!std::isfinite(worst) || !std::isfinite(fastest)) return std::numeric_limits<double>::infinity();
  return fastest > 0 ? worst / fastest : 0;
}

// From a guess of forces and modes: modes are changed until they are consistent; false: they turn in circles.
bool ConeProblem::settle_modes(int rounds) {
  const std::vector<double> guess = r;
  for (int k = 0; k < rounds; ++k) {
    r = guess;
    solve_modes();
    if (repair()) continue;
    if (violation() <= kGoodEnough) return true;
    break;
  }
  r = guess;
  return false;
}

bool ConeProblem::find() {
  for (Cone& cone : cones) {
    if (cone.slips && cone.mode == Mode::kStick) cone.mode = Mode::kSlide;
  }
  if (settle_modes(kFirstRepairs)) return true;
  std::int64_t sweeps = 20;
  double work = 0;
  for (int attempt = 0; attempt < kAttempts && work < kMostWork; ++attempt, sweeps *= 3) {
    const double part = attempt < 3 ? 0 : attempt % 2 == 1 ? 1 : 0.2;
    // Sweeps that run away leave nothing to go on from.
    if (attempt == 3 || !(largest(r) * largest(w) < kFar * largest(q))) r.assign(rows(), 0);
    u_.resize(rows());
    for (std::size_t row = 0; row < rows(); ++row) u_[row] = speed(row);
    for (std::int64_t k = 0; k < sweeps; ++k) {
      if (sweep(part) <= 1e-15 * largest(q)) break;
    }
    work += static_cast<double>(sweeps) * static_cast<double>(rows() * rows());
    name_modes();
    if (settle_modes(kRepairs)) return true;
    if (violation() <= (attempt < 4 ? kAsGoodAsCanBe : kGoodEnough))
      break;  // no modes are consistent, but the numbers are
  }
  // The modes are at least nearly right: with them nothing approaches any more.
  if (!(violation() <= kGoodEnough)) return false;
  const std::vector<double> swept = r;
  name_modes();
  solve_modes();
  if (!(violation() <= kGoodEnough)) r = swept;
  return true;
}

}  // namespace moraine::hard
