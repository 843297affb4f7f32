// SPDX-License-Identifier: MIT
// Runs with inlets and outlets: exact balance at every look, the same arrivals for both methods, jams seen and not
// seen.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "math/elementary.hpp"
#include "support/in_memory.hpp"
#include "support/scenes.hpp"

namespace {

using namespace moraine;
using test::example;
using test::InMemory;

const std::string kStream = R"(
dimension = 2
[time]
end = 60
[domain]
min = [-1, -1]
max = [21, 11]
[[material]]
name = "ice"
density = 900
stiffness = 1e6
[[contact]]
restitution = 0.4
[[wall]]
name = "low"
material = "ice"
from = [-1, 0]
to = [21, 0]
[[wall]]
name = "high"
material = "ice"
from = [21, 10]
to = [-1, 10]
[[inlet]]
name = "in"
material = "ice"
line = [[0, 0.5], [0, 9.5]]
velocity = [1, 0]
surface_density = 0.25
size = { kind = "uniform", min = 0.2, max = 0.4 }
[[outlet]]
name = "out"
at = [20, 0]
direction = [1, 0]
[[probe]]
kind = "traffic"
every = 0.5
[[probe]]
kind = "jam"
window = 10.0
)";

// All come with the same speed: nothing meets, everything that came goes out again, and nothing is ever lost.
TEST(Arrivals, BalanceExactlyInBothMethods) {
  for (const char* method : {"soft", "hard"}) {
    InMemory<2> run(test::from_text(kStream, {std::string("method=") + method, "hard.step=0.02"}));
    run.to_the_end();
    const auto& rows = run.rows.at("traffic");
    ASSERT_GT(rows.size(), 100U);
    const std::size_t n = rows[0].size();
    for (const auto& row : rows) {
      for (std::size_t k = n - 3; k < n; ++k) ASSERT_EQ(row[k], 0) << method << " at " << row[0];
    }
    const auto& traffic = run.world().traffic;
    EXPECT_GT(traffic.outlets[0].went.number, 100);
    EXPECT_EQ(traffic.inlets[0].came.number, traffic.came.number);
    EXPECT_EQ(traffic.outlets[0].went.number, traffic.went.number);
    EXPECT_EQ(traffic.inlets[0].skipped, 0);
    // Covered part of the stream between inlet and outlet; the scatter of one look is about 5 %.
    const double covered = run.world().inside().size.value() / (20 * 9);
    EXPECT_NEAR(covered, 0.25, 0.05) << method;
    EXPECT_EQ(run.results("jam").at("jammed"), 0);
  }
}

// A wall across the stream: nothing leaves any more, and that is a jam.
TEST(Arrivals, AWallAcrossIsAJam) {
  const std::string dam = R"(
[[wall]]
name = "dam"
material = "ice"
from = [10, 0]
to = [10, 10]
[[load]]
kind = "force"
acceleration = [0.5, 0]
)";
  InMemory<2> run(
      test::from_text(kStream + dam, {"method=hard", "hard.step=0.02", "probe.1.blocked=0.5", "time.end=120"}));
  run.to_the_end();
  EXPECT_EQ(run.results("jam").at("jammed"), 1);
  EXPECT_EQ(run.results("jam").at("sign"), 3);
  EXPECT_LT(run.world().time, 119);  // the run ends with the jam
  EXPECT_GT(run.results("jam").at("time"), 20);
  EXPECT_EQ(run.world().traffic.went.number, 0);
  EXPECT_TRUE(run.world().traffic.balance(run.world().inside()).is_zero());
}

// One arrival in five seconds, each of which passes: in one window of 25 s out of 150 nothing leaves by chance.
TEST(Arrivals, RareOnesAreNoJam) {
  for (const char* seed : {"1", "2", "3", "4", "5"}) {
    InMemory<2> run(test::from_text(kStream, {"method=hard", "hard.step=0.05", "time.end=500", "probe.1.window=25",
                                              "inlet.0.surface_density=0.00314", std::string("seed=") + seed}));
    run.to_the_end();
    EXPECT_EQ(run.results("jam").at("jammed"), 0) << seed;
    EXPECT_EQ(run.results("jam").count("time"), 0U);
    EXPECT_GT(run.results("jam").at("due"), 20);
    EXPECT_LT(run.results("jam").at("due"), 150);
  }
}

