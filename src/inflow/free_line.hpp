// SPDX-License-Identifier: MIT
// Where on a line a disk has room between bodies and walls: the parts of the line that are taken (003 4.4.4), and the
// free spot nearest to one that is wished for.
#pragma once

#include <optional>
#include <vector>

#include "world/world.hpp"

namespace moraine::inflow {

// Straight pieces one after the other; a place on it is the way from its beginning.
class Polyline {
 public:
  explicit Polyline(std::vector<math::Vec2> points);
  double length() const { return start_.back(); }
  std::size_t pieces() const { return points_.size() - 1; }
  double begin(std::size_t piece) const { return start_[piece]; }
  double end(std::size_t piece) const { return start_[piece + 1]; }
  const math::Vec2& from(std::size_t piece) const { return points_[piece]; }
  math::Vec2 along(std::size_t piece) const;  // unit vector
  math::Vec2 at(double way) const;
  std::size_t piece_at(double way) const;

 private:
  std::vector<math::Vec2> points_;
  std::vector<double> start_;
};

struct Interval {
  double from, to;
};

// Parts of a straight line (from a point, along a unit vector, so long) where a disk of this radius would overlap
// with a disk, a segment, or a circle that is a thin skin. Only touching is no overlap.
void taken_by_disk(const math::Vec2& from, const math::Vec2& along, double length, double radius,
                   const math::Vec2& centre, double other, std::vector<Interval>& taken);
void taken_by_segment(const math::Vec2& from, const math::Vec2& along, double length, double radius,
                      const math::Vec2& a, const math::Vec2& b, std::vector<Interval>& taken);
void taken_by_circle(const math::Vec2& from, const math::Vec2& along, double length, double radius,
                     const math::Vec2& centre, double other, std::vector<Interval>& taken);

// The place on the line nearest to `wish` where the disk overlaps nothing that is in the world; none: nullopt.
std::optional<double> free_spot(const world::World<2>& world, const Polyline& line, double radius, double wish);

}  // namespace moraine::inflow
