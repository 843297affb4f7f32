// SPDX-License-Identifier: MIT
// Lees-Edwards shear: bodies that cross come back where and as fast as the sliding image says, nobody is missed while
// the images slide, and a restart makes the same lists.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "base/record.hpp"
#include "find/neighbours.hpp"
#include "support/crowds.hpp"

namespace {

using namespace moraine;
using test::Crowd;
using test::IdPair;
using test::Mix;
using test::Space;
using world::World;

template <int D>
struct Track {
  math::Vec<D> x, v, v_now;
};

// Places and velocities as if there were no box.
template <int D>
std::map<std::int64_t, Track<D>> unwrapped(const World<D>& w) {
  std::map<std::int64_t, Track<D>> out;
  for (std::size_t i = 0; i < w.bodies.size(); ++i) {
    Track<D> t{w.domain.unwrapped(w.bodies.place[i].x, w.bodies.image[i], w.time), w.bodies.moving[i].v,
               w.bodies.moving[i].v_now};
    const double up = w.bodies.image[i][static_cast<std::size_t>(w.domain.shear.gradient)] * w.domain.slide_speed();
    t.v[w.domain.shear.flow] += up;
    t.v_now[w.domain.shear.flow] += up;
    out[w.bodies.id[i]] = t;
  }
  return out;
}

template <int D>
double energy_of_free(const World<D>& w) {
  double sum = 0;
  for (std::size_t i = 0; i < w.bodies.size(); ++i) {
    if (w.bodies.moving[i].held == world::Held::kFree)
      sum += 0.5 * w.bodies.mass[i] * math::norm2(w.bodies.moving[i].v);
  }
  return sum;
}

template <int D>
void wrap_and_compare(std::uint64_t seed) {
  SCOPED_TRACE(testing::Message() << "seed " << seed << ", " << D << "D");
  World<D> w = test::random_world<D>(seed, {.count = 200, .ratio = 4, .space = Space::kSheared});
  base::Stream random(seed, "far");
  base::Team team(1);
  for (int again = 0; again < 3; ++again) {
    for (auto& p : w.bodies.place) {
      for (int k = 0; k < D; ++k) p.x[k] += random.uniform(-3, 3) * w.domain.length(k);
    }
    const auto before = unwrapped(w);
    const double energy = energy_of_free(w), work = w.ledger.shear;
    find::find_neighbours(w, team);
    const double scale = 1 + std::fabs(w.domain.slide(w.time));
    for (const auto& [id, now] : unwrapped(w)) {
      EXPECT_LT(math::norm(now.x - before.at(id).x), 1e-12 * scale);
      EXPECT_LT(math::norm(now.v - before.at(id).v), 1e-12 * scale);
      EXPECT_LT(math::norm(now.v_now - before.at(id).v_now), 1e-12 * scale);
    }
    for (const auto& p : w.bodies.place) {
      for (int k = 0; k < D; ++k) {
        EXPECT_GE(p.x[k], w.domain.min[k]);
        EXPECT_LE(p.x[k], w.domain.max[k]);
      }
    }
    EXPECT_NEAR(w.ledger.shear - work, energy_of_free(w) - energy, 1e-11 * (energy + energy_of_free(w)));
    const double length = w.domain.length(w.domain.shear.flow);
    EXPECT_LE(std::fabs(w.domain.slide(w.time) - w.domain.shear_turns * length), 0.5 * length * (1 + 1e-12));
    EXPECT_EQ(w.found_time, w.time);
    w.time += random.uniform(0, 20);
  }
  EXPECT_NE(w.ledger.shear, 0);
}

TEST(FindShear, WrappedBodiesAreWhereAndAsFastAsBefore) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    wrap_and_compare<2>(seed);
    wrap_and_compare<3>(seed);
  }
}

TEST(FindShear, ABodyThatCrossesUpLosesTheSpeedOfTheImageAbove) {
  World<2> w;
  w.domain.min = {0, 0};
  w.domain.max = {10, 5};
  w.domain.periodic = {true, true};
  w.domain.shear.rate = 2;  // the image above slides with 10
  w.time = 0.33;            // and has come 3.3 far
  world::NewBody<2> b;
  b.x = {1, 5.5};
  b.v = {4, 1};
  b.radius = 0.1;
  b.mass = 3;
  b.inertia = 1;
  w.bodies.add(b);
  base::Team team(1);
  find::find_neighbours(w, team);
  EXPECT_NEAR(w.bodies.place[0].x[0], 1 - 3.3 + 10, 1e-12);
  EXPECT_NEAR(w.bodies.place[0].x[1], 0.5, 1e-12);
  EXPECT_EQ(w.bodies.image[0], (std::array<std::int32_t, 2>{-1, 1}));
  EXPECT_NEAR(w.bodies.moving[0].v[0], -6, 1e-12);
  EXPECT_NEAR(w.bodies.moving[0].v_now[0], -6, 1e-12);
  EXPECT_NEAR(w.ledger.shear, 0.5 * 3 * (36 - 16), 1e-12);
}

