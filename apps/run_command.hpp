// SPDX-License-Identifier: MIT
// moraine run, resume and check.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace moraine::app {

struct RunOptions {
  std::string scene;  // a file, or the bare name of an example
  std::vector<std::string> sets;
  std::filesystem::path out;
  int threads = 0;  // 0: one per core
  bool quiet = false, overwrite = false;
};

int run_scene(const RunOptions& options);
int resume_run(const std::filesystem::path& folder, const RunOptions& options);
int check_scene(const RunOptions& options);

// The file of a scene: the path itself, or the shipped example of that name. InputError with the nearest name if
// neither.
std::filesystem::path find_scene(const std::string& name);
std::filesystem::path examples_folder();
// The same for sweeps, which are in the folder "sweeps" of the examples.
std::filesystem::path find_sweep(const std::string& name);
std::vector<std::string> shipped_sweeps();

}  // namespace moraine::app
