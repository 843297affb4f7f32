// SPDX-License-Identifier: MIT
// Films from pictures, made by the program ffmpeg where it is installed. Knows how to feed it, not what is shown.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>

#include "plot/canvas.hpp"

namespace moraine::plot {

// The program on the PATH, if it is there.
std::optional<std::filesystem::path> find_ffmpeg();

// Makes `film` (an .mp4) of `count` pictures of one size. Throws base::RunError with ffmpeg's own words if that fails;
// `film` is then as it was before.
void make_film(const std::filesystem::path& ffmpeg, const std::filesystem::path& film, std::int64_t count,
               const std::function<Picture(std::int64_t)>& picture);

}  // namespace moraine::plot
