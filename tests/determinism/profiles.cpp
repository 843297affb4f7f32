// SPDX-License-Identifier: MIT
// Profiles and the count of collisions: the same bits on any number of threads, and after a restart in a window.
#include <gtest/gtest.h>

#include "support/in_memory.hpp"

namespace {

using namespace moraine;
using test::example;
using test::InMemory;

struct Seen {
  std::map<std::string, std::vector<std::vector<double>>> tables;
  test::Results results;
  std::int64_t collisions = 0;
  std::uint64_t hash = 0;
  bool operator==(const Seen&) const = default;
};

template <int D>
Seen seen_in(const InMemory<D>& run) {
  Seen seen{{}, run.results("profile"), run.world().collisions, run.run->state_hash()};
  for (const auto& table : run.probes.at("profile")->tables()) seen.tables[table.name] = table.rows;
  return seen;
}

// So many bodies that several threads are at work.
scene::Scene large() {
  return example("bed_3d", {"setup.count=3500", "time.end=0.004", "gravity.acceleration=300", "probe.0.kind=profile",
                            "probe.0.name=profile", "probe.0.axis=z", "probe.0.min=0", "probe.0.max=0.02"});
}

TEST(ProfileBits, AreTheSameOnAnyNumberOfThreads) {
  const scene::Scene scene = large();
  const Seen one = seen_in(InMemory<3>(scene, 1).to_the_end());
  EXPECT_GT(one.collisions, 100);
  EXPECT_EQ(one.tables.size(), 1U);
  for (const int threads : {2, 3}) EXPECT_TRUE(seen_in(InMemory<3>(scene, threads).to_the_end()) == one) << threads;
}

// The windows overlap, count differently, and one ends before the break, one after it, one never.
TEST(ProfileBits, AreTheSameAfterARestartInAWindow) {
  for (const char* by : {"steps", "collisions"}) {
    const bool steps = std::string(by) == "steps";
    const scene::Scene short_form =
        example("simple_shear",
                {"time.end=0.15", "probe.1.kind=profile", "probe.1.name=profile", std::string("probe.1.by=") + by,
                 steps ? "probe.1.windows=[[0, 500], [300, 1700], [1000, 1e9]]"
                       : "probe.1.windows=[[0.1, 0.4], [0.2, 1.2], [0.8, 1e9]]"});
    const scene::Scene scene = scene::spelled_out(short_form, scene::build<2>(short_form));
    const Seen unbroken = seen_in(InMemory<2>(scene).to_the_end());
    ASSERT_EQ(unbroken.tables.size(), 3U) << by;
    for (const double part : {0.03, 0.5, 0.83}) {
      InMemory<2> first(scene);
      first.run->begin(nullptr);
      const auto stop = static_cast<std::int64_t>(part * static_cast<double>(first.run->status().end_step));
      while (first.world().step < stop) first.run->step();
      base::Record record;
      first.run->save(record);
      record.settle();
      InMemory<2> second(scene::build<2>(scene, true), 2);
      EXPECT_TRUE(seen_in(second.to_the_end(&record)) == unbroken) << by << ", broken at " << part;
    }
  }
}

}  // namespace
