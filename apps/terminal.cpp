// SPDX-License-Identifier: MIT
#include "terminal.hpp"

#include <fmt/format.h>

namespace moraine::app {

namespace {

// How many bytes the character at the beginning of a text has; 0: it is none that may be shown.
std::size_t length_of_character(std::string_view text) {
  const auto byte = [&](std::size_t k) { return static_cast<unsigned char>(text[k]); };
  const unsigned first = byte(0);
  if (first < 0x80) return first >= 0x20 && first != 0x7f ? 1 : 0;
  const std::size_t length = first >= 0xc2 && first < 0xe0   ? 2
                             : first >= 0xe0 && first < 0xf0 ? 3
                             : first >= 0xf0 && first < 0xf5 ? 4
                                                             : 0;
  if (length == 0 || text.size() < length) return 0;
  for (std::size_t k = 1; k < length; ++k)
    if ((byte(k) & 0xc0) != 0x80) return 0;
  const bool control = first == 0xc2 && byte(1) < 0xa0;  // control characters of eight bits
  const bool longer = (first == 0xe0 && byte(1) < 0xa0) || (first == 0xf0 && byte(1) < 0x90);
  const bool none = (first == 0xed && byte(1) >= 0xa0) || (first == 0xf4 && byte(1) >= 0x90);
  return control || longer || none ? 0 : length;
}

}  // namespace

std::string terminal_text(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    std::size_t length = text[0] == '\n' || text[0] == '\t' ? 1 : length_of_character(text);
    if (length > 0) {
      out += text.substr(0, length);
    } else {
      length = 1;
      out += fmt::format("\\x{:02x}", static_cast<unsigned char>(text[0]));
    }
    text.remove_prefix(length);
  }
  return out;
}

}  // namespace moraine::app
