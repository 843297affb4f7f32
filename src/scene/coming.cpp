// SPDX-License-Identifier: MIT
#include "scene/coming.hpp"

#include <algorithm>
#include <limits>

#include "scene/step.hpp"

namespace moraine::scene {

namespace {

// The lightest that the plan may bring, as a contact feels it.
template <int D, class Plan>
void weigh(const Plan& plan, const world::World<D>& world, bool as_spheres, Coming& coming) {
  const double r = coming.smallest;
  if (plan.clumps.empty()) {
    double inertia = 0;
    inflow::solid_ball<D>(r, plan.density, plan.thickness, coming.lightest, inertia);
    if (as_spheres) inflow::solid_ball<3>(r, plan.density, 1, coming.lightest, inertia);
    coming.thinnest = r;
    return;
  }
  coming.lightest = coming.thinnest = std::numeric_limits<double>::infinity();
  for (const world::ClumpShape<D>& shape : plan.clumps) {
    world::Bodies<D> bodies;
    world::Clumps<D> clumps;
    world::NewClump<D> clump;
    clump.shape = &shape;
    clump.scale = r / shape.radius;
    clump.density = plan.density;
    clump.thickness = plan.thickness;
    clumps.add(clump, bodies);
    for (std::size_t m = 0; m < clumps.offset.size(); ++m) {
      coming.lightest =
          std::min(coming.lightest, mass_when_pushed<D>(clumps.mass[0], clumps.inertia[0], clumps.offset[m]));
      coming.thinnest = std::min(coming.thinnest, bodies.place[m].radius);
    }
    if (shape.solid == world::kNoSolid) continue;
    const shape::Solid<D>& solid = *world.solids[shape.solid];
    coming.lightest =
        std::min(coming.lightest, lightest_corner<D>(solid, clump.scale, clumps.mass[0], clumps.inertia[0]));
  }
}

template <int D>
double extent_of(const math::Vec<D>& x, const world::World<D>& world) {
  double farthest = 0;
  for (const auto& wall : world.walls) farthest = std::max(farthest, math::norm(x - wall.now.a));
  return farthest;
}

}  // namespace

template <int D>
Coming coming_of(const inflow::RainPlan<D>& plan, const world::World<D>& world) {
  Coming coming;
  coming.smallest = plan.sizes.radius * (1 - plan.sizes.spread);
  coming.mean = plan.sizes.radius;
  coming.largest = plan.sizes.largest();
  coming.speed = math::norm(plan.velocity);
  coming.extent = extent_of(plan.region.max, world);
  coming.material = plan.material;
  weigh<D>(plan, world, false, coming);
  return coming;
}

template <int D>
Coming coming_of(const inflow::InletPlan<D>& plan, const world::World<D>& world) {
  Coming coming;
  std::vector<math::Vec<D>> places = plan.line;
  if (plan.kind == inflow::InletKind::kPatch)
    places = {plan.corner, plan.corner + plan.side_a, plan.corner + plan.side_b,
              plan.corner + plan.side_a + plan.side_b};
  bool drawn = plan.points.empty();
  double sum = 0;
  coming.smallest = std::numeric_limits<double>::infinity();
  for (const auto& point : plan.points) {
    places.push_back(point.x);
    drawn = drawn || point.radius == 0;
    if (point.radius == 0) continue;
    coming.smallest = std::min(coming.smallest, point.radius);
    coming.largest = std::max(coming.largest, point.radius);
    sum += point.radius;
  }
  coming.mean = plan.points.empty() ? 0 : sum / static_cast<double>(plan.points.size());
  if (drawn) {
    coming.smallest = plan.size.min();
    coming.largest = plan.size.max();
    coming.mean = plan.size.mean();
  }
  coming.smallest -= 0.5 * plan.radius_jitter;
  coming.largest += 0.5 * plan.radius_jitter;
  // Between the corners too, which may lie on the banks.
  const std::size_t corners = plan.points.empty() ? places.size() : 0;
  for (std::size_t k = 1; k < corners; ++k) {
    for (const double part : {0.1, 0.3, 0.5, 0.7, 0.9}) places.push_back(places[k - 1] * (1 - part) + places[k] * part);
  }
  for (std::size_t k = 0; k < places.size(); ++k) {
    math::Vec<D> v = plan.velocity;
    if (k < plan.velocities.size()) v += plan.velocities[k];
    if (plan.with_flow && world.flow) v += world.flow->velocity(places[k]);
    coming.speed = std::max(coming.speed, math::norm(v));
    coming.extent = std::max(coming.extent, extent_of(places[k], world));
  }
  coming.material = plan.material;
  weigh<D>(plan, world, plan.as_spheres, coming);
  return coming;
}

#define MORAINE_INSTANTIATE(D)                                                      \
  template Coming coming_of<D>(const inflow::RainPlan<D>&, const world::World<D>&); \
  template Coming coming_of<D>(const inflow::InletPlan<D>&, const world::World<D>&);
MORAINE_INSTANTIATE(2)
MORAINE_INSTANTIATE(3)

}  // namespace moraine::scene
