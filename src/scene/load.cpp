// SPDX-License-Identifier: MIT
#include "scene/load.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "scene/keys.hpp"
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
  return std::find(made.begin(), made.end(), first_name(set)) != made.end();
}

Scene expand(Node node, const std::filesystem::path& folder, const std::vector<std::string>& later) {
  Problems problems;
  const Expanded made = expand_setup(node, problems);
  problems.throw_if_any();
  std::vector<std::string> sets = later;
  if (!node.table("time").has("end")) sets.push_back("time.end=" + toml_number(made.end));
  return {read_scene_text(scene_schema(), made.text, node.file() + " (expanded)", sets), folder};
}

template <class Read>
Scene load(const Read& read, const std::filesystem::path& folder, const std::vector<std::string>& sets) {
  std::vector<std::string> now, later;
  for (const std::string& set : sets) (belongs_after(set) ? later : now).push_back(set);
  Node node = read(now);
  if (node.has("setup")) return expand(std::move(node), folder, later);
  return {later.empty() ? std::move(node) : read(sets), folder};
}

}  // namespace

Scene load_scene(const std::filesystem::path& path, const std::vector<std::string>& sets) {
  return load([&](const auto& s) { return read_scene(scene_schema(), path, s); }, path.parent_path(), sets);
}

Scene load_scene_text(const std::string& text, const std::string& name, const std::filesystem::path& folder,
                      const std::vector<std::string>& sets) {
  return load([&](const auto& s) { return read_scene_text(scene_schema(), text, name, s); }, folder, sets);
}

Scene with_values(const Scene& scene, const std::vector<std::string>& sets) {
  const std::string text = write_complete(scene_schema(), scene.node);
  return {read_scene_text(scene_schema(), text, scene.node.file(), sets), scene.folder};
}

}  // namespace moraine::scene
