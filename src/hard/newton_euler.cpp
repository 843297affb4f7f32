// SPDX-License-Identifier: MIT
#include "hard/newton_euler.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "base/error.hpp"

namespace moraine::hard {

namespace {
constexpr std::size_t kAngles2 = 1, kAngles3 = 4;
template <int D>
constexpr std::size_t kTurnNumbers = D == 2 ? kAngles2 + 1 : kAngles3 + 3;
}  // namespace

template <int D>
NewtonEuler<D>::NewtonEuler(World<D>& world, const System<D>& system, Outer<D>& outer, const Settings& settings)
    : world_(world),
      system_(system),
      outer_(outer),
      settings_(settings),
      inside_position_(settings.correct.position == When::kInside),
      inside_velocity_(settings.correct.velocity == When::kInside),
      rows_(system),
      matrix_(system),
      gamma_(system.row_count(), 0),
      b_(system.row_count(), 0) {
  size_ = offset_turning() + kTurnNumbers<D> * system.turning_nodes.size() + outer.works();
  system.read(world, k_);
  a_ = system.no_moves();
  if (!outer.varies()) outer.accelerate(world.time, k_, a_);
  torque_.assign(system.nodes(), {});
}

template <int D>
void NewtonEuler<D>::pack_into(const Kinematics<D>& k, double* y) const {
  const std::size_t n = system_.movable();
  static_assert(sizeof(Vec<D>) == D * sizeof(double));
  std::memcpy(y, k.x.data(), n * sizeof(Vec<D>));
  std::memcpy(y + D * n, k.v.data(), n * sizeof(Vec<D>));
  double* at = y + offset_turning();
  for (const std::uint32_t i : system_.turning_nodes) {
    const Spin<D> momentum = system_.momentum_of(i, k.q[i], k.w[i]);
    if constexpr (D == 2) {
      at[0] = k.q[i];
      at[1] = momentum;
    } else {
      const math::Quaternion& q = k.q[i];
      at[0] = q.w;
      at[1] = q.x;
      at[2] = q.y;
      at[3] = q.z;
      for (int c = 0; c < 3; ++c) at[4 + c] = momentum[c];
    }
    at += kTurnNumbers<D>;
  }
}

template <int D>
void NewtonEuler<D>::pack(const Kinematics<D>& k, std::vector<double>& y) {
  y.assign(size_, 0);
  pack_into(k, y.data());
}

template <int D>
void NewtonEuler<D>::unpack(double t, const double* y, Kinematics<D>& k) {
  const std::size_t n = system_.movable();
  std::memcpy(k.x.data(), y, n * sizeof(Vec<D>));
  std::memcpy(k.v.data(), y + D * n, n * sizeof(Vec<D>));
  const double* at = y + offset_turning();
  for (const std::uint32_t i : system_.turning_nodes) {
    if constexpr (D == 2) {
      k.q[i] = at[0];
      k.w[i] = system_.spin_of(i, at[0], at[1]);
    } else {
      k.q[i] = math::normalised(math::Quaternion{at[0], at[1], at[2], at[3]});
      k.w[i] = system_.spin_of(i, k.q[i], {at[4], at[5], at[6]});
    }
    at += kTurnNumbers<D>;
  }
  system_.guide(world_, t, k);
}

template <int D>
void NewtonEuler<D>::solve_links() {
  matrix_.assemble(rows_, k_);
  // b of H gamma = b: how fast the links would stretch without their forces.
  const auto find = [&](std::vector<double>& b) {
    for (std::size_t r = 0; r < b.size(); ++r) b[r] = rows_.bend[r] + matrix_.apart(a_, r);
  };
  if (settings_.solver == SolverKind::kIterative) {
    find(b_);
    return sweep_links();
  }
  find(gamma_);
  if (matrix_.factor_and_solve(gamma_)) return;
  find(gamma_);
  matrix_.solve(gamma_);
}

// Gauss-Seidel with over-relaxation (Sun 5.1, 5.2), from the forces of before. The nodes carry what the forces do to
// them, so that a row costs the same however many others it meets.
template <int D>
void NewtonEuler<D>::sweep_links() {
  const std::size_t n = b_.size();
  system_.clear(moves_);
  double largest = 0;
  for (std::size_t r = 0; r < n; ++r) {
    matrix_.add(moves_, r, gamma_[r]);
    largest = std::max(largest, std::fabs(b_[r]));
  }
  const double enough = settings_.solver_tolerance * largest;
  for (std::int64_t sweep = 1;; ++sweep) {
    double worst = 0;
    for (std::size_t r = 0; r < n; ++r) {
      const double rest = b_[r] + matrix_.apart(moves_, r);
      worst = std::max(worst, std::fabs(rest));
      const double change = settings_.over_relaxation * rest / matrix_.diagonal()[r];
      gamma_[r] += change;
      matrix_.add(moves_, r, change);
    }
    ++iterations_;
    if (worst <= enough) return;
    if (!(worst < 1e300) || sweep >= settings_.most_sweeps) {
      throw base::RunError(
          fmt::format("the iterative solver has not found the link forces in {} sweeps: the largest rest is {:.3g} of "
                      "the right-hand side",
                      sweep, largest > 0 ? worst / largest : 0),
          "use hard.solver = \"direct\", or a larger hard.solver_tolerance or hard.most_sweeps");
    }
  }
}

template <int D>
void NewtonEuler<D>::derivative(double t, const double* y, double* dy) {
  const std::size_t n = system_.movable();
  if (rows_.only_rods() && !outer_.varies()) {  // in long chains every pass counts
    system_.guide(world_, t, k_);
    rows_.update_rods(y, n, k_);
    outer_.hold(k_, a_);
  } else {
    unpack(t, y, k_);
    rows_.update(system_, k_, false);
    outer_.accelerate(t, k_, a_);
  }
  solve_links();
  std::memcpy(dy, y + D * n, n * sizeof(Vec<D>));
  std::memcpy(dy + D * n, a_.x.data(), n * sizeof(Vec<D>));
  const auto pull = [&](std::uint32_t node, const Vec<D>& force) {
    double* own = dy + D * (n + node);
    for (int c = 0; c < D; ++c) own[c] += force[c];
  };
  for (std::size_t r = 0; r < gamma_.size(); ++r) {
    const std::uint32_t i = system_.row_a[r], j = system_.row_b[r];
    pull(i, rows_.n[r] * (gamma_[r] * system_.inverse_mass[i]));
    if (j < n) pull(j, -(rows_.n[r] * (gamma_[r] * system_.inverse_mass[j])));
  }
  find_torques();
  double* at = dy + offset_turning();
  const double* state = y + offset_turning();
  for (const std::uint32_t i : system_.turning_nodes) {
    if constexpr (D == 2) {
      at[0] = k_.w[i];
      at[1] = torque_[i];
    } else {
      const Vec<3>& w = k_.w[i];
      const math::Quaternion q = math::Quaternion{0, 0.5 * w[0], 0.5 * w[1], 0.5 * w[2]} *
                                 math::Quaternion{state[0], state[1], state[2], state[3]};
      at[0] = q.w;
      at[1] = q.x;
      at[2] = q.y;
      at[3] = q.z;
      for (int c = 0; c < 3; ++c) at[4 + c] = torque_[i][c];
    }
    at += kTurnNumbers<D>;
    state += kTurnNumbers<D>;
  }
  if (outer_.works() > 0) outer_.put_powers(held_power(system_, rows_, k_, gamma_), at);
}

// The angular momentum changes by loads and links alone.
template <int D>
void NewtonEuler<D>::find_torques() {
  for (const std::uint32_t i : system_.turning_nodes) torque_[i] = outer_.torque.empty() ? Spin<D>{} : outer_.torque[i];
  for (std::size_t r = 0; r < gamma_.size() && system_.turning(); ++r) {
    torque_[system_.row_a[r]] += rows_.turn_a[r] * gamma_[r];
    torque_[system_.row_b[r]] -= rows_.turn_b[r] * gamma_[r];
  }
}

template <int D>
void NewtonEuler<D>::tidy_inside(double t, double* y) {
  correct(t, y, inside_position_, inside_velocity_);
}

template <int D>
double NewtonEuler<D>::correct(double t, double* y, bool position, bool velocity) {
  if (gamma_.empty() || (!position && !velocity)) return 0;
  unpack(t, y, k_);
  const double gap = position ? correct_position() : 0;
  if (velocity) correct_velocity(position);
  pack_into(k_, y);
  return gap / system_.shortest;
}

// H dl = gap (Sun 5.17), and again where the first time leaves something. Returns with H factored at a state so near
// that velocities can be corrected with it.
template <int D>
double NewtonEuler<D>::correct_position() {
  double first = 0;
  for (int round = 0; round < 20; ++round) {
    rows_.update(system_, k_);
    matrix_.assemble(rows_, k_);
    double worst = 0;
    for (const double g : rows_.gap) worst = std::max(worst, std::fabs(g));
    if (round == 0) first = worst;
    if (worst <= 1e-16 * system_.longest) {
      matrix_.factor();
      break;
    }
    b_ = rows_.gap;
    if (!matrix_.factor_and_solve(b_)) {
      b_ = rows_.gap;
      matrix_.solve(b_);
    }
    find_moves();
    system_.shift(moves_, k_);
    if (worst <= 1e-8 * system_.shortest) break;  // what is left is of second order
  }
  return first;
}

// What b_ along the rows does to the nodes.
template <int D>
void NewtonEuler<D>::find_moves() {
  system_.clear(moves_);
  for (std::size_t r = 0; r < b_.size(); ++r) matrix_.add(moves_, r, b_[r]);
}

// H dv = rate (Sun 5.29).
template <int D>
void NewtonEuler<D>::correct_velocity(bool factored) {
  rows_.update(system_, k_);
  if (!factored) {
    matrix_.assemble(rows_, k_);
    matrix_.factor();
  }
  b_ = rows_.rate;
  matrix_.solve(b_);
  find_moves();
  system_.kick(moves_, k_);
}

template <int D>
Violation NewtonEuler<D>::violation(double t, const double* y) {
  unpack(t, y, k_);
  rows_.update(system_, k_);
  return rows_.worst();
}

template <int D>
void NewtonEuler<D>::scale_velocities(double* y, double factor) {
  const std::size_t n = D * system_.movable();
  for (std::size_t c = n; c < 2 * n; ++c) y[c] *= factor;
  double* at = y + offset_turning();
  for (std::size_t k = 0; k < system_.turning_nodes.size(); ++k, at += kTurnNumbers<D>) {
    for (std::size_t c = kTurnNumbers<D> == 2 ? 1 : 4; c < kTurnNumbers<D>; ++c) at[c] *= factor;
  }
}

template <int D>
void NewtonEuler<D>::scales(const double* y, double* out) const {
  const std::size_t n = D * system_.movable();
  const double length = system_.longest > 0 ? system_.longest : 1;
  double speed = 0;
  for (std::size_t c = n; c < 2 * n; ++c) speed = std::max(speed, std::fabs(y[c]));
  speed = std::max({speed, std::sqrt(math::norm(world_.gravity) * length), 1e-3 * length});
  std::fill(out, out + n, length);
  std::fill(out + n, out + 2 * n, speed);
  double* at = out + offset_turning();
  for (const std::uint32_t i : system_.turning_nodes) {
    const double moment = std::sqrt(math::norm2(system_.inertia[i]));
    for (std::size_t c = 0; c < kTurnNumbers<D>; ++c) at[c] = c < (D == 2 ? 1 : 4) ? 1 : moment * speed / length;
    at += kTurnNumbers<D>;
  }
  std::fill_n(at, outer_.works(), system_.total_mass * speed * speed);
}

template <int D>
std::unique_ptr<Formulation<D>> make_newton_euler(World<D>& world, const System<D>& system, Outer<D>& outer,
                                                  const Settings& settings) {
  return std::make_unique<NewtonEuler<D>>(world, system, outer, settings);
}

#define MORAINE_INSTANTIATE(D)                                                                          \
  template class NewtonEuler<D>;                                                                        \
  template std::unique_ptr<Formulation<D>> make_newton_euler<D>(World<D>&, const System<D>&, Outer<D>&, \
                                                                const Settings&);
MORAINE_INSTANTIATE(2)
MORAINE_INSTANTIATE(3)

}  // namespace moraine::hard
