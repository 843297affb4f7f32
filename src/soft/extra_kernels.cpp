// SPDX-License-Identifier: MIT
// Contacts with rolling resistance, cohesion or bonds: one at a time, around the ordinary laws. A contact lives on
// while it is stretched, as long as cohesion or a bond holds it.
#include <algorithm>

#include "soft/any_law.hpp"
#include "soft/kernels.hpp"
#include "soft/laws/bond.hpp"
#include "soft/laws/cohesion.hpp"
#include "soft/laws/rolling.hpp"

namespace moraine::soft {

namespace {

using laws::Approach;
using laws::NormalForce;
using laws::TangentialForce;
using world::Moving;
using world::NormalLaw;
using world::PairLaw;
using world::TangentialLaw;

// What a contact remembers. A bond keeps its slip where the tangential law does, at the front.
template <int D>
struct Layout {
  static constexpr int kOrdinary = kAnyMemory<D>;
  static constexpr int kRoll = kOrdinary;                      // angle of rolling, as the body of the lower id sees it
  static constexpr int kTwist = kRoll + (D == 2 ? 1 : 3);      // angle about the normal (3D)
  static constexpr int kClosedAt = kTwist + (D == 2 ? 0 : 1);  // time, for cohesion
  static constexpr int kState = kClosedAt + 1;                 // of the bond
  static constexpr int kRest = kState + 1;                     // overlap at which the bond is free of force
  static constexpr int kAll = kRest + 1;

  static int needed(const PairLaw& law) { return law.bond.on ? kAll : law.cohesion.on ? kState : kClosedAt; }
};

// After a bond has broken, the contact keeps the overlap that it was made with as its zero until the bodies part, so
// that breaking makes no force. Until then it may open (kParted) and close again (kRejoined) within this overlap.
// A state of 0 is a contact that had no bond.
inline constexpr double kBonded = 1, kParted = 2, kRejoined = 3;

// One contact at one step.
template <int D>
struct Meeting {
  const PairLaw& law;
  double* memory;
  Tally& tally;
  double time, dt;
  bool at_start;
  bool was_closed = false;
  Pairing<D> c{};
  double overlap = 0;               // as geometry has it; that of c counts from the zero of the contact
  Spin<D> spin_half{}, spin_now{};  // of A against B
  double inertia = 0, inertia_at_contact = 0;
  double sign = 1;     // of the angle of rolling
  double section = 0;  // r^(D-1) of the smaller body

