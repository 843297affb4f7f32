// SPDX-License-Identifier: MIT
// The tangential laws, chosen beside any normal law. Each keeps its memory in front of the normal law's; `kDirected`
// numbers of it are components along the slip and change sign when A and B are swapped (3D).
#pragma once

#include <algorithm>
#include <cmath>

#include "soft/laws/approach.hpp"
#include "world/material.hpp"

namespace moraine::soft::laws {

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
// 3D: xi is a vector that turns with the plane of contact, and while sliding its length is held at mu F_n / K_s (Brendel
// and Dippel; Muth and Eberhard, 9), so that a reversed motion sticks at once.
// The limit is mu times the spring part of the normal force on the spring alone (Cundall), or mu times the whole normal
// force on spring and dashpot together (Walton).
struct CundallStrack {
  template <int D>
  static constexpr int kMemory = D == 2 ? 1 : 3;

  template <int D>
  static TangentialForce<D> force(const Approach<D>& a, const NormalForce& n, const world::PairLaw& p, double* memory,
                                  double dt) {
    const double C = p.shear_rate > 0 ? a.m_eff * p.shear_rate : p.shear_damping * std::sqrt(a.m_eff);
    const Tangent<D> before = carried(read_tangent<D>(memory), a.k, a.twist);
    Tangent<D> xi = before + a.slid;
    Tangent<D> dashpot = C * a.slip;
    const double limit = p.mu * (p.limit_by_total ? std::fabs(n.total) : n.spring);
    const Tangent<D> tried = p.limit_by_total ? p.Kt * xi + dashpot : p.Kt * xi;
    const double size2 = math::norm2(tried);
    Tangent<D> total = p.Kt * xi + dashpot;
    if (size2 > limit * limit) {
      total = tried * (limit / std::sqrt(size2));
      if (!p.limit_by_total) dashpot = {};
      xi = (total - dashpot) * (1 / p.Kt);
    }
    write_tangent(memory, xi);
    const double stored = 0.5 * p.Kt * math::norm2(xi), stored_before = 0.5 * p.Kt * math::norm2(before);
    // What the spring took in and no longer holds went into friction; exactly nothing while it sticks.
    const double work = 0.5 * p.Kt * math::dot(before + xi, a.slid);
    return {total, stored, math::dot(dashpot, a.slip) * dt, work - (stored - stored_before)};
  }
};

// Friction without memory: S_s = min(k |q'|, mu F_n) along the slip (Muth and Eberhard, 7). A block on a slope creeps
// with it; kept for comparison.
struct Viscous {
  template <int D>
  static constexpr int kMemory = 0;

  template <int D>
  static TangentialForce<D> force(const Approach<D>& a, const NormalForce& n, const world::PairLaw& p, double*, double dt) {
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
    Tangent<D> dashpot = (p.shear_damping * std::sqrt(a.m_eff * kt)) * a.slip;
    const double limit = p.mu * (p.limit_by_total ? std::fabs(n.total) : n.spring);
    const double size2 = math::norm2(spring);
    if (size2 > limit * limit) {
      spring = spring * (limit / std::sqrt(size2));
      dashpot = {};
    }
    write_tangent(memory, spring);
    const double stored = 0.5 * math::norm2(spring) / kt;
    const double work = 0.5 * math::dot(before + spring, a.slid);
    return {spring + dashpot, stored, math::dot(dashpot, a.slip) * dt, work - (stored - stored_before)};
  }
};

}  // namespace moraine::soft::laws
