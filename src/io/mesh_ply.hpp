// SPDX-License-Identifier: MIT
// Is a PLY file whole? Its header says what must follow, in text or in bytes, and this walks through all of it. The
// library that reads it afterwards trusts the file, to the point of reading beyond its end.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string_view>

namespace moraine::io {

// The number of faces. Throws base::InputError.
std::uint64_t check_ply(const std::filesystem::path& path, std::string_view bytes);

}  // namespace moraine::io
