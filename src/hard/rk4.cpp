// SPDX-License-Identifier: MIT
// The classical Runge-Kutta method of fourth order, one step at a time.
#include "hard/integrators.hpp"

namespace moraine::hard {

void Rk4::advance(Equations& equations, double t, double h, std::vector<double>& y, world::LinkReport& report) {
  const std::size_t n = y.size();
  stage_.resize(n);
  slope_.resize(n);
  sum_.resize(n);
  const double* __restrict y0 = y.data();
  double* __restrict stage = stage_.data();
  double* __restrict slope = slope_.data();
  double* __restrict sum = sum_.data();
  const bool tidy = equations.tidies_inside();
  const auto look_at = [&](double part) {
    if (tidy) equations.tidy_inside(t + part * h, stage);
    equations.derivative(t + part * h, stage, slope);
  };
  // Sum and next stage in one pass: long chains are limited by memory.
  const auto go = [&](double part) {
    for (std::size_t c = 0; c < n; ++c) {
      sum[c] += 2 * slope[c];
      stage[c] = y0[c] + slope[c] * (part * h);
    }
    look_at(part);
  };
  equations.derivative(t, y0, slope);
  for (std::size_t c = 0; c < n; ++c) {
    sum[c] = slope[c];
    stage[c] = y0[c] + slope[c] * (0.5 * h);
  }
  look_at(0.5);
  go(0.5);
  go(1);
  double* __restrict end = y.data();
  for (std::size_t c = 0; c < n; ++c) end[c] += (sum[c] + slope[c]) * (h / 6);
  ++report.steps;
  report.evaluations += 4;
  report.shortest_step = h;
}

}  // namespace moraine::hard
