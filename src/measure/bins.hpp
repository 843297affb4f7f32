// SPDX-License-Identifier: MIT
// Equal bins along an axis, and what of a disk, a sphere or a straight line lies in each, exactly. Pure geometry.
#pragma once

#include <algorithm>
#include <cmath>

namespace moraine::measure {

// Area of a disk (2D) or volume of a sphere (3D), and of the part of it that lies below a height over its centre.
template <int D>
double ball(double radius);
template <int D>
double ball_below(double radius, double height);

struct Bins {
  double min, max;
  int count;
  double period;  // of an axis that closes on itself; 0: it does not
  double width;

  explicit Bins(double from = 0, double to = 1, int bins = 1, double closes_after = 0)
      : min(from), max(to), count(bins), period(closes_after), width((to - from) / bins), per_width_(1 / width) {}
  double edge(int k) const { return k == count ? max : min + width * k; }
  double centre(int k) const { return min + width * (k + 0.5); }

  // Calls take(bin, amount, n) for each bin that a disk or sphere reaches into: `amount` of its area or volume is
  // there, with the centre n periods away from where it was given.
  template <int D, class Take>
  void cut_ball(double at, double radius, const Take& take) const;
  // Calls take(bin, share) for each bin that a line from `from` to `from + along` goes through, with the share of its
  // length there. A line across the axis lies in one bin.
  template <class Take>
  void cut_line(double from, double along, const Take& take) const;

 private:
  // The bin of a point, or the nearest.
  int bin_of(double x) const {
    return static_cast<int>(std::clamp((x - min) * per_width_, 0.0, static_cast<double>(count - 1)));
  }
  // Calls work(n) for all images of the interval from `low` to `high` that reach into the bins.
  template <class Work>
  void for_images(double low, double high, const Work& work) const;
  double per_width_;
};

template <class Work>
void Bins::for_images(double low, double high, const Work& work) const {
  if (period == 0) {
    if (high >= min && low <= max) work(0);
    return;
  }
  const int last = static_cast<int>(std::floor((max - low) / period));
  for (int n = static_cast<int>(std::ceil((min - high) / period)); n <= last; ++n) work(n);
}

template <int D, class Take>
void Bins::cut_ball(double at, double radius, const Take& take) const {
  for_images(at - radius, at + radius, [&](int n) {
    const double centre_here = at + n * period;
    const int first = bin_of(centre_here - radius), last = bin_of(centre_here + radius);
    double before = ball_below<D>(radius, edge(first) - centre_here);
    for (int k = first; k <= last; ++k) {
      const double here = ball_below<D>(radius, edge(k + 1) - centre_here);
      if (here > before) take(k, here - before, n);
      before = here;
    }
  });
}

template <class Take>
void Bins::cut_line(double from, double along, const Take& take) const {
  const double low = std::min(from, from + along), high = std::max(from, from + along);
  for_images(low, high, [&](int n) {
    const double lower = low + n * period, upper = high + n * period;
    if (!(upper > lower)) {
      // Where the axis closes on itself the upper end is the lower one.
      if (lower >= min && (lower < max || (lower == max && period == 0))) take(bin_of(lower), 1.0);
      return;
    }
    const int last = bin_of(upper);
    for (int k = bin_of(lower); k <= last; ++k) {
      const double inside = std::min(upper, edge(k + 1)) - std::max(lower, edge(k));
      if (inside > 0) take(k, inside / (upper - lower));
    }
  });
}

}  // namespace moraine::measure
