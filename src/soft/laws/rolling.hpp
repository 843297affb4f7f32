// SPDX-License-Identifier: MIT
// What resists the turning of two bodies against each other: a couple against their relative spin w = w_A - w_B, minus
// it on A and plus it on B. The part across the normal resists rolling, the part along it twisting (3D); each has its
// own limit, a length times the normal force. Classes A and C of Ai, Chen, Rotter and Ooi (2011, Powder Technol. 206):
//   constant  M = limit along w, less where it would stop the turning in fewer than a few steps
//   spring    M = k_r theta + C_r w, at most the limit, while k_r |theta| is below it; otherwise the limit along theta,
//             theta held there;
//             k_r = k R_eff^2 (Iwashita and Oda 1998; "EPSD2"), C_r = 2 zeta_r sqrt(I_r k_r), I_r about the contact
#pragma once

#include <algorithm>

#include "soft/tangent.hpp"

namespace moraine::soft::laws {

// T: a number in 2D and about the normal, a vector across the normal in 3D.
template <class T>
struct Couple {
  T total{};  // along the turning of A: acts on A with a minus sign
  double elastic = 0, lost_dashpot = 0, lost_friction = 0;
};

// The couple of the constant law is limited to what would stop the turning in so many steps, so that a body at rest is
// not thrown to and fro. As many as a body may have neighbours, or all of them together could throw it back.
inline constexpr double kStepsToStop = 12;

template <class T>
Couple<T> constant_couple(const T& spin, double limit, double inertia, double dt) {
  const double speed = math::norm(spin);
  if (!(speed > 0)) return {};
  const double size = std::min(limit, inertia * speed / (kStepsToStop * dt));
  return {spin * (size / speed), 0, 0, size * speed * dt};
}

// `angle`: of the spring, carried to the present plane of contact; goes on by `turned`, the turning in the last step.
template <class T>
Couple<T> spring_couple(T& angle, const T& turned, const T& spin, double limit, double stiffness, double dashpot,
                        double dt) {
  const T before = angle, tried = angle + turned;
  const double size = stiffness * math::norm(tried);
  const bool sliding = size > limit;
  angle = sliding ? tried * (limit / size) : tried;
  const double stored = 0.5 * stiffness * math::norm2(angle), stored_before = 0.5 * stiffness * math::norm2(before);
  const double work = 0.5 * stiffness * math::dot(before + angle, turned);
  Couple<T> m{angle * stiffness, stored, 0, work - (stored - stored_before)};
  if (sliding) return m;
  const T both = m.total + spin * dashpot;
  const double whole = math::norm(both);
  const T total = whole > limit ? both * (limit / whole) : both;
  m.lost_dashpot = math::dot(total - m.total, spin) * dt;
  m.total = total;
  return m;
}

}  // namespace moraine::soft::laws
