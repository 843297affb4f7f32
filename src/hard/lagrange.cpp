// SPDX-License-Identifier: MIT
#include "hard/lagrange.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/error.hpp"

namespace moraine::hard {

namespace {
// What is left of an equation's own mobility by those before it, below which it depends on them.
constexpr double kDependent = 1e-9;
}  // namespace

template <int D>
Lagrange<D>::Lagrange(World<D>& world, const System<D>& system, Outer<D>& outer, const Settings& settings)
    : world_(world),
      system_(system),
      outer_(outer),
      settings_(settings),
      inside_position_(settings.correct.position == When::kInside),
      inside_velocity_(settings.correct.velocity == When::kInside),
      tree_(system),
      mass_(tree_.empty_matrix()),
      rows_(system),
      gamma_(system.row_count(), 0),
      push_(system.movable()),
      twist_(system.movable()) {
  system.read(world, k_);
  find_bound();
}

// All rows of arcs that are cut, and the rolling of those in the tree.
template <int D>
void Lagrange<D>::find_bound() {
  std::vector<std::uint8_t> cut(system_.arcs.size(), 0);
  for (const std::uint32_t arc : tree_.forest().cut) cut[arc] = 1;
  for (std::size_t v = 0; v < cut.size(); ++v) {
    const Arc<D>& arc = system_.arcs[v];
    const bool joint = arc.kind == world::LinkKind::kJoint;
    for (std::uint32_t s = 0; s < arc.rows; ++s) {
      if (cut[v] != 0 || (s > 0 && !joint)) bound_.push_back({arc.row + s, arc.a, arc.b});
    }
  }
  jacobian_.resize(bound_.size() * tree_.count());
  ease_.resize(jacobian_.size());
}

// Velocities that violate links are replaced by the nearest that do not, by kinetic energy: what an impact without
// rebound in the links of the tree would leave.
template <int D>
void Lagrange<D>::pack(const Kinematics<D>& k, std::vector<double>& y) {
  const std::size_t n = tree_.count();
  y.assign(size(), 0);
  tree_.find(k, y.data(), y.data() + n);
  k_ = k;
  tree_.place(y.data(), y.data() + n, k_);
  for (std::size_t i = 0; i < system_.movable(); ++i) {
    push_[i] = (k.v[i] - k_.v[i]) * system_.mass[i];
    twist_[i] = system_.momentum_of(i, k_.q[i], k.w[i] - k_.w[i]);
  }
  std::vector<double> rest(n);
  tree_.gather(push_, twist_, rest.data());
  make_mass_matrix(true);
  mass_.solve(rest.data());
  for (std::size_t c = 0; c < n; ++c) y[n + c] += rest[c];
}

template <int D>
void Lagrange<D>::unpack(double t, const double* y, Kinematics<D>& k) {
  system_.guide(world_, t, k);
  tree_.place(y, y + tree_.count(), k);
}

// What the equations of motion have on the right: outer forces less the inertia that the rates of the coordinates and
// the motion of the roots call up, body by body (-B and Q in one).
template <int D>
void Lagrange<D>::free_push(double t) {
  outer_.update(t, k_);
  for (std::size_t i = 0; i < system_.movable(); ++i) {
    push_[i] = outer_.force[i] - tree_.drift(i) * system_.mass[i];
    if (system_.turns[i] == 0) continue;
    twist_[i] = outer_.torque.empty() ? Spin<D>{} : outer_.torque[i];
    if constexpr (D == 3) {
      twist_[i] -= math::cross(k_.w[i], system_.momentum_of(i, k_.q[i], k_.w[i]));
      twist_[i] -= system_.momentum_of(i, k_.q[i], tree_.turn_drift(i));
    }
  }
}

template <int D>
void Lagrange<D>::make_mass_matrix(bool directly) {
  tree_.mass_matrix(k_, mass_);
  if (!directly || mass_.factor()) return;
  throw base::RunError(
      D == 2 ? "the mass matrix of the links' angles is no longer that of a motion: speeds have grown out of bounds"
             : "the mass matrix of the tree's coordinates has become singular: an angle has reached its pole",
      "make the step shorter (time.step), or use hard.formulation = \"newton-euler\"");
}

template <int D>
void Lagrange<D>::solve_mass(std::vector<double>& b, bool directly) {
  if (directly) return mass_.solve(b.data());
  sweep_mass(b);
}

// Gauss-Seidel with over-relaxation on A x = b, which converges as A is positive definite. Always from zero, so that a
// resumed run does the same.
template <int D>
void Lagrange<D>::sweep_mass(std::vector<double>& b) {
  double largest = 0;
  for (const double c : b) largest = std::max(largest, std::fabs(c));
  const double enough = settings_.solver_tolerance * largest;
  std::vector<double> x(b.size(), 0);
  for (std::int64_t sweep = 1; largest > 0; ++sweep) {
    const double worst = mass_.sweep(b.data(), settings_.over_relaxation, x.data());
    ++iterations_;
    if (worst <= enough) break;
    if (!(worst < 1e300) || sweep >= settings_.most_sweeps) {
      throw base::RunError(
          fmt::format("the iterative solver has not found the accelerations of the coordinates in {} sweeps: the "
                      "largest rest is {:.3g} of the right-hand side",
                      sweep, worst / largest),
          "use hard.solver = \"direct\", or a larger hard.solver_tolerance or hard.most_sweeps");
    }
  }
  b = x;
}

// An equation's own mobility if no link were there: what a force of 1 along it would do to its rate.
template <int D>
double Lagrange<D>::bound_scale(const Bound& bound) const {
  double scale = system_.inverse_mass[bound.a] + system_.inverse_mass[bound.b];
  const auto add = [&](std::uint32_t i, const std::vector<Spin<D>>& turn) {
    if (turn.empty() || i >= system_.movable() || system_.turns[i] == 0) return;
    scale += math::dot(turn[bound.row], system_.spin_of(i, k_.q[i], turn[bound.row]));
  };
  add(bound.a, rows_.turn_a);
  add(bound.b, rows_.turn_b);
  return scale;
}

// G, A^-1 G^T, and the factors of G A^-1 G^T.
template <int D>
void Lagrange<D>::make_loops(bool directly) {
  const std::size_t n = tree_.count(), m = bound_.size();
  std::fill(jacobian_.begin(), jacobian_.end(), 0.0);
  std::vector<double> scale(m), ease;
  loops_.resize(m);
  for (std::size_t r = 0; r < m; ++r) {
    const Bound& bound = bound_[r];
    double* row = jacobian_.data() + r * n;
    const auto turn = [&](const std::vector<Spin<D>>& of) { return of.empty() ? Spin<D>{} : of[bound.row]; };
    tree_.add_row(bound.b, 1, rows_.n[bound.row], turn(rows_.turn_b), row);
    tree_.add_row(bound.a, -1, rows_.n[bound.row], turn(rows_.turn_a), row);
    ease.assign(row, row + n);
    solve_mass(ease, directly);
    std::copy(ease.begin(), ease.end(), ease_.begin() + static_cast<std::ptrdiff_t>(r * n));
    scale[r] = bound_scale(bound);
    for (std::size_t o = 0; o <= r; ++o) {
      const double* other = jacobian_.data() + o * n;
      double sum = 0;
      for (std::size_t c = 0; c < n; ++c) sum += other[c] * ease[c];
      loops_.at(r, o) = sum;
    }
  }
  loops_.factor(scale, kDependent);
}

template <int D>
std::vector<double> Lagrange<D>::along_bound(const std::vector<double>& q) const {
  const std::size_t n = tree_.count();
  std::vector<double> sums(bound_.size(), 0);
  for (std::size_t r = 0; r < sums.size(); ++r) {
    for (std::size_t c = 0; c < n; ++c) sums[r] += jacobian_[r * n + c] * q[c];
  }
  return sums;
}

// q -= A^-1 G^T lambda: what multipliers do.
template <int D>
void Lagrange<D>::move_by(const std::vector<double>& lambda, double* q) const {
  const std::size_t n = tree_.count();
  for (std::size_t r = 0; r < lambda.size(); ++r) {
    for (std::size_t c = 0; c < n; ++c) q[c] -= ease_[r * n + c] * lambda[r];
  }
}

template <int D>
void Lagrange<D>::derivative(double t, const double* y, double* dy) {
  const std::size_t n = tree_.count();
  const bool directly = settings_.solver == SolverKind::kDirect;
  unpack(t, y, k_);
  rows_.update(system_, k_);
  free_push(t);
  make_mass_matrix(directly);
  std::vector<double> q2(n), lambda;
  tree_.gather(push_, twist_, q2.data());
  solve_mass(q2, directly);
  if (!bound_.empty()) {
    make_loops(directly);
    lambda = along_bound(q2);
    const auto drift = [&](std::uint32_t i) {
      return i < system_.movable() ? tree_.drift(i) : k_.held_a[i - system_.movable()];
    };
    const auto turn_drift = [&](std::uint32_t i) {
      return i < system_.movable() ? tree_.turn_drift(i) : k_.held_turn[i - system_.movable()];
    };
    for (std::size_t r = 0; r < bound_.size(); ++r) {
      const auto [row, a, b] = bound_[r];
      lambda[r] += rows_.bend[row] + math::dot(rows_.n[row], drift(b) - drift(a));
      if (!rows_.turn_a.empty())
        lambda[r] += math::dot(rows_.turn_b[row], turn_drift(b)) - math::dot(rows_.turn_a[row], turn_drift(a));
    }
    loops_.solve(lambda);
    move_by(lambda, q2.data());
  }
  std::copy(y + n, y + 2 * n, dy);
  std::copy(q2.begin(), q2.end(), dy + n);
  tree_.carry(q2.data(), a_, turn_);
  find_forces(lambda);
  if (outer_.works() > 0) outer_.put_powers(held_power(system_, rows_, k_, gamma_), dy + 2 * n);
}

// Forces of the tree's links: each carries what everything beyond it needs besides the forces that are known.
template <int D>
void Lagrange<D>::find_forces(const std::vector<double>& lambda) {
  std::vector<Vec<D>> need(system_.movable());
  for (std::size_t i = 0; i < need.size(); ++i) need[i] = a_[i] * system_.mass[i] - push_[i];
  for (std::size_t r = 0; r < bound_.size(); ++r) gamma_[bound_[r].row] = lambda[r];
  balance_tree(std::move(need), gamma_);
  take_out_self_stress();
}

template <int D>
void Lagrange<D>::balance_tree(std::vector<Vec<D>> need, std::vector<double>& gamma) const {
  const std::size_t n = system_.movable();
  for (const auto& [row, a, b] : bound_) {
    need[a] -= rows_.n[row] * gamma[row];
    if (b < n) need[b] += rows_.n[row] * gamma[row];
  }
  const Forest& forest = tree_.forest();
  for (std::size_t p = n; p-- > 0;) {
    const std::uint32_t i = forest.order[p];
    if (forest.parent[i] == kNone) continue;
    const Arc<D>& arc = system_.arcs[forest.parent_arc[i]];
    const std::uint32_t rows = arc.kind == world::LinkKind::kJoint ? D : 1;
    for (std::uint32_t s = 0; s < rows; ++s)
      gamma[arc.row + s] = (arc.a == i ? 1 : -1) * math::dot(rows_.n[arc.row + s], need[i]);
    if (forest.parent[i] < n) need[forest.parent[i]] += need[i];
  }
}

// Where links depend on each other, forces that hold each other in balance can be added at will. Of all that give the
// motion we take those of least norm, which do not depend on where loops were cut (and are those of Newton-Euler).
template <int D>
void Lagrange<D>::take_out_self_stress() {
  const std::size_t count = bound_.empty() ? 0 : bound_.size() - loops_.rank();
  if (count == 0) return;
  std::vector<std::vector<double>> stress;
  for (std::size_t k = 0; k < count; ++k) {
    std::vector<double> gamma(gamma_.size(), 0);
    const std::vector<double> z = loops_.null_vector(k);
    for (std::size_t r = 0; r < bound_.size(); ++r) gamma[bound_[r].row] = z[r];
    balance_tree(std::vector<Vec<D>>(system_.movable(), Vec<D>{}), gamma);
    stress.push_back(std::move(gamma));
  }
  const auto dot = [](const std::vector<double>& a, const std::vector<double>& b) {
    double s = 0;
    for (std::size_t c = 0; c < a.size(); ++c) s += a[c] * b[c];
    return s;
  };
  SemiDefinite gram;
  gram.resize(count);
  std::vector<double> part(count), scale(count);
  for (std::size_t k = 0; k < count; ++k) {
    for (std::size_t o = 0; o <= k; ++o) gram.at(k, o) = dot(stress[k], stress[o]);
    scale[k] = gram.at(k, k);
    part[k] = dot(stress[k], gamma_);
  }
  gram.factor(scale, 1e-14);
  gram.solve(part);
  for (std::size_t k = 0; k < count; ++k) {
    for (std::size_t r = 0; r < gamma_.size(); ++r) gamma_[r] -= part[k] * stress[k][r];
  }
}

template <int D>
void Lagrange<D>::tidy_inside(double t, double* y) {
  correct(t, y, inside_position_, inside_velocity_);
}

template <int D>
double Lagrange<D>::correct(double t, double* y, bool position, bool velocity) {
  if (bound_.empty() || (!position && !velocity)) return 0;
  const double gap = position ? correct_position(t, y) : 0;
  if (velocity) {
    unpack(t, y, k_);
    rows_.update(system_, k_);
    correct_velocity(y);
  }
  return gap / system_.shortest;
}

// Gauss-Newton on the coordinates, the smallest change by kinetic energy; again until nothing is left to correct.
template <int D>
double Lagrange<D>::correct_position(double t, double* y) {
  double first = 0, before = 0;
  for (int round = 0; round < 10; ++round) {
    unpack(t, y, k_);
    rows_.update(system_, k_);
    std::vector<double> gap;
    double worst = 0, longest = 0;
    for (const Bound& bound : bound_) {
      gap.push_back(rows_.gap[bound.row]);
      worst = std::max(worst, std::fabs(gap.back()));
    }
    for (const Arc<D>& arc : system_.arcs) longest = std::max(longest, arc.length);
    for (const Vec<D>& x : k_.x) longest = std::max(longest, std::fabs(x[0]));
    if (round == 0) first = worst;
    if (worst <= 4e-16 * longest || (round > 0 && worst >= 0.5 * before)) break;
    before = worst;
    make_mass_matrix(true);
    make_loops(true);
    loops_.solve(gap);
    move_by(gap, y);
  }
  return first;
}

template <int D>
void Lagrange<D>::correct_velocity(double* y) {
  std::vector<double> rate;
  for (const Bound& bound : bound_) rate.push_back(rows_.rate[bound.row]);
  make_mass_matrix(true);
  make_loops(true);
  loops_.solve(rate);
  move_by(rate, y + tree_.count());
}

template <int D>
Violation Lagrange<D>::violation(double t, const double* y) {
  unpack(t, y, k_);
  rows_.update(system_, k_);
  return rows_.worst();
}

template <int D>
void Lagrange<D>::scale_velocities(double* y, double factor) {
  for (std::size_t c = tree_.count(); c < 2 * tree_.count(); ++c) y[c] *= factor;
}

template <int D>
bool Lagrange<D>::change_charts(double* y) {
  return tree_.change_charts(y, y + tree_.count());
}

template <int D>
void Lagrange<D>::scales(const double* y, double* out) const {
  const std::size_t n = tree_.count();
  const double length = system_.longest > 0 ? system_.longest : 1;
  double speed = 0;
  for (std::size_t c = 0; c < n; ++c) speed = std::max(speed, std::fabs(y[n + c]) * (tree_.is_length(c) ? 1 : length));
  speed = std::max({speed, std::sqrt(math::norm(world_.gravity) * length), 1e-3 * length});
  for (std::size_t c = 0; c < n; ++c) {
    out[c] = tree_.is_length(c) ? length : 1;
    out[n + c] = tree_.is_length(c) ? speed : speed / length;
  }
  std::fill_n(out + 2 * n, outer_.works(), system_.total_mass * speed * speed);
}

template <int D>
std::unique_ptr<Formulation<D>> make_lagrange(World<D>& world, const System<D>& system, Outer<D>& outer,
                                              const Settings& settings) {
  return std::make_unique<Lagrange<D>>(world, system, outer, settings);
}

#define MORAINE_INSTANTIATE(D) \
  template class Lagrange<D>;  \
  template std::unique_ptr<Formulation<D>> make_lagrange<D>(World<D>&, const System<D>&, Outer<D>&, const Settings&);
MORAINE_INSTANTIATE(2)
MORAINE_INSTANTIATE(3)

}  // namespace moraine::hard
