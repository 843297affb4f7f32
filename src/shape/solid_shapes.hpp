// SPDX-License-Identifier: MIT
// Closed surfaces of ready shapes, for solids. Each is about the origin unless it says otherwise; sizes are whole
// lengths, not halves.
#pragma once

#include "base/random.hpp"
#include "shape/mesh_shapes.hpp"

namespace moraine::shape {

RawMesh brick(const Vec3& size);
// Corners on a sphere.
RawMesh tetrahedron(double radius);
RawMesh octahedron(double radius);
// A regular polygon with this many corners on a circle, drawn out along z.
RawMesh prism(int corners, double radius, double height);
// A polygon (against the clock, not crossing itself) drawn out along z, from -height/2 to height/2.
RawMesh extruded(const std::vector<math::Vec2>& outline, double height);

// Bars of a square section as letters, in the xy plane: a foot and a stem, or a stem and a bar across its end.
RawMesh letter_l(double width, double height, double bar);
RawMesh letter_t(double width, double height, double bar);
// Three bars that cross at right angles: `size` from end to end.
RawMesh jack(double size, double bar);
// A star with this many points, as thick as `height`.
RawMesh star(int points, double radius, double inner, double height);

// The smallest convex solid around points; fewer than four, or all in a plane: no triangles.
RawMesh hull(std::vector<Vec3> points);
// The hull of points at random on an ellipsoid with these axes (whole lengths).
RawMesh convex_rock(int points, const Vec3& size, base::Stream& random);
// A sphere of triangles whose vertices are pushed in and out at random, by at most `roughness` of the radius; with
// dents it is not convex.
RawMesh rough_rock(int level, const Vec3& size, double roughness, base::Stream& random);

}  // namespace moraine::shape
