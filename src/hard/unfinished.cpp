// SPDX-License-Identifier: MIT
#include "base/error.hpp"
#include "hard/formulation.hpp"

namespace moraine::hard {
namespace {
[[noreturn]] void missing() { throw base::RunError("not yet there", ""); }
}  // namespace
template <int D>
std::unique_ptr<Formulation<D>> make_lagrange(World<D>&, const System<D>&, Outer<D>&, const Settings&) {
  missing();
}
template std::unique_ptr<Formulation<2>> make_lagrange<2>(World<2>&, const System<2>&, Outer<2>&, const Settings&);
template std::unique_ptr<Formulation<3>> make_lagrange<3>(World<3>&, const System<3>&, Outer<3>&, const Settings&);
}  // namespace moraine::hard
