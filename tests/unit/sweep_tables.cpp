// SPDX-License-Identifier: MIT
// Tables and pictures of a sweep, from results made by hand; runs as they stand on a disk.
#include "sweep/tables.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "io_samples.hpp"
#include "sweep/outcome.hpp"
#include "sweep/picture.hpp"

namespace moraine::sweep {
namespace {

using io::testing::Folder;
using io::testing::put;
namespace fs = std::filesystem;

Axis axis(const std::string& key, const std::string& unit, const std::vector<double>& values) {
  Axis out;
  out.key = out.label = key;
  out.unit = unit;
  for (const double v : values) out.points.push_back({{fmt::format("{}={}", key, v)}, fmt::format("{}", v), v, ""});
  return out;
}

Plan sample() {
  Plan plan;
  plan.axes = {axis("speed", "m/s", {0.1, 0.2})};
  plan.seeds = {1, 2, 3};
  plan.seed_key = "seed";
  plan.results = {"probes.jam.jammed", "time"};
  plan.map.x = 0;
  plan.map.title = "A map";
  plan.map.label = "jam";
  return plan;
}

std::vector<Row> rows() {
  return {{"finished", {1, 10}, 0.5, ""}, {"finished", {0, {}}, 0.25, ""},           {"at rest", {1, 30}, 1, ""},
          {"finished", {0, 5}, 1, ""},    {"failed", {}, 0, "too deep, \"by far\""}, {}};
}

TEST(SweepTables, ARowForEachRun) {
  const Plan plan = sample();
  const auto runs = plan.runs();
  const std::string table = table_csv(plan, runs, rows());
  std::vector<std::string> lines;
  std::istringstream text(table);
  for (std::string line; std::getline(text, line);) lines.push_back(line);
  ASSERT_EQ(lines.size(), 7U);
  EXPECT_EQ(lines[0], "speed [m/s],seed,probes.jam.jammed,time,status,run,message,wall [s]");
  EXPECT_EQ(lines[1], "0.1,1,1,10,finished," + runs[0].name + ",,0.500");
  EXPECT_EQ(lines[2], "0.1,2,0,,finished," + runs[1].name + ",,0.250");
  EXPECT_EQ(lines[5], "0.2,2,,,failed," + runs[4].name + ",\"too deep, \"\"by far\"\"\",");
  EXPECT_EQ(lines[6], "0.2,3,,,not run," + runs[5].name + ",,");
}

TEST(SweepTables, ARowForEachCell) {
  const Plan plan = sample();
  const auto cells = summarise(plan, plan.runs(), rows());
  ASSERT_EQ(cells.size(), 2U);
  EXPECT_EQ(cells[0].runs, 3);
  EXPECT_EQ(cells[1].runs, 1);
  EXPECT_EQ(cells[1].failed, 1);
  EXPECT_EQ(cells[0].results[1].count, 2);
  EXPECT_EQ(cells[0].results[1].mean, 20);
  ASSERT_TRUE(cells[0].results[0].probability);
  EXPECT_FALSE(cells[0].results[1].probability);
  std::vector<std::string> lines;
  std::istringstream text(cells_csv(plan, cells));
  for (std::string line; std::getline(text, line);) lines.push_back(line);
  ASSERT_EQ(lines.size(), 3U);
  EXPECT_EQ(lines[0],
            "speed [m/s],runs,failed,probes.jam.jammed count,probes.jam.jammed mean,probes.jam.jammed deviation,"
            "probes.jam.jammed error,probes.jam.jammed low,probes.jam.jammed high,time count,time mean,time deviation,"
            "time error");
  std::vector<double> first;
  std::istringstream fields(lines[1]);
  for (std::string field; std::getline(fields, field, ',');) first.push_back(std::stod(field));
  const std::vector<double> expected = {0.1,       3,         0, 3,  2.0 / 3,   0.5773503, 0.3333333,
                                        0.2076596, 0.9385081, 2, 20, 14.142136, 10};
  ASSERT_EQ(first.size(), expected.size()) << lines[1];
  for (std::size_t k = 0; k < expected.size(); ++k) EXPECT_NEAR(first[k], expected[k], 1e-6) << k;
  EXPECT_EQ(lines[2].substr(0, 20), "0.2,1,1,1,0,,,0,0.79") << "one run has no deviation";
  EXPECT_EQ(lines[2].substr(lines[2].size() - 6), ",1,5,,");
}

// All pictures that a sweep can ask for are sound, whatever is missing.
TEST(SweepPicture, OfEveryFormIsSound) {
  Plan plan = sample();
  const auto sound = [&](const std::vector<Row>& results) {
    const auto made = picture(plan, summarise(plan, plan.runs(), results));
    ASSERT_TRUE(made);
    EXPECT_EQ(plot::png_of(*made).substr(1, 3), "PNG");
    const std::string svg = plot::svg_of(*made);
    for (const char* bad : {"nan", "inf"}) EXPECT_EQ(svg.find(bad), std::string::npos) << bad;
  };
  sound(rows());
  plan.map.result = 1;
  sound(rows());
  plan.map.result = 0;
  EXPECT_FALSE(picture(plan, summarise(plan, plan.runs(), std::vector<Row>(6)))) << "nothing is done yet";

  plan.axes = {axis("speed", "m/s", {0.1, 0.2, 0.4}), axis("density", "", {0.3, 0.5}), axis("size", "m", {1, 2})};
  plan.map.y = 1;
  std::vector<Row> results;
  for (std::size_t k = 0; k < plan.runs().size(); ++k) {
    results.push_back({"finished", {static_cast<double>(k % 3 == 0), static_cast<double>(k * k)}, 1, ""});
  }
  for (std::size_t k = 6; k < 12; ++k) results[k] = {};  // two cells have nothing
  sound(results);
  plan.map.result = 1;
  sound(results);
  plan.map.y.reset();
  sound(results);
  plan.axes[0].log = true;
  sound(results);
  plan.axes[0].points[1].number.reset();  // names instead of numbers
  sound(results);
  for (Row& row : results) row.numbers = {0, 7};
  sound(results);
  plan.axes.clear();
  plan.map.x.reset();
  EXPECT_FALSE(picture(plan, summarise(plan, plan.runs(), std::vector<Row>(3, rows()[0])))) << "nothing to draw over";
}

TEST(SweepPicture, OfManyCellsFitsItsPage) {
  Plan plan = sample();
  std::vector<double> many;
  for (int k = 0; k < 60; ++k) many.push_back(1 + 0.001 * k);
  plan.axes = {axis("speed", "m/s", many), axis("density", "", many)};
  plan.seeds = {1};
  plan.map.y = 1;
  const std::vector<Row> results(3600, rows()[0]);
  const auto made = picture(plan, summarise(plan, plan.runs(), results));
  ASSERT_TRUE(made);
  EXPECT_LT(made->height, 1000);
  EXPECT_EQ(plot::png_of(*made).substr(1, 3), "PNG");
}

// ---- runs on a disk ----

TEST(SweepOutcome, NumbersAreFoundByTheirPath) {
  const auto json = nlohmann::ordered_json::parse(
      R"({"time": 2, "probes": {"jam": {"jammed": true, "time": null}, "a.b": {"c": 1.5}}, "title": "3"})");
  EXPECT_EQ(*number_in(json, "time"), 2);
  EXPECT_EQ(*number_in(json, "probes.jam.jammed"), 1);
  EXPECT_EQ(*number_in(json, "probes.a.b.c"), 1.5);
  for (const char* none : {"probes.jam.time", "probes.jam", "title", "", "probes..jam", "probes.jam.jammed.x"})
    EXPECT_FALSE(number_in(json, none)) << none;
  EXPECT_EQ(numbers_in(json), (std::vector<std::string>{"time", "probes.jam.jammed", "probes.a.b.c"}));
  EXPECT_TRUE(may_be_missing("probes.jam.time", numbers_in(json)));
  EXPECT_FALSE(may_be_missing("probes.jam.timee", numbers_in(json)));
  EXPECT_FALSE(may_be_missing("probes.a.time", numbers_in(json)));
}

TEST(SweepOutcome, ARunIsDoneOnlyWithItsFingerprintAndAWholeSummary) {
  const Folder folder;
  const sweep::Run run{0, {}, {"a=1"}, "a_1-0123"};
  const fs::path own = run_folder(folder.path(), run);
  const auto state = [&](const char* fingerprint = "f") {
    return look_at(folder.path(), run, fingerprint, {"time"}).state;
  };
  fs::create_directories(own);
  EXPECT_EQ(state(), State::kAbsent);
  note_run(folder.path(), run, "f");
  EXPECT_EQ(state(), State::kAbsent);
  put(own / "checkpoint.h5", "x");
  EXPECT_EQ(state(), State::kBroken);
  EXPECT_EQ(state("g"), State::kForeign);
  put(own / "summary.json", "{\"status\": \"finished\", \"ti");
  EXPECT_EQ(state(), State::kBroken) << "half a summary";
  for (const char* status : {"interrupted", "failed", ""}) {
    put(own / "summary.json", fmt::format("{{\"status\": \"{}\", \"time\": 2}}", status));
    EXPECT_EQ(state(), State::kBroken) << status;
  }
  for (const char* status : {"finished", "at rest", "stopped"}) {
    put(own / "summary.json", fmt::format("{{\"status\": \"{}\", \"time\": 2}}", status));
    EXPECT_EQ(state(), State::kDone) << status;
  }
  EXPECT_EQ(*look_at(folder.path(), run, "f", {"time"}).numbers[0], 2);
  EXPECT_FALSE(look_at(folder.path(), run, "f", {"tim"}).numbers[0]);
  EXPECT_EQ(state("g"), State::kForeign);
  // A run that begins again, killed before it wrote anything, must not be taken for done.
  note_run(folder.path(), run, "g");
  EXPECT_EQ(state("g"), State::kAbsent);
  fs::remove(folder / "runs/a_1-0123.json");
  put(own / "checkpoint.h5", "x");
  EXPECT_EQ(state("g"), State::kForeign) << "without its note nobody knows what it is of";
}

}  // namespace
}  // namespace moraine::sweep
