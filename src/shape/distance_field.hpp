// SPDX-License-Identifier: MIT
// The signed distance from a closed surface of triangles (2D: segments): negative inside, exact to rounding. A grid of
// cells over the box around the surface knows for each cell the facets that may be nearest to a point of it.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "math/vec.hpp"

namespace moraine::shape {

template <int D>
using Facet = std::array<std::uint32_t, D>;  // corners; seen from outside against the clock (2D: outside on the right)

// A point beside the surface.
template <int D>
struct Depth {
  double distance = 0;      // negative inside
  math::Vec<D> gradient{};  // of the distance, a unit vector: the way out
  std::uint32_t facet = 0;  // the nearest one
};

template <int D>
class DistanceField {
 public:
  using Vec = math::Vec<D>;

  DistanceField() = default;
  // The facets must form a closed surface, each edge between two of them, oriented. Distances are known up to `reach`
  // away from its box.
  DistanceField(const std::vector<Vec>& vertices, const std::vector<Facet<D>>& facets, double reach);

  bool covers(const Vec& x) const {
    for (int k = 0; k < D; ++k) {
      if (!(x[k] >= min_[k] && x[k] <= max_[k])) return false;
    }
    return true;
  }
  // Only for points that it covers; all others are farther away than the reach.
  Depth<D> at(const Vec& x) const;

  // Muth and Eberhard's test: a ray from a point inside meets the surface an odd number of times. It costs a look at
  // every facet; the sign of the distance says the same at that of a few.
  bool inside_by_rays(const Vec& x) const;
  // From now on `at` takes its sign from rays.
  void decide_by_rays() { by_rays_ = true; }

  // Of a corner that is inside, with its spokes (unit vectors along the edges that leave it). A corner of a box upon
  // another lies at the top of the other, not at its side, however near the side is: where the spokes lead far behind
  // the nearest facet, and two of them (2D: one) lie along another one, the depth is that below the other one, if it is
  // less than `limit`. Else `nearest`, which is what `at` says.
  Depth<D> behind(const Vec& x, std::span<const Vec> spokes, double limit, const Depth<D>& nearest) const;

  // Whether the distance is a convex function within a cell size of the point: no fold of the surface that opens
  // outwards is near.
  bool convex_near(const Vec& x) const { return convex_[cell_of(x)] == Convex::kAround; }
  // The same for the points between two, which must lie in one cell, its sides included: convex, concave (all of them
  // inside and nearest to one edge or one corner), or neither as far as can be told.
  enum class Bend { kConvex, kConcave, kMixed };
  Bend bend(const Vec& a, const Vec& b) const;
  // Where the way from a to b goes from cell to cell, as a part of it: the place nearest to its middle. 0: it stays in
  // one.
  double crossing(const Vec& a, const Vec& b) const;
  double cell_size() const { return cell_; }
  const Vec& min() const { return min_; }
  const Vec& max() const { return max_; }
  std::size_t bytes() const;

 private:
  struct Flat {  // what the nearest point of a facet needs
    Vec corner[D];
    Vec normal;
  };
  std::size_t cell_of(const Vec& x) const;
  bool lies_behind(std::uint32_t f, std::uint32_t g) const;
  void list_candidates();
  void mark_convex();

  std::vector<Flat> flats_;
  // Sign and direction where the nearest point is on an edge or a vertex: sums of the normals around, those of vertices
  // weighed by the angles (Baerentzen and Aanaes 2005). Three edges and three vertices a facet; 2D: two vertices.
  static constexpr int kRims = D == 3 ? 6 : 2;
  std::vector<std::array<Vec, kRims>> rims_;
  Vec min_{}, max_{};
  double cell_ = 0, per_cell_ = 0;
  std::array<std::uint32_t, D> cells_{};
  std::vector<std::uint32_t> start_;
  std::vector<std::uint32_t> candidates_;
  enum class Convex : std::uint8_t { kNot, kHere, kAround };
  std::vector<Convex> convex_;
  bool by_rays_ = false;
};

}  // namespace moraine::shape
