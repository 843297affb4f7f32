// SPDX-License-Identifier: MIT
// Puts many bodies into a region: on a lattice, jittered, or at random without overlap. Returns positions and radii;
// what they are made of is decided elsewhere.
#pragma once

#include <optional>
#include <vector>

#include "base/random.hpp"
#include "world/domain.hpp"

namespace moraine::inflow {

using world::Vec;

template <int D>
using Region = world::Box<D>;

template <int D>
struct Ball {
  Vec<D> x{};
  double radius = 0;
};

struct Sizes {
  double radius = 0, spread = 0;  // uniform in radius * [1 - spread, 1 + spread]
  double largest() const { return radius * (1 + spread); }
  double draw(base::Stream& random) const {
    return spread > 0 ? radius * random.uniform(1 - spread, 1 + spread) : radius;
  }
};

// Balls in cells, for fast "does it overlap?" while placing. Periodic axes of the domain are respected.
template <int D>
class Occupied {
 public:
  Occupied(const world::Domain<D>& domain, const Region<D>& region, double largest_radius);
  void add(const Ball<D>& ball);
  bool is_free(const Ball<D>& ball, double gap) const;

 private:
  std::size_t cell(const std::array<std::int64_t, D>& at) const;
  std::array<std::int64_t, D> coordinates(const Vec<D>& x) const;
  world::Domain<D> domain_;
  Vec<D> low_;
  std::array<std::int64_t, D> count_;
  std::array<double, D> width_;
  std::vector<std::vector<Ball<D>>> cells_;
};

// Square (cubic) lattice of the given spacing, or hexagonal (2D only), centred in the region, row after row from below
// along the last axis; each point moved by at most jitter * (spacing - 2 r) / 2 along each axis.
template <int D>
std::vector<Ball<D>> lattice(const Region<D>& region, const Sizes& sizes, double spacing, bool hexagonal, double jitter,
                             std::optional<std::size_t> count, base::Stream& random);

// One after the other at random places where there is room, until `count` or the covered `fraction` is reached; nothing
// if after `tries` failures in a row there seems to be no room.
template <int D>
std::optional<std::vector<Ball<D>>> random_sequential(const Region<D>& region, const world::Domain<D>& domain,
                                                      const Sizes& sizes, std::optional<std::size_t> count,
                                                      double fraction, double gap, const std::vector<Ball<D>>& present,
                                                      base::Stream& random);

}  // namespace moraine::inflow
