// SPDX-License-Identifier: MIT
// The least distances from a solid along a straight line through its field: where a ridge of another one is deepest.
// Knows nothing of that other one.
#pragma once

#include <vector>

#include "shape/distance_field.hpp"

namespace moraine::touch {

// A place on a ridge.
struct Station {
  double s = 0;
  shape::Depth<3> depth;
  double slope = 0;  // of the distance along the ridge
};

// A place where the distance is least along a ridge, or greatest between two such places.
struct Extreme {
  double s = 0, distance = 0;
  math::Vec<3> gradient{};
};

// Straight on through the field, from a point along a unit vector.
class RidgeWalk {
 public:
  // `convex`: the whole solid is.
  RidgeWalk(const shape::DistanceField<3>& field, const math::Vec<3>& from, const math::Vec<3>& along, double tolerance,
            bool convex)
      : field_(field), from_(from), along_(along), tolerance_(tolerance), whole_convex_(convex) {}

  Station at(double s) const {
    Station station{s, field_.at(from_ + along_ * s), 0};
    station.slope = math::dot(station.depth.gradient, along_);
    return station;
  }
  math::Vec<3> point(double s) const { return from_ + along_ * s; }

  // All least distances below `cutoff` strictly between two stations.
  void between(const Station& a, const Station& b, double cutoff, std::vector<Extreme>& found) const;

  // The greatest distance between two places where it is least.
  Extreme highest(const Extreme& left, const Extreme& right) const;

 private:
  // Where the distance is convex: tangents bound it from below, and where the two around the lowest point meet is the
  // lowest point once no facet comes in between.
  void lowest(Station a, Station b, double cutoff, std::vector<Extreme>& found) const;

  const shape::DistanceField<3>& field_;
  math::Vec<3> from_, along_;
  double tolerance_;
  bool whole_convex_;
};

// The part of a segment (of length `length` from `from` along the unit vector) that a box holds; false: none.
bool clip(const math::Vec<3>& from, const math::Vec<3>& along, const math::Vec<3>& low, const math::Vec<3>& high,
          double& begin, double& end);

}  // namespace moraine::touch
