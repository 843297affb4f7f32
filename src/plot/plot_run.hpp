// SPDX-License-Identifier: MIT
// Pictures of a run from its output folder, finished or still going on: configuration, velocities and force network of
// chosen frames, a sheet for each series and each kind of table, a film. Reads what io wrote; never touches the run
// itself.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "plot/scene_page.hpp"

namespace moraine::plot {

inline constexpr const char* kUsualFrames = "first,middle,last";

struct PlotOptions {
  std::string title;                    // of the scene; empty: the folder's name
  std::string frames = kUsualFrames;    // also "all", "none", numbers, and parts such as 25%
  std::string formats = "png,svg";      // of png, svg and pdf
  std::string views = kUsualView;       // of 3D scenes: corner, front, side, top, angles such as "30/20"
  std::filesystem::path out;            // empty: FOLDER/plots
  double dots_per_inch = kDotsPerInch;  // of PNG
  bool sheet = false;                   // the frames also side by side on one page
  ColourBy colour = ColourBy::kAuto;
  bool contacts = true;                                    // they were written; else no forces are drawn
  bool film = false;                                       // also film.mp4 of all frames, if ffmpeg is installed
  std::function<void(const std::filesystem::path&)> made;  // called for each file when it is there
};

// Returns the files made. Throws base::InputError, before anything is written, for a folder or a frame that is not
// there, and base::RunError if the disk or ffmpeg fails.
std::vector<std::filesystem::path> plot_run(const std::filesystem::path& folder, const PlotOptions& options);

// Writes one picture as NAME.png, NAME.svg and NAME.pdf, as `formats` says, into a folder. Returns the files.
std::vector<std::filesystem::path> save_picture(const Picture& picture, const std::filesystem::path& folder,
                                                const std::string& name, const std::string& formats,
                                                double dots_per_inch = kDotsPerInch);

// The frames that a text such as "first,10,last" names among `count` > 0, in order, each once. Throws base::InputError
// that says which there are.
std::vector<std::int64_t> choose_frames(const std::string& text, std::int64_t count);

}  // namespace moraine::plot
