// SPDX-License-Identifier: MIT
// Dormand and Prince's Runge-Kutta method of order 5 with an error estimate of order 4 (J. Comput. Appl. Math. 6,
// 1980), the step controlled by this error and the one before (Hairer, Norsett & Wanner, II.4 and IV.2).
#include <algorithm>
#include <array>
#include <cmath>

#include "hard/integrators.hpp"
#include "hard/step_control.hpp"
#include "math/elementary.hpp"

namespace moraine::hard {

namespace {

constexpr int kStages = 7;  // the last is the first of the next step
constexpr std::array<double, kStages> kTime{0, 1.0 / 5, 3.0 / 10, 4.0 / 5, 8.0 / 9, 1, 1};
constexpr double kWeight[kStages][kStages - 1] = {
    {},
    {1.0 / 5},
    {3.0 / 40, 9.0 / 40},
    {44.0 / 45, -56.0 / 15, 32.0 / 9},
    {19372.0 / 6561, -25360.0 / 2187, 64448.0 / 6561, -212.0 / 729},
    {9017.0 / 3168, -355.0 / 33, 46732.0 / 5247, 49.0 / 176, -5103.0 / 18656},
    {35.0 / 384, 0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84},
};
// Order 5 less order 4.
constexpr std::array<double, kStages> kError{71.0 / 57600,      0,          -71.0 / 16695, 71.0 / 1920,
                                             -17253.0 / 339200, 22.0 / 525, -1.0 / 40};

constexpr double kSafety = 0.9, kGrowAtMost = 10, kShrinkAtMost = 0.2;
constexpr double kBeta = 0.04, kAlpha = 0.2 - 0.75 * kBeta;  // powers of the last error and of this one
constexpr double kSmallestError = 1e-4;                      // for the power of the last one

class Dopri final : public Integrator {
 public:
  explicit Dopri(const Settings& settings) : settings_(settings), scale_(settings.tolerance) {}

  void advance(Equations& equations, double t, double h, std::vector<double>& y, world::LinkReport& report) override;
  void restart() override {
    step_ = 0;
    error_before_ = kSmallestError;
  }
  // The slope at the end of a step is not kept over to the next advance(), where y may be another: step and error are
  // all there is.
  std::vector<double> memory() const override { return {step_, error_before_}; }
  void recall(const std::vector<double>& memory) override {
    step_ = memory.at(0);
    error_before_ = memory.at(1);
  }

 private:
  double attempt(Equations& equations, double t, double end, double step, const std::vector<double>& y);

  Settings settings_;
  ErrorScale scale_;
  Slope slope_;
  std::array<std::vector<double>, kStages> slopes_;
  std::vector<double> stage_, error_;
  double step_ = 0;  // to try next; 0: unknown
  double error_before_ = kSmallestError;
};

// One step from t to end, its result in stage_; the error. slopes_[0] is there already.
double Dopri::attempt(Equations& equations, double t, double end, double step, const std::vector<double>& y) {
  const std::size_t n = y.size();
  for (int s = 1; s < kStages; ++s) {
    stage_ = y;
    for (int p = 0; p < s; ++p) {
      const double weight = step * kWeight[s][p];
      if (weight == 0) continue;
      for (std::size_t c = 0; c < n; ++c) stage_[c] += weight * slopes_[p][c];
    }
    slope_(equations, kTime[s] == 1 ? end : t + kTime[s] * step, stage_, slopes_[s]);
  }
  error_.assign(n, 0);
  for (int s = 0; s < kStages; ++s) {
    for (std::size_t c = 0; c < n; ++c) error_[c] += step * kError[s] * slopes_[s][c];
  }
  return scale_.norm(error_, y, stage_);
}

void Dopri::advance(Equations& equations, double t, double h, std::vector<double>& y, world::LinkReport& report) {
  const std::int64_t before = slope_.evaluations;
  double shortest = h, done = 0, now = t, error = 0;  // pieces add up to h, not to differences of times
  bool shrunk = false;                                // the step was undone: it may not grow at once
  scale_.update(equations, y);
  slope_(equations, t, y, slopes_[0]);
  if (step_ == 0) step_ = first_step(equations, slope_, scale_, t, y, slopes_[0], 5, h);
  while (done < h) {
    check_step("dopri", settings_, now, t + h, step_, error);
    const double step = next_piece(step_, h - done);
    const double reached = step == h - done ? h : done + step;
    error = attempt(equations, now, t + reached, step, y);
    if (!(error <= 1)) {
      const double factor = std::isfinite(error) ? kSafety * math::pow(error, -0.2) : kShrinkAtMost;
      step_ = step * std::max(kShrinkAtMost, factor);
      shrunk = true;
      ++report.rejected;
      continue;
    }
    const double wish =
        error == 0 ? kGrowAtMost : kSafety * math::pow(error, -kAlpha) * math::pow(error_before_, kBeta);
    const double next = step * std::clamp(wish, kShrinkAtMost, shrunk ? 1.0 : kGrowAtMost);
    // A piece cut to land on the end does not say that longer steps are too long.
    step_ = step < step_ ? std::max(step_, next) : next;
    error_before_ = std::max(error, kSmallestError);
    shrunk = false;
    done = reached;
    now = t + done;
    y = stage_;
    if (equations.tidies_inside()) equations.tidy_inside(now, y.data());
    slopes_[0].swap(slopes_[kStages - 1]);
    scale_.update(equations, y);
    shortest = std::min(shortest, step);
    ++report.steps;
  }
  report.evaluations += slope_.evaluations - before;
  report.shortest_step = shortest;
}

}  // namespace

std::unique_ptr<Integrator> make_dopri(const Settings& settings) { return std::make_unique<Dopri>(settings); }

}  // namespace moraine::hard
