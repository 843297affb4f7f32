// SPDX-License-Identifier: MIT
// Same bits on any number of threads and after a restart in memory; golden hashes of short runs of the example scenes.
#include <gtest/gtest.h>

#include <filesystem>
#include <set>

#include "support/in_memory.hpp"

namespace {

using namespace moraine;
using test::example;
using test::InMemory;

struct Golden {
  const char* name;
  std::vector<std::string> sets;
  std::uint64_t hash;
};

// Changed only on purpose, when the physics or the order of sums changes; say so in the commit.
const std::vector<Golden>& golden() {
  static const std::vector<Golden> list = {
      {"impact_normal", {}, 0xe1a05d7c85d40d99},
      {"impact_oblique", {}, 0x5c8338f115c6f2f0},
      {"heap_2d", {"time.end=0.25"}, 0x8c426b370b6c3e83},
      {"bed_3d", {"setup.count=3500", "time.end=0.006"}, 0xa17d05f042124b67},
      {"shaker", {"time.end=0.2"}, 0x9ac692fa9969b350},
      {"cohesive_column", {"time.end=0.22", "time.fraction=0.04"}, 0xbca7c9bcb8898a00},
      {"tennis_racket", {"time.end=0.5"}, 0x5009f34079638002},
      {"clumps_drum", {"time.end=0.15"}, 0x49bddf29872b4492},
      {"hourglass_3d", {"time.end=0.08"}, 0x6dd2269b66f874e9},
      {"simple_shear", {"time.end=0.1"}, 0x3b9463aef8ed622e},
      {"triaxial_3d", {"setup.count=80", "setup.strain=0.02", "setup.settling=\"3 ms\""}, 0x8eea48bd728f4c8d},
      {"piston", {"time.end=0.1"}, 0x9a120270ec1f0ebd},
      {"wide_sizes", {"time.end=0.015"}, 0xa85d35fc56cd2604},
      {"rubble_pile", {"time.end=400"}, 0x75bde098dae8178f},
      {"ice_drift", {"time.end=10"}, 0x00af8b8ebab90906},
      {"flow_cylinder", {"time.end=3"}, 0xace09c55397393ed},
      {"flow_bend", {"time.end=1.5"}, 0xe1b3c16bc2a47c0e},
      {"wind_ice", {"time.end=40"}, 0xd98d316c94c43281},
      {"chute_bin", {"time.end=6"}, 0xd9080ac2deab1ff6},
      {"pipe_jam", {"time.end=60"}, 0x2aea170f4d04e382},
      {"river_ice", {"time.end=1500"}, 0x1c771a48f888ad21},
      {"pier_ice", {"time.end=600"}, 0xc38728be0dd896fc},
      {"floes_random_shapes", {"time.end=80"}, 0x0fbcd4840cf56f76},
      {"ice_breakup", {"time.end=8"}, 0xc248110bae411fb3},
      {"nine_disc_compression", {}, 0x6ce31c2f27cbbb89},
      {"nine_disc_distortion", {"setup.load_steps=1000", "setup.rest_steps=200"}, 0x314b5e6964c85adb},
      {"box_biaxial", {"setup.compress_steps=1000", "setup.distort_steps=500"}, 0xd4f6411eb39f81e6},
      {"couette", {"time.end=12", "time.collisions=60"}, 0xb16fe40d0a5f6b15},
      {"channel", {"time.end=1"}, 0x219d04f47c4b0fa7},
      {"chute", {"time.end=4"}, 0x05dee779a30f2986},
      {"bin_flow", {"time.steps=4000", "wall.4.until_step=2500"}, 0x555cec4405c91f6e},
      {"cascade", {"time.steps=4000", "wall.2.motion.0.from_step=2000"}, 0xc60b7af9642130b0},
      {"silo_3d", {"wall.2.until=0.01", "time.end=0.02"}, 0xc502bc26cc3260ed},
      {"pendulum", {"time.end=0.3"}, 0xa4b5555a976a23ee},
      {"double_pendulum", {"time.end=1"}, 0x0fbb5094e6d4ac18},
      {"chain_points", {"time.end=0.2"}, 0x989eda2b15f1ffe8},
      {"chain_bars", {"time.end=0.2"}, 0x0ba6e670c2db340f},
      {"stack", {"setup.lean=0.01", "time.end=0.5"}, 0xce58058b9302fc42},
      {"three_spheres", {"time.end=0.3"}, 0xfb07b77c8e4c8128},
      {"cluster_3d", {"time.end=0.3"}, 0xb8b469e06c83643e},
      {"wheel", {"time.end=0.2"}, 0xe2e2114f38cbb0f7},
      {"necklace", {"time.end=1"}, 0xd1eecd89a99dd4bd},
      {"bouncing_ball", {}, 0x0ee1397310023412},
      {"newton_cradle", {}, 0x012759510dbaf785},
      {"billiard", {}, 0x6491873f64999079},
      {"pyramid", {"setup.rows=6", "setup.held=false", "time.end=0.2"}, 0x944e4fb120d64c31},
      {"block_stack", {"time.end=0.2", "wall.2.until=0.1"}, 0x22e8964b9bbc5e2f},
      {"pile_2d", {"fill.0.count=3100", "fill.0.spacing=1.2", "fill.0.jitter=0", "time.end=0.4"}, 0x18e1c3c47e67ab22},
      {"pile_3d", {"fill.0.count=3100", "time.end=0.3"}, 0xd3941fd8c99d66d4},
      {"truss_pile", {"time.end=0.3"}, 0xbef6b72d3adf99a7},
      {"deep_pile",
       {"domain.max=[4.2,400]", "wall.0.to=[4.2,0]", "fill.0.max=[4.2,380]", "fill.0.spread=0", "fill.0.spacing=1.001",
        "fill.0.jitter=0", "fill.0.count=600", "time.end=0.5"},
       0x3d69d6227e83d4ca},
      {"hopper_hard", {"time.end=0.15"}, 0xd33591334053de28},
      {"drum_hard", {"time.end=0.2", "wall.0.motion.0.from=0.1"}, 0xa5a16f110960e9da},
      {"breakup", {"time.end=0.75"}, 0x769d419449972eee},
      {"cohesive_pile", {"time.end=0.4", "fill.1.velocity=[0,-6]"}, 0x043810c6ded82faa},
      {"column_collapse_3d", {"time.end=0.12", "wall.1.motion.0.from=0.1"}, 0x54a3b52fc232b4da},
      {"block_on_slope", {"time.end=0.05"}, 0x5d14923557efe5b0},
      {"dominoes", {"time.end=0.1", "setup.spin=20", "setup.count=4"}, 0x83da935b8b496048},
      {"wall_of_bricks", {"time.end=0.01", "setup.courses=3", "setup.across=2"}, 0x4f13c60475508dcc},
      {"polygons_2d",
       {"fill.0.radius=0.014", "fill.0.count=480", "fill.1.radius=0.018", "fill.1.count=120", "time.end=0.1",
        "material.0.stiffness=2e4"},
       0x74a5e36e6d8d871b},
      {"rock_heap",
       {"time.end=0.25", "material.0.stiffness=3e4", "fill.0.every=0.02", "fill.0.count=12", "fill.1.every=0.02",
        "fill.1.count=4", "fill.0.min=[-0.2,-0.2,0.1]", "fill.0.max=[0.2,0.2,0.6]"},
       0xe9ae4928272d1820},
      {"helix", {"setup.count=4", "setup.turns=1", "time.end=0.4"}, 0x039786b37723c61b},
      {"jacks",
       {"fill.0.every=0.02", "fill.0.count=24", "fill.0.min=[-0.08,-0.08,0.04]", "fill.0.max=[0.08,0.08,0.25]",
        "wall.1.until=0.2", "time.end=0.3"},
       0xd7a8001192be3bed},
      {"hopper_polyhedra",
       {"fill.0.every=0.02", "fill.0.count=20", "fill.1.every=0.02", "fill.1.count=8", "fill.0.min=[-0.13,-0.13,0.1]",
        "fill.0.max=[0.13,0.13,0.5]", "wall.2.until=0.15", "time.end=0.3", "outlet.0.at=[0,0,0.05]"},
       0x30c1f5fef454a5f9},
      {"mixer",
       {"fill.0.every=0.02", "fill.0.count=24", "fill.0.min=[-0.13,-0.13,0.2]", "fill.0.max=[0.13,0.13,0.45]",
        "body.0.motion.0.from=0.1", "time.end=0.4"},
       0x08ece08b98b9b546},
      {"mixer",
       {"method=soft", "contact.0.shear_damping=0.2", "material.0.stiffness=2e4", "fill.0.every=0.01", "fill.0.count=8",
        "fill.0.batch=4", "fill.0.min=[-0.13,-0.13,0.1]", "fill.0.max=[0.13,0.13,0.25]", "body.0.motion.0.from=0.03",
        "time.end=0.08"},
       0x9150799f830cdf91},
  };
  return list;
}

std::uint64_t hash_of(const scene::Scene& scene, int threads) {
  if (scene.dimension() == 2) return InMemory<2>(scene, threads).to_the_end().run->state_hash();
  return InMemory<3>(scene, threads).to_the_end().run->state_hash();
}

class Examples : public testing::TestWithParam<std::size_t> {};

TEST_P(Examples, HaveTheirGoldenHashOnAnyNumberOfThreads) {
  const Golden& g = golden()[GetParam()];
  const scene::Scene scene = example(g.name, g.sets);
  // Sanitizers see in one run what they would see in four.
  for (const int threads : MORAINE_SANITIZED != 0 ? std::vector<int>{3} : std::vector<int>{1, 2, 3, 8})
    EXPECT_EQ(hash_of(scene, threads), g.hash) << g.name << " on " << threads << std::hex << " " << hash_of(scene, 1);
}

// As the program does it: the step and all intervals are spelled out in the scene that goes into the checkpoint.
template <int D>
void restart_gives_the_same_bits(const scene::Scene& short_form) {
  const scene::Scene scene = scene::spelled_out(short_form, scene::build<D>(short_form));
  const std::uint64_t unbroken = InMemory<D>(scene).to_the_end().run->state_hash();
  for (const double part : {0.1, 0.5, 0.83}) {
    InMemory<D> first(scene);
    first.run->begin(nullptr);
    const auto stop = static_cast<std::int64_t>(part * static_cast<double>(first.run->status().end_step));
    while (first.world().step < stop && !first.run->finished()) first.run->step();
    base::Record record;
    first.run->save(record);
    record.settle();
    InMemory<D> second(scene::build<D>(scene, true), 2);
    EXPECT_EQ(second.to_the_end(&record).run->state_hash(), unbroken) << "broken at " << part;
  }
}

TEST(Golden, HasEveryExample) {
  std::set<std::string> named;
  for (const Golden& g : golden()) named.insert(g.name);
  for (const auto& file : std::filesystem::directory_iterator(std::string(MORAINE_SOURCE_DIR) + "/examples")) {
    if (file.path().extension() == ".toml") {
      EXPECT_EQ(named.count(file.path().stem().string()), 1U) << file.path();
    }
  }
}

TEST_P(Examples, GoOnFromASavedStateToTheSameBits) {
  const Golden& g = golden()[GetParam()];
  const scene::Scene scene = example(g.name, g.sets);
  if (scene.dimension() == 2) {
    restart_gives_the_same_bits<2>(scene);
  } else {
    restart_gives_the_same_bits<3>(scene);
  }
}

// Every way to solve a hard system goes on to the same bits, also those that remember more than the state.
TEST(HardRestart, GivesTheSameBitsWithEveryMethod) {
  for (const char* integrator : {"rk4", "adams", "bdf", "extrapolation", "dopri", "mixed-iteration"}) {
    for (const char* formulation : {"newton-euler", "lagrange"}) {
      for (const char* solver : {"direct", "iterative"}) {
        const bool mixed = std::string(integrator) == "mixed-iteration",
                   minimal = std::string(formulation) == "lagrange";
        if (mixed && minimal) continue;
        SCOPED_TRACE(std::string(integrator) + " " + formulation + " " + solver);
        restart_gives_the_same_bits<2>(example(
            "pendulum", {"time.end=0.1", "setup.links=4", std::string("hard.integrator=") + integrator,
                         std::string("hard.formulation=") + formulation, std::string("hard.solver=") + solver}));
        if (minimal)
          restart_gives_the_same_bits<3>(
              example("cluster_3d",
                      {"time.end=0.1", std::string("hard.integrator=") + integrator, "hard.formulation=lagrange"}));
      }
    }
  }
}

// Whether somebody looks does not change what happens.
TEST(HardRestart, ProbesDoNotChangeTheBits) {
  for (const char* solver : {"direct", "iterative"}) {
    const auto hash = [&](const char* every) {
      return hash_of(example("pendulum", {"time.end=0.1", std::string("probe.1.every=") + every,
                                          std::string("hard.solver=") + solver}),
                     1);
    };
    EXPECT_EQ(hash("0.001"), hash("0.05")) << solver;
  }
}

TEST(HardRestart, ProbesDoNotChangeTheBitsOfContacts) {
  for (const char* integrator : {"rk4", "mixed-iteration"}) {
    const auto hash = [&](const char* every) {
      const bool mixed = std::string(integrator) == "mixed-iteration";
      return hash_of(example("bouncing_ball", {"time.end=1.2", std::string("probe.0.every_steps=") + every,
                                               std::string("hard.integrator=") + integrator,
                                               std::string("hard.contacts=") + (mixed ? "steps" : "events")}),
                     1);
    };
    EXPECT_EQ(hash("1"), hash("50")) << integrator;
  }
}

INSTANTIATE_TEST_SUITE_P(Determinism, Examples, testing::Range<std::size_t>(0, golden().size()));

// Contacts that are followed, with friction, cohesion that grows and bonds; in events and in steps.
TEST(Restart, GivesTheSameBitsWithHardContactsThatComeAndGo) {
  std::string scene =
      "dimension = 2\nmethod = \"hard\"\n[time]\nend = 0.6\nstep = 0.004\n[gravity]\n[[material]]\nname = \"m\"\n"
      "density = 1000\n[[contact]]\nrestitution = 0.4\nfriction = 0.4\ncohesion = {growth = 5, time = 0.2}\n"
      "[[clump]]\nname = \"c\"\npositions = [[-0.06, 0], [0.05, 0.02]]\nradii = [0.08, 0.06]\n"
      "[[body]]\nclump = \"c\"\nposition = [0.45, 1.3]\nspin = 2\nmaterial = \"m\"\n";
  int walls = 0;
  for (const char* wall : {"from = [0, 0]\nto = [1, 0]", "from = [0, 0]\nto = [0, 2]", "from = [1, 0]\nto = [1, 2]"})
    scene += "[[wall]]\nname = \"w" + std::to_string(++walls) + "\"\nmaterial = \"m\"\n" + wall + "\n";
  for (const char* x : {"0.3, 0.3", "0.52, 0.6", "0.35, 0.9"})
    scene += std::string("[[body]]\nposition = [") + x + "]\nvelocity = [0.5, -1]\nradius = 0.12\nmaterial = \"m\"\n";
  for (const char* how : {"hard.integrator=rk4", "hard.integrator=dopri", "hard.integrator=extrapolation",
                          "hard.integrator=adams", "hard.integrator=mixed-iteration"}) {
    SCOPED_TRACE(how);
    restart_gives_the_same_bits<2>(test::from_text(scene, {how}));
  }
}

// A stream that follows walls, bodies and the time is no part of the state: it is found again from the world.
TEST(Restart, GivesTheSameBitsInAStreamThatFollowsWallsAndBodies) {
  const std::vector<std::string> piers{
      "wall=[{name = \"a\", kind = \"circle\", material = \"grain\", centre = [0, 0], radius = 1, motion = [{velocity "
      "= "
      "[0.3, 0], from = 0.1}]}, {name = \"b\", kind = \"circle\", material = \"grain\", centre = [0, -2.4], radius = "
      "0.5, "
      "motion = [{velocity = [0.3, 0], from = 0.2}]}]",
      "flow.bodies=true", "flow.panels=20", "fill.0.spacing=1", "time.end=0.25"};
  restart_gives_the_same_bits<2>(example("flow_cylinder", piers));
  for (const int threads : MORAINE_SANITIZED != 0 ? std::vector<int>{3} : std::vector<int>{2, 8}) {
    EXPECT_EQ(hash_of(example("flow_cylinder", piers), threads), hash_of(example("flow_cylinder", piers), 1));
  }
}

}  // namespace
