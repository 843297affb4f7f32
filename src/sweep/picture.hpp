// SPDX-License-Identifier: MIT
// The picture of a sweep: a map over two axes, or curves over one, with the errors of what is shown.
#pragma once

#include <optional>

#include "plot/canvas.hpp"
#include "sweep/plan.hpp"
#include "sweep/tables.hpp"

namespace moraine::sweep {

// None without axes, or before the first result.
std::optional<plot::Picture> picture(const Plan& plan, const std::vector<CellSummary>& cells);

}  // namespace moraine::sweep
