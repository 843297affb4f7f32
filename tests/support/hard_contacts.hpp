// SPDX-License-Identifier: MIT
// Pieces of scenes with hard contacts that are followed, for tests.
#pragma once

#include <fmt/format.h>

#include <initializer_list>
#include <string>

#include "measure/energy.hpp"
#include "support/in_memory.hpp"

namespace moraine::test {

inline std::string hard_head(int dimension, double end, double step, double e, double mu,
                             const std::string& hard = "") {
  return fmt::format(
      "dimension = {}\nmethod = \"hard\"\n[time]\nend = {:.17g}\nstep = {:.17g}\n[hard]\nintegrator = \"dopri\"\n{}\n"
      "[[material]]\nname = \"m\"\ndensity = 1000\n[[contact]]\nrestitution = {:.17g}\nfriction = {:.17g}\n",
      dimension, end, step, hard, e, mu);
}
inline std::string hard_floor(int dimension) {
  return dimension == 2 ? "[[wall]]\nname = \"floor\"\nfrom = [-100, 0]\nto = [100, 0]\nmaterial = \"m\"\n"
                        : "[[wall]]\nname = \"floor\"\npoint = [0, 0, 0]\nnormal = [0, 0, 1]\nmaterial = \"m\"\n";
}
inline std::string numbers(std::initializer_list<double> v) {
  std::string s = "[";
  for (const double x : v) s += fmt::format("{:.17g}, ", x);
  return s + "]";
}
inline std::string ball(const std::string& x, const std::string& v, double radius, const std::string& more = "") {
  return fmt::format("[[body]]\nposition = {}\nvelocity = {}\nradius = {:.17g}\nmaterial = \"m\"\n{}\n", x, v, radius,
                     more);
}

// Energy there is, and that has gone, less what came in: does not change.
template <int D>
double energy_books(const world::World<D>& w) {
  return measure::measure_energy(w).mechanical() + measure::dissipated(w.ledger) - w.ledger.walls - w.ledger.loads;
}

}  // namespace moraine::test
