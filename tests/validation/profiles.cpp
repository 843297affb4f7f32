// SPDX-License-Identifier: MIT
// Profiles against closed forms: lattices at rest and in shear, a column under its weight, the stress of the whole; and
// collisions against contacts that were watched.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>

#include "math/elementary.hpp"
#include "support/in_memory.hpp"

namespace {

using namespace moraine;
using test::example;
using test::from_text;
using test::InMemory;

const std::string kLaws = R"(
[[material]]
name = "m"
density = 1000
stiffness = 1e5
[[contact]]
restitution = 0.5
friction = 0.3
)";

// Values of a column of a table.
template <int D>
std::vector<double> column(const InMemory<D>& run, const std::string& name, std::size_t table = 0) {
  for (const auto& [probe, pointer] : run.probes) {
    const auto tables = pointer->tables();
    if (tables.empty()) continue;
    const auto& columns = tables.at(table).columns;
    for (std::size_t c = 0; c < columns.size(); ++c) {
      if (columns[c].name != name) continue;
      std::vector<double> out;
      for (const auto& row : tables[table].rows) out.push_back(row.at(c));
      return out;
    }
  }
  throw std::out_of_range("no column " + name);
}

// Ten rows of ten disks or, in 3D, layers of a hundred spheres, 0.1 m apart; the row at y moves with `rate` y.
template <int D>
std::string lattice(double rate, const std::string& probe) {
  const std::string size = D == 2 ? "[1, 1]" : "[1, 1, 1]", zero = D == 2 ? "[0, 0]" : "[0, 0, 0]";
  std::string text = fmt::format("dimension = {}\n[time]\nend = 1e-3\nstep = 1e-5\n", D) + kLaws;
  text += fmt::format("[domain]\nmin = {}\nmax = {}\nperiodic = {}\n", zero, size,
                      D == 2 ? "[\"x\", \"y\"]" : "[\"x\", \"y\", \"z\"]");
  for (int k = 0; k < (D == 2 ? 100 : 1000); ++k) {
    const double x = 0.05 + 0.1 * (k % 10), y = 0.05 + 0.1 * (k / 10 % 10), z = 0.05 + 0.1 * (k / 100);
    text += fmt::format("[[body]]\nmaterial = \"m\"\nradius = 0.04\nposition = [{}, {}{}]\nvelocity = [{}, 0{}]\n", x,
                        y, D == 2 ? "" : fmt::format(", {}", z), rate * y, D == 2 ? "" : ", 0");
  }
  return text + "[[probe]]\nkind = \"profile\"\n" + probe;
}

template <int D>
void concentration_is_exact() {
  const double covered = D == 2 ? math::kPi * 0.04 * 0.04 / 0.01 : 4.0 / 3 * math::kPi * 0.04 * 0.04 * 0.04 / 0.001;
  for (const int bins : {1, 5, 10, 20}) {
    InMemory<D> run(from_text(lattice<D>(0, fmt::format("bins = {}\n", bins))));
    run.to_the_end();
    const auto c = column(run, "concentration"), error = column(run, "concentration_error");
    ASSERT_EQ(c.size(), static_cast<std::size_t>(bins));
    for (std::size_t k = 0; k < c.size(); ++k) {
      EXPECT_NEAR(c[k], covered, 1e-12) << bins << " bins, " << k;
      EXPECT_NEAR(error[k], 0, 1e-12);
    }
    EXPECT_NEAR(run.results("profile").at("window_1_concentration"), covered, 1e-12);
  }
}

TEST(Profiles, OfALatticeAtRestAreFlat) {
  concentration_is_exact<2>();
  concentration_is_exact<3>();
}

