// SPDX-License-Identifier: MIT
#include "scene/solids.hpp"

#include <fmt/format.h>

#include <cmath>
#include <memory>
#include <optional>

#include "base/random.hpp"
#include "scene/mesh_source.hpp"
#include "scene/vectors.hpp"
#include "shape/mesh_shapes.hpp"
#include "shape/polygon.hpp"
#include "shape/solid_shapes.hpp"
#include "touch/solids.hpp"

namespace moraine::scene {

namespace {

using math::Vec;
using math::Vec3;

// A size with all components above zero, or nothing and a problem.
std::optional<Vec3> size_of(const Node& node, Problems& problems) {
  const Vec3 size = as_vec<3>(node.numbers("size"));
  for (int k = 0; k < 3; ++k) {
    if (size[k] > 0) continue;
    problems.add(node, "size", "must be above 0 along every axis");
    return std::nullopt;
  }
  return size;
}

// `small` must be below `large`.
bool in_order(const Node& node, const char* small, const char* large, Problems& problems) {
  if (node.number(small) < node.number(large)) return true;
  problems.add(node, small,
               fmt::format("must be less than {}: {} m against {} m", large, node.number(small), node.number(large)));
  return false;
}

std::vector<shape::RawMesh> rocks(const Node& scene, const Node& node, const Vec3& size) {
  base::Stream random(static_cast<std::uint64_t>(scene.integer("seed")), "solid." + node.text("name"));
  const auto whole = [&](const char* key) { return static_cast<int>(node.integer(key)); };
  std::vector<shape::RawMesh> out;
  for (std::int64_t k = 0; k < node.integer("variants"); ++k) {
    out.push_back(node.text("kind") == "rock"
                      ? shape::convex_rock(whole("points"), size, random)
                      : shape::rough_rock(whole("level"), size, node.number("roughness"), random));
  }
  return out;
}

std::vector<shape::RawMesh> meshes_of(const Node& scene, const Node& node, const std::filesystem::path& folder,
                                      Problems& problems) {
  const std::string& kind = node.text("kind");
  const auto of = [&](const char* key) { return node.number(key); };
  const auto whole = [&](const char* key) { return static_cast<int>(node.integer(key)); };
  if (kind == "box" || kind == "rock" || kind == "rough-rock") {
    const auto size = size_of(node, problems);
    if (!size) return {};
    if (kind == "box") return {shape::brick(*size)};
    return rocks(scene, node, *size);
  }
  if (kind == "tetrahedron") return {shape::tetrahedron(of("radius"))};
  if (kind == "octahedron") return {shape::octahedron(of("radius"))};
  if (kind == "prism") return {shape::prism(whole("corners"), of("radius"), of("height"))};
  if (kind == "L" || kind == "T") {
    const bool wide = in_order(node, "bar", "width", problems), high = in_order(node, "bar", "height", problems);
    if (!wide || !high) return {};
    return {kind == "L" ? shape::letter_l(of("width"), of("height"), of("bar"))
                        : shape::letter_t(of("width"), of("height"), of("bar"))};
  }
  if (kind == "cross") {
    if (!in_order(node, "bar", "size", problems)) return {};
    return {shape::jack(of("size"), of("bar"))};
  }
  if (kind == "star") {
    if (!in_order(node, "inner", "radius", problems)) return {};
    return {shape::star(whole("points"), of("radius"), of("inner"), of("height"))};
  }
  auto raw = mesh_of_file(node, folder, problems);
  if (!raw) return {};
  return {*std::move(raw)};
}

// The key by which a generator's shape comes to be thin.
const char* thinnest_key(const std::string& kind) {
  if (kind == "box" || kind == "rock" || kind == "rough-rock") return "size";
  if (kind == "prism") return "height";
  if (kind == "star") return "inner";
  if (kind == "L" || kind == "T" || kind == "cross") return "bar";
  return "radius";
}

// Moments of inertia grow with the fifth power of the size; far from there they overflow.
template <int D>
bool has_sensible_size(const std::vector<Vec<D>>& vertices, const char* key, const Node& node, Problems& problems) {
  if (vertices.empty()) return true;
  constexpr double kSmallest = 1e-50, kLargest = 1e50;
  double size = 0;
  for (const Vec<D>& v : vertices) {
    for (int k = 0; k < D; ++k) size = std::max(size, std::fabs(v[k]));
  }
  if (size >= kSmallest && size <= kLargest) return true;
  problems.add(node, key,
               fmt::format("makes a solid of {:.4g} m: volume and inertia are beyond double precision; it must be from "
                           "{} to {} m",
                           size, kSmallest, kLargest));
  return false;
}

std::vector<shape::Solid<3>> polyhedra(const Node& scene, const Node& node, const std::filesystem::path& folder,
                                       Problems& problems) {
  std::vector<shape::Solid<3>> out;
  for (const shape::RawMesh& raw : meshes_of(scene, node, folder, problems)) {
    const bool file = node.text("kind") == "mesh";
    if (!has_sensible_size<3>(raw.vertices, file ? "file" : thinnest_key(node.text("kind")), node, problems)) return {};
    const shape::Mesh mesh = shape::make_mesh(file && node.boolean("repair") ? shape::repaired(raw) : raw);
    const std::vector<std::string> faults = shape::solid_faults(mesh);
    if (!faults.empty() && !file) {
      const char* key = thinnest_key(node.text("kind"));
      problems.add(node, key,
                   fmt::format("makes a solid too thin or too fine for double precision: no edge may be shorter than "
                               "{} of the whole",
                               shape::kNoArea));
      return {};
    }
    for (const std::string& fault : faults)
      problems.add(node, "file", fmt::format("does not bound a solid: {}", fault));
    if (!faults.empty()) return {};
    out.push_back(shape::make_solid(mesh));
  }
  return out;
}

template <int D>
std::vector<shape::Solid<D>> solids_of(const Node& scene, const Node& node, const std::filesystem::path& folder,
                                       Problems& problems) {
  if ((node.text("kind") == "polygon") != (D == 2)) {
    problems.add(node, "kind", fmt::format("\"{}\" is for {}D", node.text("kind"), 5 - D));
    return {};
  }
  if constexpr (D == 3) {
    return polyhedra(scene, node, folder, problems);
  } else {
    std::vector<shape::Solid<2>> out;
    for (const auto& corners : polygons_of(scene, node, "solid.", "outline", problems)) {
      if (!has_sensible_size<2>(corners, "outline", node, problems)) return {};
      out.push_back(shape::make_solid(corners));
    }
    return out;
  }
}

void make_skin(const Node& /*node*/, world::Wall<2>& /*wall*/, Problems& /*problems*/) {}
// A curved wall as solids see it. Its frame is that of the scene at time 0.
void make_skin(const Node& node, world::Wall<3>& wall, Problems& problems) {
  world::Surface<3>& s = wall.start;
  if (s.form != world::Form::kRevolved) return;
  if (!std::isfinite(s.length)) {
    problems.add(node, "'length' is missing: solids need a cylinder with ends");
    return;
  }
  auto form = std::make_shared<world::MeshForm>();
  form->mesh = shape::make_mesh(shape::tube(s.a, s.b, s.r0, s.r1, s.length, touch::kPiecesAround, 1));
  form->tree = shape::MeshTree(form->mesh);
  s.mesh = wall.now.mesh = form;
  s.origin = wall.now.origin = s.a;
}

// Walls as solids need them, and what does not go with solids.
template <int D>
void prepare_for_solids(const Node& scene, world::World<D>& world, Problems& problems) {
  for (const Node& contact : scene.tables("contact")) {
    if (contact.has("bond")) problems.add(contact, "bond", "does not go with [[solid]]: solids do not bond");
  }
  const auto& walls = scene.tables("wall");
  for (std::size_t w = 0; w < std::min(walls.size(), world.walls.size()); ++w)
    make_skin(walls[w], world.walls[w], problems);
}

}  // namespace

template <int D>
void read_solids(const Node& scene, const std::filesystem::path& folder, world::World<D>& world, ClumpShapes<D>& shapes,
                 Problems& problems) {
  for (const Node& node : scene.tables("solid")) {
    const std::string& name = node.text("name");
    if (shapes.count(name) > 0) problems.add(node, "name", fmt::format("there is already a shape \"{}\"", name));
    std::vector<world::ClumpShape<D>>& out = shapes[name];
    for (shape::Solid<D>& solid : solids_of<D>(scene, node, folder, problems)) {
      if (node.text("inside") == "rays") solid.field.decide_by_rays();
      world::ClumpShape<D> outer;
      outer.members.push_back({math::Vec<D>{}, solid.radius});
      outer.radius = solid.radius;
      outer.volume = solid.measure;
      outer.moment = solid.moment;
      outer.axes = solid.axes;
      outer.solid = static_cast<std::uint32_t>(world.solids.size());
      out.push_back(std::move(outer));
      world.solids.push_back(std::make_shared<const shape::Solid<D>>(std::move(solid)));
    }
  }
  if (!scene.tables("solid").empty()) prepare_for_solids(scene, world, problems);
}

template void read_solids<2>(const Node&, const std::filesystem::path&, world::World<2>&, ClumpShapes<2>&, Problems&);
template void read_solids<3>(const Node&, const std::filesystem::path&, world::World<3>&, ClumpShapes<3>&, Problems&);

}  // namespace moraine::scene
