// SPDX-License-Identifier: MIT
// What a fluid does to bodies in it: drag across the stream or along a face, with a coefficient that may depend on the
// Reynolds number, in the wake of others or not; and buoyancy. Acts on each member of a clump by itself.
#pragma once

#include <optional>
#include <string>

#include "flow/loads.hpp"
#include "flow/shadow.hpp"

namespace moraine::flow {

// C_D: constant, that of spheres by Schiller and Naumann, or a formula of Re = |u - v| d / nu.
struct DragLaw {
  enum class Kind { kConstant, kSchillerNaumann, kFormula };
  Kind kind = Kind::kConstant;
  double coefficient = 0;
  double kinematic_viscosity = 0;
  std::optional<math::Formula> formula;
  std::string name;  // of the load, for messages
  double at(double speed, double diameter) const;
};

enum class DragArea {
  kSection,  // across the stream: 2 R depth (2D), pi R^2 (3D)
  kFace,     // that the fluid rubs along: pi R^2 (2D), 4 pi R^2 (3D)
};

template <int D>
struct DragPlan {
  Scope scope;
  std::optional<Vec<D>> velocity;  // of the fluid; none: that of the world's flow
  double density = 0;
  double factor = 0.5;  // 1/2 rho C A |u - v| (u - v), or without 1/2
  DragLaw law;
  DragArea area = DragArea::kSection;
  double depth = 1;         // 2D: immersed, for sections
  double thickness = 1;     // 2D: of the bodies
  double viscosity = 0;     // 3D: also 6 pi eta R (u - v)
  bool components = false;  // |u_k - v_k| (u_k - v_k) of each component by itself
  bool spin = false;        // 2D: the face also rubs as it turns: -(2/5) pi rho C R^5 |w| w
  std::optional<ShadowPlan> shadow;
};

// Members of a clump overlap and cover each other: their areas are all made smaller by the same factor, so that
// together they are the area of the union (of its faces, or of its shadow along u - v of the clump's centre).
template <int D>
class Drag : public Load<D> {
 public:
  explicit Drag(DragPlan<D> plan);
  void add(const World<D>& world, base::Team& team, Wrenches<D>& sums) override;

 private:
  Vec<D> fluid_at(const World<D>& world, const Vec<D>& x) const;
  double share(const World<D>& world, const Mover<D>& m) const;
  Vec<D> force_on(const World<D>& world, std::size_t body, const Vec<D>& past, double part) const;
  double own_area(double radius) const;

  DragPlan<D> plan_;
  std::optional<Shadows<D>> shadows_;
};

// The weight of the fluid displaced, -rho V g: of the whole body, or of the part of it below a level surface. V of a
// clump is that of its union, shared among its members by their own volumes.
template <int D>
class Buoyancy : public Load<D> {
 public:
  // `surface`: how far above the origin.
  Buoyancy(Scope scope, double density, double thickness, std::optional<double> surface)
      : scope_(std::move(scope)), density_(density), thickness_(thickness), surface_(surface) {}
  void add(const World<D>& world, base::Team& team, Wrenches<D>& sums) override;

 private:
  double immersed(const Vec<D>& x, double radius, const Vec<D>& up) const;  // volume

  Scope scope_;
  double density_, thickness_;
  std::optional<double> surface_;
};

}  // namespace moraine::flow
