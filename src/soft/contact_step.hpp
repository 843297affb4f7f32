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
  Vec<D> v_half, v_now;                 // of A against B: centres, or centre against the wall's contact point
  Spin<D> arm_spin_half, arm_spin_now;  // arms times spins, added up
  double twist_rate;                    // mean spin about k
  double shrink;                        // 1 / distance of two centres, 0 at a wall: turning of k in the step
  double m_eff, inverse_r;
  double strength = 0;  // cohesion: what the contact can be pulled with now
};

template <int D>
struct Push {
  Vec<D> force;            // on A
  Spin<D> torque_per_arm;  // k x force
  double normal, rate;
  double spring;  // elastic part of the normal force
};

// The tangential law's memory comes first. Where a normal law remembers something too, the place of a slip is kept free
// in front of it even without friction, so that what changes sign on a swap is always at the front.
template <int D, class Normal, class Tangential>
inline constexpr int kTangentialMemory = Normal::kMemory > 0 ? std::max(Tangential::template kMemory<D>, D == 2 ? 1 : 3)
                                                             : Tangential::template kMemory<D>;

// Where a contact is in its life at this step.
enum class Phase { kFirst, kGoing, kLast };  // just closed; closed before; just opened

// Slip is measured with the velocities in the middle of the step (so that springs neither gain nor lose energy),
// dashpots act on those foreseen for its end. `acted`: the steps for which the force acts, `slid_for` the time of the
// slip.
template <int D, class Normal, class Tangential, bool kEnergy>
inline Push<D> push_of(laws::Approach<D>& a, const Pairing<D>& c, const laws::NormalForce& n, const world::PairLaw& law,
                       double* memory, double rate_half, double slid_for, double acted, double dt, Tally& tally) {
  a.slip = slip_part(c.v_now, a.k) + rolling_part(c.arm_spin_now, a.k);
  // k was turned less in the middle of the step: the slip of the centres was larger by n' dt / (2 d).
  const Tangent<D> slip_half = slip_part(c.v_half, a.k) * (1 - 0.5 * slid_for * rate_half * c.shrink);
  a.slid = (slip_half + rolling_part(c.arm_spin_half, a.k)) * slid_for;
  a.twist = c.twist_rate * slid_for;
  const laws::TangentialForce<D> s = Tangential::template force<D>(a, n, law, memory, acted * dt);
  if constexpr (kEnergy) {
    tally.elastic += n.elastic + s.elastic;
    tally.normal_dashpot += n.lost;
    tally.shear_dashpot += s.lost_dashpot;
    tally.friction += s.lost_friction;
  }
  const Tangent<D> tangential = s.total * -acted;
  return {as_vector(tangential, a.k) - a.k * (n.total * acted), torque_part(tangential, a.k), n.total, a.rate,
          n.spring};
}

template <int D>
inline laws::Approach<D> approach_of(const Pairing<D>& c) {
  laws::Approach<D> a;
  a.k = c.at.k;
  a.overlap = c.at.overlap;
  a.rate = math::dot(c.v_now, a.k);
  a.m_eff = c.m_eff;
  a.inverse_r = c.inverse_r;
  a.strength = c.strength;
  return a;
}

// A contact that was closed before and still is.
template <int D, class Normal, class Tangential, bool kEnergy>
inline Push<D> push_going(const Pairing<D>& c, const world::PairLaw& law, double* memory, double dt, Tally& tally) {
  laws::Approach<D> a = approach_of(c);
  double* mine = memory + kTangentialMemory<D, Normal, Tangential>;
  const laws::NormalForce n = Normal::template force<D>(a, law, mine, dt);
  return push_of<D, Normal, Tangential, kEnergy>(a, c, n, law, memory, math::dot(c.v_half, a.k), dt, 1, dt, tally);
}

// A contact that closed within the step, tau = n / n' ago, has acted since then, not for a whole step: its force is
// that of the middle of the time from first touch to the next half step, for that time. It matters for a dashpot, whose
// force jumps, and makes the whole scheme of second order. Out of line, since it is rare.
template <int D, class Normal, class Tangential, bool kEnergy>
[[gnu::noinline]] Push<D> push_first(const Pairing<D>& c, const world::PairLaw& law, double* memory, double dt,
                                     Tally& tally) {
  laws::Approach<D> a = approach_of(c);
  double* mine = memory + kTangentialMemory<D, Normal, Tangential>;
  const double rate_half = math::dot(c.v_half, a.k);
  if (!(rate_half > 0)) return push_going<D, Normal, Tangential, kEnergy>(c, law, memory, dt, tally);
  const double since_touch = std::min(dt, a.overlap / rate_half);
  const double acted = since_touch / dt + 0.5, middle = 0.5 * acted * dt;
  a.growth = since_touch / middle;
  a.overlap = rate_half * middle;
  laws::NormalForce n = Normal::template force<D>(a, law, mine, acted * dt);
  // The closing rate in the middle is what the force itself has left of it.
  const double rate = a.rate;
  for (int round = 0; round < 2; ++round) {
    a.rate = std::max(0.0, rate - middle * n.total / a.m_eff);
    n = Normal::template force<D>(a, law, mine, acted * dt);
  }
  return push_of<D, Normal, Tangential, kEnergy>(a, c, n, law, memory, rate_half, middle, acted, dt, tally);
}