// Bins of one row each: its velocity and no temperature. Bins from centre to centre: half of each of two rows, so the
// mean of the two and a variance of (rate s / 2)^2 along x, of which temperature is the mean over the axes.
template <int D>
void shear_is_exact() {
  const double rate = 0.3;
  InMemory<D> rows(from_text(lattice<D>(rate, "bins = 10\n")));
  rows.to_the_end();
  const auto u = column(rows, "u"), v = column(rows, "v"), t = column(rows, "temperature");
  for (std::size_t k = 0; k < 10; ++k) {
    EXPECT_NEAR(u[k], rate * (0.05 + 0.1 * static_cast<double>(k)), 1e-12);
    EXPECT_EQ(v[k], 0);
    EXPECT_NEAR(t[k], 0, 1e-15);
  }
  InMemory<D> halves(from_text(lattice<D>(rate, "bins = 9\nmin = 0.05\nmax = 0.95\n")));
  halves.to_the_end();
  const auto uh = column(halves, "u"), th = column(halves, "temperature"), s = column(halves, "sxx"),
             contact = column(halves, "contact_sxx"), c = column(halves, "concentration");
  const double variance = std::pow(rate * 0.05, 2);
  for (std::size_t k = 0; k < 9; ++k) {
    EXPECT_NEAR(uh[k], rate * 0.1 * static_cast<double>(k + 1), 1e-12);
    EXPECT_NEAR(th[k], variance / D, 1e-12);
    EXPECT_NEAR(s[k], 1000 * c[k] * variance, 1e-9) << "m (v - U)^2 over the volume";
    EXPECT_EQ(contact[k], 0);
  }
  EXPECT_NEAR(rows.results("profile").at("window_1_mean_u"), rate * 0.5, 1e-12);
  EXPECT_NEAR(rows.results("profile").at("window_1_max_u"), rate * 0.95, 1e-12);
  EXPECT_EQ(rows.results("profile").at("window_1_steady"), 1);
}

TEST(Profiles, OfLinearShearAreLinear) {
  shear_is_exact<2>();
  shear_is_exact<3>();
}

// Where images slide, what is cut off at the top comes in at the bottom with the velocity of the image: bodies at the
// boundary move with half the speed of the slide at the top, and against it at the bottom.
TEST(Profiles, CutPartsOfAShearedFlowHaveTheVelocityOfTheirImage) {
  InMemory<2> run(from_text(fmt::format(
      "dimension = 2\n[time]\nend = 1e-4\nstep = 1e-5\n{}[domain]\nmin = [0, 0]\nmax = [1, 1]\nperiodic = [\"x\", "
      "\"y\"]\n[domain.shear]\nrate = 2\n[[body]]\nmaterial = \"m\"\nradius = 0.04\nposition = [0.5, 0.98]\n[[body]]\n"
      "material = \"m\"\nradius = 0.1\nposition = [0.2, 0.5]\n[[probe]]\nkind = \"profile\"\nbins = 10\n",
      kLaws)));
  run.to_the_end();
  const auto u = column(run, "u");
  EXPECT_NEAR(u.back(), 0.96, 1e-9);
  EXPECT_NEAR(u.front(), 0.96 - 2, 1e-9);
  EXPECT_EQ(u[2], 0) << "an empty bin";
}

const char* const kColumn = R"(
dimension = 2
seed = 4
global_damping = 30
[time]
end = 1.0
[gravity]
[domain]
min = [0, -0.1]
max = [0.1, 0.4]
periodic = ["x"]
[[wall]]
name = "floor"
material = "m"
from = [-1, 0]
to = [1, 0]
[[fill]]
method = "lattice"
material = "m"
radius = 0.006
spread = 0.2
jitter = 1
min = [0, 0.01]
max = [0.1, 0.25]
[[probe]]
kind = "profile"
min = -0.01
max = 0.25
bins = 13
windows = [[0.95, 1.0]]
)";

