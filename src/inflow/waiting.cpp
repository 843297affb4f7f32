// SPDX-License-Identifier: MIT
#include "inflow/waiting.hpp"

#include <algorithm>

#include "math/elementary.hpp"

namespace moraine::inflow {

Waiting Waiting::constant(double rate) {
  Waiting w;
  w.rate_ = rate;
  w.shortest_ = w.longest_ = 1 / rate;
  w.kept_ = 0;
  return w;
}

Waiting Waiting::exponential(double rate) {
  Waiting w;
  w.rate_ = rate;
  return w;
}

// x / (1 - e^-x) grows from 1 and lies between 1 + x/2 and 1 + x: bisection.
Waiting Waiting::cut(double rate, double longest) {
  const double wanted = rate * longest;
  double low = wanted - 1, high = 2 * (wanted - 1);
  for (int k = 0; k < 200; ++k) {
    const double x = 0.5 * (low + high);
    if (x == low || x == high) break;
    (x / (1 - math::exp(-x)) < wanted ? low : high) = x;
  }
  Waiting w;
  w.rate_ = rate;
  w.kept_ = 1 - math::exp(-low);
  w.shortest_ = std::max(0.0, longest - low / rate);
  w.longest_ = longest;
  return w;
}

double Waiting::draw(Numbers& numbers) const {
  const double u = numbers.uniform();
  return kept_ == 0 ? shortest_ : std::min(longest_, shortest_ - math::log(1 - kept_ * u) / rate_);
}

double Waiting::cumulative(double t) const {
  if (t < shortest_) return 0;
  return kept_ == 0 ? 1 : std::min(1.0, (1 - math::exp(-rate_ * (t - shortest_))) / kept_);
}

}  // namespace moraine::inflow
