// SPDX-License-Identifier: MIT
// Adams-Moulton and BDF of variable order and step, by CVODE of SUNDIALS. Its steps do not end where ours do: it goes
// past the end of a step and what we get is interpolated. Between restarts the state is CVODE's own, and the y handed
// in (which is what was handed out) is not looked at.
#include <cvode/cvode.h>
#include <fmt/format.h>
#include <nvector/nvector_serial.h>
#include <sunlinsol/sunlinsol_spgmr.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>

#include <algorithm>
#include <cstring>
#include <exception>
#include <memory>

#include "base/error.hpp"
#include "hard/integrators.hpp"

namespace moraine::hard {

namespace {

// All that CVODE holds, freed in the order it asks for. It is made anew at each restart, so that nothing of before can
// leak into what follows: a history made again from the same start has the same bits.
struct Memory {
  SUNContext context = nullptr;
  N_Vector y = nullptr, error = nullptr;
  void* cvode = nullptr;
  SUNNonlinearSolver fixed_point = nullptr;
  SUNLinearSolver spgmr = nullptr;

  Memory() = default;
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;
  ~Memory() {
    if (cvode != nullptr) CVodeFree(&cvode);
    if (fixed_point != nullptr) SUNNonlinSolFree(fixed_point);
    if (spgmr != nullptr) SUNLinSolFree(spgmr);
    if (y != nullptr) N_VDestroy(y);
    if (error != nullptr) N_VDestroy(error);
    if (context != nullptr) SUNContext_Free(&context);
  }
};

void say_nothing(int /*code*/, const char* /*module*/, const char* /*function*/, char* /*text*/, void* /*data*/) {}

void expect(bool good, const char* what) {
  if (!good) throw base::RunError(fmt::format("SUNDIALS cannot be set up: {} failed", what), "");
}

std::string reason(int flag) {
  switch (flag) {
    case CV_TOO_MUCH_ACC:
      return "more accuracy is asked for than the numbers have";
    case CV_ERR_FAILURE:
      return "the error of a step stays too large, however short the step";
    case CV_CONV_FAILURE:
      return "the iteration for a step does not converge, however short the step";
    case CV_FIRST_RHSFUNC_ERR:
    case CV_RHSFUNC_FAIL:
    case CV_REPTD_RHSFUNC_ERR:
    case CV_UNREC_RHSFUNC_ERR:
      return "the accelerations cannot be computed";
    default:
      break;
  }
  const std::unique_ptr<char, void (*)(void*)> name(CVodeGetReturnFlagName(flag), std::free);
  return fmt::format("SUNDIALS says {}", name ? name.get() : "nothing");
}

class Multistep final : public Integrator {
 public:
  explicit Multistep(const Settings& settings) : settings_(settings) {}

  void advance(Equations& equations, double t, double h, std::vector<double>& y, world::LinkReport& report) override;
  void restart() override { memory_.reset(); }
  bool has_history() const override { return true; }

 private:
  void begin(double t, const std::vector<double>& y);
  void step_to(double end, world::LinkReport& report);
  [[noreturn]] void fail(int flag) const;
  static int slope(double t, N_Vector y, N_Vector dy, void* self);

