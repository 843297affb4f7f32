// SPDX-License-Identifier: MIT
#include "scene/squeeze.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "scene/step.hpp"
#include "sim/simulation.hpp"

namespace moraine::scene {

namespace {

using inflow::Ball;
using inflow::Region;
using math::Vec;
using world::NewBody;
using world::World;

// A wall for each face of the box across an axis that is not periodic, moving in by `inward` in the time `duration`.
template <int D>
void add_moving_walls(World<D>& box, const Region<D>& wide, const Region<D>& narrow, std::uint32_t material,
                      double duration) {
  for (int axis = 0; axis < D; ++axis) {
    if (box.domain.periodic[static_cast<std::size_t>(axis)]) continue;
    for (int side = 0; side < 2; ++side) {
      world::Wall<D> wall;
      wall.name = fmt::format("{}{}", "xyz"[axis], side == 0 ? " low" : " high");
      wall.material = material;
      const double from = side == 0 ? wide.min[axis] : wide.max[axis],
                   to = side == 0 ? narrow.min[axis] : narrow.max[axis];
      wall.start.a = wide.min;
      wall.start.a[axis] = from;
      if constexpr (D == 2) {
        wall.start.b = wide.max;
        wall.start.b[axis] = from;
      } else {
        wall.start.b = {};
        wall.start.b[axis] = side == 0 ? 1 : -1;
      }
      typename world::Motion<D>::Interval in;
      in.to = duration;
      in.velocity[axis] = (to - from) / duration;
      wall.motion.intervals.push_back(in);
      wall.motion.about = wall.start.a;
      box.walls.push_back(wall);
    }
  }
}

template <int D>
Region<D> widened(const Region<D>& region, const world::Domain<D>& domain, double factor) {
  Region<D> wide = region;
  for (int k = 0; k < D; ++k) {
    if (domain.periodic[static_cast<std::size_t>(k)]) continue;
    const double middle = 0.5 * (region.min[k] + region.max[k]), half = 0.5 * factor * (region.max[k] - region.min[k]);
    wide.min[k] = middle - half;
    wide.max[k] = middle + half;
  }
  return wide;
}

}  // namespace

template <int D>
std::vector<NewBody<D>> squeeze(const FillContext& c, const Node& fill, int material, const Region<D>& region,
                                const World<D>& world, base::Stream& random, Problems& problems) {
  const double dense = fill.number("fraction"), loose = fill.number("loose_fraction");
  const inflow::Sizes sizes{fill.number("radius"), fill.number("spread")};
  World<D> box;
  int closed = D;
  for (std::size_t k = 0; k < D; ++k) {
    if (!world.domain.periodic[k]) continue;
    --closed;
    box.domain.periodic[k] = true;
    box.domain.min[static_cast<int>(k)] = world.domain.min[static_cast<int>(k)];
    box.domain.max[static_cast<int>(k)] = world.domain.max[static_cast<int>(k)];
  }
  if (closed == 0) {
    problems.add(fill, "method", "\"squeeze\" needs an axis that is not periodic, for its walls");
    return {};
  }
  if (!(loose < dense)) {
    problems.add(fill, "loose_fraction", fmt::format("{} must be below fraction, {}", loose, dense));
    return {};
  }
  const double factor = math::exp(math::log(dense / loose) / closed);
  const Region<D> wide = widened(region, world.domain, factor);
  // So many bodies that the dense region is covered as asked.
  const auto count = static_cast<std::size_t>(
      std::max(1.0, std::round(dense * region.volume() / inflow::ball_volume(D, sizes.radius))));
  const auto balls = inflow::random_sequential<D>(wide, box.domain, sizes, count, 0, 0, {}, random);
  if (!balls) {
    problems.add(fill, "loose_fraction", fmt::format("{} cannot be reached by random placement; use less", loose));
    return {};
  }
  box.materials = c.laws.materials;
  box.laws = c.laws.pairs.without_extras();  // nothing sticks while it is packed
  if (fill.has("friction")) box.laws.set_friction(fill.number("friction"));
  const auto index = static_cast<std::uint32_t>(material);
  for (const Ball<D>& ball : *balls) {
    NewBody<D> body;
    body.x = ball.x;
    body.radius = ball.radius;
    body.material = index;
    inflow::solid_ball<D>(ball.radius, c.laws.materials[index].density, c.thickness, body.mass, body.inertia);
    box.bodies.add(body);
  }
  // A push must have time to cross the box several times: about ten steps per diameter and crossing.
  const double width = math::norm(wide.max - wide.min) / (2 * sizes.radius);
  const std::int64_t steps =
      fill.has("steps") ? fill.integer("steps") : static_cast<std::int64_t>(std::max(1000.0, 100 * width));
  const std::int64_t relax = fill.integer("relax_steps");
  box.skin = 0.3 * sizes.radius;
  // The walls are fast; how stiff a contact gets follows from the step in turn. Two rounds settle it.
  double speed = sizes.radius;
  for (int round = 0; round < 2; ++round) {
    const ContactScale scale = contact_scale(box, speed, 0, 0, 0);
    box.dt = std::min(0.1 * scale.scale, 0.7 * scale.longest_stable);  // a tenth, as in the source
    speed = 0.5 * factor * math::norm(region.max - region.min) / (static_cast<double>(steps) * box.dt);
  }
  add_moving_walls(box, wide, region, index, static_cast<double>(steps) * box.dt);
  box.global_damping = 0.2 / (10 * box.dt);
  sim::Simulation<D> run(std::move(box), {steps + relax, 0}, 1);
  try {
    run.begin(nullptr);
    while (!run.finished()) run.step();
  } catch (const base::RunError& error) {
    problems.add(fill, "fraction",
                 fmt::format("squeezing to {} failed: {}; use less, or more steps", dense, error.what()));
    return {};
  }
  const World<D>& end = run.world();
  std::vector<NewBody<D>> bodies(end.bodies.size());
  const double shake = fill.number("random_speed");
  for (std::size_t i = 0; i < end.bodies.size(); ++i) {
    NewBody<D>& body = bodies[static_cast<std::size_t>(end.bodies.id[i])];
    body.x = end.bodies.place[i].x;
    body.radius = end.bodies.place[i].radius;
    body.mass = end.bodies.mass[i];
    body.inertia = end.bodies.inertia[i];
    body.material = index;
  }
  for (NewBody<D>& body : bodies) {
    for (int k = 0; k < D && shake > 0; ++k) body.v[k] = random.uniform(-shake, shake);
  }
  return bodies;
}

#define MORAINE_INSTANTIATE(D)                                                                                         \
  template std::vector<NewBody<D>> squeeze<D>(const FillContext&, const Node&, int, const Region<D>&, const World<D>&, \
                                              base::Stream&, Problems&);
MORAINE_INSTANTIATE(2)
MORAINE_INSTANTIATE(3)

}  // namespace moraine::scene
