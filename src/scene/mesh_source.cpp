// SPDX-License-Identifier: MIT
#include "scene/mesh_source.hpp"

#include <fmt/format.h>

#include <map>

#include "base/error.hpp"
#include "base/random.hpp"
#include "io/mesh_file.hpp"
#include "scene/vectors.hpp"
#include "shape/polygon.hpp"

namespace moraine::scene {

std::optional<shape::RawMesh> mesh_of_file(const Node& node, const std::filesystem::path& folder, Problems& problems) {
  static const std::map<std::string, double> units{
      {"m", 1}, {"cm", 0.01}, {"mm", 0.001}, {"in", 0.0254}, {"ft", 0.3048}};
  const double scale = node.number("scale") * units.at(node.text("unit"));
  try {
    shape::RawMesh raw = io::read_mesh_file(folder / node.text("file"));
    for (math::Vec3& v : raw.vertices) v *= scale;
    return raw;
  } catch (const base::InputError& error) {
    for (const base::Problem& p : error.problems()) problems.add(node, "file", p.str());
    return std::nullopt;
  }
}

std::vector<std::vector<math::Vec2>> polygons_of(const Node& scene, const Node& node, const std::string& stream,
                                                 const char* outline, Problems& problems) {
  std::vector<std::vector<math::Vec2>> all;
  if (node.has(outline)) {
    std::vector<math::Vec2> corners;
    for (const auto& c : node.points(outline)) corners.push_back(as_vec<2>(c));
    for (std::size_t k = 0; k < corners.size(); ++k) {
      const std::size_t next = (k + 1) % corners.size();
      if (corners[k] != corners[next]) continue;
      problems.add(node, outline,
                   fmt::format("corners {} and {} are the same point, ({}, {}): leave out one of them", k, next,
                               corners[k][0], corners[k][1]));
      return {};
    }
    const auto [a, b] = shape::crossing_edges(corners);
    if (b > 0) {
      problems.add(node, outline, fmt::format("the edges after corner {} and after corner {} cross", a, b));
      return {};
    }
    if (shape::polygon_area(corners) == 0) {
      problems.add(node, outline, "the polygon has no area");
      return {};
    }
    return {corners};
  }
  base::Stream random(static_cast<std::uint64_t>(scene.integer("seed")), stream + node.text("name"));
  for (std::int64_t k = 0; k < node.integer("variants"); ++k)
    all.push_back(shape::random_polygon(static_cast<std::size_t>(node.integer("count")), node.number("least"), random));
  return all;
}

}  // namespace moraine::scene
