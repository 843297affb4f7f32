// SPDX-License-Identifier: MIT
// Simulations of the library against closed forms: what they tell, what can be changed, loads and callbacks.
#include <gtest/gtest.h>

#include <cmath>
#include <moraine/moraine.hpp>
#include <set>
#include <stdexcept>
#include <utility>

#include "support/program.hpp"

namespace {

using moraine::Body;
using moraine::BodyState;
using moraine::Contact;
using moraine::Energy;
using moraine::Held;
using moraine::InputError;
using moraine::NewBody;
using moraine::RunError;
using moraine::Scene;
using moraine::Simulation;
using moraine::Vector;
using moraine::Wrench;

constexpr double kGravity = 9.81, kPi = 3.14159265358979323846;

// A ball of rock high above a floor, 1 s in steps of 1 ms unless `more` says otherwise.
Scene ball(const std::vector<std::string>& sets = {}, const std::string& more = "") {
  return Scene::from_text(R"(
dimension = 3
[time]
end = 1
step = 1e-3
[gravity]
acceleration = 9.81
[[material]]
name = "rock"
density = 2500
stiffness = 1e4
[[material]]
name = "ice"
density = 900
stiffness = 1e4
[[contact]]
restitution = 0.5
friction = 0.4
[[wall]]
name = "floor"
material = "rock"
point = [0, 0, 0]
normal = [0, 0, 1]
[[body]]
material = "rock"
radius = 0.1
position = [0, 0, 10]
)" + more,
                          sets);
}
constexpr double kMass = 2500 * 4.0 / 3 * kPi * 1e-3;
constexpr double kInertia = 0.4 * kMass * 0.01;

TEST(ApiSimulation, AllThatIsToldBelongsToTheSameInstant) {
  Simulation s(ball());
  EXPECT_EQ(s.dimension(), 3);
  EXPECT_DOUBLE_EQ(s.dt(), 1e-3);
  EXPECT_EQ(s.time(), 0);
  EXPECT_DOUBLE_EQ(s.body(0).position[2], 10);
  s.step(300);
  EXPECT_EQ(s.steps(), 300);
  EXPECT_DOUBLE_EQ(s.time(), 0.3);
  const Body b = s.body(0);
  EXPECT_NEAR(b.position[2], 10 - 0.5 * kGravity * 0.09, 1e-12);
  EXPECT_NEAR(b.velocity[2], -kGravity * 0.3, 1e-12);
  EXPECT_NEAR(b.mass, kMass, 1e-12 * kMass);
  EXPECT_EQ(b.radius, 0.1);
  EXPECT_EQ(b.held, Held::kFree);
  EXPECT_EQ(b.clump, -1);
  EXPECT_EQ(b.orientation, (std::array<double, 4>{1, 0, 0, 0}));
  EXPECT_EQ(s.materials(), (std::vector<std::string>{"rock", "ice"}));
  EXPECT_TRUE(s.contacts().empty());
  const Energy e = s.energy();
  EXPECT_NEAR(e.translational, 0.5 * kMass * std::pow(kGravity * 0.3, 2), 1e-9);
  EXPECT_NEAR(e.mechanical(), kMass * kGravity * 10, 1e-9);
}

TEST(ApiSimulation, RunsToATimeAndToItsEnd) {
  Simulation s(ball());
  s.run_until(0.25);
  EXPECT_EQ(s.steps(), 250);
  s.run_until(0.1);
  EXPECT_EQ(s.steps(), 250);
  EXPECT_FALSE(s.finished());
  s.run();
  EXPECT_TRUE(s.finished());
  EXPECT_EQ(s.steps(), 1000);
  s.step(5);
  s.run_until(2);
  EXPECT_EQ(s.steps(), 1000);
  EXPECT_NEAR(s.body(0).velocity[2], -kGravity, 1e-11);
  EXPECT_THROW(s.step(-1), InputError);
}