  double& state() const { return memory[Layout<D>::kState]; }
  double& rest() const { return memory[Layout<D>::kRest]; }
};

template <int D>
struct Answer {
  Push<D> push{};
  Spin<D> moment{};  // on A with a minus sign, on B with a plus sign
  bool lives = true;
};

template <int D>
Tangent<D> across(const Spin<D>& spin, const Vec<D>& k) {
  if constexpr (D == 2) {
    return spin;
  } else {
    return slip_part(spin, k);
  }
}
template <int D>
double along(const Spin<D>& spin, const Vec<D>& k) {
  if constexpr (D == 2) {
    return 0;
  } else {
    return math::dot(spin, k);
  }
}
template <int D>
Spin<D> joined(const Tangent<D>& rolling, double twisting, const Vec<D>& k) {
  if constexpr (D == 2) {
    return rolling;
  } else {
    return rolling + k * twisting;
  }
}

// The angles of the springs, carried to the present plane of contact.
template <int D>
Tangent<D> carried_roll(const Meeting<D>& m) {
  return carried(read_tangent<D>(m.memory + Layout<D>::kRoll) * m.sign, m.c.at.k, m.c.twist_rate * m.dt);
}
template <int D>
double carried_twist(const Meeting<D>& m) {
  return D == 2 ? 0 : m.memory[Layout<D>::kTwist];
}
template <int D>
void keep_angles(const Meeting<D>& m, const Tangent<D>& roll, double twist) {
  write_tangent(m.memory + Layout<D>::kRoll, roll * m.sign);
  if (D == 3) m.memory[Layout<D>::kTwist] = twist;
}

template <int D>
double rolling_stiffness(const Meeting<D>& m) {
  return m.law.rolling.stiffness / (m.c.inverse_r * m.c.inverse_r);
}

// Resistance against rolling and twisting under the normal force of `push`.
template <int D>
Spin<D> rolling_moment(const Meeting<D>& m, const Push<D>& push) {
  const world::Rolling& r = m.law.rolling;
  if (r.law == world::RollingLaw::kNone) return {};
  const NormalForce pressed{push.normal + m.c.strength, push.spring + m.c.strength, 0, 0};
  const double reach = std::max(0.0, laws::limiting_force(pressed, m.law)) / m.c.inverse_r;
  const Tangent<D> spin = across<D>(m.spin_now, m.c.at.k);
  const double twisting = along<D>(m.spin_now, m.c.at.k);
  laws::Couple<Tangent<D>> roll;
  laws::Couple<double> twist;
  if (r.law == world::RollingLaw::kConstant) {
    roll = laws::constant_couple(spin, r.friction * reach, m.inertia, m.dt);
    twist = laws::constant_couple(twisting, r.twisting * reach, m.inertia, m.dt);
  } else {
    const double k = rolling_stiffness(m), since = m.was_closed ? m.dt : 0;
    const double C = 2 * r.damping * std::sqrt(m.inertia_at_contact * k), Ct = 2 * r.damping * std::sqrt(m.inertia * k);
    Tangent<D> angle = carried_roll(m);
    double turn = carried_twist(m);
    const Tangent<D> rolled = across<D>(m.spin_half, m.c.at.k) * since;
    roll = laws::spring_couple(angle, rolled, spin, r.friction * reach, k, C, m.dt);
    twist =
        laws::spring_couple(turn, along<D>(m.spin_half, m.c.at.k) * since, twisting, r.twisting * reach, k, Ct, m.dt);
    keep_angles(m, angle, turn);
  }
  m.tally.elastic += roll.elastic + twist.elastic;
  m.tally.shear_dashpot += roll.lost_dashpot + twist.lost_dashpot;
  m.tally.friction += roll.lost_friction + twist.lost_friction;
  return joined<D>(roll.total, twist.total, m.c.at.k);
}

// A contact comes to its end, by itself or torn apart; what its springs still hold is lost.
template <int D>
Answer<D> opened(const Meeting<D>& m) {
  Answer<D> answer;
  if (m.c.strength > 0) {
    // Torn within the step: its last force has acted for half of it.
    const NormalForce n = laws::Cohesive::force(approach_of(m.c), m.law, m.dt);
    m.tally.friction += n.elastic - 0.5 * m.dt * n.spring * math::dot(m.c.v_half, m.c.at.k);
    if (m.law.tangential == TangentialLaw::kCundallStrack)
      m.tally.friction += 0.5 * m.law.Kt * math::norm2(read_tangent<D>(m.memory));
  } else {
    answer.push = contact_push<D, AnyNormal, AnyTangential, true>(m.c, m.law, m.memory, Phase::kLast, m.dt, m.tally);
  }
  if (m.law.rolling.law == world::RollingLaw::kSpring) {
    const double twist = carried_twist(m);
    m.tally.friction += 0.5 * rolling_stiffness(m) * (math::norm2(carried_roll(m)) + twist * twist);
  }
  answer.lives = m.law.bond.on && m.state() >= kParted && m.overlap > 0;
  if (answer.lives) {
    std::fill_n(m.memory, Layout<D>::kState, 0.0);
    m.state() = kParted;
  }
  return answer;
}

// A contact that is not bonded.
template <int D>
Answer<D> ordinary(Meeting<D>& m) {
  const bool parted = m.law.bond.on && m.state() == kParted;
  const bool closed_before = m.was_closed && !parted;
  const double n = m.c.at.overlap;
  if (!closed_before && n <= 0) {  // within the overlap of a broken bond, and open; forgotten when the bodies are apart
    Answer<D> nothing;
    nothing.lives = m.overlap > 0;
    return nothing;
  }
  if (parted) m.state() = kRejoined;
  if (m.law.cohesion.on) {
    double& closed_at = m.memory[Layout<D>::kClosedAt];
    if (!closed_before) closed_at = m.time;
    m.c.strength = m.law.cohesion.strength(m.section, m.time - closed_at);
  }
  if (n <= 0 && !(m.c.strength > 0 && laws::Cohesive::pull(m.law, n) <= m.c.strength)) return opened(m);
  const Phase phase = closed_before || m.at_start ? Phase::kGoing : Phase::kFirst;
  Answer<D> answer;
  answer.push = contact_push<D, AnyNormal, AnyTangential, true>(m.c, m.law, m.memory, phase, m.dt, m.tally);
  answer.moment = rolling_moment(m, answer.push);
  return answer;
}

// The bond is gone, with what it held; an ordinary contact may be left. `half`: half of what its springs took in during
// this step, of which they gave back nothing.
template <int D>
Answer<D> broken(Meeting<D>& m, const laws::BondForce<D>& f, double half_normal, double half_rest) {
  ++m.tally.broken;
  m.tally.friction += f.elastic - half_rest;
  std::fill_n(m.memory, Layout<D>::kState, 0.0);
  m.rest() = std::max(0.0, m.rest());
  m.state() = kRejoined;
  m.c.at.overlap = m.overlap - m.rest();
  Answer<D> answer;
  if (m.c.at.overlap > 0) {
    if (m.law.cohesion.on) m.memory[Layout<D>::kClosedAt] = m.time;
    const double before = m.tally.elastic;
    answer = ordinary(m);
    m.tally.friction -= m.tally.elastic - before;
    return answer;
  }
  m.tally.friction -= half_normal;
  m.state() = kParted;
  answer.lives = m.overlap > 0;
  return answer;
}

template <int D>
Answer<D> bonded(Meeting<D>& m, bool made_now) {
  const world::Bond& b = m.law.bond;
  const Vec<D>& k = m.c.at.k;
  Approach<D> a = approach_of(m.c);
  a.slip = slip_part(m.c.v_now, k) + rolling_part(m.c.arm_spin_now, k);
  const double since = made_now ? 0 : m.dt, rate_half = math::dot(m.c.v_half, k);
  // As in push_of().
  const Tangent<D> slip_half = slip_part(m.c.v_half, k) * (1 - 0.5 * since * rate_half * m.c.shrink);
  const Tangent<D> slid = (slip_half + rolling_part(m.c.arm_spin_half, k)) * since;
  const Tangent<D> rolled = across<D>(m.spin_half, k) * since;
  const double turned = along<D>(m.spin_half, k) * since;
  laws::Strain<D> s;
  s.overlap = m.overlap - m.rest();
  s.slip = carried(read_tangent<D>(m.memory), k, m.c.twist_rate * since) + slid;
  s.roll = carried_roll(m) + rolled;
  s.twist = carried_twist(m) + turned;
  const double twisting = along<D>(m.spin_now, k);
  const laws::BondForce<D> f =
      laws::bond_force<D>(a, s, across<D>(m.spin_now, k), twisting, m.inertia_at_contact, m.section, b, m.dt);
  if (f.breaks) {
    const double bending = b.moment > 0 ? b.bending / (a.inverse_r * a.inverse_r) : 0;
    const double rest =
        b.shear_stiffness * math::dot(s.slip, slid) + bending * (math::dot(s.roll, rolled) + s.twist * turned);
    return broken(m, f, 0.5 * f.normal_spring * rate_half * since, 0.5 * rest);
  }
  write_tangent(m.memory, s.slip);
  keep_angles(m, s.roll, s.twist);
  ++m.tally.bonds;
  m.tally.elastic += f.elastic;
  m.tally.normal_dashpot += f.lost_normal;
  m.tally.shear_dashpot += f.lost_shear;
  const Tangent<D> tangential = f.shear * -1.0;
  return {{as_vector(tangential, k) - k * f.normal, torque_part(tangential, k), f.normal, a.rate, f.normal_spring},
          joined<D>(f.roll, f.twist, k),
          true};
}

template <int D>
Answer<D> meet(Meeting<D>& m) {
  if (!m.law.bond.on) return ordinary(m);
  const bool made_now = m.law.bond.on_touch && !m.was_closed;
  if (made_now) m.state() = kBonded;  // free of force at first touch; those of the start: make_bonds()
  if (m.state() == kBonded) return bonded(m, made_now || m.at_start);
  m.c.at.overlap = m.overlap - m.rest();
  return ordinary(m);
}

// Inverse of the inertia of a body of this size, about its centre or about the contact. For a member of a clump, whose
// own inertia nobody knows, it is that of a ball of the clump's mass.
template <int D>
double inverse_inertia(double inverse_mass, double radius, bool at_contact) {
  constexpr double kOwn = D == 2 ? 0.5 : 0.4;
  return inverse_mass / ((at_contact ? 1 + kOwn : kOwn) * radius * radius);
}

template <int D>
double section_of(double radius) {
  return D == 2 ? radius : radius * radius;
}

template <int D>
void pair(const ChunkView<D>& view, std::uint32_t i, std::uint32_t p) {
  World<D>& world = view.world;
  world::Slots& slots = world.contacts.pairs;
  const std::uint32_t j = slots.other[p];
  const Moving<D>&a = world.bodies.moving[i], &b = world.bodies.moving[j];
  const world::Place<D>&at = world.bodies.place[i], &other = world.bodies.place[j];
  const double smaller = std::min(at.radius, other.radius);
  Meeting<D> m{world.laws(a.material, b.material),
               slots.memory.data() + p * slots.stride,
               view.work.tally,
               world.time,
               world.dt,
               view.at_start};
  m.was_closed = slots.touching[p] == 1;
  m.c = pair_up(a, b, at.radius, other.radius, (other.x + view.shifts[slots.image[p]]) - at.x);
  if (view.sheared) {
    m.c.v_half -= view.drifts[slots.image[p]];
    m.c.v_now -= view.drifts[slots.image[p]];
  }
  m.overlap = m.c.at.overlap;
  m.spin_half = a.w - b.w;
  m.spin_now = a.w_now - b.w_now;
  const auto together = [&](bool at_contact) {
    return 1 / (inverse_inertia<D>(a.inverse_mass, at.radius, at_contact) +
                inverse_inertia<D>(b.inverse_mass, other.radius, at_contact));
  };
  m.inertia = together(false);
  m.inertia_at_contact = together(true);
  m.sign = world.bodies.id[i] < world.bodies.id[j] ? 1 : -1;
  m.section = section_of<D>(smaller);
  slots.touching[p] = 1;
  const Answer<D> answer = meet(m);
  const Push<D>& push = answer.push;
  if (!answer.lives) {
    if (m.was_closed) note_parting(m.tally, slots, p, a.held, b.held);
    slots.forget(p);
  }
  if (view.sheared) m.tally.boundary += boundary_power(view, i, j, slots.image[p], push.force);
  view.push(i, push.force, m.c.arm_a * push.torque_per_arm - answer.moment);
  view.push_other(p, j, -push.force, m.c.arm_b * push.torque_per_arm + answer.moment);
  if (!answer.lives) return;
  m.tally.contacts += m.overlap > 0 ? 0 : 1;
  note_depth(m.tally, m.overlap / smaller, world.bodies.id[i], world.bodies.id[j]);
  if (view.keep_records) {
    view.work.records.push_back({world.bodies.id[i], world.bodies.id[j], at.x + m.c.at.k * m.c.arm_a, m.c.at.k,
                                 push.force, m.overlap, m.c.at.distance, push.rate, push.normal});
  }
}

template <int D>
void pairs(const ChunkView<D>& view) {
  for (std::size_t k = 0; k < view.closed.count; ++k) pair(view, view.closed.body[k], view.closed.slot[k]);
}

template <int D>
void wall(const ChunkView<D>& view, std::uint32_t i, std::uint32_t p, std::uint32_t w, const touch::Touch<D>& touch) {
  World<D>& world = view.world;
  world::Slots& slots = world.contacts.walls;
  const world::Wall<D>& surface = world.walls[w];
  const Moving<D>& a = world.bodies.moving[i];
  const world::Place<D>& at = world.bodies.place[i];
  Meeting<D> m{world.laws(a.material, surface.material),
               slots.memory.data() + p * slots.stride,
               view.work.tally,
               world.time,
               world.dt,
               view.at_start};
  m.was_closed = slots.touching[p] == 1;
  m.c = pair_up(a, at, surface, touch);
  m.overlap = m.c.at.overlap;
  m.spin_half = a.w - surface.spin_half;
  m.spin_now = a.w_now - surface.spin;
  m.inertia = 1 / inverse_inertia<D>(a.inverse_mass, at.radius, false);
  m.inertia_at_contact = 1 / inverse_inertia<D>(a.inverse_mass, at.radius, true);
  m.section = section_of<D>(at.radius);
  slots.touching[p] = 1;
  const Answer<D> answer = meet(m);
  const Push<D>& push = answer.push;
  if (!answer.lives) {
    if (m.was_closed) note_parting(m.tally, slots, p, a.held, world::Held::kFixed);
    slots.forget(p);
  }
  view.push(i, push.force, m.c.arm_a * push.torque_per_arm - answer.moment);
  view.work.wall_force[w] -= push.force;
  view.work.wall_torque[w] += answer.moment - math::cross(at.x + m.c.at.k * m.c.arm_a - surface.reference, push.force);
  if (!answer.lives) return;
  const std::int64_t id = -1 - static_cast<std::int64_t>(w);
  m.tally.contacts += m.overlap > 0 ? 0 : 1;
  note_depth(m.tally, m.overlap / at.radius, world.bodies.id[i], id);
  if (view.keep_records) {
    view.work.records.push_back({world.bodies.id[i], id, at.x + m.c.at.k * m.c.arm_a, m.c.at.k, push.force, m.overlap,
                                 m.c.at.distance, push.rate, push.normal});
  }
}

// Makes a bond in the slot if the law wants one at this overlap.
template <int D>
void bond_at_start(world::Slots& slots, std::uint32_t p, const PairLaw& law, double overlap, double smaller) {
  if (!law.bond.on || overlap < -law.bond.gap * smaller) return;
  slots.touching[p] = 1;
  slots.memory[p * slots.stride + Layout<D>::kState] = kBonded;
  slots.memory[p * slots.stride + Layout<D>::kRest] = overlap;
}

}  // namespace

template <int D>
Kernel<D> extra_kernel_of(const world::PairLaw& law) {
  return {pairs<D>, pair<D>, wall<D>, Layout<D>::needed(law)};
}

template <int D>
void make_bonds(const ChunkView<D>& view) {
  World<D>& world = view.world;
  const auto& all = world.laws.all();
  if (std::none_of(all.begin(), all.end(), [](const PairLaw& law) { return law.bond.on; })) return;
  world::Slots &pairs = world.contacts.pairs, &walls = world.contacts.walls;
  for (std::uint32_t i = view.begin; i < view.end; ++i) {
    const world::Place<D>& a = world.bodies.place[i];
    const std::uint32_t material = world.bodies.moving[i].material;
    for (std::uint32_t p = pairs.start[i]; p < pairs.start[i + 1]; ++p) {
      const std::uint32_t j = pairs.other[p];
      const world::Place<D>& b = world.bodies.place[j];
      const double distance = math::norm((b.x + view.shifts[pairs.image[p]]) - a.x);
      bond_at_start<D>(pairs, p, world.laws(material, world.bodies.moving[j].material), a.radius + b.radius - distance,
                       std::min(a.radius, b.radius));
    }
    for (std::uint32_t p = walls.start[i]; p < walls.start[i + 1]; ++p) {
      const world::Wall<D>& wall = world.walls[walls.other[p]];
      bool at_end = false;
      bond_at_start<D>(walls, p, world.laws(material, wall.material),
                       touch::touch_wall(a.x, a.radius, wall.now, at_end).overlap, a.radius);
    }
  }
}

template Kernel<2> extra_kernel_of<2>(const world::PairLaw&);
template Kernel<3> extra_kernel_of<3>(const world::PairLaw&);
template void make_bonds<2>(const ChunkView<2>&);
template void make_bonds<3>(const ChunkView<3>&);

}  // namespace moraine::soft
