// SPDX-License-Identifier: MIT
// One contact in one step: from positions and velocities to the force, for any normal and tangential law. The only
// place that knows about time levels.
#pragma once

#include <algorithm>

#include "soft/forces.hpp"
#include "soft/laws/hertz.hpp"
#include "soft/laws/hunt_crossley.hpp"
#include "soft/laws/linear.hpp"
#include "soft/laws/tangential.hpp"
#include "soft/laws/walton_braun.hpp"

namespace moraine::soft {

// Both sides of a contact. Arms run from the centre (or reference point) to the contact point; for two bodies they add
// up to the distance of the centres, so that torque and slip are conjugate and angular momentum is kept.
template <int D>
struct Pairing {
  touch::Touch<D> at;
  double arm_a, arm_b;
  Vec<D> v_half, v_now;              // of A against B: centres, or centre against the wall's contact point
  Spin<D> arm_spin_half, arm_spin_now;  // arms times spins, added up
  double twist_rate;                 // mean spin about k
  double shrink;                     // 1 / distance of two centres, 0 at a wall: turning of k in the step
  double m_eff, inverse_r;
};

template <int D>
struct Push {
  Vec<D> force;           // on A
  Spin<D> torque_per_arm;  // k x force
  double normal, rate;
};

// The tangential law's memory comes first. Where a normal law remembers something too, the place of a slip is kept free
// in front of it even without friction, so that what changes sign on a swap is always at the front.
template <int D, class Normal, class Tangential>
inline constexpr int kTangentialMemory =
    Normal::kMemory > 0 ? std::max(Tangential::template kMemory<D>, D == 2 ? 1 : 3) : Tangential::template kMemory<D>;

// Where a contact is in its life at this step.
enum class Phase { kFirst, kGoing, kLast };  // just closed; closed before; just opened

// Slip is measured with the velocities in the middle of the step (so that springs neither gain nor lose energy), dashpots
// act on those foreseen for its end.
// A contact that closed within the step, tau = n / n' ago, has acted since then, not for a whole step: its force is that
// of the middle of the time from first touch to the next half step, for that time. One that has opened tau ago has acted
// for a part of the step that its last force did not cover (or covered too much of). Both matter for a dashpot, whose
// force jumps, and make the whole scheme of second order.
template <int D, class Normal, class Tangential, bool kEnergy>
inline Push<D> contact_push(const Pairing<D>& c, const world::PairLaw& law, double* memory, Phase phase, double dt,
                            Tally& tally) {
  constexpr int kFront = kTangentialMemory<D, Normal, Tangential>;
  const Vec<D>& k = c.at.k;
  const double rate_half = math::dot(c.v_half, k);
  laws::Approach<D> a;
  a.k = k;
  a.overlap = c.at.overlap;
  a.rate = math::dot(c.v_now, k);
  a.m_eff = c.m_eff;
  a.inverse_r = c.inverse_r;
  double share = 1, slid_for = dt;
  laws::NormalForce n;
  if (phase == Phase::kGoing) [[likely]] {
    n = Normal::template force<D>(a, law, memory + kFront, dt);
  } else if (phase == Phase::kFirst) {
    if (rate_half > 0) {
      const double since_touch = std::min(dt, a.overlap / rate_half);
      share = since_touch / dt + 0.5;
      slid_for = 0.5 * share * dt;
      a.growth = since_touch / slid_for;
      a.overlap = rate_half * slid_for;
    }
    n = Normal::template force<D>(a, law, memory + kFront, share * dt);
    if (rate_half > 0) {  // the closing rate in the middle is what the force itself has left of it
      const double rate = a.rate;
      for (int k2 = 0; k2 < 2; ++k2) {
        a.rate = std::max(0.0, rate - 0.5 * share * dt * n.total / a.m_eff);
        n = Normal::template force<D>(a, law, memory + kFront, share * dt);
      }
    }
  } else {
    share = rate_half < 0 ? 0.5 - std::min(1.0, a.overlap / (rate_half * dt)) : 0;
    slid_for = 0;
    a.overlap = 0;
    n = Normal::template force<D>(a, law, memory + kFront, share * dt);
  }
  a.slip = slip_part(c.v_now, k) + rolling_part(c.arm_spin_now, k);
  // k was turned less in the middle of the step: the slip of the centres was larger by n' dt / (2 d).
  const Tangent<D> slip_half = slip_part(c.v_half, k) * (1 - 0.5 * slid_for * rate_half * c.shrink);
  a.slid = (slip_half + rolling_part(c.arm_spin_half, k)) * slid_for;
  a.twist = c.twist_rate * slid_for;
  const laws::TangentialForce<D> s = Tangential::template force<D>(a, n, law, memory, share * dt);
  if constexpr (kEnergy) {
    // What an opened contact still holds is lost.
    (phase == Phase::kLast ? tally.friction : tally.elastic) += s.elastic;
    (phase == Phase::kLast ? tally.normal_dashpot : tally.elastic) += n.elastic;
    tally.normal_dashpot += n.lost;
    tally.shear_dashpot += s.lost_dashpot;
    tally.friction += s.lost_friction;
  }
  const Tangent<D> tangential = s.total * -share;
  return {as_vector(tangential, k) - k * (n.total * share), torque_part(tangential, k), n.total, a.rate};
}

template <int D>
inline Pairing<D> pair_up(const world::Moving<D>& a, const world::Moving<D>& b, const Vec<D>& apart) {
  Pairing<D> c;
  c.at = touch::touch_balls<D>(apart, a.radius + b.radius);
  const double half = 0.5 * c.at.overlap;
  c.arm_a = a.radius - half;
  c.arm_b = b.radius - half;
  c.v_half = a.v - b.v;
  c.v_now = a.v_now - b.v_now;
  c.arm_spin_half = c.arm_a * a.w + c.arm_b * b.w;
  c.arm_spin_now = c.arm_a * a.w_now + c.arm_b * b.w_now;
  if constexpr (D == 3) {
    c.twist_rate = 0.5 * math::dot(a.w + b.w, c.at.k);
  } else {
    c.twist_rate = 0;
  }
  c.shrink = 1 / c.at.distance;
  c.m_eff = 1 / (a.inverse_mass + b.inverse_mass);
  c.inverse_r = 1 / a.radius + 1 / b.radius;
  return c;
}

template <int D>
inline Pairing<D> pair_up(const world::Moving<D>& a, const world::Wall<D>& wall, bool& at_end) {
  Pairing<D> c;
  c.at = touch::touch_wall<D>(a.x, a.radius, wall.now, at_end);
  c.arm_a = c.at.distance;
  c.arm_b = 0;
  const Vec<D> arm = a.x + c.at.k * c.at.distance - wall.reference;
  c.v_half = a.v - wall.velocity_half - math::cross(wall.spin_half, arm);
  c.v_now = a.v_now - wall.velocity - math::cross(wall.spin, arm);
  c.arm_spin_half = c.arm_a * a.w;
  c.arm_spin_now = c.arm_a * a.w_now;
  if constexpr (D == 3) {
    c.twist_rate = 0.5 * math::dot(a.w + wall.spin_half, c.at.k);
  } else {
    c.twist_rate = 0;
  }
  c.shrink = 0;
  c.m_eff = 1 / a.inverse_mass;
  c.inverse_r = 1 / a.radius;
  return c;
}

}  // namespace moraine::soft
