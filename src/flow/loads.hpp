// SPDX-License-Identifier: MIT
// The ready-made loads: constant force, spin-down, mutual gravity, a formula, a callback. Those of a fluid: drag.hpp.
#pragma once

#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "math/formula.hpp"
#include "world/load.hpp"

namespace moraine::flow {

using math::Spin;
using math::Vec;
using world::Load;
using world::Mover;
using world::World;
using world::Wrench;
using world::Wrenches;

// When a load acts, and on what.
struct Scope {
  double from = 0, to = std::numeric_limits<double>::infinity();
  std::vector<std::uint8_t> materials;  // 1 for those it acts on; empty: all
  bool at(double time) const { return time >= from && time < to; }
  bool covers(std::uint32_t material) const { return materials.empty() || materials[material] != 0; }
};

template <int D>
class ConstantForce : public Load<D> {
 public:
  ConstantForce(Scope scope, Vec<D> force, Spin<D> torque, Vec<D> acceleration)
      : scope_(std::move(scope)), force_(force), torque_(torque), acceleration_(acceleration) {}
  void add(const World<D>& world, base::Team& team, Wrenches<D>& sums) override;

 private:
  Scope scope_;
  Vec<D> force_;
  Spin<D> torque_;
  Vec<D> acceleration_;  // also mass times this
};

// Torque -rate * angular momentum.
template <int D>
class SpinDown : public Load<D> {
 public:
  SpinDown(Scope scope, double rate) : scope_(std::move(scope)), rate_(rate) {}
  void add(const World<D>& world, base::Team& team, Wrenches<D>& sums) override;

 private:
  Scope scope_;
  double rate_;
};

// Every body attracts every other with G m m' / r^2 (2D: G m m' / r, the law of the plane, if `planar`), by direct sum.
// Held bodies attract too. Nearer than `softening` the force no longer grows.
template <int D>
class MutualGravity : public Load<D> {
 public:
  MutualGravity(Scope scope, double constant, double softening, bool planar)
      : scope_(std::move(scope)), constant_(constant), softening2_(softening * softening), planar_(planar) {}
  void add(const World<D>& world, base::Team& team, Wrenches<D>& sums) override;

 private:
  Scope scope_;
  double constant_, softening2_;
  bool planar_;
  struct Source {
    Vec<D> x;
    double mass;
  };
  std::vector<Source> sources_;
};

// Force and torque by formulas of position, velocity, spin, time, mass and radius. The order of the variables:
const std::vector<std::string>& formula_variables(int dimension);
template <int D>
class FormulaLoad : public Load<D> {
 public:
  FormulaLoad(Scope scope, std::string name, std::vector<std::optional<math::Formula>> force,
              std::vector<std::optional<math::Formula>> torque)
      : scope_(std::move(scope)), name_(std::move(name)), force_(std::move(force)), torque_(std::move(torque)) {}
  void add(const World<D>& world, base::Team& team, Wrenches<D>& sums) override;

 private:
  Scope scope_;
  std::string name_;
  std::vector<std::optional<math::Formula>> force_, torque_;
};

// Whatever a program that uses the library thinks of. Called from several threads at once.
template <int D>
class CallbackLoad : public Load<D> {
 public:
  using Call = std::function<Wrench<D>(const Mover<D>&, double time)>;
  explicit CallbackLoad(Call call) : call_(std::move(call)) {}
  void add(const World<D>& world, base::Team& team, Wrenches<D>& sums) override;

 private:
  Call call_;
};

}  // namespace moraine::flow
