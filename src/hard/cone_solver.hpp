// SPDX-License-Identifier: MIT
// Forces or impulses of a few contacts that meet: with u = W r + q the relative motion along the rows,
//   u_n >= 0, r_n >= -hold, and one of the two is equal                          (it pushes, or it opens)
//   |r_t| <= mu (r_n + hold) + shear,  u_t = -s r_t,  s >= 0, s = 0 below it     (Coulomb)
// and u = 0 in the rows of links. Small and dense: sweeps of Gauss and Seidel find which contacts push, stick and
// slide, then one linear solution with these modes makes the numbers exact. Knows nothing of bodies.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace moraine::hard {

enum class Mode : std::uint8_t { kOpen, kStick, kSlide };

// One contact: its normal row, then those across.
struct Cone {
  std::uint32_t row = 0, across = 0;
  double mu = 0, hold = 0, shear = 0;
  bool slips = false;             // it slips already: friction is `along` times its limit, whatever u_t becomes
  std::array<double, 2> along{};  // of friction while it slides, at most of length 1
  Mode mode = Mode::kOpen;

  double limit(double r_n) const { return mu * (r_n + hold) + shear; }
};

class ConeProblem {
 public:
  std::vector<Cone> cones;   // their rows come first, in this order
  std::vector<double> w;     // W, row by row
  std::vector<double> q, r;  // r: a guess before, the answer after
  std::size_t rows() const { return q.size(); }

  // All of it, from a guess of r and modes; false: no answer was found.
  bool find();
  // With the modes as they are: opened contacts do not act, the others neither open nor (if they stick) slip. Where
  // rows depend on each other r stays as near to the guess as it can.
  void solve_modes();
  double speed(std::size_t row) const;  // u

 private:
  double& at(std::size_t row, std::size_t column) { return w[row * rows() + column]; }
  double at(std::size_t row, std::size_t column) const { return w[row * rows() + column]; }
  void change(std::size_t row, double by);
  double sweep(double part);
  double sweep_cone(const Cone& cone, double part);
  void sweep_friction(const Cone& cone);
  bool settle_modes(int rounds);
  void name_modes();
  bool repair();
  bool repair_friction(Cone& cone, double no_force, double no_speed);
  void set_sliding();
  void list_unknowns();
  void factor();
  void eliminate(std::size_t n);
  bool eliminate(std::size_t n, bool any_column);
  double violation() const;

  std::vector<double> u_;
  std::vector<std::size_t> unknowns_;
  std::vector<double> a_, lu_;
  std::vector<std::size_t> row_at_, column_at_;
  std::size_t rank_ = 0;
  bool dependent_ = false;
};

}  // namespace moraine::hard
