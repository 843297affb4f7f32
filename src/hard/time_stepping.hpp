// SPDX-License-Identifier: MIT
// The time-stepping method: contacts act by the impulses of whole steps, which are found together (impulse_solver.hpp)
// so that at the end of the step nothing overlaps and nothing slides that friction can hold.
//
// Velocities belong to the middle of steps: v' = v + h a + M^-1 (impulses), x' = x + h v'. A contact with a gap allows
// an approach by the gap; an overlap is taken back by parts; bodies that meet fast bounce by Newton's rule. `Moving`
// holds the velocity at the whole step for whoever looks (v), and that of the middle of the last step (v_now).
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "base/parallel.hpp"
#include "find/neighbours.hpp"
#include "hard/contact_memory.hpp"
#include "hard/impulse_solver.hpp"
#include "hard/settings.hpp"
#include "hard/step_links.hpp"
#include "hard/wide_motions.hpp"
#include "touch/solid_gaps.hpp"
#include "touch/walls.hpp"
#include "world/stepper.hpp"

namespace moraine::hard {

using world::World;

// What a contact remembers of the step before.
struct Remembered {
  const double* memory = nullptr;
  bool closed = false;
};

// Contacts of solids that a chunk of bodies finds in a step. While the step is on they have slots behind those of
// bodies and walls; what is closed in the end goes to world::Points.
template <int D>
struct TouchedPoints {
  std::vector<std::uint32_t> slot, key;
  std::vector<Vec<D>> n, point;  // the point from the middle between the two centres; of a wall: from the body's
  std::vector<double> gap;
  std::vector<double> memory;  // as that of a slot
  std::vector<std::uint8_t> closed;
  std::uint32_t first = 0;  // of their slots

  std::size_t size() const { return slot.size(); }
  void clear() {
    slot.clear();
    key.clear();
    n.clear();
    point.clear();
    gap.clear();
    memory.clear();
    closed.clear();
  }
};

template <int D>
class TimeStepping final : public world::Stepper<D> {
 public:
  TimeStepping(const Settings& settings, base::Team& team)
      : settings_(settings),
        team_(team),
        search_(team),
        solver_(team),
        wide_(team),
        touching_(settings.contacts != ContactMode::kIgnored) {}

  double deepest = 0.5;  // overlap over the smaller radius at which a run stops

  void begin(World<D>& world, const base::Record* resumed) override;
  void save(base::Record& record) const override;
  void forces(World<D>& world, bool keep_energy, bool looked_at, bool keep_records) override;
  void advance(World<D>& world, bool keep_energy) override;
  void bodies_changed() override { lists_old_ = true; }
  void list_anew(World<D>& world) override;
  void velocities_changed() override { velocities_old_ = true; }
  std::int64_t contacts() const override { return contacts_; }
  void gather_records(std::vector<world::ContactRecord<D>>& records) const override { records = records_; }
  std::int64_t times_found() const override { return times_found_; }

 private:
  using world::Stepper<D>::stopwatch_;
  using Held = world::Held;

  // What a chunk of bodies finds and adds up.
  struct Sent {
    std::uint32_t group;
    Block<D> block;
  };
  struct SentHeld {
    std::uint32_t group;
    HeldBlock<D> block;
  };
  struct alignas(64) Chunk {
    double farthest2 = 0, fastest = 0;
    double deepest = 0;
    std::int64_t deepest_a = -1, deepest_b = -1;
    std::int64_t lost = -1;
    std::vector<std::uint32_t> outside;
    std::vector<Sent> sent;
    std::vector<SentHeld> sent_held;
    TouchedPoints<D> pair_points, wall_points;

    void see(double gap, double smaller, std::int64_t a, std::int64_t b) {
      if (-gap <= deepest * smaller) return;
      deepest = -gap / smaller;
      deepest_a = a;
      deepest_b = b;
    }
  };
  // Smaller radii: contacts with so wide a gap are in, as others may push bodies there.
  static constexpr double kMargin = 0.02;
  // How a wall moves in the middle of the step.
  struct WallMotion {
    Vec<D> reference, velocity;
    Spin<D> spin;
  };
  // One side of a contact.
  struct Side {
    std::uint32_t mover;
    Vec<D> arm;       // from the centre of the mover to that of the body
    Vec<D> v_before;  // of the body's centre before the step
    Spin<D> w_before;
  };

  void take_walls_away(World<D>& world);
  void find_neighbours(World<D>& world);
  void list_links(const World<D>& world);
  void sort_into_groups(const World<D>& world);
  void greet_new_bodies(World<D>& world);
  void make_bonds(World<D>& world);
  int parts_of_step(World<D>& world);
  void change_part(World<D>& world, double h);
  StepSettings effort(const World<D>& world) const;
  double tolerance(const World<D>& world, double h) const;

