// SPDX-License-Identifier: MIT
// Polyhedra (2D: polygons), convex or not: mass properties, and what of their surface can touch. Pure geometry: knows
// nothing of bodies, materials or scenes.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "shape/clump.hpp"
#include "shape/distance_field.hpp"
#include "shape/mesh.hpp"

namespace moraine::shape {

// Of the inside of a closed, oriented surface; exact but for rounding.
template <int D>
MassProperties<D> solid_properties(const std::vector<math::Vec<D>>& vertices, const std::vector<Facet<D>>& facets);

// An edge that sticks out (3D), by the numbers of its ends among the corners.
struct Ridge {
  std::uint32_t from, to;
  std::array<math::Vec3, 2> into;  // unit vectors across it, along the two facets that meet there
};

// How spheres see a solid (3D): as they see the mesh of a wall.
template <int D>
struct Skin {};
template <>
struct Skin<3> {
  Mesh mesh;
  MeshTree tree;
};

template <int D>
struct Solid {
  // In the frame of the principal axes about the centre of mass.
  std::vector<math::Vec<D>> vertices;
  std::vector<Facet<D>> facets;
  std::vector<math::Vec<D>> normals;   // of the facets, outwards
  std::vector<Ridge> ridges;           // 3D: edges that stick out
  std::vector<std::uint32_t> corners;  // vertices that stick out: ends of ridges (2D: where the outline turns left)
  double measure = 0;                  // volume; 2D: area
  math::Spin<D> moment{};              // per density: 3D: principal moments
  double radius = 0;                   // of the farthest vertex from the centre
  double inner = 0;                    // of the largest sphere about the centre of mass inside; 0: it lies outside
  bool convex = false;
  // Half-spaces with nothing of the solid in them, n . x > offset: above faces that all of it lies below, and around
  // it.
  struct Front {
    math::Vec<D> n;
    double offset;
  };
  static constexpr std::size_t kMostFronts = 63;
  std::vector<Front> fronts;
  math::Vec<D> centre{};        // of this frame, in the frame that the vertices were given in
  math::Orientation<D> axes{};  // its axes there
  DistanceField<D> field;
  Skin<D> skin;
  // Unit vectors from each corner along its ridges (2D: its sides): those of corner c from spoke_start[c] on.
  std::vector<std::uint32_t> spoke_start;
  std::vector<math::Vec<D>> spokes;
  // For each corner a point inside, seen from the corner along a straight line that does not leave the solid: whatever
  // thin wall lies between the two, the corner has gone through it.
  std::vector<math::Vec<D>> inward;
  // How far that point is; where the solid goes on beyond it, without end.
  std::vector<double> room;

  std::size_t bytes() const;
};

inline constexpr double kSolidReach = 0.1;

// Whether the segment from p to q passes through the inside of the triangle.
bool pierces(const Vec3& p, const Vec3& q, const Vec3& a, const Vec3& b, const Vec3& c);

// What a mesh lacks to be a solid, in words; empty if nothing. Besides the findings that any mesh may have these are
// open, flipped and many-sheeted edges, triangles that cross others, and a surface inside out.
std::vector<std::string> solid_faults(const Mesh& mesh);

// Pairs of triangles that cross or touch elsewhere than at corners and edges they share; at most `most` of them.
std::vector<std::array<std::uint32_t, 2>> crossing_triangles(const Mesh& mesh, std::size_t most);

// Triangles that cannot be used left out, those that face the wrong way turned, and flat or small holes closed: each
// loop of open edges by a fan of triangles from its middle.
RawMesh repaired(const RawMesh& raw);

// Only of a mesh without faults. Distances outside are known up to `reach` (relative to the radius).
Solid<3> make_solid(const Mesh& mesh, double reach = kSolidReach);
// Corners in either order round the outline, which must not cross itself.
Solid<2> make_solid(std::vector<math::Vec2> corners, double reach = kSolidReach);

}  // namespace moraine::shape
