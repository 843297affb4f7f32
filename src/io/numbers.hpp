// SPDX-License-Identifier: MIT
// Reading numbers and lines out of text, for the readers of tables and meshes: nothing is guessed, what is not wholly a
// number is none. Knows no files.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace moraine::io {

// Without blanks, tabs and the carriage return of files from Windows at both ends.
std::string_view trimmed(std::string_view text);

// The fields between commas, each trimmed. "" has one, empty, field.
void split_fields(std::string_view line, std::vector<std::string_view>& fields);

// The whole field as a number; nothing if anything else stands in it. Accepts "nan" and "inf": the caller must check.
std::optional<double> to_number(std::string_view field);

// The whole word as a number of things, without a sign; nothing if anything else stands in it.
std::optional<std::uint64_t> to_count(std::string_view word);

// Takes the next word between blanks off the front of `line`; empty at its end.
std::string_view take_word(std::string_view& line);

// Takes the next line off the front of `text`, without its end. `ended`: it had one.
std::string_view take_line(std::string_view& text, bool& ended);

}  // namespace moraine::io
