// SPDX-License-Identifier: MIT
#include <unistd.h>

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

}  // namespace moraine::app
