// SPDX-License-Identifier: MIT
// Contacts of hard bodies, one by one: who, by which law, in which state, and what two surfaces are to each other at an
// instant. n points from a to b; a positive normal force pushes b along n and a against it.
#pragma once

#include <cstdint>
#include <vector>

#include "hard/cone_solver.hpp"
#include "hard/system.hpp"

namespace moraine::hard {

inline constexpr std::uint32_t kNoNode = std::numeric_limits<std::uint32_t>::max();

template <int D>
struct Contact {
  std::int64_t id_a = 0, id_b = 0;   // bodies, a < b; or b = -1 - wall, as in ContactRecord
  std::uint32_t a = 0, b = kNoNode;  // nodes
  Vec<D> anchor_a{}, anchor_b{};     // centres of the surfaces, in the frames of the nodes
  double radius_a = 0, radius_b = 0;
  const world::PairLaw* law = nullptr;

  // State. Kept by key while a contact is closed, bonded or broken.
  Mode mode = Mode::kOpen;
  bool bonded = false;
  bool idle = false;   // touches, and neither pushes nor moves apart
  bool spent = false;  // it has been torn open: no cohesion until it has opened
  double age = 0;      // s, closed
  double rest = 0;     // gap of a bond
  double normal = 0;   // force
  Vec<D> friction{};   // on b
  Vec<D> along{};      // sliding: friction over its limit
  int bounces = 0;     // in this step
  bool met = false;    // it has just come to touch; its slip has just come to an end: until modes are found
  bool halted = false;
  double gained = 0;  // in steps: by how much it approaches faster now than at the moment that it began to overlap

  bool wall() const { return id_b < 0; }
  std::size_t wall_number() const { return static_cast<std::size_t>(-1 - id_b); }
  double smaller() const { return wall() ? radius_a : std::min(radius_a, radius_b); }
  double section() const { return D == 2 ? smaller() : smaller() * smaller(); }
  bool has_state() const { return mode != Mode::kOpen || bonded || idle || spent || age > 0; }
  bool before(const Contact& o) const { return id_a != o.id_a ? id_a < o.id_a : id_b < o.id_b; }
};

// Two surfaces at an instant.
template <int D>
struct Meeting {
  Vec<D> n{};
  double gap = 0, rate = 0;     // rate: of the gap
  Vec<D> slip{};                // velocity of b's surface against a's, across n
  Vec<D> touch_a{}, touch_b{};  // from the centres of the nodes
  double bend = 0;              // second derivative of the gap without accelerations of the movable nodes
  Vec<D> bend_across{};         // the same of the slip
  Vec<D> surface_b{};           // velocity of b's surface
};

// Where walls are at a time; only those that move are placed anew.
template <int D>
class WallsAt {
 public:
  explicit WallsAt(const World<D>& world) : walls_(world.walls) {}
  const world::Wall<D>& at(std::size_t w, double t);

 private:
  std::vector<world::Wall<D>> walls_;
};

template <int D>
Meeting<D> meet(const Contact<D>& contact, const Kinematics<D>& k, std::size_t movable, WallsAt<D>& walls, double t);

// Pairs that may meet while no surface moves farther than its reach (one per node, and one per wall), sorted by ids.
// Not those of one clump, of two held bodies, or of bodies that a link joins. State is taken over from `before`.
template <int D>
class PairFinder {
 public:
  PairFinder(const World<D>& world, const System<D>& system);
  std::vector<Contact<D>> find(const Kinematics<D>& k, const std::vector<double>& reach,
                               const std::vector<double>& wall_reach, double t, std::vector<Contact<D>> before) const;
  double smallest() const;                                     // radius
  double arm(std::uint32_t node) const { return arm_[node]; }  // of the outermost surface from the node

 private:
  struct Ball {
    std::uint32_t node, material;
    std::int64_t id;
    double radius;
    Vec<D> anchor;
  };
  Contact<D> pair(const Ball& x, const Ball& y) const;
  const World<D>& world_;
  std::size_t movable_;
  std::vector<Ball> balls_;
  std::vector<double> arm_;
  std::vector<std::pair<std::int64_t, std::int64_t>> linked_;  // ids, sorted
};

// Unit vectors across n: 1 in the plane, 2 in space.
template <int D>
Vec<D> across_vector(const Vec<D>& n, std::size_t s);

}  // namespace moraine::hard
