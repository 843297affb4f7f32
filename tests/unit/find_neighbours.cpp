// SPDX-License-Identifier: MIT
// The neighbour lists against a check of all pairs, on thousands of random worlds: 2D and 3D, open, periodic and
// sheared, with walls, held bodies and clumps, with sizes 1:1 to 1:100; and the memory of contacts when the list is
// made anew.
#include "find/neighbours.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "support/crowds.hpp"
#include "world/near_wall.hpp"

namespace {

using namespace moraine;
using test::Crowd;
using test::IdPair;
using test::Mix;
using test::Space;
using world::World;

// Levels are a factor of two of the largest radius each; the finer of two bodies owns the slot.
template <int D>
int level(const World<D>& w, std::size_t i) {
  double largest = 0;
  for (const auto& p : w.bodies.place) largest = std::max(largest, p.radius);
  return std::max(0, static_cast<int>(std::ceil(std::log2(largest / w.bodies.place[i].radius))) - 1);
}

template <int D>
void check_pairs(const World<D>& w) {
  const auto& slots = w.contacts.pairs;
  ASSERT_EQ(slots.start.size(), w.bodies.size() + 1);
  const std::map<IdPair, double> expected = test::all_pairs(w, w.skin);
  const auto shifts = world::image_shifts(w.domain, w.time);
  std::vector<int> levels;
  for (std::size_t i = 0; i < w.bodies.size(); ++i) levels.push_back(level(w, i));
  std::set<IdPair> found;
  for (std::uint32_t i = 0; i < w.bodies.size(); ++i) {
    for (std::uint32_t p = slots.start[i]; p < slots.start[i + 1]; ++p) {
      const std::uint32_t j = slots.other[p];
      ASSERT_TRUE(p == slots.start[i] || j > slots.other[p - 1]) << "not in order";
      ASSERT_TRUE(levels[i] > levels[j] || (levels[i] == levels[j] && i < j)) << "wrong owner";
      const IdPair pair = std::minmax(w.bodies.id[i], w.bodies.id[j]);
      ASSERT_TRUE(found.insert(pair).second) << "twice";
      ASSERT_EQ(expected.count(pair), 1U) << "not near, or never to touch";
      const double apart = math::norm(w.bodies.place[j].x + shifts[slots.image[p]] - w.bodies.place[i].x);
      ASSERT_NEAR(apart, expected.at(pair), 1e-9) << "wrong image";
    }
  }
  EXPECT_EQ(found.size(), expected.size());
}

template <int D>
void check_walls(const World<D>& w) {
  for (std::uint32_t i = 0; i < w.bodies.size(); ++i) {
    std::set<std::uint32_t> walls, expected;
    for (std::uint32_t p = w.contacts.walls.start[i]; p < w.contacts.walls.start[i + 1]; ++p)
      walls.insert(w.contacts.walls.other[p]);
    const auto& a = w.bodies.place[i];
    for (std::uint32_t k = 0; k < w.walls.size() && w.bodies.moving[i].held != world::Held::kFixed; ++k) {
      if (world::distance_to(w.walls[k].now, a.x) < a.radius + w.skin) expected.insert(k);
    }
    EXPECT_EQ(walls, expected);
  }
}

template <int D>
void compare(std::uint64_t seed, const Crowd& crowd, int threads) {
  SCOPED_TRACE(testing::Message() << "seed " << seed << ", " << D << "D, ratio " << crowd.ratio);
  World<D> w = test::random_world<D>(seed, crowd);
  base::Team team(threads);
  find::find_neighbours(w, team);
  check_pairs(w);
  check_walls(w);
}

Crowd crowd_of(std::uint64_t seed, std::size_t fewest, std::size_t most) {
  base::Stream random(seed, "kind");
  Crowd crowd;
  crowd.count = fewest + random.below(most - fewest);
  crowd.ratio = std::pow(100, random.uniform());
  if (seed % 10 == 0) crowd.ratio = 1;
  if (seed % 10 == 1) crowd.ratio = 100;
  crowd.mix = static_cast<Mix>(random.below(3));
  crowd.space = seed % 2 == 0 ? Space::kMixed : Space::kSheared;
  crowd.fraction = random.uniform(0.02, 1.5);
  return crowd;
}

TEST(FindNeighbours, ListsAreThePairsOfAllPairsInThousandsOfSmallWorlds) {
  for (std::uint64_t seed = 0; seed < 2000 && !testing::Test::HasFailure(); ++seed) {
    compare<2>(seed, crowd_of(seed, 1, 80), 1);
    compare<3>(seed, crowd_of(seed, 1, 80), 1);
  }
}

TEST(FindNeighbours, ListsAreThePairsOfAllPairsInCrowdsOfSeveralChunks) {
  for (std::uint64_t seed = 0; seed < 12 && !testing::Test::HasFailure(); ++seed) {
    compare<2>(seed, crowd_of(seed, 600, 1500), 1 + static_cast<int>(seed % 3));
    compare<3>(seed, crowd_of(seed, 600, 1500), 1 + static_cast<int>(seed % 3));
  }
}

TEST(FindNeighbours, ListsAreTheSameOnAnyNumberOfThreads) {
  for (std::uint64_t seed = 0; seed < 4; ++seed) {
    Crowd crowd = crowd_of(seed, 9000, 12000);  // several blocks of the sort by keys, too
    crowd.fraction = 0.3;
    World<3> first = test::random_world<3>(seed, crowd);
    World<3> second = first;
    base::Team one(1), three(3);
    find::find_neighbours(first, one);
    find::find_neighbours(second, three);
    EXPECT_EQ(first.bodies.id, second.bodies.id);
    EXPECT_EQ(first.contacts.pairs.start, second.contacts.pairs.start);
    EXPECT_EQ(first.contacts.pairs.other, second.contacts.pairs.other);
    EXPECT_EQ(first.contacts.pairs.image, second.contacts.pairs.image);
    EXPECT_EQ(first.ledger.shear, second.ledger.shear);
  }
}

TEST(FindNeighbours, FarOutlierDoesNotNeedMoreCellsThanThereIsMemory) {
  for (const double radius : {1.0, 0.01}) {  // in the level of the others, and in one of its own
    World<3> w = test::random_world<3>(4, {});
    w.domain = {};
    world::NewBody<3> far;
    far.x = {1e9, -1e9, 1e9};
    far.radius = radius;
    far.mass = far.inertia = 1;
    w.bodies.add(far);
    base::Team team(1);
    find::find_neighbours(w, team);
    check_pairs(w);
  }
}

TEST(FindNeighbours, BodiesThatAreGoneAreDroppedAndTheOthersKeepTheirFields) {
  World<2> w = test::random_world<2>(7, {.count = 1300, .ratio = 8});
  std::vector<double> radius_of_id;
  for (std::size_t i = 0; i < w.bodies.size(); ++i) {
    radius_of_id.push_back(w.bodies.place[i].radius);
    w.bodies.mass[i] = w.bodies.inertia[i] = static_cast<double>(i);
    w.bodies.moving[i].gone = i % 3 == 0;
  }
  base::Team team(2);
  find::find_neighbours(w, team);
  ASSERT_EQ(w.bodies.size(), 866U);
  for (std::size_t i = 0; i < w.bodies.size(); ++i) {
    EXPECT_NE(w.bodies.id[i] % 3, 0);
    EXPECT_EQ(w.bodies.place[i].radius, radius_of_id[static_cast<std::size_t>(w.bodies.id[i])]);
    EXPECT_EQ(w.bodies.mass[i], static_cast<double>(w.bodies.id[i]));
    EXPECT_EQ(w.bodies.inertia[i], static_cast<double>(w.bodies.id[i]));
    EXPECT_EQ(w.bodies.x_found[i], w.bodies.place[i].x);
  }
  check_pairs(w);
}

// What a contact of two bodies remembers in these tests: the first number points from the one of lower id.
double mark(const IdPair& pair) { return static_cast<double>(1 + pair.first + 1000 * pair.second); }

template <int D>
double sign(const World<D>& w, std::uint32_t owner, std::uint32_t other) {
  return w.bodies.id[owner] < w.bodies.id[other] ? 1 : -1;
}

// Closes every other contact; returns which, and who owned it.
template <int D>
std::map<IdPair, std::int64_t> close_some(World<D>& w) {
  std::map<IdPair, std::int64_t> closed;
  auto& slots = w.contacts.pairs;
  for (std::uint32_t i = 0; i < w.bodies.size(); ++i) {
    for (std::uint32_t p = slots.start[i]; p < slots.start[i + 1]; ++p) {
      const IdPair pair = std::minmax(w.bodies.id[i], w.bodies.id[slots.other[p]]);
      if ((pair.first + pair.second) % 2 == 0) continue;
      slots.touching[p] = 1;
      slots.memory[2 * p] = sign(w, i, slots.other[p]) * mark(pair);
      slots.memory[2 * p + 1] = mark(pair);
      closed[pair] = w.bodies.id[i];
    }
  }
  return closed;
}

template <int D>
std::size_t check_memory(const World<D>& w, const std::map<IdPair, std::int64_t>& closed) {
  std::size_t changed_owner = 0;
  const auto& slots = w.contacts.pairs;
  for (std::uint32_t i = 0; i < w.bodies.size(); ++i) {
    for (std::uint32_t p = slots.start[i]; p < slots.start[i + 1]; ++p) {
      const IdPair pair = std::minmax(w.bodies.id[i], w.bodies.id[slots.other[p]]);
      const auto before = closed.find(pair);
      const double value = before == closed.end() ? 0 : mark(pair);
      EXPECT_EQ(slots.touching[p], before == closed.end() ? 0 : 1);
      EXPECT_EQ(slots.memory[2 * p], value == 0 ? 0 : sign(w, i, slots.other[p]) * value);
      EXPECT_EQ(slots.memory[2 * p + 1], value);
      changed_owner += before != closed.end() && before->second != w.bodies.id[i];
    }
  }
  return changed_owner;
}

template <int D>
void remember(std::uint64_t seed, double ratio) {
  World<D> w = test::random_world<D>(seed, {.count = 700, .ratio = ratio, .mix = Mix::kPowerLaw});
  w.contacts.pairs.stride = w.contacts.walls.stride = 2;
  w.contacts.pairs.directed = 1;
  base::Team team(1);
  find::find_neighbours(w, team);
  base::Stream random(seed, "moves");

  auto closed = close_some(w);
  for (auto& p : w.bodies.place) {
    for (int k = 0; k < D; ++k) p.x[k] += random.uniform(-2, 2) * p.radius;
  }
  find::find_neighbours(w, team);
  EXPECT_GT(check_memory(w, closed), 20U) << "the order in memory should have changed";

  // A larger body moves all levels: who was of the coarsest is now of a finer one, and the curve has other cells.
  closed = close_some(w);
  world::NewBody<D> large;
  large.radius = 1.37;
  large.mass = large.inertia = 1;
  large.x = w.domain.periodic[0] ? w.domain.min : math::Vec<D>{};
  for (int k = 0; k < D; ++k) large.x[k] = w.domain.periodic[static_cast<std::size_t>(k)] ? w.domain.min[k] : 0;
  w.bodies.add(large);
  find::find_neighbours(w, team);
  EXPECT_GT(check_memory(w, closed), ratio > 2 ? 20U : 0U) << "owners should have changed";
}

TEST(FindNeighbours, MemoryFollowsThePairAndTurnsRoundWhenItsOwnerChanges) {
  for (const double ratio : {1.5, 10.0, 100.0}) {
    remember<2>(3, ratio);
    remember<3>(5, ratio);
  }
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
