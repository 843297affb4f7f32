// SPDX-License-Identifier: MIT
// One instant of a run as plain arrays, the same for 2D and 3D (z = 0 in 2D): what the writers write, what the plotter
// and the viewer read. Knows nothing of how a world stores its bodies.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace moraine::measure {

using Triple = std::array<double, 3>;

inline constexpr std::int32_t kLinkLine = -1;  // a line that is a link

struct Frame {
  int dimension = 3;
  double time = 0;
  std::int64_t step = 0;

  // Bodies, sorted by id.
  std::vector<std::int64_t> id;
  std::vector<Triple> position, velocity, spin;    // spin: rad/s, in 2D only the z component
  std::vector<std::array<double, 4>> orientation;  // unit quaternion w, x, y, z
  std::vector<double> radius, mass;
  std::vector<std::int32_t> material;  // index into material_names
  std::vector<std::int32_t> held;      // 0 free, 1 fixed, 2 prescribed
  std::vector<std::int64_t> clump;     // number of the clump it is a member of, or -1
  std::vector<std::int32_t> form;      // number of the form of a solid, or -1: a disk or sphere

  // Contacts that carry force, sorted by (a, b). b >= 0: the id of a body; b < 0: wall number -1 - b.
  std::vector<std::int64_t> contact_a, contact_b;
  std::vector<Triple> contact_point, contact_normal;  // normal from a to b (or into the wall)
  std::vector<Triple> contact_force;                  // on a
  std::vector<double> contact_overlap;

  // Walls at this instant. kind "segment": from -> to. kind "plane": a point and the unit normal into the free side.
  // Others ("circle", "skin", "mesh"): the reference point twice; what they look like is in the lines.
  std::vector<std::string> wall_name, wall_kind;
  std::vector<Triple> wall_from, wall_to;  // plane: wall_from = point, wall_to = normal
  std::vector<Triple> wall_force;
  std::vector<Triple> line_from, line_to;  // a wire model of the walls that are neither segments nor planes; links
  std::vector<std::int32_t> line_wall;     // number of the wall, or kLinkLine

  // Forms of solids: vertices about the centre of mass, turned as an orientation of zero turns them, and facets. A body
  // is as much larger than its form as its radius is than the form's.
  std::vector<double> form_radius;
  std::vector<std::int32_t> form_vertex_start, form_facet_start;  // of form k: from [k] to before [k + 1]
  std::vector<Triple> form_vertex;
  // Four numbers each: three vertices of the form, counted from its first, against the clock seen from outside, and a
  // sum of 1, 2, 4 for those of the edges from the first, second, third that are edges of the solid. 2D: the third
  // vertex is -1.
  std::vector<std::int32_t> form_facet;

  Triple domain_min{}, domain_max{};       // bounds of the domain; for open axes without bounds, of the bodies
  std::array<std::int32_t, 3> periodic{};  // 1 where the axis is periodic
  std::vector<std::string> material_names;
};

}  // namespace moraine::measure
