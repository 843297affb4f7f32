// SPDX-License-Identifier: MIT
#include "run_folder.hpp"

#include <fmt/format.h>

#include <fstream>

#include "base/error.hpp"
#include "io/file.hpp"
#include "scene/keys.hpp"
#include "scene/reader.hpp"
#include "terminal.hpp"

namespace moraine::app {

namespace {
// scene.toml comes last: as long as there is one, the folder is known as ours.
constexpr const char* kOurs[] = {
    "summary.json",  "series",        "frames",         "frames.pvd",           "plots",
    "trajectory.h5", "checkpoint.h5", "dump.lammpstrj", "checkpoint_failed.h5", "scene.toml"};
// What a kill may leave beside a file that was being written.
constexpr const char* kUnfinished[] = {".part", ".journal"};

// Nothing but what a run leaves that was killed before it had begun.
bool only_unfinished(const fs::path& folder) {
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error)) {
    if (entry.path().extension() != ".part" || !entry.is_regular_file(error)) return false;
  }
  return true;
}
}  // namespace

bool is_run_folder(const fs::path& folder) {
  std::ifstream file(folder / "scene.toml");
  std::string line;
  return std::getline(file, line) && line.rfind(kSceneMark, 0) == 0;
}

std::string step_mark(double step) { return fmt::format("# The step of {} s was chosen by Moraine.", step); }

bool step_was_chosen(const fs::path& scene, double step) {
  std::ifstream file(scene);
  std::string first, second;
  return std::getline(file, first) && first.rfind(kSceneMark, 0) == 0 && std::getline(file, second) &&
         second == step_mark(step);
}

fs::path choose_folder(const fs::path& asked, const std::string& name, bool overwrite) {
  std::error_code error;
  if (asked.empty()) {
    fs::path folder = fs::path("out") / name;
    for (int k = 2; fs::exists(folder, error) && !(overwrite && is_run_folder(folder)); ++k) {
      folder = fs::path("out") / fmt::format("{}-{}", name, k);
    }
    return folder;
  }
  if (!fs::exists(asked, error)) return asked;
  if (!fs::is_directory(asked, error)) throw base::InputError("--out", 0, asked.string(), "is a file, not a folder");
  if (fs::is_empty(asked, error) || only_unfinished(asked)) return asked;
  if (!is_run_folder(asked)) {
    throw base::InputError("--out", 0, asked.string(),
                           "holds files that are not of a Moraine run; choose another folder");
  }
  if (!overwrite) {
    throw base::InputError("--out", 0, asked.string(),
                           "holds an earlier run; choose another folder, or replace it with --overwrite");
  }
  return asked;
}

void clear_run(const fs::path& folder) {
  std::error_code error;
  for (const char* name : kOurs) {
    for (const char* end : kUnfinished) fs::remove_all(folder / (std::string(name) + end), error);
    fs::remove_all(folder / name, error);
    if (error) io::throw_write_error(folder / name, "remove", error.value());
  }
}

// A scene that this version cannot read must not keep its frames from being drawn.
std::string title_of_run(const fs::path& folder) {
  std::error_code error;
  const fs::path scene = folder / "scene.toml";
  if (!fs::exists(scene, error)) return "";
  try {
    return scene::read_scene(scene::scene_schema(), scene).text("title");
  } catch (const base::InputError&) {
    fmt::print(stderr, "note: {} cannot be read by this version; its title is the folder's name\n",
               terminal_text(scene.string()));
    return "";
  }
}

bool contacts_written(const fs::path& folder) {
  std::error_code error;
  const fs::path scene = folder / "scene.toml";
  if (!fs::exists(scene, error)) return true;
  try {
    return scene::read_scene(scene::scene_schema(), scene).table("output").boolean("contacts");
  } catch (const base::InputError&) {
    return true;
  }
}

}  // namespace moraine::app
