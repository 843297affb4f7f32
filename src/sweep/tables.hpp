// SPDX-License-Identifier: MIT
// The results of a sweep as CSV: a row per run, and a row per cell with means, errors and probabilities.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "sweep/plan.hpp"
#include "sweep/statistics.hpp"

namespace moraine::sweep {

// How a run ended, for a row.
struct Row {
  std::string status = "not run";              // "finished", "at rest", "failed", "interrupted"
  std::vector<std::optional<double>> numbers;  // one for each result, or none at all
  double seconds = 0;
  std::string message;  // of a run that failed
};

struct CellSummary {
  std::int64_t runs = 0, failed = 0;  // done; those that failed are not among them
  std::vector<Statistics> results;    // one for each result
};

// `rows`: one for each of plan.runs().
std::string table_csv(const Plan& plan, const std::vector<Run>& runs, const std::vector<Row>& rows);

// The rows of a table.csv for the runs of its plan; fills in the units of the axes. Throws base::InputError if the
// table is of another plan, or cannot be read.
std::vector<Row> read_table(const std::filesystem::path& path, Plan& plan, const std::vector<Run>& runs);

std::vector<CellSummary> summarise(const Plan& plan, const std::vector<Run>& runs, const std::vector<Row>& rows);
std::string cells_csv(const Plan& plan, const std::vector<CellSummary>& cells);

}  // namespace moraine::sweep
