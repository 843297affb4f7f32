// SPDX-License-Identifier: MIT
// A checkpoint: one base::Record in one HDF5 file, bit exact. A file under the final name is always a complete one: a
// full disk or a kill at any moment leaves the one before. Does not know what the entries of the record mean.
#pragma once

#include <filesystem>

#include "base/record.hpp"

namespace moraine::io {

// Writes beside, brings it to the disk, renames. Throws base::RunError where that fails; the old checkpoint then stays.
void write_checkpoint(const std::filesystem::path& path, base::Record record);

// Throws base::InputError for a missing, foreign, truncated or damaged file, or one of a newer version.
base::Record read_checkpoint(const std::filesystem::path& path);

}  // namespace moraine::io
