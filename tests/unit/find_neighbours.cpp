// SPDX-License-Identifier: MIT
// The neighbour lists against a check of all pairs, on thousands of random worlds: 2D and 3D, open and periodic, with
// walls, with sizes 1:1 to 1:20; and the memory of contacts when the list is made anew.
#include "find/neighbours.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "base/random.hpp"
#include "world/near_wall.hpp"

namespace {

using namespace moraine;
using world::World;

template <int D>
World<D> random_world(std::uint64_t seed, bool crowd) {
  base::Stream random(seed, "world");
  World<D> w;
  const std::size_t n = crowd ? 600 + random.below(900) : 1 + random.below(60);
  const double spread = random.uniform(1, 20), r = crowd ? 0.03 : 0.08;
  double largest = 0;
  for (std::size_t i = 0; i < n; ++i) {
    world::NewBody<D> b;
    b.radius = r * random.uniform(1 / spread, 1);
    largest = std::max(largest, b.radius);
    b.mass = b.inertia = 1;
    if (random.uniform() < 0.1) b.held = world::Held::kFixed;
    for (int k = 0; k < D; ++k) b.x[k] = random.uniform(-0.5, 1.5);  // also outside the periodic box, to be wrapped
    w.bodies.add(b);
  }
  w.skin = random.uniform(0, 2 * largest);
  for (int k = 0; k < D; ++k) {
    if (random.uniform() < 0.5) {
      w.domain.periodic[static_cast<std::size_t>(k)] = true;
      w.domain.min[k] = random.uniform(-0.3, 0);
      w.domain.max[k] = w.domain.min[k] + std::max(random.uniform(0.5, 1), 2.001 * (2 * largest + w.skin));
    }
  }
  for (int k = 0; k < 3; ++k) {
    world::Wall<D> wall;
    for (int c = 0; c < D; ++c) {
      wall.start.a[c] = random.uniform(0, 1);
      wall.start.b[c] = random.uniform(0, 1);
    }
    if (D == 3) wall.start.b *= 1 / math::norm(wall.start.b);
    world::place_wall(wall, 0, 0);
    w.walls.push_back(wall);
  }
  return w;
}

using Pair = std::pair<std::int64_t, std::int64_t>;

template <int D>
std::set<Pair> all_pairs(const World<D>& w) {
  std::set<Pair> out;
  for (std::size_t i = 0; i < w.bodies.size(); ++i) {
    for (std::size_t j = i + 1; j < w.bodies.size(); ++j) {
      const auto &a = w.bodies.place[i], &b = w.bodies.place[j];
      if (w.bodies.moving[i].held != world::Held::kFree && w.bodies.moving[j].held != world::Held::kFree) continue;
      math::Vec<D> apart = b.x - a.x;
      for (int k = 0; k < D; ++k) {
        if (!w.domain.periodic[static_cast<std::size_t>(k)]) continue;
        apart[k] -= std::round(apart[k] / w.domain.length(k)) * w.domain.length(k);
      }
      if (math::norm(apart) < a.radius + b.radius + w.skin) {
        out.insert(std::minmax(w.bodies.id[i], w.bodies.id[j]));
      }
    }
  }
  return out;
}

template <int D>
void compare(std::uint64_t seed, bool crowd, int threads) {
  World<D> w = random_world<D>(seed, crowd);
  base::Team team(threads);
  find::find_neighbours(w, team);
  const auto& slots = w.contacts.pairs;
  std::set<Pair> found;
  const auto shifts = world::image_shifts(w.domain, w.time);
  for (std::uint32_t i = 0; i < w.bodies.size(); ++i) {
    for (std::uint32_t p = slots.start[i]; p < slots.start[i + 1]; ++p) {
      const std::uint32_t j = slots.other[p];
      ASSERT_GT(j, i);
      ASSERT_TRUE(found.insert(std::minmax(w.bodies.id[i], w.bodies.id[j])).second) << "twice";
      const auto &a = w.bodies.place[i], &b = w.bodies.place[j];
      EXPECT_LT(math::norm(b.x + shifts[slots.image[p]] - a.x), a.radius + b.radius + w.skin) << "wrong image";
    }
  }
  EXPECT_EQ(found, all_pairs(w)) << "seed " << seed << ", " << D << "D";
  for (std::uint32_t i = 0; i < w.bodies.size(); ++i) {
    std::set<std::uint32_t> walls, expected;
    for (std::uint32_t p = w.contacts.walls.start[i]; p < w.contacts.walls.start[i + 1]; ++p)
      walls.insert(w.contacts.walls.other[p]);
    const auto& a = w.bodies.place[i];
    for (std::uint32_t k = 0; k < w.walls.size() && w.bodies.moving[i].held == world::Held::kFree; ++k) {
      if (world::distance_to(w.walls[k].now, a.x) < a.radius + w.skin) expected.insert(k);
    }
    EXPECT_EQ(walls, expected);
  }
}

TEST(FindNeighbours, ListsAreThePairsOfAllPairsInThousandsOfSmallWorlds) {
  for (std::uint64_t seed = 0; seed < 1500 && !testing::Test::HasFailure(); ++seed) {
    compare<2>(seed, false, 1);
    compare<3>(seed, false, 1);
  }
}

TEST(FindNeighbours, ListsAreThePairsOfAllPairsInCrowdsOfSeveralChunks) {
  for (std::uint64_t seed = 0; seed < 12 && !testing::Test::HasFailure(); ++seed) {
    compare<2>(seed, true, 1 + static_cast<int>(seed % 3));
    compare<3>(seed, true, 1 + static_cast<int>(seed % 3));
  }
}

TEST(FindNeighbours, FarOutlierDoesNotNeedMoreCellsThanThereIsMemory) {
  World<3> w = random_world<3>(4, false);
  w.domain = {};
  world::NewBody<3> far;
  far.x = {1e9, -1e9, 1e9};
  far.radius = 0.01;
  far.mass = far.inertia = 1;
  w.bodies.add(far);
  base::Team team(1);
  find::find_neighbours(w, team);
  EXPECT_EQ(w.bodies.size(), w.contacts.pairs.start.size() - 1);
}

TEST(FindNeighbours, MemoryFollowsThePairAndTurnsRoundWhenTheTwoSwapPlaces) {
  World<3> w;
  w.skin = 0.1;
  for (const double x : {0.0, 1.9, -10.0, 10.0}) {  // the last two only make the grid larger
    world::NewBody<3> b;
    b.x = {x, 0, 0};
    b.radius = b.mass = b.inertia = 1;
    w.bodies.add(b);
  }
  base::Team team(1);
  w.contacts.pairs.stride = 4;
  w.contacts.pairs.directed = 3;
  find::find_neighbours(w, team);
  ASSERT_EQ(w.contacts.pairs.size(), 1U);
  w.contacts.pairs.touching[0] = 1;
  w.contacts.pairs.memory = {1, 2, 3, 4};
  for (std::size_t i = 0; i < w.bodies.size(); ++i) {
    if (w.bodies.id[i] == 1) w.bodies.place[i].x = {-1.7, 0, 0};  // to the other side, into a cell before
  }
  find::find_neighbours(w, team);
  ASSERT_EQ(w.contacts.pairs.size(), 1U);
  EXPECT_EQ(w.contacts.pairs.touching[0], 1);
  ASSERT_LT(std::find(w.bodies.id.begin(), w.bodies.id.end(), 1), std::find(w.bodies.id.begin(), w.bodies.id.end(), 0))
      << "the test must swap the two";
  EXPECT_EQ(w.contacts.pairs.memory, (std::vector<double>{-1, -2, -3, 4}));
}

}  // namespace
