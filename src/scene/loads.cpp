// SPDX-License-Identifier: MIT
#include "scene/loads.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

#include "flow/loads.hpp"
#include "scene/partial_check.hpp"
#include "scene/vectors.hpp"

namespace moraine::scene {

namespace {

using world::Load;

flow::Scope read_scope(const Node& node, const Laws& laws, Problems& problems) {
  flow::Scope scope;
  scope.from = node.number("from");
  if (node.has("to")) scope.to = node.number("to");
  if (!(scope.to > scope.from))
    problems.add(node, "to", fmt::format("{} s must be later than from, {} s", scope.to, scope.from));
  if (!node.has("materials")) return scope;
  scope.materials.assign(laws.materials.size(), 0);
  const auto& names = node.texts("materials");
  for (std::size_t k = 0; k < names.size(); ++k) {
    const auto at = std::find(laws.names.begin(), laws.names.end(), names[k]);
    if (at == laws.names.end()) {
      problems.add(node, fmt::format("materials[{}]", k), no_such_material(names[k], laws.names));
    } else {
      scope.materials[static_cast<std::size_t>(at - laws.names.begin())] = 1;
    }
  }
  return scope;
}

std::optional<math::Formula> read_formula(const Node& node, const char* key, int dimension, Problems& problems) {
  if (!node.has(key)) return std::nullopt;
  try {
    return math::Formula(node.text(key), flow::formula_variables(dimension));
  } catch (const math::FormulaError& error) {
    problems.add(node, key, error.what());
    return std::nullopt;
  }
}

template <int D>
std::unique_ptr<Load<D>> formula_load(const Node& node, flow::Scope scope, const std::string& name,
                                      Problems& problems) {
  std::vector<std::optional<math::Formula>> force, torque;
  const std::array<const char*, 3> forces{"fx", "fy", "fz"}, torques{"tx", "ty", "tz"};
  for (std::size_t k = 0; k < 3; ++k) {
    const bool in_plane = k < 2;
    if (D == 2 && node.has(in_plane ? torques[k] : forces[k]))
      problems.add(node, in_plane ? torques[k] : forces[k], "is for 3D; in 2D a torque is about z, 'tz'");
    if (D == 3 || in_plane) force.push_back(read_formula(node, forces[k], D, problems));
    if (D == 3 || !in_plane) torque.push_back(read_formula(node, torques[k], D, problems));
  }
  const auto none = [](const auto& parts) {
    return std::none_of(parts.begin(), parts.end(), [](const auto& f) { return f.has_value(); });
  };
  if (problems.empty() && none(force) && none(torque))
    problems.add(node, "no formula: give fx, fy (fz) or a torque, of x, y, vx, vy, t, m, r and so on");
  return std::make_unique<flow::FormulaLoad<D>>(std::move(scope), name, std::move(force), std::move(torque));
}

template <int D>
std::unique_ptr<Load<D>> read_load(const Node& scene, const Node& node, const Laws& laws, const std::string& name,
                                   Problems& problems) {
  flow::Scope scope = read_scope(node, laws, problems);
  const std::string& kind = node.text("kind");
  if (kind == "force") {
    return std::make_unique<flow::ConstantForce<D>>(std::move(scope), as_vec<D>(node.numbers("force")),
                                                    as_spin<D>(node.numbers("torque")),
                                                    as_vec<D>(node.numbers("acceleration")));
  }
  if (kind == "spin-down") return std::make_unique<flow::SpinDown<D>>(std::move(scope), node.number("rate"));
  if (kind == "stream") {
    const double viscosity = node.number("viscosity");
    if (D == 2 && viscosity > 0)
      problems.add(node, "viscosity", "Stokes' drag is for spheres (3D); in 2D use drag_coefficient");
    if (viscosity == 0 && (node.number("density") == 0 || node.number("drag_coefficient") == 0))
      problems.add(node, "a stream without drag: give density and drag_coefficient, or viscosity");
    return std::make_unique<flow::StreamDrag<D>>(std::move(scope), as_vec<D>(node.numbers("velocity")),
                                                 node.number("density"), node.number("drag_coefficient"), viscosity,
                                                 scene.number("thickness"));
  }
  if (kind == "skin") {
    return std::make_unique<flow::SkinDrag<D>>(std::move(scope), as_vec<D>(node.numbers("velocity")),
                                               node.number("density"), node.number("coefficient"),
                                               scene.number("thickness"));
  }
  if (kind == "mutual-gravity") {
    for (const auto& axis : scene.table("domain").texts("periodic")) {
      problems.add(node, "kind",
                   fmt::format("mutual gravity is a direct sum over all bodies, without the images of a "
                               "periodic axis ({})",
                               axis));
      break;
    }
    const std::string& law = node.text("law");
    return std::make_unique<flow::MutualGravity<D>>(std::move(scope), node.number("constant"), node.number("softening"),
                                                    law == "planar");
  }
  return formula_load<D>(node, std::move(scope), name, problems);
}

}  // namespace

template <int D>
std::vector<std::unique_ptr<Load<D>>> read_loads(const Node& scene, const Laws& laws, Problems& problems) {
  std::vector<std::unique_ptr<Load<D>>> loads;
  const auto& nodes = scene.tables("load");
  for (std::size_t k = 0; k < nodes.size(); ++k) {
    const std::string name = nodes[k].has("name") ? nodes[k].text("name") : fmt::format("load {}", k);
    loads.push_back(read_load<D>(scene, nodes[k], laws, name, problems));
  }
  return loads;
}

template std::vector<std::unique_ptr<Load<2>>> read_loads<2>(const Node&, const Laws&, Problems&);
template std::vector<std::unique_ptr<Load<3>>> read_loads<3>(const Node&, const Laws&, Problems&);

}  // namespace moraine::scene