// At rest the force across a plane is the weight of the bodies whose centres lie above it: the stress of a bin is the
// mean of that over its height, as branches run from centre to centre.
TEST(Profiles, OfAColumnAtRestCarryTheWeightAbove) {
  InMemory<2> run(from_text(kColumn + kLaws));
  run.to_the_end();
  const auto& w = run.world();
  const auto syy = column(run, "syy"), sxy = column(run, "sxy"), c = column(run, "concentration");
  double area = 0, covered = 0, weight = 0;
  const double height = 0.02;
  for (std::size_t k = 0; k < syy.size(); ++k) {
    double expected = 0;
    for (std::size_t i = 0; i < w.bodies.size(); ++i) {
      const double low = std::max(0.0, height * static_cast<double>(k) - 0.01),
                   high = height * static_cast<double>(k) + 0.01;
      expected += 9.81 * w.bodies.mass[i] * std::clamp(w.bodies.place[i].x[1] - low, 0.0, high - low) / height;
    }
    weight = std::max(weight, expected / 0.1);
    EXPECT_NEAR(syy[k], expected / 0.1, 1e-3 * expected / 0.1 + 1e-6 * weight) << "bin " << k;
    EXPECT_NEAR(sxy[k], 0, 0.02 * weight);
    area += c[k] * height * 0.1;
  }
  for (const auto& p : w.bodies.place) covered += math::kPi * p.radius * p.radius;
  EXPECT_NEAR(area, covered, 1e-12);
  EXPECT_GT(weight, 900);
  EXPECT_GT(c[2], 0.5);
  EXPECT_EQ(c.back(), 0) << "nothing above the column";
}

// Branches are shared out whole: the mean of the bins is the stress of the box, also where it is sheared.
TEST(Profiles, OfStressAddUpToTheStressOfTheBox) {
  for (const char* axis : {"x", "y"}) {
    InMemory<2> run(
        example("simple_shear", {"time.end=0.2", "probe.0.from=0", "probe.1.windows=[[0, 1]]", "probe.1.bins=7",
                                 "probe.1.every=1e-3", fmt::format("probe.1.axis={}", axis)}));
    run.to_the_end();
    const auto whole = run.results("stress");
    for (const char* name : {"contact_sxx", "contact_sxy", "contact_syx", "contact_syy"}) {
      const auto parts = column(run, name);
      double mean = 0;
      for (const double part : parts) mean += part / static_cast<double>(parts.size());
      EXPECT_NEAR(mean, whole.at(name), 1e-10 * whole.at("pressure")) << name;
    }
    EXPECT_GT(whole.at("contact_syy"), 0.1 * whole.at("pressure"));
  }
}

// Disks in a periodic box that fly and collide.
const std::string kGas = R"(
dimension = 2
seed = 9
[domain]
min = [0, 0]
max = [0.3, 0.3]
periodic = ["x", "y"]
[[fill]]
method = "random"
material = "m"
radius = 0.006
min = [0, 0]
max = [0.3, 0.3]
fraction = 0.5
random_speed = 0.5
)";

// In one bin for all, and with a momentum that does not change, both parts are those of the probe of stress.
TEST(Profiles, OfOneBinAreTheStressOfTheBox) {
  InMemory<2> run(from_text(kGas + kLaws +
                            "[time]\nend = 0.1\n[[probe]]\nkind = \"stress\"\nevery = 1e-3\n[[probe]]\nkind = "
                            "\"profile\"\nevery = 1e-3\nbins = 1\n"));
  run.to_the_end();
  const auto whole = run.results("stress");
  for (const char* name : {"sxx", "sxy", "syx", "syy", "contact_sxx", "temperature"}) {
    const double size = whole.at(std::string(name) == "temperature" ? "temperature" : "pressure");
    EXPECT_NEAR(column(run, name)[0], whole.at(name), 1e-9 * size) << name;
    // The error of a ratio of sums, whose denominator is constant here, is that of the sum.
    EXPECT_NEAR(column(run, std::string(name) + "_error")[0], whole.at(std::string(name) + "_error"), 1e-6 * size);
  }
  EXPECT_NEAR(column(run, "concentration")[0], whole.at("fraction"), 1e-12);
  EXPECT_GT(whole.at("temperature"), 0);
}

