// SPDX-License-Identifier: MIT
// A frame as the page reads it: "MFR1", the length of a JSON text (four bytes), the text, and the arrays that it lists,
// each from a multiple of eight bytes after the text's end (that of the first: 0), least significant byte first.
// Places are single precision, which is enough for a screen; what a body is asked for comes as text.
#pragma once

#include <string>

#include "measure/frame.hpp"

namespace moraine::view {

std::string frame_bytes(const measure::Frame& frame);

// All numbers of one body, as JSON; "null" if there is none of this id.
std::string body_json(const measure::Frame& frame, std::int64_t id);

}  // namespace moraine::view
