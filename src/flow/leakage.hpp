// SPDX-License-Identifier: MIT
// How much flows through the panels of a solved boundary, measured by a quadrature of its own, finer than the condition
// that the strengths were found by.
#pragma once

#include <vector>

#include "flow/panel_tree.hpp"

namespace moraine::flow {

// Of one panel, per time and thickness (m^2/s), into the fluid and beyond what shall flow.
struct Seepage {
  double net = 0;    // in all
  double range = 0;  // between two points of the panel, at most
};

// `across`: what shall flow through each panel per length, the free stream already taken off. 18 intervals of each
// panel, graded towards its ends, where the velocity goes to infinity as a logarithm, four points of Gauss in each.
std::vector<Seepage> measure_seepage(const PanelTree& tree, const std::vector<Panel>& panels,
                                     const std::vector<double>& strength, const std::vector<double>& across,
                                     base::Team& team);

}  // namespace moraine::flow
