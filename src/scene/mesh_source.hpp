// SPDX-License-Identifier: MIT
// Triangles and polygons that a table of the scene names.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "scene/values.hpp"
#include "shape/mesh.hpp"

namespace moraine::scene {

// Of the keys `file`, `unit` and `scale`, in metres; nothing and a problem if it cannot be read.
std::optional<shape::RawMesh> mesh_of_file(const Node& node, const std::filesystem::path& folder, Problems& problems);

// Given by the key `outline`, or `variants` random ones of `count` corners from the stream of the table's name.
std::vector<std::vector<math::Vec2>> polygons_of(const Node& scene, const Node& node, const std::string& stream,
                                                 const char* outline, Problems& problems);

}  // namespace moraine::scene
