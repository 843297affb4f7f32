// SPDX-License-Identifier: MIT
#include "plot/survey.hpp"

#include <algorithm>
#include <cmath>

#include "plot/ticks.hpp"

namespace moraine::plot {

namespace {

constexpr std::size_t kManyBodies = 200;  // with fewer, every body matters
constexpr double kStrayShare = 0.005;     // at either end of each axis
constexpr double kStrayFactor = 3;        // strays are left out if the picture grows by more than this for them
constexpr double kWallReach = 1;          // walls are shown this many sizes of the bodies' box around it
constexpr double kFastShare = 0.99, kFastFactor = 3;
constexpr double kRest = 1e-12;  // of the picture's size in a second: so slow is rounding, not motion

double quantile(std::vector<double>& values, double share) {
  const auto at = static_cast<std::ptrdiff_t>(share * static_cast<double>(values.size() - 1));
  std::nth_element(values.begin(), values.begin() + at, values.end());
  return values[static_cast<std::size_t>(at)];
}

}  // namespace

void Survey::add(const Frame& frame) {
  dimension_ = frame.dimension;
  material_names_ = frame.material_names;
  for (std::size_t k = 0; k < 3; ++k) periodic_[k] = frame.periodic[k] != 0;
  if (finite(frame.domain_min) && finite(frame.domain_max)) {
    domain_.add(frame.domain_min);
    domain_.add(frame.domain_max);
  }
  add_bodies(frame);
  add_walls(frame);
}

void Survey::add_bodies(const Frame& frame) {
  std::vector<double> speeds;
  std::array<std::vector<double>, 3> places;
  Box held;
  for (std::size_t i = 0; i < frame.id.size(); ++i) {
    if (!finite(frame.position[i])) continue;
    all_.add(frame.position[i], frame.radius[i]);
    largest_radius_ = std::max(largest_radius_, frame.radius[i]);
    if (frame.held[i] != 0) {
      any_held_ = true;
      held.add(frame.position[i], frame.radius[i]);
      continue;
    }
    materials_.insert(frame.material[i]);
    if (finite(frame.velocity[i])) speeds.push_back(norm(frame.velocity[i]));
    for (std::size_t k = 0; k < 3; ++k) places[k].push_back(frame.position[i][k]);
  }
  if (!speeds.empty()) {
    fastest_ = std::max(fastest_, *std::max_element(speeds.begin(), speeds.end()));
    usual_speed_ = std::max(usual_speed_, quantile(speeds, speeds.size() < kManyBodies ? 1 : kFastShare));
  }
  most_.add(held);
  if (places[0].empty()) return;
  const double share = places[0].size() < kManyBodies ? 0 : kStrayShare;
  Box most;
  Triple low{}, high{};
  for (std::size_t k = 0; k < 3; ++k) {
    low[k] = quantile(places[k], share);
    high[k] = quantile(places[k], 1 - share);
  }
  most.add(low, largest_radius_);
  most.add(high, largest_radius_);
  most_.add(most);
}

void Survey::add_walls(const Frame& frame) {
  any_walls_ = any_walls_ || !frame.wall_kind.empty();
  for (std::size_t k = 0; k < frame.line_wall.size(); ++k) {
    if (finite(frame.line_from[k])) walls_.add(frame.line_from[k]);
    if (frame.line_wall[k] != measure::kLinkLine) continue;
    any_links_ = true;
    if (finite(frame.line_to[k])) walls_.add(frame.line_to[k]);
  }
  for (std::size_t w = 0; w < frame.wall_kind.size(); ++w) {
    if (!finite(frame.wall_from[w]) || !finite(frame.wall_to[w])) continue;
    if (frame.wall_kind[w] == "segment") {
      walls_.add(frame.wall_from[w]);
      walls_.add(frame.wall_to[w]);
      continue;
    }
    for (std::size_t k = 0; k < 3 && frame.wall_kind[w] == "plane"; ++k) {
      if (std::fabs(frame.wall_to[w][k]) > 0.999) planes_[k].push_back(frame.wall_from[w][k]);
    }
  }
}

// The bodies and, along periodic axes, the whole period.
Box Survey::body_box() const {
  Box box = all_;
  for (std::size_t k = 0; k < 3 && !all_.empty(); ++k) {
    if (all_.size(k) <= kStrayFactor * std::max(most_.size(k), 0.2 * most_.largest_size())) continue;
    const double room = 0.05 * most_.largest_size();
    box.min[k] = std::max(all_.min[k], most_.min[k] - room);
    box.max[k] = std::min(all_.max[k], most_.max[k] + room);
  }
  for (std::size_t k = 0; k < 3 && !domain_.empty(); ++k) {
    if (!periodic_[k]) continue;
    if (box.empty()) box = domain_;
    box.min[k] = domain_.min[k];
    box.max[k] = domain_.max[k];
  }
  return box;
}

Box Survey::box() const {
  Box box = body_box();
  const bool alone = box.empty();
  if (alone) box = walls_.empty() ? domain_ : walls_;
  if (box.empty()) box.add(Triple{});
  const double reach = alone ? 0 : kWallReach * box.largest_size();
  Box limits = box;
  limits.min = limits.min - Triple{reach, reach, reach};
  limits.max = limits.max + Triple{reach, reach, reach};
  for (std::size_t k = 0; k < 3; ++k) {
    const auto include = [&](double place) {
      if (periodic_[k]) return;
      box.min[k] = std::min(box.min[k], std::max(place, limits.min[k]));
      box.max[k] = std::max(box.max[k], std::min(place, limits.max[k]));
    };
    if (!walls_.empty()) {
      include(walls_.min[k]);
      include(walls_.max[k]);
    }
    for (const double place : planes_[k]) {
      if (alone || (place >= limits.min[k] && place <= limits.max[k])) include(place);
    }
  }
  // Never flat, or there would be no scale: a line or a point gets a room of its own size.
  const double size = box.largest_size(), least = size > 0 ? 0.02 * size : 0.5;
  for (std::size_t k = 0; k < static_cast<std::size_t>(dimension_); ++k) {
    if (box.size(k) >= least) continue;
    box.min[k] -= least / 2;
    box.max[k] += least / 2;
  }
  if (dimension_ == 2) box.min[2] = box.max[2] = 0;
  return box;
}

double Survey::overhang() const { return any_periodic() ? largest_radius_ : 0; }

double Survey::rest_speed() const { return kRest * box().largest_size(); }

double Survey::top_speed() const {
  if (fastest_ <= rest_speed()) return 0;
  // One or two fast ones would turn all others to one colour.
  if (usual_speed_ > 0 && fastest_ > kFastFactor * usual_speed_) {
    const double step = nice_step(usual_speed_, 10);
    return std::ceil(usual_speed_ / step) * step;
  }
  return fastest_;
}

}  // namespace moraine::plot
