// SPDX-License-Identifier: MIT
#include "inflow/inlet.hpp"

#include <fmt/format.h>

#include <cmath>

#include "base/error.hpp"
#include "inflow/rain.hpp"
#include "world/near_wall.hpp"

namespace moraine::inflow {

namespace {

constexpr double kTouching = 1e-9;  // radii by which two may overlap and still only touch
constexpr int kMostAtOnce = 1000;   // arrivals without any time between

}  // namespace

template <int D>
Inlet<D>::Inlet(InletPlan<D> plan, std::size_t index)
    : plan_(std::move(plan)),
      index_(index),
      sizes_(plan_.generator, plan_.seed, "inlet." + plan_.name + ".size", plan_.starts.at(0)),
      places_(plan_.generator, plan_.seed, "inlet." + plan_.name + ".place", plan_.starts.at(1)),
      times_(plan_.generator, plan_.seed, "inlet." + plan_.name + ".time", plan_.starts.at(2)),
      shapes_(plan_.seed, "inlet." + plan_.name + ".shape") {}

template <int D>
bool Inlet<D>::done(const world::World<D>& world) const {
  return (world.traffic.inlets[index_].due >= plan_.count || world.time >= plan_.to) && waiters_.empty();
}

template <int D>
bool Inlet<D>::apply(world::World<D>& world) {
  bool any = let_in(world);
  const bool batch = plan_.kind == InletKind::kBatch;
  if (next_ < 0) next_ = plan_.from + (batch ? 0 : plan_.waiting.draw(times_));
  world::Arrivals& arrivals = world.traffic.inlets[index_];
  int at_once = 0;
  while (next_ <= world.time && next_ < plan_.to && arrivals.due < plan_.count) {
    const double last = next_;
    if (batch) {
      any = release(world) || any;
      next_ = plan_.from + static_cast<double>(++batches_) * plan_.every;
    } else {
      any = arrive(world) || any;
      next_ += plan_.waiting.draw(times_);
    }
    // Waits that rounding swallows would never end. Scenes with waits far below the step are refused before.
    at_once = next_ > last ? 0 : at_once + 1;
    if (at_once < kMostAtOnce) continue;
    throw base::RunError(fmt::format("inlet \"{}\": the time between arrivals is too short to count at {:.6g} s",
                                     plan_.name, world.time),
                         "let fewer arrive: a lower rate, or a longer 'every'");
  }
  return any;
}

// Size and place are drawn whether there is room or not.
template <int D>
bool Inlet<D>::arrive(world::World<D>& world) {
  world::Arrivals& arrivals = world.traffic.inlets[index_];
  ++arrivals.due;
  const double radius = plan_.size.draw(sizes_);
  const auto x = find_place(world, radius);
  if (!x) {
    ++arrivals.skipped;
    return false;
  }
  put(world, *x, radius, plan_.velocity);
  return true;
}

template <int D>
std::optional<Vec<D>> Inlet<D>::find_place(const world::World<D>& world, double radius) {
  if constexpr (D == 2) {
    const Polyline line(plan_.line);
    const auto way = free_spot(world, line, radius, places_.uniform() * line.length());
    if (way) return line.at(*way);
  } else {
    for (int k = 0; k < plan_.tries; ++k) {
      const double a = places_.uniform(), b = places_.uniform();
      const Vec<D> x = plan_.corner + plan_.side_a * a + plan_.side_b * b;
      if (has_room(world, x, radius)) return x;
    }
  }
  return std::nullopt;
}

template <int D>
bool has_room(const world::World<D>& world, const Vec<D>& x, double radius) {
  const auto shifts = world::image_shifts(world.domain, world.time);
  const double slack = kTouching * radius;
  for (std::size_t i = 0; i < world.bodies.size(); ++i) {
    if (world.bodies.moving[i].gone) continue;
    const world::Place<D>& p = world.bodies.place[i];
    const double reach = p.radius + radius - slack;
    for (const Vec<D>& shift : shifts) {
      if (math::norm2(p.x + shift - x) < reach * reach) return false;
    }
  }
  for (const world::Wall<D>& wall : world.walls) {
    if (wall.gone) continue;
    double distance;
    if (D == 3 && wall.now.form == world::Form::kFlat) {
      distance = math::dot(x - wall.now.a, wall.now.b);
    } else {
      bool at_end = false;
      distance = math::norm(world::nearest_point(wall.now, x, at_end) - x);
    }
    if (distance < radius - slack) return false;
  }
  return true;
}

template <int D>
bool Inlet<D>::area_is_free(const world::World<D>& world) const {
  for (std::size_t i = 0; i < world.bodies.size(); ++i) {
    const world::Moving<D>& m = world.bodies.moving[i];
    if (m.held == world::Held::kFree && !m.gone && plan_.area.contains(world.bodies.place[i].x)) return false;
  }
  for (std::size_t c = 0; c < world.clumps.size(); ++c) {
    if (world.clumps.gone[c] == 0 && plan_.area.contains(world.clumps.x[c])) return false;
  }
  return true;
}

// A batch comes as a whole, but for those that have no room, or not at all.
template <int D>
bool Inlet<D>::release(world::World<D>& world) {
  world::Arrivals& arrivals = world.traffic.inlets[index_];
  const bool free = area_is_free(world);
  if (!free) {
    ++arrivals.held;
    if (arrivals.held_since < 0) arrivals.held_since = world.time;
  }
  bool any = false;
  for (std::size_t k = 0; k < plan_.points.size() && arrivals.due < plan_.count; ++k) {
    ++arrivals.due;
    double radius = plan_.points[k].radius > 0 ? plan_.points[k].radius : plan_.size.draw(sizes_);
    Vec<D> x = plan_.points[k].x;
    for (int c = 0; c < D; ++c) {
      if (plan_.jitter[c] > 0) x[c] += plan_.jitter[c] * (places_.uniform() - 0.5);
    }
    if (plan_.radius_jitter > 0) radius += plan_.radius_jitter * (sizes_.uniform() - 0.5);
    const Vec<D> v = plan_.velocity + (plan_.velocities.empty() ? Vec<D>{} : plan_.velocities[k]);
    if (free && has_room(world, x, radius)) {
      put(world, x, radius, v);
      any = true;
    } else if (free && plan_.waits) {
      waiters_.push_back({x, v, radius});
    } else {
      ++arrivals.skipped;
    }
  }
  return any;
}

template <int D>
bool Inlet<D>::let_in(world::World<D>& world) {
  const std::size_t before = waiters_.size();
  std::erase_if(waiters_, [&](const Waiter& w) {
    const bool enters = has_room(world, w.x, w.radius);
    if (enters) put(world, w.x, w.radius, w.v);
    return enters;
  });
  return waiters_.size() < before;
}

template <int D>
void Inlet<D>::put(world::World<D>& world, const Vec<D>& x, double radius, const Vec<D>& velocity) {
  const Vec<D> v = plan_.with_flow && world.flow ? velocity + world.flow->velocity(x) : velocity;
  world::Arrivals& arrivals = world.traffic.inlets[index_];
  if (!plan_.clumps.empty()) {
    world::NewClump<D> clump = random_clump<D>(plan_.clumps, {x, radius}, shapes_);
    if (!plan_.turned) clump.orientation = clump.shape->axes;
    clump.v = v;
    clump.material = plan_.material;
    clump.density = plan_.density;
    clump.thickness = plan_.thickness;
    world.clumps.add(clump, world.bodies);
    world.count_clump(world.clumps.size() - 1, arrivals.came);
    return;
  }
  world::NewBody<D> body;
  body.x = x;
  body.v = v;
  body.radius = radius;
  body.material = plan_.material;
  solid_ball<D>(radius, plan_.density, plan_.thickness, body.mass, body.inertia);
  if (plan_.as_spheres) solid_ball<3>(radius, plan_.density, 1, body.mass, body.inertia);
  world.bodies.add(body);
  world.count_body(world.bodies.size() - 1, arrivals.came);
}

template <int D>
void Inlet<D>::save(base::Record& record) const {
  const std::string name = "inlet." + plan_.name;
  record.set(name + ".next", next_);
  record.ints[name + ".drawn"] = {batches_, static_cast<std::int64_t>(shapes_.counter())};
  sizes_.save(name + ".size", record);
  places_.save(name + ".place", record);
  times_.save(name + ".time", record);
  std::vector<double>& waiting = record.reals[name + ".waiters"];
  for (const Waiter& w : waiters_) {
    for (int k = 0; k < D; ++k) waiting.insert(waiting.end(), {w.x[k], w.v[k]});
    waiting.push_back(w.radius);
  }
}

template <int D>
void Inlet<D>::load(const base::Record& record) {
  const std::string name = "inlet." + plan_.name;
  next_ = record.number(name + ".next");
  batches_ = record.integer(name + ".drawn").at(0);
  shapes_ =
      base::Stream(plan_.seed, name + ".shape", static_cast<std::uint64_t>(record.integer(name + ".drawn").at(1)));
  sizes_.load(name + ".size", record);
  places_.load(name + ".place", record);
  times_.load(name + ".time", record);
  waiters_.clear();
  const std::vector<double>& waiting = record.real(name + ".waiters");
  for (std::size_t at = 0; at < waiting.size();) {
    Waiter w;
    for (int k = 0; k < D; ++k) {
      w.x[k] = waiting.at(at++);
      w.v[k] = waiting.at(at++);
    }
    w.radius = waiting.at(at++);
    waiters_.push_back(w);
  }
}

template bool has_room<2>(const world::World<2>&, const Vec<2>&, double);
template bool has_room<3>(const world::World<3>&, const Vec<3>&, double);
template class Inlet<2>;
template class Inlet<3>;

}  // namespace moraine::inflow
