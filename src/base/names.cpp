// SPDX-License-Identifier: MIT
#include "base/names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

namespace moraine::base {

namespace {

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return out;
}

// Edits (insert, delete, replace, swap of neighbours) that turn a into b: optimal string alignment.
std::size_t edit_distance(const std::string& a, const std::string& b) {
  std::vector<std::size_t> before(b.size() + 1), last(b.size() + 1), now(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) last[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    now[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      now[j] = std::min({last[j] + 1, now[j - 1] + 1, last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) now[j] = std::min(now[j], before[j - 2] + 1);
    }
    before.swap(last);
    last.swap(now);
  }
  return last[b.size()];
}

}  // namespace

std::optional<std::string> nearest(std::string_view name, const std::vector<std::string>& candidates) {
  constexpr std::size_t kLongestName = 100;  // the distance costs the product of the lengths
  if (name.empty() || name.size() > kLongestName) return {};
  const std::string wanted = lower(name);
  std::optional<std::string> best;
  std::size_t best_distance = 0;
  for (const std::string& candidate : candidates) {
    if (candidate.empty() || candidate.size() > kLongestName || candidate == name) continue;
    const std::string other = lower(candidate);
    std::size_t distance = edit_distance(wanted, other);
    // One edit in three letters; the beginning of a longer name ("rad" for "radius") counts as one edit.
    const std::size_t longer = std::max(wanted.size(), other.size());
    if (std::min(wanted.size(), other.size()) >= 3 && (other.starts_with(wanted) || wanted.starts_with(other)))
      distance = std::min<std::size_t>(distance, 1);
    if (distance > longer / 3) continue;
    if (!best || distance < best_distance) {
      best = candidate;
      best_distance = distance;
    }
  }
  return best;
}

std::string did_you_mean(std::string_view name, const std::vector<std::string>& candidates) {
  const std::optional<std::string> near = nearest(name, candidates);
  return near ? fmt::format("; did you mean '{}'?", *near) : "";
}

std::string list_text(const std::vector<std::string>& names) {
  std::string out;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (i > 0) out += ", ";
    out += "'" + names[i] + "'";
  }
  return out;
}

}  // namespace moraine::base
