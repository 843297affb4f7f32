// SPDX-License-Identifier: MIT
// Area and moments of a union of disks, exact to rounding: integrals along the arcs of its boundary (Green's theorem).
// Keeps its memory from call to call, since the sections of a clump of spheres ask for thousands of unions.
#pragma once

#include <cstddef>
#include <vector>

#include "math/vec.hpp"
#include "shape/clump.hpp"
#include "shape/meeting.hpp"

namespace moraine::shape {

// Integrals of 1, x, y, x^2, y^2, x y over the union, and the length of its boundary.
struct PlaneMoments {
  double area = 0, x = 0, y = 0, xx = 0, yy = 0, xy = 0, perimeter = 0;
};

class DiskUnion {
 public:
  PlaneMoments moments(const std::vector<Member<2>>& disks);

 private:
  // A part of a circle that another disk covers, anticlockwise from `from` to `to` (unit vectors), with their places on
  // the circle as numbers in [0, 4), or [4, 8) past a whole turn.
  struct Cover {
    std::size_t disk;
    math::Vec2 from, to;
    double start, end;
  };
  struct Crossing {
    std::size_t a, b;
    math::Vec2 towards;  // from a to b, a unit vector
    Meeting meeting;
  };
  void find_covers(const std::vector<Member<2>>& disks);
  void cover(std::size_t disk, double radius, const math::Vec2& towards, double along, double half);

  std::vector<char> hidden_;
  std::vector<Crossing> crossings_;
  std::vector<Cover> covers_;
};

}  // namespace moraine::shape
