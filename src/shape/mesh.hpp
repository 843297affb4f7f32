// SPDX-License-Identifier: MIT
// Triangle meshes as walls: a thin skin with two sides. Pure geometry: what a user's triangles are worth, which of them
// are near a point, and where a sphere touches them. Knows no files, no bodies, no motion: points are given in the
// frame of the mesh.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "math/elementary.hpp"
#include "math/vec.hpp"

namespace moraine::shape {

using math::Vec3;
using Corners = std::array<std::uint32_t, 3>;

inline constexpr std::uint32_t kNone = 0xFFFFFFFF;
inline constexpr std::uint32_t kMany = 0xFFFFFFFE;
inline constexpr double kSmoothAngle = math::kPi / 6;

// Triangles as a file or a generator gives them; vertices may be repeated.
struct RawMesh {
  std::vector<Vec3> vertices;
  std::vector<Corners> triangles;
};

// What is wrong, or may be wrong, with the user's triangles.
struct MeshFinding {
  enum Kind {
    kEmpty,                    // nothing is left to touch
    kBadIndex,                 // a corner that is no vertex
    kNotFinite,                // a coordinate that is not a finite number
    kDegenerate,               // no area
    kDuplicate,                // the same three corners as an earlier triangle
    kOpenEdge,                 // an edge of one triangle only
    kInconsistentOrientation,  // two triangles that run along their edge in the same direction
    kNonManifold,              // an edge of more than two triangles
    kInsideOut                 // closed, and its normals point inwards
  };
  Kind kind = kEmpty;
  std::uint64_t count = 0;           // triangles, or edges for the kinds that are about edges
  std::vector<std::uint64_t> first;  // the first few triangles, counted from 1 in the order of the file
  std::string text;                  // for the user

  // Triangles that cannot be part of a wall; make_mesh leaves them out.
  bool left_out() const { return kind == kBadIndex || kind == kNotFinite || kind == kDegenerate || kind == kDuplicate; }
};

// The triangles that are used, and who is whose neighbour. Corner i and corner i+1 are the ends of edge i.
struct Mesh {
  std::vector<Vec3> vertices;  // welded; those of triangles left out may have nothing around them
  std::vector<Corners> triangles;
  std::vector<Vec3> normals;                             // unit, by the right-hand rule over the corners
  std::vector<Vec3> centres;                             // of the corners
  std::vector<double> reach2;                            // square of the distance from there to the farthest corner
  std::vector<std::array<std::uint32_t, 3>> neighbours;  // across each edge; kNone: open, kMany: more than one
  std::vector<std::array<std::uint32_t, 3>> edges;       // the number of each edge
  std::vector<std::uint32_t> edge_begin, edge_members;   // triangles at edge e: members [begin[e], begin[e+1])
  std::vector<std::uint32_t> vertex_begin, vertex_members;
  std::vector<std::uint32_t> patch;  // of each triangle: triangles joined by edges that turn less than the smooth angle
  std::vector<std::uint32_t> source;  // number of each triangle in the raw mesh, from 0
  std::uint32_t patches = 0;
  double smooth_angle = kSmoothAngle, cos_smooth = 0;
  Vec3 min{}, max{};  // bounding box
  std::vector<MeshFinding> findings;

  std::span<const std::uint32_t> at_edge(std::uint32_t edge) const {
    return {edge_members.data() + edge_begin[edge], edge_begin[edge + 1] - edge_begin[edge]};
  }
  std::span<const std::uint32_t> at_vertex(std::uint32_t vertex) const {
    return {vertex_members.data() + vertex_begin[vertex], vertex_begin[vertex + 1] - vertex_begin[vertex]};
  }
};

// Vertices nearer to each other than this part of the box's diagonal are one.
inline constexpr double kWeld = 1e-9;
// A triangle whose height is less than this part of its longest edge has no area (files often hold single precision).
inline constexpr double kNoArea = 1e-7;

// Never throws for bad triangles: leaves them out and says so in `findings`. The angle is in radians.
Mesh make_mesh(std::span<const Vec3> vertices, std::span<const Corners> triangles, double smooth_angle = kSmoothAngle);
inline Mesh make_mesh(const RawMesh& raw, double smooth_angle = kSmoothAngle) {
  return make_mesh(raw.vertices, raw.triangles, smooth_angle);
}
std::vector<MeshFinding> check_mesh(std::span<const Vec3> vertices, std::span<const Corners> triangles);

// The part of a triangle that a point of it lies on.
enum class Feature : std::uint8_t { kFace, kEdge0, kEdge1, kEdge2, kVertex0, kVertex1, kVertex2 };
inline bool is_edge(Feature f) { return f >= Feature::kEdge0 && f <= Feature::kEdge2; }
inline bool is_vertex(Feature f) { return f >= Feature::kVertex0; }
inline int index_of(Feature f) { return (static_cast<int>(f) + 2) % 3; }  // of the edge or corner; not for a face

struct NearestPoint {
  Vec3 point;
  double distance;
  Feature feature;
};
NearestPoint nearest_on_triangle(const Mesh& mesh, std::uint32_t triangle, const Vec3& x);

// Finds the triangles near a point in a time that hardly grows with the mesh. Holds copies of what it needs, so that
// it may be moved and copied freely.
class MeshTree {
 public:
  MeshTree() = default;
  explicit MeshTree(const Mesh& mesh);

  // Replaces `triangles` by all whose distance from x is less than `distance`, sorted by number.
  void near(const Vec3& x, double distance, std::vector<std::uint32_t>& triangles) const;

 private:
  struct Node {
    Vec3 min, max;
    std::uint32_t first;  // leaf: its first facet; else: the second child (the first follows at once)
    std::uint32_t count;  // leaf: how many facets; else 0
  };
  struct Facet {
    Vec3 corners[3];
    Vec3 normal;
    std::uint32_t triangle;
  };
  std::uint32_t build(std::uint32_t begin, std::uint32_t end);

  std::vector<Node> nodes_;
  std::vector<Facet> facets_;
};

// Where a sphere touches the mesh.
struct MeshTouch {
  std::uint32_t triangle;
  std::uint32_t patch;  // at an edge or vertex, the lowest of those that meet there
  Vec3 k;               // unit, from the sphere's centre towards the mesh
  double distance;      // of the centre from the mesh
  bool at_edge;         // the point is not inside a face
};

// Replaces `out` by the contacts of the sphere, nearest first. `candidates` must hold every triangle nearer than
// `radius` (others do no harm). One contact per smooth surface: a local minimum of the distance counts unless a nearer
// contact is at the same point, or is on the same patch and in a direction that differs by less than the smooth angle.
void touching(const Mesh& mesh, std::span<const std::uint32_t> candidates, const Vec3& x, double radius,
              std::vector<MeshTouch>& out);

}  // namespace moraine::shape
