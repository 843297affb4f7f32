// SPDX-License-Identifier: MIT
#include "scene/inlet_room.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "flow/panel_field.hpp"
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

// Places all over an inlet.
std::vector<Vec<2>> places_of(const InletPlan<2>& plan) {
  constexpr int kPieces = 256;
  std::vector<Vec<2>> out;
  for (const auto& point : plan.points) out.push_back(point.x);
  for (std::size_t k = 0; k + 1 < plan.line.size(); ++k) {
    for (int i = 0; i < kPieces; ++i)
      out.push_back(plan.line[k] + (plan.line[k + 1] - plan.line[k]) * ((i + 0.5) / kPieces));
  }
  return out;
}
std::vector<Vec<3>> places_of(const InletPlan<3>& plan) {
  constexpr int kPieces = 16;
  std::vector<Vec<3>> out;
  for (const auto& point : plan.points) out.push_back(point.x);
  if (!plan.points.empty()) return out;
  for (int i = 0; i < kPieces; ++i) {
    for (int j = 0; j < kPieces; ++j)
      out.push_back(plan.corner + plan.side_a * ((i + 0.5) / kPieces) + plan.side_b * ((j + 0.5) / kPieces));
  }
  return out;
}

// A wall that is closed all round and stays where it is, as lines between points; a circle as a polygon.
struct Ring {
  std::string name;  // of one of its walls
  std::vector<flow::Panel> sides;
};

std::vector<Ring> rings_of(const World<2>& world) {
  constexpr double kJoin = 1e-6;  // of its length, between the ends of walls that meet
  constexpr int kCorners = 64;
  std::vector<Ring> rings;
  std::vector<const world::Wall<2>*> walls;
  for (const auto& wall : world.walls) {
    if (wall.moves() || std::isfinite(wall.until) || wall.until_step >= 0) continue;
    if (wall.now.form != world::Form::kCircle) {
      walls.push_back(&wall);
      continue;
    }
    Ring& ring = rings.emplace_back(Ring{wall.name, {}});
    const auto corner = [&](int k) {
      const double angle = 2 * math::kPi * k / kCorners;
      return wall.now.a + Vec<2>{math::cos(angle), math::sin(angle)} * wall.now.r0;
    };
    for (int k = 0; k < kCorners; ++k) ring.sides.emplace_back(corner(k), corner(k + 1), 0);
  }
  // Walls that meet belong together; they are closed if at each end there is another.
  std::vector<std::size_t> of(walls.size());
  std::iota(of.begin(), of.end(), 0);
  const auto root = [&](std::size_t i) {
    while (of[i] != i) i = of[i] = of[of[i]];
    return i;
  };
  std::vector<bool> open(walls.size(), false);
  for (std::size_t i = 0; i < walls.size(); ++i) {
    for (const Vec<2>& end : {walls[i]->now.a, walls[i]->now.b}) {
      int met = 0;
      for (std::size_t k = 0; k < walls.size(); ++k) {
        const auto& other = walls[k]->now;
        const double near = kJoin * math::norm(other.b - other.a);
        if (k == i || (math::norm(other.a - end) > near && math::norm(other.b - end) > near)) continue;
        ++met;
        of[root(k)] = root(i);
      }
      if (met != 1) open[i] = true;
    }
  }
  for (std::size_t i = 0; i < walls.size(); ++i) {
    if (open[i]) open[root(i)] = true;
  }
  std::vector<std::size_t> number(walls.size(), 0);
  for (std::size_t i = 0; i < walls.size(); ++i) {
    const std::size_t first = root(i);
    if (open[first]) continue;
    if (number[first] == 0) {
      rings.push_back({walls[i]->name, {}});
      number[first] = rings.size();
    }
    rings[number[first] - 1].sides.emplace_back(walls[i]->now.a, walls[i]->now.b, 0);
  }
  return rings;
}

// What is wrong with a place for a body, or nothing. A ring may hold grains, unless the way out is elsewhere.
std::string dry_text(const World<2>& world, const std::vector<Ring>& rings, const Vec<2>& x) {
  const auto* fluid = dynamic_cast<const flow::PanelField*>(world.flow.get());
  if (fluid != nullptr && !fluid->wet(x))
    return fluid->in_channel()
               ? fmt::format("lies outside the channel of [flow] at {}; the nearest is {}", point_text(x),
                             fluid->nearest_piece(x))
               : fmt::format("lies within {} at {}, where there is no fluid", fluid->nearest_piece(x), point_text(x));
  for (const Ring& ring : rings) {
    if (!flow::enclosed(ring.sides, x)) continue;
    return fmt::format("lies within wall \"{}\" at {}: it is closed all round, and no outlet lies in it", ring.name,
                       point_text(x));
  }
  return "";
}

}  // namespace

template <int D>
bool check_wet(const Node& node, const World<D>& original, const InletPlan<D>& plan, Problems& problems) {
  if constexpr (D == 2) {
    const World<2> world = bare(original);
    std::vector<Ring> rings;
    if (!original.traffic.outlets.empty()) rings = rings_of(world);
    std::erase_if(rings, [&](const Ring& ring) {
      return std::any_of(ring.sides.begin(), ring.sides.end(), [&](const flow::Panel& side) {
        return std::any_of(original.traffic.outlets.begin(), original.traffic.outlets.end(),
                           [&](const auto& outlet) { return math::dot(side.a - outlet.at, outlet.direction) > 0; });
      });
    });
    const bool batch = plan.kind == InletKind::kBatch;
    const auto places = places_of(plan);
    for (std::size_t k = 0; k < places.size(); ++k) {
      const double least = batch && plan.points[k].radius > 0 ? plan.points[k].radius : plan.size.min();
      const std::string text = dry_text(original, rings, places[k]);
      // So near to a wall nobody comes.
      if (text.empty() || !inflow::has_room(world, places[k], least)) continue;
      problems.add(node, batch ? fmt::format("points[{}]", k) : "line", text);
      return false;
    }
  }
  return true;
}

