// SPDX-License-Identifier: MIT
#include "inflow/distribution.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "math/elementary.hpp"

namespace moraine::inflow {

namespace {

constexpr std::size_t kPanels = 256;
constexpr double kBell = 9;  // deviations from the mean, beyond which nothing ever comes: 1e-18 of the bell is there

// Gauss-Legendre, six points: exact up to the power 11.
constexpr std::array<double, 3> kNode{0.2386191860831969, 0.6612093864662645, 0.9324695142031521};
constexpr std::array<double, 3> kWeight{0.4679139345726910, 0.3607615730481386, 0.1713244923791704};

double power_of(double x, int power) {
  double p = 1;
  for (int k = 0; k < power; ++k) p *= x;
  return p;
}

}  // namespace

Distribution Distribution::constant(double value) { return table({value}, {1}); }

Distribution Distribution::uniform(double min, double max) { return density({min, max}, {1, 1}); }

Distribution Distribution::gaussian(double mean, double deviation, double min, double max) {
  // Of a narrow bell in a wide range panels and tries would all miss it.
  min = std::max(min, mean - kBell * deviation);
  max = std::min(max, mean + kBell * deviation);
  if (!(max - min > 1e-9 * std::fabs(max))) return constant(0.5 * (min + max));
  Distribution d;
  d.gaussian_ = true;
  d.mean_ = mean;
  d.deviation_ = deviation;
  d.min_ = min;
  d.max_ = max;
  d.peak_ = d.f(std::clamp(mean, min, max));
  d.lay_out(kPanels);
  return d;
}

Distribution Distribution::table(std::vector<double> values, std::vector<double> weights) {
  Distribution d;
  d.kind_ = Kind::kDiscrete;
  d.min_ = *std::min_element(values.begin(), values.end());
  d.max_ = *std::max_element(values.begin(), values.end());
  d.peak_ = *std::max_element(weights.begin(), weights.end());
  d.sum_.resize(weights.size());
  std::partial_sum(weights.begin(), weights.end(), d.sum_.begin());
  d.x_ = std::move(values);
  d.f_ = std::move(weights);
  return d;
}

Distribution Distribution::density(std::vector<double> x, std::vector<double> f) {
  Distribution d;
  d.min_ = x.front();
  d.max_ = x.back();
  d.peak_ = *std::max_element(f.begin(), f.end());
  d.x_ = std::move(x);
  d.f_ = std::move(f);
  d.lay_out(0);
  return d;
}

double Distribution::f(double x) const {
  if (gaussian_) {
    const double z = (x - mean_) / deviation_;
    return math::exp(-0.5 * z * z);
  }
  const auto after = std::upper_bound(x_.begin() + 1, x_.end() - 1, x);
  const auto k = static_cast<std::size_t>(after - x_.begin());
  return f_[k - 1] + (f_[k] - f_[k - 1]) * ((x - x_[k - 1]) / (x_[k] - x_[k - 1]));
}

double Distribution::integral(double from, double to, int power) const {
  const double middle = 0.5 * (from + to), half = 0.5 * (to - from);
  double sum = 0;
  for (std::size_t k = 0; k < kNode.size(); ++k) {
    for (const double x : {middle - half * kNode[k], middle + half * kNode[k]})
      sum += kWeight[k] * f(x) * power_of(x, power);
  }
  return sum * half;
}

// Panels within which the density is smooth: equal ones, or those between the points given.
void Distribution::lay_out(std::size_t panels) {
  if (panels == 0) {
    edge_ = x_;
  } else {
    for (std::size_t k = 0; k <= panels; ++k)
      edge_.push_back(min_ + (max_ - min_) * (static_cast<double>(k) / static_cast<double>(panels)));
    edge_.back() = max_;
  }
  sum_.assign(1, 0.0);
  for (std::size_t k = 0; k + 1 < edge_.size(); ++k) sum_.push_back(sum_.back() + integral(edge_[k], edge_[k + 1], 0));
}

double Distribution::cumulative(double x) const {
  if (kind_ == Kind::kDiscrete) {
    double below = 0;
    for (std::size_t k = 0; k < x_.size(); ++k) below += x_[k] <= x ? f_[k] : 0;
    return below / sum_.back();
  }
  if (x <= min_) return 0;
  if (x >= max_) return 1;
  const auto k = static_cast<std::size_t>(std::upper_bound(edge_.begin(), edge_.end(), x) - edge_.begin()) - 1;
  return (sum_[k] + integral(edge_[k], x, 0)) / sum_.back();
}

double Distribution::moment(int power) const {
  double sum = 0;
  if (kind_ == Kind::kDiscrete) {
    for (std::size_t k = 0; k < x_.size(); ++k) sum += f_[k] * power_of(x_[k], power);
  } else {
    for (std::size_t k = 0; k + 1 < edge_.size(); ++k) sum += integral(edge_[k], edge_[k + 1], power);
  }
  return sum / sum_.back();
}

// The panel, then Newton's method in it, which stays between the ends.
double Distribution::invert(double u) const {
  const double wanted = u * sum_.back();
  const auto at = std::upper_bound(sum_.begin(), sum_.end(), wanted);
  if (kind_ == Kind::kDiscrete)
    return x_[std::min<std::size_t>(static_cast<std::size_t>(at - sum_.begin()), x_.size() - 1)];
  const std::size_t k = std::clamp<std::size_t>(static_cast<std::size_t>(at - sum_.begin()), 1, edge_.size() - 1) - 1;
  const double part = wanted - sum_[k], whole = sum_[k + 1] - sum_[k];
  double low = edge_[k], high = edge_[k + 1];
  double x = low + (high - low) * (whole > 0 ? part / whole : 0.5);
  for (int step = 0; step < 60 && high - low > 1e-15 * std::fabs(max_); ++step) {
    const double off = integral(edge_[k], x, 0) - part;
    (off > 0 ? high : low) = x;
    const double slope = f(x);
    double next = slope > 0 ? x - off / slope : low;
    if (!(next > low && next < high)) next = 0.5 * (low + high);
    if (next == x) break;
    const bool close = std::fabs(next - x) < 1e-15 * std::fabs(x);
    x = next;
    if (close) break;
  }
  return x;
}

// Equal intervals in which the density is constant.
void Distribution::use(Sampler sampler, std::size_t intervals) {
  sampler_ = sampler;
  shares_.clear();
  if (sampler != Sampler::kDiscretisation || kind_ == Kind::kDiscrete) return;
  const double width = (max_ - min_) / static_cast<double>(intervals);
  double sum = 0;
  for (std::size_t k = 0; k < intervals; ++k)
    shares_.push_back(sum += f(min_ + width * (static_cast<double>(k) + 0.5)));
}

double Distribution::by_discretisation(double u) const {
  const double wanted = u * shares_.back();
  const auto at = std::upper_bound(shares_.begin(), shares_.end(), wanted);
  const std::size_t k = std::min(static_cast<std::size_t>(at - shares_.begin()), shares_.size() - 1);
  const double before = k > 0 ? shares_[k - 1] : 0;
  const double where = static_cast<double>(k) + (wanted - before) / (shares_[k] - before);
  return std::min(max_, min_ + (max_ - min_) * (where / static_cast<double>(shares_.size())));
}

double Distribution::draw(Numbers& numbers) const {
  if (sampler_ == Sampler::kRejection) {
    for (;;) {
      if (kind_ == Kind::kDiscrete) {
        const auto k =
            std::min(static_cast<std::size_t>(numbers.uniform() * static_cast<double>(x_.size())), x_.size() - 1);
        if (numbers.uniform() * peak_ <= f_[k]) return x_[k];
      } else {
        const double x = numbers.uniform(min_, max_);
        if (numbers.uniform() * peak_ <= f(x)) return x;
      }
    }
  }
  const double u = numbers.uniform();
  return shares_.empty() ? invert(u) : by_discretisation(u);
}

}  // namespace moraine::inflow