// Who is taken away at once is not held.
TEST(Arrivals, AnOutletBehindTheInletIsNoJam) {
  InMemory<2> run(test::from_text(
      kStream, {"method=hard", "hard.step=0.02", "outlet.0.at=[-0.5, 0]", "probe.1.window=2", "time.end=60"}));
  run.to_the_end();
  EXPECT_EQ(run.results("jam").at("jammed"), 0);
  EXPECT_GT(run.results("jam").at("went"), 100);
}

// The window that is not given is a 20th of the run, however its length is told.
TEST(Arrivals, WindowsOfRunsOfSoManySteps) {
  const std::string text = moraine::testing::replaced(kStream, "window = 10.0\n", "");
  InMemory<2> timed(test::from_text(text, {"method=hard", "hard.step=0.02"}));
  InMemory<2> counted(test::from_text(moraine::testing::replaced(text, "end = 60\n", "steps = 3000\n"),
                                      {"method=hard", "hard.step=0.02"}));
  timed.to_the_end();
  counted.to_the_end();
  EXPECT_EQ(timed.rows.at("jam"), counted.rows.at("jam"));
  EXPECT_EQ(counted.results("jam").at("jammed"), 0);
}

// Of spheres through a patch, by number, volume and mass, and at equal times: what is asked for is what comes.
const std::string kDuct = R"(
dimension = 3
method = "hard"
seed = 3
[time]
end = 60
[hard]
step = 0.02
[domain]
min = [-1, -3, -3]
max = [11, 3, 3]
[[material]]
name = "ice"
density = 900
[[contact]]
restitution = 0.4
[[inlet]]
name = "in"
kind = "patch"
material = "ice"
corner = [0, -2, -2]
side_a = [0, 4, 0]
side_b = [0, 0, 4]
velocity = [1, 0, 0]
rate = 5.0
size = { kind = "uniform", min = 0.1, max = 0.2 }
[[outlet]]
name = "out"
at = [10, 0, 0]
direction = [1, 0, 0]
[[probe]]
kind = "traffic"
)";

TEST(Patches, BringWhatIsAskedFor) {
  const auto run_of = [](const std::vector<std::string>& from, const std::string& to) {
    std::string text = kDuct;
    for (const std::string& line : from) text = moraine::testing::replaced(text, line, to);
    auto run = std::make_unique<InMemory<3>>(test::from_text(text));
    run->to_the_end();
    EXPECT_TRUE(run->world().traffic.balance(run->world().inside()).is_zero());
    return run;
  };
  const std::string rate = "rate = 5.0";
  // 300 arrivals: one standard deviation is 6 %, of their mass 7 %.
  const auto number = run_of({rate}, rate);
  EXPECT_NEAR(static_cast<double>(number->world().traffic.inlets[0].due), 300, 3 * std::sqrt(300));
  EXPECT_EQ(number->world().traffic.inlets[0].skipped, 0);
  EXPECT_GT(number->world().traffic.outlets[0].went.number, 200);
  for (const auto& p : number->world().bodies.place) {
    EXPECT_LE(std::fabs(p.x[1]), 2.001);  // they start in the patch; a few push each other a little
    EXPECT_LE(std::fabs(p.x[2]), 2.001);
  }
  // A part 0.005 of 1 m/s x 16 m^2 x 60 s = 960 m^3.
  const auto volume = run_of({rate}, "volume_fraction = 0.005");
  EXPECT_NEAR(volume->world().traffic.inlets[0].came.size.value(), 4.8, 0.25 * 4.8);
  const auto mass = run_of({rate}, "mass_rate = 72");
  EXPECT_NEAR(mass->world().traffic.inlets[0].came.mass.value(), 72 * 60, 0.25 * 72 * 60);
  // With constant waits the number is exact: one after 0.2 s, 0.4 s and so on.
  const auto even = run_of({rate}, rate + "\nwaiting = \"constant\"");
  EXPECT_NEAR(static_cast<double>(even->world().traffic.inlets[0].due), 300, 1);
}