namespace {

// Does a straight piece of a path meet what stands still?
bool meets(const World<2>& world, const Vec<2>& from, const Vec<2>& to) {
  const Vec<2> way = to - from;
  for (const auto& wall : world.walls) {
    if (wall.now.form == world::Form::kCircle) {
      const bool in_from = math::norm(from - wall.now.a) < wall.now.r0,
                 in_to = math::norm(to - wall.now.a) < wall.now.r0;
      if (in_from != in_to) return true;
      continue;
    }
    const Vec<2> along = wall.now.b - wall.now.a;
    const bool a = math::cross(way, wall.now.a - from) > 0, b = math::cross(way, wall.now.b - from) > 0;
    const bool c = math::cross(along, from - wall.now.a) > 0, d = math::cross(along, to - wall.now.a) > 0;
    if (a != b && c != d) return true;
  }
  return std::any_of(world.bodies.place.begin(), world.bodies.place.end(), [&](const world::Place<2>& p) {
    const double part = std::clamp(math::dot(p.x - from, way) / math::norm2(way), 0.0, 1.0);
    return math::norm(p.x - from - way * part) < p.radius;
  });
}

// Whether what comes here falls out of the domain without meeting a wall, another body or an outlet.
bool falls_out(const World<2>& world, const Vec<2>& start, const Vec<2>& velocity) {
  const double depth = world.domain.max[1] - world.domain.min[1] + world.domain.max[0] - world.domain.min[0];
  if (!std::isfinite(depth) || world.domain.periodic[0] || world.domain.periodic[1]) return false;
  constexpr int kPieces = 200;
  // Long enough to cross the domain from rest, and short enough for its walls to be seen.
  const double pace = std::sqrt(2 * depth / math::norm(world.gravity)) / kPieces;
  Vec<2> x = start;
  for (int k = 1; k <= 4 * kPieces; ++k) {
    const double t = pace * k;
    const Vec<2> next = start + velocity * t + world.gravity * (0.5 * t * t);
    if (meets(world, x, next)) return false;
    for (const auto& outlet : world.traffic.outlets) {
      if (outlet.passed(next)) return false;
    }
    if (!world.domain.contains(next)) return true;
    x = next;
  }
  return false;
}
bool falls_out(const World<3>&, const Vec<3>&, const Vec<3>&) { return false; }

}  // namespace

template <int D>
void warn_of_ways_out(const Node& node, const World<D>& world, const InletPlan<D>& plan,
                      std::vector<std::string>& warnings) {
  const auto places = places_of(plan);
  const auto tell = [&](std::size_t out, const std::string& text) {
    if (out > 0)
      warnings.push_back(fmt::format("{}: {}: {} that arrives {}leaves at once", node.path(), text,
                                     out == places.size() ? "all" : "a part of what",
                                     out == places.size() ? "" : "there "));
  };
  for (const auto& outlet : world.traffic.outlets) {
    const auto out = std::count_if(places.begin(), places.end(), [&](const Vec<D>& x) { return outlet.passed(x); });
    tell(static_cast<std::size_t>(out), fmt::format("lies beyond the outlet \"{}\"", outlet.name));
  }
  const double radius = plan.size.max();
  for (int k = 0; k < D; ++k) {
    if (world.domain.periodic[static_cast<std::size_t>(k)]) continue;
    const auto leaves = [&](std::size_t i, double face, double sign) {
      Vec<D> v = plan.velocity;
      if (i < plan.velocities.size()) v += plan.velocities[i];
      if (plan.with_flow && world.flow) v += world.flow->velocity(places[i]);
      return sign * v[k] > 0 && sign * (face - places[i][k]) <= radius;
    };
    for (const double sign : {-1.0, 1.0}) {
      const double face = sign > 0 ? world.domain.max[k] : world.domain.min[k];
      std::size_t out = 0;
      for (std::size_t i = 0; i < places.size(); ++i) out += leaves(i, face, sign) ? 1 : 0;
      tell(out, fmt::format("moves out of the domain at {} = {}", "xyz"[k], face));
    }
  }
  // With gravity alone, as below the floor of a bin.
  if (!(math::norm(world.gravity) > 0) || world.flow) return;
  if (std::all_of(places.begin(), places.end(), [&](const Vec<D>& x) { return falls_out(world, x, plan.velocity); }))
    warnings.push_back(fmt::format("{}: nothing lies below: what arrives falls out of the domain", node.path()));
}

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

template bool check_wet<2>(const Node&, const World<2>&, const InletPlan<2>&, Problems&);
template bool check_wet<3>(const Node&, const World<3>&, const InletPlan<3>&, Problems&);
template void warn_of_ways_out<2>(const Node&, const World<2>&, const InletPlan<2>&, std::vector<std::string>&);
template void warn_of_ways_out<3>(const Node&, const World<3>&, const InletPlan<3>&, std::vector<std::string>&);
template void check_room<2>(const Node&, const World<2>&, const InletPlan<2>&, Problems&);
template void check_room<3>(const Node&, const World<3>&, const InletPlan<3>&, Problems&);

}  // namespace moraine::scene
