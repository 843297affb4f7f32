// SPDX-License-Identifier: MIT
#include "scene/overlap_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "find/neighbours.hpp"
#include "touch/solids.hpp"
#include "touch/touch.hpp"

namespace moraine::scene {

namespace {

constexpr std::size_t kMostReported = 10;
constexpr double kSingleLimit = 0.01, kPackedLimit = 0.3;

// Reports at the body's own table, or at the [[fill]] tables as a whole.
class Reporter {
 public:
  Reporter(const Node& scene, const std::vector<std::size_t>& tables, Problems& problems)
      : scene_(scene), tables_(tables), problems_(problems) {}
  void add(std::int64_t id, const std::string& text) {
    if (++count_ > kMostReported) return;
    const auto& bodies = scene_.tables("body");
    const auto k = static_cast<std::size_t>(id);
    if (k < tables_.size()) {
      problems_.add(bodies[tables_[k]], "position", text);
    } else {
      problems_.add(scene_, fmt::format("body {} ([[fill]]): {}", id, text));
    }
  }
  ~Reporter() {
    if (count_ > kMostReported) problems_.add(scene_, fmt::format("and {} more overlaps", count_ - kMostReported));
  }

 private:
  const Node& scene_;
  const std::vector<std::size_t>& tables_;
  std::size_t count_ = 0;
  Problems& problems_;
};

template <int D>
double deepest(const std::vector<touch::SolidTouch<D>>& touches) {
  double depth = 0;
  for (const auto& t : touches) depth = std::max(depth, t.depth);
  return depth;
}

// How deep bodies i and j are in each other, the second shifted.
template <int D>
double depth_of(const world::World<D>& world, std::uint32_t i, std::uint32_t j, const math::Vec<D>& shift) {
  const auto &a = world.bodies.place[i], &b = world.bodies.place[j];
  if (world.solid_of(i) == nullptr && world.solid_of(j) == nullptr)
    return a.radius + b.radius - math::norm((b.x + shift) - a.x);
  std::vector<touch::SolidTouch<D>> touches;
  touch::touch_bodies(world, i, j, shift, 0.0, touches);
  return deepest(touches);
}

template <int D>
double depth_in_wall(const world::World<D>& world, std::uint32_t i, const world::Wall<D>& wall) {
  const auto& a = world.bodies.place[i];
  if (world.solid_of(i) == nullptr) return a.radius - world::distance_to(wall.now, a.x);
  std::vector<touch::SolidTouch<D>> touches;
  std::vector<std::uint32_t> triangles;
  if constexpr (D == 3) {
    if (wall.now.form == world::Form::kMesh) wall.now.mesh->tree.near(wall.now.to_mesh(a.x), a.radius, triangles);
  }
  touch::touch_wall(touch::posed(world, i), wall.now, std::span<const std::uint32_t>(triangles), 0.0, touches);
  return deepest(touches);
}

// Two that a link joins do not touch each other.
using IdPairs = std::set<std::pair<std::int64_t, std::int64_t>>;
template <int D>
IdPairs linked_pairs(const world::World<D>& world) {
  IdPairs pairs;
  for (const world::Link<D>& link : world.links) {
    if (link.b.at == world::LinkEnd<D>::At::kBody) pairs.insert(std::minmax(link.a.id, link.b.id));
  }
  return pairs;
}

// Bodies of which stand-ins are a part.
std::set<std::int64_t> doubtful_ids(const Node& scene, const std::vector<std::size_t>& tables) {
  bool shapes = false;
  for (const char* table : {"clump", "solid"}) {
    for (const Node& node : scene.tables(table)) shapes = shapes || node.damaged();
  }
  std::set<std::int64_t> ids;
  for (std::size_t id = 0; id < tables.size(); ++id) {
    const Node& body = scene.tables("body")[tables[id]];
    if (body.damaged() || (shapes && (body.has("clump") || body.has("solid"))))
      ids.insert(static_cast<std::int64_t>(id));
  }
  return ids;
}

}  // namespace

template <int D>
void check_overlaps(const Node& scene, const world::World<D>& original, const std::vector<std::size_t>& tables,
                    Problems& problems) {
  const std::size_t single = tables.size();
  if (original.bodies.size() == 0 || scene.table("domain").damaged()) return;
  for (int k = 0; k < D; ++k) {
    if (!(original.domain.max[k] > original.domain.min[k])) return;  // reported already
  }
  world::World<D> world = original;
  base::Team team(1);
  world.skin = 0;
  find::find_neighbours(world, team);
  Reporter report(scene, tables, problems);
  const auto shifts = world::image_shifts(world.domain, world.time);
  const IdPairs linked = linked_pairs(world);
  const auto doubtful = doubtful_ids(scene, tables);
  const world::Slots &pairs = world.contacts.pairs, &walls = world.contacts.walls;
  for (std::uint32_t i = 0; i < world.bodies.size(); ++i) {
    const auto& a = world.bodies.place[i];
    const std::int64_t id = world.bodies.id[i];
    for (std::uint32_t p = pairs.start[i]; p < pairs.start[i + 1]; ++p) {
      const std::uint32_t j = pairs.other[p];
      const auto& b = world.bodies.place[j];
      const std::int64_t other = world.bodies.id[j];
      if (linked.count(std::minmax(id, other)) > 0 || doubtful.count(id) > 0 || doubtful.count(other) > 0) continue;
      const double depth = depth_of(world, i, j, shifts[pairs.image[p]]);
      const bool packed = static_cast<std::size_t>(std::min(id, other)) >= single;
      if (depth <= (packed ? kPackedLimit : kSingleLimit) * std::min(a.radius, b.radius)) continue;
      report.add(std::max(id, other), fmt::format("overlaps body {} by {:.4g} m ({:.3g} of the smaller radius)",
                                                  std::min(id, other), depth, depth / std::min(a.radius, b.radius)));
    }
    for (std::uint32_t p = walls.start[i]; p < walls.start[i + 1]; ++p) {
      const std::uint32_t w = world.wall_of(walls.other[p]);
      // Of a mesh all triangles that are near are listed; once is enough.
      if (p > walls.start[i] && world.wall_of(walls.other[p - 1]) == w) continue;
      const auto& wall = world.walls[w];
      const double depth = depth_in_wall(world, i, wall);
      const bool packed = static_cast<std::size_t>(id) >= single;
      if (depth <= (packed ? kPackedLimit : kSingleLimit) * a.radius) continue;
      if (doubtful.count(id) > 0 || scene.tables("wall")[w].damaged()) continue;
      report.add(id, fmt::format("overlaps wall \"{}\" by {:.4g} m ({:.3g} of the radius)", wall.name, depth,
                                 depth / a.radius));
    }
  }
}

template void check_overlaps<2>(const Node&, const world::World<2>&, const std::vector<std::size_t>&, Problems&);
template void check_overlaps<3>(const Node&, const world::World<3>&, const std::vector<std::size_t>&, Problems&);

}  // namespace moraine::scene
