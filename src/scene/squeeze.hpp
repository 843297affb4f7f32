// SPDX-License-Identifier: MIT
// Dense random packings: bodies placed loosely in a larger box whose walls move in (Babic 2.2.3). The small run this
// takes happens while the scene is built.
#pragma once

#include "inflow/place.hpp"
#include "scene/fill.hpp"

namespace moraine::scene {

template <int D>
std::vector<world::NewBody<D>> squeeze(const FillContext& context, const Node& fill, int material,
                                       const inflow::Region<D>& region, const world::World<D>& world,
                                       base::Stream& random, Problems& problems);

}  // namespace moraine::scene