// 003 8.3, and the faster rate of the docs: seeds of their own.
TEST(Chutes, ClogAtTwelvePerSecondAndNotAtTheRateOfTheSource) {
  InMemory<2> slow(example("chute_bin", {"time.end=12"}));
  slow.to_the_end();
  EXPECT_EQ(slow.results("jam").at("jammed"), 0);
  EXPECT_EQ(slow.world().traffic.inlets[0].skipped, 0);
  EXPECT_TRUE(slow.world().traffic.balance(slow.world().inside()).is_zero());
  InMemory<2> fast(example("chute_bin", {"inlet.0.rate=12"}));
  fast.to_the_end();
  EXPECT_EQ(fast.results("jam").at("jammed"), 1);
  EXPECT_EQ(fast.results("jam").at("sign"), 3);
  EXPECT_LT(fast.results("jam").at("time"), 16);
  EXPECT_TRUE(fast.world().traffic.balance(fast.world().inside()).is_zero());
}

// Nothing touches: clusters are of one, also if for half of the run there is none.
TEST(PatchProbe, LooksWithoutBodiesHaveNoSize) {
  const std::string probe = "\n[[probe]]\nkind = \"patches\"\n";
  InMemory<2> run(test::from_text(kStream + probe, {"method=hard", "hard.step=0.02", "time.end=40", "inlet.0.from=15",
                                                    "inlet.0.surface_density=0.02"}));
  run.to_the_end();
  EXPECT_EQ(run.rows.at("patches").front()[1], 0);
  EXPECT_EQ(run.results("patches").at("mean_size"), 1);
}

TEST(Examples, WithInletsBalanceExactly) {
  const std::vector<std::pair<const char*, const char*>> all{{"river_ice", "300"},
                                                             {"pier_ice", "200"},
                                                             {"pipe_jam", "30"},
                                                             {"floes_random_shapes", "60"},
                                                             {"ice_breakup", "2"}};
  for (const auto& [name, end] : all) {
    InMemory<2> run(example(name, {std::string("time.end=") + end}));
    run.to_the_end();
    EXPECT_TRUE(run.world().traffic.balance(run.world().inside()).is_zero()) << name;
  }
}

// A run that goes on from a saved state ends with the same bits.
void expect_same_after(const scene::Scene& scene, const std::vector<std::int64_t>& stops) {
  InMemory<2> whole(scene);
  whole.to_the_end();
  for (const std::int64_t stop : stops) {
    InMemory<2> first(scene);
    first.run->begin(nullptr);
    while (first.world().step < stop) first.run->step();
    base::Record record;
    first.run->save(record);
    record.settle();
    InMemory<2> second(scene::build<2>(scene, true), 2);
    second.to_the_end(&record);
    EXPECT_EQ(second.run->state_hash(), whole.run->state_hash()) << "stopped at step " << stop;
    EXPECT_TRUE(second.world().traffic.balance(second.world().inside()).is_zero());
  }
}

TEST(Arrivals, GoOnFromAnyMoment) {
  base::Stream random(9, "moments");
  std::vector<std::int64_t> stops;
  for (int k = 0; k < 10; ++k) stops.push_back(static_cast<std::int64_t>(random.below(1000)));
  expect_same_after(test::from_text(kStream, {"method=hard", "hard.step=0.02", "time.end=20"}), stops);
}

// Three in a row every 5 s, at 1 m/s: when the next row is due, the last of the one before stands 1 m from the place of
// the first, which needs 1.2 m.
const std::string kRows = R"(
dimension = 2
method = "hard"
[time]
end = 21
[hard]
step = 0.02
[domain]
min = [-1, -1]
max = [101, 1]
[[material]]
name = "ice"
density = 900
[[contact]]
restitution = 0.4
[[inlet]]
name = "rows"
kind = "batch"
material = "ice"
points = [[0, 0], [2, 0], [4, 0]]
radii = [0.6, 0.6, 0.6]
velocity = [1, 0]
every = 5
clear_max = [3.5, 1]
)";

