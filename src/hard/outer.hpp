// SPDX-License-Identifier: MIT
// Forces from outside on the nodes of a system: weight, loads, global damping.
#pragma once

#include <memory>
#include <vector>

#include "base/parallel.hpp"
#include "hard/system.hpp"
#include "world/load.hpp"

namespace moraine::hard {

template <int D>
class Outer {
 public:
  using Loads = std::vector<std::unique_ptr<world::Load<D>>>;
  // The world is the scratch that loads look at; its movable bodies are overwritten.
  Outer(World<D>& world, const System<D>& system, base::Team& team, const Loads* loads);

  bool varies() const { return loads_ != nullptr || damping_ > 0; }
  // Numbers at the end of y: work of loads, losses to damping, work of bodies on a prescribed way. None where there is
  // nothing to count.
  std::size_t works() const { return varies() || guided_ ? 3 : 0; }
  void put_powers(double held_power, double* out) const;
  const World<D>& world() const { return world_; }
  // Forces and torques on the movable nodes at time t.
  void update(double t, const Kinematics<D>& k);
  // The same, and what nodes then do without links: weight, loads, the turning of uneven bodies; held nodes do what
  // they must.
  void accelerate(double t, const Kinematics<D>& k, Moves<D>& a);
  std::vector<Vec<D>> force;
  std::vector<Spin<D>> torque;               // empty where nothing turns anything
  double load_power = 0, damping_power = 0;  // done by loads; lost to damping

 private:
  World<D>& world_;
  const System<D>& system_;
  base::Team& team_;
  const Loads* loads_;
  double damping_;
  bool guided_;
  world::Wrenches<D> wrenches_;
};

}  // namespace moraine::hard
