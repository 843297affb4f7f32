// SPDX-License-Identifier: MIT
// The equations of the links: each row says that a relative speed stays zero. With u = (velocities, spins) row r is
//   rate_r = n . (v_b - v_a) + turn_b . w_b - turn_a . w_a = 0,
//   d(rate_r)/dt = n . (a_b - a_a) + turn_b . dw_b/dt - turn_a . dw_a/dt + bend_r = 0,
// and a force gamma_r along the row pulls a with +gamma n (and torque turn_a gamma), b with the opposite.
#pragma once

#include <vector>

#include "hard/system.hpp"

namespace moraine::hard {

struct Violation {  // of links
  double position = 0, velocity = 0;
};

template <int D>
struct Rows {
  std::vector<Vec<D>> n;
  std::vector<Spin<D>> turn_a, turn_b;  // empty where no node turns
  std::vector<double> bend;
  std::vector<double> gap;   // violation of position (m); 0 for rows that have none (rolling)
  std::vector<double> rate;  // violation of velocity (m/s)

  explicit Rows(const System<D>& system);
  // `violations`: gap and rate, too.
  void update(const System<D>& system, const Kinematics<D>& k, bool violations = true);
  // Nothing but rods between centres. Then, without violations: y has x of all movable nodes, then v; k the others.
  bool only_rods() const { return !rods_.empty(); }
  void update_rods(const double* y, std::size_t movable, const Kinematics<D>& k);
  Violation worst() const;

 private:
  struct Rod {
    std::uint32_t a, b;
    double length;
  };
  std::vector<Rod> rods_;  // where all links are rods between centres: the same in less memory
  template <bool kViolations, class Where>
  void update_rods(const Where& where);
};

// What nodes that do not yield, but move, do to the others through the links (W).
template <int D>
double held_power(const System<D>& system, const Rows<D>& rows, const Kinematics<D>& k,
                  const std::vector<double>& gamma);

}  // namespace moraine::hard
