// SPDX-License-Identifier: MIT
// Looks through a mesh file before the library that reads it does: of what format it really is, whether it is whole,
// how many faces it should hold. The library passes over damage in silence, takes what it does not understand for zero
// or leaves it out, and reads beyond the end; so it gets only what has been found good here.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace moraine::io {

enum class MeshFormat : std::uint8_t { kStl, kObj, kPly, kOff };

// By the ending of the name; throws base::InputError for another.
MeshFormat mesh_format(const std::filesystem::path& path);
const char* name_of(MeshFormat format);  // as the ending, "stl"

struct Screened {
  std::uint64_t faces = 0;  // triangles or polygons
  std::string plain;  // not binary, nor PLY: vertices and faces alone, plainly written, for the library to read instead
};
// Throws base::InputError if the bytes are not of the format, damaged or cut short.
Screened screen_mesh(const std::filesystem::path& path, MeshFormat format, std::string_view bytes);

}  // namespace moraine::io