  bool anything_guided(const World<D>& world) const;
  // One of the parts of a step.
  struct Part {
    double t, h;
    bool first, last;
    bool afresh;  // contacts are looked for anew; otherwise they are followed, as long as bodies have not come far
    double kept;  // of what stops wide motions, for the parts after it
  };
  void part_of_step(World<D>& world, const Part& part, bool keep_energy);
  void follow(const World<D>& world, double h);
  void start_from_impulses(bool followed);
  void kick(World<D>& world, double h);
  void kick_clumps(World<D>& world, double h);
  void touch(World<D>& world, double t, double h);
  void touch_chunk(World<D>& world, std::size_t chunk, double h);
  void outline_solids(const World<D>& world);
  void touch_solids(const World<D>& world, std::size_t chunk, double h);
  void gaps_of(const World<D>& world, std::uint32_t i, std::uint32_t j, const Vec<D>& shift, double margin,
               std::vector<touch::SolidGap<D>>& out) const;
  static void lay_out_points(world::Contacts& contacts);
  void number_points(World<D>& world);
  void keep_points(World<D>& world);
  void show_points(const World<D>& world, bool keep_records, double& worst);
  // Two bodies that may touch.
  struct Meeting {
    std::uint32_t i, j, slot, law;
    std::uint8_t image;
    Vec<D> n, arm_i, arm_j;  // arms from the centres of the two bodies
    double lever_i, lever_j;
    double gap, smaller, radius;
    Remembered memory;
  };
  void meet(const World<D>& world, std::size_t chunk, const Meeting& m, double h);
  // A body and a wall.
  struct WallMeeting {
    std::uint32_t i, wall, slot;
    Vec<D> n, arm;
    double gap, smaller;
    Remembered memory;
  };
  void meet_wall(const World<D>& world, std::size_t chunk, const WallMeeting& m, double h);
  void meet_held(const World<D>& world, std::size_t chunk, HeldBlock<D>& block, const Side& a, const Vec<D>& arm,
                 double gap, double smaller, const Remembered& memory, double h);
  Side side_of(const World<D>& world, std::uint32_t i) const;
  std::uint32_t home(std::uint32_t mover) const;
  std::uint32_t group_of(std::uint32_t home_a, std::uint32_t home_b) const;
  template <class B>
  void aim(B& block, double restitution, double approach, bool closed, double h) const;
  template <class B>
  void fill(const World<D>& world, B& block, const Remembered& remembered, double gap, double approach, double smaller,
            double h) const;
  void split_islands();
  void roll(const World<D>& world, double h);
  void push_out(double h);
  void move(World<D>& world, double t, double h, bool last);
  void move_clumps(World<D>& world, double t, double h, bool last);
  void add_pushes(const World<D>& world);
  void keep(World<D>& world, double h, double time);
  void book(World<D>& world);
  void look_back(World<D>& world);
  void check_depth(const World<D>& world) const;
  void show(World<D>& world, bool keep_records);

  Settings settings_;
  base::Team& team_;
  find::Search<D> search_;
  ImpulseSolver<D> solver_;
  WideMotions<D> wide_;
  StepLinks<D> links_;
  bool touching_;  // bodies do; otherwise there are only links
  Movers<D> movers_;
  Movers<D> before_;  // the velocities that the part of the step began with
  Movers<D> apart_;   // velocities that only take overlaps back
  Movers<D> kicked_;  // velocities before any impulse of the part
  bool pushed_ = false;
  ContactMemory<D> memory_;
  std::vector<Chunk> chunks_;
  std::vector<WallMotion> wall_motions_;
  std::vector<touch::Outline<D>> outlines_;         // of bodies that are solids
  std::array<Vec<D>, world::kImages<D>> drifts_{};  // of periodic images
  // What bodies have done to each wall in all parts of the last step.
  struct Push {
    Vec<D> impulse{};
    Spin<D> turn{};
  };
  std::vector<Push> pushes_;
  std::vector<double> reach_;              // of each mover: how far it may come in the step
  std::vector<std::uint32_t> clump_home_;  // chunk
  std::vector<std::uint64_t> cross_keys_;  // two chunks that touch: lower, higher; the groups after those of the chunks
  std::vector<std::uint32_t> island_;      // of each mover: another of the same island, in the end the first
  std::vector<std::uint32_t> island_size_;  // movers of the island of which this mover is the first; then its group
  std::vector<world::ContactRecord<D>> records_;
  double smallest_ = 0, farthest2_ = 0;
  double since_touch_ = 0,
         way_ = 0;   // s that blocks have been followed for, and how far a body may have come meanwhile
  double part_ = 0;  // length of the parts of the last step
  double slow_ = 0;  // m/s: bodies that meet more slowly do not bounce
  std::int64_t contacts_ = 0, times_found_ = 0, known_ids_ = 0;
  bool lists_old_ = true, velocities_old_ = false;
  bool strengths_ = false;  // cohesion or bonds: contacts may change with every part of a step
};

}  // namespace moraine::hard
