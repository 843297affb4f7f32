// SPDX-License-Identifier: MIT
#include "scene/load.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <sstream>

#include "io/file.hpp"
#include "scene/keys.hpp"
#include "scene/partial_check.hpp"
#include "scene/reader.hpp"
#include "scene/setups.hpp"
#include "scene/writer.hpp"

namespace moraine::scene {

namespace {

// "body" of "body.0.radius=1" or "body[0].radius=1".
std::string first_name(const std::string& set) { return set.substr(0, set.find_first_of(".[= ")); }

// A scene with [setup] has no tables for some --set values before it is expanded.
bool belongs_after(const std::string& set) {
  const auto& made = tables_made_by_setups();
  const std::string name = first_name(set);
  // Probes of the file come first, those of the set-up after them.
  return name == "probe" || std::find(made.begin(), made.end(), name) != made.end();
}

// The text of a scene with these values in its [time] table.
std::string with_times(const std::string& scene, const std::vector<std::pair<std::string, std::string>>& values) {
  std::istringstream lines(scene);
  std::string text;
  bool inside = false;
  for (std::string line; std::getline(lines, line);) {
    if (!line.empty() && line[0] == '[') inside = line == "[time]";
    const bool replaced = inside && std::any_of(values.begin(), values.end(),
                                                [&](const auto& v) { return line.rfind(v.first + " = ", 0) == 0; });
    if (!replaced) text += line + "\n";
    if (line != "[time]") continue;
    for (const auto& [key, value] : values) text += fmt::format("{} = {}\n", key, value);
  }
  return text;
}

Scene expand(Node node, const std::filesystem::path& folder, const std::vector<std::string>& later) {
  Problems problems;
  const Expanded made = expand_setup(node, problems);
  problems.throw_if_any();
  const Node& time = node.table("time");
  const auto open = [&](const std::string& key) {
    if (key == "end" || key == "steps") return !time.has("end") && !time.has("steps");
    if (key == "step") return !time.has("step") && !time.has("fraction");
    return !time.given(key);
  };
  std::vector<std::pair<std::string, std::string>> chosen;
  std::copy_if(made.defaults.begin(), made.defaults.end(), std::back_inserter(chosen),
               [&](const auto& d) { return open(d.first); });
  const std::string name = node.file() + " (expanded)";
  try {
    Node expanded = read_scene_text(scene_schema(), with_times(made.text, chosen), name, later);
    return {std::move(expanded), std::move(node), folder, made.warnings};
  } catch (const base::InputError& error) {
    // The user has not written these lines, but the [setup] that they follow from.
    for (const base::Problem& p : error.problems()) {
      if (p.file != name) {
        problems.add(p);
      } else {
        problems.add(node, "setup",
                     fmt::format("its numbers do not go together: {}{}{}", p.key,
                                 p.key.empty() ? "" : " of the scene they make: ", p.text));
      }
    }
    problems.throw_if_any();
    throw;
  }
}

// Two keys of which one is given: a --set of the one takes the place of the other in the file.
Node with_alternatives(Node scene) {
  struct Pair {
    const char *table, *a, *b;
  };
  for (const Pair& p :
       {Pair{"time", "end", "steps"}, {"time", "step", "fraction"}, {"output", "every", "every_steps"}}) {
    const Node& table = scene.table(p.table);
    if (!table.given(p.a) || !table.given(p.b)) continue;
    const bool set_a = table.origin(p.a).from_set, set_b = table.origin(p.b).from_set;
    if (set_a != set_b) scene.take_out(p.table, set_a ? p.b : p.a);
  }
  return scene;
}

// Is there a [setup] in the file or among the values set? Asked before the file is read in earnest, since --set values
// for tables that a set-up makes must wait until it is expanded, and all others must not.
bool mentions_setup(const std::string& text, const std::vector<std::string>& sets) {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t name = line.find_first_not_of(" \t[\"'");
    if (name == std::string::npos || line.compare(name, 5, "setup") != 0) continue;
    const std::size_t next = line.find_first_not_of(" \t\"'", name + 5);
    if (next != std::string::npos && (line[next] == ']' || line[next] == '.' || line[next] == '=')) return true;
  }
  return std::any_of(sets.begin(), sets.end(), [](const std::string& set) { return first_name(set) == "setup"; });
}

template <class Read>
Scene load(const Read& read, const std::string& text, const std::filesystem::path& folder,
           const std::vector<std::string>& sets) {
  if (!mentions_setup(text, sets)) return {with_alternatives(read(sets)), std::nullopt, folder};
  std::vector<std::string> now, later;
  for (const std::string& set : sets) (belongs_after(set) ? later : now).push_back(set);
  Node node = with_alternatives(read(now));
  if (node.has("setup")) return expand(std::move(node), folder, later);
  return {later.empty() ? std::move(node) : with_alternatives(read(sets)), std::nullopt, folder};
}

// Mistakes of form, and with them those of meaning that can be seen in spite of them.
template <class Read>
Node all_told(const std::filesystem::path& folder, const Read& read) {
  Problems problems;
  Node node = read(problems);
  if (!problems.empty()) check_in_spite({node, std::nullopt, folder}, problems);
  problems.throw_if_any();
  return node;
}

// The text of a scene file for a first look; whatever is wrong with the file is the reader's to tell.
std::string text_of(const std::filesystem::path& path) {
  try {
    return io::read_text_file(path, kLargestScene);
  } catch (const base::InputError&) {
    return {};
  }
}

}  // namespace

Scene load_scene(const std::filesystem::path& path, const std::vector<std::string>& sets) {
  const auto read = [&](const auto& s) {
    return all_told(path.parent_path(), [&](Problems& found) { return read_scene(scene_schema(), path, s, &found); });
  };
  return load(read, text_of(path), path.parent_path(), sets);
}

Scene load_scene_text(const std::string& text, const std::string& name, const std::filesystem::path& folder,
                      const std::vector<std::string>& sets) {
  const auto read = [&](const auto& s) {
    return all_told(folder, [&](Problems& found) { return read_scene_text(scene_schema(), text, name, s, &found); });
  };
  return load(read, text, folder, sets);
}

Scene with_values(const Scene& scene, const std::vector<std::string>& sets) {
  std::istringstream lines(write_complete(scene_schema(), scene.node));
  std::string text, table;
  for (std::string line; std::getline(lines, line);) {
    if (!line.empty() && line[0] == '[') table = line;
    if (table != "[time]" || line.rfind("fraction = ", 0) != 0) text += line + "\n";
  }
  return {read_scene_text(scene_schema(), text, scene.node.file(), sets), scene.original, scene.folder, scene.warnings};
}

}  // namespace moraine::scene
