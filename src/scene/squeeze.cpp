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

// The wall of the scene that stands in a face of the region, or -1.
template <int D>
int wall_in_face(const World<D>& world, int axis, double at, double tolerance) {
  for (std::size_t w = 0; w < world.walls.size(); ++w) {
    const world::Surface<D>& s = world.walls[w].start;
    if (s.form != world::Form::kFlat || std::fabs(s.a[axis] - at) > tolerance) continue;
    const bool across = D == 2 ? s.b[axis] == s.a[axis] : std::fabs(std::fabs(s.b[axis]) - 1) < 1e-12;
    if (across) return static_cast<int>(w);
  }
  return -1;
}

// Where the scene has a bumpy wall in a face of the region, the wall that moves in carries the same bumps.
template <int D>
void add_moving_bumps(const World<D>& world, World<D>& box, const Region<D>& wide, const Region<D>& narrow) {
  for (std::size_t w = 0; w < box.walls.size(); ++w) {
    const int axis = box.walls[w].name[0] - 'x';
    const bool low = box.walls[w].start.a[axis] == wide.min[axis];
    const double from = low ? wide.min[axis] : wide.max[axis], to = low ? narrow.min[axis] : narrow.max[axis];
    const int in_face = wall_in_face(world, axis, to, 1e-9 * math::norm(narrow.max - narrow.min));
    for (std::size_t i = 0; in_face >= 0 && i < world.bodies.size(); ++i) {
      const std::uint32_t motion = world.bodies.motion[i];
      if (motion == world::kNoMotion || world.guided[motion].wall != in_face) continue;
      NewBody<D> bump;
      bump.x = world.bodies.place[i].x;
      bump.x[axis] += from - to;
      bump.radius = world.bodies.place[i].radius;
      bump.mass = world.bodies.mass[i];
      bump.inertia = world.bodies.inertia[i];
      bump.material = world.bodies.moving[i].material;
      bump.held = world::Held::kPrescribed;
      bump.v = box.walls[w].motion.velocity(0);
      bump.motion = static_cast<std::uint32_t>(box.guided.size());
      box.guided.push_back({box.walls[w].motion, bump.x, static_cast<int>(w)});
      box.bodies.add(bump);
    }
  }
}

constexpr std::int64_t kGrowEvery = 10;  // steps

// Size of the bodies after so many steps, in units of their first, when they are to grow by `factor`.
double growth(double factor, std::int64_t step, std::int64_t steps) {
  const std::int64_t last = steps / kGrowEvery * kGrowEvery;
  return 1 + (factor - 1) * static_cast<double>(step) / static_cast<double>(last);
}

template <int D>
void grow_bodies(World<D>& box, double by) {
  for (std::size_t i = 0; i < box.bodies.size(); ++i) {
    box.bodies.place[i].radius *= by;
    box.bodies.mass[i] *= math::pow(by, D);
    box.bodies.inertia[i] *= math::pow(by, D + 2);
    box.bodies.moving[i].inverse_mass = 1 / box.bodies.mass[i];
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
  if (!(loose < dense)) {
    problems.add(fill, "loose_fraction", fmt::format("{} must be below fraction, {}", loose, dense));
    return {};
  }
  // Without walls to move in, the bodies grow: the same, seen from a box that shrinks with them.
  const bool grow = closed == 0;
  const double factor = math::exp(math::log(dense / loose) / (grow ? D : closed));
  const Region<D> wide = grow ? region : widened(region, world.domain, factor);
  // So many bodies that the dense region is covered as asked.
  const double mean_volume =
      inflow::ball_volume(D, sizes.radius) * (1 + sizes.spread * sizes.spread * (D == 2 ? 1.0 / 3.0 : 1.0));
  const auto count =
      static_cast<std::size_t>(fill.has("count") ? static_cast<double>(fill.integer("count"))
                                                 : std::max(1.0, std::round(dense * region.volume() / mean_volume)));
  // How fast the walls are to move is known only when the step is; where they stand, and their bumps, is now.
  const auto index = static_cast<std::uint32_t>(material);
  add_moving_walls(box, wide, region, index, 1);
  add_moving_bumps(world, box, wide, region);
  const std::size_t bumps = box.bodies.size();
  std::vector<Ball<D>> present;
  for (const world::Place<D>& p : box.bodies.place) present.push_back({p.x, p.radius});
  const inflow::Sizes at_first{grow ? sizes.radius / factor : sizes.radius, sizes.spread};
  const auto balls = inflow::random_sequential<D>(wide, box.domain, at_first, count, 0, 0, present, random);
  if (!balls) {
    problems.add(fill, "loose_fraction", fmt::format("{} cannot be reached by random placement; use less", loose));
    return {};
  }
  box.materials = c.laws.materials;
  box.laws = c.laws.pairs.without_extras();  // nothing sticks while it is packed
  box.laws.limit_shear_damping(0.1);         // strong ones would need shorter steps
  if (fill.has("friction")) box.laws.set_friction(fill.number("friction"));
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
  const double duration = static_cast<double>(steps) * box.dt;
  for (world::Wall<D>& wall : box.walls) {
    wall.motion.intervals[0].to = duration;
    for (double& v : wall.motion.intervals[0].velocity.c) v /= duration;
  }
  for (auto& guided : box.guided) guided.motion = box.walls[static_cast<std::size_t>(guided.wall)].motion;
  box.global_damping = fill.number("damping", 0.2 / (10 * box.dt));
  sim::Simulation<D> run(std::move(box), {steps + relax, 0}, 1);
  try {
    run.begin(nullptr);
    for (std::int64_t step = 1; !run.finished(); ++step) {
      run.step();
      if (grow && step <= steps && step % kGrowEvery == 0) {
        const double before = growth(factor, step - kGrowEvery, steps), now = growth(factor, step, steps);
        grow_bodies(run.world(), now / before);
        run.stepper().list_anew(run.world());
      }
    }
  } catch (const base::RunError& error) {
    problems.add(fill, "fraction",
                 fmt::format("squeezing to {} failed: {}; use less, or more steps", dense, error.what()));
    return {};
  }
  const World<D>& end = run.world();
  std::vector<NewBody<D>> bodies(end.bodies.size() - bumps);
  const double shake = fill.number("random_speed");
  for (std::size_t i = 0; i < end.bodies.size(); ++i) {
    if (end.bodies.moving[i].held != world::Held::kFree) continue;
    NewBody<D>& body = bodies[static_cast<std::size_t>(end.bodies.id[i]) - bumps];
    body.x = end.bodies.place[i].x;
    body.radius =
        grow ? (*balls)[static_cast<std::size_t>(end.bodies.id[i])].radius * factor : end.bodies.place[i].radius;
    inflow::solid_ball<D>(body.radius, c.laws.materials[index].density, c.thickness, body.mass, body.inertia);
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
