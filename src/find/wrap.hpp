// SPDX-License-Identifier: MIT
// Brings bodies that have left a periodic domain in again on its other side.
#pragma once

#include "base/parallel.hpp"
#include "world/world.hpp"

namespace moraine::find {

// Under shear a body that crosses the gradient axis also changes its place and speed along the flow; what that does to
// the energy of free bodies is added to world.ledger.shear.
template <int D>
void wrap(world::World<D>& world, base::Team& team);

}  // namespace moraine::find
