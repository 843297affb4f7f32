// SPDX-License-Identifier: MIT
// Nodes and the arcs between them: clusters, a spanning forest with its paths, loops, and whether rods between points
// can still move. Knows nothing of bodies and forces.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace moraine::math {

inline constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

// Nodes from `movable` on do not yield. An arc is directed from its first node to its second.
struct Graph {
  std::uint32_t movable = 0, nodes = 0;
  std::vector<std::array<std::uint32_t, 2>> arcs;
};

// Movable nodes that arcs join, directly or through others. Nodes that do not yield join nothing: what hangs on the two
// sides of one moves independently.
struct Clusters {
  explicit Clusters(const Graph& graph);
  std::vector<std::uint32_t> of;            // movable node: its cluster
  std::vector<std::uint8_t> rooted;         // cluster: an arc leads to a node that does not yield
  std::vector<std::uint32_t> start, nodes;  // nodes of cluster c: nodes[start[c] .. start[c+1]), ascending
  std::size_t count() const { return rooted.size(); }
};

// A spanning forest with shortest paths (breadth first): from all nodes that do not yield at once, and in clusters
// without an arc to such a node from the lowest node. Arcs that are not in it close loops: they are cut.
struct Forest {
  explicit Forest(const Graph& graph);
  std::vector<std::uint32_t> parent;      // movable node: the next node towards the root; kNone: it is a root itself
  std::vector<std::uint32_t> parent_arc;  // the arc between the two
  std::vector<std::uint32_t> order;       // movable nodes, each before what lies beyond it, and with that in one piece:
  std::vector<std::uint32_t> place, end;  // beyond node i (and with it) are order[place[i] .. end[i])
  std::vector<std::uint32_t> cut;         // arcs that are not in the forest, ascending

  struct Step {
    std::uint32_t arc;
    int sign;  // +1: the way from the root goes along the arc, -1: against it
  };
  // The column of the path matrix P (Sun 2.3) for a movable node: arcs from the node to its root.
  std::vector<Step> path(std::uint32_t node) const;

 private:
  void grow(const Graph& graph);
  void arrange();
  std::vector<std::uint8_t> along_;  // node: its parent arc points at it
  std::vector<std::uint32_t> reached_;
};

// Of points in the plane in general position: how many of the rods are independent (pebble game of Jacobs and
// Hendrickson). `counts_as_rigid` is the rule of the sources (Wierzba 2.3.2, Sun 2.2): enough links for the number of
// disks, none with a single contact, none of two contacts beside another such. It is necessary neither in special
// positions nor sufficient in any.
std::size_t independent_rods(std::size_t points, const std::vector<std::array<std::uint32_t, 2>>& rods);
// The largest sets of points that keep their distances, each of two points or more, in the order of their first rods; a
// point may be in several.
std::vector<std::vector<std::uint32_t>> rigid_parts(std::size_t points,
                                                    const std::vector<std::array<std::uint32_t, 2>>& rods);
bool counts_as_rigid(std::size_t disks, const std::vector<std::array<std::uint32_t, 2>>& contacts);

// The number of independent rows of a dense matrix (Gram-Schmidt with pivoting); rows that come out shorter than
// `smallest` times the longest depend on the others.
std::size_t rank_of(std::vector<std::vector<double>> rows, double smallest = 1e-9);

}  // namespace moraine::math
