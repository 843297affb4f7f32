// SPDX-License-Identifier: MIT
// What a frame says of its bodies.
#pragma once

#include <cstdint>
#include <optional>

#include "measure/frame.hpp"

namespace moraine::plot {

using measure::Frame;

// The place of a body in the arrays of the frame.
std::optional<std::size_t> index_of(const Frame& frame, std::int64_t id);

// Of a disk, sphere or solid (2D: area).
double body_volume(const Frame& frame, std::size_t i);

}  // namespace moraine::plot
