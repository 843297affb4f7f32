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

// One squeezing, from the loose box to the bodies in their places.
template <int D>
class Squeezing {
 public:
  Squeezing(const FillContext& context, const Node& fill, int material, const Region<D>& region, const World<D>& world)
      : context_(context),
        fill_(fill),
        material_(static_cast<std::uint32_t>(material)),
        region_(region),
        world_(world) {
    int closed = D;
    for (std::size_t k = 0; k < D; ++k) {
      if (!world.domain.periodic[k]) continue;
      --closed;
      box_.domain.periodic[k] = true;
      box_.domain.min[static_cast<int>(k)] = world.domain.min[static_cast<int>(k)];
      box_.domain.max[static_cast<int>(k)] = world.domain.max[static_cast<int>(k)];
    }
    grows_ = closed == 0;
    factor_ = math::exp(math::log(dense_ / loose_) / (grows_ ? D : closed));
    wide_ = grows_ ? region : widened(region, world.domain, factor_);
  }

  // Walls, their bumps, and bodies at random between them. False: there is no room.
  bool fill_loosely(base::Stream& random) {
    // How fast the walls are to move is known only when the step is; where they stand, and their bumps, is now.
    add_moving_walls(box_, wide_, region_, material_, 1);
    add_moving_bumps(world_, box_, wide_, region_);
    bumps_ = box_.bodies.size();
    std::vector<Ball<D>> present;
    for (const world::Place<D>& p : box_.bodies.place) present.push_back({p.x, p.radius});
    const inflow::Sizes at_first{grows_ ? sizes_.radius / factor_ : sizes_.radius, sizes_.spread};
    const auto balls = inflow::random_sequential<D>(wide_, box_.domain, at_first, count(), 0, 0, present, random);
    if (!balls) return false;
    double covered = 0;
    for (const Ball<D>& ball : *balls) {
      NewBody<D> body;
      body.x = ball.x;
      body.radius = ball.radius;
      body.material = material_;
      weigh(body);
      box_.bodies.add(body);
      covered += math::ball_volume(D, ball.radius);
      radii_.push_back(ball.radius);
    }
    // Sizes are drawn at random: they grow until the region is covered just as asked.
    if (grows_) factor_ = math::exp(math::log(dense_ * region_.volume() / covered) / D);
    return true;
  }

  void choose_steps() {
    box_.materials = context_.laws.materials;
    box_.laws = context_.laws.pairs.without_extras();  // nothing sticks while it is packed
    box_.laws.limit_shear_damping(0.1);                // strong ones would need shorter steps
    if (fill_.has("friction")) box_.laws.set_friction(fill_.number("friction"));
    // A push must have time to cross the box several times: about ten steps per diameter and crossing.
    const double width = math::norm(wide_.max - wide_.min) / (2 * sizes_.radius);
    steps_ = fill_.has("steps") ? fill_.integer("steps") : static_cast<std::int64_t>(std::max(1000.0, 100 * width));
    box_.skin = 0.3 * sizes_.radius;
    // The walls are fast; how stiff a contact gets follows from the step in turn. Two rounds settle it.
    double speed = sizes_.radius;
    for (int round = 0; round < 2; ++round) {
      const ContactScale scale = contact_scale(box_, speed, {});
      box_.dt = std::min(0.1 * scale.scale, 0.7 * scale.longest_stable);  // a tenth, as in the source
      speed = 0.5 * factor_ * math::norm(region_.max - region_.min) / (static_cast<double>(steps_) * box_.dt);
    }
    const double duration = static_cast<double>(steps_) * box_.dt;
    for (world::Wall<D>& wall : box_.walls) {
      wall.motion.intervals[0].to = duration;
      for (double& v : wall.motion.intervals[0].velocity.c) v /= duration;
    }
    for (auto& guided : box_.guided) guided.motion = box_.walls[static_cast<std::size_t>(guided.wall)].motion;
    box_.global_damping = fill_.number("damping", 0.2 / (10 * box_.dt));
  }

  // Throws base::RunError where it gets too tight.
  std::vector<NewBody<D>> run() {
    sim::Simulation<D> run(std::move(box_), {steps_ + fill_.integer("relax_steps"), 0}, 1);
    run.begin(nullptr);
    for (std::int64_t step = 1; !run.finished(); ++step) {
      run.step();
      if (!grows_ || step > steps_ || step % kGrowEvery != 0) continue;
      grow_bodies(run.world(), growth(factor_, step, steps_) / growth(factor_, step - kGrowEvery, steps_));
      run.stepper().list_anew(run.world());
    }
    const world::Bodies<D>& end = run.world().bodies;
    std::vector<NewBody<D>> bodies(end.size() - bumps_);
    for (std::size_t i = 0; i < end.size(); ++i) {
      if (end.moving[i].held != world::Held::kFree) continue;
      const std::size_t k = static_cast<std::size_t>(end.id[i]) - bumps_;
      bodies[k].x = end.place[i].x;
      bodies[k].radius = grows_ ? radii_[k] * factor_ : radii_[k];
      bodies[k].material = material_;
      weigh(bodies[k]);
    }
    return bodies;
  }

 private:
  // So many that the dense region is covered as asked, with the mean volume of what is drawn at random.
  std::size_t count() const {
    if (fill_.has("count")) return static_cast<std::size_t>(fill_.integer("count"));
    const double mean =
        math::ball_volume(D, sizes_.radius) * (1 + sizes_.spread * sizes_.spread * (D == 2 ? 1.0 / 3.0 : 1.0));
    return static_cast<std::size_t>(std::max(1.0, std::round(dense_ * region_.volume() / mean)));
  }
  void weigh(NewBody<D>& body) const {
    inflow::solid_ball<D>(body.radius, context_.laws.materials[material_].density, context_.thickness, body.mass,
                          body.inertia);
  }

  const FillContext& context_;
  const Node& fill_;
  std::uint32_t material_;
  Region<D> region_, wide_;
  const World<D>& world_;
  double dense_ = fill_.number("fraction"), loose_ = fill_.number("loose_fraction");
  inflow::Sizes sizes_{fill_.number("radius"), fill_.number("spread")};
  bool grows_ = false;  // without walls to move in, the bodies grow: the same, seen from a box that shrinks with them
  double factor_ = 1;   // by which walls come nearer, or bodies grow
  World<D> box_;
  std::size_t bumps_ = 0;
  std::vector<double> radii_;  // at first
  std::int64_t steps_ = 0;
};

}  // namespace

template <int D>
std::vector<NewBody<D>> squeeze(const FillContext& c, const Node& fill, int material, const Region<D>& region,
                                const World<D>& world, base::Stream& random, Problems& problems) {
  const double dense = fill.number("fraction"), loose = fill.number("loose_fraction");
  if (!(loose < dense)) {
    problems.add(fill, "loose_fraction", fmt::format("{} must be below fraction, {}", loose, dense));
    return {};
  }
  Squeezing<D> squeezing(c, fill, material, region, world);
  if (!squeezing.fill_loosely(random)) {
    problems.add(fill, "loose_fraction", fmt::format("{} cannot be reached by random placement; use less", loose));
    return {};
  }
  squeezing.choose_steps();
  std::vector<NewBody<D>> bodies;
  try {
    bodies = squeezing.run();
  } catch (const base::RunError& error) {
    problems.add(fill, "fraction",
                 fmt::format("squeezing to {} failed: {}; use less, or more steps", dense, error.what()));
    return {};
  }
  const double shake = fill.number("random_speed");
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
