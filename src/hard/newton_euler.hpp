// SPDX-License-Identifier: MIT
// Newton-Euler: every body by its own coordinates, links by their forces (Sun 1996, 3.4 and 3.5). The state is
// y = (x, v of all nodes; orientation and angular momentum of those that turn; work of loads and damping).
#pragma once

#include "hard/formulation.hpp"
#include "hard/link_matrix.hpp"

namespace moraine::hard {

template <int D>
class NewtonEuler final : public Formulation<D> {
 public:
  NewtonEuler(World<D>& world, const System<D>& system, Outer<D>& outer, const Settings& settings);

  std::size_t size() const override { return size_; }
  void derivative(double t, const double* y, double* dy) override;
  void tidy_inside(double t, double* y) override;
  bool tidies_inside() const override { return inside_position_ || inside_velocity_; }
  void scales(const double* y, double* out) const override;

  void pack(const Kinematics<D>& k, std::vector<double>& y) override;
  void unpack(double t, const double* y, Kinematics<D>& k) override;
  const std::vector<double>& forces() const override { return gamma_; }
  void set_forces(const std::vector<double>& forces) override { gamma_ = forces; }
  std::int64_t iterations() const override { return iterations_; }
  double correct(double t, double* y, bool position, bool velocity) override;
  Violation violation(double t, const double* y) override;
  void scale_velocities(double* y, double factor) override;

 private:
  void pack_into(const Kinematics<D>& k, double* y) const;
  void find_torques();
  void solve_links();
  void sweep_links();
  double correct_position();
  void find_moves();
  void correct_velocity(bool factored);
  std::size_t offset_turning() const { return 2 * D * system_.movable(); }

  World<D>& world_;
  const System<D>& system_;
  Outer<D>& outer_;
  Settings settings_;
  bool inside_position_, inside_velocity_;
  std::size_t size_;
  Kinematics<D> k_;
  Rows<D> rows_;
  LinkMatrix<D> matrix_;
  std::vector<double> gamma_, b_;
  Moves<D> a_;  // accelerations
  std::vector<Spin<D>> torque_;
  Moves<D> moves_;  // scratch
  std::int64_t iterations_ = 0;
};

}  // namespace moraine::hard
