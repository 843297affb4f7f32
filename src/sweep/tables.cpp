// SPDX-License-Identifier: MIT
#include "sweep/tables.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace moraine::sweep {

namespace {

// In quotes where a comma, a quote or the end of a line stands in it.
std::string field(const std::string& text) {
  if (text.find_first_of(",\"\n\r") == std::string::npos) return text;
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"') out += '"';
    out += c == '\n' || c == '\r' ? ' ' : c;
  }
  return out + "\"";
}

std::string line_of(const std::vector<std::string>& fields) {
  std::string out;
  for (std::size_t i = 0; i < fields.size(); ++i) out += (i == 0 ? "" : ",") + field(fields[i]);
  return out + "\n";
}

std::string number(const std::optional<double>& value) { return value ? fmt::format("{}", *value) : ""; }

void put_axis_names(const Plan& plan, std::vector<std::string>& fields) {
  for (const Axis& axis : plan.axes) fields.push_back(axis.key + (axis.unit.empty() ? "" : " [" + axis.unit + "]"));
}

void put_axis_values(const Plan& plan, const Cell& cell, std::vector<std::string>& fields) {
  for (std::size_t a = 0; a < plan.axes.size(); ++a) {
    const Point& point = plan.axes[a].points[cell.at[a]];
    fields.push_back(plan.axes[a].numeric() ? number(point.number) : point.text);
  }
}

}  // namespace

std::string table_csv(const Plan& plan, const std::vector<Run>& runs, const std::vector<Row>& rows) {
  std::vector<std::string> fields;
  put_axis_names(plan, fields);
  if (!plan.seeds.empty()) fields.push_back(plan.seed_key);
  fields.insert(fields.end(), plan.results.begin(), plan.results.end());
  for (const char* name : {"status", "run", "message", "wall [s]"}) fields.emplace_back(name);
  std::string out = line_of(fields);
  const std::vector<Cell> cells = plan.cells();
  for (std::size_t i = 0; i < runs.size(); ++i) {
    fields.clear();
    put_axis_values(plan, cells[runs[i].cell], fields);
    if (runs[i].seed) fields.push_back(fmt::format("{}", *runs[i].seed));
    for (std::size_t r = 0; r < plan.results.size(); ++r)
      fields.push_back(r < rows[i].numbers.size() ? number(rows[i].numbers[r]) : "");
    fields.push_back(rows[i].status);
    fields.push_back(runs[i].name);
    fields.push_back(rows[i].message);
    fields.push_back(rows[i].seconds > 0 ? fmt::format("{:.3f}", rows[i].seconds) : "");
    out += line_of(fields);
  }
  return out;
}

std::vector<CellSummary> summarise(const Plan& plan, const std::vector<Run>& runs, const std::vector<Row>& rows) {
  const std::size_t cells = plan.cells().size(), results = plan.results.size();
  std::vector<CellSummary> out(cells);
  std::vector<std::vector<double>> all(results);
  std::vector<std::vector<std::vector<double>>> values(cells, std::vector<std::vector<double>>(results));
  for (std::size_t i = 0; i < runs.size(); ++i) {
    CellSummary& cell = out[runs[i].cell];
    if (rows[i].status == "failed") ++cell.failed;
    if (rows[i].numbers.empty()) continue;
    ++cell.runs;
    for (std::size_t r = 0; r < results; ++r) {
      if (!rows[i].numbers[r]) continue;
      all[r].push_back(*rows[i].numbers[r]);
      values[runs[i].cell][r].push_back(*rows[i].numbers[r]);
    }
  }
  for (std::size_t r = 0; r < results; ++r) {
    const bool yes_or_no = is_yes_or_no(all[r]);
    for (std::size_t c = 0; c < cells; ++c) out[c].results.push_back(statistics(values[c][r], yes_or_no));
  }
  return out;
}

std::string cells_csv(const Plan& plan, const std::vector<CellSummary>& cells) {
  std::vector<std::string> fields;
  put_axis_names(plan, fields);
  fields.insert(fields.end(), {"runs", "failed"});
  std::vector<bool> probability;
  for (std::size_t r = 0; r < plan.results.size(); ++r) {
    probability.push_back(std::any_of(cells.begin(), cells.end(),
                                      [&](const CellSummary& c) { return c.results[r].probability.has_value(); }));
    const std::string& name = plan.results[r];
    for (const char* what : {" count", " mean", " deviation", " error"}) fields.push_back(name + what);
    if (probability.back()) fields.insert(fields.end(), {name + " low", name + " high"});
  }
  std::string out = line_of(fields);
  const std::vector<Cell> at = plan.cells();
  for (std::size_t c = 0; c < cells.size(); ++c) {
    fields.clear();
    put_axis_values(plan, at[c], fields);
    fields.push_back(fmt::format("{}", cells[c].runs));
    fields.push_back(fmt::format("{}", cells[c].failed));
    for (std::size_t r = 0; r < plan.results.size(); ++r) {
      const Statistics& s = cells[c].results[r];
      fields.push_back(fmt::format("{}", s.count));
      fields.push_back(s.count > 0 ? number(s.mean) : "");
      fields.push_back(number(s.deviation));
      fields.push_back(number(s.standard_error));
      if (!probability[r]) continue;
      fields.push_back(s.probability ? number(s.probability->low) : "");
      fields.push_back(s.probability ? number(s.probability->high) : "");
    }
    out += line_of(fields);
  }
  return out;
}

}  // namespace moraine::sweep
