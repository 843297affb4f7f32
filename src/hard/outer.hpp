// SPDX-License-Identifier: MIT
// Forces from outside on the nodes of a system: weight, loads, global damping.
#pragma once

#include <memory>
#include <vector>

#include "base/parallel.hpp"
#include "hard/system.hpp"
#include "world/load.hpp"

namespace moraine::hard {

// Contacts act as outer forces that depend on all others: they see these first.
template <int D>
class ContactLoad {
 public:
  virtual ~ContactLoad() = default;
  // Adds to the forces and torques on the movable nodes, which are complete but for links and contacts.
  virtual void act(double t, const Kinematics<D>& k, std::vector<Vec<D>>& force, std::vector<Spin<D>>& torque) = 0;
  double held_power = 0, friction_power = 0;  // done by what does not yield; lost to friction
};

template <int D>
class Outer {
 public:
  using Loads = std::vector<std::unique_ptr<world::Load<D>>>;
  // The world is the scratch that loads look at; its movable bodies are overwritten.
  Outer(World<D>& world, const System<D>& system, base::Team& team, const Loads* loads,
        ContactLoad<D>* contacts = nullptr);

  bool varies() const { return loads_ != nullptr || damping_ > 0 || contacts_ != nullptr; }
  // Numbers at the end of y: work of loads, losses to damping, work of bodies on a prescribed way; with contacts also
  // losses to friction. None where there is nothing to count.
  std::size_t works() const { return contacts_ != nullptr ? 4 : varies() || guided_ ? 3 : 0; }
  bool has_contacts() const { return contacts_ != nullptr; }
  double contact_held_power() const { return contacts_ != nullptr ? contacts_->held_power : 0; }
  double friction_power() const { return contacts_ != nullptr ? contacts_->friction_power : 0; }
  void put_powers(double held_power, double* out) const;
  const World<D>& world() const { return world_; }
  // Forces and torques on the movable nodes at time t.
  void update(double t, const Kinematics<D>& k);
  // The same, and what nodes then do without links: weight, loads, the turning of uneven bodies; held nodes do what
  // they must.
  void accelerate(double t, const Kinematics<D>& k, Moves<D>& a);
  void hold(const Kinematics<D>& k, Moves<D>& a) const;  // of that only the held nodes
  std::vector<Vec<D>> force;
  std::vector<Spin<D>> torque;               // empty where nothing turns anything
  double load_power = 0, damping_power = 0;  // done by loads; lost to damping

 private:
  World<D>& world_;
  const System<D>& system_;
  base::Team& team_;
  const Loads* loads_;
  ContactLoad<D>* contacts_;
  double damping_;
  bool guided_;
  world::Wrenches<D> wrenches_;
};

}  // namespace moraine::hard
