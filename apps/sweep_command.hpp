// SPDX-License-Identifier: MIT
// moraine sweep: many runs of one scene, and a table and a picture of their results.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "plot/canvas.hpp"

namespace CLI {  // NOLINT(readability-identifier-naming): the name is the library's
class App;
}

namespace moraine::app {

struct SweepRequest {
  std::string file;  // a file, or the bare name of a shipped sweep
  std::filesystem::path out;
  std::vector<std::string> sets;
  int jobs = 0;  // 0: one per core
  bool quiet = false, overwrite = false;
};

// Adds the command to the program; its options go into `request`.
CLI::App* add_sweep_command(CLI::App& app, SweepRequest& request);
int run_sweep(const SweepRequest& request);

bool is_sweep_folder(const std::filesystem::path& folder);
// The map or curves of a sweep from its folder; none without axes, or before the first result.
std::optional<plot::Picture> picture_of_sweep(const std::filesystem::path& folder);

}  // namespace moraine::app
