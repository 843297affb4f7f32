// SPDX-License-Identifier: MIT
// The soft step as a page of verbs.
#pragma once

#include <cstdint>
#include <vector>

#include "base/parallel.hpp"
#include "find/neighbours.hpp"
#include "soft/clump_step.hpp"
#include "soft/forces.hpp"
#include "world/stepper.hpp"

namespace moraine::soft {

struct StepLimits {
  double deepest = 0.5;  // overlap / radius beyond which the run stops
};

template <int D>
class SoftStep final : public world::Stepper<D> {
 public:
  explicit SoftStep(base::Team& team) : team_(team), search_(team) {}

  // Lists neighbours for the first time, or again for a world that was loaded (`resumed`).
  void begin(World<D>& world, const base::Record* resumed) override;
  void save(base::Record& record) const override;
  // move walls; find neighbours; touch and push; collect pushes, unless nobody looks before advance()
  void forces(World<D>& world, bool keep_energy, bool looked_at, bool keep_records) override;
  // leapfrog; count work; wrap at the next finding
  void advance(World<D>& world, bool keep_energy) override;

  // Neighbours are found anew at the next step, for instance because bodies came or went.
  void bodies_changed() override { lists_old_ = true; }
  // The same at once, so that lists and bodies belong together between two steps.
  void list_anew(World<D>& world) override;

  std::int64_t contacts() const override { return contacts_.total().contacts; }
  void gather_records(std::vector<ContactRecord<D>>& records) const override;
  std::int64_t times_found() const override { return times_found_; }
  StepLimits limits;

 private:
  using world::Stepper<D>::stopwatch_;
  using world::Stepper<D>::left_domain;
  struct alignas(64) ChunkMove {
    double farthest2 = 0, damping = 0, work = 0;
    std::vector<std::uint32_t> outside;
    std::int64_t lost = -1;  // a body whose numbers are no longer finite
  };
  void move_walls(World<D>& world) const;
  void take_walls_away(World<D>& world, bool keep_energy);
  void list_bumps(const World<D>& world);
  void push_bumpy_walls(World<D>& world) const;
  void guide_driven_bumps(World<D>& world);
  void find_neighbours(World<D>& world);
  void check_depth(const World<D>& world) const;
  void collect(World<D>& world, std::size_t chunk, bool keep_energy);
  void leapfrog(World<D>& world, std::size_t chunk);
  bool leap_alone(World<D>& world, std::size_t i) const;
  static void look_at(const World<D>& world, std::size_t i, ChunkMove& move);
  void guide(World<D>& world, std::size_t i, double t) const;
  void book_half(World<D>& world) const;
  void look_back(World<D>& world);

  base::Team& team_;
  find::Search<D> search_;
  Forces<D> contacts_;
  ClumpStep<D> clumps_;
  std::vector<ChunkMove> moves_;
  std::vector<std::uint32_t> bumps_;  // bodies that are part of a wall
  double farthest2_ = 0;
  double taken_ = 0;  // energy that was in contacts with walls taken away at this step
  bool lists_old_ = true, collected_ = false;
  std::int64_t times_found_ = 0;
};

}  // namespace moraine::soft
