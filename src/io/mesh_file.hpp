// SPDX-License-Identifier: MIT
// Triangle meshes from files made by others: STL (text and binary), OBJ, PLY and OFF, read by the library assimp. Every
// triangle of the file comes through as it stands, whatever it is worth: shape/mesh.hpp judges that. Coordinates have
// single precision, the library's.
#pragma once

#include <cstdint>
#include <filesystem>

#include "shape/mesh.hpp"

namespace moraine::io {

inline constexpr std::uint64_t kMaxMeshBytes = 2ull << 30;
inline constexpr std::uint64_t kMaxMeshTriangles = 20'000'000;

// All meshes of the file as one, each where the file puts it; polygons are cut into triangles. Throws base::InputError:
// missing, a folder, another format, too big, empty, cut short, not readable, a coordinate that is not finite.
shape::RawMesh read_mesh_file(const std::filesystem::path& path, std::uint64_t max_bytes = kMaxMeshBytes,
                              std::uint64_t max_triangles = kMaxMeshTriangles);

}  // namespace moraine::io
