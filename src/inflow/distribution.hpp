// SPDX-License-Identifier: MIT
// How a random number is distributed (sizes of arrivals), and three ways to draw it: by inversion of the cumulative
// distribution, by discretisation of the density into intervals, and by rejection (003 4.3). All know its moments.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "inflow/numbers.hpp"

namespace moraine::inflow {

enum class Sampler : std::uint8_t { kInversion, kDiscretisation, kRejection };

class Distribution {
 public:
  static Distribution constant(double value);
  static Distribution uniform(double min, double max);
  // Cut to [min, max], and to nine deviations.
  static Distribution gaussian(double mean, double deviation, double min, double max);
  // Discrete: one of the values, in proportion to its weight.
  static Distribution table(std::vector<double> values, std::vector<double> weights);
  // Straight lines between the points (x, f), x ascending; f need not be normalised.
  static Distribution density(std::vector<double> x, std::vector<double> f);

  void use(Sampler sampler, std::size_t intervals = 1000);  // intervals of discretisation
  double draw(Numbers& numbers) const;
  double min() const { return min_; }
  double max() const { return max_; }
  double cumulative(double x) const;
  double moment(int power) const;  // mean of x^power
  double mean() const { return moment(1); }

 private:
  enum class Kind : std::uint8_t { kDiscrete, kContinuous };

  double f(double x) const;  // not normalised
  // The integral of x^power f between two points of the same panel.
  double integral(double from, double to, int power) const;
  void lay_out(std::size_t panels);
  double invert(double u) const;
  double by_discretisation(double u) const;

  Sampler sampler_ = Sampler::kInversion;
  std::vector<double> shares_;  // of discretisation: the density in the middle of each interval, summed up
  Kind kind_ = Kind::kContinuous;
  bool gaussian_ = false;
  double min_ = 0, max_ = 0, peak_ = 0;
  double mean_ = 0, deviation_ = 0;
  std::vector<double> x_, f_;       // points of the density, or values and weights
  std::vector<double> edge_, sum_;  // panels and the integral up to them
};

}  // namespace moraine::inflow