// A hundred steps of 1e-5 s, a look at every tenth. The third window begins and ends between two looks.
TEST(Profiles, WindowsTakeTheLooksFromTheirBeginningToBeforeTheirEnd) {
  for (const char* keys : {"by = \"steps\"\nwindows = [[0, 50], [50, 100], [25, 75]]\n",
                           "by = \"time\"\nwindows = [[0, 5e-4], [5e-4, 1e-3], [2.5e-4, 7.5e-4]]\n"}) {
    InMemory<2> run(from_text(lattice<2>(0.1, keys)));
    const auto r = run.to_the_end().results("profile");
    const auto expect = [&](const char* window, double from, double to) {
      EXPECT_EQ(r.at(fmt::format("window_{}_samples", window)), 5);
      EXPECT_NEAR(r.at(fmt::format("window_{}_from", window)), from, 1e-12);
      EXPECT_NEAR(r.at(fmt::format("window_{}_to", window)), to, 1e-12);
    };
    expect("1", 0, 5e-4);
    expect("2", 5e-4, 1e-3);
    expect("3", 3e-4, 8e-4);
  }
}

TEST(Profiles, WindowsByCollisionsReachFromOneCountToTheOther) {
  InMemory<2> run(from_text(kGas + kLaws +
                            "[time]\nend = 0.3\n[[probe]]\nkind = \"profile\"\nby = \"collisions\"\n"
                            "windows = [[2, 4], [4, 1000], [2000, 3000]]\n"));
  const auto r = run.to_the_end().results("profile");
  EXPECT_NEAR(r.at("window_1_collisions_per_body"), 2, 0.1);
  EXPECT_EQ(r.at("window_1_to"), r.at("window_2_from"));
  EXPECT_NEAR(r.at("window_2_to"), 0.3, 1e-9);
  EXPECT_EQ(r.count("window_3_samples"), 0U) << "never reached";
  EXPECT_EQ(run.probes.at("profile")->tables().size(), 2U);
}

TEST(Profiles, WindowsThatTheRunDoesNotReachAreWarnedOf) {
  const auto warnings = [](const std::string& keys) {
    return scene::build<2>(from_text(lattice<2>(0, keys))).warnings;
  };
  EXPECT_TRUE(warnings("windows = [[0, 1e-3]]\n").empty());
  const auto told = warnings("by = \"steps\"\nwindows = [[0, 50], [60, 101], [100, 200]]\n");
  ASSERT_EQ(told.size(), 2U);
  EXPECT_EQ(told[0], "probe[0].windows[1] reaches beyond the end of the run and is cut there");
  EXPECT_EQ(told[1], "probe[0].windows[2] begins after the end of the run and stays empty");
}

// Without names of their own, two probes must not write the same files.
TEST(Profiles, UnnamedProbesKeepOutOfEachOthersTables) {
  const auto built = scene::build<2>(from_text(lattice<2>(0, "windows = [[0, 1e-4], [1e-4, 2e-4]]\n") +
                                               "[[probe]]\nkind = \"profile\"\n[[probe]]\nkind = \"energy\"\n"));
  std::vector<std::string> names;
  for (const auto& probe : built.probes) names.push_back(probe->name());
  EXPECT_EQ(names, (std::vector<std::string>{"profile", "profile_3", "energy"}));
}

// Bodies of a bumpy wall count only if asked for; a body that is cut by the end of the bins counts with what is inside.
TEST(Profiles, HeldBodiesCountWhereAskedFor) {
  const auto run = [](const std::string& keys) {
    InMemory<2> made(from_text(fmt::format(
        "dimension = 2\n[time]\nend = 1e-4\nstep = 1e-5\n{}[domain]\nmin = [0, 0]\nmax = [1, 1]\n[[body]]\nmaterial = "
        "\"m\"\nradius = 0.1\nposition = [0.5, 0]\nfixed = true\n[[body]]\nmaterial = \"m\"\nradius = 0.2\nposition = "
        "[0.5, 1]\nvelocity = [0.5, 0]\n[[probe]]\nkind = \"profile\"\nbins = 4\n{}",
        kLaws, keys)));
    made.to_the_end();
    return std::pair{column(made, "concentration"), column(made, "u")};
  };
  const auto [without, u] = run("");
  EXPECT_EQ(without[0], 0);
  EXPECT_NEAR(without[3], 0.5 * math::kPi * 0.04 / 0.25, 1e-12);
  EXPECT_NEAR(u[3], 0.5, 1e-12);
  const auto [with, still] = run("held = true\n");
  EXPECT_NEAR(with[0], 0.5 * math::kPi * 0.01 / 0.25, 1e-12);
  EXPECT_EQ(still[0], 0);
  const auto [narrow, unused] = run("section = 0.5\n");
  EXPECT_NEAR(narrow[3], math::kPi * 0.04 / 0.25, 1e-12);
}

