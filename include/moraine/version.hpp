// SPDX-License-Identifier: MIT
/// @file
/// The version of the library. CMake reads it from here.
#pragma once

#include <string_view>

namespace moraine {

/// The version that these headers belong to, as in "1.2.3".
inline constexpr std::string_view kVersion = "0.1.0";

}  // namespace moraine
