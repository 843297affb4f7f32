// SPDX-License-Identifier: MIT
// A sheet of small panels for tables of one kind, such as the profiles of several windows, laid over each other: one
// panel for each column against the first, with bands of standard errors. Knows no probes: names and units are all it
// has.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "io/series.hpp"
#include "plot/canvas.hpp"

namespace moraine::plot {

// A table is not over time: its first column says so.
bool is_table(const io::Series& series);

// Tables that belong on one sheet: NAME_1, NAME_2 and so on with the same columns, by NAME; others by their own name.
using NamedTable = std::pair<std::string, const io::Series*>;
std::map<std::string, std::vector<NamedTable>> group_tables(const std::map<std::string, io::Series>& series);

// A column X_error is the standard error of X; contact_X is drawn dashed beside X. A place (x, y, z in m) in the first
// column is drawn upwards. `labels`: what to call tables in the key instead of by their names. Of more than four tables
// only the last, which is the one that means most, has bands and contacts; the colours of the others tell their order.
Picture table_figure(const std::vector<NamedTable>& tables, const std::string& name, const std::string& title,
                     const std::map<std::string, std::string>& labels = {});

}  // namespace moraine::plot
