// SPDX-License-Identifier: MIT
// Whole runs with the library: the same bits as the program, whoever looks on the way, and after a restart.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <moraine/moraine.hpp>

#include <utility>

#include "io/checkpoint.hpp"
#include "support/runs.hpp"

namespace {

namespace fs = std::filesystem;
using moraine::BodyState;
using moraine::InputError;
using moraine::Options;
using moraine::RunError;
using moraine::Scene;
using moraine::Simulation;
using moraine::Wrench;
using moraine::testing::Args;
using moraine::testing::Folder;
using moraine::testing::operator+;

struct Case {
  const char* name;
  Args sets;
};
void PrintTo(const Case& c, std::ostream* out) { *out << c.name; }

// Rain and walls in 2D; a bed of spheres; a wall that shakes; a clump; a collision; a sheared domain; walls that hold a
// stress.
const Case kCases[] = {{"heap_2d", {"time.end=0.12"}},
                       {"bed_3d", {"setup.count=300", "gravity.acceleration=300", "time.end=0.0018"}},
                       {"shaker", {"time.end=0.05"}},
                       {"tennis_racket", {"time.end=0.05"}},
                       {"impact_oblique", {}},
                       {"simple_shear", {"time.end=0.006"}},
                       {"triaxial_3d", {"time.end=1.5e-4"}}};

Scene example(const Case& c) {
  return Scene::from_file(moraine::testing::examples_folder() / (std::string(c.name) + ".toml"), c.sets);
}

std::uint64_t end_of(Simulation s) {
  s.run();
  return s.state_hash();
}

class ApiRuns : public ::testing::TestWithParam<Case> {};
INSTANTIATE_TEST_SUITE_P(Examples, ApiRuns, ::testing::ValuesIn(kCases),
                         [](const auto& test) { return std::string(test.param.name); });

TEST_P(ApiRuns, GiveTheHashAndTheResultsOfTheProgram) {
  const Folder folder;
  const auto ended = moraine::testing::run_moraine(
      Args{"run", GetParam().name, "--quiet", "--out", "out"} + moraine::testing::set(GetParam().sets), folder.path());
  ASSERT_TRUE(moraine::testing::ended_with(ended, 0));
  Simulation s(example(GetParam()), {.threads = 2});
  s.run();
  EXPECT_EQ(fmt::format("{:016x}", s.state_hash()), moraine::testing::hash_of(folder / "out"));
  const auto summary = moraine::testing::summary_of(folder / "out");
  EXPECT_EQ(s.body_count(), summary.at("bodies").get<std::size_t>());
  EXPECT_EQ(s.energy().kinetic(), summary.at("energy").at("kinetic").get<double>());
  const auto found = s.probes();
  EXPECT_EQ(found.size(), summary.at("probes").size());
  for (const auto& [probe, numbers] : summary.at("probes").items()) {
    for (const auto& [name, number] : numbers.items())
      EXPECT_EQ(found.at(probe).at(name), number.get<double>()) << probe << " " << name;
  }
}

TEST_P(ApiRuns, AreTheSameWhoeverLooks) {
  Simulation watched(example(GetParam()));
  std::size_t seen = watched.body_count();
  for (int k = 0; !watched.finished(); ++k) {
    watched.step(k % 7 == 0 ? 5 : 1);
    if (k % 3 != 0) seen += watched.contacts().size() + watched.bodies().size();
  }
  EXPECT_GT(seen, 0U);
  EXPECT_EQ(watched.state_hash(), end_of(Simulation(example(GetParam()))));
}

// Saved before a look and after one, at the start, on the way and at the end.
TEST_P(ApiRuns, GoOnFromACheckpointToTheSameBits) {
  const Folder folder;
  Simulation whole(example(GetParam()));
  whole.run();
  const std::uint64_t unbroken = whole.state_hash();
  Simulation s(example(GetParam()));
  for (const double part : {0.0, 0.2, 0.55, 0.8, 1.0}) {
    s.run_until(part * whole.time());
    s.save_checkpoint(folder / "before.h5");
    s.bodies();
    s.save_checkpoint(folder / "after.h5");
    for (const char* name : {"before.h5", "after.h5"}) {
      Simulation again = Simulation::resume(folder / name, {}, {.threads = 3});
      EXPECT_EQ(again.steps(), s.steps());
      EXPECT_EQ(again.state_hash(), s.state_hash()) << "at " << part << " " << name;
      EXPECT_EQ(end_of(std::move(again)), unbroken) << "broken at " << part << " " << name;
    }
  }
  EXPECT_EQ(s.state_hash(), unbroken);
}

// Changes, then a checkpoint, then the rest: as if it had not been saved. With loads, which are added again.
TEST_P(ApiRuns, GoOnAfterChangesToTheSameBits) {
  const Folder folder;
  const auto load = [](const BodyState& b, double t) { return Wrench{{b.mass * t, 0, 0}, {}}; };
  Simulation first(example(GetParam()));
  first.step(40);
  std::int64_t id = -1;
  for (const moraine::Body& b : first.bodies()) {
    if (b.held == moraine::Held::kFree) id = b.id;
  }
  const auto changed = [&](bool looks) {
    Simulation s(example(GetParam()));
    s.add_load(load);
    s.step(40);
    if (looks) s.body_count();
    s.set_velocity(id, {0.1, 0, 0});
    if (looks) s.contacts();
    s.set_spin(id, {0, 0, 3});
    s.step(40);
    if (looks) s.energy();
    s.remove_body(id);
    if (looks) s.save_checkpoint(folder / "changed.h5");
    return s;
  };
  const std::uint64_t unbroken = end_of(changed(false));
  EXPECT_EQ(end_of(changed(true)), unbroken);
  Simulation again = Simulation::resume(folder / "changed.h5");
  again.add_load(load);
  EXPECT_EQ(end_of(std::move(again)), unbroken);
}

TEST(ApiResume, AnAddedBodyIsInTheCheckpoint) {
  const Folder folder;
  Simulation s(example(kCases[0]));
  s.step(500);
  const moraine::Body below = s.body(0);  // of the rough floor
  const moraine::Vector above{below.position[0], below.position[1] + 2.02 * below.radius, 0};
  const std::int64_t id = s.add_body({.position = above, .radius = below.radius, .velocity = {1, -1, 0}});
  s.save_checkpoint(folder / "added.h5");
  Simulation again = Simulation::resume(folder / "added.h5");
  EXPECT_EQ(again.body(id).position, above);
  EXPECT_EQ(end_of(std::move(again)), end_of(std::move(s)));
}

// Bodies that overlap from the start: the first look makes contacts, which a change must undo.
TEST(ApiResume, ALookAtTheStartLeavesNothingBehind) {
  const Folder folder;
  const std::string head = R"(
dimension = 2
time = {end = 0.2, step = 1e-4}
gravity = {}
material = [{name = "rock", density = 2500, stiffness = 1e6}]
contact = [{restitution = 0.3, friction = 0.5}]
wall = [{name = "floor", material = "rock", from = [-1, 0], to = [1, 0]}]
)";
  Simulation fall(Scene::from_text(head + "body = [{material = \"rock\", radius = 0.1, position = [0, 0.1]}]\n"));
  fall.run();
  ASSERT_EQ(fall.contacts().size(), 1U);
  fall.save_checkpoint(folder / "rest.h5");
  const auto slide = [&](bool looks) {
    Simulation s(Scene::from_text(
        head + "fill = [{method = \"checkpoint\", material = \"rock\", file = \"rest.h5\"}]\n", {}, folder.path()));
    s.set_velocity(0, {1, 0, 0});
    if (looks) {
      EXPECT_EQ(s.contacts().size(), 1U);
    }
    s.set_spin(0, {0, 0, 1});
    return end_of(std::move(s));
  };
  EXPECT_EQ(slide(true), slide(false));
}

