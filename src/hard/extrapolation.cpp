// SPDX-License-Identifier: MIT
// Gragg, Bulirsch and Stoer: the modified midpoint rule with 2, 4, 6, ... substeps, extrapolated in the square of the
// substep by polynomials. How many columns and how long a step: whatever costs least per unit of time (Deuflhard;
// Hairer, Norsett & Wanner, II.9).
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "hard/integrators.hpp"
#include "hard/step_control.hpp"
#include "math/elementary.hpp"

namespace moraine::hard {

namespace {

constexpr int kMost = 9;  // columns; column j (from 1) is of order 2 j and has 2 j substeps
constexpr double kSafety = 0.94, kAim = 0.65;
constexpr double kFewerPays = 0.8, kMorePays = 0.9;  // work of the one over that of the other
constexpr double kHopeless = 1e15;

constexpr int substeps(int j) { return 2 * j; }
// Evaluations for columns 1 to j; the slope at the start is shared.
constexpr double work(int j) { return 1.0 + j * (j + 1); }

class Extrapolation final : public Integrator {
 public:
  explicit Extrapolation(const Settings& settings) : settings_(settings), scale_(settings.tolerance) {}

  void advance(Equations& equations, double t, double h, std::vector<double>& y, world::LinkReport& report) override;
  void restart() override { step_ = 0; }
  std::vector<double> memory() const override { return {step_, static_cast<double>(columns_)}; }
  void recall(const std::vector<double>& memory) override {
    step_ = memory.at(0);
    columns_ = static_cast<int>(memory.at(1));
  }

 private:
  struct Piece {
    double from, to, length;  // to - from but for rounding
    bool any;                 // good as soon as any column is
  };
  void midpoint(Equations& equations, const Piece& piece, int count, const std::vector<double>& y,
                std::vector<double>& end);
  void add_column(Equations& equations, const Piece& piece, int j, const std::vector<double>& y);
  int attempt(Equations& equations, const Piece& piece, const std::vector<double>& y);
  void choose(int reached, bool shrunk, double step, double& next, int& columns) const;

