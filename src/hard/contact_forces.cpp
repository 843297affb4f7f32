// SPDX-License-Identifier: MIT
#include "hard/contact_forces.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/error.hpp"

namespace moraine::hard {

template <int D>
void ContactForces<D>::look(double t, const Kinematics<D>& k) {
  meetings.resize(all.size());
  for (std::size_t c = 0; c < all.size(); ++c) meetings[c] = meet(all[c], k, system_.movable(), walls_, t);
}

template <int D>
bool ContactForces<D>::touches(std::size_t c) const {
  return all[c].mode != Mode::kOpen || all[c].bonded || all[c].met || meetings[c].gap <= gap_of_nothing(c);
}

template <int D>
double ContactForces<D>::hold(const Contact<D>& contact) const {
  if (contact.bonded) return contact.law->bond.tension.of(contact.section());
  if (!contact.law->cohesion.on || contact.spent) return 0;
  return contact.law->cohesion.strength(contact.section(), contact.age);
}

template <int D>
double ContactForces<D>::fastest() const {
  double speed = 0;
  for (const Meeting<D>& m : meetings) speed = std::max({speed, std::fabs(m.rate), math::norm(m.slip)});
  return speed;
}

template <int D>
std::uint32_t ContactForces<D>::across_rows(const Contact<D>& contact, For what) const {
  if (what == For::kPosition) return 0;
  if (contact.bonded) return D - 1;
  if (!(contact.law->mu > 0)) return 0;
  if (what == For::kImpact && settings_.contact.friction != Friction::kCone) return 0;  // as the sources have it
  return D - 1;
}

// Contacts that share a movable node, directly or through others or through links.
template <int D>
std::vector<typename ContactForces<D>::Island> ContactForces<D>::islands(const std::vector<std::uint32_t>& chosen,
                                                                         const Kinematics<D>& k, For what) {
  const std::size_t movable = system_.movable();
  std::vector<std::uint32_t> root(movable);
  std::iota(root.begin(), root.end(), 0U);
  const auto find = [&](std::uint32_t i) {
    while (root[i] != i) i = root[i] = root[root[i]];
    return i;
  };
  const auto join = [&](std::uint32_t a, std::uint32_t b) {
    if (a >= movable || b >= movable) return;
    const std::uint32_t x = find(a), y = find(b);
    root[std::max(x, y)] = std::min(x, y);
  };
  for (const std::uint32_t c : chosen) join(all[c].a, all[c].b);
  for (std::size_t r = 0; r < system_.row_count(); ++r) join(system_.row_a[r], system_.row_b[r]);
  std::vector<std::uint32_t> island_of(movable, kNoNode);
  std::vector<Island> found;
  for (const std::uint32_t c : chosen) {
    const std::uint32_t node = find(all[c].a < movable ? all[c].a : all[c].b);
    if (island_of[node] == kNoNode) {
      island_of[node] = static_cast<std::uint32_t>(found.size());
      found.emplace_back();
    }
    found[island_of[node]].contacts.push_back(c);
  }
  for (std::uint32_t r = 0; r < system_.row_count(); ++r) {
    const std::uint32_t island = island_of[find(system_.row_a[r])];
    if (island != kNoNode) found[island].link_rows.push_back(r);
  }
  if (system_.row_count() > 0) links_.update(system_, k);
  for (Island& island : found) add_rows(island, k, what);
  return found;
}

template <int D>
void ContactForces<D>::add_rows(Island& island, const Kinematics<D>& k, For what) {
  const auto ease = [&](std::uint32_t node, const Spin<D>& turn) {
    return node < system_.movable() ? system_.spin_of(node, k.q[node], turn) : Spin<D>{};
  };
  const auto add = [&](std::uint32_t a, std::uint32_t b, const Vec<D>& n, const Spin<D>& turn_a,
                       const Spin<D>& turn_b) {
    island.rows.push_back({a, b, n, turn_a, turn_b, ease(a, turn_a), b == kNoNode ? Spin<D>{} : ease(b, turn_b)});
  };
  for (const std::uint32_t c : island.contacts) {
    const Contact<D>& contact = all[c];
    const Meeting<D>& m = meetings[c];
    Cone cone;
    cone.row = static_cast<std::uint32_t>(island.rows.size());
    cone.across = across_rows(contact, what);
    cone.mode = contact.mode;
    add(contact.a, contact.b, m.n, math::cross(m.touch_a, m.n), math::cross(m.touch_b, m.n));
    for (std::size_t s = 0; s < cone.across; ++s) {
      const Vec<D> t = across_vector(m.n, s);
      add(contact.a, contact.b, t, math::cross(m.touch_a, t), math::cross(m.touch_b, t));
    }
    island.problem.cones.push_back(cone);
  }
  for (const std::uint32_t r : island.link_rows) {
    const bool turning = system_.turning();
    add(system_.row_a[r], system_.row_b[r], links_.n[r], turning ? links_.turn_a[r] : Spin<D>{},
        turning ? links_.turn_b[r] : Spin<D>{});
  }
  island.problem.q.assign(island.rows.size(), 0);
  island.problem.r.assign(island.rows.size(), 0);
  fill_matrix(island);
}

template <int D>
void ContactForces<D>::fill_matrix(Island& island) const {
  const std::size_t n = island.rows.size(), movable = system_.movable();
  island.problem.w.assign(n * n, 0);
  // Rows at each node meet there.
  std::vector<std::pair<std::uint32_t, std::uint32_t>> at;  // node, row (twice its number, plus one at end b)
  for (std::uint32_t r = 0; r < n; ++r) {
    if (island.rows[r].a < movable) at.emplace_back(island.rows[r].a, 2 * r);
    if (island.rows[r].b < movable) at.emplace_back(island.rows[r].b, 2 * r + 1);
  }
  std::sort(at.begin(), at.end());
  for (std::size_t first = 0, last = 0; first < at.size(); first = last) {
    while (last < at.size() && at[last].first == at[first].first) ++last;
    const double inverse_mass = system_.inverse_mass[at[first].first];
    for (std::size_t x = first; x < last; ++x) {
      for (std::size_t y = first; y < last; ++y) {
        const std::uint32_t i = at[x].second / 2, j = at[y].second / 2;
        const bool i_b = at[x].second % 2 != 0, j_b = at[y].second % 2 != 0;
        const Row &row = island.rows[i], &other = island.rows[j];
        const double part = math::dot(row.n, other.n) * inverse_mass +
                            math::dot(i_b ? row.turn_b : row.turn_a, j_b ? other.ease_b : other.ease_a);
        island.problem.w[i * n + j] += i_b == j_b ? part : -part;
      }
    }
  }
}

// Of the rows' rate, what free motions (accelerations or velocities of the nodes) make.
template <int D>
double ContactForces<D>::free_rate(const Row& row, const std::vector<Vec<D>>& v, const std::vector<Spin<D>>& w) const {
  double rate = 0;
  if (row.a < system_.movable()) rate -= math::dot(row.n, v[row.a]) + math::dot(row.turn_a, w[row.a]);
  if (row.b < system_.movable()) rate += math::dot(row.n, v[row.b]) + math::dot(row.turn_b, w[row.b]);
  return rate;
}

template <int D>
void ContactForces<D>::put_law(Cone& cone, std::size_t c, bool choosing_modes) const {
  const Contact<D>& contact = all[c];
  const Meeting<D>& m = meetings[c];
  cone.hold = hold(contact);
  cone.mu = contact.bonded ? 0 : contact.law->mu;
  cone.shear = contact.bonded ? contact.law->bond.shear.of(contact.section()) : 0;
  if (contact.bonded || cone.across == 0) return;
  const double slip = math::norm(m.slip);
  Vec<D> along = contact.along;
  switch (settings_.contact.friction) {
    case Friction::kCone:
      cone.slips = slip > no_speed && !contact.halted && (choosing_modes || contact.mode == Mode::kSlide);
      // In the plane friction keeps its direction until the slip has come to zero; in space it follows the slip.
      if (cone.slips && (choosing_modes || (D == 3 && math::dot(m.slip, contact.along) < -no_speed)))
        along = m.slip * (-1 / slip);
      break;
    case Friction::kSmooth:  // Sun 4.16
      cone.slips = true;
      along = m.slip * (-1 / std::max(slip, settings_.contact.friction_speed));
      break;
    case Friction::kLagged:  // of the step before (Wierzba 6.3.1)
      cone.slips = true;
      cone.mu = 0;
      cone.shear = 1;
      break;
  }
  for (std::size_t s = 0; s < cone.across; ++s) cone.along[s] = math::dot(along, across_vector(m.n, s));
  if (!choosing_modes && contact.mode == Mode::kSlide) cone.slips = true;
}

// No more friction than stops the slip within a step (Sun 4.18, contact by contact).
template <int D>
void ContactForces<D>::limit_friction(Island& island) {
  ConeProblem& p = island.problem;
  bool any = false;
  for (std::size_t n = 0; n < p.cones.size(); ++n) {
    Cone& cone = p.cones[n];
    if (cone.across == 0 || cone.mode == Mode::kOpen || all[island.contacts[n]].bonded) continue;
    double size = 0, other = 0, slip = 0, ease = 0;
    const Vec<D>& u = meetings[island.contacts[n]].slip;
    for (std::size_t s = 0; s < cone.across; ++s) {
      const std::size_t row = cone.row + 1 + s;
      const double r_t = p.r[row];
      size += r_t * r_t;
      ease = std::max(ease, p.w[row * p.rows() + row]);
    }
    size = std::sqrt(size);
    if (!(size > 0)) continue;
    for (std::size_t s = 0; s < cone.across; ++s) {
      const std::size_t row = cone.row + 1 + s;
      const double direction = p.r[row] / size;
      other -= direction * (p.speed(row) - p.w[row * p.rows() + row] * p.r[row]);
      slip -= direction * math::dot(u, across_vector(meetings[island.contacts[n]].n, s));
    }
    const double most = std::max(0.0, (slip / world_.dt + other) / ease);
    if (size <= most) continue;
    for (std::size_t s = 0; s < cone.across; ++s) cone.along[s] = p.r[cone.row + 1 + s] / size;
    cone.mu = 0;
    cone.shear = most;
    any = true;
  }
  if (!any) return;
  if (!choosing) return p.solve_modes();
  // Less friction may open a contact. Where no modes are found it is those of before, without the contacts that would
  // pull, one by one: what is left of the search may be no numbers at all.
  const std::vector<Cone> cones = p.cones;
  const std::vector<double> r = p.r;
  if (p.find()) return;
  p.cones = cones;
  for (std::size_t round = 0; round <= cones.size(); ++round) {
    p.r = r;
    p.solve_modes();
    Cone* most = nullptr;
    for (std::size_t n = 0; n < p.cones.size(); ++n) {
      Cone& cone = p.cones[n];
      if (cone.mode == Mode::kOpen || all[island.contacts[n]].bonded || p.r[cone.row] >= -cone.hold) continue;
      if (most == nullptr || p.r[cone.row] + cone.hold < p.r[most->row] + most->hold) most = &cone;
    }
    if (most == nullptr) break;
    most->mode = Mode::kOpen;
  }
}

template <int D>
void ContactForces<D>::solve_forces(Island& island) {
  ConeProblem& p = island.problem;
  for (std::size_t n = 0; n < p.cones.size(); ++n) {
    Cone& cone = p.cones[n];
    const std::size_t c = island.contacts[n];
    const Meeting<D>& m = meetings[c];
    put_law(cone, c, choosing);
    p.q[cone.row] = free_rate(island.rows[cone.row], free_x_, free_turn_) + m.bend;
    p.r[cone.row] = all[c].normal;
    for (std::size_t s = 0; s < cone.across; ++s) {
      const Vec<D> t = across_vector(m.n, s);
      p.q[cone.row + 1 + s] =
          free_rate(island.rows[cone.row + 1 + s], free_x_, free_turn_) + math::dot(t, m.bend_across);
      p.r[cone.row + 1 + s] = math::dot(t, all[c].friction);
    }
  }
  const std::size_t first = island.rows.size() - island.link_rows.size();
  for (std::size_t k = 0; k < island.link_rows.size(); ++k) {
    const Row& row = island.rows[first + k];
    p.q[first + k] = free_rate(row, free_x_, free_turn_) + links_.bend[island.link_rows[k]];
    // Held ends of links may be shaken.
    if (row.b >= system_.movable()) p.q[first + k] += math::dot(row.n, held_[row.b - system_.movable()]);
  }
}

template <int D>
void ContactForces<D>::take_answer(const Island& island, bool modes) {
  const ConeProblem& p = island.problem;
  for (std::size_t n = 0; n < p.cones.size(); ++n) {
    const Cone& cone = p.cones[n];
    const std::size_t c = island.contacts[n];
    Force& f = forces[c];
    f.normal = p.r[cone.row];
    f.friction = {};
    f.limit = cone.limit(f.normal);
    Vec<D> along{};
    for (std::size_t s = 0; s < cone.across; ++s) {
      const Vec<D> t = across_vector(meetings[c].n, s);
      f.friction += t * p.r[cone.row + 1 + s];
      along += t * cone.along[s];
    }
    if (!modes) continue;
    all[c].mode = cone.mode;
    if (settings_.contact.friction != Friction::kLagged) all[c].along = along;
    if (cone.mode == Mode::kOpen) f = {};
    all[c].normal = f.normal;
    all[c].friction = f.friction;
  }
}

template <int D>
void ContactForces<D>::act(double t, const Kinematics<D>& k, std::vector<Vec<D>>& force, std::vector<Spin<D>>& torque) {
  look(t, k);
  forces.assign(all.size(), {});
  jammed.clear();
  this->held_power = this->friction_power = 0;
  std::vector<std::uint32_t> chosen;
  for (std::uint32_t c = 0; c < all.size(); ++c) {
    const bool may = all[c].bonded || holds_still(c);
    if (choosing ? may : all[c].mode != Mode::kOpen) chosen.push_back(c);
    if (choosing && !may) all[c].mode = Mode::kOpen;
  }
  if (chosen.empty()) return;
  const std::size_t movable = system_.movable();
  free_x_.resize(movable);
  free_turn_.resize(movable);
  held_ = k.held_a;
  for (std::size_t i = 0; i < movable; ++i) {
    free_x_[i] = force[i] * system_.inverse_mass[i];
    Spin<D> net = torque[i];
    if constexpr (D == 3) net -= math::cross(k.w[i], system_.momentum_of(i, k.q[i], k.w[i]));
    free_turn_[i] = system_.spin_of(i, k.q[i], net);
  }
  for (Island& island : islands(chosen, k, choosing ? For::kChoice : For::kForces)) {
    solve_forces(island);
    if (choosing) {
      if (!island.problem.find()) {
        if (jammed_once) no_answer(island, "forces of contacts", t);
        jammed.insert(jammed.end(), island.contacts.begin(), island.contacts.end());
        continue;
      }
    } else {
      island.problem.solve_modes();
    }
    if (settings_.contact.friction_limit && settings_.contact.friction != Friction::kCone) limit_friction(island);
    take_answer(island, choosing);
  }
  for (const std::uint32_t c : chosen) {
    const Contact<D>& contact = all[c];
    const Meeting<D>& m = meetings[c];
    const Vec<D> on_b = m.n * forces[c].normal + forces[c].friction;
    const bool held_a = contact.a >= movable, held_b = contact.wall() || contact.b >= movable;
    if (!held_a) {
      force[contact.a] -= on_b;
      torque[contact.a] -= math::cross(m.touch_a, on_b);
    }
    if (!held_b) {
      force[contact.b] += on_b;
      torque[contact.b] += math::cross(m.touch_b, on_b);
    }
    if (held_b) this->held_power -= math::dot(on_b, m.surface_b);
    if (held_a) this->held_power += math::dot(on_b, k.v[contact.a] + math::cross(k.w[contact.a], m.touch_a));
    this->friction_power -= math::dot(forces[c].friction, m.slip);
  }
}

template <int D>
void ContactForces<D>::keep_forces() {
  for (std::size_t c = 0; c < all.size(); ++c) {
    all[c].normal = forces[c].normal;
    all[c].friction = forces[c].friction;
  }
}

// Friction of the step that is over, for the next one (Wierzba 6.3.1).
template <int D>
void ContactForces<D>::lag_friction() {
  for (std::size_t c = 0; c < all.size(); ++c) {
    if (all[c].mode == Mode::kOpen || all[c].bonded) continue;
    const double slip = math::norm(meetings[c].slip);
    all[c].along =
        slip > no_speed ? meetings[c].slip * (-all[c].law->mu * std::max(0.0, all[c].normal) / slip) : Vec<D>{};
  }
}

template <int D>
void ContactForces<D>::no_answer(const Island& island, const char* what, double t) const {
  const Contact<D>& first = all[island.contacts.front()];
  throw base::RunError(
      fmt::format("no {} were found at time {:.6g} s for {} contacts that hang together, among them that of body {} "
                  "and {} {}",
                  what, t, island.contacts.size(), first.id_a, first.wall() ? "wall" : "body",
                  first.wall() ? -1 - first.id_b : first.id_b),
      "less friction may help, or integrator = \"time-stepping\", which has a solution in every case");
}

template class ContactForces<2>;
template class ContactForces<3>;

}  // namespace moraine::hard
