// SPDX-License-Identifier: MIT
// The contact forces of a packing by its equivalent structure (Wierzba ch. 7; docs/truss.md): bodies are nodes,
// contacts are struts with springs, loads are given. Knows nothing of worlds, laws and time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "math/vec.hpp"

namespace moraine::measure {

using math::Spin;
using math::Vec;

inline constexpr std::uint32_t kGround = std::numeric_limits<std::uint32_t>::max();

template <int D>
struct Strut {
  std::uint32_t a = 0, b = kGround;  // two different nodes; only b may be what does not yield
  Vec<D> normal{};                   // from a to b
  Vec<D> arm_a{}, arm_b{};           // from the centre of the node to where the two touch
  double stiffness = 1;              // along the normal
  double shear = 0;                  // along the surface; 0: smooth
  double friction = 0;               // mu

  bool rough() const { return shear > 0 && friction > 0; }
};

template <int D>
struct Truss {
  std::vector<Vec<D>> load;
  std::vector<Spin<D>> moment;      // about the centre
  std::vector<double> size;         // a length by which turning is compared with moving
  std::vector<std::uint8_t> turns;  // 0: a moment cannot act on it (a single body without rough contacts)
  std::vector<Strut<D>> struts;

  std::size_t nodes() const { return load.size(); }
  // Adds the force `push` on node a of the strut, and its opposite on b.
  void apply(const Strut<D>& strut, const Vec<D>& push, std::vector<Vec<D>>& force,
             std::vector<Spin<D>>& torque) const {
    force[strut.a] += push;
    torque[strut.a] += math::cross(strut.arm_a, push);
    if (strut.b == kGround) return;
    force[strut.b] -= push;
    torque[strut.b] -= math::cross(strut.arm_b, push);
  }
};

struct TrussOptions {
  bool peel = true;
  bool limits = true;       // contacts do not pull, and slide at the limit of friction
  double tolerance = 1e-8;  // of the balance, over the mean load
  int most_iterations = 400;
};

enum class StrutState : std::uint8_t {
  kPeeled = 0,   // by the balance of one body
  kHolds = 1,    // by the truss
  kSlides = 2,   // at the limit of friction
  kDropped = 3,  // would pull
};

template <int D>
struct TrussForces {
  std::vector<Vec<D>> force;  // on a
  std::vector<StrutState> state;
  double residual = 0;         // largest force (moment over size) that is left on a node, over the mean load
  std::size_t unbalanced = 0;  // nodes where it exceeds the tolerance
  std::size_t peeled = 0;      // nodes
  std::size_t loose = 0;       // freedoms of the rest that nothing holds
  int iterations = 0;
  bool settled = true;        // the states of the struts stopped changing
  bool least_energy = false;  // those of least energy within the limits, since Coulomb friction found none
};

template <int D>
TrussForces<D> solve_truss(const Truss<D>& truss, const TrussOptions& options);

// Steps of solve_truss. Both write forces and states of struts; `open` are those still to be found.
template <int D>
struct TrussWork {
  const Truss<D>& truss;
  const TrussOptions& options;
  std::vector<Vec<D>> load;  // and what forces found so far put on nodes
  std::vector<Spin<D>> moment;
  std::vector<std::uint8_t> open;
  TrussForces<D> out;
};
template <int D>
void peel(TrussWork<D>& work);
template <int D>
void solve_rest(TrussWork<D>& work);

}  // namespace moraine::measure
