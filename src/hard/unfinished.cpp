// SPDX-License-Identifier: MIT
#include "base/error.hpp"
#include "hard/formulation.hpp"
#include "hard/integrators.hpp"

namespace moraine::hard {
namespace {
[[noreturn]] void missing() { throw base::RunError("not yet there", ""); }
}  // namespace
std::unique_ptr<Integrator> make_dopri(const Settings&) { missing(); }
std::unique_ptr<Integrator> make_extrapolation(const Settings&) { missing(); }
std::unique_ptr<Integrator> make_multistep(const Settings&) { missing(); }
template <int D>
std::unique_ptr<Integrator> make_mixed_iteration(Formulation<D>&, const System<D>&, Outer<D>&, const Settings&) {
  missing();
}
#define MORAINE_INSTANTIATE(D)                                                                               \
  template std::unique_ptr<Integrator> make_mixed_iteration<D>(Formulation<D>&, const System<D>&, Outer<D>&, \
                                                               const Settings&);
MORAINE_INSTANTIATE(2)
MORAINE_INSTANTIATE(3)
}  // namespace moraine::hard
