// SPDX-License-Identifier: MIT
// Impacts, and violations taken out: what changes velocities and positions at once.
#include <algorithm>
#include <cmath>
#include <limits>

#include "hard/contact_forces.hpp"

namespace moraine::hard {

namespace {
constexpr double kUnbreakable = 1e300;  // by an impulse: strengths are forces
constexpr int kMostBounces = 1000;      // of one contact in a step, after which it comes to rest
constexpr int kMostInTurn = 1000;       // impacts one after the other, for each contact that touches
}  // namespace

// What the answer does to the nodes.
template <int D>
Moves<D> ContactForces<D>::moves_of(const Island& island) const {
  Moves<D> moves = system_.no_moves();
  for (std::size_t r = 0; r < island.rows.size(); ++r) {
    const Row& row = island.rows[r];
    const double amount = island.problem.r[r];
    if (row.a < system_.movable()) {
      moves.x[row.a] -= row.n * (amount * system_.inverse_mass[row.a]);
      moves.turn[row.a] -= row.ease_a * amount;
    }
    if (row.b < system_.movable()) {
      moves.x[row.b] += row.n * (amount * system_.inverse_mass[row.b]);
      moves.turn[row.b] += row.ease_b * amount;
    }
  }
  return moves;
}

// Velocities at the start of an impact, or what velocities violate: q of all rows.
template <int D>
void ContactForces<D>::put_speeds(Island& island) const {
  ConeProblem& p = island.problem;
  for (std::size_t n = 0; n < p.cones.size(); ++n) {
    const Cone& cone = p.cones[n];
    const Meeting<D>& m = meetings[island.contacts[n]];
    p.q[cone.row] = m.rate;
    for (std::size_t s = 0; s < cone.across; ++s) p.q[cone.row + 1 + s] = math::dot(across_vector(m.n, s), m.slip);
  }
  const std::size_t first = island.rows.size() - island.link_rows.size();
  for (std::size_t k = 0; k < island.link_rows.size(); ++k) p.q[first + k] = links_.rate[island.link_rows[k]];
}

// Newton's rule for all contacts of an island at once (Sun 4.24, 4.25, as a complementarity problem): those that
// approach fast leave with e times their speed or more, the others do not approach.
template <int D>
void ContactForces<D>::strike(Island& island, double t, Kinematics<D>& k, const Bounce& bounce, Losses& losses) {
  ConeProblem& p = island.problem;
  put_speeds(island);
  const std::vector<double> before = p.q;
  const double g = math::norm(world_.gravity);
  std::vector<std::uint8_t> bounces(p.cones.size(), 0);
  for (std::size_t n = 0; n < p.cones.size(); ++n) {
    Cone& cone = p.cones[n];
    const Contact<D>& contact = all[island.contacts[n]];
    cone.mu = contact.bonded ? 0 : contact.law->mu;
    cone.mode = contact.bonded || before[cone.row] < no_speed ? Mode::kStick : Mode::kOpen;
    if (contact.bonded) cone.hold = cone.shear = kUnbreakable;
    const double approach = -before[cone.row] - contact.gained, e = contact.law->restitution;
    if (contact.bonded || !(approach > std::max(bounce.slow, no_speed)) || contact.bounces >= kMostBounces) continue;
    if (g > 0 && 2 * e * approach < g * bounce.shortest_flight) continue;
    p.q[cone.row] -= e * approach;
    bounces[n] = e > 0 ? 1 : 0;
  }
  // Who is wedged between others cannot leave all of them as fast as the rule says: then nobody bounces.
  const auto once_more = [&] {
    p.q = before;
    p.r.assign(p.r.size(), 0);
    bounces.assign(bounces.size(), 0);
    for (std::size_t n = 0; n < p.cones.size(); ++n)
      p.cones[n].mode = all[island.contacts[n]].bonded ? Mode::kStick : Mode::kOpen;
    return p.find();
  };
  if (!p.find() && !once_more()) {
    for (Cone& cone : p.cones) cone.mu = 0;
    if (!once_more()) no_answer(island, "impulses", t);
  }
  p.q = before;
  for (const std::uint32_t c : island.contacts) all[c].gained = 0;
  for (std::size_t r = 0; r < island.rows.size(); ++r) {
    const double amount = p.r[r], held = before[r] - free_rate(island.rows[r], k.v, k.w);
    if (amount == 0) continue;
    losses.held -= amount * held;
    losses.normal -= 0.5 * amount * (before[r] + p.speed(r));
  }
  for (std::size_t n = 0; n < p.cones.size(); ++n) {
    const Cone& cone = p.cones[n];
    for (std::size_t s = 0; s < cone.across; ++s) {
      const std::size_t row = cone.row + 1 + s;
      const double lost = -0.5 * p.r[row] * (before[row] + p.speed(row));
      losses.friction += lost;
      losses.normal -= lost;
    }
    if (bounces[n] == 0 || !(p.r[cone.row] > 0)) continue;
    Contact<D>& contact = all[island.contacts[n]];
    ++contact.bounces;
    losses.bounces += (contact.a < system_.movable() ? 1 : 0) + (contact.b < system_.movable() ? 1 : 0);
  }
  system_.kick(moves_of(island), k);
}

template <int D>
bool ContactForces<D>::impact(double t, Kinematics<D>& k, const Bounce& bounce, Losses& losses) {
  bool any = false;
  if (settings_.contact.impacts == Impacts::kSequential) {
    any = impact_in_turn(t, k, bounce, losses);
    // What is left over approaches by rounding, or would take turns without end.
    return impact_once(t, k, {std::numeric_limits<double>::infinity(), 0}, any ? 0 : no_speed, losses) || any;
  }
  return impact_once(t, k, bounce, no_speed, losses);
}

template <int D>
bool ContactForces<D>::impact_once(double t, Kinematics<D>& k, const Bounce& bounce, double still, Losses& losses) {
  look(t, k);
  std::vector<std::uint32_t> chosen;
  for (std::uint32_t c = 0; c < all.size(); ++c) {
    if (touches(c)) chosen.push_back(c);
  }
  bool any = false;
  for (Island& island : islands(chosen, k, For::kImpact)) {
    const bool approach = std::any_of(island.contacts.begin(), island.contacts.end(), [&](std::uint32_t c) {
      return meetings[c].rate < -still || (all[c].bonded && meetings[c].rate > no_speed);
    });
    if (!approach) continue;
    strike(island, t, k, bounce, losses);
    any = true;
  }
  if (any) look(t, k);
  return any;
}

// One pair after the other, always the fastest.
template <int D>
bool ContactForces<D>::impact_in_turn(double t, Kinematics<D>& k, const Bounce& bounce, Losses& losses) {
  bool any = false;
  for (std::size_t turn = 0; turn < kMostInTurn * (all.size() + 1); ++turn) {
    look(t, k);
    std::uint32_t next = kNoNode;
    double fastest_rate = -no_speed;
    for (std::uint32_t c = 0; c < all.size(); ++c) {
      if (!touches(c) || meetings[c].rate >= fastest_rate) continue;
      fastest_rate = meetings[c].rate;
      next = c;
    }
    if (next == kNoNode) break;
    // Bonds hold in every impact.
    std::vector<std::uint32_t> chosen;
    for (std::uint32_t c = 0; c < all.size(); ++c) {
      if (c == next || all[c].bonded) chosen.push_back(c);
    }
    for (Island& island : islands(chosen, k, For::kImpact)) {
      if (std::find(island.contacts.begin(), island.contacts.end(), next) == island.contacts.end()) continue;
      strike(island, t, k, bounce, losses);
    }
    any = true;
  }
  return any;
}

template <int D>
void ContactForces<D>::stop_slips(double t, Kinematics<D>& k, Losses& losses) {
  const std::vector<std::uint32_t> chosen = std::move(jammed);
  for (Island& island : islands(chosen, k, For::kForces)) {
    put_speeds(island);
    for (Cone& cone : island.problem.cones) cone.mode = Mode::kStick;
    const std::vector<double> before = island.problem.q;
    island.problem.solve_modes();
    for (std::size_t r = 0; r < island.rows.size(); ++r) {
      const double amount = island.problem.r[r];
      losses.held -= amount * (before[r] - free_rate(island.rows[r], k.v, k.w));
      losses.friction -= 0.5 * amount * (before[r] + island.problem.speed(r));
    }
    system_.kick(moves_of(island), k);
  }
  look(t, k);
}

template <int D>
double ContactForces<D>::correct(double t, Kinematics<D>& k, bool position, bool velocity) {
  // Between events nothing that moves overlaps; at the end of a whole step whatever has met by then does.
  const bool steps = settings_.contacts == ContactMode::kSteps;
  const auto closed = [&] {
    std::vector<std::uint32_t> chosen;
    for (std::uint32_t c = 0; c < all.size(); ++c) {
      const bool sunk = meetings[c].gap < -gap_of_nothing(c) && (steps || std::fabs(meetings[c].rate) <= no_speed);
      if (all[c].mode != Mode::kOpen || all[c].bonded || sunk) chosen.push_back(c);
    }
    return chosen;
  };
  double first = 0;
  for (int round = 0; position && round < 10; ++round) {
    look(t, k);
    double worst = 0, apart = 0;
    for (Island& island : islands(closed(), k, For::kPosition)) {
      ConeProblem& p = island.problem;
      for (std::size_t n = 0; n < p.cones.size(); ++n) {
        const std::size_t c = island.contacts[n];
        p.q[p.cones[n].row] = meetings[c].gap - all[c].rest;
        p.cones[n].mode = Mode::kStick;
        const double off = std::fabs(meetings[c].gap - all[c].rest) / all[c].smaller();
        const bool held = !steps || all[c].mode != Mode::kOpen || all[c].bonded;
        p.cones[n].hold = held ? kUnbreakable : 0;  // who has only met is pushed out, and may go farther
        worst = std::max(worst, off);
        if (held) apart = std::max(apart, off);
      }
      const std::size_t from = island.rows.size() - island.link_rows.size();
      for (std::size_t l = 0; l < island.link_rows.size(); ++l) p.q[from + l] = links_.gap[island.link_rows[l]];
      if (!steps || !p.find()) {
        for (Cone& cone : p.cones) cone.mode = Mode::kStick;
        p.r.assign(p.r.size(), 0);
        p.solve_modes();
      }
      system_.shift(moves_of(island), k);
    }
    if (round == 0) first = apart;
    if (worst <= 1e-13) break;
  }
  look(t, k);
  if (!velocity) return first;
  std::vector<std::uint32_t> chosen;
  for (std::uint32_t c = 0; c < all.size(); ++c) {
    if (all[c].mode != Mode::kOpen || all[c].bonded) chosen.push_back(c);
  }
  for (Island& island : islands(chosen, k, For::kForces)) {
    put_speeds(island);
    for (std::size_t n = 0; n < island.contacts.size(); ++n) {
      Cone& cone = island.problem.cones[n];
      if (all[island.contacts[n]].bonded) cone.mode = Mode::kStick;
      cone.mu = cone.shear = 0;
    }
    island.problem.solve_modes();
    system_.kick(moves_of(island), k);
  }
  look(t, k);
  return first;
}

template <int D>
void ContactForces<D>::push_apart(double t, Kinematics<D>& k) {
  for (int round = 0; round < 50; ++round) {
    look(t, k);
    std::vector<std::uint32_t> chosen;
    double worst = 0;
    for (std::uint32_t c = 0; c < all.size(); ++c) {
      if (meetings[c].gap > 0.01 * all[c].smaller()) continue;
      chosen.push_back(c);
      worst = std::max(worst, -meetings[c].gap / all[c].smaller());
    }
    if (worst <= 1e-10) return;
    for (Island& island : islands(chosen, k, For::kPosition)) {
      ConeProblem& p = island.problem;
      for (std::size_t n = 0; n < p.cones.size(); ++n) p.q[p.cones[n].row] = meetings[island.contacts[n]].gap;
      const std::size_t from = island.rows.size() - island.link_rows.size();
      for (std::size_t l = 0; l < island.link_rows.size(); ++l) p.q[from + l] = links_.gap[island.link_rows[l]];
      if (p.find()) system_.shift(moves_of(island), k);
    }
  }
}

#define MORAINE_INSTANTIATE(D)                                                            \
  template Moves<D> ContactForces<D>::moves_of(const Island&) const;                      \
  template void ContactForces<D>::put_speeds(Island&) const;                              \
  template bool ContactForces<D>::impact(double, Kinematics<D>&, const Bounce&, Losses&); \
  template void ContactForces<D>::stop_slips(double, Kinematics<D>&, Losses&);            \
  template double ContactForces<D>::correct(double, Kinematics<D>&, bool, bool);          \
  template void ContactForces<D>::push_apart(double, Kinematics<D>&);
MORAINE_INSTANTIATE(2)
MORAINE_INSTANTIATE(3)

}  // namespace moraine::hard
