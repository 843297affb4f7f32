// SPDX-License-Identifier: MIT
#include "sim/simulation.hpp"

#include <fmt/format.h>

#include "base/error.hpp"
#include "hard/contact_step.hpp"
#include "hard/hard_step.hpp"
#include "hard/time_stepping.hpp"
#include "measure/energy.hpp"

namespace moraine::sim {

template <int D>
Simulation<D>::Simulation(World<D> world, Ending ending, int threads)
    : world_(std::move(world)), ending_(ending), team_(threads) {
  auto soft = std::make_unique<soft::SoftStep<D>>(team_);
  soft_ = soft.get();
  step_ = std::move(soft);
}

template <int D>
void Simulation<D>::limit_overlap(double deepest) {
  deepest_ = deepest;
  if (soft_ != nullptr) soft_->limits.deepest = deepest;
}

template <int D>
void Simulation<D>::use(const hard::Settings& settings) {
  soft_ = nullptr;
  if (settings.integrator == hard::IntegratorKind::kTimeStepping) {
    auto stepping = std::make_unique<hard::TimeStepping<D>>(settings, team_);
    stepping->deepest = deepest_;
    step_ = std::move(stepping);
  } else if (settings.contacts != hard::ContactMode::kIgnored) {
    step_ = std::make_unique<hard::ContactStep<D>>(settings, team_);
  } else {
    step_ = std::make_unique<hard::HardStep<D>>(settings, team_);
  }
}

template <int D>
void Simulation<D>::add(std::unique_ptr<Watch<D>> watch) {
  keep_energy_ = keep_energy_ || watch->wants_energy();
  watches_.push_back(std::move(watch));
}

template <int D>
void Simulation<D>::begin(const base::Record* resumed) {
  looked_ = false;
  if (resumed != nullptr) {
    world_.contacts = {};
    left_.clear();
    world_.load(*resumed);
    for (auto& change : changes_) change->load(*resumed);
    for (auto& watch : watches_) watch->load(*resumed);
    const auto& ids = resumed->integer("sim.left_id");
    const auto& times = resumed->real("sim.left_time");
    for (std::size_t k = 0; k < ids.size(); ++k) left_.push_back({ids[k], times.at(k)});
    moved_ = resumed->count("sim.moved") != 0;
    at_rest_ = resumed->count("sim.at_rest") != 0;
    enough_ = resumed->count("sim.enough") != 0;
  }
  if (!world_.traffic.counted) {
    world_.traffic.begun = world_.inside();
    world_.traffic.counted = true;
  }
  own_loads_ = step_->take_loads(loads_);
  step_->begin(world_, resumed);
}

template <int D>
void Simulation<D>::save(base::Record& record) const {
  world_.save(record);
  step_->save(record);
  for (const auto& change : changes_) change->save(record);
  for (const auto& watch : watches_) watch->save(record);
  auto& ids = record.ints["sim.left_id"];
  auto& times = record.reals["sim.left_time"];
  ids.clear();
  times.clear();
  for (const Left& l : left_) {
    ids.push_back(l.id);
    times.push_back(l.time);
  }
  record.set("sim.moved", std::int64_t{moved_ ? 1 : 0});
  record.set("sim.at_rest", std::int64_t{at_rest_ ? 1 : 0});
  record.set("sim.enough", std::int64_t{enough_ ? 1 : 0});
}

template <int D>
void Simulation<D>::step() {
  if (!looked_) look_now();
  looked_ = false;
  book_loads();
  step_->advance(world_, keep_energy_);
  drop_bodies();
  check_rest();
  check_collisions();
}

template <int D>
void Simulation<D>::look_now() {
  if (world_.flow) world_.flow->update(world_, team_);
  apply_changes();
  look(false);
  looked_ = true;
}

template <int D>
void Simulation<D>::finish() {
  if (world_.flow) world_.flow->update(world_, team_);
  look(true);
}

template <int D>
void Simulation<D>::apply_changes() {
  for (auto& change : changes_) {
    const std::size_t before = world_.bodies.size(), clumps_before = world_.clumps.size();
    if (!change->apply(world_)) continue;
    for (std::size_t i = before; i < world_.bodies.size(); ++i) {
      if (world_.bodies.moving[i].held != world::Held::kFree) continue;
      world_.ledger.added += measure::body_energy(world_, i);
      world_.count_body(i, world_.traffic.came);
    }
    for (std::size_t c = clumps_before; c < world_.clumps.size(); ++c) {
      world_.ledger.added += measure::clump_energy(world_, c);
      world_.count_clump(c, world_.traffic.came);
    }
    step_->bodies_changed();
  }
}

template <int D>
void Simulation<D>::apply_loads() {
  if (loads_.empty() || own_loads_) return;
  const auto lap = step_->stopwatch().lap("loads");
  wrenches_.bodies.assign(world_.bodies.size(), {});
  wrenches_.clumps.assign(world_.clumps.size(), {});
  for (auto& load : loads_) load->add(world_, team_, wrenches_);
  for (std::size_t i = 0; i < wrenches_.bodies.size(); ++i) {
    world_.bodies.force[i] += wrenches_.bodies[i].force;
    world_.bodies.torque[i] += wrenches_.bodies[i].torque;
  }
  for (std::size_t c = 0; c < wrenches_.clumps.size(); ++c) {
    world_.clumps.force[c] += wrenches_.clumps[c].force;
    world_.clumps.torque[c] += wrenches_.clumps[c].torque;
  }
}

// Work of the loads over half a step, with the velocities of this instant.
template <int D>
void Simulation<D>::book_loads() {
  if (loads_.empty() || own_loads_ || !keep_energy_) return;
  double power = 0;
  for (std::size_t i = 0; i < wrenches_.bodies.size(); ++i) {
    if (world_.bodies.moving[i].held != world::Held::kFree) continue;
    power += math::dot(wrenches_.bodies[i].force, world_.velocity(i)) +
             math::dot(wrenches_.bodies[i].torque, world_.spin(i));
  }
  for (std::size_t c = 0; c < wrenches_.clumps.size(); ++c) {
    power += math::dot(wrenches_.clumps[c].force, world_.clump_velocity(c)) +
             math::dot(wrenches_.clumps[c].torque, world_.clump_spin(c));
  }
  world_.ledger.loads += 0.5 * power * world_.dt;
}

// Forces of the present instant; whoever is due then sees positions, velocities and contact forces of the same time.
template <int D>
void Simulation<D>::look(bool last) {
  bool any = false, contacts = false;
  for (const auto& watch : watches_) {
    if (!watch->due(world_.step, last)) continue;
    any = true;
    contacts = contacts || watch->wants_contacts();
  }
  step_->forces(world_, keep_energy_, any || last || !loads_.empty(), contacts);
  apply_loads();
  book_loads();
  if (!any) return;
  const auto lap = step_->stopwatch().lap("look");
  step_->gather_records(records_);
  const measure::Sight<D> sight{world_, records_, step_->contacts()};
  for (auto& watch : watches_) {
    if (!watch->due(world_.step, last)) continue;
    watch->look(sight);
    enough_ = enough_ || watch->wants_end();
  }
}

// Whoever has passed an outlet goes, as one who leaves the domain does.
template <int D>
void Simulation<D>::open_outlets() {
  if (world_.traffic.outlets.empty()) return;
  const std::size_t before = step_->left_domain.size();
  const auto outlet_at = [&](const math::Vec<D>& x) -> world::Outlet<D>* {
    for (auto& outlet : world_.traffic.outlets) {
      if (outlet.passed(x)) return &outlet;
    }
    return nullptr;
  };
  for (std::size_t i = 0; i < world_.bodies.size(); ++i) {
    world::Moving<D>& m = world_.bodies.moving[i];
    if (m.held != world::Held::kFree || m.gone) continue;
    world::Outlet<D>* outlet = outlet_at(world_.bodies.place[i].x);
    if (outlet == nullptr) continue;
    m.gone = true;
    world_.count_body(i, outlet->went);
    step_->left_domain.push_back(world_.bodies.id[i]);
  }
  world::Clumps<D>& clumps = world_.clumps;
  for (std::size_t c = 0; c < clumps.size(); ++c) {
    world::Outlet<D>* outlet = clumps.gone[c] == 0 ? outlet_at(clumps.x[c]) : nullptr;
    if (outlet == nullptr) continue;
    clumps.gone[c] = 1;
    world_.count_clump(c, outlet->went);
    for (std::uint32_t m = clumps.start[c]; m < clumps.start[c + 1]; ++m)
      world_.bodies.moving[clumps.member[m]].gone = true;
    step_->left_domain.push_back(clumps.first_member[c]);
  }
  if (step_->left_domain.size() > before) step_->bodies_changed();
}

template <int D>
void Simulation<D>::drop_bodies() {
  if (world_.domain.outside == world::Outside::kStop && !step_->left_domain.empty()) {
    throw base::RunError(fmt::format("body {} left the domain at time {:.6g} s (step {})", step_->left_domain.front(),
                                     world_.time, world_.step),
                         "make the domain larger or close it with walls, or set domain.outside = \"remove\"");
  }
  open_outlets();
  if (step_->left_domain.empty()) return;
  for (const std::int64_t id : step_->left_domain) {
    left_.push_back({id, world_.time});
    ++world_.removed;
  }
  for (std::size_t i = 0; i < world_.bodies.size(); ++i) {
    if (!world_.bodies.moving[i].gone) continue;
    world_.bodies.force[i] = {};  // of the step before: no part of what the body takes along
    world_.bodies.torque[i] = {};
    if (world_.bodies.moving[i].held == world::Held::kFree) {
      world_.ledger.added -= measure::body_energy(world_, i);
      world_.count_body(i, world_.traffic.went);
    }
    for (auto& watch : watches_) watch->body_left(world_, i);
  }
  for (std::size_t c = 0; c < world_.clumps.size(); ++c) {
    if (world_.clumps.gone[c] == 0) continue;
    world_.clumps.force[c] = {};
    world_.clumps.torque[c] = {};
    world_.ledger.added -= measure::clump_energy(world_, c);
    world_.count_clump(c, world_.traffic.went);
  }
}

template <int D>
void Simulation<D>::check_rest() {
  if (ending_.rest_energy <= 0 || world_.step % 100 != 0) return;
  for (const auto& change : changes_) {
    if (!change->done(world_)) return;
  }
  double kinetic = 0;
  std::size_t free = 0;
  for (std::size_t i = 0; i < world_.bodies.size(); ++i) {
    const auto& m = world_.bodies.moving[i];
    if (m.held != world::Held::kFree) continue;
    kinetic += 0.5 * world_.bodies.mass[i] * math::norm2(m.v) + 0.5 * world_.bodies.inertia[i] * math::norm2(m.w);
    ++free;
  }
  const auto& clumps = world_.clumps;
  for (std::size_t c = 0; c < clumps.size(); ++c)
    kinetic += 0.5 * clumps.mass[c] * math::norm2(clumps.v[c]) + 0.5 * math::dot(clumps.momentum[c], clumps.w[c]);
  free += clumps.size();
  const bool still = kinetic < ending_.rest_energy * static_cast<double>(free);
  at_rest_ = moved_ && still;  // bodies that have not begun to fall are not at rest
  moved_ = moved_ || !still;
}

template <int D>
void Simulation<D>::check_collisions() {
  if (ending_.collisions <= 0 || world_.step % 10 != 0) return;
  enough_ = enough_ || measure::collisions_per_body(world_) >= ending_.collisions;
}

template <int D>
Status Simulation<D>::status() const {
  Status s;
  s.time = world_.time;
  s.step = world_.step;
  s.end_step = ending_.steps;
  s.end_time = static_cast<double>(ending_.steps) * world_.dt;
  s.bodies = world_.bodies.size();
  s.contacts = step_->contacts();
  s.removed = world_.removed;
  s.neighbour_finds = step_->times_found();
  s.kinetic = measure::measure_energy(world_).kinetic();
  return s;
}

template class Simulation<2>;
template class Simulation<3>;

}  // namespace moraine::sim
