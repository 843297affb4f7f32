// SPDX-License-Identifier: MIT
// Triangle meshes of simple shapes, for tests and scenes. Normals of closed shapes and of skins of revolution point
// outwards, away from the inside or the axis. Counts are at least 1 (`around`: 3).
#pragma once

#include "shape/mesh.hpp"

namespace moraine::shape {

// A closed box; each side is cut into divisions x divisions rectangles of two triangles.
RawMesh box(const Vec3& min, const Vec3& max, int divisions = 1);

// A flat parallelogram, its normal along edge_u x edge_v.
RawMesh grid(const Vec3& corner, const Vec3& edge_u, const Vec3& edge_v, int nu, int nv);

// The open skin of a cylinder or cone: radius0 at the base, radius1 at `length` along the axis (any length of vector).
// One radius may be 0: a tip.
RawMesh tube(const Vec3& base, const Vec3& axis, double radius0, double radius1, double length, int around, int along);

// A skin about the z axis from -height/2 to height/2 that narrows smoothly from `radius` at its ends to `neck_radius`
// in the middle. The ends may be closed by flat disks.
RawMesh hourglass(double radius, double neck_radius, double height, int around, int along, bool closed_bottom = false,
                  bool closed_top = false);

// An open trough of rectangular section that winds down about the z axis, its middle at (radius, 0, 0) at first,
// against the clock seen from above. Before that it runs straight for `lead`, with the same slope.
struct Helix {
  double radius = 1, width = 0.1, height = 0.1;  // of the middle; of the section
  double pitch = 1, turns = 1, lead = 0;
  int around = 48;  // pieces of one turn
};
RawMesh helix(const Helix& helix);

// A sphere about the origin: an icosahedron (level 0) whose triangles are cut into four, level times.
RawMesh icosphere(double radius, int level);

// Both meshes as one.
RawMesh joined(RawMesh a, const RawMesh& b);

}  // namespace moraine::shape
