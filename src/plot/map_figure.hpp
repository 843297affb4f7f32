// SPDX-License-Identifier: MIT
// A map of cells of equal size, coloured by a number and labelled with words, with a colour bar; several panels for
// several such maps. Knows nothing of sweeps: its axes are lists of words.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "plot/canvas.hpp"

namespace moraine::plot {

struct MapCell {
  std::optional<double> value;  // none: the cell is left grey
  std::string label, below;     // two lines; the second is left out where cells are too narrow for it
};

struct MapPanel {
  std::string title;           // empty: none
  std::vector<MapCell> cells;  // rows from the bottom, each from the left
};

struct MapAxis {
  std::string title;
  std::vector<std::string> labels;  // one for each column, or row
};

struct MapSheet {
  std::string title, below, note;
  MapAxis x, y;
  std::string value_title;
  double lo = 0, hi = 1;  // of the colours
  std::vector<MapPanel> panels;
};

Picture map_figure(const MapSheet& sheet);

}  // namespace moraine::plot
