// SPDX-License-Identifier: MIT
#include "flow/loads.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>

#include "base/error.hpp"
#include "shape/disk_union.hpp"

namespace moraine::flow {

template <int D>
void ConstantForce<D>::add(const World<D>& world, base::Team& team, Wrenches<D>& sums) {
  if (!scope_.at(world.time)) return;
  world::add_to_each(world, team, sums, [&](const Mover<D>& m) -> Wrench<D> {
    if (!scope_.covers(m.material)) return {};
    return {force_ + acceleration_ * m.mass, torque_};
  });
}

template <int D>
void SpinDown<D>::add(const World<D>& world, base::Team& team, Wrenches<D>& sums) {
  if (!scope_.at(world.time)) return;
  world::add_to_each(world, team, sums, [&](const Mover<D>& m) -> Wrench<D> {
    if (!scope_.covers(m.material)) return {};
    return {{}, m.momentum * -rate_};
  });
}

template <int D>
void StreamDrag<D>::add(const World<D>& world, base::Team& team, Wrenches<D>& sums) {
  if (!scope_.at(world.time)) return;
  world::add_to_each(world, team, sums, [&](const Mover<D>& m) -> Wrench<D> {
    if (!scope_.covers(m.material)) return {};
    const Vec<D> past = velocity_ - m.v;
    const double area = D == 2 ? 2 * m.radius * thickness_ : math::kPi * m.radius * m.radius;
    const double form = 0.5 * density_ * coefficient_ * area * math::norm(past);
    return {past * (form + 6 * math::kPi * viscosity_ * m.radius), {}};
  });
}

namespace {

// The face of a disk or of a clump of disks, whose mass is density * thickness * area of the union.
double face_of(const World<2>& world, const Mover<2>& m, const Vec<2>& /*along*/, double thickness) {
  if (!m.clump) return math::kPi * m.radius * m.radius;
  return m.mass / (world.materials[m.material].density * thickness);
}

// The shadow of a sphere, or of a clump of spheres, in the direction `along`, which has a length.
double face_of(const World<3>& world, const Mover<3>& m, const Vec<3>& along, double /*thickness*/) {
  if (!m.clump) return math::kPi * m.radius * m.radius;
  const math::Vec3 d = along * (1 / math::norm(along));
  int least = 0;
  for (int k = 1; k < 3; ++k) {
    if (std::fabs(d[k]) < std::fabs(d[least])) least = k;
  }
  math::Vec3 axis{};
  axis[least] = 1;
  math::Vec3 e1 = math::cross(d, axis);
  e1 *= 1 / math::norm(e1);
  const math::Vec3 e2 = math::cross(d, e1);
  std::vector<shape::Member<2>> shadows;
  const world::Clumps<3>& clumps = world.clumps;
  for (std::uint32_t k = clumps.start[m.index]; k < clumps.start[m.index + 1]; ++k) {
    const math::Vec3 arm = clumps.arm(m.index, k);
    shadows.push_back({{math::dot(arm, e1), math::dot(arm, e2)}, world.bodies.place[clumps.member[k]].radius});
  }
  return shape::DiskUnion().moments(shadows).area;
}

// The integral of r^3 over the face: 2 pi R^5 / 5. Of a clump R^4 is 2 / pi times the second moment of area.
double third_moment(const World<2>& world, const Mover<2>& m, double thickness) {
  double r = m.radius;
  if (m.clump) {
    const double second = world.clumps.inertia[m.index] / (world.materials[m.material].density * thickness);
    r = std::sqrt(std::sqrt(2 / math::kPi * second));
  }
  return 0.4 * math::kPi * r * r * r * r * r;
}

}  // namespace

template <int D>
void SkinDrag<D>::add(const World<D>& world, base::Team& team, Wrenches<D>& sums) {
  if (!scope_.at(world.time)) return;
  world::add_to_each(world, team, sums, [&](const Mover<D>& m) -> Wrench<D> {
    if (!scope_.covers(m.material)) return {};
    Wrench<D> out;
    const Vec<D> past = velocity_ - m.v;
    const double speed = math::norm(past);
    if (speed > 0) out.force = past * (factor_ * face_of(world, m, past, thickness_) * speed);
    if constexpr (D == 2) out.torque = -factor_ * third_moment(world, m, thickness_) * std::fabs(m.w) * m.w;
    return out;
  });
}

template <int D>
void MutualGravity<D>::add(const World<D>& world, base::Team& team, Wrenches<D>& sums) {
  if (!scope_.at(world.time)) return;
  sources_.clear();
  for (std::size_t i = 0; i < world.bodies.size(); ++i) {
    const world::Moving<D>& m = world.bodies.moving[i];
    if (m.held != world::Held::kMember && scope_.covers(m.material))
      sources_.push_back({world.bodies.place[i].x, world.bodies.mass[i]});
  }
  for (std::size_t c = 0; c < world.clumps.size(); ++c) {
    if (scope_.covers(world::mover_of_clump(world, c).material))
      sources_.push_back({world.clumps.x[c], world.clumps.mass[c]});
  }
  world::add_to_each(world, team, sums, [&](const Mover<D>& m) -> Wrench<D> {
    if (!scope_.covers(m.material)) return {};
    Vec<D> pull{};
    for (const Source& s : sources_) {
      const Vec<D> apart = s.x - m.x;
      const double r2 = math::norm2(apart);
      const double near = std::max(r2, softening2_);
      const double per = planar_ ? near : near * std::sqrt(near);
      pull += apart * (r2 > 0 ? s.mass / per : 0);  // itself: at distance zero
    }
    return {pull * (constant_ * m.mass), {}};
  });
}

const std::vector<std::string>& formula_variables(int dimension) {
  static const std::vector<std::string> flat{"x", "y", "vx", "vy", "w", "t", "m", "r"};
  static const std::vector<std::string> solid{"x", "y", "z", "vx", "vy", "vz", "wx", "wy", "wz", "t", "m", "r"};
  return dimension == 2 ? flat : solid;
}

template <int D>
void FormulaLoad<D>::add(const World<D>& world, base::Team& team, Wrenches<D>& sums) {
  if (!scope_.at(world.time)) return;
  const double t = world.time;
  world::add_to_each(world, team, sums, [&](const Mover<D>& m) -> Wrench<D> {
    if (!scope_.covers(m.material)) return {};
    std::array<double, 12> values;
    std::size_t n = 0;
    for (int k = 0; k < D; ++k) values[n++] = m.x[k];
    for (int k = 0; k < D; ++k) values[n++] = m.v[k];
    const math::Vec3 w = math::spin_as_vec3(m.w);
    for (int k = D == 2 ? 2 : 0; k < 3; ++k) values[n++] = w[k];
    values[n++] = t;
    values[n++] = m.mass;
    values[n++] = m.radius;
    const auto value = [&](const std::optional<math::Formula>& f) {
      if (!f) return 0.0;
      const double result = (*f)(values.data());
      if (!std::isfinite(result)) {
        throw base::RunError(
            fmt::format("the load \"{}\" gives {} for body {} at time {:.6g} s: {}", name_, result, m.id, t, f->text()),
            "see that the formula has a finite value wherever a body can be");
      }
      return result;
    };
    Wrench<D> out;
    for (int k = 0; k < D; ++k) out.force[k] = value(force_[static_cast<std::size_t>(k)]);
    if constexpr (D == 2) {
      out.torque = value(torque_[0]);
    } else {
      for (int k = 0; k < 3; ++k) out.torque[k] = value(torque_[static_cast<std::size_t>(k)]);
    }
    return out;
  });
}

template <int D>
void CallbackLoad<D>::add(const World<D>& world, base::Team& team, Wrenches<D>& sums) {
  world::add_to_each(world, team, sums, [&](const Mover<D>& m) { return call_(m, world.time); });
}

#define MORAINE_INSTANTIATE(D)     \
  template class ConstantForce<D>; \
  template class SpinDown<D>;      \
  template class StreamDrag<D>;    \
  template class SkinDrag<D>;      \
  template class MutualGravity<D>; \
  template class FormulaLoad<D>;   \
  template class CallbackLoad<D>;
MORAINE_INSTANTIATE(2)
MORAINE_INSTANTIATE(3)

}  // namespace moraine::flow
