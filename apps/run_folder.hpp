// SPDX-License-Identifier: MIT
// The output folder of a run: which one, whether it may be used, and the names in it.
#pragma once

#include <filesystem>
#include <string>

namespace moraine::app {

namespace fs = std::filesystem;

// The first line of a scene.toml that Moraine wrote; a folder with one is ours to replace.
inline constexpr const char* kSceneMark = "# Moraine: the complete scene of this run";
bool is_run_folder(const fs::path& folder);

// The second line of such a scene if nobody has given its step; another step that is put in later is a given one.
std::string step_mark(double step);
bool step_was_chosen(const fs::path& scene, double step);

// A new or emptied folder to run in. `asked` empty: out/NAME, or out/NAME-2 and so on if that is taken. Refuses with
// base::InputError to touch a folder that holds something else, or an earlier run without `overwrite`.
fs::path choose_folder(const fs::path& asked, const std::string& name, bool overwrite);

// The title of the scene that ran there; empty, with a note, if this version cannot read the scene.
std::string title_of_run(const fs::path& folder);

// Whether its frames hold contacts; where that cannot be read, they do.
bool contacts_written(const fs::path& folder);

// Removes what an earlier run wrote, and only that.
void clear_run(const fs::path& folder);

}  // namespace moraine::app
