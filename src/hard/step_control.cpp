// SPDX-License-Identifier: MIT
#include "hard/step_control.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "math/elementary.hpp"

namespace moraine::hard {

namespace {
constexpr double kShortest = 1e-14;  // step over time, below which t + step says nothing
}

void ErrorScale::update(const Equations& equations, const std::vector<double>& y) {
  scale_.resize(y.size());
  equations.scales(y.data(), scale_.data());
}

double ErrorScale::norm(const std::vector<double>& error, const std::vector<double>& from,
                        const std::vector<double>& to) const {
  double sum = 0;
  for (std::size_t c = 0; c < error.size(); ++c) {
    const double e = error[c] / (tolerance_ * (scale_[c] + std::max(std::fabs(from[c]), std::fabs(to[c]))));
    sum += e * e;
  }
  return error.empty() ? 0 : std::sqrt(sum / static_cast<double>(error.size()));
}

void Slope::operator()(Equations& equations, double t, const std::vector<double>& y, std::vector<double>& dy) {
  ++evaluations;
  dy.resize(y.size());
  if (!equations.tidies_inside()) return equations.derivative(t, y.data(), dy.data());
  tidied_ = y;
  equations.tidy_inside(t, tidied_.data());
  equations.derivative(t, tidied_.data(), dy.data());
}

double first_step(Equations& equations, Slope& slope, const ErrorScale& scale, double t, const std::vector<double>& y,
                  const std::vector<double>& dy, int order, double longest) {
  const double size = scale.norm(y, y), speed = scale.norm(dy, y);
  if (!(speed > 0) || !(size > 0)) return longest;
  const double guess = std::min(0.01 * size / speed, longest);
  std::vector<double> there(y), change;
  for (std::size_t c = 0; c < y.size(); ++c) there[c] += guess * dy[c];
  slope(equations, t + guess, there, change);
  for (std::size_t c = 0; c < y.size(); ++c) change[c] -= dy[c];
  const double bend = scale.norm(change, y) / guess, most = std::max(speed, bend);
  if (!std::isfinite(most)) return guess;
  return std::min({100 * guess, math::pow(0.01 / most, 1.0 / (order + 1)), longest});
}

double next_piece(double wish, double rest) {
  if (wish >= 0.99 * rest) return rest;
  return wish > 0.5 * rest ? 0.5 * rest : wish;
}

void check_step(const char* method, const Settings& settings, double t, double end, double step, double error) {
  const double shortest = std::max(settings.smallest_step, kShortest * std::max(std::fabs(t), std::fabs(end)));
  if (step >= shortest) return;
  const char* why = std::isfinite(error) ? "hard.tolerance allows no longer ones"
                                         : "with longer ones the accelerations are no numbers";
  throw base::RunError(
      fmt::format("{} would have to go on in steps of {:.3g} s at time {:.6g} s: {}", method, step, t, why),
      settings.smallest_step > 0
          ? "use a larger hard.tolerance, or a smaller hard.smallest_step"
          : "use a larger hard.tolerance; if that does not help, look at the motion just before");
}

}  // namespace moraine::hard
