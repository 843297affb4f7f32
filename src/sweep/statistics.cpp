// SPDX-License-Identifier: MIT
#include "sweep/statistics.hpp"

#include <algorithm>
#include <cmath>

namespace moraine::sweep {

Interval wilson(std::int64_t hits, std::int64_t runs, double z) {
  const auto n = static_cast<double>(runs);
  const double p = static_cast<double>(hits) / n, zz = z * z / n;
  const double middle = (p + zz / 2) / (1 + zz), half = z / (1 + zz) * std::sqrt(p * (1 - p) / n + zz / (4 * n));
  // At the ends the bound is the end itself; rounding must not move it.
  return {hits == 0 ? 0 : std::max(0.0, middle - half), hits == runs ? 1 : std::min(1.0, middle + half)};
}

std::int64_t Statistics::hits() const { return std::llround(mean * static_cast<double>(count)); }

bool is_yes_or_no(const std::vector<double>& values) {
  return !values.empty() && std::all_of(values.begin(), values.end(), [](double v) { return v == 0 || v == 1; });
}

Statistics statistics(const std::vector<double>& values, bool yes_or_no) {
  Statistics s;
  s.count = static_cast<std::int64_t>(values.size());
  if (values.empty()) return s;
  const auto n = static_cast<double>(s.count);
  double sum = 0, squares = 0;
  for (const double v : values) sum += v;
  s.mean = sum / n;
  if (s.count > 1) {
    for (const double v : values) squares += (v - s.mean) * (v - s.mean);
    s.deviation = std::sqrt(squares / (n - 1));
    s.standard_error = *s.deviation / std::sqrt(n);
  }
  if (yes_or_no) s.probability = wilson(s.hits(), s.count);
  return s;
}

}  // namespace moraine::sweep
