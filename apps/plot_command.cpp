// SPDX-License-Identifier: MIT
#include "plot_command.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "base/error.hpp"
#include "io/numbers.hpp"
#include "plot/plot_run.hpp"
#include "run_folder.hpp"
#include "sweep_command.hpp"
#include "terminal.hpp"

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
  CLI::App* plot =
      app.add_subcommand("plot", "draw pictures of a run, finished or still going on, or the map of a sweep");
  plot->add_option("DIR", request.folder, "output folder of the run, or of a sweep")->required();
  plot->add_option("--frames", request.frames,
                   "frames to draw: numbers, parts of the run such as 25%, first, middle, last, all or none, with "
                   "commas between")
      ->capture_default_str();
  plot->add_option("--formats", request.formats, "of png, svg and pdf, with commas between")->capture_default_str();
  plot->add_option("--view", request.view,
                   "from where 3D scenes are seen: corner, front, side, top, or two angles in degrees such as 30/20 "
                   "(about z, above the level), with commas between; films take the first")
      ->capture_default_str();
  plot->add_option("--out", request.out, "folder for the pictures (default: DIR/plots; of a sweep DIR)");
  plot->add_option("--colour", request.colour,
                   "what the colour of bodies shows; auto: material if there are several, else speed")
      ->check(CLI::IsMember({"auto", "material", "speed"}))
      ->capture_default_str();
  plot->add_option("--dpi", request.dots_per_inch, "dots per inch of PNG; pictures are 9.3 inches wide")
      ->check([](const std::string& text) {
        const auto dots = io::to_number(text);
        const bool sound = dots && *dots >= 30 && *dots <= 1200;
        return sound ? std::string() : fmt::format("'{}' is not a number from 30 to 1200", text);
      })
      ->capture_default_str();
  plot->add_flag("--sheet", request.sheet, "also all these frames side by side on one page");
  plot->add_flag("--film", request.film, "also a film of all frames (needs ffmpeg)");
  return plot;
}

namespace {

int tell(const std::vector<fs::path>& made) {
  fmt::print("{} file{}\n", made.size(), made.size() == 1 ? "" : "s");
  return 0;
}

int plot_sweep(const PlotRequest& request) {
  const PlotRequest usual;
  const auto refuse = [](const char* option) {
    throw base::InputError(option, 0, "", "goes with the folder of a run; this is that of a sweep");
  };
  if (request.frames != usual.frames) refuse("--frames");
  if (request.view != usual.view) refuse("--view");
  if (request.colour != usual.colour) refuse("--colour");
  if (request.sheet) refuse("--sheet");
  if (request.film) refuse("--film");
  const auto picture = picture_of_sweep(request.folder);
  if (!picture) {
    fmt::print("nothing to draw: the sweep has no axes, or no result yet\n");
    return tell({});
  }
  const auto made = plot::save_picture(*picture, request.out.empty() ? request.folder : request.out, "map",
                                       request.formats, request.dots_per_inch);
  for (const fs::path& path : made) fmt::print("{}\n", terminal_text(path.string()));
  return tell(made);
}

}  // namespace

int plot_folder(const PlotRequest& request) {
  if (is_sweep_folder(request.folder)) return plot_sweep(request);
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
  options.made = [](const fs::path& path) { fmt::print("{}\n", terminal_text(path.string())); };
  std::error_code error;
  if (!(options.contacts = contacts_written(request.folder)))
    fmt::print(stderr, "note: contacts were not written (output.contacts): no forces are drawn\n");
  if (options.frames == plot::kUsualFrames && !fs::exists(request.folder / "trajectory.h5", error) &&
      is_run_folder(request.folder))
    fmt::print(stderr, "note: frames were not written (output.trajectory), or not yet: the series alone are drawn\n");
  const auto made = plot::plot_run(request.folder, options);
  if (made.empty()) fmt::print("nothing to draw: there are no series, and no frames were asked for\n");
  return tell(made);
}

}  // namespace moraine::app
