// SPDX-License-Identifier: MIT
// The three figures of a frame: where the bodies are, how fast they go, and which contacts carry the load. Reads frames
// only; nothing of how they came about.
#pragma once

#include "plot/scene_page.hpp"

namespace moraine::plot {

Picture configuration_figure(const Subject& subject);
Picture velocity_figure(const Subject& subject);
// Rectangles along the contacts, as wide as the normal force.
Picture force_figure(const Subject& subject);

}  // namespace moraine::plot
