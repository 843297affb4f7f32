// SPDX-License-Identifier: MIT
#include "hard/outer.hpp"

namespace moraine::hard {

template <int D>
Outer<D>::Outer(World<D>& world, const System<D>& system, base::Team& team, const Loads* loads,
                ContactLoad<D>* contacts)
    : world_(world),
      system_(system),
      team_(team),
      loads_(loads != nullptr && !loads->empty() ? loads : nullptr),
      contacts_(contacts),
      damping_(world.global_damping),
      guided_(!world.guided.empty()) {
  force.resize(system.movable());
  for (std::size_t i = 0; i < system.movable(); ++i) force[i] = world.gravity * system.mass[i];
  if (varies()) torque.assign(system.movable(), Spin<D>{});
}

template <int D>
void Outer<D>::update(double t, const Kinematics<D>& k) {
  if (!varies()) return;
  load_power = damping_power = 0;
  if (loads_ != nullptr) {
    system_.write(k, world_);
    world_.time = t;
    wrenches_.bodies.assign(world_.bodies.size(), {});
    wrenches_.clumps.assign(world_.clumps.size(), {});
    for (const auto& load : *loads_) load->add(world_, team_, wrenches_);
  }
  for (std::size_t i = 0; i < system_.movable(); ++i) {
    world::Wrench<D> w{};
    if (loads_ != nullptr)
      w = system_.is_clump(i) ? wrenches_.clumps[system_.index_of(i)] : wrenches_.bodies[system_.index_of(i)];
    load_power += math::dot(w.force, k.v[i]) + math::dot(w.torque, k.w[i]);
    const Vec<D> drag = k.v[i] * (damping_ * system_.mass[i]);
    const Spin<D> brake = system_.momentum_of(i, k.q[i], k.w[i]) * damping_;
    damping_power += math::dot(drag, k.v[i]) + math::dot(brake, k.w[i]);
    force[i] = world_.gravity * system_.mass[i] + w.force - drag;
    torque[i] = w.torque - brake;
  }
  if (contacts_ != nullptr) contacts_->act(t, k, force, torque);
}

template <int D>
void Outer<D>::accelerate(double t, const Kinematics<D>& k, Moves<D>& a) {
  update(t, k);
  const std::size_t n = system_.movable();
  for (std::size_t i = 0; i < n; ++i) a.x[i] = force[i] * system_.inverse_mass[i];
  hold(k, a);
  if (a.turn.empty()) return;
  for (const std::uint32_t i : system_.turning_nodes) {
    Spin<D> net = torque.empty() ? Spin<D>{} : torque[i];
    if constexpr (D == 3) net -= math::cross(k.w[i], system_.momentum_of(i, k.q[i], k.w[i]));
    a.turn[i] = system_.spin_of(i, k.q[i], net);
  }
}

template <int D>
void Outer<D>::hold(const Kinematics<D>& k, Moves<D>& a) const {
  const std::size_t n = system_.movable();
  for (std::size_t i = n; i < system_.nodes(); ++i) a.x[i] = k.held_a[i - n];
  for (std::size_t i = n; i < system_.nodes() && !a.turn.empty(); ++i) a.turn[i] = k.held_turn[i - n];
}

template <int D>
void Outer<D>::put_powers(double held_power, double* out) const {
  if (works() == 0) return;
  out[0] = load_power;
  out[1] = damping_power;
  out[2] = held_power + contact_held_power();
  if (contacts_ != nullptr) out[3] = friction_power();
}

template class Outer<2>;
template class Outer<3>;

}  // namespace moraine::hard
