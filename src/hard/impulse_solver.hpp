// SPDX-License-Identifier: MIT
// The impulses of all contacts of one time step, by projected Gauss-Seidel sweeps, plain or accelerated. Blocks are in
// groups that only one thread works on at a time: one group for each chunk of movers, and one for each two chunks that
// touch. Groups of one colour share no mover and are swept at the same time; the order of everything else is fixed, so
// that the result is the same on any number of threads. Small islands have groups of their own and are solved each by
// itself, to a much smaller residual.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "base/parallel.hpp"
#include "hard/blocks.hpp"
#include "hard/settings.hpp"

namespace moraine::hard {

template <int D>
struct Group {
  std::vector<Block<D>> pairs;
  std::vector<HeldBlock<D>> held;
  std::vector<RollBlock<D>> rolls;

  // What the last sweep changed in each block, and the direction of conjugate gradients.
  std::vector<Parts<D>> change, direction;  // pairs, then held
  std::vector<Spin<D>> roll_change, roll_direction;
  std::vector<double> push, push_target;  // of push_out
  std::vector<Parts<D>> once;             // pairs, then held: what WideMotions has added
  double residual = 0;                    // m/s: the largest that a block was off by when it was swept
  double size2 = 0;                       // J: of all changes

  std::size_t blocks() const { return pairs.size() + held.size(); }
  double normal(std::size_t block) const {
    return block < pairs.size() ? pairs[block].l_n - pairs[block].floor
                                : held[block - pairs.size()].l_n - held[block - pairs.size()].floor;
  }
};

struct Solved {
  std::int64_t iterations = 0;
  double residual = 0;  // m/s
};

template <int D>
class ImpulseSolver {
 public:
  explicit ImpulseSolver(base::Team& team) : team_(team) {}

  std::vector<Group<D>> groups;
  std::vector<std::vector<std::uint32_t>> colours;  // groups of each
  std::size_t first_island = 0;                     // groups from here on are whole islands, which touch nothing else
  bool coupled = false;                             // clumps: a normal impulse changes the slip of its own contact

  // What else holds movers, solved after each sweep: returns what it was off by, in m/s. Then there are no islands, and
  // sweeps are plain ones.
  std::function<double(Movers<D>&)> links;

  // Adds what the blocks start with to the movers.
  void warm_start(Movers<D>& movers);
  Solved solve(Movers<D>& movers, const StepSettings& settings, double tolerance);
  // Velocities that take this part of each overlap back in a step of length h, besides those of the movers
  // and without becoming theirs: overlaps must not feed back into impulses that are carried on to the next step, or
  // slow motions of a large packing grow that the iterations of one step cannot follow.
  void push_out(const Movers<D>& movers, Movers<D>& apart, double part, double h, int sweeps);
  // All groups but those of islands, colour by colour: each has its movers for itself.
  template <class Work>
  void for_groups(bool backwards, const Work& work) {
    for (std::size_t k = 0; k < colours.size(); ++k) {
      const auto& colour = colours[backwards ? colours.size() - 1 - k : k];
      team_.for_chunks(colour.size(), [&](std::size_t g) { work(groups[colour[g]]); });
    }
  }

 private:
  // `measure`: the residual; `keep`: also what changes.
  void sweep(Movers<D>& movers, Group<D>& group, bool backwards, bool measure, bool keep) const;
  void start_direction(const Movers<D>& movers);
  void solve_island(Movers<D>& movers, Group<D>& group, double tolerance) const;
  void extrapolate(Movers<D>& movers, double beta);
  double add_up(double& residual) const;

  base::Team& team_;
  struct Motion {
    Vec<D> v{};
    Spin<D> w{};
  };
  std::vector<Motion> before_, heading_;  // of the movers: before the sweep, and in the direction
};

}  // namespace moraine::hard
