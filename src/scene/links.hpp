// SPDX-License-Identifier: MIT
// [[link]] and [[chain]] tables: the constraints of hard systems.
#pragma once

#include "scene/laws.hpp"
#include "scene/values.hpp"
#include "world/world.hpp"

namespace moraine::scene {

// Bodies and links of [[chain]], which come after those of [[body]] and [[link]].
template <int D>
std::vector<world::Link<D>> read_chains(const Node& scene, const Laws& laws, world::World<D>& world,
                                        Problems& problems);
template <int D>
void read_links(const Node& scene, world::World<D>& world, Problems& problems);

// The table that a link of the world comes from.
const Node& table_of_link(const Node& scene, std::size_t link);

}  // namespace moraine::scene
