// SPDX-License-Identifier: MIT
// The scene with the values of every cell, read and built before any run begins: mistakes come before hours of work.
// Also what makes a run the same run again: the fingerprint of its complete scene.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "sweep/plan.hpp"

namespace moraine::sweep {

// Reads the scene at `path` with the sets of each cell (and the first cell with each seed), and gives the fingerprint
// of each. Fills in the units of axes, which the scene knows. Throws base::InputError with every mistake, once, with
// its axis.
std::vector<std::uint64_t> check_cells(Plan& plan, const std::filesystem::path& path);

// Of the complete scene of a run: comments, order and spelling of the file do not matter, nor its title.
std::string fingerprint(std::uint64_t cell, const Plan& plan, const Run& run);

// Builds the scene of each of these cells, as a run would, for at most so many seconds; the rest is checked when it
// runs. Throws as above. Returns how many were built.
std::size_t build_cells(const Plan& plan, const std::filesystem::path& path, const std::vector<std::size_t>& cells,
                        double seconds);

}  // namespace moraine::sweep
