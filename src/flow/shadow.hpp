// SPDX-License-Identifier: MIT
// Who stands in the wake of whom: the part of a body's width (3D: of its section) that bodies upstream do not cover
// (Sun 1996, (4.10)-(4.13), whose (4.11) is for two disks that touch; here it is the union of all shadows).
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "world/world.hpp"

namespace moraine::flow {

using math::Vec;

struct ShadowPlan {
  double reach = 4;    // a shadow is so many diameters of its body long, from centre to centre
  double least = 0.1;  // that is left to a body whatever covers it
};

template <int D>
class Shadows {
 public:
  explicit Shadows(const ShadowPlan& plan) : plan_(plan) {}
  // Sorts the bodies of this instant into cells; the cost goes with their number.
  void sort(const world::World<D>& world);
  // 1 - k of a body in a stream along a unit vector, but not less than `least`. Members of its own clump do not count.
  // Asked from several threads at once.
  double exposed(const world::World<D>& world, std::size_t body, const Vec<D>& along) const;

 private:
  using Cell = std::array<std::int64_t, D>;
  Cell cell_of(const Vec<D>& x) const;
  std::size_t number(const Cell& cell) const;
  template <class Visit>
  void visit_near(const Vec<D>& x, const Visit& visit) const;

  ShadowPlan plan_;
  Vec<D> low_{}, width_{};
  Cell count_{};
  std::array<bool, D> wraps_{};
  std::vector<std::uint32_t> start_, bodies_;  // bodies of cell c: start_[c] .. start_[c+1]-1, in their order
};

}  // namespace moraine::flow
