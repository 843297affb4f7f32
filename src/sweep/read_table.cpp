// SPDX-License-Identifier: MIT
// table.csv read back, to draw it again.
#include <fmt/format.h>

#include <cmath>
#include <map>

#include "base/error.hpp"
#include "io/file.hpp"
#include "io/numbers.hpp"
#include "sweep/tables.hpp"

namespace moraine::sweep {

namespace {

// Fields of a line; those in quotes may hold commas, and quotes twice.
std::vector<std::string> fields_of(std::string_view line) {
  std::vector<std::string> fields(1);
  bool quoted = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '"' && quoted && i + 1 < line.size() && line[i + 1] == '"') {
      fields.back() += line[i++];
    } else if (line[i] == '"') {
      quoted = !quoted;
    } else if (line[i] == ',' && !quoted) {
      fields.emplace_back();
    } else {
      fields.back() += line[i];
    }
  }
  return fields;
}

// "setup.mean_speed [m/s]" -> "m/s"; nothing if it is another key.
std::optional<std::string> unit_of(const std::string& field, const std::string& key) {
  if (field == key) return "";
  if (!field.starts_with(key + " [") || !field.ends_with("]")) return std::nullopt;
  return field.substr(key.size() + 2, field.size() - key.size() - 3);
}

}  // namespace

std::vector<Row> read_table(const std::filesystem::path& path, Plan& plan, const std::vector<Run>& runs) {
  const std::string text = io::read_text_file(path);
  std::string_view rest = text;
  bool ended = false;
  const auto fail = [&](int line, const std::string& why) { throw base::InputError(path.string(), line, "", why); };
  const std::vector<std::string> head = fields_of(io::take_line(rest, ended));
  const std::size_t axes = plan.axes.size(), seed = plan.seeds.empty() ? 0 : 1, results = plan.results.size();
  bool same = head.size() == axes + seed + results + 4;
  for (std::size_t a = 0; same && a < axes; ++a) {
    const auto unit = unit_of(head[a], plan.axes[a].key);
    same = unit.has_value();
    if (unit) plan.axes[a].unit = *unit;
  }
  for (std::size_t r = 0; same && r < results; ++r) same = head[axes + seed + r] == plan.results[r];
  if (!same) fail(1, "is not the table of the sweep.toml beside it: it has other columns");

  std::map<std::string, std::size_t> places;
  for (std::size_t k = 0; k < runs.size(); ++k) places[runs[k].name] = k;
  std::vector<Row> rows(runs.size());
  std::size_t found = 0;
  for (int line = 2; !rest.empty(); ++line) {
    const std::vector<std::string> fields = fields_of(io::take_line(rest, ended));
    if (!ended || fields.size() != head.size()) fail(line, "is no whole row");
    const auto place = places.find(fields[axes + seed + results + 1]);
    if (place == places.end()) fail(line, "is of a run that the sweep.toml beside it does not have");
    Row& row = rows[place->second];
    row.status = fields[axes + seed + results];
    row.message = fields[axes + seed + results + 2];
    bool any = false;
    std::vector<std::optional<double>> numbers(results);
    for (std::size_t r = 0; r < results; ++r) {
      const std::string& field = fields[axes + seed + r];
      if (field.empty()) continue;
      numbers[r] = io::to_number(field);
      if (!numbers[r] || !std::isfinite(*numbers[r]))
        throw base::InputError(path.string(), line, plan.results[r], fmt::format("'{}' is not a finite number", field));
      any = true;
    }
    if (any) row.numbers = std::move(numbers);
    ++found;
  }
  if (found != runs.size()) fail(0, fmt::format("has {} rows, the sweep.toml beside it {} runs", found, runs.size()));
  return rows;
}

}  // namespace moraine::sweep
