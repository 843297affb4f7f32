// SPDX-License-Identifier: MIT
// A way to write the equations of motion of a system: which numbers make up the state y, how they change, and what
// follows from them for the nodes and the links.
#pragma once

#include <memory>
#include <vector>

#include "hard/equations.hpp"
#include "hard/outer.hpp"
#include "hard/rows.hpp"
#include "hard/settings.hpp"
#include "hard/system.hpp"

namespace moraine::hard {

template <int D>
class Formulation : public Equations {
 public:
  // y of a kinematic state, and back (movable nodes only).
  virtual void pack(const Kinematics<D>& k, std::vector<double>& y) = 0;
  virtual void unpack(double t, const double* y, Kinematics<D>& k) = 0;
  // Link forces, one per row, of the last derivative().
  virtual const std::vector<double>& forces() const = 0;
  virtual void set_forces(const std::vector<double>& /*forces*/) {}  // a first guess, for iterative solvers
  virtual std::int64_t iterations() const { return 0; }              // sweeps so far
  // Takes violations out of y. Which ones: `position`, `velocity`. Returns how large the largest of position was, over
  // the length of the shortest link.
  virtual double correct(double t, double* y, bool position, bool velocity) = 0;
  virtual Violation violation(double t, const double* y) = 0;
  virtual void scale_velocities(double* y, double factor) = 0;
  // Between steps: other coordinates where the present ones are near a singularity. True if y has changed.
  virtual bool change_charts(double* /*y*/) { return false; }
  virtual std::vector<double> charts() const { return {}; }
  virtual void set_charts(const std::vector<double>& /*charts*/) {}
};

template <int D>
std::unique_ptr<Formulation<D>> make_newton_euler(World<D>& world, const System<D>& system, Outer<D>& outer,
                                                  const Settings& settings);
template <int D>
std::unique_ptr<Formulation<D>> make_lagrange(World<D>& world, const System<D>& system, Outer<D>& outer,
                                              const Settings& settings);

// Sun's scheme (ch. 5) on the Newton-Euler form, which alone has the forces it needs.
template <int D>
std::unique_ptr<Integrator> make_mixed_iteration(Formulation<D>& newton_euler, const System<D>& system, Outer<D>& outer,
                                                 const Settings& settings);

// The one that the scene names; none for time stepping, which is a stepper of its own.
template <int D>
std::unique_ptr<Integrator> make_integrator(Formulation<D>& formulation, const System<D>& system, Outer<D>& outer,
                                            const Settings& settings);

}  // namespace moraine::hard
