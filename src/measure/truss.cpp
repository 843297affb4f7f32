// SPDX-License-Identifier: MIT
#include "measure/truss.hpp"

#include <algorithm>
#include <cmath>

namespace moraine::measure {

namespace {

// What is left on each node, over the mean load.
template <int D>
void check_balance(const Truss<D>& truss, const TrussOptions& options, TrussForces<D>& out) {
  std::vector<Vec<D>> force = truss.load;
  std::vector<Spin<D>> torque = truss.moment;
  for (std::size_t s = 0; s < truss.struts.size(); ++s) truss.apply(truss.struts[s], out.force[s], force, torque);
  double sum = 0;
  for (const Vec<D>& load : truss.load) sum += math::norm(load);
  if (sum == 0) return;
  const double mean = sum / static_cast<double>(truss.nodes());
  for (std::size_t i = 0; i < truss.nodes(); ++i) {
    double left = math::norm(force[i]);
    if (truss.turns[i] != 0) left = std::max(left, math::norm(torque[i]) / truss.size[i]);
    left /= mean;
    out.residual = std::max(out.residual, left);
    out.unbalanced += left > options.tolerance ? 1 : 0;
  }
}

}  // namespace

template <int D>
TrussForces<D> solve_truss(const Truss<D>& truss, const TrussOptions& options) {
  const std::size_t n = truss.struts.size();
  TrussWork<D> work{truss, options, truss.load, truss.moment, std::vector<std::uint8_t>(n, 1), {}};
  work.out.force.assign(n, Vec<D>{});
  work.out.state.assign(n, StrutState::kHolds);
  if (options.peel) peel(work);
  solve_rest(work);
  check_balance(truss, options, work.out);
  return std::move(work.out);
}

template TrussForces<2> solve_truss<2>(const Truss<2>&, const TrussOptions&);
template TrussForces<3> solve_truss<3>(const Truss<3>&, const TrussOptions&);

}  // namespace moraine::measure
