// SPDX-License-Identifier: MIT
#include "scene/clumps.hpp"

#include <fmt/format.h>

#include <stdexcept>

#include "base/random.hpp"
#include "scene/mesh_source.hpp"
#include "scene/vectors.hpp"
#include "shape/clump_shapes.hpp"
#include "shape/polygon.hpp"

namespace moraine::scene {

namespace {

using shape::Member;

// About the centre of mass, along the principal axes.
template <int D>
world::ClumpShape<D> shape_of(const std::vector<Member<D>>& members) {
  const shape::MassProperties<D> m = shape::union_properties<D>(members);
  world::ClumpShape<D> out;
  out.radius = m.outer;
  out.volume = m.measure;
  out.moment = m.inertia;
  out.axes = m.axes;
  for (const Member<D>& member : members) {
    out.members.push_back({math::rotated(member.x - m.centre, math::inverse(m.axes)), member.radius});
  }
  return out;
}

template <int D>
std::vector<Member<D>> listed(const Node& node, Problems& problems) {
  const auto& points = node.points("positions");
  const auto& radii = node.numbers("radii");
  if (points.size() != radii.size()) {
    problems.add(node, "radii",
                 fmt::format("has {} numbers, positions has {} points: one radius for each member", radii.size(),
                             points.size()));
    return {};
  }
  std::vector<Member<D>> members;
  for (std::size_t k = 0; k < points.size(); ++k) members.push_back({as_vec<D>(points[k]), radii[k]});
  for (const std::size_t k : shape::loose_members<D>(members)) {
    problems.add(node, fmt::format("positions[{}]", k),
                 fmt::format("member {} does not touch the others: a clump is one piece", k));
    return {};
  }
  return members;
}

std::vector<Member<2>> flat_shape(const std::string& kind) {
  return kind == "triangle" ? shape::triangle_of_ten(1) : shape::square_of_thirteen(1);
}

template <int D>
std::vector<Member<D>> ready_shape(const Node& node, const std::string& kind, Problems& problems) {
  if (kind == "rod") {
    return shape::rod<D>(1, static_cast<std::size_t>(node.integer("count")), node.number("overlap"));
  }
  if ((kind == "tetrahedron") != (D == 3)) {
    problems.add(node, "kind", fmt::format("\"{}\" is for {}D", kind, 5 - D));
    return {};
  }
  if constexpr (D == 2) {
    return flat_shape(kind);
  } else {
    return shape::tetrahedron_of_four(1);
  }
}

std::vector<world::ClumpShape<2>> polygons(const Node& scene, const Node& node, Problems& problems) {
  std::vector<world::ClumpShape<2>> out;
  for (const auto& corners : polygons_of(scene, node, "clump.", "corners", problems))
    out.push_back(shape_of<2>(
        shape::disks_in_polygon(corners, static_cast<std::size_t>(node.integer("disks")), node.number("covered"))));
  return out;
}

template <int D>
std::vector<world::ClumpShape<D>> read_shapes(const Node& scene, const Node& node, Problems& problems) {
  const std::string& kind = node.text("kind");
  if (kind == "random") {
    std::vector<world::ClumpShape<D>> out;
    base::Stream random(static_cast<std::uint64_t>(scene.integer("seed")), "clump." + node.text("name"));
    for (std::int64_t k = 0; k < node.integer("variants"); ++k) {
      out.push_back(shape_of<D>(shape::random_assembly<D>(1, static_cast<std::size_t>(node.integer("count")), random)));
    }
    return out;
  }
  if (kind == "polygon") {
    if constexpr (D == 2) return polygons(scene, node, problems);
    problems.add(node, "kind", "\"polygon\" is for 2D");
    return {};
  }
  const auto members = kind == "list" ? listed<D>(node, problems) : ready_shape<D>(node, kind, problems);
  if (members.empty()) return {};
  return {shape_of<D>(members)};
}

}  // namespace

template <int D>
ClumpShapes<D> read_clumps(const Node& scene, Problems& problems) {
  ClumpShapes<D> shapes;
  for (const Node& node : scene.tables("clump")) {
    const std::string& name = node.text("name");
    if (shapes.count(name) > 0) problems.add(node, "name", fmt::format("there is already a clump \"{}\"", name));
    try {
      shapes[name] = read_shapes<D>(scene, node, problems);
    } catch (const std::exception& error) {
      problems.add(node, "kind", fmt::format("the clump cannot be made: {}", error.what()));
    }
  }
  return shapes;
}

template <int D>
const std::vector<world::ClumpShape<D>>* find_clump(const Node& node, const ClumpShapes<D>& shapes,
                                                    Problems& problems) {
  const char* key = node.has("solid") ? "solid" : "clump";
  if (node.has("solid") && node.has("clump")) {
    problems.add(node, "solid", "clump is given too; leave out one of the two");
    return nullptr;
  }
  const std::string& name = node.text(key);
  const auto at = shapes.find(name);
  if (at != shapes.end()) return at->second.empty() ? nullptr : &at->second;  // empty: reported at its own table
  std::vector<std::string> names;
  for (const auto& [known, shape] : shapes) names.push_back(known);
  problems.add(node, key, no_such(key, name, names));
  return nullptr;
}

#define MORAINE_INSTANTIATE(D)                                    \
  template ClumpShapes<D> read_clumps<D>(const Node&, Problems&); \
  template const std::vector<world::ClumpShape<D>>* find_clump<D>(const Node&, const ClumpShapes<D>&, Problems&);
MORAINE_INSTANTIATE(2)
MORAINE_INSTANTIATE(3)

}  // namespace moraine::scene
