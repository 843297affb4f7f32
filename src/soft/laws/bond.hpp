// SPDX-License-Identifier: MIT
// A bond: springs and dashpots about the place in which it was made, along the normal, along the slip and, if it bends,
// against rolling and twisting (the linear bonds of Potyondy and Cundall 2004, with one strength for each):
//   S_n = K_b (n - n_0) + C n',  S_s = K_s xi + C_s q',  M = k_b theta + C_b w,  k_b = bending R_eff^2
// It breaks when the spring part of the pull, of the shear force or of a moment exceeds its strength.
#pragma once

#include <algorithm>
#include <cmath>

#include "soft/laws/approach.hpp"
#include "world/material.hpp"

namespace moraine::soft::laws {

// How far a bond is strained: all springs, carried to the present plane of contact.
template <int D>
struct Strain {
  double overlap;  // n - n_0
  Tangent<D> slip, roll;
  double twist;  // 3D
};

template <int D>
struct BondForce {
  double normal, normal_spring;
  Tangent<D> shear, roll;
  double twist;
  double elastic, lost_normal, lost_shear;
  bool breaks;
};

// `a` gives rates and m_eff; `spin` is the relative spin across the normal, `twisting` that about it.
template <int D>
BondForce<D> bond_force(const Approach<D>& a, const Strain<D>& s, const Tangent<D>& spin, double twisting,
                        double inertia, double section, const world::Bond& b, double dt) {
  const double C = 2 * b.damping * std::sqrt(a.m_eff * b.stiffness);
  const double Cs = 2 * b.damping * std::sqrt(a.m_eff * b.shear_stiffness);
  const double kb = b.moment > 0 ? b.bending / (a.inverse_r * a.inverse_r) : 0;
  const double Cb = 2 * b.damping * std::sqrt(inertia * kb);
  BondForce<D> f;
  f.normal_spring = b.stiffness * s.overlap;
  f.normal = f.normal_spring + C * a.rate;
  f.shear = b.shear_stiffness * s.slip + Cs * a.slip;
  f.roll = kb * s.roll + Cb * spin;
  f.twist = kb * s.twist + Cb * twisting;
  f.elastic = 0.5 * (b.stiffness * s.overlap * s.overlap + b.shear_stiffness * math::norm2(s.slip) +
                     kb * (math::norm2(s.roll) + s.twist * s.twist));
  f.lost_normal = C * a.rate * a.rate * dt;
  f.lost_shear = (Cs * math::norm2(a.slip) + Cb * (math::norm2(spin) + twisting * twisting)) * dt;
  f.breaks = -f.normal_spring > b.tension.of(section) || b.shear_stiffness * math::norm(s.slip) > b.shear.of(section) ||
             (b.moment > 0 && kb * std::max(math::norm(s.roll), std::fabs(s.twist)) > b.moment);
  return f;
}

}  // namespace moraine::soft::laws
