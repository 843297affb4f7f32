// SPDX-License-Identifier: MIT
#include "touch/walls.hpp"

#include <algorithm>
#include <cmath>

namespace moraine::touch {

namespace {

using world::World;

// Distance of a point from what is touched there: the wall, or of a mesh that triangle.
template <int D>
double distance_to_touched(const World<D>& world, const WallTouch<D>& t, const Vec<D>& x) {
  const world::Surface<D>& s = world.walls[t.wall].now;
  if constexpr (D == 3) {
    if (s.form == world::Form::kMesh) {
      const std::uint32_t triangle = world.contacts.walls.other[t.slot] - world.walls[t.wall].first_element;
      return shape::nearest_on_triangle(s.mesh->mesh, triangle, s.to_mesh(x)).distance;
    }
  }
  return std::fabs(world::distance_to(s, x));
}

// An end or rim that lies on another wall which the body touches with its side is no edge: the two walls together are
// one smooth or inner edge, and the end must not push a second time.
template <int D>
bool hidden_end(const World<D>& world, const world::Place<D>& a, const std::vector<WallTouch<D>>& touched,
                std::size_t which) {
  if (!touched[which].at_end) return false;
  const Vec<D> end = a.x + touched[which].at.k * touched[which].at.distance;
  const double tolerance = 1e-9 * a.radius;
  for (std::size_t other = 0; other < touched.size(); ++other) {
    if (touched[other].wall == touched[which].wall) continue;
    if (distance_to_touched(world, touched[other], end) > tolerance) continue;
    if (!touched[other].at_end) return true;
    // Both walls end here: only the first of them is the edge.
    const Vec<D> point = a.x + touched[other].at.k * touched[other].at.distance;
    if (other < which && math::norm(point - end) <= tolerance) return true;
  }
  return false;
}

// The triangles of one mesh that a body may touch: slots first .. end-1. There are none in 2D.
template <int D>
void touch_mesh(World<D>&, const world::Place<D>&, double, std::uint32_t, std::uint32_t, std::uint32_t,
                std::vector<WallTouch<D>>&) {}

// A contact that rolls on from one triangle to the next takes its memory along: to a triangle of the same patch that is
// newly touched, or across a sharp edge to one that is touched about where the old one was left.
void hand_over(world::Slots& slots, const shape::Mesh& mesh, std::uint32_t first_element, const Vec<3>& here,
               double radius, const std::vector<std::uint32_t>& left, const std::vector<shape::MeshTouch>& touches,
               const std::vector<WallTouch<3>>& touched, std::size_t from) {
  const auto patch = [&](std::uint32_t slot) { return mesh.patch[slots.other[slot] - first_element]; };
  for (const bool same_patch : {true, false}) {
    for (const std::uint32_t old : left) {
      if (slots.touching[old] != 1) continue;
      for (std::size_t t = from; t < touched.size(); ++t) {
        const std::uint32_t now = touched[t].slot;
        if (slots.touching[now] == 1) continue;
        if (same_patch) {
          if (patch(old) != patch(now)) continue;
        } else {
          const shape::MeshTouch& touch = touches[t - from];
          const std::uint32_t triangle = slots.other[old] - first_element;
          const Vec<3> was = shape::nearest_on_triangle(mesh, triangle, here).point;
          if (math::norm(here + touch.k * touch.distance - was) > 0.1 * radius) continue;
        }
        slots.touching[now] = 1;
        slots.touching[old] = 0;
        const auto memory = slots.memory.begin() + static_cast<std::ptrdiff_t>(old * slots.stride);
        std::copy_n(memory, slots.stride, slots.memory.begin() + static_cast<std::ptrdiff_t>(now * slots.stride));
        std::fill_n(memory, slots.stride, 0.0);
        break;
      }
    }
  }
}

void touch_mesh(World<3>& world, const world::Place<3>& a, double margin, std::uint32_t w, std::uint32_t first,
                std::uint32_t end, std::vector<WallTouch<3>>& touched) {
  const world::Wall<3>& wall = world.walls[w];
  world::Slots& slots = world.contacts.walls;
  thread_local std::vector<std::uint32_t> triangles, left;
  thread_local std::vector<shape::MeshTouch> touches;
  triangles.clear();
  for (std::uint32_t p = first; p < end; ++p) triangles.push_back(slots.other[p] - wall.first_element);
  const Vec<3> here = wall.now.to_mesh(a.x);
  shape::touching(wall.now.mesh->mesh, triangles, here, a.radius + margin, touches);
  const std::size_t from = touched.size();
  for (const shape::MeshTouch& t : touches) {
    const auto at = std::lower_bound(triangles.begin(), triangles.end(), t.triangle) - triangles.begin();
    touched.push_back({first + static_cast<std::uint32_t>(at),
                       w,
                       {math::rotated(t.k, wall.now.turned), t.distance, a.radius - t.distance},
                       t.at_edge,
                       false});
  }
  left.clear();
  for (std::uint32_t p = first; p < end; ++p) {
    if (slots.touching[p] == world::kJustOpened) slots.touching[p] = 0;
    const bool still = std::any_of(touched.begin() + static_cast<std::ptrdiff_t>(from), touched.end(),
                                   [p](const WallTouch<3>& t) { return t.slot == p; });
    if (slots.touching[p] == 1 && !still) left.push_back(p);
  }
  if (left.empty()) return;
  hand_over(slots, wall.now.mesh->mesh, wall.first_element, here, a.radius, left, touches, touched, from);
  for (const std::uint32_t p : left) {
    if (slots.touching[p] != 1) continue;
    // It has opened, perhaps beside a triangle that it has just left, or another contact of its surface is nearer now.
    const shape::Mesh& mesh = wall.now.mesh->mesh;
    const std::uint32_t triangle = slots.other[p] - wall.first_element;
    shape::NearestPoint n = shape::nearest_on_triangle(mesh, triangle, here);
    for (const std::uint32_t other : triangles) {
      if (other == triangle || mesh.patch[other] != mesh.patch[triangle]) continue;
      const shape::NearestPoint nearer = shape::nearest_on_triangle(mesh, other, here);
      if (nearer.distance < n.distance) n = nearer;
    }
    if (n.distance < a.radius || !(n.distance > 0)) {
      slots.forget(p);
      continue;
    }
    const Vec<3> k = math::rotated((n.point - here) * (1 / n.distance), wall.now.turned);
    touched.push_back({p, w, {k, n.distance, a.radius - n.distance}, false, false});
  }
}

}  // namespace

template <int D>
void touch_walls(World<D>& world, std::uint32_t i, double margin, std::vector<WallTouch<D>>& touched) {
  world::Slots& slots = world.contacts.walls;
  const world::Place<D>& a = world.bodies.place[i];
  touched.clear();
  for (std::uint32_t p = slots.start[i]; p < slots.start[i + 1]; ++p) {
    WallTouch<D> t{p, world.wall_of(slots.other[p]), {}, false, false};
    if (world.walls[t.wall].start.form == world::Form::kMesh) {
      const std::uint32_t after = t.wall + 1 < world.walls.size() ? world.walls[t.wall + 1].first_element : ~0U;
      std::uint32_t end = p;
      while (end < slots.start[i + 1] && slots.other[end] < after) ++end;
      touch_mesh(world, a, margin, t.wall, p, end, touched);
      p = end - 1;
      continue;
    }
    t.at = touch_wall(a.x, a.radius, world.walls[t.wall].now, t.at_end);
    if (slots.touching[p] == world::kJustOpened) slots.touching[p] = 0;
    if (t.at.overlap > -margin || slots.touching[p] != 0) touched.push_back(t);
  }
  if (touched.size() < 2) return;
  for (std::size_t t = 0; t < touched.size(); ++t) touched[t].hidden = hidden_end(world, a, touched, t);
}

template void touch_walls<2>(World<2>&, std::uint32_t, double, std::vector<WallTouch<2>>&);
template void touch_walls<3>(World<3>&, std::uint32_t, double, std::vector<WallTouch<3>>&);

}  // namespace moraine::touch
