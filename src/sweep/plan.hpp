// SPDX-License-Identifier: MIT
// A sweep file as a plan: axes and their values, cells (one value of each axis), runs (a cell and a seed) with their
// --set values and names. Knows nothing of folders, processes or results; of the scene it knows the name.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "scene/values.hpp"

namespace moraine::sweep {

// One value of an axis.
struct Point {
  std::vector<std::string> sets;  // "key=value": one, or those of a case
  std::string text;               // as written, without quotes
  std::optional<double> number;
  std::string unit;  // of the number, as written
};

struct Axis {
  std::string key;  // "setup.mean_speed"; "case" for the list of cases
  std::string label;
  std::string unit;  // of all numbers; empty: pure numbers, or not known before the scene is read
  bool log = false;
  bool cases = false;
  int line = 0;
  std::string where;  // "axis[0]", for messages
  std::vector<Point> points;

  bool numeric() const;   // all points are numbers
  bool one_unit() const;  // of all points, as written
};

struct Cell {
  std::vector<std::size_t> at;  // which point of each axis
};

struct Run {
  std::size_t cell = 0;
  std::optional<std::int64_t> seed;  // none: the scene's own
  std::vector<std::string> sets;     // of the cell and the seed
  std::string name;                  // of its folder: the same in every sweep with these sets
};

// What is drawn; axes and result by their number.
struct MapRequest {
  std::optional<std::size_t> x, y;
  std::size_t result = 0;
  std::string title, label;
};

struct Plan {
  std::string file, title, source, scene;
  std::filesystem::path out;
  int scene_line = 0;
  std::vector<std::string> common;  // sets for all runs
  std::vector<Axis> axes;
  std::vector<std::int64_t> seeds;  // empty: one run a cell, with the scene's own
  std::string seed_key;
  int seeds_line = 0;
  std::vector<std::string> results;
  MapRequest map;

  std::vector<Cell> cells() const;  // the last axis runs fastest
  std::vector<Run> runs() const;    // by cell, then by seed
  std::vector<std::string> sets_of(const Cell& cell) const;
  std::string text_of(const Cell& cell) const;  // "mean speed = 0.05 m/s, density = 0.4"
};

inline constexpr double kMostRuns = 1e6;

// `common`: --set values for all runs; `own`: for the sweep file itself. Throws base::InputError with all mistakes.
Plan read_plan(const std::filesystem::path& path, const std::vector<std::string>& common,
               const std::vector<std::string>& own);

// "body[0].radius" and "body.0.radius" are the same path: the latter.
std::string plain_path(std::string_view path);

// "mean_speed" of "setup.mean_speed".
std::string last_part(const std::string& key);

// The key of "key=value", as a plain path.
std::string key_of(const std::string& set);

}  // namespace moraine::sweep
