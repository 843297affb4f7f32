// SPDX-License-Identifier: MIT
#include "support/runs.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "io/checkpoint.hpp"
#include "io/trajectory.hpp"

namespace moraine::testing {

Json summary_of(const fs::path& run) { return Json::parse(get(run / "summary.json")); }

std::string hash_of(const fs::path& run) {
  const std::string path = (run / "summary.json").string();
  if (!fs::exists(path)) return "no " + path;
  return summary_of(run).at("state_hash").get<std::string>();
}

Args set(const Args& values) {
  Args args;
  for (const std::string& value : values) {
    args.emplace_back("--set");
    args.push_back(value);
  }
  return args;
}

std::pair<double, double> steps_and_end(const std::string& checked) {
  const auto at = checked.find("\n  run ");
  double steps = 0, end = 0;
  if (at == std::string::npos || std::sscanf(checked.c_str() + at, " run %lf steps to %lf", &steps, &end) != 2)
    throw std::runtime_error("moraine check does not say how many steps: " + checked);
  return {steps, end};
}

Args shortened(const std::string& example, double most_steps) {
  // Heavy, so that the bed falls onto itself within a few hundred steps.
  if (example == "bed_3d") return set({"setup.count=1500", "gravity.acceleration=300", "time.end=0.0018"});
  if (example == "heap_2d") return set({"time.end=0.1", "output.every=0.02"});
  if (example == "pile_2d" || example == "pile_3d") return set({"fill.0.count=400", "time.end=1"});
  if (example == "deep_pile") {
    return set({"domain.max=[4.2,400]", "wall.0.to=[4.2,0]", "fill.0.max=[4.2,380]", "fill.0.spread=0",
                "fill.0.spacing=1.001", "fill.0.jitter=0", "fill.0.count=600", "time.end=0.5"});
  }
  // Under the sanitizers still shorter, but for those in which something happens late.
  if (MORAINE_SANITIZED != 0 && example != "impact_oblique" && example != "silo_3d")
    most_steps = std::max(0.4 * most_steps, 500.0);
  // Steps of hard contacts are long and take their time.
  for (const char* hard : {"hopper_hard", "drum_hard", "column_collapse_3d", "cohesive_pile", "breakup", "ice_breakup",
                           "helix", "jacks", "hopper_polyhedra", "mixer"}) {
    if (example == hard) most_steps = std::min(most_steps, MORAINE_SANITIZED != 0 ? 60.0 : 120.0);
  }
  const Folder nowhere;
  const Ended checked = run_moraine({"check", example}, nowhere.path());
  if (checked.status != 0) throw std::runtime_error("the example is not good:\n" + checked.told());
  const auto [steps, end] = steps_and_end(checked.out);
  if (steps <= most_steps) return {};
  return set({"time.end=" + std::to_string(end * most_steps / steps)});
}

std::map<std::string, std::string> files_of(const fs::path& folder) {
  std::map<std::string, std::string> files;
  if (!fs::exists(folder)) return files;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.is_regular_file()) files[fs::relative(entry.path(), folder).string()] = get(entry.path());
  }
  return files;
}

void expect_same_files(const fs::path& run, const fs::path& other, const std::string& what) {
  const auto a = files_of(run / what), b = files_of(other / what);
  for (const auto& [name, bytes] : a) {
    const auto at = b.find(name);
    if (at == b.end()) {
      ADD_FAILURE() << (other / what / name).string() << " is missing";
      continue;
    }
    EXPECT_TRUE(at->second == bytes) << what << "/" << name << " differs: " << bytes.size() << " and "
                                     << at->second.size() << " bytes in " << run << " and " << other;
  }
  for (const auto& [name, unused] : b)
    EXPECT_TRUE(a.count(name) == 1) << (other / what / name).string() << " is too many";
}

void expect_same_trajectory(const fs::path& run, const fs::path& other) {
  const io::TrajectoryReader a(run / "trajectory.h5"), b(other / "trajectory.h5");
  ASSERT_EQ(a.count(), b.count());
  ASSERT_GT(a.count(), 0);
  for (std::int64_t k = 0; k < a.count(); ++k) io::testing::expect_same(a.read(k), b.read(k));
}

void expect_same_checkpoint(const fs::path& run, const fs::path& other) {
  base::Record a = io::read_checkpoint(run / "checkpoint.h5"), b = io::read_checkpoint(other / "checkpoint.h5");
  for (base::Record* record : {&a, &b}) {
    record->reals.erase("run.loop_seconds");
    record->reals.erase("run.body_steps");  // has its own test
  }
  for (const auto& [name, values] : a.reals) EXPECT_TRUE(b.reals[name] == values) << "checkpoint: " << name;
  for (const auto& [name, values] : a.ints) EXPECT_TRUE(b.ints[name] == values) << "checkpoint: " << name;
  EXPECT_EQ(a.texts, b.texts);
  EXPECT_EQ(a.reals.size(), b.reals.size());
  EXPECT_EQ(a.ints.size(), b.ints.size());
}

void expect_nothing_half_done(const fs::path& run) {
  for (const std::string& name : everything_in(run)) {
    EXPECT_FALSE(name.ends_with(".part") || name.ends_with(".journal")) << name << " was left in " << run;
  }
}

void expect_same_run(const fs::path& run, const fs::path& other) {
  ASSERT_TRUE(fs::exists(run / "summary.json")) << run;
  ASSERT_TRUE(fs::exists(other / "summary.json")) << other;
  Json a = summary_of(run), b = summary_of(other);
  EXPECT_EQ(a["state_hash"], b["state_hash"]);
  for (const char* key : {"threads", "timings", "particle_steps_per_second", "memory", "step"}) {
    a.erase(key);
    b.erase(key);
  }
  EXPECT_TRUE(a == b) << "summary.json: " << Json::diff(a, b).dump(1);
  expect_same_files(run, other, "series");
  expect_same_files(run, other, "frames");
  for (const char* name : {"frames.pvd", "scene.toml", "dump.lammpstrj"}) {
    ASSERT_EQ(fs::exists(run / name), fs::exists(other / name)) << name;
    EXPECT_TRUE(get(run / name) == get(other / name)) << name << " differs in " << run << " and " << other;
  }
  expect_same_trajectory(run, other);
  expect_same_checkpoint(run, other);
  expect_nothing_half_done(other);
}

}  // namespace moraine::testing
