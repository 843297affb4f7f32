// SPDX-License-Identifier: MIT
// Scenes with method = "hard": settings, what does not go together, the start, the step.
#pragma once

#include <optional>

#include "hard/settings.hpp"
#include "scene/build.hpp"

namespace moraine::scene {

hard::Settings read_hard(const Node& scene, Problems& problems);

// Tables that the other method has and this one does not.
template <int D>
void check_method(const Node& scene, const world::World<D>& world, const std::optional<hard::Settings>& hard,
                  Problems& problems);

// Positions and velocities of the start must satisfy the links, or are changed so that they do (hard.project).
template <int D>
void settle_links(const Node& scene, world::World<D>& world, Problems& problems);

// `fastest`: the highest frequency (rad/s) that the links can swing with, about.
template <int D>
void choose_hard_step(const Node& scene, Built<D>& built, Problems& problems);

}  // namespace moraine::scene
