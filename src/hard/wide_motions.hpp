// SPDX-License-Identifier: MIT
// Motions of many layers of a pile at once, which sweeps hardly see: what they take of one falls with the square of its
// width. Once a step all impulses are scaled by a smooth field, 1 + s(x), with the values of s at the nodes of a coarse
// grid that leave the least of such motions (Galerkin's method with the present impulses as pattern: they are in
// balance, and scaled they stay in their cones). Only a part of the change is carried on to the next impulses.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "base/parallel.hpp"
#include "hard/impulse_solver.hpp"
#include "world/world.hpp"

namespace moraine::hard {

template <int D>
class WideMotions {
 public:
  explicit WideMotions(base::Team& team) : team_(team) {}

  // Whether the last stop() has found a pile deep enough, and how many bodies lie upon each other there, in diameters
  // of the mean body.
  bool active() const { return !nodes_.empty(); }
  double layers() const { return layers_; }
  // Movers start with the impulses of the blocks. h: the length of the part.
  void stop(const world::World<D>& world, ImpulseSolver<D>& solver, Movers<D>& movers, double h);
  // Of what stop() has added to the impulses only this part stays. `without`: velocities that are to differ from those
  // of the movers by just what the impulses do.
  void forget(ImpulseSolver<D>& solver, double kept, Movers<D>& without) const;

 private:
  static constexpr std::size_t kCorners = std::size_t{1} << D;
  static constexpr std::size_t kStencil = D == 2 ? 9 : 27;

  // What the blocks of a mover do to it: impulse and torque, their first moments about its centre, and half of what
  // they do in the motion that is to be stopped (J).
  struct Load {
    Vec<D> impulse{};
    Spin<D> torque{};
    std::array<Vec<D>, D> impulse_at{};
    std::array<Spin<D>, D> torque_at{};
    double work = 0;
    bool touched = false;
  };
  // Where a point is in the grid: nodes about it, and the values of their hats there.
  struct At {
    std::array<std::uint32_t, kCorners> node;
    std::array<double, kCorners> hat;
  };
  struct Node {
    double work = 0, mass = 0, energy = 0, s = 0;
    std::array<double, kStencil> row{};  // of the matrix: neighbours in a box about it
  };
  struct Field {  // about a mover
    double s = 0;
    Vec<D> slope{};
  };
  struct alignas(64) Extent {
    Vec<D> min = world::Domain<D>::unbounded(1), max = world::Domain<D>::unbounded(-1);
    double radii = 0;
    std::int64_t bodies = 0;
    double diameter() const { return 2 * radii / static_cast<double>(bodies); }  // of the mean body
  };

  Vec<D> centre(const world::World<D>& world, std::size_t mover) const;
  void add_loads(ImpulseSolver<D>& solver, const Movers<D>& movers);
  Extent extent_of(const world::World<D>& world, const Movers<D>& movers) const;
  double layers_of(const world::World<D>& world, const Extent& e) const;
  void lay_grid(const world::World<D>& world, const Extent& e);
  At at(const Vec<D>& x, std::array<Vec<D>, kCorners>& slopes) const;
  void assemble(const world::World<D>& world, const Movers<D>& movers);
  void add_mover(const Vec<D>& x, const Mover<D>& m, const Movers<D>& movers, const Load& load,
                 std::vector<Node>& nodes) const;
  void solve(double unit);  // of speeds: g h
  void find_fields(const world::World<D>& world);
  void scale(ImpulseSolver<D>& solver, Movers<D>& movers) const;

  base::Team& team_;
  std::vector<Load> loads_;  // of movers
  std::vector<Field> fields_;
  std::vector<Node> nodes_;               // empty where there are few layers
  std::vector<std::vector<Node>> parts_;  // of nodes, one for each share of the movers
  Vec<D> origin_{}, cell_{};
  std::array<std::uint32_t, D> count_{};  // nodes along each axis
  std::array<bool, D> round_{};           // the last cell leads back to the first node
  double layers_ = 0;
};

}  // namespace moraine::hard
