// SPDX-License-Identifier: MIT
// moraine sweep: many runs of one scene, and a table and a picture of their results.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

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

}  // namespace moraine::app
