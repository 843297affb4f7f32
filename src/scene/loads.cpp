// SPDX-License-Identifier: MIT
#include "scene/loads.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

#include "flow/drag.hpp"
#include "flow/loads.hpp"
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
      problems.add(node, fmt::format("materials[{}]", k), no_such("material", names[k], laws.names));
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

// The velocity of the fluid: its own, that of [flow] (none), or zero where there is neither.
template <int D>
std::optional<math::Vec<D>> read_velocity(const Node& scene, const Node& node) {
  if (node.has("velocity")) return as_vec<D>(node.numbers("velocity"));
  if (scene.has("flow")) return std::nullopt;
  return math::Vec<D>{};
}

flow::DragLaw read_drag_law(const Node& node, const std::string& name, Problems& problems) {
  flow::DragLaw law;
  law.name = name;
  law.coefficient = node.number("drag_coefficient");
  law.kinematic_viscosity = node.number("kinematic_viscosity", 0);
  const std::string& kind = node.text("drag_law");
  if (kind == "constant") {
    for (const char* key : {"drag_formula", "kinematic_viscosity"}) {
      if (node.has(key)) problems.add(node, key, "goes with another drag_law than \"constant\"");
    }
    return law;
  }
  law.kind = kind == "formula" ? flow::DragLaw::Kind::kFormula : flow::DragLaw::Kind::kSchillerNaumann;
  if (law.coefficient > 0)
    problems.add(node, "drag_coefficient", fmt::format("is for drag_law = \"constant\", and it is \"{}\"", kind));
  if (!node.has("kinematic_viscosity"))
    problems.add(node, "drag_law", fmt::format("\"{}\" needs 'kinematic_viscosity', for Re", kind));
  if (kind != "formula") {
    if (node.has("drag_formula")) problems.add(node, "drag_formula", "goes with drag_law = \"formula\"");
    return law;
  }
  if (!node.has("drag_formula")) {
    problems.add(node, "drag_law", "\"formula\" needs 'drag_formula', C_D as a formula of Re");
    return law;
  }
  try {
    law.formula.emplace(node.text("drag_formula"), std::vector<std::string>{"Re"});
  } catch (const math::FormulaError& error) {
    problems.add(node, "drag_formula", error.what());
  }
  return law;
}

template <int D>
std::unique_ptr<Load<D>> stream_load(const Node& scene, const Node& node, const flow::Scope& scope,
                                     const std::string& name, Problems& problems) {
  flow::DragPlan<D> plan;
  plan.scope = scope;
  plan.velocity = read_velocity<D>(scene, node);
  plan.density = node.number("density");
  plan.law = read_drag_law(node, name, problems);
  plan.area = node.text("area") == "section" ? flow::DragArea::kSection : flow::DragArea::kFace;
  plan.thickness = scene.number("thickness");
  plan.depth = node.number("depth", plan.thickness);
  plan.viscosity = node.number("viscosity");
  plan.components = node.boolean("components");
  if (D == 3 && node.has("depth")) problems.add(node, "depth", "is for 2D");
  if (node.has("depth") && plan.area == flow::DragArea::kFace)
    problems.add(node, "depth", "goes with area = \"section\"");
  if (D == 2 && plan.viscosity > 0)
    problems.add(node, "viscosity", "Stokes' drag is for spheres (3D); in 2D use drag_coefficient");
  const bool no_form =
      plan.density == 0 || (plan.law.kind == flow::DragLaw::Kind::kConstant && plan.law.coefficient == 0);
  if (plan.viscosity == 0 && no_form)
    problems.add(node, "a stream without drag: give density and drag_coefficient, or viscosity");
  if (node.boolean("shadow")) {
    plan.shadow = flow::ShadowPlan{node.number("shadow_reach"), node.number("shadow_least")};
    if (scene.table("domain").has("shear"))
      problems.add(node, "shadow", "shadows do not know the sliding images of a sheared domain");
  }
  return std::make_unique<flow::Drag<D>>(std::move(plan));
}

template <int D>
std::unique_ptr<Load<D>> skin_load(const Node& scene, const Node& node, const flow::Scope& scope) {
  flow::DragPlan<D> plan;
  plan.scope = scope;
  plan.velocity = read_velocity<D>(scene, node);
  plan.density = node.number("density");
  plan.factor = 1;
  plan.law.coefficient = node.number("coefficient");
  plan.area = D == 2 ? flow::DragArea::kFace : flow::DragArea::kSection;
  plan.thickness = scene.number("thickness");
  plan.spin = D == 2;
  return std::make_unique<flow::Drag<D>>(std::move(plan));
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
  if (kind == "stream") return stream_load<D>(scene, node, scope, name, problems);
  if (kind == "skin") return skin_load<D>(scene, node, scope);
  if (kind == "buoyancy") {
    if (!scene.has("gravity")) problems.add(node, "kind", "\"buoyancy\" needs [gravity], which the scene has not");
    std::optional<double> surface;
    if (node.has("surface")) surface = node.number("surface");
    return std::make_unique<flow::Buoyancy<D>>(std::move(scope), node.number("density"), scene.number("thickness"),
                                               surface);
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
