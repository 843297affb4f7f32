// SPDX-License-Identifier: MIT
// Sweep files as plans: axes, grids, cases, seeds, names of runs, and every mistake with its place.
#include "sweep/plan.hpp"

#include <gtest/gtest.h>

#include <set>

#include "io_samples.hpp"
#include "scene/reader.hpp"
#include "sweep/check.hpp"
#include "sweep/keys.hpp"

namespace moraine::sweep {
namespace {

using io::testing::error_of;
using io::testing::expect_contains;
using io::testing::Folder;
using io::testing::put;
using Texts = std::vector<std::string>;

const std::string kTop = "scene = \"scene.toml\"\nresult = [\"energy.kinetic\"]\n";

Plan plan_of(const std::string& text, const Texts& common = {}, const Texts& own = {}) {
  const Folder folder;
  put(folder / "sweep.toml", text);
  return read_plan(folder / "sweep.toml", common, own);
}

std::string mistake_of(const std::string& text, const Texts& common = {}) {
  return error_of<base::InputError>([&] { plan_of(text, common); });
}

Texts texts_of(const Axis& axis) {
  Texts out;
  for (const Point& p : axis.points) out.push_back(p.text);
  return out;
}

TEST(SweepPlan, EveryDefaultIsAValueThatItsKeyAccepts) { EXPECT_NO_THROW(scene::check_defaults(sweep_schema())); }

TEST(SweepPlan, AGridHasAllCombinationsTheLastAxisFastest) {
  const Plan plan = plan_of(kTop +
                            "seeds = 2\n[[axis]]\nkey = \"a.b\"\nvalues = [1, 2]\n[[axis]]\nkey = \"c\"\nvalues = "
                            "[\"x\", \"y\", \"z\"]\n");
  ASSERT_EQ(plan.cells().size(), 6U);
  EXPECT_EQ(plan.cells()[4].at, (std::vector<std::size_t>{1, 1}));
  EXPECT_EQ(plan.sets_of(plan.cells()[4]), (Texts{"a.b=2", "c=\"y\""}));
  EXPECT_EQ(plan.text_of(plan.cells()[4]), "b = 2, c = y");
  const auto runs = plan.runs();
  ASSERT_EQ(runs.size(), 12U);
  EXPECT_EQ(runs[9].cell, 4U);
  EXPECT_EQ(*runs[9].seed, 2);
  EXPECT_EQ(runs[9].sets, (Texts{"a.b=2", "c=\"y\"", "seed=2"}));
  std::set<std::string> names;
  for (const sweep::Run& run : runs) names.insert(run.name);
  EXPECT_EQ(names.size(), 12U);
  EXPECT_TRUE(plan.axes[0].numeric());
  EXPECT_FALSE(plan.axes[1].numeric());
  EXPECT_EQ(*plan.map.x, 0U);
  EXPECT_EQ(*plan.map.y, 1U);
}

TEST(SweepPlan, SpacedValuesAreThoseAUserWouldType) {
  const auto axis = [](const std::string& text) { return plan_of(kTop + "[[axis]]\nkey = \"k\"\n" + text).axes[0]; };
  EXPECT_EQ(texts_of(axis("from = 0.1\nto = 0.5\ncount = 5\n")), (Texts{"0.1", "0.2", "0.3", "0.4", "0.5"}));
  EXPECT_EQ(texts_of(axis("from = 5\nto = -5\ncount = 3\n")), (Texts{"5", "0", "-5"}));
  EXPECT_EQ(texts_of(axis("from = 1e-3\nto = 10\ncount = 5\nspacing = \"log\"\n")),
            (Texts{"0.001", "0.01", "0.1", "1", "10"}));
  const Axis speeds = axis("from = \"2.5 cm/s\"\nto = \"10 cm/s\"\ncount = 4\n");
  EXPECT_EQ(texts_of(speeds), (Texts{"2.5 cm/s", "5 cm/s", "7.5 cm/s", "10 cm/s"}));
  EXPECT_EQ(speeds.points[2].sets, Texts{"k=\"7.5 cm/s\""});
  EXPECT_EQ(*speeds.points[2].number, 7.5);
  EXPECT_EQ(speeds.unit, "cm/s");
}

TEST(SweepPlan, QuantitiesAreToldFromNames) {
  const Axis axis =
      plan_of(kTop + "[[axis]]\nkey = \"k\"\nvalues = [\"30 deg\", \"1e3m\", \"e3\", \"5 eV\", true, [1, 2]]\n")
          .axes[0];
  EXPECT_EQ(*axis.points[0].number, 30);
  EXPECT_EQ(axis.points[0].unit, "deg");
  EXPECT_EQ(*axis.points[1].number, 1000);
  EXPECT_EQ(axis.points[1].unit, "m");
  EXPECT_FALSE(axis.points[2].number);
  EXPECT_EQ(axis.points[3].unit, "eV");
  EXPECT_FALSE(axis.points[4].number);
  EXPECT_EQ(axis.points[5].sets, Texts{"k=[1, 2]"});
  EXPECT_FALSE(axis.numeric());
}

TEST(SweepPlan, CasesAreAnAxisOfTheirOwn) {
  const Plan plan = plan_of(kTop +
                            "[[case]]\nname = \"soft\"\nset.method = \"soft\"\n[[case]]\nname = \"hard\"\nset.method = "
                            "\"hard\"\nset.hard.step = 0.1\n[[axis]]\nkey = \"c\"\nvalues = [1, 2]\n");
  ASSERT_EQ(plan.cells().size(), 4U);
  EXPECT_EQ(plan.sets_of(plan.cells()[2]), (Texts{"hard.step=0.1", "method=\"hard\"", "c=1"}));
  EXPECT_EQ(plan.text_of(plan.cells()[2]), "case = hard, c = 1");
}

TEST(SweepPlan, SeedsAreANumberOrAList) {
  EXPECT_EQ(plan_of(kTop + "seeds = 3\n").seeds, (std::vector<std::int64_t>{1, 2, 3}));
  EXPECT_EQ(plan_of(kTop + "seeds = [7, 3]\n").seeds, (std::vector<std::int64_t>{7, 3}));
  const Plan none = plan_of(kTop + "[[axis]]\nkey = \"c\"\nvalues = [1]\n");
  EXPECT_TRUE(none.seeds.empty());
  EXPECT_EQ(none.runs()[0].sets, Texts{"c=1"});
  EXPECT_EQ(plan_of(kTop + "seeds = 1\nseed_key = \"fill.0.seed\"\n").runs()[0].sets, Texts{"fill.0.seed=1"});
}

// Cells that are added, axes in another order, another title: the names of runs stay.
TEST(SweepPlan, NamesOfRunsBelongToTheirValues) {
  const std::string a = "[[axis]]\nkey = \"a.b\"\nvalues = [1, 2]\n", b = "[[axis]]\nkey = \"c\"\nvalues = [\"x y\"]\n";
  const auto names = [](const Plan& plan) {
    std::set<std::string> out;
    for (const sweep::Run& run : plan.runs()) out.insert(run.name);
    return out;
  };
  const auto first = names(plan_of(kTop + "seeds = 2\n" + a + b));
  EXPECT_EQ(names(plan_of("title = \"t\"\n" + kTop + "seeds = 2\n" + b + a)), first);
  const auto more = names(plan_of(kTop + "seeds = 3\n[[axis]]\nkey = \"a.b\"\nvalues = [0, 1, 2]\n" + b));
  EXPECT_TRUE(std::includes(more.begin(), more.end(), first.begin(), first.end()));
  for (const std::string& name : more)
    EXPECT_EQ(name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_-+."), std::string::npos) << name;
  EXPECT_EQ(first.begin()->rfind("b_1-c_x_y-seed_1-", 0), 0U) << *first.begin();
}

TEST(SweepPlan, TheMapNamesItsAxesByKeyOrLabel) {
  const std::string axes =
      "[[axis]]\nkey = \"a.b\"\nvalues = [1]\nlabel = \"the first\"\n[[axis]]\nkey = \"c[0].d\"\nvalues = [1]\n";
  const MapRequest both = plan_of(kTop + axes + "[map]\nx = \"c.0.d\"\ny = \"the first\"\n").map;
  EXPECT_EQ(*both.x, 1U);
  EXPECT_EQ(*both.y, 0U);
  const MapRequest curve = plan_of(kTop + axes + "[map]\nx = \"c[0].d\"\n").map;
  EXPECT_EQ(*curve.x, 1U);
  EXPECT_FALSE(curve.y) << "x alone: a curve";
  EXPECT_EQ(*plan_of(kTop + axes + "[map]\ny = \"a.b\"\n").map.x, 1U);
  expect_contains(mistake_of(kTop + axes + "[map]\nx = \"a.c\"\n"), "map.x: 'a.c' is not an axis of this sweep");
  expect_contains(mistake_of(kTop + axes + "[map]\nx = \"a.b\"\ny = \"a.b\"\n"), "map.y: is the axis of `x` again");
  expect_contains(mistake_of(kTop + axes + "[map]\nresult = \"energy.kinetik\"\n"), "did you mean 'energy.kinetic'?");
}

TEST(SweepPlan, MistakesAreToldWithTheirPlace) {
  const std::string axis = "[[axis]]\nkey = \"a\"\n";
  expect_contains(mistake_of(kTop), "nothing varies: at least one [[axis]], [[case]] or `seeds` is needed");
  expect_contains(mistake_of(kTop + axis + "values = []\n"), "sweep.toml:5: axis[0].values: is empty");
  expect_contains(mistake_of(kTop + axis), "axis[0]: has neither `values` nor all of `from`, `to` and `count`");
  expect_contains(mistake_of(kTop + axis + "values = 3\n"), "axis[0].values: found 3, but a list is needed: [3]");
  expect_contains(mistake_of(kTop + axis + "values = [1, 2, 1]\n"), "axis[0].values: has '1' twice");
  expect_contains(mistake_of(kTop + axis + "values = [1]\ncount = 3\n"), "axis[0].count: does not go with `values`");
  expect_contains(mistake_of(kTop + axis + "from = \"1 m\"\nto = \"200 cm\"\ncount = 3\n"), "give both in one unit");
  expect_contains(mistake_of(kTop + axis + "from = \"one\"\nto = 2\ncount = 3\n"), "axis[0].from: is not a number");
  expect_contains(mistake_of(kTop + axis + "from = 0\nto = 2\ncount = 3\nspacing = \"log\"\n"), "above zero");
  expect_contains(mistake_of(kTop + axis + "from = 0\nto = 2\ncount = 1\n"), "axis[0].count: 1 is out of range");
  expect_contains(mistake_of(kTop + axis + "values = [1]\n[[axis]]\nkey = \"a\"\nvalues = [2]\n"),
                  "sweep.toml:7: axis[1].key: 'a' is set by an [[axis]] as well");
  expect_contains(mistake_of(kTop + "seeds = 2\n[[axis]]\nkey = \"seed\"\nvalues = [2]\n"),
                  "is set by `seeds` as well");
  expect_contains(mistake_of(kTop + axis + "values = [1]\n[set]\na = 3\n"), "'a' is set by an [[axis]] as well");
  expect_contains(mistake_of(kTop + axis + "values = [1]\n", {"a=3"}), "--set: 'a=3' sets a key that an [[axis]]");
  expect_contains(mistake_of(kTop + axis + "values = [1]\nvalue = [1]\n"),
                  "axis[0].value: unknown key; did you mean 'values'?");
  expect_contains(mistake_of(kTop + "seeds = 0\n"), "sweep.toml:3: seeds: is 0: a number of seeds is 1 to");
  expect_contains(mistake_of(kTop + "seeds = []\n"), "seeds: has 0 values, but it needs at least 1");
  expect_contains(mistake_of(kTop + "seeds = [1, 1]\n"), "seeds: has 1 twice");
  expect_contains(mistake_of(kTop + "seeds = 1.5\n"), "seeds: found 1.5, but a whole number of at least 0 is needed");
  expect_contains(mistake_of("result = [\"a\"]\nseeds = 1\n"), "scene: is missing");
  expect_contains(mistake_of("scene = \"a\"\nseeds = 1\n"), "result: is missing");
  expect_contains(mistake_of(kTop + "seeds = 1000\n" + axis + "from = 1\nto = 2\ncount = 10000\n"),
                  "would be 1e+07 runs");
  EXPECT_EQ(plan_of(kTop + "seeds = 2\n", {}, {"seeds=5"}).seeds.size(), 5U) << "--set sweep.seeds";
}

// ---- with a scene ----

const std::string kScene =
    "title = \"T\"\ndimension = 2\n[time]\nend = 0.01\n[[material]]\nname = \"rock\"\ndensity = 2500\nstiffness = "
    "1e6\n[[contact]]\nrestitution = 0.5\n[[body]]\nposition = [0, 0.5]\nradius = 0.1\nmaterial = \"rock\"\n";

struct Checked {
  Folder folder;
  Plan plan;
  std::vector<std::uint64_t> cells;
  Checked(const std::string& scene, const std::string& sweep, const Texts& common = {}) {
    put(folder / "scene.toml", scene);
    put(folder / "sweep.toml", sweep);
    plan = read_plan(folder / "sweep.toml", common, {});
    cells = check_cells(plan, folder / "scene.toml");
  }
};

const std::string kRadii = kTop + "seeds = 2\n[[axis]]\nkey = \"body.0.radius\"\nvalues = [0.1, \"20 cm\"]\n";

TEST(SweepCheck, UnitsOfAxesComeFromTheScene) {
  const Checked mixed(kScene, kRadii);
  EXPECT_EQ(mixed.plan.axes[0].unit, "m");
  EXPECT_EQ(*mixed.plan.axes[0].points[1].number, 0.2) << "in the unit of the axis";
  EXPECT_EQ(Checked(kScene, kTop + "[[axis]]\nkey = \"time.end\"\nvalues = [0.1, 0.2]\n").plan.axes[0].unit, "s");
  const Checked written(kScene, kTop + "[[axis]]\nkey = \"time.end\"\nvalues = [\"5 ms\", \"6 ms\"]\n");
  EXPECT_EQ(written.plan.axes[0].unit, "ms") << "as written";
  EXPECT_EQ(*written.plan.axes[0].points[1].number, 6);
  const Checked part(kScene, kTop + "[[axis]]\nkey = \"body.0.velocity\"\nvalues = [[0, 1], [1, 0]]\n");
  EXPECT_FALSE(part.plan.axes[0].numeric());
  EXPECT_EQ(Checked(kScene, kTop + "[[axis]]\nkey = \"material.rock.density\"\nvalues = [1, 2]\n").plan.axes[0].unit,
            "kg/m^3");
}

TEST(SweepCheck, FingerprintsAreThoseOfWhatIsComputed) {
  const auto prints = [](const Checked& c) {
    Texts out;
    for (const sweep::Run& run : c.plan.runs()) out.push_back(fingerprint(c.cells[run.cell], c.plan, run));
    return out;
  };
  const Texts first = prints(Checked(kScene, kRadii));
  ASSERT_EQ(first.size(), 4U);
  EXPECT_EQ(std::set<std::string>(first.begin(), first.end()).size(), 4U);
  EXPECT_EQ(prints(Checked("# a remark\n" + kScene, kRadii)), first);
  EXPECT_EQ(prints(Checked(std::string(kScene).replace(9, 1, "U"), kRadii)), first) << "another title";
  EXPECT_EQ(prints(Checked(kScene, kRadii, {"material.0.density=\"2.5 g/cm^3\""})), first) << "the same value";
  for (const char* set : {"material.0.density=2501", "time.end=0.02", "output.vtk=false"}) {
    const Texts other = prints(Checked(kScene, kRadii, {set}));
    for (std::size_t k = 0; k < 4; ++k) EXPECT_NE(other[k], first[k]) << set;
  }
}

TEST(SweepCheck, MistakesAreToldOnceWithTheirAxisAndCell) {
  const auto mistake = [](const std::string& sweep) {
    return error_of<base::InputError>([&] { Checked(kScene, sweep); });
  };
  const std::string unknown = mistake(kTop + "seeds = 5\n[[axis]]\nkey = \"body.0.radios\"\nvalues = [1, 2, 3]\n");
  expect_contains(unknown,
                  "sweep.toml:5: axis[0]: body[0].radios: unknown key; did you mean 'radius'? (with radios = 1)");
  EXPECT_EQ(unknown.find('\n'), std::string::npos) << unknown;
  const std::string bad = mistake(kTop + "[[axis]]\nkey = \"body.0.radius\"\nvalues = [0.1, -1, \"5 s\"]\n");
  expect_contains(bad,
                  "sweep.toml:4: axis[0]: body[0].radius: -1 is out of range: it must be > 0 m (with radius = -1)");
  expect_contains(bad, "\"5 s\"");
  EXPECT_EQ(bad.find("radius = 0.1"), std::string::npos) << bad;
  expect_contains(mistake(kTop + "[[axis]]\nkey = \"body.7.radius\"\nvalues = [0.1]\n"),
                  "sweep.toml:4: axis[0]: 'body.7.radius=0.1' has the index 7");
  expect_contains(mistake(kTop + "seeds = 2\nseed_key = \"sead\"\n"), "sweep.toml:3: seeds: sead: unknown key");
}

TEST(SweepCheck, WhatCannotBeBuiltIsToldBeforeTheFirstRun) {
  Checked c(kScene + "[[body]]\nposition = [0.5, 0.5]\nradius = 0.1\nmaterial = \"rock\"\n",
            kTop + "[[axis]]\nkey = \"body.1.radius\"\nvalues = [0.1, 0.45]\n");
  EXPECT_EQ(build_cells(c.plan, c.folder / "scene.toml", {0}, 10), 1U);
  const std::string error = error_of<base::InputError>([&] {
    build_cells(c.plan, c.folder / "scene.toml", {0, 1}, 10);
  });
  expect_contains(error, "overlaps body 0");
  expect_contains(error, "(with radius = 0.45 m)");
}

}  // namespace
}  // namespace moraine::sweep
