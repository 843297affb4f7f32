// SPDX-License-Identifier: MIT
// What integrators that choose their own steps share: how large an error is, where to begin, when to give up.
#pragma once

#include <cstdint>
#include <vector>

#include "hard/equations.hpp"
#include "hard/settings.hpp"

namespace moraine::hard {

// Errors are measured component by component against tolerance * (scale + size), as a root of the mean square: at most
// 1 is good enough.
class ErrorScale {
 public:
  explicit ErrorScale(double tolerance) : tolerance_(tolerance) {}
  void update(const Equations& equations, const std::vector<double>& y);
  // Of `error` in a step from one state to another. Not a number if any of it is not.
  double norm(const std::vector<double>& error, const std::vector<double>& from, const std::vector<double>& to) const;
  // Of any vector, against the scale at one state.
  double norm(const std::vector<double>& error, const std::vector<double>& at) const { return norm(error, at, at); }

 private:
  double tolerance_;
  std::vector<double> scale_;
};

// f(t, P(y)), where P takes violations out of a copy of y if the equations ask for that: as smooth as f, so that
// methods keep their order.
class Slope {
 public:
  void operator()(Equations& equations, double t, const std::vector<double>& y, std::vector<double>& dy);
  std::int64_t evaluations = 0;

 private:
  std::vector<double> tidied_;
};

// A first step for a method of this order, no longer than `longest`: from the sizes of y, of its slope at t and of the
// change of the slope (Hairer, Norsett & Wanner, II.4). One evaluation.
double first_step(Equations& equations, Slope& slope, const ErrorScale& scale, double t, const std::vector<double>& y,
                  const std::vector<double>& dy, int order, double longest);

// The next step of `wish` on the way to the end, `rest` away: all of the rest if it is hardly more, and half of it
// rather than a small piece at the end.
double next_piece(double wish, double rest);

// Throws if a step is too short to go on with; `error`: of the last step tried.
void check_step(const char* method, const Settings& settings, double t, double end, double step, double error);

}  // namespace moraine::hard
