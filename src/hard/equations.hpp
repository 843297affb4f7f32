// SPDX-License-Identifier: MIT
// What integrators see of a system: y' = f(t, y), and what may be done to y besides.
#pragma once

#include <cstddef>
#include <vector>

#include "world/link.hpp"

namespace moraine::hard {

class Equations {
 public:
  virtual ~Equations() = default;
  virtual std::size_t size() const = 0;
  virtual void derivative(double t, const double* y, double* dy) = 0;
  // Takes violations out of a state within a step, if that was asked for ("inside").
  virtual void tidy_inside(double /*t*/, double* /*y*/) {}
  virtual bool tidies_inside() const { return false; }
  // How large an error of 1 in each component is to be taken: sizes of the components' kinds.
  virtual void scales(const double* y, double* out) const = 0;
};

class Integrator {
 public:
  virtual ~Integrator() = default;
  // Takes y from t to t + h. Steps within are its own; what it did goes into the report.
  virtual void advance(Equations& equations, double t, double h, std::vector<double>& y, world::LinkReport& report) = 0;
  // y has been changed, or begins anew: nothing from before is of use.
  virtual void restart() {}
  // What it remembers from one step to the next is saved as a state to go on from: integrators that keep more than
  // numbers (the history of multistep methods) say so, and the run is repeated from the last restart.
  virtual bool has_history() const { return false; }
  virtual std::vector<double> memory() const { return {}; }
  virtual void recall(const std::vector<double>& /*memory*/) {}
};

}  // namespace moraine::hard
