// SPDX-License-Identifier: MIT
#include "base/error.hpp"

#include <fmt/format.h>

namespace moraine {

std::string Problem::str() const {
  std::string out = file;
  if (line > 0) out += fmt::format("{}{}", file.empty() ? "line " : ":", line);
  if (!out.empty()) out += ": ";
  if (!key.empty()) out += key + ": ";
  return out + text;
}

namespace {
std::string join(const std::vector<Problem>& problems) {
  std::string out;
  for (const Problem& p : problems) out += (out.empty() ? "" : "\n") + p.str();
  return out;
}
}  // namespace

InputError::InputError(std::vector<Problem> problems)
    : std::runtime_error(join(problems)), problems_(std::move(problems)) {}

InputError::InputError(std::string file, int line, std::string key, std::string text)
    : InputError(std::vector<Problem>{{std::move(file), line, std::move(key), std::move(text)}}) {}

}  // namespace moraine
