// SPDX-License-Identifier: MIT
// The classical integrators that the sources compare, for any equations y' = f(t, y).
#pragma once

#include <memory>
#include <vector>

#include "hard/equations.hpp"
#include "hard/settings.hpp"

namespace moraine::hard {

class Rk4 final : public Integrator {
 public:
  void advance(Equations& equations, double t, double h, std::vector<double>& y, world::LinkReport& report) override;

 private:
  std::vector<double> stage_, slope_, sum_;
};

// Dormand-Prince 5(4) with step control.
std::unique_ptr<Integrator> make_dopri(const Settings& settings);
// Bulirsch-Stoer: extrapolated midpoint rule, order and step by the work they cost.
std::unique_ptr<Integrator> make_extrapolation(const Settings& settings);
// Multistep methods of variable order and step from SUNDIALS: Adams-Moulton, and BDF (Gear).
std::unique_ptr<Integrator> make_multistep(const Settings& settings);

}  // namespace moraine::hard
