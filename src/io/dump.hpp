// SPDX-License-Identifier: MIT
// The text dump of LAMMPS, which OVITO and many scripts read: all frames of a run one after the other in one file.
// Append only; a frame that could not be written whole is taken back.
#pragma once

#include <cstdint>
#include <filesystem>

#include "measure/frame.hpp"

namespace moraine::io {

// Adds the frame at the end of the file, which is made if it is not there. Type = material + 1. Throws base::RunError.
void append_lammps_dump(const std::filesystem::path& path, const measure::Frame& frame);

// The number of complete frames. Throws base::InputError if it is no dump.
std::int64_t count_lammps_frames(const std::filesystem::path& path);

// Cuts the file after its first `keep_frames` frames (0: an empty file, made if it is not there). Throws
// base::InputError if it has fewer complete ones.
void keep_lammps_frames(const std::filesystem::path& path, std::int64_t keep_frames);

}  // namespace moraine::io
