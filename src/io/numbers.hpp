// SPDX-License-Identifier: MIT
// Reading numbers and lines out of text, for the CSV readers: nothing is guessed, what is not wholly a number is none.
// Knows no files.
#pragma once

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

// Takes the next line off the front of `text`, without its end. `ended`: it had one.
std::string_view take_line(std::string_view& text, bool& ended);

}  // namespace moraine::io
