// SPDX-License-Identifier: MIT
// Rigid clumps of disks (2D) or spheres (3D): mass properties of the union of the members, and whether it is one piece.
// Pure geometry: knows nothing of bodies, materials or scenes.
#pragma once

#include <cstddef>
#include <vector>

#include "math/rotation.hpp"
#include "math/vec.hpp"

namespace moraine::shape {

template <int D>
struct Member {
  math::Vec<D> x{};
  double radius = 0;
};

template <int D>
struct MassProperties {
  double measure = 0;           // area or volume of the union: what several members share counts once
  math::Vec<D> centre{};        // of mass
  math::Spin<D> inertia{};      // per unit density, about the centre. 2D: polar second moment of area; 3D: principal
                                // moments, ascending
  math::Orientation<D> axes{};  // 3D: turns the k-th unit vector into the axis of the k-th moment; 2D: 0
  double outer = 0;             // the farthest point of the union from the centre
  double error = 0;             // estimate of the relative error of measure, centre (to `outer`) and inertia
};

// Exact in 2D; in 3D sections are exact and the integral over them is refined until two levels agree to about 1e-13.
// Members may overlap, touch, coincide, lie inside one another, or enclose a hole (which is not part of the union).
// Throws std::invalid_argument if there are none, or one has no positive radius or is not finite.
template <int D>
MassProperties<D> union_properties(const std::vector<Member<D>>& members);

// Members that no chain of overlapping or touching members connects with the first, in ascending order; empty if the
// clump is one piece. A gap of 1e-9 of the smaller radius still counts as touching.
template <int D>
std::vector<std::size_t> loose_members(const std::vector<Member<D>>& members);

}  // namespace moraine::shape
