// SPDX-License-Identifier: MIT
// A world as a system of rigid bodies and links. Nodes are what moves as one: first the free single bodies and clumps,
// then whatever does not yield (fixed and prescribed bodies, points of the ground and of walls). Arcs are the links,
// each between two nodes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "math/rotation.hpp"
#include "math/vec.hpp"
#include "world/link.hpp"
#include "world/world.hpp"

namespace moraine::hard {

using math::Orientation;
using math::Spin;
using math::Vec;
using world::World;

// Where all nodes are and how they move at one instant. Of nodes that do not yield, also their acceleration.
template <int D>
struct Kinematics {
  std::vector<Vec<D>> x, v;
  std::vector<Orientation<D>> q;
  std::vector<Spin<D>> w;
  std::vector<Vec<D>> held_a;      // of node i >= movable, at i - movable
  std::vector<Spin<D>> held_turn;  // angular acceleration
};

// One vector and one turn per node: accelerations, shifts, changes of velocity.
template <int D>
struct Moves {
  std::vector<Vec<D>> x;
  std::vector<Spin<D>> turn;  // empty where no node turns
};

template <int D>
struct Arc {
  world::LinkKind kind = world::LinkKind::kRod;
  bool wall = false;  // the other end is a plane: `normal` points from the body to it and does not turn
  bool slip = true;
  std::uint32_t a = 0, b = 0;     // nodes; a is movable
  Vec<D> anchor_a{}, anchor_b{};  // from the node's centre, in its frame
  double length = 0;              // between the anchors; wall: from the anchor to the plane
  double radius_a = 0, radius_b = 0;
  Vec<D> normal{};
  std::uint32_t row = 0, rows = 1;  // its equations
  std::uint32_t link = 0;           // number in the world
};

template <int D>
class System {
 public:
  // `all_turn`: every node's rotation is part of the equations, as loads may change it.
  System(const World<D>& world, bool all_turn);

  std::size_t movable() const { return movable_; }
  std::size_t nodes() const { return mass.size(); }
  std::size_t row_count() const { return rows_; }
  bool turning() const { return turning_; }  // some node turns in the equations

  std::vector<double> mass, inverse_mass;  // of nodes; inverse 0 where they do not yield
  std::vector<world::Inertia<D>> inertia;  // about principal axes
  std::vector<std::uint8_t> turns;         // rotation is part of the equations: links off the centre, or a clump
  // Movable nodes with so many links that these are not coupled directly (every one with every other), but through
  // the node's own motion.
  std::vector<std::uint8_t> hub;
  std::vector<Arc<D>> arcs;                      // in the order in which they are eliminated
  std::vector<std::uint32_t> first_arc, arc_at;  // arcs at movable node i: arc_at[first_arc[i] .. first_arc[i+1])

  std::vector<std::uint32_t> row_a, row_b;                                 // nodes of each row
  std::vector<std::uint32_t> turning_nodes;                                // movable ones
  double longest = 0, shortest = std::numeric_limits<double>::infinity();  // links, with their anchors
  double total_mass = 0;

  // All nodes at the world's time; the movable and the guided ones back.
  void read(const World<D>& world, Kinematics<D>& k) const;
  void write(const Kinematics<D>& k, World<D>& world) const;
  // Nodes that follow a prescribed motion, at time t.
  void guide(const World<D>& world, double t, Kinematics<D>& k) const;

  std::int64_t id_of(std::size_t node) const { return id_[node]; }  // of the body (of a clump: the first member), or -1
  std::uint32_t node_of_body(std::size_t body) const { return node_of_body_[body]; }  // by its place in the bodies
  bool is_clump(std::size_t node) const { return clump_[node] != 0; }
  std::size_t index_of(std::size_t node) const { return index_[node]; }  // in the arrays of bodies or clumps

  Moves<D> no_moves() const;
  void clear(Moves<D>& moves) const;  // the same, where there may have been some
  // Movable nodes by these shifts and turns (angular momentum is kept), or by these changes of velocity and spin.
  void shift(const Moves<D>& moves, Kinematics<D>& k) const;
  void kick(const Moves<D>& moves, Kinematics<D>& k) const;
  double kinetic(const Kinematics<D>& k) const;
  // Angular velocity from angular momentum, and back; in space.
  Spin<D> spin_of(std::size_t node, const Orientation<D>& q, const Spin<D>& momentum) const;
  Spin<D> momentum_of(std::size_t node, const Orientation<D>& q, const Spin<D>& spin) const;

 private:
  std::uint32_t add_node(double m, const world::Inertia<D>& moment, bool is_clump, std::size_t index, std::int64_t id);
  void list_arcs();
  void order_arcs();

  std::size_t movable_ = 0, rows_ = 0;
  bool turning_ = false;
  std::vector<std::uint8_t> clump_;
  std::vector<std::size_t> index_;
  std::vector<std::int64_t> id_;
  std::vector<Vec<D>> fixed_x_;  // of nodes that do not yield, at node - movable
  std::vector<std::uint32_t> node_of_body_, node_of_clump_;
};

}  // namespace moraine::hard
