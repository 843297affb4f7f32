// SPDX-License-Identifier: MIT
#include "scene/flow.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>

#include "base/error.hpp"
#include "flow/fields.hpp"
#include "flow/panel_field.hpp"
#include "io/table.hpp"
#include "scene/vectors.hpp"

namespace moraine::scene {

namespace {

using math::Vec;
using world::World;

template <int D>
std::shared_ptr<world::Field<D>> read_parabolic(const Node& node) {
  std::optional<double> from;
  if (node.has("from")) from = node.number("from");
  return std::make_shared<flow::ParabolicField<D>>(as_vec<D>(node.numbers("point")),
                                                   as_direction<D>(node.numbers("axis")), node.number("half_width"),
                                                   node.number("speed"), from);
}

template <int D>
std::shared_ptr<world::Field<D>> read_table_field(const Node& node, const std::filesystem::path& folder,
                                                  Problems& problems) {
  io::Table table;
  try {
    table = io::read_table(folder / node.text("file"));
  } catch (const base::InputError& error) {
    for (const base::Problem& p : error.problems()) problems.add(node, "file", p.str());
    return nullptr;
  }
  std::vector<Vec<D>> places(static_cast<std::size_t>(table.rows())), velocities = places;
  for (int k = 0; k < D; ++k) {
    const std::string axis(1, "xyz"[k]), part = "u" + axis;
    for (const std::string& name : {axis, part}) {
      if (table.has(name)) continue;
      problems.add(node, "file", fmt::format("the table has no column '{}'; it has {}", name, list_text(table.names)));
      return nullptr;
    }
    for (std::size_t row = 0; row < places.size(); ++row) {
      places[row][k] = table.column(axis)[row];
      velocities[row][k] = table.column(part)[row];
    }
  }
  flow::GridOfVelocities<D> grid;
  const std::string wrong = flow::make_grid<D>(places, velocities, grid);
  if (!wrong.empty()) {
    problems.add(node, "file", wrong);
    return nullptr;
  }
  return std::make_shared<flow::TableField<D>>(std::move(grid), node.text("outside") == "nearest");
}

template <int D>
std::shared_ptr<world::Field<D>> read_formula_field(const Node& node, Problems& problems) {
  std::vector<std::optional<math::Formula>> parts(D);
  bool any = false;
  for (std::size_t k = 0; k < 3; ++k) {
    const std::string key = std::string("u") + "xyz"[k];
    if (!node.has(key)) continue;
    any = true;
    if (k >= D) {
      problems.add(node, key, "is for 3D");
      continue;
    }
    try {
      parts[k].emplace(node.text(key), flow::flow_variables(D));
    } catch (const math::FormulaError& error) {
      problems.add(node, key, error.what());
    }
  }
  if (!any) problems.add(node, "no formula: give ux, uy (uz), of x, y, t and so on");
  return std::make_shared<flow::FormulaField<D>>(std::move(parts));
}

// --- panels

// Of walls and ends; problems of names, of kinds that cannot be, and of walls that are taken away.
flow::Boundary read_boundary(const Node& scene, const Node& node, const World<2>& world, Problems& problems) {
  flow::Boundary boundary;
  boundary.channel = node.text("kind") == "channel";
  std::vector<std::string> names;
  for (const auto& wall : world.walls) names.push_back(wall.name);
  const std::vector<std::string> chosen = node.has("walls") ? node.texts("walls") : names;
  if (chosen.empty())
    problems.add(node, "kind",
                 fmt::format("\"{}\" is a flow {} walls, and the scene has none", node.text("kind"),
                             boundary.channel ? "within" : "about"));
  for (std::size_t k = 0; k < chosen.size(); ++k) {
    const auto at = std::find(names.begin(), names.end(), chosen[k]);
    const std::string key = fmt::format("walls[{}]", k);
    if (at == names.end()) {
      problems.add(node, key, no_such("wall", chosen[k], names));
      continue;
    }
    if (std::find(chosen.begin(), chosen.begin() + static_cast<std::ptrdiff_t>(k), chosen[k]) !=
        chosen.begin() + static_cast<std::ptrdiff_t>(k)) {
      problems.add(node, key, fmt::format("the wall \"{}\" is named twice", chosen[k]));
      continue;
    }
    const auto number = static_cast<std::size_t>(at - names.begin());
    const world::Wall<2>& wall = world.walls[number];
    if (std::isfinite(wall.until) || wall.until_step >= 0)
      problems.add(scene.tables("wall")[number], wall.until_step >= 0 ? "until_step" : "until",
                   "the wall is part of the boundary of [flow], which cannot be taken away; name the others in "
                   "flow.walls");
    flow::Piece piece;
    piece.source = number;
    piece.name = fmt::format("wall \"{}\"", wall.name);
    piece.a = wall.now.a;
    if (wall.now.form == world::Form::kCircle) {
      piece.kind = flow::Piece::Kind::kCircle;
      piece.radius = wall.now.r0;
    } else {
      piece.b = wall.now.b;
    }
    boundary.pieces.push_back(piece);
  }
  if (!boundary.channel) return boundary;
  const auto& ends = node.tables("end");
  for (std::size_t k = 0; k < ends.size(); ++k) {
    flow::Piece piece;
    piece.kind = flow::Piece::Kind::kEnd;
    piece.source = k;
    piece.name = ends[k].has("name") ? fmt::format("end \"{}\"", ends[k].text("name")) : fmt::format("end {}", k);
    piece.a = as_vec<2>(ends[k].numbers("from"));
    piece.b = as_vec<2>(ends[k].numbers("to"));
    if (!(math::norm(piece.b - piece.a) > 0))
      problems.add(ends[k], "to", "is the same point as from: the end has no width");
    boundary.pieces.push_back(piece);
  }
  return boundary;
}

// What comes in must go out.
void check_balance(const Node& node, const flow::Boundary& boundary, flow::PanelPlan& plan, Problems& problems) {
  const auto& ends = node.tables("end");
  if (ends.size() < 2)
    return problems.add(node, fmt::format("a channel needs at least two open ends, [[flow.end]]; there {} {}",
                                          ends.size() == 1 ? "is" : "are", ends.size()));
  double in = 0, out = 0;
  std::size_t open = 0;
  for (const flow::Piece& piece : boundary.pieces) {
    if (!piece.is_end()) continue;
    const Node& end = ends[piece.source];
    plan.ends.emplace_back();
    if (!end.has("speed")) {
      if (++open == 2)
        problems.add(end, "'speed' is missing: only one end may be left open to balance the others, and there is one");
      continue;
    }
    plan.ends.back() = end.number("speed");
    const double flux = end.number("speed") * piece.length();
    (flux > 0 ? in : out) += std::fabs(flux);
  }
  if (open == 0 && std::fabs(in - out) > 1e-6 * std::max(in, out)) {
    problems.add(ends.back(), "speed",
                 fmt::format("the open ends do not balance: {:.6g} m^2/s flow in and {:.6g} m^2/s out; leave out the "
                             "speed of one end, and it takes the rest",
                             in, out));
  }
  if (open == 1 && in == 0 && out == 0) problems.add(node, "nothing flows: give an end a speed");
}

void read_sampling(const Node& node, const flow::Boundary& boundary, const World<2>& world, flow::PanelPlan& plan,
                   Problems& problems) {
  plan.bodies = node.boolean("bodies");
  plan.exact = node.has("sampling") && node.text("sampling") == "exact";
  if (!node.has("sampling") || plan.exact) return;
  if (plan.bodies)
    problems.add(node, "sampling", "\"grid\" is for flows that stay as they are; bodies = true does not");
  for (const flow::Piece& piece : boundary.pieces) {
    if (piece.is_end() || !world.walls[piece.source].moves()) continue;
    problems.add(node, "sampling",
                 fmt::format("\"grid\" is for flows that stay as they are, and {} moves", piece.name));
    break;
  }
}

std::shared_ptr<world::Field<2>> read_panels(const Node& scene, const Node& node, const World<2>& world,
                                             std::vector<std::string>& warnings, Problems& problems) {
  Problems own;
  flow::Boundary boundary = read_boundary(scene, node, world, own);
  flow::PanelPlan plan;
  if (boundary.channel) {
    check_balance(node, boundary, plan, own);
  } else {
    plan.stream = as_vec<2>(node.numbers("velocity"));
  }
  read_sampling(node, boundary, world, plan, own);
  std::vector<flow::Fault> faults;
  if (own.empty() && !boundary.join(faults)) {
    for (const flow::Fault& fault : faults) {
      const flow::Piece& piece = boundary.pieces[fault.piece];
      own.add(piece.is_end() ? node.tables("end")[piece.source] : scene.tables("wall")[piece.source],
              piece.kind == flow::Piece::Kind::kCircle ? "centre" : "from", fault.text);
    }
  }
  problems.take(own);
  if (!own.empty()) return nullptr;
  plan.condition = node.text("condition") == "net-flow" ? flow::Condition::kNetFlow : flow::Condition::kMidPoint;
  plan.panels = static_cast<std::size_t>(node.integer("panels"));
  plan.most_panels = static_cast<std::size_t>(node.integer("most_panels"));
  plan.tolerance = node.number("tolerance", 0);
  plan.density = node.number("density");
  try {
    auto field = std::make_shared<flow::PanelField>(std::move(plan), std::move(boundary), world);
    if (!field->refined_enough()) {
      warnings.push_back(
          fmt::format("flow.tolerance is not reached: with {} panels {:.2g} of the flux still seep in and out within "
                      "one of them; see flow.most_panels",
                      field->panels().size(), field->seepage()));
    }
    return field;
  } catch (const base::RunError& error) {
    problems.add(node, "kind", error.what());
    return nullptr;
  }
}

}  // namespace

template <int D>
void read_flow(const Scene& scene, World<D>& world, std::vector<std::string>& warnings, Problems& problems) {
  if (!scene.node.has("flow")) return;
  const Node& node = scene.node.table("flow");
  const std::string& kind = node.text("kind");
  if (kind == "uniform") {
    world.flow = std::make_shared<flow::UniformField<D>>(as_vec<D>(node.numbers("velocity")));
  } else if (kind == "parabolic") {
    world.flow = read_parabolic<D>(node);
  } else if (kind == "table") {
    world.flow = read_table_field<D>(node, scene.folder, problems);
  } else if (kind == "formula") {
    world.flow = read_formula_field<D>(node, problems);
  } else if (kind == "callback") {
    world.flow = std::make_shared<flow::CallbackField<D>>();
  } else if constexpr (D == 2) {
    // Walls that are wrong have been told of; without them nobody knows what the boundary is.
    if (world.walls.size() < scene.node.tables("wall").size()) return;
    world.flow = read_panels(scene.node, node, world, warnings, problems);
  } else {
    problems.add(node, "kind",
                 fmt::format("\"{}\" is solved by panels, which are for 2D; in 3D there is \"uniform\", \"parabolic\", "
                             "\"table\", \"formula\", \"callback\"",
                             kind));
  }
}

template void read_flow<2>(const Scene&, World<2>&, std::vector<std::string>&, Problems&);
template void read_flow<3>(const Scene&, World<3>&, std::vector<std::string>&, Problems&);

}  // namespace moraine::scene
