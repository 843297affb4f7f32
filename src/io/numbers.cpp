// SPDX-License-Identifier: MIT
#include "io/numbers.hpp"

#include <algorithm>
#include <charconv>
#include <system_error>

namespace moraine::io {

std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(" \t\r");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

void split_fields(std::string_view line, std::vector<std::string_view>& fields) {
  fields.clear();
  while (true) {
    const auto comma = line.find(',');
    fields.push_back(trimmed(line.substr(0, comma)));
    if (comma == std::string_view::npos) return;
    line.remove_prefix(comma + 1);
  }
}

std::optional<double> to_number(std::string_view field) {
  // from_chars takes no leading plus, which other programs do write.
  if (field.size() > 1 && field[0] == '+' && field[1] != '-' && field[1] != '+') field.remove_prefix(1);
  double value = 0;
  const auto [end, error] = std::from_chars(field.data(), field.data() + field.size(), value);
  if (error != std::errc{} || end != field.data() + field.size() || field.empty()) return std::nullopt;
  return value;
}

std::optional<std::uint64_t> to_count(std::string_view word) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (error != std::errc{} || end != word.data() + word.size() || word.empty()) return std::nullopt;
  return value;
}

std::string_view take_word(std::string_view& line) {
  constexpr const char* kBlank = " \t\r\v\f";
  const std::size_t begin = std::min(line.find_first_not_of(kBlank), line.size());
  const std::size_t end = std::min(line.find_first_of(kBlank, begin), line.size());
  const std::string_view word = line.substr(begin, end - begin);
  line.remove_prefix(end);
  return word;
}

std::string_view take_line(std::string_view& text, bool& ended) {
  const auto end = text.find('\n');
  ended = end != std::string_view::npos;
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(ended ? end + 1 : text.size());
  return line;
}

}  // namespace moraine::io