TEST(ApiSimulation, AHeldBodyAndAListByIds) {
  Simulation s(ball({}, R"(
[[body]]
material = "ice"
radius = 0.2
position = [3, 0, 5]
fixed = true
[[body]]
material = "ice"
radius = 0.2
position = [-3, 0, 5]
motion = [{velocity = [0, 2, 0]}]
)"));
  s.step(100);
  const std::vector<Body> all = s.bodies();
  ASSERT_EQ(all.size(), 3U);
  EXPECT_EQ(s.body_count(), 3U);
  for (std::size_t k = 0; k < 3; ++k) EXPECT_EQ(all[k].id, static_cast<std::int64_t>(k));
  EXPECT_EQ(all[1].held, Held::kFixed);
  EXPECT_EQ(all[1].material, 1U);
  EXPECT_EQ(all[2].held, Held::kPrescribed);
  EXPECT_NEAR(all[2].position[1], 0.2, 1e-12);
  EXPECT_THROW(s.body(3), InputError);
  EXPECT_THROW(s.set_velocity(1, {1, 0, 0}), InputError);
  EXPECT_THROW(s.set_spin(2, {1, 0, 0}), InputError);
}

TEST(ApiSimulation, ABallAtRestLeansOnTheFloorWithItsWeight) {
  Simulation s(ball({"body.0.position=[0, 0, 0.1]", "time.end=3", "contact.0.restitution=0.2"}));
  s.run();
  const double weight = kMass * kGravity;
  const std::vector<Contact> contacts = s.contacts();
  ASSERT_EQ(contacts.size(), 1U);
  const Contact c = contacts[0];
  EXPECT_EQ(c.a, 0);
  EXPECT_EQ(c.b, -1);
  EXPECT_EQ(c.wall, 0);
  EXPECT_NEAR(c.normal[2], -1, 1e-12);
  EXPECT_NEAR(c.force[2], weight, 1e-6 * weight);
  EXPECT_NEAR(c.overlap, 0.1 - s.body(0).position[2], 1e-12);
  EXPECT_NEAR(c.point[2], 0, c.overlap);
  EXPECT_NEAR(s.wall("floor").force[2], -weight, 1e-6 * weight);
  ASSERT_EQ(s.walls().size(), 1U);
  EXPECT_EQ(s.walls()[0].name, "floor");
  EXPECT_THROW(s.wall("roof"), InputError);
}

TEST(ApiSimulation, ContactsOfBodiesNameBoth) {
  Simulation s(ball({"gravity.acceleration=0"}, R"(
[[body]]
material = "ice"
radius = 0.1
position = [0.201, 0, 10]
velocity = [-1, 0, 0]
)"));
  while (s.contacts().empty() && !s.finished()) s.step();
  ASSERT_EQ(s.contacts().size(), 1U);
  const Contact c = s.contacts()[0];
  EXPECT_EQ(c.a, 0);
  EXPECT_EQ(c.b, 1);
  EXPECT_EQ(c.wall, -1);
  EXPECT_NEAR(c.normal[0], 1, 1e-12);
  EXPECT_LT(c.force[0], 0);
}

TEST(ApiSimulation, WallsThatMoveTellWhereTheyAre) {
  Simulation s(ball({"wall.0.motion=[{velocity = [0, 0, 0.5]}]"}));
  s.step(200);
  EXPECT_NEAR(s.wall("floor").position[2], 0.1, 1e-12);
  EXPECT_NEAR(s.wall("floor").velocity[2], 0.5, 1e-12);
}

// Stokes' drag: v = (1 - exp(-t / tau)) g tau downwards, tau = m / c.
TEST(ApiLoads, DragLeadsToTheTerminalVelocity) {
  Simulation s(ball({"time.end=1"}));
  const double tau = 0.04, c = kMass / tau;
  s.add_load([c](const BodyState& b, double) {
    return Wrench{{-c * b.velocity[0], -c * b.velocity[1], -c * b.velocity[2]}, {}};
  });
  s.run_until(tau);
  // Of second order in dt / tau = 1/40.
  EXPECT_NEAR(s.body(0).velocity[2], -kGravity * tau * (1 - std::exp(-1)), 1e-3 * kGravity * tau);
  s.run();
  EXPECT_NEAR(s.body(0).velocity[2], -kGravity * tau, 1e-9 * kGravity * tau);  // exp(-25) is left
}

// A stream of a program's own: a ball in u = (2 + x, 0, 0) t goes with it.
TEST(ApiFlow, CarriesBodiesThatLoadsOfTheScenePutInIt) {
  const std::string flow =
      "[flow]\nkind = \"callback\"\n[[load]]\nkind = \"stream\"\nviscosity = 1\n"
      "[[body]]\nmaterial = \"ice\"\nradius = 0.1\nposition = [3, 0, 10]\n";
  Simulation s(ball({"gravity.acceleration=0"}, flow));
  EXPECT_THROW(s.set_flow(nullptr), InputError);
  s.set_flow([](const Vector& x, double t) { return Vector{(2 + x[0]) * t, 0, 0}; });
  s.step(500);
  const Vector at = s.body(1).position;
  EXPECT_NEAR(s.flow_velocity(at)[0], (2 + at[0]) * 0.5, 1e-12);
  EXPECT_EQ(s.flow_velocity(at)[1], 0);
  // m v' = 6 pi eta R (u - v) with u = 5 t, but for the little way that it has gone.
  const double tau = 4.0 / 3 * kPi * 1e-3 * 900 / (6 * kPi * 0.1), v = 5 * (0.5 - tau * (1 - std::exp(-0.5 / tau)));
  EXPECT_NEAR(s.body(1).velocity[0], v, 0.01 * v);
  EXPECT_GT(s.body(1).velocity[0], s.body(0).velocity[0]);
}

TEST(ApiFlow, IsForScenesThatAskForIt) {
  Simulation s(ball());
  EXPECT_THROW(s.set_flow([](const Vector&, double) { return Vector{}; }), InputError);
  EXPECT_EQ(s.flow_velocity({1, 2, 3}), Vector{});
  Simulation waiting(ball({}, "[flow]\nkind = \"callback\"\n"));
  EXPECT_THROW(waiting.step(), RunError);
}

TEST(ApiLoads, SeeTheBodyAndTheTime) {
  Simulation s(ball({"body.0.spin=[0, 0, 3]", "body.0.material=ice"}));
  std::vector<double> times;
  BodyState seen;
  s.add_load([&](const BodyState& b, double t) {
    times.push_back(t);
    seen = b;
    return Wrench{};
  });
  s.step(3);
  EXPECT_EQ(times, (std::vector<double>{0, 1e-3, 2e-3}));
  s.body(0);
  EXPECT_EQ(times.size(), 4U);
  s.body(0);
  s.bodies();
  EXPECT_EQ(times.size(), 4U);  // one look is enough
  s.step();
  EXPECT_EQ(times.size(), 4U);  // and serves the step
  EXPECT_EQ(seen.id, 0);
  EXPECT_EQ(seen.material, 1U);
  EXPECT_EQ(seen.radius, 0.1);
  EXPECT_NEAR(seen.mass, kMass * 900 / 2500, 1e-12);
  EXPECT_EQ(seen.spin[2], 3);
  EXPECT_NEAR(seen.position[2], 10 - 0.5 * kGravity * 9e-6, 1e-12);
  EXPECT_NEAR(seen.velocity[2], -kGravity * 3e-3, 1e-12);
  EXPECT_FALSE(seen.is_clump);
}

TEST(ApiLoads, ATorqueSpinsUp) {
  Simulation s(ball());
  s.add_load([](const BodyState&, double) { return Wrench{{}, {0, 0.2 * kInertia, 0}}; });
  s.run();
  EXPECT_NEAR(s.body(0).spin[1], 0.2, 1e-12);
}

TEST(ApiLoads, InThePlaneOnlyThePlaneCounts) {
  Simulation s(Scene::from_text(R"(
dimension = 2
time = {end = 1, step = 1e-2}
material = [{name = "rock", density = 1000, stiffness = 1e3}]
contact = [{restitution = 0.5}]
body = [{material = "rock", radius = 0.1, position = [0, 0]}]
)"));
  s.add_load([](const BodyState& b, double) { return Wrench{{b.mass, 0, 1e9}, {1e9, 1e9, 0.5 * b.mass * 0.01}}; });
  s.run();
  const Body b = s.body(0);
  EXPECT_NEAR(b.velocity[0], 1, 1e-12);
  EXPECT_NEAR(b.position[0], 0.5, 1e-12);
  EXPECT_EQ(b.position[2], 0);
  EXPECT_NEAR(b.spin[2], 1, 1e-12);
  EXPECT_EQ(b.spin[0], 0);
}

TEST(ApiLoads, AddedAfterALookActFromThatInstant) {
  Simulation s(ball({"gravity.acceleration=0"}));
  s.step(10);
  EXPECT_EQ(s.body(0).velocity[2], 0);
  s.add_load([](const BodyState& b, double) { return Wrench{{b.mass, 0, 0}, {}}; });
  s.step(10);
  // Velocities are at half steps: the first kick is a whole one from the step before.
  EXPECT_NEAR(s.body(0).velocity[0], 10.5e-3, 1e-12);
}

TEST(ApiLoads, OnManyBodiesAndThreadsGiveTheSameBits) {
  const auto hash = [](int threads) {
    Simulation s(
        Scene::from_file(moraine::testing::examples_folder() / "bed_3d.toml", {"setup.count=3500", "time.end=0.001"}),
        {.threads = threads});
    s.add_load([](const BodyState& b, double t) { return Wrench{{b.mass * 100 * t, -b.mass * b.position[1], 0}, {}}; });
    s.run();
    return s.state_hash();
  };
  EXPECT_EQ(hash(1), hash(3));
}

TEST(ApiLoads, WhatIsNoNumberIsTrouble) {
  Simulation s(ball());
  s.add_load([](const BodyState&, double t) { return Wrench{{t > 4.5e-3 ? std::nan("") : 0, 0, 0}, {}}; });
  s.step(5);
  EXPECT_THROW(s.step(), RunError);
  EXPECT_THROW(s.step(), RunError);
  EXPECT_THROW(s.bodies(), RunError);
  EXPECT_THROW(s.save_checkpoint("/nowhere"), RunError);
}

TEST(ApiLoads, WhatTheyThrowComesThrough) {
  Simulation s(ball());
  s.add_load([](const BodyState&, double) -> Wrench { throw std::domain_error("my own"); });
  EXPECT_THROW(s.step(), std::domain_error);
  EXPECT_THROW(s.step(), RunError);
}

TEST(ApiLoads, MustNotAskTheSimulation) {
  Simulation s(ball());
  s.add_load([&](const BodyState&, double) { return Wrench{s.body(0).velocity, {}}; });
  EXPECT_THROW(s.step(), RunError);
  EXPECT_THROW(Simulation(ball()).add_load(nullptr), InputError);
}

TEST(ApiCallbacks, ComeWhenDueAndAfterTheLastStep) {
  Simulation s(ball({"time.end=0.0105", "time.step=5e-4"}));
  std::vector<std::int64_t> at;
  s.on_step(6, [&](Simulation& now) { at.push_back(now.steps()); });
  s.run();
  EXPECT_EQ(at, (std::vector<std::int64_t>{6, 12, 18, 21}));
  EXPECT_THROW(s.on_step(0, [](Simulation&) {}), InputError);
  EXPECT_THROW(s.on_step(1, nullptr), InputError);
}

TEST(ApiCallbacks, MayChangeButNotStep) {
  Simulation s(ball({"gravity.acceleration=0"}));
  s.on_step(100, [](Simulation& now) { now.set_velocity(0, {now.body(0).velocity[0] + 1, 0, 0}); });
  s.step(250);
  EXPECT_NEAR(s.body(0).velocity[0], 2, 1e-12);
  EXPECT_NEAR(s.body(0).position[0], 0.1 + 0.05 * 2, 1e-12);

  Simulation other(ball());
  other.on_step(1, [](Simulation& now) { now.step(); });
  EXPECT_THROW(other.step(), RunError);
}

TEST(ApiCallbacks, WhatTheyThrowComesThroughAndDoesNoHarm) {
  Simulation s(ball());
  s.on_step(3, [](Simulation&) { throw std::domain_error("enough"); });
  EXPECT_THROW(s.run(), std::domain_error);
  EXPECT_EQ(s.steps(), 3);
  s.step(2);
  EXPECT_NEAR(s.body(0).velocity[2], -kGravity * 5e-3, 1e-12);
}

TEST(ApiChanges, AVelocityHoldsFromTheInstantItIsSet) {
  for (const bool looked : {false, true}) {
    Simulation s(ball());
    s.step(100);
    const Vector before{0, 0, 10 - 0.5 * kGravity * 0.01};
    if (looked) {
      EXPECT_NEAR(s.body(0).position[2], before[2], 1e-12);
    }
    s.set_velocity(0, {1, 0, 2});
    s.set_spin(0, {0, 5, 0});
    EXPECT_NEAR(s.body(0).velocity[2], 2, 1e-12);
    EXPECT_NEAR(s.body(0).velocity[0], 1, 1e-12);
    EXPECT_NEAR(s.body(0).spin[1], 5, 1e-12);
    s.step(100);
    EXPECT_NEAR(s.body(0).position[0], 0.1, 1e-12);
    EXPECT_NEAR(s.body(0).position[2], before[2] + 0.2 - 0.5 * kGravity * 0.01, 1e-12);
    EXPECT_NEAR(s.body(0).velocity[2], 2 - kGravity * 0.1, 1e-12);
    EXPECT_NEAR(s.body(0).spin[1], 5, 1e-12);
  }
  Simulation s(ball());
  EXPECT_THROW(s.set_velocity(0, {std::nan(""), 0, 0}), InputError);
  EXPECT_THROW(s.set_spin(0, {INFINITY, 0, 0}), InputError);
  EXPECT_THROW(s.set_velocity(7, {}), InputError);
  EXPECT_NO_THROW(s.step());
}

TEST(ApiChanges, ABodyThatIsAddedFalls) {
  Simulation s(ball());
  s.step(100);
  s.body_count();
  const std::int64_t id =
      s.add_body({.position = {1, 0, 10}, .radius = 0.05, .material = 1, .velocity = {0, 3, 0}, .spin = {0, 0, 1}});
  EXPECT_EQ(id, 1);
  EXPECT_EQ(s.body_count(), 2U);
  s.step(100);
  const Body b = s.body(id);
  EXPECT_NEAR(b.position[1], 0.3, 1e-12);
  EXPECT_NEAR(b.position[2], 10 - 0.5 * kGravity * 0.01, 1e-12);
  EXPECT_NEAR(b.mass, 900 * 4.0 / 3 * kPi * 1.25e-4, 1e-12);
  EXPECT_NEAR(b.spin[2], 1, 1e-12);
  const std::int64_t fixed = s.add_body({.position = {-1, 0, 10}, .radius = 0.05, .fixed = true});
  s.step(10);
  EXPECT_EQ(s.body(fixed).position[2], 10);
  EXPECT_EQ(s.body(fixed).held, Held::kFixed);
}

TEST(ApiChanges, ABodyThatIsAddedMeetsOthers) {
  Simulation s(ball({"gravity.acceleration=0"}));
  s.step(5);
  s.add_body({.position = {0.5, 0, 10}, .radius = 0.1, .velocity = {-2, 0, 0}});
  s.run_until(0.5);
  EXPECT_NEAR(s.body(0).velocity[0] + s.body(1).velocity[0], -2, 1e-12);
  EXPECT_NEAR(s.body(1).velocity[0] - s.body(0).velocity[0], 0.5 * 2, 0.02);  // restitution
}

TEST(ApiChanges, WhatCannotBeAddedIsRefused) {
  Simulation s(ball({}, "[domain]\nmin = [-5, -5, -5]\nmax = [5, 5, 20]\nperiodic = [\"x\"]\n"));
  const auto refused = [&](const NewBody& body, const std::string& key) {
    try {
      s.add_body(body);
    } catch (const InputError& error) {
      return error.problems().at(0).key == key;
    }
    return false;
  };
  EXPECT_TRUE(refused({.position = {0, 0, 5}, .radius = 0}, "radius"));
  EXPECT_TRUE(refused({.position = {0, 0, 5}, .radius = std::nan("")}, "radius"));
  EXPECT_TRUE(refused({.position = {0, 0, 5}, .radius = 2.6}, "radius"));   // meets itself round the domain
  EXPECT_TRUE(refused({.position = {0, 0, 5}, .radius = 1e-3}, "radius"));  // so light that the step is too long
  EXPECT_TRUE(refused({.position = {0, 0, 5}, .radius = 1e-150}, "radius"));
  EXPECT_TRUE(refused({.position = {0, 0, 50}, .radius = 0.1}, "position"));
  EXPECT_TRUE(refused({.position = {0, 0, std::nan("")}, .radius = 0.1}, "position"));
  EXPECT_TRUE(refused({.position = {0, 0, 5}, .radius = 0.1, .material = 2}, "material"));
  EXPECT_EQ(s.body_count(), 1U);
  s.step();
}

TEST(ApiChanges, ABodyThatIsRemovedIsGone) {
  Simulation s(ball({"body.0.position=[0, 0, 0.1]", "material.0.stiffness=5e4", "time.end=3"}, R"(
[[body]]
material = "rock"
radius = 0.1
position = [0, 0, 0.3]
)"));
  s.step(900);
  EXPECT_EQ(s.contacts().size(), 2U);
  s.remove_body(0);
  EXPECT_EQ(s.body_count(), 1U);
  EXPECT_TRUE(s.contacts().empty());
  EXPECT_THROW(s.body(0), InputError);
  EXPECT_THROW(s.remove_body(0), InputError);
  s.run();
  EXPECT_NEAR(s.body(1).position[2], 0.1, 0.02);
  EXPECT_EQ(s.add_body({.position = {1, 0, 1}, .radius = 0.1}), 2);  // ids are not used again
}

const std::string kRods = R"(
[[clump]]
name = "rod"
positions = [[-0.15, 0, 0], [0, 0, 0], [0.15, 0, 0]]
radii = [0.1, 0.1, 0.1]
[[body]]
clump = "rod"
material = "rock"
position = [1, 0, 5]
[[body]]
clump = "rod"
material = "rock"
position = [-1, 0, 5]
)";

TEST(ApiClumps, MoveAsOne) {
  Simulation s(ball({}, kRods));
  ASSERT_EQ(s.clumps().size(), 2U);
  EXPECT_EQ(s.clumps()[1].members, (std::vector<std::int64_t>{4, 5, 6}));
  EXPECT_EQ(s.body(4).clump, s.clumps()[1].id);
  EXPECT_NEAR(s.clumps()[0].radius, 0.25, 1e-12);
  s.step(100);
  s.set_velocity(2, {0, 1, 0});
  s.set_spin(1, {0, 0, 2});
  const moraine::Clump start = s.clumps()[0];
  EXPECT_NEAR(start.velocity[1], 1, 1e-12);
  EXPECT_NEAR(start.spin[2], 2, 1e-12);
  EXPECT_NEAR(start.position[2], 5 - 0.5 * kGravity * 0.01, 1e-12);
  EXPECT_NEAR(s.body(1).velocity[1], 1 - 2 * 0.15, 1e-9);
  s.step(100);
  const moraine::Clump rod = s.clumps()[0];
  EXPECT_NEAR(rod.position[1], 0.1, 1e-12);
  EXPECT_NEAR(rod.velocity[2], -kGravity * 0.1, 1e-12);
  EXPECT_NEAR(2 * std::atan2(rod.orientation[3], rod.orientation[0]), 0.2, 1e-6);
  double mass = 0;
  for (const std::int64_t id : rod.members) mass += s.body(id).mass;
  EXPECT_NEAR(mass, rod.mass, 1e-12 * mass);
  s.remove_body(2);
  EXPECT_EQ(s.body_count(), 4U);
  EXPECT_EQ(s.clumps().size(), 1U);
  s.step(10);
}

TEST(ApiClumps, AreSeenByLoadsAsOne) {
  Simulation s(ball({}, kRods));
  std::set<std::int64_t> clumps;
  s.add_load([&](const BodyState& b, double) {
    if (b.is_clump) clumps.insert(b.id);
    return Wrench{{0, 0, b.mass * kGravity}, {}};
  });
  s.run();
  EXPECT_EQ(clumps, (std::set<std::int64_t>{1, 4}));
  EXPECT_NEAR(s.clumps()[0].position[2], 5, 1e-12);
}

TEST(ApiEnergy, TheBudgetClosesWithLoadsAndChanges) {
  Simulation s(ball({"body.0.position=[0, 0, 0.2]", "time.end=1", "time.step=1e-4", "material.0.stiffness=1e5"}, kRods),
               {.energy_budget = true});
  const auto balance = [&] {
    const Energy e = s.energy();
    return e.mechanical() + e.dissipated() - e.walls - e.loads - e.shear - e.added;
  };
  const double start = balance(), scale = kMass * kGravity * 0.1;
  s.add_load([](const BodyState& b, double) { return Wrench{{0.5 * b.mass, 0, 0}, {}}; });
  s.run_until(0.5);
  const Energy early = s.energy();
  EXPECT_GT(early.dissipated(), 0.1 * scale);
  EXPECT_GT(early.normal_damping, 0);
  EXPECT_GT(early.loads, 0);
  EXPECT_NEAR(balance(), start, 2e-3 * scale);
  s.set_velocity(0, {2, 0, 0.5});
  s.set_spin(1, {3, 0, 0});
  s.add_body({.position = {0, 3, 0.5}, .radius = 0.1, .velocity = {1, 0, 0}});
  s.remove_body(4);
  EXPECT_NEAR(balance(), start, 3e-3 * scale);
  s.run();
  EXPECT_NEAR(balance(), start, 5e-3 * scale);
}

TEST(ApiEnergy, WithoutABudgetOnlyWhatIsThereIsKnown) {
  Simulation s(ball({"body.0.position=[0, 0, 0.1]"}));
  s.step(10);
  EXPECT_EQ(s.energy().dissipated(), 0);
  EXPECT_GT(s.energy().kinetic(), 0);
}

TEST(ApiSimulation, TroubleInARunIsARunError) {
  Simulation s(ball({"body.0.velocity=[0, 0, -500]"}));
  try {
    s.run();
    FAIL() << "no trouble";
  } catch (const RunError& error) {
    EXPECT_TRUE(moraine::testing::contains(error.what(), "what to do")) << error.what();
  }
}

TEST(ApiSimulation, CanBeMoved) {
  Simulation first(ball());
  int calls = 0;
  first.on_step(1, [&](Simulation& s) { calls += s.steps() > 0 ? 1 : 0; });
  Simulation second = std::move(first);
  second.step(10);
  EXPECT_EQ(calls, 10);
  first = std::move(second);
  EXPECT_NEAR(first.body(0).velocity[2], -kGravity * 0.01, 1e-12);
}

TEST(ApiSimulation, RefusesAWrongNumberOfThreads) {
  EXPECT_THROW(Simulation(ball(), {.threads = -1}), InputError);
  EXPECT_NO_THROW(Simulation(ball(), {.threads = 0}).step());
}

}  // namespace