template <int D>
std::map<IdPair, double> listed(const World<D>& w) {
  std::map<IdPair, double> out;
  const auto shifts = world::image_shifts(w.domain, w.time);
  const auto& slots = w.contacts.pairs;
  for (std::uint32_t i = 0; i < w.bodies.size(); ++i) {
    for (std::uint32_t p = slots.start[i]; p < slots.start[i + 1]; ++p) {
      const std::uint32_t j = slots.other[p];
      out[std::minmax(w.bodies.id[i], w.bodies.id[j])] =
          math::norm(w.bodies.place[j].x + shifts[slots.image[p]] - w.bodies.place[i].x);
    }
  }
  return out;
}

// Bodies go as far as the rule allows while the images slide: whoever touches is in the list, in the right image.
template <int D>
std::size_t slide_and_look(std::uint64_t seed) {
  SCOPED_TRACE(testing::Message() << "seed " << seed << ", " << D << "D");
  base::Stream random(seed, "slide");
  World<D> w = test::random_world<D>(seed, {.count = 150, .ratio = 5, .space = Space::kSheared, .fraction = 0.4});
  w.skin = std::max(w.skin, 0.02);
  base::Team team(1);
  find::find_neighbours(w, team);
  const double drift = random.uniform(0, 1) * w.skin;
  w.time += drift / std::fabs(w.domain.slide_speed());
  const double allowed = 0.5 * (w.skin - drift);
  EXPECT_FALSE(find::lists_are_old(w, 0.99 * allowed * 0.99 * allowed));
  EXPECT_TRUE(find::lists_are_old(w, 1.01 * allowed * 1.01 * allowed));
  for (auto& p : w.bodies.place) {
    math::Vec<D> way;
    for (int k = 0; k < D; ++k) way[k] = random.uniform(-1, 1);
    p.x += way * (0.999 * allowed / math::norm(way));
  }
  const auto in_list = listed(w);
  std::size_t across = 0;
  for (const auto& [pair, apart] : test::all_pairs(w, 0)) {
    if (in_list.count(pair) == 1) {
      EXPECT_NEAR(in_list.at(pair), apart, 1e-9);
    } else {
      ADD_FAILURE() << pair.first << " and " << pair.second << " are missed";
    }
  }
  for (const std::uint8_t image : w.contacts.pairs.image) {
    across += world::image_digit(image, w.domain.shear.gradient) != 0;
  }
  return across;
}

TEST(FindShear, NobodyIsMissedWhileImagesSlide) {
  std::size_t across = 0;
  for (std::uint64_t seed = 0; seed < 200 && !testing::Test::HasFailure(); ++seed) {
    across += slide_and_look<2>(seed) + slide_and_look<3>(seed);
  }
  EXPECT_GT(across, 5000U) << "there should be many pairs across the sliding boundary";
}

TEST(FindShear, ListsGrowOldBySlidingAlone) {
  World<2> w = test::random_world<2>(1, {.count = 10, .space = Space::kSheared});
  w.skin = 0.1;
  base::Team team(1);
  find::find_neighbours(w, team);
  const double speed = std::fabs(w.domain.slide_speed());
  w.time = w.found_time + 0.099 / speed;
  EXPECT_FALSE(find::lists_are_old(w, 0));
  w.time = w.found_time + 0.101 / speed;
  EXPECT_TRUE(find::lists_are_old(w, 0));
}

TEST(FindShear, ARestartMakesTheSameListsAtALaterTime) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    World<3> w =
        test::random_world<3>(seed, {.count = 300, .ratio = 20, .mix = Mix::kPowerLaw, .space = Space::kSheared});
    for (auto& clump : w.bodies.clump)
      clump = world::kNoClump;  // numbers of clumps that are not there cannot be loaded
    base::Team team(1);
    find::find_neighbours(w, team);
    w.time += 3;  // images have slid on, by more than half a length: the lists are still those of the finding
    base::Stream random(seed, "moves");
    for (auto& p : w.bodies.place) p.x[0] += random.uniform(-0.1, 0.1);
    base::Record record;
    w.save(record);
    record.settle();
    World<3> resumed;
    resumed.domain = w.domain;
    resumed.domain.shear_turns = 0;
    resumed.walls = w.walls;
    resumed.load(record);
    EXPECT_EQ(resumed.domain.shear_turns, w.domain.shear_turns);
    EXPECT_EQ(resumed.found_time, w.found_time);
    EXPECT_EQ(resumed.ledger.shear, w.ledger.shear);
    find::list_slots(resumed, team);
    EXPECT_EQ(resumed.contacts.pairs.start, w.contacts.pairs.start);
    EXPECT_EQ(resumed.contacts.pairs.other, w.contacts.pairs.other);
    EXPECT_EQ(resumed.contacts.pairs.image, w.contacts.pairs.image);
  }
}

}  // namespace
