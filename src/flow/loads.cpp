// SPDX-License-Identifier: MIT
#include "flow/loads.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>

#include "base/error.hpp"

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
  template class MutualGravity<D>; \
  template class FormulaLoad<D>;   \
  template class CallbackLoad<D>;
MORAINE_INSTANTIATE(2)
MORAINE_INSTANTIATE(3)

}  // namespace moraine::flow
