// SPDX-License-Identifier: MIT
#include "hard/mixed_iteration.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "hard/step_control.hpp"

namespace moraine::hard {

namespace {

// The step grows after a step of at most so many tests of convergence and shrinks after one of more than so many: the
// numbers of Sun's program (appendix E), which adds or takes away a fixed amount instead of a factor.
constexpr std::int64_t kFewTests = 20, kManyTests = 90;
constexpr double kGrow = 1.25, kShrink = 0.8;
// With the direct solver an iteration that needs more rounds than this costs more than two steps of half the length.
constexpr std::int64_t kMostSolutions = 1000;
// Halvings of a step that does not converge, if the scene names no smallest step.
constexpr double kHalvings = 1024;
constexpr double kRounding = 1e-15;
// Moves that change by less than this part of them in so many sweeps have come to their end.
constexpr double kStill = 1e-14;
constexpr std::int64_t kLookAtMoves = 10;
// Energy: near rest the quotient of two kinetic energies says nothing.
constexpr double kFactorAtMost = 0.1;

// The orientation after a step with the spin w and its rates d0 and d1 at start and end. In 3D turns do not commute,
// which costs -(h^3 / 12) w x w' (Magnus); without it orientations would be of a lower order than positions.
void turn_over(double& q, double w, double d0, double d1, double h, double fix) {
  q += h * w + h * h * (2 * d0 + d1) / 6 + fix;
}
void turn_over(math::Quaternion& q, const math::Vec3& w, const math::Vec3& d0, const math::Vec3& d1, double h,
               const math::Vec3& fix) {
  const math::Vec3 turned = w * h + (d0 * 2 + d1) * (h * h / 6) - math::cross(w, d0 + d1) * (h * h * h / 24) + fix;
  q = math::normalised(math::from_rotation(turned) * q);
}

template <int D>
bool same_but_for_rounding(const Moves<D>& x, const Moves<D>& y) {
  double off = 0, size = 0, off_turn = 0, turn = 0;
  for (std::size_t i = 0; i < x.x.size(); ++i) {
    off = std::max(off, math::norm(x.x[i] - y.x[i]));
    size = std::max(size, math::norm(x.x[i]));
  }
  for (std::size_t i = 0; i < x.turn.size(); ++i) {
    off_turn = std::max(off_turn, math::norm(x.turn[i] - y.turn[i]));
    turn = std::max(turn, math::norm(x.turn[i]));
  }
  return off <= kStill * size && off_turn <= kStill * turn;
}

double largest(const std::vector<double>& values) {
  double most = 0;
  for (const double v : values) most = std::max(most, std::fabs(v));
  return most;
}

}  // namespace

template <int D>
MixedIteration<D>::MixedIteration(Formulation<D>& newton_euler, const System<D>& system, Outer<D>& outer,
                                  const Settings& settings)
    : form_(newton_euler),
      system_(system),
      outer_(outer),
      settings_(settings),
      rows_(system),
      matrix_(system),
      gamma_(system.row_count(), 0),
      b_(system.row_count(), 0) {
  system.read(outer.world(), k0_);  // nodes that do not yield stay where they are
  a0_ = a_ = system_.no_moves();
}

template <int D>
void MixedIteration<D>::restart() {
  known_ = false;
  step_ = other_step_ = other_cost_ = 0;
}

template <int D>
std::vector<double> MixedIteration<D>::memory() const {
  std::vector<double> numbers{step_, other_step_, other_cost_};
  if (known_) numbers.insert(numbers.end(), gamma_.begin(), gamma_.end());
  return numbers;
}

template <int D>
void MixedIteration<D>::recall(const std::vector<double>& memory) {
  step_ = memory.at(0);
  other_step_ = memory.at(1);
  other_cost_ = memory.at(2);
  known_ = memory.size() == gamma_.size() + 3;
  if (known_) gamma_.assign(memory.begin() + 3, memory.end());
}

// At the present state and forces: of loads, of damping, and of held nodes that move and pull on the others.
template <int D>
typename MixedIteration<D>::Powers MixedIteration<D>::powers() const {
  return {outer_.load_power, outer_.damping_power, held_power(system_, rows_, k_, gamma_) + outer_.contact_held_power(),
          outer_.friction_power()};
}

// Accelerations at the start of a step, from the forces that the last one ended with.
template <int D>
void MixedIteration<D>::begin_step(double t) {
  k_ = k0_;
  rows_.update(system_, k_);
  matrix_.assemble(rows_, k_);
  outer_.accelerate(t, k_, a0_);
  for (std::size_t r = 0; r < gamma_.size(); ++r) matrix_.add(a0_, r, gamma_[r]);
  powers0_ = powers();
  kinetic0_ = kinetic(k0_);
  gamma0_ = gamma_;
}

// The end of the step, from the accelerations at both ends and what corrections have added.
template <int D>
void MixedIteration<D>::move(double h) {
  for (std::size_t i = 0; i < system_.movable(); ++i) {
    k_.x[i] = k0_.x[i] + k0_.v[i] * h + (a0_.x[i] * 2 + a_.x[i]) * (h * h / 6) + fix_x_.x[i];
    k_.v[i] = k0_.v[i] + (a0_.x[i] + a_.x[i]) * (0.5 * h) + fix_v_.x[i];
  }
  for (const std::uint32_t i : system_.turning_nodes) {
    k_.q[i] = k0_.q[i];
    turn_over(k_.q[i], k0_.w[i], a0_.turn[i], a_.turn[i], h, fix_x_.turn[i]);
    k_.w[i] = k0_.w[i] + (a0_.turn[i] + a_.turn[i]) * (0.5 * h) + fix_v_.turn[i];
  }
  if (settings_.correct.energy == When::kInside) correct_energy(h);
}

// One sweep of Gauss and Seidel, over-relaxed: base + apart(moves) to zero, row by row.
template <int D>
void MixedIteration<D>::relax(const std::vector<double>& base, Moves<D>& moves, std::vector<double>* forces,
                              Round& round) const {
  for (std::size_t r = 0; r < base.size(); ++r) {
    const double rest = base[r] + matrix_.apart(moves, r);
    const double change = settings_.over_relaxation * rest / matrix_.diagonal()[r];
    round.rest = std::max(round.rest, std::fabs(rest));
    round.change = std::max(round.change, std::fabs(change));
    matrix_.add(moves, r, change);
    if (forces != nullptr) (*forces)[r] += change;
  }
}

// New forces, and the accelerations they make, with the coefficients of the present state: one sweep, or H gamma = b.
template <int D>
void MixedIteration<D>::find_forces(double t, Round& round) {
  outer_.accelerate(t, k_, a_);
  const std::vector<double>& diagonal = matrix_.diagonal();
  double fastest = 0;
  for (const Vec<D>& a : a_.x) fastest = std::max(fastest, math::norm(a));
  for (std::size_t r = 0; r < b_.size(); ++r) b_[r] = rows_.bend[r] + matrix_.apart(a_, r);
  round.side = largest(b_);
  if (outer_.has_contacts()) {  // these follow the motion as well, and must have come to rest
    round.side = std::max(round.side, fastest);
    for (std::size_t i = 0; i < system_.movable(); ++i)
      round.rest = std::max(round.rest, math::norm(a_.x[i] - outer_before_.x[i]));
    outer_before_ = a_;
  }
  if (direct()) {
    matrix_.factor();
    matrix_.solve(b_);
    for (std::size_t r = 0; r < b_.size(); ++r) {
      const double change = std::fabs(b_[r] - gamma_[r]);
      round.change = std::max(round.change, change);
      round.rest = std::max(round.rest, change * diagonal[r]);
    }
    gamma_ = b_;
    for (std::size_t r = 0; r < b_.size(); ++r) matrix_.add(a_, r, gamma_[r]);
  } else {
    for (std::size_t r = 0; r < b_.size(); ++r) matrix_.add(a_, r, gamma_[r]);
    relax(rows_.bend, a_, &gamma_, round);
  }
  round.force = largest(gamma_);
  for (std::size_t r = 0; r < gamma_.size(); ++r) fastest = std::max(fastest, std::fabs(gamma_[r]) * diagonal[r]);
  round.noise = kRounding * fastest;
}

// Violations of the present state, swept along; what was added to x and v stays added.
template <int D>
void MixedIteration<D>::correct_inside(Round& round) {
  const auto once = [&](const std::vector<double>& violation, Moves<D>& kept) {
    if (direct()) {
      b_ = violation;
      matrix_.solve(b_);
      for (std::size_t r = 0; r < b_.size(); ++r) matrix_.add(kept, r, b_[r]);
      return;
    }
    system_.clear(fix_);
    Round ignored;
    relax(violation, fix_, nullptr, ignored);
    for (std::size_t i = 0; i < fix_.x.size(); ++i) kept.x[i] += fix_.x[i];
    for (std::size_t i = 0; i < fix_.turn.size(); ++i) kept.turn[i] += fix_.turn[i];
  };
  if (settings_.correct.position == When::kInside) {
    round.gap = largest(rows_.gap);
    round.length = system_.longest;
    once(rows_.gap, fix_x_);
  }
  if (settings_.correct.velocity == When::kInside) {
    round.rate = largest(rows_.rate);
    // Near rest there is no speed to compare with but that of a fall through the longest link.
    round.speed = std::sqrt(math::norm(outer_.world().gravity) * system_.longest);
    for (const Vec<D>& v : k_.v) round.speed = std::max(round.speed, math::norm(v));
    once(rows_.rate, fix_v_);
  }
}

template <int D>
bool MixedIteration<D>::converged(const Round& round) const {
  const double part = settings_.solver_tolerance;
  const bool rounding = round.rest <= round.noise;
  return (rounding || (round.rest <= part * round.side && round.change <= part * round.force)) &&
         round.gap <= std::max(part, kRounding) * round.length && round.rate <= std::max(part, kRounding) * round.speed;
}

// The step from t to t + h; false if it does not converge.
template <int D>
bool MixedIteration<D>::iterate(double t, double h, Round& round) {
  k_ = k0_;
  system_.guide(outer_.world(), t + h, k_);
  gamma_ = gamma0_;
  a_ = a0_;
  fix_x_ = fix_v_ = outer_before_ = system_.no_moves();
  move(h);
  const std::int64_t between = direct() ? 1 : settings_.sweeps;
  // Contacts are solved in each sweep, and stiff friction needs a shorter step rather than more sweeps.
  const std::int64_t most =
      direct() || outer_.has_contacts() ? std::min(kMostSolutions, settings_.most_sweeps) : settings_.most_sweeps;
  for (std::int64_t sweep = 1; sweep <= most; ++sweep) {
    round = {};
    round.sweeps = sweep;
    rows_.update(system_, k_);
    matrix_.assemble(rows_, k_);
    find_forces(t + h, round);
    correct_inside(round);
    if (!(round.rest < 1e300) || !(round.force < 1e300) || !(round.gap < 1e300) || !(round.rate < 1e300)) return false;
    move(h);
    if (sweep % between == 0 && converged(round)) return true;
  }
  return false;
}

// Moves that take a violation out of the rows, down to `nothing`; false if the sweeps do not converge. Where links
// depend on each other no moves take all of it out: sweeps then come to moves that they no longer change.
template <int D>
bool MixedIteration<D>::settle(const std::vector<double>& base, double nothing, Moves<D>& moves, std::int64_t& sweeps) {
  if (direct()) {
    matrix_.factor();
    b_ = base;
    matrix_.solve(b_);
    for (std::size_t r = 0; r < b_.size(); ++r) matrix_.add(moves, r, b_[r]);
    return true;
  }
  const double enough = std::max(std::max(settings_.solver_tolerance, kRounding) * largest(base), nothing);
  Moves<D> before = moves;
  for (std::int64_t sweep = 1; sweep <= settings_.most_sweeps; ++sweep) {
    Round round;
    relax(base, moves, nullptr, round);
    ++sweeps;
    if (round.rest <= enough) return true;
    if (!(round.rest < 1e300)) return false;
    if (sweep % kLookAtMoves != 0) continue;
    if (same_but_for_rounding(moves, before)) return true;
    before = moves;
  }
  return false;
}

// H dl = gap (5.17).
template <int D>
bool MixedIteration<D>::correct_position(std::int64_t& sweeps) {
  rows_.update(system_, k_);
  if (largest(rows_.gap) <= kRounding * system_.longest) return true;
  matrix_.assemble(rows_, k_);
  system_.clear(fix_);
  if (!settle(rows_.gap, kRounding * system_.longest, fix_, sweeps)) return false;
  system_.shift(fix_, k_);
  return true;
}

// H dv = rate (5.29).
template <int D>
bool MixedIteration<D>::correct_velocity(std::int64_t& sweeps) {
  rows_.update(system_, k_);
  double fastest = 0;
  for (const Vec<D>& v : k_.v) fastest = std::max(fastest, math::norm(v));
  if (largest(rows_.rate) <= kRounding * fastest) return true;
  matrix_.assemble(rows_, k_);
  system_.clear(fix_);
  if (!settle(rows_.rate, kRounding * fastest, fix_, sweeps)) return false;
  system_.kick(fix_, k_);
  return true;
}

template <int D>
bool MixedIteration<D>::correct_at_end(std::int64_t& sweeps) {
  if (settings_.correct.position == When::kEnd && !correct_position(sweeps)) return false;
  return settings_.correct.velocity != When::kEnd || correct_velocity(sweeps);
}

// Of all that the equations move; other bodies spin on by themselves.
template <int D>
double MixedIteration<D>::kinetic(const Kinematics<D>& k) const {
  double sum = 0;
  for (std::size_t i = 0; i < system_.movable(); ++i) sum += 0.5 * system_.mass[i] * math::norm2(k.v[i]);
  for (const std::uint32_t i : system_.turning_nodes)
    sum += 0.5 * math::dot(k.w[i], system_.momentum_of(i, k.q[i], k.w[i]));
  return sum;
}

// Velocities by a common factor, so that the kinetic energy has grown by the work done (5.31 to 5.37, with the whole
// factor and not its first two terms). Weight exactly; loads, damping and held nodes by the mean of both ends.
template <int D>
void MixedIteration<D>::correct_energy(double h) {
  const Powers now = powers();
  double work = 0.5 * h *
                (powers0_.loads + now.loads + powers0_.held + now.held - powers0_.damping - now.damping -
                 powers0_.friction - now.friction);
  for (std::size_t i = 0; i < system_.movable(); ++i)
    work += system_.mass[i] * math::dot(outer_.world().gravity, k_.x[i] - k0_.x[i]);
  const double is = kinetic(k_), target = kinetic0_ + work;
  const double factor = is > 0 && target > 0 ? std::sqrt(target / is) : 1;
  if (!(std::fabs(factor - 1) < kFactorAtMost)) return;
  for (std::size_t i = 0; i < system_.movable(); ++i) k_.v[i] *= factor;
  for (const std::uint32_t i : system_.turning_nodes) k_.w[i] *= factor;
}

template <int D>
void MixedIteration<D>::give_up(double t, double step, const Round& round, std::int64_t correcting) const {
  if (correcting > 0) {
    throw base::RunError(
        fmt::format("the corrections of violated links do not converge at time {:.6g} s, even with a step of {:.3g} s, "
                    "in {} sweeps",
                    t, step, correcting),
        "make the step shorter (time.step) or hard.smallest_step smaller, use a larger hard.solver_tolerance or "
        "hard.most_sweeps, or hard.solver = \"direct\"");
  }
  throw base::RunError(
      fmt::format("the mixed iteration does not converge at time {:.6g} s, even with a step of {:.3g} s: after {} "
                  "sweeps the largest rest is {:.3g} of the right-hand side",
                  t, step, round.sweeps, round.side > 0 ? round.rest / round.side : round.rest),
      "make the step shorter (time.step) or hard.smallest_step smaller, use a larger hard.solver_tolerance or "
      "hard.most_sweeps, or hard.solver = \"direct\"");
}

// How long the next step should be, after one that took so many sweeps (5.3.4). A long chain takes many sweeps however
// short the step: it then goes back to the length that costs fewer sweeps per unit of time.
template <int D>
double MixedIteration<D>::adapted(double step, std::int64_t sweeps, double smallest, double longest) {
  const std::int64_t tests = direct() ? sweeps : sweeps / settings_.sweeps;
  const double cost = static_cast<double>(sweeps) / step;
  double next = step;
  if (tests <= kFewTests) {
    next = std::min(kGrow * step, longest);
  } else if (tests > kManyTests) {
    const bool other_is_cheaper = other_step_ > 0 && other_cost_ < cost;
    if (other_step_ > step && other_is_cheaper) {
      next = std::min(other_step_, longest);
    } else if (other_step_ == 0 || other_step_ > step || other_is_cheaper) {
      next = std::max(kShrink * step, std::min(smallest, step));
    }
  }
  if (next == step) return step;
  other_step_ = step;
  other_cost_ = cost;
  return next;
}

template <int D>
void MixedIteration<D>::advance(Equations& equations, double t, double h, std::vector<double>& y,
                                world::LinkReport& report) {
  const double smallest = settings_.smallest_step > 0 ? settings_.smallest_step : h / kHalvings;
  if (!known_) {
    std::vector<double> slope(y.size());
    equations.derivative(t, y.data(), slope.data());
    ++report.evaluations;
    gamma_ = form_.forces();
    known_ = true;
  }
  form_.unpack(t, y.data(), k0_);
  Powers works;
  double step = settings_.adaptive && step_ > 0 ? std::min(step_, h) : h;
  double now = t, done = 0, shortest = h;
  begin_step(now);
  while (done < h) {
    const double piece = next_piece(step, h - done);
    Round round;
    std::int64_t correcting = 0;
    const bool good = iterate(now, piece, round) && correct_at_end(correcting);
    report.iterations += round.sweeps + correcting;
    report.evaluations += round.sweeps;
    if (!good) {
      ++report.rejected;
      gamma_ = gamma0_;
      step = 0.5 * piece;
      if (step < smallest) give_up(now, piece, round, correcting);
      continue;
    }
    if (settings_.correct.energy == When::kEnd) correct_energy(piece);
    done = piece == h - done ? h : done + piece;
    now = t + done;
    k0_ = k_;
    const Powers before = powers0_;
    begin_step(now);
    ++report.evaluations;
    works.loads += 0.5 * piece * (before.loads + powers0_.loads);
    works.damping += 0.5 * piece * (before.damping + powers0_.damping);
    works.held += 0.5 * piece * (before.held + powers0_.held);
    works.friction += 0.5 * piece * (before.friction + powers0_.friction);
    shortest = std::min(shortest, piece);
    ++report.steps;
    // A small piece cut to land on the end says nothing of whole steps.
    if (settings_.adaptive && piece >= 0.5 * step) step = adapted(step, round.sweeps, smallest, h);
  }
  step_ = step;
  report.shortest_step = shortest;
  const std::vector<double> so_far(y.end() - static_cast<std::ptrdiff_t>(outer_.works()), y.end());
  form_.pack(k_, y);
  if (so_far.empty()) return;
  double* at = y.data() + y.size() - so_far.size();
  at[0] = so_far[0] + works.loads;
  at[1] = so_far[1] + works.damping;
  at[2] = so_far[2] + works.held;
  if (so_far.size() > 3) at[3] = so_far[3] + works.friction;
}

template <int D>
std::unique_ptr<Integrator> make_mixed_iteration(Formulation<D>& newton_euler, const System<D>& system, Outer<D>& outer,
                                                 const Settings& settings) {
  return std::make_unique<MixedIteration<D>>(newton_euler, system, outer, settings);
}

#define MORAINE_INSTANTIATE(D)                                                                               \
  template class MixedIteration<D>;                                                                          \
  template std::unique_ptr<Integrator> make_mixed_iteration<D>(Formulation<D>&, const System<D>&, Outer<D>&, \
                                                               const Settings&);
MORAINE_INSTANTIATE(2)
MORAINE_INSTANTIATE(3)

}  // namespace moraine::hard
