// SPDX-License-Identifier: MIT
#include "plot_command.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "plot/plot_run.hpp"
#include "run_folder.hpp"

namespace moraine::app {

namespace {

namespace fs = std::filesystem;

plot::ColourBy colour_by(const std::string& name) {
  return name == "material" ? plot::ColourBy::kMaterial
         : name == "speed"  ? plot::ColourBy::kSpeed
                            : plot::ColourBy::kAuto;
}

}  // namespace

CLI::App* add_plot_command(CLI::App& app, PlotRequest& request) {
  CLI::App* plot = app.add_subcommand("plot", "draw pictures of a run, finished or still going on");
  plot->add_option("DIR", request.folder, "output folder of the run")->required();
  plot->add_option("--frames", request.frames,
                   "frames to draw: numbers, parts of the run such as 25%, first, middle, last, all or none, with "
                   "commas between")
      ->capture_default_str();
  plot->add_option("--formats", request.formats, "of png, svg and pdf, with commas between")->capture_default_str();
  plot->add_option("--view", request.view,
                   "from where 3D scenes are seen: corner, front, side, top, or two angles in degrees such as 30/20 "
                   "(about z, above the level), with commas between; films take the first")
      ->capture_default_str();
  plot->add_option("--out", request.out, "folder for the pictures (default: DIR/plots)");
  plot->add_option("--colour", request.colour,
                   "what the colour of bodies shows; auto: material if there are several, else speed")
      ->check(CLI::IsMember({"auto", "material", "speed"}))
      ->capture_default_str();
  plot->add_option("--dpi", request.dots_per_inch, "dots per inch of PNG; pictures are 9.3 inches wide")
      ->check(CLI::Range(30, 1200))
      ->capture_default_str();
  plot->add_flag("--sheet", request.sheet, "also all these frames side by side on one page");
  plot->add_flag("--film", request.film, "also a film of all frames (needs ffmpeg)");
  return plot;
}

int plot_folder(const PlotRequest& request) {
  plot::PlotOptions options;
  options.title = title_of_run(request.folder);
  options.frames = request.frames;
  options.formats = request.formats;
  options.views = request.view;
  options.out = request.out;
  options.colour = colour_by(request.colour);
  options.film = request.film;
  options.sheet = request.sheet;
  options.dots_per_inch = request.dots_per_inch;
  options.made = [](const fs::path& path) { fmt::print("{}\n", path.string()); };
  const auto made = plot::plot_run(request.folder, options);
  if (made.empty()) fmt::print("nothing to draw: there are no series, and no frames were asked for\n");
  fmt::print("{} file{}\n", made.size(), made.size() == 1 ? "" : "s");
  return 0;
}

}  // namespace moraine::app
