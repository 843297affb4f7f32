// SPDX-License-Identifier: MIT
// Prescribed motion of walls and bodies: intervals of constant velocity and spin about a point that moves along, and an
// oscillation on top. Position is a function of time, not an integral, so it does not drift and needs no state.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "math/rotation.hpp"
#include "math/vec.hpp"

namespace moraine::world {

using math::Spin;
using math::Vec;

template <int D>
struct Motion {
  struct Interval {
    double from = 0, to = std::numeric_limits<double>::infinity();
    Vec<D> velocity{};
    Spin<D> spin{};
    Vec<D> slide{};  // of the surface in itself, as of a belt: what touches it is dragged along, the wall stays
    std::int64_t from_step = -1, to_step = -1;  // what `from` and `to` are to be, once the step is known
    Vec<D> shift{};                             // what it goes in the interval, instead of `velocity`
    bool by_shift = false;
  };
  std::vector<Interval> intervals;
  Vec<D> about{};      // the reference point at time 0; it moves with the velocity
  Vec<D> amplitude{};  // oscillation: amplitude * sin(2 pi frequency t + phase)
  double frequency = 0, phase = 0;

  Vec<D> shift(double t) const;         // of the reference point since time 0
  Vec<D> velocity(double t) const;      // of the reference point
  Vec<D> acceleration(double t) const;  // of the reference point; jumps at the ends of intervals are not in it
  Spin<D> spin(double t) const;
  Vec<D> slide(double t) const;                          // velocity of the surface in itself
  Vec<D> place(const Vec<D>& x0, double t) const;        // where the point that was at x0 at time 0 is at t
  Vec<D> velocity_of(const Vec<D>& x0, double t) const;  // of that point
  Vec<D> turned(const Vec<D>& direction, double t) const;
  math::Orientation<D> orientation(double t) const;  // since time 0
  void count_in_steps(double dt);                    // intervals that are given in steps
  bool moves() const;                                // or slides
  Motion with_slide() const;                         // of something fixed to the surface: it goes along
};

}  // namespace moraine::world
