// SPDX-License-Identifier: MIT
// The tangential laws, chosen beside any normal law. Each keeps its memory in front of the normal law's; components
// along the slip come first and change sign when A and B are swapped (3D).
// At first touch a law is asked for the force in the middle of the time since; its memory then goes on to the present,
// to which slip and overlap have grown by the factor `growth`.
#pragma once

#include <algorithm>
#include <cmath>

#include "soft/laws/approach.hpp"
#include "world/material.hpp"

namespace moraine::soft::laws {

// Written without a branch: the loop over contacts is vectorised.
inline double limiting_force(const NormalForce& n, const world::PairLaw& p) {
  return n.spring + p.limit_by_total * (std::fabs(n.total) - n.spring);
}

// Without friction there is no dashpot either: no spring force is above a limit of nothing, as if the contact stuck.
inline double dashpot_of(const world::PairLaw& p) { return p.mu > 0 ? 1 : 0; }

struct NoFriction {
  template <int D>
  static constexpr int kMemory = 0;

  template <int D>
  static TangentialForce<D> force(const Approach<D>&, const NormalForce&, const world::PairLaw&, double*, double) {
    return {};
  }
};

// Spring from accumulated slip, capped by friction (Cundall and Strack; Babic 2.28-2.33):
//   F_s = K_s xi, |F_s| <= mu F_n;  S_s = F_s + C_s q' while it sticks, F_s alone while it slides
// 3D: xi is a vector that turns with the plane of contact, and while sliding its length is held at mu F_n / K_s
// (Brendel and Dippel; Muth and Eberhard, 9), so that a reversed motion sticks at once. The limit is mu times the
// spring part of the normal force (Cundall), or mu times the whole normal force (Walton).
//
// The dashpot's force jumps whenever the contact begins or ceases to slide. Where that happens within a step, the
// dashpot acts for the part of the time in which the contact sticks: `excess` (of the tried spring force over the
// limit) is remembered to find the moment. Without it the scheme is only of first order.
//
// `kWholeLimited`: spring and dashpot together stay below the limit, too. For normal forces that come and go faster
// than a contact begins to slide (Walton-Braun), whose mean would else be less than what the dashpot holds.
template <bool kWholeLimited>
struct CundallStrackOf {
  template <int D>
  static constexpr int kMemory = D == 2 ? 2 : 4;  // xi, and the excess of the last step

  template <int D>
  static TangentialForce<D> force(const Approach<D>& a, const NormalForce& n, const world::PairLaw& p, double* memory,
                                  double dt) {
    const double C = dashpot_of(p) * (p.shear_rate > 0 ? a.m_eff * p.shear_rate : p.shear_damping * std::sqrt(a.m_eff));
    const Tangent<D> before = carried(read_tangent<D>(memory), a.k, a.twist);
    const Tangent<D> tried = before + a.slid;
    const Tangent<D> dashpot = C * a.slip;
    double& excess_before = memory[kMemory<D> - 1];
    const double limit = p.mu * limiting_force(n, p), size = p.Kt * math::norm(tried), excess = size - limit;
    const double cut = excess > 0 ? limit / size : 1;
    const Tangent<D> force = tried * (p.Kt * cut);
    const Tangent<D> xi = tried * (cut * a.growth);
    const double sticking = time_sticking(excess, excess_before);
    excess_before = excess;
    write_tangent(memory, xi);
    const double stored = 0.5 * p.Kt * math::norm2(xi), stored_before = 0.5 * p.Kt * math::norm2(before);
    // What the spring took in and no longer holds went into friction; exactly nothing while it sticks.
    const double work = 0.5 * p.Kt * math::dot(before + xi, a.slid);
    const double lost = work - (stored - stored_before);
    const Tangent<D> whole = force + sticking * dashpot;
    if constexpr (kWholeLimited) {
      const double whole_size = math::norm(whole);
      const Tangent<D> limited = whole * (whole_size > limit ? limit / whole_size : 1);
      return {limited, stored, math::dot(limited - force, a.slip) * dt, lost};
    }
    return {whole, stored, sticking * math::dot(dashpot, a.slip) * dt, lost};
  }

 private:
  // Steps for which the dashpot acts at this one: 1 while it sticks, 0 while it slides, and at a change the part that
  // the steps before and after do not cover. While sliding the spring is put back to the limit each step, so its excess
  // tells the rate at half steps; while sticking, the distance from the limit at whole steps.
  static double time_sticking(double excess, double before) {
    const bool sliding = excess > 0, slid = before > 0, stuck = before < 0;
    const double change = excess / (sliding == slid ? 1 : excess - before);
    const double ceased = slid ? 1 + change : 1, began = stuck ? 0.5 - change : 0;
    return sliding ? began : ceased;
  }
};

using CundallStrack = CundallStrackOf<false>;
using CundallStrackLimited = CundallStrackOf<true>;

// Friction without memory: S_s = min(k |q'|, mu F_n) along the slip (Muth and Eberhard, 7). A block on a slope creeps
// with it; kept for comparison.
struct Viscous {
  template <int D>
  static constexpr int kMemory = 0;

  template <int D>
  static TangentialForce<D> force(const Approach<D>& a, const NormalForce& n, const world::PairLaw& p, double*,
                                  double dt) {
    const double speed = math::norm(a.slip);
    if (speed == 0) return {};
    const double size = std::min(p.Kt * speed, p.mu * n.total);
    return {a.slip * (size / speed), 0, 0, size * speed * dt};
  }
};

// Mindlin's no-slip stiffness for use with Hertz, in steps (Mindlin and Deresiewicz 1953; unloading after Thornton):
//   dF_s = 8 G* sqrt(R* n) dq;  F_s shrinks with the contact radius while the contact opens;  |F_s| <= mu F_n
struct Mindlin {
  template <int D>
  static constexpr int kMemory = D == 2 ? 2 : 4;  // F_s, and the overlap of the last step

  template <int D>
  static TangentialForce<D> force(const Approach<D>& a, const NormalForce& n, const world::PairLaw& p, double* memory,
                                  double dt) {
    double& overlap_before = memory[kMemory<D> - 1];
    const double kt = p.Kt * std::sqrt(a.overlap / a.inverse_r);
    const Tangent<D> before = carried(read_tangent<D>(memory), a.k, a.twist);
    const double stored_before =
        overlap_before > 0 ? 0.5 * math::norm2(before) / (p.Kt * std::sqrt(overlap_before / a.inverse_r)) : 0;
    Tangent<D> spring = before;
    if (a.overlap < overlap_before) spring = spring * std::sqrt(a.overlap / overlap_before);
    spring = spring + kt * a.slid;
    overlap_before = a.overlap;
    Tangent<D> dashpot = (dashpot_of(p) * p.shear_damping * std::sqrt(a.m_eff * kt)) * a.slip;
    const double limit = p.mu * limiting_force(n, p);
    const double size2 = math::norm2(spring);
    if (size2 > limit * limit) {
      spring = spring * (limit / std::sqrt(size2));
      dashpot = {};
    }
    write_tangent(memory, spring * (a.growth * std::sqrt(a.growth)));
    overlap_before *= a.growth;
    const double stored = 0.5 * math::norm2(spring) / kt;
    const double work = 0.5 * math::dot(before + spring, a.slid);
    return {spring + dashpot, stored, math::dot(dashpot, a.slip) * dt, work - (stored - stored_before)};
  }
};

}  // namespace moraine::soft::laws
