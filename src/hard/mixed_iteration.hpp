// SPDX-License-Identifier: MIT
// Sun's mixed iteration (1996, ch. 5) on the Newton-Euler form: the link forces at the end of a step and the motion
// over the step are found together. With a0 the accelerations at its start and a those at its end,
//   x = x0 + h v0 + h^2 (2 a0 + a) / 6,   v = v0 + h (a0 + a) / 2   (5.12),
// the coefficients of H gamma = b are those of this x and v, and a is what gamma makes it. Each sweep goes once round.
#pragma once

#include <cstdint>
#include <vector>

#include "hard/formulation.hpp"
#include "hard/link_matrix.hpp"

namespace moraine::hard {

template <int D>
class MixedIteration final : public Integrator {
 public:
  MixedIteration(Formulation<D>& newton_euler, const System<D>& system, Outer<D>& outer, const Settings& settings);

  void advance(Equations& equations, double t, double h, std::vector<double>& y, world::LinkReport& report) override;
  void restart() override;
  std::vector<double> memory() const override;  // of the step, then the link forces if they are known
  void recall(const std::vector<double>& memory) override;

 private:
  // What a round of the iteration did. Rests are relative rates of the links that should be zero.
  struct Round {
    double rest = 0, change = 0;   // the largest: rest, change of a force
    double side = 0, force = 0;    // the largest: right-hand side, force
    double noise = 0;              // a rest that is nothing but rounding
    double gap = 0, rate = 0;      // the largest violations found, where they are corrected inside
    double length = 0, speed = 0;  // and what they are measured against
    std::int64_t sweeps = 0;       // so far in this step
  };
  // Powers at one end of a step, and works over it.
  struct Powers {
    double loads = 0, damping = 0, held = 0, friction = 0;
  };

  bool direct() const { return settings_.solver == SolverKind::kDirect; }
  Powers powers() const;

  void begin_step(double t);
  bool iterate(double t, double h, Round& round);
  void move(double h);
  void find_forces(double t, Round& round);
  void relax(const std::vector<double>& base, Moves<D>& moves, std::vector<double>* forces, Round& round) const;
  bool settle(const std::vector<double>& base, double nothing, Moves<D>& moves, std::int64_t& sweeps);
  void correct_inside(Round& round);
  bool converged(const Round& round) const;
  bool correct_at_end(std::int64_t& sweeps);
  bool correct_position(std::int64_t& sweeps);
  bool correct_velocity(std::int64_t& sweeps);
  void correct_energy(double h);
  double kinetic(const Kinematics<D>& k) const;
  double adapted(double step, std::int64_t sweeps, double smallest, double longest);
  [[noreturn]] void give_up(double t, double step, const Round& round, std::int64_t correcting) const;

  Formulation<D>& form_;
  const System<D>& system_;
  Outer<D>& outer_;
  Settings settings_;
  Kinematics<D> k0_, k_;  // at the start of the step; the present guess of its end
  Rows<D> rows_;
  LinkMatrix<D> matrix_;
  std::vector<double> gamma_, gamma0_, b_;
  Moves<D> a0_, a_;
  Moves<D> fix_x_, fix_v_, fix_;  // what corrections inside have added so far; in this sweep
  Moves<D> outer_before_;         // with contacts: what outer forces made in the sweep before
  Powers powers0_;
  double kinetic0_ = 0;
  bool known_ = false;                      // gamma_ belongs to the present state
  double step_ = 0;                         // the running step, if it follows the sweeps; 0: unknown
  double other_step_ = 0, other_cost_ = 0;  // the length before this one, and the sweeps per second it took
};

}  // namespace moraine::hard
