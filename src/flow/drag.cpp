// SPDX-License-Identifier: MIT
#include "flow/drag.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "math/elementary.hpp"
#include "shape/disk_union.hpp"

namespace moraine::flow {

double DragLaw::at(double speed, double diameter) const {
  if (kind == Kind::kConstant) return coefficient;
  const double reynolds = speed * diameter / kinematic_viscosity;
  if (kind == Kind::kSchillerNaumann)
    return reynolds < 1000 ? 24 / reynolds * (1 + 0.15 * math::pow(reynolds, 0.687)) : 0.44;
  const double c = (*formula)(&reynolds);
  if (!std::isfinite(c) || c < 0)
    throw base::RunError(
        fmt::format("the drag formula of load \"{}\" gives {} at Re = {:.6g}: {}", name, c, reynolds, formula->text()),
        "see that it has a finite value, not below 0, for every Re above 0");
  return c;
}

namespace {

// Each member of a clump, its arm from the centre; of a single body the body itself, without one.
template <int D, class Work>
void for_members(const World<D>& world, const Mover<D>& m, const Work& work) {
  if (!m.clump) return work(m.index, Vec<D>{});
  const world::Clumps<D>& clumps = world.clumps;
  for (std::uint32_t k = clumps.start[m.index]; k < clumps.start[m.index + 1]; ++k)
    work(clumps.member[k], clumps.arm(m.index, k));
}

template <int D>
void turn(Wrench<D>& out, const Vec<D>& arm, const Vec<D>& force) {
  out.force += force;
  out.torque += math::cross(arm, force);
}

// The width (3D: area) of a clump's shadow along a unit vector.
double shadow_of(const World<2>& world, const Mover<2>& m, const Vec<2>& along) {
  std::vector<std::pair<double, double>> parts;
  for_members(world, m, [&](std::size_t i, const Vec<2>& arm) {
    const double at = math::cross(along, arm), r = world.bodies.place[i].radius;
    parts.emplace_back(at - r, at + r);
  });
  std::sort(parts.begin(), parts.end());
  double sum = 0, reached = parts.front().first;
  for (const auto& [low, high] : parts) {
    if (high > reached) sum += high - std::max(low, reached);
    reached = std::max(reached, high);
  }
  return sum;
}
double shadow_of(const World<3>& world, const Mover<3>& m, const Vec<3>& along) {
  int least = 0;
  for (int k = 1; k < 3; ++k) {
    if (std::fabs(along[k]) < std::fabs(along[least])) least = k;
  }
  math::Vec3 axis{};
  axis[least] = 1;
  math::Vec3 e1 = math::cross(along, axis);
  e1 *= 1 / math::norm(e1);
  const math::Vec3 e2 = math::cross(along, e1);
  std::vector<shape::Member<2>> shadows;
  for_members(world, m, [&](std::size_t i, const Vec<3>& arm) {
    shadows.push_back({{math::dot(arm, e1), math::dot(arm, e2)}, world.bodies.place[i].radius});
  });
  return shape::DiskUnion().moments(shadows).area;
}

// Of the union of a clump over the sum of its members'.
template <int D>
double volume_share(const World<D>& world, const Mover<D>& m) {
  double sum = 0;
  for_members(world, m,
              [&](std::size_t i, const Vec<D>&) { sum += math::ball_volume(D, world.bodies.place[i].radius); });
  return world.clumps.volume[m.index] / sum;
}

}  // namespace

template <int D>
Drag<D>::Drag(DragPlan<D> plan) : plan_(std::move(plan)) {
  if (plan_.shadow) shadows_.emplace(*plan_.shadow);
}

template <int D>
Vec<D> Drag<D>::fluid_at(const World<D>& world, const Vec<D>& x) const {
  return plan_.velocity ? *plan_.velocity : world.flow->velocity(x);
}

template <int D>
double Drag<D>::own_area(double r) const {
  if (plan_.area == DragArea::kSection) return D == 2 ? 2 * r * plan_.depth : math::kPi * r * r;
  return (D == 2 ? 1 : 4) * math::kPi * r * r;
}

// By which the areas of a clump's members are made smaller.
template <int D>
double Drag<D>::share(const World<D>& world, const Mover<D>& m) const {
  if (!m.clump) return 1;
  if (plan_.area == DragArea::kFace) return volume_share(world, m);
  Vec<D> along = fluid_at(world, m.x) - m.v;
  const double speed = math::norm(along);
  if (speed > 0) {
    along *= 1 / speed;
  } else {
    along = {};
    along[0] = 1;
  }
  double sum = 0;
  for_members(world, m, [&](std::size_t i, const Vec<D>&) { sum += own_area(world.bodies.place[i].radius); });
  return shadow_of(world, m, along) * (D == 2 ? plan_.depth : 1) / sum;
}

template <int D>
Vec<D> Drag<D>::force_on(const World<D>& world, std::size_t body, const Vec<D>& past, double part) const {
  const double speed = math::norm(past);
  if (!(speed > 0)) return {};
  const double r = world.bodies.place[body].radius;
  const double size = plan_.factor * plan_.density * plan_.law.at(speed, 2 * r) * own_area(r) * part;
  const auto exposed = [&](const Vec<D>& along) { return shadows_ ? shadows_->exposed(world, body, along) : 1.0; };
  const double stokes = 6 * math::kPi * plan_.viscosity * r * part;
  if (!plan_.components) return past * (size * speed * exposed(past * (1 / speed)) + stokes);
  Vec<D> force = past * stokes;
  for (int k = 0; k < D; ++k) {
    if (past[k] == 0) continue;
    Vec<D> along{};
    along[k] = past[k] > 0 ? 1 : -1;
    force[k] += size * std::fabs(past[k]) * past[k] * exposed(along);
  }
  return force;
}

template <int D>
void Drag<D>::add(const World<D>& world, base::Team& team, Wrenches<D>& sums) {
  if (!plan_.scope.at(world.time)) return;
  if (shadows_) shadows_->sort(world);
  world::add_to_each(world, team, sums, [&](const Mover<D>& m) -> Wrench<D> {
    if (!plan_.scope.covers(m.material)) return {};
    Wrench<D> out;
    const double part = share(world, m);
    for_members(world, m, [&](std::size_t i, const Vec<D>& arm) {
      const Vec<D>& x = m.clump ? world.bodies.place[i].x : m.x;
      const Vec<D> past = fluid_at(world, x) - m.v - math::cross(m.w, arm);
      turn(out, arm, force_on(world, i, past, part));
      if constexpr (D == 2) {
        if (!plan_.spin) return;
        const double r = world.bodies.place[i].radius;
        const double rub = plan_.factor * plan_.density * plan_.law.coefficient * part;
        const double moment = 0.4 * math::kPi * r * r * r * r * r;  // the integral of distance^3 over the face
        out.torque += -rub * moment * std::fabs(m.w) * m.w;
      }
    });
    return out;
  });
}

template <int D>
double Buoyancy<D>::immersed(const Vec<D>& x, double r, const Vec<D>& up) const {
  const double whole = math::ball_volume(D, r) * (D == 2 ? thickness_ : 1);
  if (!surface_) return whole;
  const double depth = std::clamp((*surface_ - math::dot(x, up)) / r, -1.0, 1.0);  // of the centre, in radii
  if constexpr (D == 2) {
    return whole * (1 - (math::acos(depth) - depth * std::sqrt(std::max(0.0, 1 - depth * depth))) / math::kPi);
  } else {
    return whole * 0.25 * (1 + depth) * (1 + depth) * (2 - depth);
  }
}

template <int D>
void Buoyancy<D>::add(const World<D>& world, base::Team& team, Wrenches<D>& sums) {
  const double g = math::norm(world.gravity);
  if (!scope_.at(world.time) || !(g > 0)) return;
  const Vec<D> up = world.gravity * (-1 / g);
  world::add_to_each(world, team, sums, [&](const Mover<D>& m) -> Wrench<D> {
    if (!scope_.covers(m.material)) return {};
    Wrench<D> out;
    const double part = m.clump ? volume_share(world, m) : 1;
    for_members(world, m, [&](std::size_t i, const Vec<D>& arm) {
      const Vec<D>& x = m.clump ? world.bodies.place[i].x : m.x;
      turn(out, arm, up * (density_ * g * part * immersed(x, world.bodies.place[i].radius, up)));
    });
    return out;
  });
}

template class Drag<2>;
template class Drag<3>;
template class Buoyancy<2>;
template class Buoyancy<3>;

}  // namespace moraine::flow
