// SPDX-License-Identifier: MIT
// [[wall]] tables: forms, prescribed motions, servos and free walls.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "scene/laws.hpp"
#include "scene/values.hpp"
#include "world/world.hpp"

namespace moraine::scene {

// Prescribed motion of a wall or body; `reference` where the scene gives no `about`.
template <int D>
world::Motion<D> read_motion(const Node& node, const math::Vec<D>& reference, Problems& problems);

// `folder`: what the paths of mesh files are relative to. `warnings`: what is odd about meshes, but not wrong.
template <int D>
void read_walls(const Node& scene, const std::filesystem::path& folder, const Laws& laws, world::World<D>& world,
                std::vector<std::string>& warnings, Problems& problems);

// The half bodies on bumpy walls, which are ordinary bodies that go along with their wall; after all other single
// bodies, so that ids of those count from 0.
template <int D>
void add_bumps(const Node& scene, const Laws& laws, world::World<D>& world, Problems& problems);

// Once the step is known: moments that the scene gives in steps.
template <int D>
void count_in_steps(const Node& scene, world::World<D>& world, Problems& problems);

// Once the bodies are known: walls so much larger than them that a unit may be wrong.
template <int D>
void compare_sizes(const world::World<D>& world, double largest_radius, std::vector<std::string>& warnings);

// Once bodies and step are known: gains and speeds that the scene leaves open, and gains that cannot be stable.
template <int D>
void choose_drives(const Node& scene, world::World<D>& world, std::size_t bodies, double contact_time,
                   Problems& problems);

}  // namespace moraine::scene
