// SPDX-License-Identifier: MIT
// What a contact law is told about a contact, and what it answers. A law is a plain struct with one function from
// (geometry, rates, memory, material pair) to force: no world, no virtual call, no allocation.
#pragma once

#include "soft/tangent.hpp"

namespace moraine::soft::laws {

// Signs: k points from A to B (or into the wall), overlap and closing rate are positive in contact and on approach,
// slip is the velocity of A against B.
template <int D>
struct Approach {
  Vec<D> k;
  double overlap;       // at the whole step
  double rate;          // closing rate at the whole step (foreseen)
  Tangent<D> slip;      // slip rate at the whole step (foreseen): for dashpots
  Tangent<D> slid;      // slip during the last step, or since the first touch: for springs
  double twist;         // turn of the pair about k during the last step
  double m_eff;         // 1 / (1/mA + 1/mB)
  double inverse_r;     // 1/RA + 1/RB
  double growth = 1;    // at first touch: overlap now over `overlap`, which is that of the middle of the time since
  double strength = 0;  // cohesion: what the contact can be pulled with now
};

// A normal law says kJumps where its force may come and go within a few steps (see CundallStrackOf).
struct NormalForce {
  double total;    // S_n, positive pushing apart
  double spring;   // its elastic part F_n
  double elastic;  // energy stored
  double lost;     // energy lost in this step
};

template <int D>
struct TangentialForce {
  Tangent<D> total;  // S_s, along the slip of A: acts on A with a minus sign
  double elastic;
  double lost_dashpot, lost_friction;
};

}  // namespace moraine::soft::laws
