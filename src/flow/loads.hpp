// SPDX-License-Identifier: MIT
// The ready-made loads: constant force, spin-down, drag in a uniform stream and along a face, mutual gravity, a
// formula, a callback.
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

// A uniform stream of velocity u: form drag 1/2 rho C_D A |u - v| (u - v), A the area across the stream (2D: diameter
// times thickness), and Stokes' drag 6 pi eta R (u - v) (3D).
template <int D>
class StreamDrag : public Load<D> {
 public:
  StreamDrag(Scope scope, Vec<D> velocity, double density, double coefficient, double viscosity, double thickness)
      : scope_(std::move(scope)),
        velocity_(velocity),
        density_(density),
        coefficient_(coefficient),
        viscosity_(viscosity),
        thickness_(thickness) {}
  void add(const World<D>& world, base::Team& team, Wrenches<D>& sums) override;

 private:
  Scope scope_;
  Vec<D> velocity_;
  double density_, coefficient_, viscosity_, thickness_;
};

// Water below or wind above a floating disk rubs along its face: rho C A |u - v| (u - v), without the 1/2 of form drag
// (the convention of the ice community, whose C are 1e-3 to 1e-2). A is the face: pi R^2, of a clump that of the union.
// In 3D A is the body's projection along u - v.
//
// Spin (2D): the same law per area with the velocity w r of each point of the face, translation neglected, gives
//   T = -rho C |w| w  integral of r^3 over the face = -rho C |w| w 2 pi R^5 / 5.
// Of a clump R is that of the disk with the same second moment of area.
template <int D>
class SkinDrag : public Load<D> {
 public:
  SkinDrag(Scope scope, Vec<D> velocity, double density, double coefficient, double thickness)
      : scope_(std::move(scope)), velocity_(velocity), factor_(density * coefficient), thickness_(thickness) {}
  void add(const World<D>& world, base::Team& team, Wrenches<D>& sums) override;

 private:
  Scope scope_;
  Vec<D> velocity_;
  double factor_, thickness_;
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
