// SPDX-License-Identifier: MIT
#include "hard/hard_step.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "hard/show_links.hpp"

namespace moraine::hard {

namespace {
constexpr double kWorthwhile = 100;  // tolerances that a violation must have for a multistep method to begin anew
constexpr double kTornApart = 0.3;   // violation over the length of the shortest link that no correction makes good
constexpr double kScattered = 10;    // the same where nobody corrects: whoever wants to see links drift may
}  // namespace

template <int D>
bool HardStep<D>::take_loads(const typename Outer<D>::Loads& loads) {
  loads_ = &loads;
  return true;
}

template <int D>
void HardStep<D>::assemble(World<D>& world) {
  const bool outer_forces = (loads_ != nullptr && !loads_->empty()) || world.global_damping > 0;
  system_ = std::make_unique<System<D>>(world, outer_forces);
  outer_ = std::make_unique<Outer<D>>(world, *system_, team_, loads_);
  formulation_ = settings_.formulation == FormulationKind::kLagrange
                     ? make_lagrange(world, *system_, *outer_, settings_)
                     : make_newton_euler(world, *system_, *outer_, settings_);
  integrator_ = make_integrator(*formulation_, *system_, *outer_, settings_);
  links_ = static_cast<std::int64_t>(world.links.size());
  system_->read(world, k_);
  formulation_->pack(k_, y_);
  slope_.assign(y_.size(), 0);
  changed_ = false;
}

template <int D>
void HardStep<D>::begin(World<D>& world, const base::Record* resumed) {
  assemble(world);
  mark_base(world);
  if (resumed == nullptr) return;
  formulation_->set_charts(resumed->real("hard.charts"));
  y_ = resumed->real("hard.y");
  formulation_->set_forces(resumed->real("hard.forces"));
  integrator_->recall(resumed->real("hard.memory"));
  if (!integrator_->has_history()) return;
  // The history of a multistep method cannot be saved: it is made anew, from where it began.
  base_y_ = resumed->real("hard.base_y");
  base_forces_ = resumed->real("hard.base_forces");
  base_step_ = resumed->count("hard.base_step");
  formulation_->set_forces(base_forces_);
  std::vector<double> y = base_y_;
  world::LinkReport report;
  for (std::int64_t step = base_step_; step < world.step; ++step)
    integrator_->advance(*formulation_, static_cast<double>(step) * world.dt, world.dt, y, report);
}

// From here a multistep method begins anew.
template <int D>
void HardStep<D>::mark_base(const World<D>& world) {
  base_y_ = y_;
  base_forces_ = formulation_->forces();
  base_step_ = world.step;
}

template <int D>
void HardStep<D>::save(base::Record& record) const {
  record.reals["hard.y"] = y_;
  record.reals["hard.forces"] = formulation_->forces();
  record.reals["hard.charts"] = formulation_->charts();
  record.reals["hard.memory"] = integrator_->memory();
  if (!integrator_->has_history()) return;
  record.reals["hard.base_y"] = base_y_;
  record.reals["hard.base_forces"] = base_forces_;
  record.set("hard.base_step", base_step_);
}

template <int D>
void HardStep<D>::forces(World<D>& world, bool /*keep_energy*/, bool looked_at, bool /*keep_records*/) {
  if (changed_) {
    assemble(world);
    mark_base(world);
  }
  if (!looked_at) return;
  const auto lap = stopwatch_.lap("link forces");
  const double now = world.time;
  const std::vector<double> guess = formulation_->forces();  // looking must not change what comes next
  formulation_->derivative(now, y_.data(), slope_.data());
  const Violation v = formulation_->violation(now, y_.data());
  world.report.position = v.position;
  world.report.velocity = v.velocity;
  formulation_->unpack(now, y_.data(), k_);
  system_->write(k_, world);
  world.time = now;
  records_.clear();
  show_links(*system_, k_, formulation_->forces(), world, records_);
  sort_records(records_);
  formulation_->set_forces(guess);
}

template <int D>
void HardStep<D>::advance(World<D>& world, bool /*keep_energy*/) {
  if (changed_) {
    assemble(world);
    mark_base(world);
  }
  integrate(world);
  check_state(world);
}

template <int D>
void HardStep<D>::integrate(World<D>& world) {
  const double t = static_cast<double>(world.step) * world.dt;
  const bool energy = settings_.correct.energy != When::kNever;
  double kinetic = 0;
  std::vector<Vec<D>> from;
  if (energy) {
    formulation_->unpack(t, y_.data(), k_);
    kinetic = system_->kinetic(k_);
    from = k_.x;
  }
  // What is counted at the end of y, from the start of the run.
  const auto counted = [&](std::size_t which) { return outer_->works() > 0 ? y_[y_.size() - 3 + which] : 0; };
  const double loads = counted(0), damping = counted(1), held = counted(2);
  world.report = {.position = world.report.position, .velocity = world.report.velocity};
  const std::int64_t sweeps = formulation_->iterations();
  {
    const auto lap = stopwatch_.lap("integrate");
    integrator_->advance(*formulation_, t, world.dt, y_, world.report);
  }
  world.report.iterations += formulation_->iterations() - sweeps;
  ++world.step;
  world.time = static_cast<double>(world.step) * world.dt;
  world.ledger.loads += counted(0) - loads;
  world.ledger.global_damping += counted(1) - damping;
  world.ledger.walls += counted(2) - held;
  // What it is to be, but for the work of gravity.
  kinetic += counted(0) - loads - (counted(1) - damping) + counted(2) - held;
  correct(world, kinetic, from);
  formulation_->unpack(world.time, y_.data(), k_);
  for (std::size_t i = 0; i < system_->movable(); ++i) {
    if (system_->turns[i] == 0) math::turn(k_.q[i], k_.w[i], world.dt);
  }
  const double now = world.time;
  system_->write(k_, world);
  world.time = now;
}

// A correction takes the history of a multistep method away, and it must begin anew: only where there is something to
// correct, by the measure of its tolerance.
template <int D>
bool HardStep<D>::worth_correcting(const World<D>& world, const Violation& v, double energy) const {
  if (!integrator_->has_history()) return true;
  const double length = system_->longest, mass = system_->total_mass;
  double speed = 0;
  for (std::size_t i = 0; i < system_->movable(); ++i) speed = std::max(speed, math::norm(k_.v[i]));
  const double least = kWorthwhile * settings_.tolerance;
  return v.position > least * length || v.velocity > least * speed ||
         std::fabs(energy) > least * mass * (math::norm(world.gravity) * length + speed * speed);
}

template <int D>
void HardStep<D>::correct(World<D>& world, double kinetic, const std::vector<Vec<D>>& from) {
  const auto lap = stopwatch_.lap("correct");
  const bool position = settings_.correct.position != When::kNever,
             velocity = settings_.correct.velocity != When::kNever;
  const bool mixed = settings_.integrator == IntegratorKind::kMixedIteration;
  bool changed = false;
  Violation found;
  if (integrator_->has_history()) {
    found = formulation_->violation(world.time, y_.data());
    formulation_->unpack(world.time, y_.data(), k_);
  }
  if ((position || velocity) && !mixed && worth_correcting(world, found, 0)) {
    check_together(world, formulation_->correct(world.time, y_.data(), position, velocity), kTornApart);
    changed = true;
  }
  if (!position || mixed)
    check_together(world, formulation_->violation(world.time, y_.data()).position / system_->shortest, kScattered);
  if (settings_.correct.energy != When::kNever && !mixed) {
    // Sun 5.31 to 5.37, with the whole factor and not its first two terms.
    formulation_->unpack(world.time, y_.data(), k_);
    double work = 0;
    for (std::size_t i = 0; i < system_->movable(); ++i)
      work += system_->mass[i] * math::dot(world.gravity, k_.x[i] - from[i]);
    const double now = system_->kinetic(k_), target = kinetic + work;
    const double factor = now > 0 && target > 0 ? std::sqrt(target / now) : 1;
    if (std::fabs(factor - 1) < 0.1 && worth_correcting(world, {}, target - now)) {  // near rest it says nothing
      formulation_->scale_velocities(y_.data(), factor);
      changed = true;
    }
  }
  changed = formulation_->change_charts(y_.data()) || changed;
  const bool long_ago = world.step - base_step_ >= 1000;
  if (integrator_->has_history() && (changed || long_ago)) {  // one-step methods keep their step
    integrator_->restart();
    mark_base(world);
  }
}

// `gap`: the largest violation over the length of the shortest link.
template <int D>
void HardStep<D>::check_together(const World<D>& world, double gap, double most) const {
  if (system_->arcs.empty() || gap < most) return;
  throw base::RunError(fmt::format("links have come apart by {:.3g} of the shortest link's length at time {:.6g} s "
                                   "(step {})",
                                   gap, world.time, world.step),
                       "make the step shorter (time.step), use an integrator that chooses its steps, or correct "
                       "violations (hard.correction)");
}

template <int D>
void HardStep<D>::check_state(const World<D>& world) const {
  for (std::size_t i = 0; i < system_->movable(); ++i) {
    if (!math::is_finite(k_.x[i]) || !math::is_finite(k_.v[i])) {
      throw base::RunError(fmt::format("body {} has a position or velocity that is no longer a number at time {:.6g} "
                                       "s (step {})",
                                       system_->id_of(i), world.time, world.step),
                           "make the step shorter (time.step)");
    }
    if (world.domain.contains(k_.x[i])) continue;
    throw base::RunError(
        fmt::format("body {} left the domain at time {:.6g} s (step {})", system_->id_of(i), world.time, world.step),
        "make the domain larger, or leave out its bounds: links do not end there");
  }
}

template class HardStep<2>;
template class HardStep<3>;

}  // namespace moraine::hard
