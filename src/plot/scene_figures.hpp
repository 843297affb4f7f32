// SPDX-License-Identifier: MIT
// The figures of a frame: where the bodies are, how fast they go, which contacts carry the load, and maps of the whole.
// Reads frames only; nothing of how they came about.
#pragma once

#include "plot/scene_page.hpp"

namespace moraine::plot {

Picture configuration_figure(const Subject& subject);
Picture velocity_figure(const Subject& subject);
// Rectangles along the contacts, as wide as the normal force.
Picture force_figure(const Subject& subject);
// Several frames of one run on one page.
Picture configuration_frames(const std::vector<Subject>& subjects);
Picture force_frames(const std::vector<Subject>& subjects);
// Maps of concentration, pressure and shear stress, of a frame with so many bodies that they make sense; in 3D from
// views along an axis.
struct NamedPicture {
  std::string name, title;
  Picture picture;
};
std::vector<NamedPicture> field_figures(const Subject& subject);

}  // namespace moraine::plot
