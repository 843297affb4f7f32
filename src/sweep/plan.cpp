// SPDX-License-Identifier: MIT
#include "sweep/plan.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/hash.hpp"
#include "io/numbers.hpp"

namespace moraine::sweep {

namespace {

// Letters that every file system takes.
std::string slug(const std::string& text) {
  std::string out;
  for (const char c : text) {
    const bool plain =
        (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '.' || c == '-' || c == '+';
    if (plain || (!out.empty() && out.back() != '_')) out += plain ? c : '_';
  }
  while (!out.empty() && out.back() == '_') out.pop_back();
  return out;
}

// For people to read, and a fingerprint of the sets to tell apart what the letters do not. The order of axes in the
// file does not matter.
std::string run_name(std::vector<std::string> sets) {
  std::sort(sets.begin(), sets.end());
  base::Hash hash;
  std::string words;
  for (const std::string& set : sets) {
    hash.add(std::string_view(set));
    const std::size_t equals = set.find('=');
    words += slug(last_part(set.substr(0, equals))) + "_" + slug(set.substr(equals + 1)) + "-";
  }
  constexpr std::size_t kLongest = 80;
  if (words.size() > kLongest) words = words.substr(0, kLongest) + "-";
  return fmt::format("{}{:08x}", words, hash.value() & 0xffffffffU);
}

}  // namespace

std::string last_part(const std::string& key) {
  const std::string path = plain_path(key);
  const std::size_t dot = path.rfind('.');
  return dot == std::string::npos ? path : path.substr(dot + 1);
}

bool Axis::numeric() const {
  return std::all_of(points.begin(), points.end(), [](const Point& p) { return p.number.has_value(); });
}

bool Axis::one_unit() const {
  return std::all_of(points.begin(), points.end(), [&](const Point& p) { return p.unit == points[0].unit; });
}

std::string plain_path(std::string_view path) {
  std::string out;
  for (const char c : io::trimmed(path)) {
    if (c == '[') out += '.';
    if (c != '[' && c != ']' && c != '"' && c != '\'') out += c;
  }
  return out;
}

std::string key_of(const std::string& set) { return plain_path(set.substr(0, set.find('='))); }

std::vector<Cell> Plan::cells() const {
  std::vector<Cell> all;
  Cell cell;
  cell.at.assign(axes.size(), 0);
  for (;;) {
    all.push_back(cell);
    std::size_t k = axes.size();
    while (k > 0 && ++cell.at[k - 1] == axes[k - 1].points.size()) cell.at[--k] = 0;
    if (k == 0) return all;
  }
}

std::vector<std::string> Plan::sets_of(const Cell& cell) const {
  std::vector<std::string> list;
  for (std::size_t a = 0; a < axes.size(); ++a) {
    const auto& sets = axes[a].points[cell.at[a]].sets;
    list.insert(list.end(), sets.begin(), sets.end());
  }
  return list;
}

std::string Plan::text_of(const Cell& cell) const {
  std::string text;
  for (std::size_t a = 0; a < axes.size(); ++a) {
    const Point& p = axes[a].points[cell.at[a]];
    const bool bare = p.number && p.unit.empty() && !axes[a].unit.empty();
    text += fmt::format("{}{} = {}{}", a == 0 ? "" : ", ", axes[a].label, p.text, bare ? " " + axes[a].unit : "");
  }
  return text;
}

std::vector<Run> Plan::runs() const {
  std::vector<Run> list;
  const std::vector<Cell> all = cells();
  for (std::size_t c = 0; c < all.size(); ++c) {
    Run run;
    run.cell = c;
    const std::vector<std::string> sets = sets_of(all[c]);
    for (std::size_t s = 0; s < std::max<std::size_t>(seeds.size(), 1); ++s) {
      run.sets = sets;
      if (!seeds.empty()) {
        run.seed = seeds[s];
        run.sets.push_back(fmt::format("{}={}", seed_key, seeds[s]));
      }
      run.name = run_name(run.sets);
      list.push_back(run);
    }
  }
  return list;
}

}  // namespace moraine::sweep
