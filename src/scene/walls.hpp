// SPDX-License-Identifier: MIT
// [[wall]] tables: forms, prescribed motions, servos and free walls.
#pragma once

#include "scene/laws.hpp"
#include "scene/values.hpp"
#include "world/world.hpp"

namespace moraine::scene {

// Prescribed motion of a wall or body; `reference` where the scene gives no `about`.
template <int D>
world::Motion<D> read_motion(const Node& node, const math::Vec<D>& reference, Problems& problems);

template <int D>
void read_walls(const Node& scene, const Laws& laws, world::World<D>& world, Problems& problems);

// Once bodies and step are known: gains and speeds that the scene leaves open, and gains that cannot be stable.
template <int D>
void choose_drives(const Node& scene, world::World<D>& world, std::size_t bodies, double contact_time,
                   Problems& problems);

}  // namespace moraine::scene
