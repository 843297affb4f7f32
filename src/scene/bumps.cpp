// SPDX-License-Identifier: MIT
// [wall.bumps]: half bodies on bumpy walls (Babic, figure 2.2).
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "inflow/rain.hpp"
#include "scene/memory.hpp"
#include "scene/walls.hpp"

namespace moraine::scene {

namespace {

using math::Vec;
using world::Form;
using world::Wall;
using world::World;

// Where bumps stand on a wall: as many as fit, evenly.
std::vector<Vec<2>> bump_places(const Node& node, const Wall<2>& wall, const world::Domain<2>&, double pitch,
                                Problems& problems) {
  const Vec<2> along = wall.start.b - wall.start.a;
  const double fit = math::norm(along) / pitch * (1 + 1e-9);
  if (!fits_memory(node, "radius", fit, problems)) return {};
  const auto count = static_cast<std::int64_t>(fit);
  std::vector<Vec<2>> places;
  places.reserve(static_cast<std::size_t>(count));
  for (std::int64_t k = 0; k < count; ++k)
    places.push_back(wall.start.a + along * ((static_cast<double>(k) + 0.5) / static_cast<double>(count)));
  return places;
}
std::vector<Vec<3>> bump_places(const Node& node, const Wall<3>& wall, const world::Domain<3>& domain, double pitch,
                                Problems& problems) {
  int axis = 0;
  while (axis < 3 && std::fabs(wall.start.b[axis]) < 1 - 1e-12) ++axis;
  const int u = (axis + 1) % 3, v = (axis + 2) % 3;
  if (axis == 3 || !std::isfinite(domain.length(u)) || !std::isfinite(domain.length(v))) {
    problems.add(node, axis == 3
                           ? "need a plane at right angles to an axis"
                           : fmt::format("need a domain with bounds along {} and {}: they cover the plane within it",
                                         "xyz"[std::min(u, v)], "xyz"[std::max(u, v)]));
    return {};
  }
  const auto number = [&](int k) { return domain.length(k) / pitch * (1 + 1e-9); };
  if (!fits_memory(node, "radius", std::max({number(u) * number(v), number(u), number(v)}), problems)) return {};
  const auto fit = [&](int k) { return static_cast<int>(number(k)); };
  std::vector<Vec<3>> places;
  for (int i = 0; i < fit(u); ++i) {
    for (int j = 0; j < fit(v); ++j) {
      Vec<3> x = wall.start.a;
      x[u] = domain.min[u] + (i + 0.5) / fit(u) * domain.length(u);
      x[v] = domain.min[v] + (j + 0.5) / fit(v) * domain.length(v);
      places.push_back(x);
    }
  }
  return places;
}

// A floor from one end of a periodic axis to the other goes on beyond both, as bodies do until they are wrapped.
void continue_over_edges(const world::Domain<2>& domain, Wall<2>& wall) {
  for (int k = 0; k < 2; ++k) {
    if (!domain.periodic[static_cast<std::size_t>(k)] || wall.start.form != Form::kFlat) continue;
    Vec<2>&a = wall.start.a, &b = wall.start.b;
    const int other = 1 - k;
    const double near = 1e-9 * domain.length(k);
    const bool spans = std::fabs(std::fabs(b[k] - a[k]) - domain.length(k)) < near && a[other] == b[other];
    if (!spans || std::fabs(std::min(a[k], b[k]) - domain.min[k]) > near) continue;
    const double more = (b[k] > a[k] ? 0.5 : -0.5) * domain.length(k);
    a[k] -= more;
    b[k] += more;
  }
}
void continue_over_edges(const world::Domain<3>&, Wall<3>&) {}

}  // namespace

template <int D>
void add_bumps(const Node& scene, const Laws& laws, World<D>& world, Problems& problems) {
  for (std::size_t k = 0; k < world.walls.size(); ++k) {
    const Node& node = scene.tables("wall")[k];
    Wall<D>& wall = world.walls[k];
    if (node.has("bumps")) {
      const Node& bumps = node.table("bumps");
      if (wall.start.form != Form::kFlat) {
        problems.add(node, "bumps", "are for segments and planes");
        continue;
      }
      const int material = bumps.has("material") ? laws.find(bumps, "material", false, problems)
                                                 : laws.find(node, "material", false, problems);
      if (material < 0) continue;
      world::NewBody<D> body;
      body.radius = bumps.number("radius");
      body.material = static_cast<std::uint32_t>(material);
      body.held = world::Held::kPrescribed;
      inflow::solid_ball<D>(body.radius, laws.materials[body.material].density, scene.number("thickness"), body.mass,
                            body.inertia);
      const world::Motion<D> motion = wall.motion.with_slide();
      const auto places = bump_places(bumps, wall, world.domain, 2 * body.radius + bumps.number("gap"), problems);
      if (places.empty() && problems.empty())
        problems.add(bumps, "radius", "is so large that not a single bump fits on the wall");
      for (const Vec<D>& x : places) {
        body.x = x;
        body.v = motion.velocity(0) + math::cross(motion.spin(0), x - motion.about);
        body.w = motion.spin(0);
        body.motion = static_cast<std::uint32_t>(world.guided.size());
        world.guided.push_back({motion, x, static_cast<int>(k)});
        world.bodies.add(body);
      }
    }
    continue_over_edges(world.domain, wall);
    world::place_wall(wall, 0, 0);
  }
}

template void add_bumps<2>(const Node&, const Laws&, World<2>&, Problems&);
template void add_bumps<3>(const Node&, const Laws&, World<3>&, Problems&);

}  // namespace moraine::scene