  Settings settings_;
  std::unique_ptr<Memory> memory_;
  Equations* equations_ = nullptr;  // during advance()
  std::exception_ptr trouble_;      // that must not pass through C
  double now_ = 0;                  // how far CVODE has come
  std::int64_t evaluations_ = 0;
};

int Multistep::slope(double t, N_Vector y, N_Vector dy, void* self) {
  auto& me = *static_cast<Multistep*>(self);
  try {
    ++me.evaluations_;
    me.equations_->derivative(t, N_VGetArrayPointer(y), N_VGetArrayPointer(dy));
    return 0;
  } catch (...) {
    me.trouble_ = std::current_exception();
    return -1;
  }
}

void Multistep::begin(double t, const std::vector<double>& y) {
  auto made = std::make_unique<Memory>();
  Memory& m = *made;
  expect(SUNContext_Create(nullptr, &m.context) == 0, "SUNContext_Create");
  const auto n = static_cast<sunindextype>(y.size());
  m.y = N_VNew_Serial(n, m.context);
  m.error = N_VNew_Serial(n, m.context);
  expect(m.y != nullptr && m.error != nullptr, "N_VNew_Serial");
  std::copy(y.begin(), y.end(), N_VGetArrayPointer(m.y));
  double* error = N_VGetArrayPointer(m.error);
  equations_->scales(y.data(), error);
  for (std::size_t c = 0; c < y.size(); ++c) error[c] *= settings_.tolerance;

  const bool adams = settings_.integrator == IntegratorKind::kAdams;
  m.cvode = CVodeCreate(adams ? CV_ADAMS : CV_BDF, m.context);
  expect(m.cvode != nullptr, "CVodeCreate");
  expect(CVodeSetErrHandlerFn(m.cvode, say_nothing, nullptr) == 0, "CVodeSetErrHandlerFn");
  expect(CVodeInit(m.cvode, slope, t, m.y) == 0, "CVodeInit");
  expect(CVodeSVtolerances(m.cvode, settings_.tolerance, m.error) == 0, "CVodeSVtolerances");
  expect(CVodeSetUserData(m.cvode, this) == 0, "CVodeSetUserData");
  expect(CVodeSetMinStep(m.cvode, settings_.smallest_step) == 0, "CVodeSetMinStep");
  if (adams) {
    m.fixed_point = SUNNonlinSol_FixedPoint(m.y, 0, m.context);
    expect(m.fixed_point != nullptr && CVodeSetNonlinearSolver(m.cvode, m.fixed_point) == 0, "CVodeSetNonlinearSolver");
  } else {
    m.spgmr = SUNLinSol_SPGMR(m.y, SUN_PREC_NONE, 0, m.context);
    expect(m.spgmr != nullptr && CVodeSetLinearSolver(m.cvode, m.spgmr, nullptr) == 0, "CVodeSetLinearSolver");
  }
  memory_ = std::move(made);
  now_ = t;
}

// One step of CVODE's at a time, so that each can be counted and looked at; the same as CV_NORMAL.
void Multistep::step_to(double end, world::LinkReport& report) {
  void* cvode = memory_->cvode;
  while (now_ < end) {
    const double before = now_;
    const int flag = CVode(cvode, end, memory_->y, &now_, CV_ONE_STEP);
    if (trouble_) std::rethrow_exception(trouble_);  // not every part of CVODE stops at once
    if (flag < 0) fail(flag);
    double step = 0;
    CVodeGetLastStep(cvode, &step);
    report.shortest_step = report.steps == 0 ? step : std::min(report.shortest_step, step);
    ++report.steps;
    if (now_ > before) continue;
    throw base::RunError(fmt::format("the multistep method no longer gets on at time {:.6g} s: a step of {:.3g} s is "
                                     "nothing beside it",
                                     now_, step),
                         "use a larger hard.tolerance; if that does not help, look at the motion just before");
  }
}

void Multistep::fail(int flag) const {
  double step = 0;
  CVodeGetCurrentStep(memory_->cvode, &step);
  throw base::RunError(
      fmt::format("{} has failed at time {:.6g} s with a step of {:.3g} s: {}",
                  settings_.integrator == IntegratorKind::kAdams ? "adams" : "bdf", now_, step, reason(flag)),
      "use a larger hard.tolerance, a smaller hard.smallest_step, or another hard.integrator");
}

void Multistep::advance(Equations& equations, double t, double h, std::vector<double>& y, world::LinkReport& report) {
  equations_ = &equations;
  trouble_ = nullptr;
  const std::int64_t evaluations = evaluations_;
  if (!memory_) begin(t, y);
  const auto failures = [&] {
    long errors = 0, iterations = 0;
    CVodeGetNumErrTestFails(memory_->cvode, &errors);
    CVodeGetNumStepSolveFails(memory_->cvode, &iterations);
    return errors + iterations;
  };
  const long failed = failures();
  step_to(t + h, report);
  const int flag = CVodeGetDky(memory_->cvode, t + h, 0, memory_->y);
  if (flag < 0) fail(flag);
  const double* out = N_VGetArrayPointer(memory_->y);
  std::copy(out, out + y.size(), y.begin());
  report.evaluations += evaluations_ - evaluations;
  report.rejected += failures() - failed;
}

}  // namespace

std::unique_ptr<Integrator> make_multistep(const Settings& settings) { return std::make_unique<Multistep>(settings); }

}  // namespace moraine::hard
