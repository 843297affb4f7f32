// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>

#include "base/error.hpp"
#include "run_command.hpp"
#include "scene/values.hpp"

namespace moraine::app {

namespace fs = std::filesystem;

// Of an installed program (bin/moraine: ../share/moraine/examples), where it was built, or beside a build tree that has
// been moved (build/moraine: ../examples).
fs::path examples_folder() {
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  for (const fs::path& folder : {program.parent_path() / ".." / "share" / "moraine" / "examples",
                                 fs::path(MORAINE_EXAMPLES_DIR), program.parent_path() / ".." / "examples"}) {
    if (fs::is_directory(folder, error)) return fs::weakly_canonical(folder, error);
  }
  throw base::InputError("", 0, "", "the folder of example scenes was not found beside the program");
}

fs::path find_scene(const std::string& name) {
  std::error_code error;
  const bool bare = name.find('/') == std::string::npos, folder_here = fs::is_directory(name, error);
  if (fs::exists(name, error) && !(bare && folder_here)) return name;
  if (!bare) return name;  // the reader says what is wrong with it
  const fs::path folder = examples_folder();
  const std::string stem = fs::path(name).extension() == ".toml" ? fs::path(name).stem().string() : name;
  fs::path example = folder / (stem + ".toml");
  if (fs::exists(example, error)) return example;  // also beside a folder of that name, such as its output
  if (folder_here) return name;
  if (fs::exists(folder / "sweeps" / (stem + ".toml"), error))
    throw base::InputError(name, 0, "", fmt::format("is a sweep, not a scene; run it with: moraine sweep {}", name));
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder, error)) {
    if (entry.path().extension() == ".toml") names.push_back(entry.path().stem().string());
  }
  for (const auto& entry : fs::directory_iterator(".", error)) {
    if (entry.path().extension() == ".toml") names.push_back(entry.path().filename().string());
  }
  throw base::InputError(name, 0, "",
                         "there is no such file, and no example of that name" +
                             (scene::did_you_mean(name, names).empty() ? scene::did_you_mean(stem, names)
                                                                       : scene::did_you_mean(name, names)) +
                             " (moraine examples lists them)");
}

std::vector<std::string> shipped_sweeps() {
  std::vector<std::string> names;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(examples_folder() / "sweeps", error)) {
    if (entry.path().extension() == ".toml") names.push_back(entry.path().stem().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

fs::path find_sweep(const std::string& name) {
  std::error_code error;
  if (fs::is_regular_file(name, error)) return name;
  // "pipe_jam_map", "pipe_jam_map.toml", "sweeps/pipe_jam_map.toml"
  const fs::path path(name);
  const bool shipped = !path.has_parent_path() || path.parent_path() == "sweeps";
  if (!shipped) return name;  // the reader says what is wrong with it
  const std::string stem = path.extension() == ".toml" ? path.stem().string() : path.filename().string();
  fs::path example = examples_folder() / "sweeps" / (stem + ".toml");
  if (fs::exists(example, error)) return example;
  if (fs::exists(examples_folder() / (stem + ".toml"), error))
    throw base::InputError(name, 0, "", fmt::format("is a scene, not a sweep; run it with: moraine run {}", name));
  std::vector<std::string> names = shipped_sweeps();
  for (const auto& entry : fs::directory_iterator(".", error)) {
    if (entry.path().extension() == ".toml") names.push_back(entry.path().filename().string());
  }
  const std::string near = scene::did_you_mean(name, names);
  throw base::InputError(name, 0, "",
                         "there is no such file, and no shipped sweep of that name" +
                             (near.empty() ? scene::did_you_mean(stem, names) : near) +
                             " (moraine examples lists them)");
}

}  // namespace moraine::app