  Settings settings_;
  ErrorScale scale_;
  Slope slope_;
  std::vector<double> start_, here_, last_, dy_, error_vector_;
  std::array<std::vector<double>, kMost + 1> table_;  // [j]: the present row's entry of column j
  std::vector<double> above_, entry_;
  // Of column j (from 2): error, step that would just do, work per unit of time.
  std::array<double, kMost + 1> error_{}, good_step_{}, cost_{};
  double step_ = 0;  // to try next; 0: unknown
  int columns_ = 0;  // in which the step is expected to end
};

// The midpoint rule with a half-step mean at the end that takes out what alternates (Gragg).
void Extrapolation::midpoint(Equations& equations, const Piece& piece, int count, const std::vector<double>& y,
                             std::vector<double>& end) {
  const std::size_t n = y.size();
  const double sub = piece.length / count;
  last_ = y;
  here_ = y;
  for (std::size_t c = 0; c < n; ++c) here_[c] += sub * start_[c];
  for (int m = 1; m < count; ++m) {
    slope_(equations, piece.from + m * sub, here_, dy_);
    for (std::size_t c = 0; c < n; ++c) {
      const double next = last_[c] + 2 * sub * dy_[c];
      last_[c] = here_[c];
      here_[c] = next;
    }
  }
  slope_(equations, piece.to, here_, dy_);
  end.resize(n);
  for (std::size_t c = 0; c < n; ++c) end[c] = 0.5 * (here_[c] + last_[c] + sub * dy_[c]);
}

// One more midpoint result and all that follows from it: Aitken and Neville's scheme in sub^2, in place.
void Extrapolation::add_column(Equations& equations, const Piece& piece, int j, const std::vector<double>& y) {
  midpoint(equations, piece, substeps(j), y, entry_);
  for (int k = 1; k < j; ++k) {
    table_[static_cast<std::size_t>(k)].swap(entry_);  // entry_ is now what stood there in the row before
    const double ratio = static_cast<double>(substeps(j)) / substeps(j - k);
    const double weight = 1 / (ratio * ratio - 1);
    const std::vector<double>& left = table_[static_cast<std::size_t>(k)];
    for (std::size_t c = 0; c < y.size(); ++c) entry_[c] = left[c] + (left[c] - entry_[c]) * weight;
  }
  const auto at = static_cast<std::size_t>(j);
  table_[at] = entry_;
  if (j == 1) return;
  error_vector_ = table_[at];
  for (std::size_t c = 0; c < y.size(); ++c) error_vector_[c] -= table_[at - 1][c];
  error_[at] = scale_.norm(error_vector_, y, table_[at]);
  const double power = 1.0 / (2 * j - 1), least = math::pow(0.02, power);
  const double factor = error_[at] > 0 ? kSafety * math::pow(kAim / error_[at], power) : 1 / least;
  good_step_[at] = piece.length * std::clamp(factor, least / 4, 1 / least);
  cost_[at] = work(j) / good_step_[at];
}

// Tries a step: the column with a good enough result, or minus the one at which there was no hope any more.
int Extrapolation::attempt(Equations& equations, const Piece& piece, const std::vector<double>& y) {
  error_[1] = std::numeric_limits<double>::max();
  for (int j = 1;; ++j) {
    add_column(equations, piece, j, y);
    if (j == 1) continue;
    const double error = error_[static_cast<std::size_t>(j)];
    if (!(error < kHopeless)) return -j;
    if (error <= 1 && (piece.any || j >= columns_ - 1)) return j;
    if (j > columns_ || j == kMost) return -j;
    // What the next columns can be expected to gain is too little.
    const auto gain = [](int to) { return static_cast<double>(substeps(to)) / substeps(1); };
    if (j == columns_ && error > gain(j + 1) * gain(j + 1)) return -j;
    if (j == columns_ - 1) {
      const double both = gain(j + 1) * gain(j + 2);
      if (error > both * both) return -j;
    }
  }
}

// Columns and length of the next step, after one that was good in column `reached`.
void Extrapolation::choose(int reached, bool shrunk, double step, double& next, int& columns) const {
  const auto cost = [&](int j) { return cost_[static_cast<std::size_t>(j)]; };
  const auto good = [&](int j) { return good_step_[static_cast<std::size_t>(j)]; };
  int best = reached;
  if (reached == 2) {
    best = 3;
  } else if (reached <= columns_) {
    if (cost(reached - 1) < kFewerPays * cost(reached)) best = reached - 1;
    if (cost(reached) < kMorePays * cost(reached - 1)) best = std::min(reached + 1, kMost - 1);
  } else {
    best = reached - 1;
    if (reached > 3 && cost(reached - 2) < kFewerPays * cost(reached - 1)) best = reached - 2;
    if (cost(reached) < kMorePays * cost(best)) best = std::min(reached, kMost - 1);
  }
  if (shrunk) {
    columns = std::min(best, reached);
    next = std::min(step, good(columns));
    return;
  }
  columns = best;
  next = best <= reached ? good(best) : good(reached) * (work(best) / work(reached));
}

void Extrapolation::advance(Equations& equations, double t, double h, std::vector<double>& y,
                            world::LinkReport& report) {
  const std::int64_t before = slope_.evaluations;
  double shortest = h, done = 0, now = t, error = 0;  // pieces add up to h, not to differences of times
  bool shrunk = false, first = step_ == 0;
  scale_.update(equations, y);
  slope_(equations, t, y, start_);
  if (first) {
    const double digits = -math::log(settings_.tolerance) / math::log(10);
    columns_ = std::clamp(static_cast<int>(0.6 * digits + 1.5), 2, kMost - 1);
    step_ = first_step(equations, slope_, scale_, t, y, start_, 2 * columns_ - 1, h);
  }
  while (done < h) {
    check_step("extrapolation", settings_, now, t + h, step_, error);
    const double step = next_piece(step_, h - done);
    const bool cut = step < step_;  // to land on the end
    const double there = step == h - done ? h : done + step;
    const int reached = attempt(equations, {now, t + there, step, cut || first}, y);
    if (reached < 0) {
      const auto at = static_cast<std::size_t>(-reached);
      error = error_[at];
      ++report.rejected;
      shrunk = true;
      if (!(error < kHopeless)) {
        step_ = 0.2 * step;
        continue;
      }
      columns_ = std::min(columns_, -reached);
      const auto col = static_cast<std::size_t>(columns_);
      if (columns_ > 2 && cost_[col - 1] < kFewerPays * cost_[col]) --columns_;
      step_ = std::min(good_step_[static_cast<std::size_t>(columns_)], 0.9 * step);
      continue;
    }
    double next = step;
    int columns = columns_;
    choose(reached, shrunk, step, next, columns);
    if (!cut || next > step_) {  // a cut piece does not say that longer steps are too long
      step_ = next;
      columns_ = columns;
    }
    shrunk = first = false;
    done = there;
    now = t + done;
    y = table_[static_cast<std::size_t>(reached)];
    if (equations.tidies_inside()) equations.tidy_inside(now, y.data());
    scale_.update(equations, y);
    if (done < h) slope_(equations, now, y, start_);
    shortest = std::min(shortest, step);
    ++report.steps;
  }
  report.evaluations += slope_.evaluations - before;
  report.shortest_step = shortest;
}

}  // namespace

std::unique_ptr<Integrator> make_extrapolation(const Settings& settings) {
  return std::make_unique<Extrapolation>(settings);
}

}  // namespace moraine::hard
