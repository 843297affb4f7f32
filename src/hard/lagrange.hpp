// SPDX-License-Identifier: MIT
// Lagrange: as few coordinates as the tree of links has freedoms, A q'' = Q - B - G^T lambda, where only the links that
// close loops and the rolling of contacts have multipliers (Sun 3.3, Wierzba ch. 3, Vinogradov). The state is
// y = (q, q', work of loads and damping). docs/hard-lagrange.md has the equations.
#pragma once

#include "hard/formulation.hpp"
#include "hard/semi_definite.hpp"
#include "hard/tree_coordinates.hpp"

namespace moraine::hard {

template <int D>
class Lagrange final : public Formulation<D> {
 public:
  Lagrange(World<D>& world, const System<D>& system, Outer<D>& outer, const Settings& settings);

  std::size_t size() const override { return 2 * tree_.count() + outer_.works(); }
  void derivative(double t, const double* y, double* dy) override;
  void tidy_inside(double t, double* y) override;
  bool tidies_inside() const override { return inside_position_ || inside_velocity_; }
  void scales(const double* y, double* out) const override;

  void pack(const Kinematics<D>& k, std::vector<double>& y) override;
  void unpack(double t, const double* y, Kinematics<D>& k) override;
  const std::vector<double>& forces() const override { return gamma_; }
  std::int64_t iterations() const override { return iterations_; }
  double correct(double t, double* y, bool position, bool velocity) override;
  Violation violation(double t, const double* y) override;
  void scale_velocities(double* y, double factor) override;
  bool change_charts(double* y) override;
  std::vector<double> charts() const override { return tree_.charts(); }
  void set_charts(const std::vector<double>& charts) override { tree_.set_charts(charts); }

  const TreeCoordinates<D>& coordinates() const { return tree_; }
  // Of the last derivative(): equations that have a multiplier, and how many of them are independent.
  std::size_t multipliers() const { return bound_.size(); }
  std::size_t independent() const { return loops_.rank(); }

 private:
  struct Bound {  // an equation that the tree does not fulfil by itself
    std::uint32_t row, a, b;
  };
  void find_bound();
  void free_push(double t);
  void make_mass_matrix(bool directly);
  void solve_mass(std::vector<double>& b, bool directly);
  void sweep_mass(std::vector<double>& b);
  void make_loops(bool directly);
  double bound_scale(const Bound& bound) const;
  std::vector<double> along_bound(const std::vector<double>& q) const;
  void find_forces(const std::vector<double>& lambda);
  void balance_tree(std::vector<Vec<D>> need, std::vector<double>& gamma) const;
  void take_out_self_stress();
  double correct_position(double t, double* y);  // the largest violation there was
  void correct_velocity(double* y);
  void move_by(const std::vector<double>& lambda, double* q) const;

  World<D>& world_;
  const System<D>& system_;
  Outer<D>& outer_;
  Settings settings_;
  bool inside_position_, inside_velocity_;
  TreeCoordinates<D> tree_;
  TreeMatrix mass_;
  Kinematics<D> k_;
  Rows<D> rows_;
  std::vector<Bound> bound_;
  std::vector<double> jacobian_, ease_;  // G, one row per bound equation; A^-1 G^T, likewise
  SemiDefinite loops_;
  std::vector<double> gamma_;
  std::vector<Vec<D>> push_, a_;  // F - m drift of each node; accelerations
  std::vector<Spin<D>> twist_, turn_;
  std::int64_t iterations_ = 0;
};

}  // namespace moraine::hard
