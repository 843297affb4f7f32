// SPDX-License-Identifier: MIT
// Coordinates of a system along its spanning forest, as few as the tree has freedoms (Sun 3.3, Wierzba 3.5,
// Vinogradov): the centre of a body that nothing holds; of each arc its angle (2D), its two spherical angles (3D), or
// the way along the wall; of each body that turns its angle or its Euler angles. What a change of each does to the
// bodies beyond, the mass matrix, and the generalized forces. Knows nothing of loops.
#pragma once

#include <array>
#include <vector>

#include "hard/system.hpp"
#include "hard/topology.hpp"
#include "hard/tree_matrix.hpp"

namespace moraine::hard {

template <int D>
class TreeCoordinates {
 public:
  explicit TreeCoordinates(const System<D>& system);

  std::size_t count() const { return parent_.size(); }
  const Forest& forest() const { return forest_; }
  TreeMatrix empty_matrix() const { return TreeMatrix(parent_); }
  // The first coordinate of the way to a node, and of its rotation.
  std::size_t first_of_way(std::size_t node) const { return nodes_[node].first; }
  std::size_t first_of_spin(std::size_t node) const { return nodes_[node].spin; }
  bool is_length(std::size_t coordinate) const { return length_[coordinate] != 0; }

  // Coordinates of a state, arc by arc; links that it violates have their true length in what comes out. Takes charts
  // that are far from their poles there.
  void find(const Kinematics<D>& k, double* q, double* rates);
  // All movable nodes from the coordinates; the others must stand in k. Keeps what the functions below need.
  void place(const double* q, const double* rates, Kinematics<D>& k);
  // Accelerations where all q'' are zero.
  const Vec<D>& drift(std::size_t node) const { return at_[node].drift; }
  const Spin<D>& turn_drift(std::size_t node) const { return at_[node].turn_drift; }

  // sum over the nodes of m dr/dq_a . dr/dq_b + dw/dq'_a . I dw/dq'_b.
  void mass_matrix(const Kinematics<D>& k, TreeMatrix& a) const;
  // sum over the nodes of dr/dq_a . force + dw/dq'_a . torque.
  void gather(std::vector<Vec<D>> force, const std::vector<Spin<D>>& torque, double* q) const;
  // What rates of the coordinates add to the nodes' velocities and spins (or their second derivatives to
  // accelerations).
  void carry(const double* rates, std::vector<Vec<D>>& v, std::vector<Spin<D>>& w) const;
  // row_a += sign (dr/dq_a . n + dw/dq'_a . turn) of one node.
  void add_row(std::uint32_t node, double sign, const Vec<D>& n, const Spin<D>& turn, double* row) const;

  // Other charts where an angle is near its pole; true if coordinates have changed.
  bool change_charts(double* q, double* rates);
  std::vector<double> charts() const;
  void set_charts(const std::vector<double>& charts);

 private:
  static constexpr std::uint32_t kSpins = D == 2 ? 1 : 3;
  enum class Way : std::uint8_t { kBase, kAngles, kAlong, kNothing };
  struct Node {
    Way way = Way::kBase;  // from the parent's anchor to the node's own
    std::uint32_t parent = kNone;
    Vec<D> outer{}, inner{};  // the parent's anchor in its frame, the node's own in its frame
    double length = 0;
    Vec<D> normal{};
    std::array<Vec<D>, D - 1> along{};                          // tangents of the wall
    std::uint32_t first = 0, numbers = 0, spin = 0, spins = 0;  // coordinates of the way, and of the node's rotation
    int chart = 2, spin_chart = 2;
    bool loose = true;  // its rotation moves no centre
    double beyond = 0;  // mass of the node and of all beyond it
  };
  struct Instant {
    std::array<Vec<D>, D> way{};         // dr/dq of the coordinates of the way
    std::array<Spin<D>, kSpins> axis{};  // dw/dq' of the rotation's
    Vec<D> out{}, in{};                  // from the parent's centre to its anchor; from the own anchor to the centre
    Vec<D> drift{};
    Spin<D> turn_drift{};
  };
  void describe(std::uint32_t i);
  void number();
  Vec<D> place_way(const Node& node, Instant& now, const double* q, const double* rates, Vec<D>& rate,
                   Vec<D>& bend) const;

  const System<D>& system_;
  Forest forest_;
  std::vector<Node> nodes_;
  std::vector<Instant> at_;
  std::vector<std::uint32_t> parent_;  // of coordinates
  std::vector<std::uint8_t> length_;
};

}  // namespace moraine::hard
