// SPDX-License-Identifier: MIT
// How the nodes of a system hang together, and whether a cluster can still change its shape. Knows nothing of forces or
// motion; what is true of any graph is in math/graph.hpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "hard/system.hpp"
#include "math/graph.hpp"

namespace moraine::hard {

using math::Clusters;
using math::counts_as_rigid;
using math::Forest;
using math::Graph;
using math::independent_rods;
using math::kNone;
using math::rank_of;

template <int D>
Graph graph_of(const System<D>& system);

// Can the nodes of a cluster move against each other (and against what does not yield)? By the rank of the links'
// equations in the present positions.
struct Rigidity {
  std::size_t freedoms = 0;                                   // of the nodes without links
  std::size_t as_one = 0;                                     // of the cluster, were it rigid
  std::size_t equations = 0;                                  // of the links
  std::size_t rank = 0;                                       // of these
  std::size_t redundant() const { return equations - rank; }  // forces that the motion leaves open
  std::size_t inner_freedoms() const { return freedoms - rank - as_one; }
  bool rigid() const { return inner_freedoms() == 0; }
};
template <int D>
Rigidity rigidity(const System<D>& system, const Kinematics<D>& k, const Clusters& clusters, std::size_t cluster);

// How many bodies of radius `smallest` or more can touch one of `radius` at once without overlapping each other
// (Sun 4.3 to 4.6): exact in the plane; in space a bound, 13 for equal spheres, of which 12 fit. Nothing is stored by
// it.
std::size_t most_contacts(int dimension, double radius, double smallest);

}  // namespace moraine::hard
