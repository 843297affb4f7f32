// SPDX-License-Identifier: MIT
// The classical integrators on problems with known answers: orders, accuracy asked for and got, going on from memory,
// and what they say when they cannot go on.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "base/error.hpp"
#include "hard_integrator_samples.hpp"

namespace {

using namespace moraine;
using namespace moraine::hard;
using hard::samples::no_corrections;
using hard::samples::pendulum;
using State = std::vector<double>;

// Equations given by a function; remembers how often and how late it was asked.
class Given final : public Equations {
 public:
  using Slope = std::function<void(double, const double*, double*)>;
  Given(std::size_t size, Slope slope) : size_(size), slope_(std::move(slope)) {}
  std::size_t size() const override { return size_; }
  void derivative(double t, const double* y, double* dy) override {
    ++calls;
    latest = std::max(latest, t);
    slope_(t, y, dy);
  }
  void scales(const double* /*y*/, double* out) const override { std::fill(out, out + size_, 1.0); }
  std::int64_t calls = 0;
  double latest = 0;

 private:
  std::size_t size_;
  Slope slope_;
};

// An ellipse of eccentricity 1/2 and period 2 pi, from its nearest point: after a period it is there again.
const double kPeriod = 2 * math::kPi;
Given kepler() {
  return Given(4, [](double, const double* y, double* dy) {
    const double r2 = y[0] * y[0] + y[1] * y[1], r3 = r2 * std::sqrt(r2);
    dy[0] = y[2];
    dy[1] = y[3];
    dy[2] = -y[0] / r3;
    dy[3] = -y[1] / r3;
  });
}
State nearest() { return {0.5, 0, 0, std::sqrt(3.0)}; }

std::unique_ptr<Integrator> make(IntegratorKind kind, double tolerance, double smallest = 0) {
  hard::Settings settings;
  settings.integrator = kind;
  settings.tolerance = tolerance;
  settings.smallest_step = smallest;
  // Of any system: these integrators look only at the equations that they are given.
  return hard::samples::pendulum<2>(1, settings)->integrator();
}

double distance(const State& a, const State& b) {
  double most = 0;
  for (std::size_t c = 0; c < a.size(); ++c) most = std::max(most, std::fabs(a[c] - b[c]));
  return most;
}

// Over a time in so many calls; the report is the sum.
world::LinkReport go(Integrator& integrator, Equations& equations, double over, int calls, State& y, int first = 0) {
  world::LinkReport all;
  all.shortest_step = std::numeric_limits<double>::max();
  for (int i = first; i < calls; ++i) {
    world::LinkReport r;
    integrator.advance(equations, i * (over / calls), over / calls, y, r);
    all.steps += r.steps;
    all.evaluations += r.evaluations;
    all.rejected += r.rejected;
    if (r.steps > 0) all.shortest_step = std::min(all.shortest_step, r.shortest_step);
  }
  return all;
}

std::string message(const std::function<void()>& f) {
  try {
    f();
  } catch (const base::RunError& e) {
    return e.what();
  }
  return "nothing thrown";
}

constexpr IntegratorKind kAdaptive[] = {IntegratorKind::kDopri, IntegratorKind::kExtrapolation, IntegratorKind::kAdams,
                                        IntegratorKind::kBdf};
constexpr IntegratorKind kOneStep[] = {IntegratorKind::kDopri, IntegratorKind::kExtrapolation};
constexpr IntegratorKind kMultistep[] = {IntegratorKind::kAdams, IntegratorKind::kBdf};

// y'' = -y: y = cos t. Halving the step divides the error by 2^4.
TEST(HardIntegrators, Rk4IsOfFourthOrder) {
  Given oscillator(2, [](double, const double* y, double* dy) {
    dy[0] = y[1];
    dy[1] = -y[0];
  });
  double before = 0;
  for (const int steps : {50, 100, 200, 400}) {
    Rk4 rk4;
    State y{1, 0};
    go(rk4, oscillator, 5.0, steps, y);
    const double error = distance(y, {std::cos(5.0), -std::sin(5.0)});
    if (before > 0) {
      EXPECT_NEAR(std::log2(before / error), 4.0, 0.1) << steps;
    }
    before = error;
  }
}

// Errors of single steps do not cancel round the nearest point: after a period the error is some hundred times the
// tolerance (dopri 107 to 228, extrapolation 47 to 247, adams 71 to 3300, bdf 210 to 6100; the tolerance is per step).
TEST(HardIntegrators, ErrorFollowsTheTolerance) {
  struct Expected {
    IntegratorKind kind;
    double times;  // error after a period over the tolerance, at most
  };
  for (const auto& [kind, times] :
       {Expected{IntegratorKind::kDopri, 300}, Expected{IntegratorKind::kExtrapolation, 300},
        Expected{IntegratorKind::kAdams, 5000}, Expected{IntegratorKind::kBdf, 8000}}) {
    std::int64_t evaluations = 0;
    double error = 1;
    for (const double tolerance : {1e-4, 1e-6, 1e-8, 1e-10, 1e-12}) {
      Given equations = kepler();
      State y = nearest();
      const auto report = go(*make(kind, tolerance), equations, kPeriod, 1, y);
      const double now = distance(y, nearest());
      EXPECT_LT(now, times * tolerance) << static_cast<int>(kind) << " at " << tolerance;
      EXPECT_LT(now, error / 3);                   // a hundred times less is asked for each time
      EXPECT_GT(report.evaluations, evaluations);  // and costs more
      EXPECT_EQ(report.evaluations, equations.calls);
      EXPECT_GT(report.steps, 0);
      EXPECT_GT(report.shortest_step, 0);
      EXPECT_LT(report.shortest_step, kPeriod / 8);
      evaluations = report.evaluations;
      error = now;
    }
  }
}

// The error of order 5 in the work: from tolerance 1e-8 to 1e-12 the error shrinks with the fifth power of the number
// of evaluations. Extrapolation raises its order instead, and beats any fixed one.
TEST(HardIntegrators, WorkShowsTheOrder) {
  const auto power = [](IntegratorKind kind) {
    double error[2];
    std::int64_t work[2];
    for (int k = 0; k < 2; ++k) {
      Given equations = kepler();
      State y = nearest();
      work[k] = go(*make(kind, k == 0 ? 1e-8 : 1e-12), equations, kPeriod, 1, y).evaluations;
      error[k] = distance(y, nearest());
    }
    return std::log(error[0] / error[1]) / std::log(static_cast<double>(work[1]) / static_cast<double>(work[0]));
  };
  EXPECT_NEAR(power(IntegratorKind::kDopri), 5.0, 0.6);  // 5.4
  EXPECT_GT(power(IntegratorKind::kExtrapolation), 10);  // 13
}

// Steps within end exactly where asked; multistep methods go past the end and look back.
TEST(HardIntegrators, OneStepMethodsLandOnTheEnd) {
  for (const IntegratorKind kind : kOneStep) {
    Given equations = kepler();
    State y = nearest();
    auto integrator = make(kind, 1e-9);
    world::LinkReport report;
    const double h = 0.7371;
    for (int i = 0; i < 3; ++i) {
      equations.latest = 0;
      integrator->advance(equations, i * h, h, y, report);
      EXPECT_EQ(equations.latest, i * h + h);
    }
  }
  for (const IntegratorKind kind : kMultistep) {
    Given equations = kepler();
    State y = nearest(), fine = nearest();
    go(*make(kind, 1e-9), equations, 0.7371, 1, y);
    EXPECT_GT(equations.latest, 0.7371);
    go(*make(IntegratorKind::kDopri, 1e-13), equations, 0.7371, 1, fine);
    EXPECT_LT(distance(y, fine), 1e-6);
  }
}

// Step and order go over from call to call, and so the calls do not matter much: hardly more work for 20 than for 1.
TEST(HardIntegrators, StepGoesOverToTheNextCall) {
  for (const IntegratorKind kind : kOneStep) {
    Given equations = kepler();
    State y = nearest();
    auto kept = make(kind, 1e-12);
    const std::int64_t work = go(*kept, equations, kPeriod, 20, y).evaluations;
    State z = nearest();
    std::int64_t forgetful = 0;
    auto restarted = make(kind, 1e-12);
    for (int i = 0; i < 20; ++i) {
      world::LinkReport r;
      restarted->restart();
      restarted->advance(equations, i * (kPeriod / 20), kPeriod / 20, z, r);
      forgetful += r.evaluations;
    }
    EXPECT_LT(work, forgetful);
    EXPECT_LT(distance(y, nearest()), 3e-10);
    EXPECT_LT(distance(z, nearest()), 3e-10);
  }
}

// After each correction integrators begin anew: one evaluation more than with the step known (7), for the first guess.
TEST(HardIntegrators, BeginningAnewIsCheap) {
  for (const IntegratorKind kind : kOneStep) {
    auto system = pendulum<2>(10, no_corrections());
    auto integrator = make(kind, 1e-8);
    world::LinkReport report;
    for (int i = 0; i < 100; ++i) {
      integrator->advance(*system->form, i * 0.001, 0.001, system->y, report);
      integrator->restart();
    }
    EXPECT_EQ(report.steps, 100);
    EXPECT_EQ(report.evaluations, 800);
  }
}

TEST(HardIntegrators, MemoryGoesOnWithTheSameBits) {
  for (const IntegratorKind kind : kOneStep) {
    Given equations = kepler();
    State whole = nearest();
    auto unbroken = make(kind, 1e-9);
    go(*unbroken, equations, kPeriod, 17, whole);

    State y = nearest(), forgot;
    auto first = make(kind, 1e-9), second = make(kind, 1e-9), third = make(kind, 1e-9);
    for (int i = 0; i < 7; ++i) {
      world::LinkReport r;
      first->advance(equations, i * (kPeriod / 17), kPeriod / 17, y, r);
    }
    second->recall(first->memory());
    forgot = y;
    go(*second, equations, kPeriod, 17, y, 7);
    EXPECT_EQ(y, whole);
    go(*third, equations, kPeriod, 17, forgot, 7);
    EXPECT_NE(forgot, whole);  // so the memory matters
    // After a restart nothing is left of before.
    auto used = make(kind, 1e-9), fresh = make(kind, 1e-9);
    State a = nearest(), b = nearest();
    go(*used, equations, kPeriod, 3, a);
    used->restart();
    a = nearest();
    go(*used, equations, kPeriod, 3, a);
    go(*fresh, equations, kPeriod, 3, b);
    EXPECT_EQ(a, b);
  }
}

// HardStep resumes multistep methods by repeating the run from the last restart.
TEST(HardIntegrators, MultistepRepeatsItsHistoryWithTheSameBits) {
  for (const IntegratorKind kind : kMultistep) {
    auto system = pendulum<2>(4, no_corrections());
    const double dt = 0.01;
    auto unbroken = make(kind, 1e-8);
    EXPECT_TRUE(unbroken->has_history());
    State y = system->y, base;
    std::vector<State> states;
    for (int i = 0; i < 40; ++i) {
      world::LinkReport r;
      if (i == 15) {
        unbroken->restart();
        base = y;
      }
      unbroken->advance(*system->form, i * dt, dt, y, r);
      states.push_back(y);
    }
    auto resumed = make(kind, 1e-8);
    State z = base;
    for (int i = 15; i < 40; ++i) {
      world::LinkReport r;
      resumed->advance(*system->form, i * dt, dt, z, r);
      EXPECT_EQ(z, states[static_cast<std::size_t>(i)]) << i;
      if (i == 30) z[0] += 1;  // what is handed in between restarts is not looked at
    }
    // From another place in the history the bits are others: the test could fail.
    auto late = make(kind, 1e-8);
    State x = states[24];
    world::LinkReport r;
    late->advance(*system->form, 25 * dt, dt, x, r);
    EXPECT_NE(x, states[25]);
  }
}

// Calls shorter than a step of CVODE's take no step and only interpolate.
TEST(HardIntegrators, MultistepInterpolates) {
  for (const IntegratorKind kind : kMultistep) {
    Given equations = kepler();
    State y = nearest();
    auto integrator = make(kind, 1e-7);
    int idle = 0;
    for (int i = 0; i < 1000; ++i) {
      world::LinkReport r;
      integrator->advance(equations, i * (kPeriod / 1000), kPeriod / 1000, y, r);
      if (r.steps == 0) ++idle;
      EXPECT_EQ(r.steps == 0, r.evaluations == 0);
    }
    EXPECT_GT(idle, 500);
    EXPECT_LT(distance(y, nearest()), 1e-3);
  }
}

// y' = y^2 from 1 is 1/(1 - t): nothing gets past t = 1.
TEST(HardIntegrators, SayWhereTheyCannotGoOn) {
  for (const IntegratorKind kind : kAdaptive) {
    Given runaway(1, [](double, const double* y, double* dy) { dy[0] = y[0] * y[0]; });
    for (const double smallest : {0.0, 1e-6}) {
      State y{1};
      world::LinkReport r;
      auto integrator = make(kind, 1e-8, smallest);
      testing::internal::CaptureStderr();
      const std::string text = message([&] { integrator->advance(runaway, 0, 2, y, r); });
      EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
      EXPECT_NE(text.find("at time "), std::string::npos) << text;
      EXPECT_NE(text.find("hard.tolerance"), std::string::npos) << text;
      EXPECT_EQ(text.find("nothing thrown"), std::string::npos) << text;
      const double when = std::stod(text.substr(text.find("at time ") + 8));
      EXPECT_NEAR(when, 1, 1e-3) << text;
      if (smallest > 0) {
        EXPECT_NE(text.find("hard.smallest_step"), std::string::npos) << text;
      }
    }
  }
}

TEST(HardIntegrators, AccelerationsThatAreNoNumbersStopTheRun) {
  for (const IntegratorKind kind : kAdaptive) {
    Given broken(
        1, [](double t, const double*, double* dy) { dy[0] = t > 0.5 ? std::numeric_limits<double>::quiet_NaN() : 1; });
    State y{1};
    world::LinkReport r;
    const std::string text = message([&] { make(kind, 1e-8)->advance(broken, 0, 1, y, r); });
    EXPECT_NE(text.find("at time 0.5 s"), std::string::npos) << text;
    if (kind == IntegratorKind::kDopri || kind == IntegratorKind::kExtrapolation) {
      EXPECT_NE(text.find("are no numbers"), std::string::npos) << text;
    }
  }
}

// Trouble in the equations is theirs: it comes through as it is, also through CVODE.
TEST(HardIntegrators, TroubleOfTheEquationsComesThrough) {
  struct Trouble {
    int number;
  };
  for (const IntegratorKind kind : kAdaptive) {
    Given equations(1, [](double t, const double*, double* dy) {
      if (t > 0.3) throw Trouble{42};
      dy[0] = 1;
    });
    State y{1};
    world::LinkReport r;
    auto integrator = make(kind, 1e-8);
    try {
      integrator->advance(equations, 0, 1, y, r);
      FAIL() << "nothing thrown";
    } catch (const Trouble& t) {
      EXPECT_EQ(t.number, 42);
    }
  }
}

// Violations taken out inside: methods keep their accuracy, and the state after steps within a call is free of them.
TEST(HardIntegrators, TidiesInside) {
  for (const IntegratorKind kind : kOneStep) {
    Settings settings = no_corrections();
    settings.integrator = kind;
    settings.tolerance = 1e-7;
    auto plain = pendulum<2>(4, settings);
    settings.correct.position = settings.correct.velocity = When::kInside;
    auto tidy = pendulum<2>(4, settings);
    settings.tolerance = 1e-12;
    settings.correct = {When::kNever, When::kNever, When::kNever};
    auto exact = pendulum<2>(4, settings);
    world::LinkReport plain_report, report, ignored;
    plain->integrator()->advance(*plain->form, 0, 1, plain->y, plain_report);
    tidy->integrator()->advance(*tidy->form, 0, 1, tidy->y, report);
    exact->integrator()->advance(*exact->form, 0, 1, exact->y, ignored);
    EXPECT_GT(plain->form->violation(1, plain->y.data()).position, 1e-9);
    EXPECT_LT(tidy->form->violation(1, tidy->y.data()).position, 1e-14);
    EXPECT_LT(tidy->form->violation(1, tidy->y.data()).velocity, 1e-13);
    EXPECT_LT(distance(tidy->y, exact->y), 3 * distance(plain->y, exact->y));
    EXPECT_LT(static_cast<double>(report.evaluations), 1.5 * static_cast<double>(plain_report.evaluations));
  }
}

}  // namespace
