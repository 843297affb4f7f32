// SPDX-License-Identifier: MIT
#include "scene/inlet_room.hpp"

#include <fmt/format.h>

#include "inflow/free_line.hpp"
#include "scene/vectors.hpp"

namespace moraine::scene {

namespace {

using inflow::InletKind;
using inflow::InletPlan;
using math::Vec;
using world::World;

// The world without what moves.
template <int D>
World<D> bare(const World<D>& world) {
  World<D> out;
  out.domain = world.domain;
  out.walls = world.walls;
  for (std::size_t i = 0; i < world.bodies.size(); ++i) {
    if (world::yields(world.bodies.moving[i].held)) continue;
    world::NewBody<D> body;
    body.x = world.bodies.place[i].x;
    body.radius = world.bodies.place[i].radius;
    body.mass = body.inertia = 1;
    body.held = world::Held::kFixed;
    out.bodies.add(body);
  }
  return out;
}

template <int D>
bool any_place(const World<D>& world, const InletPlan<D>& plan, double radius) {
  if constexpr (D == 2) {
    return inflow::free_spot(world, inflow::Polyline(plan.line), radius, 0).has_value();
  } else {
    constexpr int kGrid = 41;
    for (int i = 0; i < kGrid; ++i) {
      for (int j = 0; j < kGrid; ++j) {
        const Vec<3> x = plan.corner + plan.side_a * (i / (kGrid - 1.0)) + plan.side_b * (j / (kGrid - 1.0));
        if (inflow::has_room(world, x, radius)) return true;
      }
    }
    return false;
  }
}

template <int D>
void check_batch(const Node& node, const World<D>& world, const InletPlan<D>& plan, Problems& problems) {
  constexpr int kMost = 5;
  int said = 0;
  const auto radius = [&](std::size_t k) {
    return plan.points[k].radius > 0 ? plan.points[k].radius : plan.size.max();
  };
  for (std::size_t k = 0; k < plan.points.size() && said < kMost; ++k) {
    const Vec<D>& x = plan.points[k].x;
    const std::string key = fmt::format("points[{}]", k);
    if (!world.domain.contains(x)) {
      problems.add(node, key, fmt::format("{} lies outside the domain", point_text(x)));
      ++said;
    } else if (!inflow::has_room(world, x, radius(k))) {
      problems.add(
          node, key,
          fmt::format("a body of radius {} m at {} overlaps with a wall or a held body", radius(k), point_text(x)));
      ++said;
    }
    for (std::size_t j = 0; j < k && said < kMost; ++j) {
      const double apart = math::norm(x - plan.points[j].x), needed = radius(k) + radius(j);
      if (apart >= needed * (1 - 1e-9)) continue;
      problems.add(
          node, key,
          fmt::format("overlaps with points[{}]: {:.6g} m apart, the radii add up to {:.6g} m", j, apart, needed));
      ++said;
    }
  }
}

}  // namespace

template <int D>
void check_room(const Node& node, const World<D>& original, const InletPlan<D>& plan, Problems& problems) {
  const World<D> world = bare(original);
  if (plan.kind == InletKind::kBatch) return check_batch(node, world, plan, problems);
  const char* key = D == 2 ? "line" : "corner";
  std::vector<Vec<D>> corners = plan.line;
  if (D == 3)
    corners = {plan.corner, plan.corner + plan.side_a, plan.corner + plan.side_b,
               plan.corner + plan.side_a + plan.side_b};
  for (const Vec<D>& x : corners) {
    if (world.domain.contains(x)) continue;
    return problems.add(node, key, fmt::format("the corner {} lies outside the domain", point_text(x)));
  }
  const double smallest = plan.size.min(), largest = plan.size.max();
  if (!any_place(world, plan, smallest)) {
    problems.add(
        node, key,
        fmt::format("lies in walls or held bodies: there is no place for even the smallest arrival, of radius {} m",
                    smallest));
  } else if (!any_place(world, plan, largest)) {
    problems.add(node, key, fmt::format("has no place between walls for the largest arrival, of radius {} m", largest));
  }
}

template void check_room<2>(const Node&, const World<2>&, const InletPlan<2>&, Problems&);
template void check_room<3>(const Node&, const World<3>&, const InletPlan<3>&, Problems&);

}  // namespace moraine::scene