// Watches every contact at every step: pairs that are gone are collisions.
template <int D>
class Partings : public sim::Watch<D> {
 public:
  explicit Partings(std::int64_t& count) : count_(count) {}
  bool due(std::int64_t, bool) const override { return true; }
  bool wants_contacts() const override { return true; }
  void look(const measure::Sight<D>& sight) override {
    std::map<std::pair<std::int64_t, std::int64_t>, int> now;
    std::map<std::int64_t, bool> held;
    for (std::size_t i = 0; i < sight.world.bodies.size(); ++i)
      held[sight.world.bodies.id[i]] = !world::yields(sight.world.bodies.moving[i].held);
    for (const auto& c : sight.contacts) {
      const auto pair = c.b < 0 ? std::pair{c.a, c.b} : std::pair{std::min(c.a, c.b), std::max(c.a, c.b)};
      now[pair] = (held[c.a] ? 0 : 1) + (c.b < 0 || held[c.b] ? 0 : 1);
    }
    for (const auto& [pair, bodies] : before_) count_ += now.count(pair) == 0 ? bodies : 0;
    before_ = std::move(now);
  }

 private:
  std::int64_t& count_;
  std::map<std::pair<std::int64_t, std::int64_t>, int> before_;
};

void counts_every_parting(const std::string& text, const std::vector<std::string>& sets, std::int64_t at_least) {
  InMemory<2> run(from_text(text, sets));
  std::int64_t seen = 0;
  run.run->add(std::make_unique<Partings<2>>(seen));
  run.to_the_end();
  EXPECT_EQ(run.world().collisions, seen);
  EXPECT_GT(seen, at_least);
  const auto counts = run.results("counts");
  EXPECT_EQ(counts.at("collisions"), static_cast<double>(seen));
  EXPECT_EQ(counts.at("collisions_per_body"), static_cast<double>(seen) / counts.at("free"));
  EXPECT_GT(run.run->status().neighbour_finds, 3) << "contacts must outlive the lists";
}

// Free disks, a floor, and fixed bodies; in the vectorised loop, with several laws, and with rolling resistance.
TEST(Collisions, AreContactsThatWereThereAndAreGone) {
  const std::string text = kGas + "[time]\nend = 0.3\n[gravity]\n" + kLaws +
                           "[[wall]]\nname = \"floor\"\nmaterial = \"m\"\nfrom = [-1, 0]\nto = [1, 0]\n" +
                           "[[probe]]\nkind = \"counts\"\n";
  const std::vector<std::string> open = {"domain.min=[0, -0.1]", "domain.max=[0.3, 0.5]", "domain.periodic=[\"x\"]",
                                         "fill.0.min=[0, 0.02]", "fill.0.max=[0.3, 0.4]"};
  counts_every_parting(text, open, 500);
  auto with = [&](std::initializer_list<std::string> more) {
    std::vector<std::string> sets = open;
    sets.insert(sets.end(), more);
    return sets;
  };
  counts_every_parting(text, with({"contact.0.rolling=spring", "contact.0.rolling_friction=0.1"}), 500);
  counts_every_parting(
      text +
          "[[material]]\nname = \"n\"\ndensity = 2000\nstiffness = 2e5\n[[fill]]\nmethod = \"lattice\"\n"
          "material = \"n\"\nradius = 0.008\nmin = [0, 0.002]\nmax = [0.3, 0.02]\nspacing = 0.04\nfixed = true\n",
      open, 500);
}

TEST(Collisions, OfTwoFreeBodiesCountTwiceAndOfAWallOnce) {
  InMemory<2> pair(example("impact_normal"));
  EXPECT_EQ(pair.to_the_end().world().collisions, 2);
  InMemory<2> wall(example("impact_normal", {"setup.against=wall"}));
  EXPECT_EQ(wall.to_the_end().world().collisions, 1);
}

}  // namespace
