// SPDX-License-Identifier: MIT
#include "hard/formulation.hpp"
#include "hard/integrators.hpp"

namespace moraine::hard {

template <int D>
std::unique_ptr<Integrator> make_integrator(Formulation<D>& formulation, const System<D>& system, Outer<D>& outer,
                                            const Settings& settings) {
  switch (settings.integrator) {
    case IntegratorKind::kRk4:
      return std::make_unique<Rk4>();
    case IntegratorKind::kDopri:
      return make_dopri(settings);
    case IntegratorKind::kExtrapolation:
      return make_extrapolation(settings);
    case IntegratorKind::kAdams:
    case IntegratorKind::kBdf:
      return make_multistep(settings);
    case IntegratorKind::kMixedIteration:
      return make_mixed_iteration(formulation, system, outer, settings);
    case IntegratorKind::kTimeStepping:
      break;
  }
  return nullptr;
}

#define MORAINE_INSTANTIATE(D)                                                                          \
  template std::unique_ptr<Integrator> make_integrator<D>(Formulation<D>&, const System<D>&, Outer<D>&, \
                                                          const Settings&);
MORAINE_INSTANTIATE(2)
MORAINE_INSTANTIATE(3)

}  // namespace moraine::hard
