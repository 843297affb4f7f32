// SPDX-License-Identifier: MIT
// moraine plot: pictures of a run.
#pragma once

#include <filesystem>
#include <string>

namespace CLI {  // NOLINT(readability-identifier-naming): the name is the library's
class App;
}

namespace moraine::app {

struct PlotRequest {
  std::filesystem::path folder;
  std::string frames = "first,middle,last", formats = "png,svg", view = "corner", colour = "auto";
  std::filesystem::path out;
  double dots_per_inch = 150;
  bool film = false, sheet = false;
};

// Adds the command to the program; its options go into `request`.
CLI::App* add_plot_command(CLI::App& app, PlotRequest& request);
int plot_folder(const PlotRequest& request);

}  // namespace moraine::app
