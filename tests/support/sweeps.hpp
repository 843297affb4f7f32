// SPDX-License-Identifier: MIT
// What the tests of sweeps share: a scene that takes little time, tables read back, and when files were written.
#pragma once

#include <sstream>
#include <utility>

#include "support/runs.hpp"
#include "support/scenes.hpp"

namespace moraine::testing {

// Thirty disks in a box, moving at random: every seed ends with another energy. `end`: simulated time.
inline std::string random_box(const std::string& end) {
  return "dimension = 2\n[time]\nend = " + end + "\nstep = 1e-4\n" + kDomain + "periodic = [\"x\", \"y\"]\n" + kRock +
         kContact + kFloor +
         "[[fill]]\nmethod = \"random\"\nmaterial = \"rock\"\nradius = 0.05\nspread = 0.2\ncount = 30\n"
         "min = [-0.8, 0.1]\nmax = [0.8, 0.9]\nrandom_speed = 1\n[output]\nvtk = false\ntrajectory = false\n";
}

inline const std::string kBoxSweep = R"(scene = "scene.toml"
seeds = 3
result = ["energy.kinetic", "bodies"]
[[axis]]
key = "contact.0.restitution"
values = [0.3, 0.6, 0.9]
[[axis]]
key = "fill.0.random_speed"
values = ["1 m/s", "2 m/s"]
)";

// Rows of fields. A simple reader: our test sweeps have no commas in fields but in messages, which come last but one.
inline std::vector<std::vector<std::string>> csv(const fs::path& path) {
  std::vector<std::vector<std::string>> rows;
  std::istringstream lines(get(path));
  for (std::string line; std::getline(lines, line);) {
    rows.emplace_back();
    std::string field;
    bool quoted = false;
    for (const char c : line + ",") {
      if (c == '"') quoted = !quoted;
      if (c == ',' && !quoted) {
        rows.back().push_back(std::exchange(field, {}));
      } else if (c != '"') {
        field += c;
      }
    }
  }
  return rows;
}

// The table without the time that the runs took.
inline std::vector<std::vector<std::string>> results_of(const fs::path& sweep) {
  auto rows = csv(sweep / "table.csv");
  for (auto& row : rows) row.pop_back();
  return rows;
}

// When each summary of a run that is done was written.
inline std::map<std::string, fs::file_time_type> done_runs(const fs::path& sweep) {
  std::map<std::string, fs::file_time_type> out;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(sweep / "runs", error)) {
    const fs::path summary = entry.path() / "summary.json";
    if (!fs::exists(summary, error)) continue;
    if (summary_of(entry.path()).at("status") != "finished") continue;
    out[entry.path().filename().string()] = fs::last_write_time(summary);
  }
  return out;
}

// Is this process (not a zombie of it) there?
inline bool is_alive(pid_t pid) {
  std::ifstream stat("/proc/" + std::to_string(pid) + "/stat");
  std::string line;
  if (!std::getline(stat, line)) return false;
  const std::size_t name_end = line.rfind(')');
  return name_end != std::string::npos && name_end + 2 < line.size() && line[name_end + 2] != 'Z' &&
         line[name_end + 2] != 'X';
}

inline std::vector<pid_t> children_of(pid_t parent) {
  std::vector<pid_t> out;
  std::ifstream list("/proc/" + std::to_string(parent) + "/task/" + std::to_string(parent) + "/children");
  for (pid_t pid = 0; list >> pid;) out.push_back(pid);
  return out;
}

}  // namespace moraine::testing
