// SPDX-License-Identifier: MIT
#include "touch/ridge_walk.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace moraine::touch {

namespace {

using Bend = shape::DistanceField<3>::Bend;

constexpr double kFinest = 1e-5;  // of a cell of the field: pieces of a ridge so short are taken for convex
constexpr int kRounds = 60;

}  // namespace

void RidgeWalk::between(const Station& a, const Station& b, double cutoff, std::vector<Extreme>& found) const {
  const double length = b.s - a.s;
  if (0.5 * (a.depth.distance + b.depth.distance - length) >= cutoff) return;  // distances change by at most the way
  if (whole_convex_ || length <= field_.cell_size() * kFinest) return lowest(a, b, cutoff, found);
  // Inside, the slope falls by no more than the way over the depth: that is how the distance from a corner bends.
  const double depth = -0.5 * (a.depth.distance + b.depth.distance + length);
  if (depth > 0 && (a.slope * depth >= length || b.slope * depth <= -length)) return;
  const math::Vec<3> from = point(a.s), to = point(b.s);
  if (length <= field_.cell_size() && field_.convex_near(from)) return lowest(a, b, cutoff, found);
  double part = field_.crossing(from, to);
  if (part == 0) {
    const shape::DistanceField<3>::Bend bend = field_.bend(from, to);
    if (bend == Bend::kConvex) return lowest(a, b, cutoff, found);
    if (bend == Bend::kConcave) return;
    part = 0.5;
  }
  const Station middle = at(a.s + part * length);
  between(a, middle, cutoff, found);
  between(middle, b, cutoff, found);
}

Extreme RidgeWalk::highest(const Extreme& left, const Extreme& right) const {
  double begin = left.s, end = right.s;
  Station middle;
  for (int round = 0; round < kRounds; ++round) {
    middle = at(0.5 * (begin + end));
    (middle.slope > 0 ? begin : end) = middle.s;
  }
  return {middle.s, middle.depth.distance, middle.depth.gradient};
}

void RidgeWalk::lowest(Station a, Station b, double cutoff, std::vector<Extreme>& found) const {
  if (a.slope >= 0 || b.slope <= 0) return;
  for (int round = 0; round < kRounds; ++round) {
    double s = (b.depth.distance - a.depth.distance + a.slope * a.s - b.slope * b.s) / (a.slope - b.slope);
    s = std::clamp(s, a.s, b.s);
    const double bound = a.depth.distance + a.slope * (s - a.s);
    if (bound >= cutoff) return;
    const Station middle = at(s);
    if (middle.depth.distance - bound <= tolerance_ || round == kRounds - 1) {
      const double share = b.slope / (b.slope - a.slope);
      found.push_back({s, bound, a.depth.gradient * share + b.depth.gradient * (1 - share)});
      return;
    }
    if (middle.slope == 0) {
      found.push_back({s, middle.depth.distance, middle.depth.gradient});
      return;
    }
    (middle.slope < 0 ? a : b) = middle;
  }
}

bool clip(const math::Vec<3>& from, const math::Vec<3>& along, const math::Vec<3>& low, const math::Vec<3>& high,
          double& begin, double& end) {
  for (int k = 0; k < 3; ++k) {
    if (along[k] == 0) {
      if (from[k] < low[k] || from[k] > high[k]) return false;
      continue;
    }
    double in = (low[k] - from[k]) / along[k], out = (high[k] - from[k]) / along[k];
    if (in > out) std::swap(in, out);
    begin = std::max(begin, in);
    end = std::min(end, out);
  }
  return begin < end;
}

}  // namespace moraine::touch
