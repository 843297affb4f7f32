// SPDX-License-Identifier: MIT
// What a scene chooses in its [hard] table.
#pragma once

#include <cstdint>

namespace moraine::hard {

enum class FormulationKind : std::uint8_t { kNewtonEuler, kLagrange };
enum class SolverKind : std::uint8_t { kDirect, kIterative };
enum class IntegratorKind : std::uint8_t { kRk4, kAdams, kBdf, kExtrapolation, kDopri, kMixedIteration, kTimeStepping };
// What becomes of bodies that meet: nothing, a contact at the moment they touch, or one at the end of the step.
enum class ContactMode : std::uint8_t { kIgnored, kEvents, kSteps };
// How the moment of an event is found; how impacts of several bodies at once go; what friction is.
enum class EventSearch : std::uint8_t { kBisection, kInterpolation };
enum class Impacts : std::uint8_t { kSimultaneous, kSequential };
enum class Friction : std::uint8_t { kCone, kSmooth, kLagged };
// Of the impulses of a time step: plain Gauss-Seidel sweeps, or accelerated.
enum class ContactSolver : std::uint8_t { kGaussSeidel, kConjugate };
// When violations are corrected: never, at the end of a step, or within it as well (at each stage of a one-step method,
// in each sweep of the mixed iteration).
enum class When : std::uint8_t { kNever, kEnd, kInside };

struct Corrections {
  When position = When::kEnd, velocity = When::kEnd, energy = When::kNever;
};

// Of the time-stepping method.
struct StepSettings {
  std::int64_t substeps = 0;  // parts of a step, at least; 0: by gravity and the smallest radius
  ContactSolver contact_solver = ContactSolver::kConjugate;
  double residual = 0.1;  // at which sweeps end: what two surfaces are off by, over what gravity gives in a part
  std::int64_t least_iterations = 2, most_iterations = 8;
  double push_out = 0.2;     // part of an overlap that is taken back in one step
  bool wide_motions = true;  // are stopped (wide_motions.hpp)
};

// Of contacts that come and go while an integrator follows the motion, or at the end of its steps.
struct ContactSettings {
  EventSearch event_search = EventSearch::kInterpolation;
  double event_tolerance = -1;       // s; negative: a billionth of the step
  std::int64_t most_events = 10000;  // in a step
  Impacts impacts = Impacts::kSimultaneous;
  Friction friction = Friction::kCone;
  double friction_speed = 1e-3;  // m/s: epsilon of the smooth form
  bool friction_limit = false;   // no more friction than stops the slip within a step
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
  ContactMode contacts = ContactMode::kIgnored;
  double impact_speed =
      -1;  // m/s: bodies that meet more slowly do not bounce; negative: what gravity gives in two steps
  StepSettings stepping;
  ContactSettings contact;
};

}  // namespace moraine::hard
