// SPDX-License-Identifier: MIT
#include "inflow/free_line.hpp"

#include <algorithm>
#include <cmath>

namespace moraine::inflow {

using math::Vec2;

namespace {

// So far from what it would touch is a spot chosen, in radii: rounding must not make it an overlap.
constexpr double kClear = 1e-9;

// The part of the line within `reach` of a point.
std::optional<Interval> near_point(const Vec2& from, const Vec2& along, const Vec2& point, double reach) {
  const Vec2 apart = point - from;
  const double way = math::dot(apart, along);
  const double off2 = math::norm2(apart - along * way), half2 = reach * reach - off2;
  if (!(half2 > 0)) return std::nullopt;
  const double half = std::sqrt(half2);
  return Interval{way - half, way + half};
}

void take(const std::optional<Interval>& part, double length, std::vector<Interval>& taken) {
  if (part && part->to > 0 && part->from < length) taken.push_back(*part);
}

}  // namespace

Polyline::Polyline(std::vector<Vec2> points) : points_(std::move(points)), start_(1, 0.0) {
  for (std::size_t k = 0; k + 1 < points_.size(); ++k)
    start_.push_back(start_.back() + math::norm(points_[k + 1] - points_[k]));
}

Vec2 Polyline::along(std::size_t piece) const {
  const Vec2 d = points_[piece + 1] - points_[piece];
  return d * (1 / math::norm(d));
}

std::size_t Polyline::piece_at(double way) const {
  const auto after = std::upper_bound(start_.begin() + 1, start_.end() - 1, way);
  return static_cast<std::size_t>(after - start_.begin()) - 1;
}

Vec2 Polyline::at(double way) const {
  const std::size_t piece = piece_at(way);
  return points_[piece] + along(piece) * (way - start_[piece]);
}

void taken_by_disk(const Vec2& from, const Vec2& along, double length, double radius, const Vec2& centre, double other,
                   std::vector<Interval>& taken) {
  take(near_point(from, along, centre, radius + other), length, taken);
}

// What is nearer than the radius to a segment is convex: its part of the line is from the least to the greatest of the
// parts near the ends and between them.
void taken_by_segment(const Vec2& from, const Vec2& along, double length, double radius, const Vec2& a, const Vec2& b,
                      std::vector<Interval>& taken) {
  std::optional<Interval> all;
  const auto join = [&](const std::optional<Interval>& part) {
    if (!part) return;
    all = all ? Interval{std::min(all->from, part->from), std::max(all->to, part->to)} : *part;
  };
  join(near_point(from, along, a, radius));
  join(near_point(from, along, b, radius));
  const double size = math::norm(b - a);
  const Vec2 d = (b - a) * (1 / size);
  const double slope = math::cross(along, d), height = math::cross(from - a, d);  // of the line over the segment
  // Where it is within the radius above or below, and beside the segment.
  double low = -1e300, high = 1e300;
  const auto cut = [&](double start, double rate, double least, double most) {  // least < start + rate t < most
    if (rate == 0) {
      if (!(start > least && start < most)) high = -1e300;
      return;
    }
    const double t0 = (least - start) / rate, t1 = (most - start) / rate;
    low = std::max(low, std::min(t0, t1));
    high = std::min(high, std::max(t0, t1));
  };
  cut(height, slope, -radius, radius);
  cut(math::dot(from - a, d), math::dot(along, d), 0, size);
  if (high > low) join(Interval{low, high});
  take(all, length, taken);
}

void taken_by_circle(const Vec2& from, const Vec2& along, double length, double radius, const Vec2& centre,
                     double other, std::vector<Interval>& taken) {
  const auto outer = near_point(from, along, centre, other + radius);
  if (!outer) return;
  const auto inner = other > radius ? near_point(from, along, centre, other - radius) : std::nullopt;
  if (!inner) return take(outer, length, taken);
  take(Interval{outer->from, inner->from}, length, taken);
  take(Interval{inner->to, outer->to}, length, taken);
}

std::optional<double> free_spot(const world::World<2>& world, const Polyline& line, double radius, double wish) {
  const double size = radius * (1 + kClear);
  std::vector<Interval> taken;
  std::optional<double> best;
  const auto offer = [&](double way) {
    if (!best || std::fabs(way - wish) < std::fabs(*best - wish)) best = way;
  };
  // Images of what is there: those of axes that are not periodic stand where the body does.
  const auto images = world::image_shifts(world.domain, world.time);
  std::vector<Vec2> shifts;
  for (const Vec2& shift : images) {
    if (std::find(shifts.begin(), shifts.end(), shift) == shifts.end()) shifts.push_back(shift);
  }
  for (std::size_t piece = 0; piece < line.pieces(); ++piece) {
    const Vec2 from = line.from(piece), along = line.along(piece);
    const double length = line.end(piece) - line.begin(piece);
    taken.clear();
    for (std::size_t i = 0; i < world.bodies.size(); ++i) {
      const world::Place<2>& p = world.bodies.place[i];
      if (world.bodies.moving[i].gone) continue;
      for (const Vec2& shift : shifts) taken_by_disk(from, along, length, size, p.x + shift, p.radius, taken);
    }
    for (const world::Wall<2>& wall : world.walls) {
      if (wall.gone) continue;
      if (wall.now.form == world::Form::kCircle) {
        taken_by_circle(from, along, length, size, wall.now.a, wall.now.r0, taken);
      } else {
        taken_by_segment(from, along, length, size, wall.now.a, wall.now.b, taken);
      }
    }
    std::sort(taken.begin(), taken.end(), [](const Interval& a, const Interval& b) { return a.from < b.from; });
    // The free parts between, and in each the nearest to the wish.
    double free_from = 0;
    const double target = wish - line.begin(piece);
    const auto free_part = [&](double to) {
      if (to >= free_from) offer(line.begin(piece) + std::clamp(target, free_from, to));
    };
    for (const Interval& t : taken) {
      if (t.from > free_from) free_part(std::min(t.from, length));
      free_from = std::max(free_from, t.to);
      if (free_from > length) break;
    }
    if (free_from <= length) free_part(length);
  }
  return best;
}

}  // namespace moraine::inflow