TEST(ApiResume, TakesACheckpointOfTheProgramAndALaterEnd) {
  const Folder folder;
  const Args common = {"time.step=2e-5"};
  const auto run = [&](const char* out, const char* end) {
    const auto ended = moraine::testing::run_moraine(
        Args{"run", "heap_2d", "--quiet", "--out", out} + moraine::testing::set(common + Args{end}), folder.path());
    ASSERT_TRUE(moraine::testing::ended_with(ended, 0));
  };
  run("short", "time.end=0.05");
  run("long", "time.end=0.1");
  Simulation s = Simulation::resume(folder / "short" / "checkpoint.h5", {"time.end=0.1"});
  EXPECT_EQ(s.steps(), 2500);
  // Frames and checkpoints are due at other times, which the result does not depend on.
  EXPECT_EQ(fmt::format("{:016x}", end_of(std::move(s))), moraine::testing::hash_of(folder / "long"));
}

TEST(ApiResume, RefusesWhatIsNoCheckpoint) {
  const Folder folder;
  EXPECT_THROW(Simulation::resume(folder / "none.h5"), InputError);
  moraine::testing::put(folder / "foreign.h5", "not a checkpoint");
  EXPECT_THROW(Simulation::resume(folder / "foreign.h5"), InputError);
  // A whole file of ours in which something is missing.
  moraine::base::Record empty;
  moraine::io::write_checkpoint(folder / "empty.h5", empty);
  EXPECT_THROW(Simulation::resume(folder / "empty.h5"), InputError);
  Simulation s(example(kCases[4]));
  s.save_checkpoint(folder / "good.h5");
  EXPECT_NO_THROW(Simulation::resume(folder / "good.h5"));
  EXPECT_THROW(Simulation::resume(folder / "good.h5", {"gravity.acceleration=3"}), InputError);
  moraine::base::Record record = moraine::io::read_checkpoint(folder / "good.h5");
  record.reals.erase("bodies.v");
  moraine::io::write_checkpoint(folder / "cut.h5", record);
  EXPECT_THROW(Simulation::resume(folder / "cut.h5"), InputError);
}

TEST(ApiFiles, ThatCannotBeWrittenAreTrouble) {
  const Simulation s(example(kCases[4]));
  EXPECT_THROW(s.save_checkpoint("/no/such/folder/a.h5"), RunError);
  EXPECT_THROW(s.write_vtk("/no/such/folder/a.vtp"), RunError);
}

TEST(ApiFiles, VtkHoldsBodiesAndContacts) {
  const Folder folder;
  Simulation s(example(kCases[1]));
  s.run();
  ASSERT_FALSE(s.contacts().empty());
  s.write_vtk(folder / "bodies.vtp");
  EXPECT_EQ(folder.entries(), 1U);
  s.write_vtk(folder / "bodies.vtp", folder / "contacts.vtp");
  const auto points = [&](const char* name, std::size_t count) {
    return moraine::testing::contains(moraine::testing::get(folder / name),
                                      fmt::format("NumberOfPoints=\"{}\"", count));
  };
  EXPECT_TRUE(points("bodies.vtp", s.body_count()));
  EXPECT_TRUE(points("contacts.vtp", s.contacts().size()));
}

TEST(ApiResume, TheSceneOfASimulationRepeatsIt) {
  Simulation s(example(kCases[0]));
  const Scene spelled = s.scene();
  EXPECT_TRUE(moraine::testing::contains(spelled.toml(), "step = "));
  EXPECT_EQ(end_of(Simulation(Scene::from_text(spelled.toml()))), end_of(std::move(s)));
}

}  // namespace
