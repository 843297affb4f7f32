// SPDX-License-Identifier: MIT
// What a scene of the library holds: the tree that was read, and what it was read from, so that it can be read again
// with one more value set.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "moraine/scene.hpp"
#include "scene/load.hpp"

namespace moraine {

struct Scene::Content {
  std::optional<std::filesystem::path> file;  // or:
  std::string text;
  std::filesystem::path folder;
  std::vector<std::string> sets;
  scene::Scene tree;
};

}  // namespace moraine
