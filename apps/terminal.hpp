// SPDX-License-Identifier: MIT
// Text of files and users on its way to the terminal: bytes that would steer it are written out.
#pragma once

#include <string>
#include <string_view>

namespace moraine::app {

// Control characters but the ends of lines, and what is no UTF-8, become "\x1b".
std::string terminal_text(std::string_view text);

}  // namespace moraine::app
