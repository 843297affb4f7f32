// SPDX-License-Identifier: MIT
// Sweep and prune against the search by cells: the same slots in the same order, from one finding to the next, while
// bodies move, are wrapped, come and go.
#include <gtest/gtest.h>

#include "find/neighbours.hpp"
#include "support/crowds.hpp"

namespace {

using namespace moraine;
using test::Crowd;
using test::Mix;
using test::Space;
using world::World;

template <int D>
void expect_same(const World<D>& a, const World<D>& b) {
  ASSERT_EQ(a.bodies.id, b.bodies.id);
  ASSERT_EQ(a.contacts.pairs.start, b.contacts.pairs.start);
  ASSERT_EQ(a.contacts.pairs.other, b.contacts.pairs.other);
  ASSERT_EQ(a.contacts.pairs.image, b.contacts.pairs.image);
  ASSERT_EQ(a.contacts.walls.start, b.contacts.walls.start);
  ASSERT_EQ(a.contacts.walls.other, b.contacts.walls.other);
}

// Mostly a little, as between two findings; now and then one is thrown far away, leaves, or a new one comes.
template <int D>
void move_about(World<D>& w, base::Stream& random) {
  auto& bodies = w.bodies;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const double far = random.uniform() < 0.02 ? 5 : random.uniform(0, 0.5) * (w.skin + 0.1 * bodies.place[i].radius);
    for (int k = 0; k < D; ++k) bodies.place[i].x[k] += random.uniform(-far, far);
    bodies.moving[i].gone = random.uniform() < 0.01;
  }
  for (std::uint64_t k = random.below(4); k > 0; --k) {
    world::NewBody<D> b;
    b.radius = bodies.place[random.below(bodies.size())].radius * random.uniform(0.5, 1);
    b.mass = b.inertia = 1;
    b.x = bodies.place[random.below(bodies.size())].x;
    bodies.add(b);
  }
  w.time += random.uniform(0, 0.05);
}

template <int D>
void compare(std::uint64_t seed, std::size_t most, int findings) {
  base::Stream random(seed, "sweep");
  Crowd crowd;
  crowd.count = 2 + random.below(most);
  crowd.ratio = std::pow(100, random.uniform());
  crowd.mix = static_cast<Mix>(random.below(3));
  crowd.space = seed % 2 == 0 ? Space::kMixed : Space::kSheared;
  crowd.fraction = random.uniform(0.02, 1);
  SCOPED_TRACE(testing::Message() << "seed " << seed << ", " << D << "D");
  World<D> by_cells = test::random_world<D>(seed, crowd), by_sweep = by_cells;
  by_sweep.search = world::SearchKind::kSweep;
  base::Team team(1);
  find::Search<D> cells(team), sweep(team);
  base::Stream moves(seed, "moves"), same_moves(seed, "moves");
  for (int k = 0; k < findings; ++k) {
    cells.find_neighbours(by_cells);
    sweep.find_neighbours(by_sweep);
    expect_same(by_cells, by_sweep);
    if (testing::Test::HasFatalFailure()) return;
    move_about(by_cells, moves);
    move_about(by_sweep, same_moves);
  }
}

TEST(FindSweep, GivesTheSameSlotsAsCellsInThousandsOfSmallWorlds) {
  for (std::uint64_t seed = 0; seed < 1000 && !testing::Test::HasFailure(); ++seed) {
    compare<2>(seed, 80, 6);
    compare<3>(seed, 80, 6);
  }
}

TEST(FindSweep, GivesTheSameSlotsAsCellsOverManyFindingsInCrowds) {
  for (std::uint64_t seed = 0; seed < 6 && !testing::Test::HasFailure(); ++seed) {
    compare<2>(seed, 1200, 60);
    compare<3>(seed, 1200, 60);
  }
}

TEST(FindSweep, AFreshSearchGivesTheSameAsOneThatHasFollowedTheMotion) {
  World<3> w = test::random_world<3>(11, {.count = 800, .ratio = 10, .space = Space::kSheared});
  w.search = world::SearchKind::kSweep;
  base::Team team(1);
  find::Search<3> search(team);
  base::Stream random(1, "moves");
  for (int k = 0; k < 10; ++k) {
    search.find_neighbours(w);
    World<3> resumed = w;
    resumed.time += 0.01;  // positions at the last finding count, and the time it was made
    find::list_slots(resumed, team);
    expect_same(w, resumed);
    move_about(w, random);
  }
}

// Bodies that hardly move swap hardly any ends: that is what the sorted lists are kept for.
TEST(FindSweep, SwapsAreFewWhenLittleMoves) {
  World<2> w = test::random_world<2>(2, {.count = 4000, .ratio = 3, .fraction = 0.6});
  w.skin = 0.1;
  w.search = world::SearchKind::kSweep;
  base::Team team(1);
  find::Search<2> search(team);
  search.find_neighbours(w);
  const auto move = [&w](double far) {
    base::Stream random(1, "moves");
    for (auto& p : w.bodies.place) p.x += math::Vec<2>{random.uniform(-far, far), random.uniform(-far, far)};
  };
  move(1e-3);
  search.find_neighbours(w);
  const std::uint64_t few = search.swaps();
  move(1e-2);
  search.find_neighbours(w);
  const std::uint64_t more = search.swaps();
  search.find_neighbours(w);
  EXPECT_EQ(search.swaps(), 0U);
  EXPECT_GT(few, 0U);
  EXPECT_LT(few, 16000U);  // there are 16000 ends
  EXPECT_NEAR(static_cast<double>(more) / static_cast<double>(few), 10, 2) << "as many as they move far";
}

}  // namespace