// A contact that has opened within the step has acted for a part of it that its last force did not cover (or covered
// too much of). What it still holds is lost.
template <int D, class Normal, class Tangential, bool kEnergy>
[[gnu::noinline]] Push<D> push_last(const Pairing<D>& c, const world::PairLaw& law, double* memory, double dt,
                                    Tally& tally) {
  laws::Approach<D> a = approach_of(c);
  double* mine = memory + kTangentialMemory<D, Normal, Tangential>;
  const double rate_half = math::dot(c.v_half, a.k);
  const double acted = rate_half < 0 ? 0.5 - std::min(1.0, a.overlap / (rate_half * dt)) : 0;
  a.overlap = 0;
  const laws::NormalForce n = Normal::template force<D>(a, law, mine, acted * dt);
  const double elastic_before = tally.elastic;
  const Push<D> push = push_of<D, Normal, Tangential, kEnergy>(a, c, n, law, memory, rate_half, 0, acted, dt, tally);
  tally.friction += tally.elastic - elastic_before;
  tally.elastic = elastic_before;
  return push;
}

template <int D, class Normal, class Tangential, bool kEnergy>
inline Push<D> contact_push(const Pairing<D>& c, const world::PairLaw& law, double* memory, Phase phase, double dt,
                            Tally& tally) {
  if (phase == Phase::kGoing) [[likely]]
    return push_going<D, Normal, Tangential, kEnergy>(c, law, memory, dt, tally);
  if (phase == Phase::kFirst) return push_first<D, Normal, Tangential, kEnergy>(c, law, memory, dt, tally);
  return push_last<D, Normal, Tangential, kEnergy>(c, law, memory, dt, tally);
}

// Mean spin of the two about the normal; there is none in 2D.
template <int D>
inline double twist_of(const Spin<D>& both, const Vec<D>& k) {
  if constexpr (D == 3) {
    return 0.5 * math::dot(both, k);
  } else {
    return 0;
  }
}

template <int D>
inline Pairing<D> pair_up(const world::Moving<D>& a, const world::Moving<D>& b, double radius_a, double radius_b,
                          const Vec<D>& apart) {
  Pairing<D> c;
  c.at = touch::touch_balls<D>(apart, radius_a + radius_b);
  const double half = 0.5 * c.at.overlap;
  c.arm_a = radius_a - half;
  c.arm_b = radius_b - half;
  c.v_half = a.v - b.v;
  c.v_now = a.v_now - b.v_now;
  c.arm_spin_half = c.arm_a * a.w + c.arm_b * b.w;
  c.arm_spin_now = c.arm_a * a.w_now + c.arm_b * b.w_now;
  c.twist_rate = twist_of<D>(a.w + b.w, c.at.k);
  c.shrink = 1 / c.at.distance;
  c.m_eff = 1 / (a.inverse_mass + b.inverse_mass);
  c.inverse_r = 1 / radius_a + 1 / radius_b;
  return c;
}

template <int D>
inline Pairing<D> pair_up(const world::Moving<D>& a, const world::Place<D>& place, const world::Wall<D>& wall,
                          const touch::Touch<D>& at) {
  Pairing<D> c;
  c.at = at;
  c.arm_a = c.at.distance;
  c.arm_b = 0;
  const Vec<D> arm = place.x + c.at.k * c.at.distance - wall.reference;
  c.v_half = a.v - wall.velocity_half - math::cross(wall.spin_half, arm);
  c.v_now = a.v_now - wall.velocity - math::cross(wall.spin, arm);
  c.arm_spin_half = c.arm_a * a.w;
  c.arm_spin_now = c.arm_a * a.w_now;
  c.twist_rate = twist_of<D>(a.w + wall.spin_half, c.at.k);
  c.shrink = 0;
  c.m_eff = 1 / (a.inverse_mass + wall.inverse_mass());
  c.inverse_r = 1 / place.radius;
  return c;
}

}  // namespace moraine::soft
