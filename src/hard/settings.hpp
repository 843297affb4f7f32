// SPDX-License-Identifier: MIT
// What a scene chooses in its [hard] table.
#pragma once

#include <cstdint>

namespace moraine::hard {

enum class FormulationKind : std::uint8_t { kNewtonEuler, kLagrange };
enum class SolverKind : std::uint8_t { kDirect, kIterative };
enum class IntegratorKind : std::uint8_t { kRk4, kAdams, kBdf, kExtrapolation, kDopri, kMixedIteration };
// When violations are corrected: never, at the end of a step, or within it as well (at each stage of a one-step method,
// in each sweep of the mixed iteration).
enum class When : std::uint8_t { kNever, kEnd, kInside };

struct Corrections {
  When position = When::kEnd, velocity = When::kEnd, energy = When::kNever;
};

struct Settings {
  FormulationKind formulation = FormulationKind::kNewtonEuler;
  SolverKind solver = SolverKind::kDirect;
  IntegratorKind integrator = IntegratorKind::kRk4;
  Corrections correct;
  double tolerance = 1e-8;          // of adaptive integrators, per step, relative
  double solver_tolerance = 1e-10;  // of iterative solvers: residual against the largest right-hand side
  double over_relaxation = 1.5;
  std::int64_t sweeps = 10;            // between two tests of convergence
  std::int64_t most_sweeps = 1000000;  // after which an iteration has failed
  double smallest_step = 0;            // s; mixed iteration and adaptive integrators: below it the run stops
  bool adaptive = false;               // mixed iteration: the step follows the number of sweeps
};

}  // namespace moraine::hard
