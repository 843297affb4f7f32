// SPDX-License-Identifier: MIT
// From a scene file (and --set values) to the validated tree of an ordinary scene, set-ups expanded.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "scene/values.hpp"

namespace moraine::scene {

struct Scene {
  Node node;                            // validated, without [setup]
  std::optional<Node> original;         // as the user wrote it, where that had a [setup]
  std::filesystem::path folder;         // where relative paths in it start
  std::vector<std::string> warnings{};  // of its [setup]
  int dimension() const { return static_cast<int>(node.integer("dimension")); }
};

// Throws base::InputError with everything that is wrong in form.
Scene load_scene(const std::filesystem::path& path, const std::vector<std::string>& sets);
Scene load_scene_text(const std::string& text, const std::string& name, const std::filesystem::path& folder,
                      const std::vector<std::string>& sets);

// The same scene with some values set, such as a step that has been worked out, in place of `fraction`.
Scene with_values(const Scene& scene, const std::vector<std::string>& sets);

}  // namespace moraine::scene
