// SPDX-License-Identifier: MIT
// Source panels of the plane (Wierzba 1990, 5.4): straight pieces of the boundary, each of which emits fluid with a
// constant strength per length. Here is what one panel does to a point and to another panel, the system of equations
// for their strengths, and how much flows through them. Knows neither walls nor bodies.
#pragma once

#include <vector>

#include "base/parallel.hpp"
#include "math/dense_lu.hpp"
#include "math/vec.hpp"

namespace moraine::flow {

using math::Vec2;

// From a to b with the fluid to the left.
struct Panel {
  Vec2 a{}, b{};
  Vec2 mid{}, t{}, n{};   // unit vectors along and into the fluid
  double half = 0;        // of its length
  std::size_t piece = 0;  // of the boundary
  Panel() = default;
  Panel(const Vec2& from, const Vec2& to, std::size_t of);
  double length() const { return 2 * half; }
};

// The velocity at x that a panel of unit strength makes, (5.26) with the arctangents as one angle in (-pi, pi]. On the
// panel itself the part across it is +-1/2, by the sign of zero: ask elsewhere.
Vec2 panel_velocity(const Panel& panel, const Vec2& x);

// What a panel of unit strength sends through the straight line from `from` to `to`, from its right to its left: exact,
// the difference of the stream function in closed form. The line must not cross the panel, but may touch its ends.
double panel_flow(const Panel& panel, const Vec2& from, const Vec2& to);

// Whether x lies within the closed lines that the panels make (even-odd rule).
bool enclosed(const std::vector<Panel>& panels, const Vec2& x);

enum class Condition {
  kNetFlow,   // no net flow through each panel
  kMidPoint,  // no flow through its middle
};

// Matrix of (5.24) in L U form. Rows are mean flows across panels (or those at mid-points), per length.
//
// Inside a closed boundary (`bordered`) net flows of all panels add up to zero whatever the strengths are, and
// strengths there are that make no flow at all: the matrix has rank n - 1. One row (the sum of all sources is zero) and
// one column (a uniform flow through the boundary, which comes out as zero if what is asked for balances) make it
// regular.
class PanelSystem {
 public:
  // False if it cannot be solved.
  bool set_up(const std::vector<Panel>& panels, Condition condition, bool bordered, base::Team& team);
  // `across`: mean flow per length into the fluid that panels shall make. Returns strengths; the uniform flow that was
  // left over goes to `surplus`.
  std::vector<double> solve(std::vector<double> across, double& surplus) const;

 private:
  bool bordered_ = false;
  math::DenseLu lu_;
};

}  // namespace moraine::flow
