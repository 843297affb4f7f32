// SPDX-License-Identifier: MIT
// What the set-ups have in common: pieces of scene text. Only setups.cpp and the set-ups themselves use this.
#pragma once

#include <string>

#include "scene/setups.hpp"
#include "scene/writer.hpp"

namespace moraine::scene {

// "[x, y]" or "[x, y, z]".
std::string vec_text(int dimension, double x, double y, double z = 0);
// Material "grain" of the set-up's density and stiffness, and its contact.
std::string grain_text(const Node& setup);
// What a disk (of thickness 1) or sphere of the mean radius covers, on average over the spread of radii.
double mean_ball(const Node& setup, int dimension);

Expanded expand_impact(const Node& scene, const Node& setup);
Expanded expand_bed(const Node& scene, const Node& setup, Problems& problems);
Expanded expand_triaxial(const Node& scene, const Node& setup);
Expanded expand_nine_disc(const Node& scene, const Node& setup, Problems& problems);
Expanded expand_box(const Node& scene, const Node& setup, Problems& problems);
Expanded expand_channel(const Node& scene, const Node& setup, Problems& problems);  // also couette
Expanded expand_chute(const Node& scene, const Node& setup, Problems& problems);
Expanded expand_simple_shear(const Node& scene, const Node& setup, Problems& problems);
Expanded expand_block(const Node& scene, const Node& setup, Problems& problems);
Expanded expand_helix(const Node& scene, const Node& setup, Problems& problems);
Expanded expand_dominoes(const Node& scene, const Node& setup, Problems& problems);
Expanded expand_bricks(const Node& scene, const Node& setup, Problems& problems);
Expanded expand_pipe(const Node& scene, const Node& setup, Problems& problems);

// Those of hard systems; the scene must have method = "hard".
Expanded expand_pendulum(const Node& scene, const Node& setup, Problems& problems);
Expanded expand_falling_chain(const Node& scene, const Node& setup);
Expanded expand_stack(const Node& scene, const Node& setup);
Expanded expand_three_spheres(const Node& scene, const Node& setup, Problems& problems);
Expanded expand_wheel(const Node& scene, const Node& setup, Problems& problems);
Expanded expand_pyramid(const Node& scene, const Node& setup, Problems& problems);

}  // namespace moraine::scene
