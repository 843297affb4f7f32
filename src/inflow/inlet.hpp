// SPDX-License-Identifier: MIT
// Bodies that arrive while the run goes on, one at a time at random places of a line (2D) or a patch (3D), or in
// batches over an area. Each arrival has a size, a place and a waiting time from random numbers of their own, so that
// a change of one does not change the others. The whole state is a few counters: a resumed run gets the same arrivals.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "inflow/clump.hpp"
#include "inflow/distribution.hpp"
#include "inflow/free_line.hpp"
#include "inflow/place.hpp"
#include "inflow/waiting.hpp"
#include "world/world.hpp"

namespace moraine::inflow {

enum class InletKind : std::uint8_t { kLine, kPatch, kBatch };

template <int D>
struct InletPlan {
  std::string name;
  InletKind kind = InletKind::kLine;
  std::uint64_t seed = 0;
  Generator generator = Generator::kPhilox;
  std::vector<std::int64_t> starts{1, 2, 3};  // of the sources' generators: for size, place and time
  double from = 0, to = std::numeric_limits<double>::infinity();
  std::int64_t count = std::numeric_limits<std::int64_t>::max();  // arrivals in all

  // What comes.
  Distribution size = Distribution::constant(1);  // radius; of a clump, from its centre to its outermost point
  std::vector<world::ClumpShape<D>> clumps;       // none: single disks or spheres
  bool turned = true;                             // clumps, at random
  std::uint32_t material = 0;
  double density = 0, thickness = 1;
  bool as_spheres = false;  // 2D: disks have the mass of spheres
  Vec<D> velocity{};
  bool with_flow = false;  // comes with the velocity of the stream, besides

  // One at a time.
  std::vector<Vec<D>> line;             // 2D
  Vec<D> corner{}, side_a{}, side_b{};  // 3D: a parallelogram
  Waiting waiting = Waiting::exponential(1);
  int tries = 100;  // 3D: places, before an arrival is skipped

  // Batches.
  std::vector<Ball<D>> points;     // radius 0: from `size`
  std::vector<Vec<D>> velocities;  // one for each point, besides `velocity`; or none
  Vec<D> jitter{};                 // widths of the random shift of each
  double radius_jitter = 0;        // width of the random change of each radius
  double every = 0;
  Region<D> area;      // which must be free of centres, or the batch is held back
  bool waits = false;  // who has no room comes once there is; otherwise not at all
};

// A disk or sphere here would overlap with nothing that is in the world.
template <int D>
bool has_room(const world::World<D>& world, const Vec<D>& x, double radius);

template <int D>
class Inlet {
 public:
  // `index`: of its arrivals in the world's traffic.
  Inlet(InletPlan<D> plan, std::size_t index);
  bool apply(world::World<D>& world);
  bool done(const world::World<D>& world) const;
  void save(base::Record& record) const;
  void load(const base::Record& record);

 private:
  bool arrive(world::World<D>& world);
  bool release(world::World<D>& world);
  bool let_in(world::World<D>& world);
  bool area_is_free(const world::World<D>& world) const;
  std::optional<Vec<D>> find_place(const world::World<D>& world, double radius);
  void put(world::World<D>& world, const Vec<D>& x, double radius, const Vec<D>& velocity);

  InletPlan<D> plan_;
  std::size_t index_;
  Numbers sizes_, places_, times_;
  base::Stream shapes_;
  double next_ = -1;  // when the next one is due; before the first: -1
  std::int64_t batches_ = 0;
  struct Waiter {
    Vec<D> x{}, v{};
    double radius = 0;
  };
  std::vector<Waiter> waiters_;  // of batches, in the order they were due
};

}  // namespace moraine::inflow
