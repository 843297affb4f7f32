// SPDX-License-Identifier: MIT
// From the restitution a user asks for to the damping of each law, and how long a collision of two bodies lasts. Exact
// relations, solved numerically where they have no closed form.
#pragma once

#include "world/material.hpp"

namespace moraine::soft {

// Linear spring and dashpot, contact until the overlap is zero (Babic A.55, A.56).
double damping_ratio(double e);
double restitution(double zeta);

// The same without tension, contact until the force is zero. With zeta = cos(theta) the force vanishes at omega_d t =
// 2 theta, with the speed -exp(-zeta omega_0 t) of the first touch:
//   e = exp(-2 zeta acos(zeta) / sqrt(1 - zeta^2)),  zeta >= 1: exp(-2 zeta acosh(zeta) / sqrt(zeta^2 - 1))
double damping_ratio_no_tension(double e);
double restitution_no_tension(double zeta);

// Hertz with a dashpot ~ n^(1/4): with y ~ n^(5/4) as variable the law becomes the linear one with zeta = alpha / sqrt
// 5, for contact until zero overlap and until zero force alike.
double hertz_damping(double e, bool no_tension);

// Hunt-Crossley factor: chi (1 + e) = ln((1 + chi) / (1 - chi e)), for every exponent.
double hunt_crossley_chi(double e);
double hunt_crossley_restitution(double chi);

// Duration of a head-on collision of two bodies (s) and the shortest time scale in it, which the step must resolve.
// `speed` matters only where the spring is not linear.
struct CollisionTime {
  double duration, scale;
};
CollisionTime collision_time(const world::PairLaw& law, double m_eff, double r_eff, double speed);

// Longest step at which a dense packing of such contacts is stable.
double longest_stable_step(const world::PairLaw& law, double m_eff, double r_eff, double speed, int dimension);

}  // namespace moraine::soft
