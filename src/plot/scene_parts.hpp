// SPDX-License-Identifier: MIT
// What stands in a scene, as drawings: disks, balls, walls, planes, periodic boundaries. Knows where things are and how
// they look; what the colours mean is the figure's matter.
#pragma once

#include <vector>

#include "plot/survey.hpp"
#include "plot/view.hpp"

namespace moraine::plot {

// One colour per body of the frame.
using BodyColours = std::vector<Colour>;

// Bodies in full colour, as a pale ground for something else, or (3D) as mere breaths that hide nothing behind them.
enum class Look { kFull, kPale, kBreath };

// 2D: filled circles with an outline; in full colour with a spoke that turns with the disk, where there is room.
// 3D: shaded spheres, the farthest first.
void draw_bodies(Canvas& canvas, const View& view, const Frame& frame, const BodyColours& colours, Look look);
// Pale ones: held bodies somewhat darker than the free.
void draw_pale_bodies(Canvas& canvas, const View& view, const Frame& frame, Look look);
// Whether a disk of this radius (in points) is large enough to have a spoke.
bool has_spoke(double radius);

// Segments as thick lines (2D planes too, as far as the picture goes).
void draw_segments(Canvas& canvas, const View& view, const Frame& frame, const Box& box);
// 3D planes as faint grids within the box: those with the bodies in front of them, or the others.
enum class Side { kBehind, kBefore };
void draw_planes(Canvas& canvas, const View& view, const Frame& frame, const Box& box, Side side);
// Links of hard systems, thin; bodies go over them.
void draw_links(Canvas& canvas, const View& view, const Frame& frame);
// 2D: dashed lines where the domain repeats.
void draw_periods(Canvas& canvas, const View& view, const Frame& frame);

}  // namespace moraine::plot