TEST(Batches, SkipOrWaitWhereThereIsNoRoom) {
  InMemory<2> skips(test::from_text(kRows));
  skips.to_the_end();
  EXPECT_EQ(skips.world().traffic.inlets[0].due, 15);
  EXPECT_EQ(skips.world().traffic.inlets[0].skipped, 4);  // the first of each later row
  EXPECT_EQ(skips.world().traffic.inlets[0].came.number, 11);
  EXPECT_EQ(skips.world().traffic.inlets[0].held, 0);

  InMemory<2> waits(test::from_text(kRows, {"inlet.0.without_room=wait"}));
  waits.to_the_end();
  EXPECT_EQ(waits.world().traffic.inlets[0].due, 15);
  EXPECT_EQ(waits.world().traffic.inlets[0].skipped, 0);
  EXPECT_EQ(waits.world().traffic.inlets[0].came.number, 15);
  // They came 0.2 s late, so the gap is 1.2 m, and nothing ever met.
  const auto& bodies = waits.world().bodies;
  double least = 10;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    EXPECT_EQ(bodies.moving[i].v[0], 1);
    for (std::size_t j = 0; j < i; ++j) least = std::min(least, std::fabs(bodies.place[i].x[0] - bodies.place[j].x[0]));
  }
  EXPECT_NEAR(least, 1.2, 0.021);
  EXPECT_GE(least, 1.2 - 1e-8);

  // One that waits when all have been due still comes.
  InMemory<2> counted(test::from_text(kRows, {"inlet.0.without_room=wait", "inlet.0.count=6"}));
  counted.to_the_end();
  EXPECT_EQ(counted.world().traffic.inlets[0].came.number, 6);
}

TEST(Batches, GoOnWhileOneWaits) {
  expect_same_after(test::from_text(kRows, {"inlet.0.without_room=wait"}), {249, 251, 255, 259, 262, 505});
}

// Four in a row are pushed against a wall, a fifth passes by: the load is what pushes them, whatever the row of looks.
TEST(Accumulation, CountsWhoLeansOnTheWallAndAveragesTheLoad) {
  std::string text = R"(
dimension = 2
method = "hard"
[time]
end = 4
[hard]
step = 0.01
[domain]
min = [-30, -5]
max = [30, 20]
[[material]]
name = "ice"
density = 900
[[contact]]
restitution = 0
[[wall]]
name = "pier"
material = "ice"
from = [0, 3]
to = [0, -3]
[[load]]
kind = "force"
acceleration = [0.5, 0]
[[probe]]
kind = "accumulation"
walls = ["pier"]
row_every = 0.25
from = 2.6
)";
  for (const char* x : {"-0.5", "-1.5", "-2.5", "-3.5"})
    text += "[[body]]\nmaterial = \"ice\"\nradius = 0.5\nposition = [" + std::string(x) + ", 0]\n";
  text += "[[body]]\nmaterial = \"ice\"\nradius = 0.5\nposition = [-5, 10]\n";
  const double mass = 900 * math::kPi * 0.25, load = 4 * mass * 0.5;
  for (const char* every : {"0.01", "0.05"}) {
    InMemory<2> run(test::from_text(text, {std::string("probe.0.every=") + every}));
    run.to_the_end();
    const auto results = run.results("accumulation");
    EXPECT_EQ(results.at("mean_number"), 4) << every;
    EXPECT_NEAR(results.at("mean_area"), math::kPi, 1e-12);
    EXPECT_NEAR(results.at("mean_load"), load, 1e-6 * load) << "1413.7 N";
    EXPECT_NEAR(results.at("largest_load"), load, 1e-6 * load);
    EXPECT_NEAR(results.at("largest_peak"), load, 1e-6 * load);
    EXPECT_NEAR(results.at("load_x"), load, 1e-6 * load);
    EXPECT_NEAR(results.at("load_y"), 0, 1e-6 * load);
    EXPECT_EQ(run.rows.at("accumulation").size(), 17U);
  }
  // An impact is a peak of one step; the mean has all of its momentum.
  InMemory<2> hit(test::from_text(text, {"body.3.position=[-3.6, 0]", "probe.0.from=0", "time.end=1"}));
  hit.to_the_end();
  EXPECT_GT(hit.results("accumulation").at("largest_peak"), 2 * hit.results("accumulation").at("largest_load"));
  double momentum = 0;
  for (const auto& row : hit.rows.at("accumulation")) momentum += 0.25 * (row[0] > 0 ? row[4] : 0);
  EXPECT_NEAR(momentum, load, 0.02 * load) << "what the load gave in 1 s";
}

TEST(Accumulation, GoesOnFromASavedState) { expect_same_after(example("pier_ice", {"time.end=300"}), {400, 777}); }

}  // namespace
