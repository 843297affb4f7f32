// SPDX-License-Identifier: MIT
#include "plot/plot_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <fstream>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>

#include "base/error.hpp"
#include "io/file.hpp"
#include "io/numbers.hpp"
#include "io/series.hpp"
#include "io/trajectory.hpp"
#include "plot/film.hpp"
#include "plot/index_page.hpp"
#include "plot/scene_figures.hpp"
#include "plot/series_figure.hpp"
#include "plot/table_figure.hpp"
#include "plot/ticks.hpp"

namespace moraine::plot {

namespace fs = std::filesystem;

namespace {

enum class Format { kPng, kSvg, kPdf };
using NamedFormat = std::pair<Format, const char*>;
constexpr std::array<NamedFormat, 3> kFormats = {{{Format::kPng, "png"}, {Format::kSvg, "svg"}, {Format::kPdf, "pdf"}}};

std::vector<NamedFormat> choose_formats(const std::string& text) {
  std::vector<std::string_view> words;
  io::split_fields(text, words);
  std::vector<NamedFormat> chosen;
  for (const NamedFormat& format : kFormats) {
    if (std::find(words.begin(), words.end(), format.second) != words.end()) chosen.push_back(format);
  }
  for (const std::string_view word : words) {
    if (std::none_of(kFormats.begin(), kFormats.end(), [&](const auto& format) { return format.second == word; }))
      throw base::InputError("--formats", 0, text,
                             fmt::format("'{}' is not a format; there are png, svg and pdf", word));
  }
  return chosen;
}

std::string bytes_of(const Picture& picture, Format format, double dots_per_inch) {
  return format == Format::kPng   ? png_of(picture, dots_per_inch)
         : format == Format::kSvg ? svg_of(picture)
                                  : pdf_of(picture);
}

// What the names of pictures from this view end with.
std::string ending(const ViewFrom& view) {
  std::string end = view.name == kUsualView ? "" : "_" + view.name;
  std::replace(end.begin(), end.end(), '/', '_');
  return end;
}

// Everything that can be wrong with the folder is found here, before the first picture.
class Source {
 public:
  Source(const fs::path& folder, const PlotOptions& options);

  const std::vector<std::int64_t>& chosen() const { return chosen_; }
  std::int64_t count() const { return trajectory_ ? trajectory_->count() : 0; }
  std::shared_ptr<const Frame> frame(std::int64_t i) const {
    return std::make_shared<const Frame>(trajectory_->read(i));
  }
  const std::map<std::string, io::Series>& series() const { return series_; }

 private:
  void open_trajectory(const fs::path& folder, const std::string& frames, bool wished);
  std::unique_ptr<io::TrajectoryReader> trajectory_;
  std::vector<std::int64_t> chosen_;
  std::map<std::string, io::Series> series_;
};

Source::Source(const fs::path& folder, const PlotOptions& options) {
  std::error_code error;
  if (!fs::exists(folder, error))
    throw base::InputError(folder.string(), 0, "", "there is no such folder; give the output folder of a run");
  if (!fs::is_directory(folder, error))
    throw base::InputError(folder.string(), 0, "", "is not a folder; give the output folder of a run");
  const auto has = [&](const char* name) { return fs::exists(folder / name, error); };
  if (!has("scene.toml") && !has("trajectory.h5") && !has("series") && !has("summary.json")) {
    throw base::InputError(
        folder.string(), 0, "",
        "is not the output folder of a Moraine run: it holds no scene.toml, trajectory.h5 or series");
  }
  const bool wants_frames = options.frames != "none" || options.film;
  // Without a wish for frames, those that there are.
  const bool wished = options.frames != kUsualFrames || options.film;
  if (wants_frames && (wished || has("trajectory.h5"))) open_trajectory(folder, options.frames, wished);
  if (!has("series")) return;
  for (const auto& entry : fs::directory_iterator(folder / "series")) {
    if (entry.path().extension() == ".csv") series_[entry.path().stem().string()] = io::read_series(entry.path());
  }
}

void Source::open_trajectory(const fs::path& folder, const std::string& frames, bool wished) {
  const fs::path path = folder / "trajectory.h5";
  if (!fs::exists(path)) {
    throw base::InputError(folder.string(), 0, "",
                           "has no trajectory.h5 and so no frames to draw; --frames none draws the series alone");
  }
  trajectory_ = std::make_unique<io::TrajectoryReader>(path);
  if (trajectory_->count() == 0) {
    if (!wished) return;
    throw base::InputError(path.string(), 0, "", "has no frames yet; --frames none draws the series alone");
  }
  if (frames != "none") chosen_ = choose_frames(frames, trajectory_->count());
}

// From when to when the windows of a profile were, by the names of their tables; none while the run goes on.
std::map<std::string, std::string> window_labels(const fs::path& summary_file, const std::string& probe,
                                                 const std::vector<NamedTable>& tables) {
  std::map<std::string, std::string> labels;
  std::ifstream file(summary_file);
  const auto summary = nlohmann::json::parse(file, nullptr, false);
  if (!summary.is_object() || !summary.contains("probes") || !summary["probes"].contains(probe)) return labels;
  const auto& results = summary["probes"][probe];
  for (const NamedTable& table : tables) {
    const std::string& name = table.first;
    if (name.size() <= probe.size()) continue;
    const auto end = [&](const char* which) { return results.find("window" + name.substr(probe.size()) + which); };
    const auto from = end("_from"), to = end("_to");
    if (from != results.end() && to != results.end() && from->is_number() && to->is_number())
      labels[name] = span_text(from->get<double>(), to->get<double>(), "s", 4);
  }
  return labels;
}

// Whether there is nothing more to come: what is empty stays so.
bool is_over(const fs::path& summary_file) {
  std::ifstream file(summary_file);
  const auto summary = nlohmann::json::parse(file, nullptr, false);
  if (!summary.is_object()) return false;
  const auto status = summary.find("status");
  return status != summary.end() && (*status == "finished" || *status == "at rest" || *status == "failed");
}

class Drawing {
 public:
  Drawing(const fs::path& folder, const PlotOptions& options)
      : options_(options),
        formats_(choose_formats(options.formats)),
        views_(choose_views(options.views)),
        source_(folder, options),
        folder_(folder),
        out_(options.out.empty() ? folder / "plots" : options.out) {
    if (options_.title.empty())
      options_.title = fs::absolute(folder / ".").lexically_normal().parent_path().filename().string();
    if (source_.count() > 0 && source_.frame(0)->dimension == 2) {
      if (options.views != kUsualView)
        throw base::InputError("--view", 0, options.views, "the run is in 2D: there is one view of it");
      views_ = {{kUsualView, "", Camera::flat()}};
    }
  }

  std::vector<fs::path> draw(const std::optional<fs::path>& ffmpeg) {
    io::ensure_folder(out_);
    draw_frames();
    draw_numbers();
    // The page comes before the film, which may fail or be waited for in vain.
    const fs::path page = out_ / "index.html", summary = folder_ / "summary.json";
    if (!made_.empty()) keep(page, index_.html(options_.title, summary));
    if (ffmpeg) {
      const bool first = made_.empty();
      draw_film(*ffmpeg);
      io::write_file_atomically(page, index_.html(options_.title, summary));
      if (first) note(page);
    }
    return std::move(made_);
  }

 private:
  void draw_numbers();
  void draw_frames();
  void draw_film(const fs::path& ffmpeg);
  std::shared_ptr<const Survey> survey(const std::vector<std::int64_t>& frames) const;
  Subject subject(std::int64_t i, const std::shared_ptr<const Survey>& survey) const {
    return {source_.frame(i), survey, options_.title, i, source_.count(), options_.colour, views_.front()};
  }
  void save(const Picture& picture, const std::string& name, const std::string& section, const std::string& caption) {
    std::string png;
    for (const auto& [format, ending] : formats_) {
      std::string bytes = bytes_of(picture, format, options_.dots_per_inch);
      keep(out_ / fmt::format("{}.{}", name, ending), bytes);
      if (format == Format::kPng) png = std::move(bytes);
    }
    if (png.empty() && index_.takes_more()) png = png_of(picture);
    index_.add(section, name, caption, png);
  }
  void keep(const fs::path& path, const std::string& bytes) {
    io::write_file_atomically(path, bytes);
    note(path);
  }
  void note(const fs::path& path) {
    made_.push_back(path);
    if (options_.made) options_.made(path);
  }

  PlotOptions options_;
  std::vector<NamedFormat> formats_;
  std::vector<ViewFrom> views_;
  Source source_;
  fs::path folder_, out_;
  IndexPage index_;
  std::vector<fs::path> made_;
};

std::shared_ptr<const Survey> Drawing::survey(const std::vector<std::int64_t>& frames) const {
  auto survey = std::make_shared<Survey>();
  for (const std::int64_t i : frames) survey->add(*source_.frame(i));
  return survey;
}

void Drawing::draw_numbers() {
  const bool over = is_over(folder_ / "summary.json");
  for (const auto& [name, series] : source_.series()) {
    if (is_table(series) || (over && series.rows() == 0)) continue;
    save(series_figure(series, name, options_.title), "series_" + name, "Series", "Series " + pretty_name(name));
    if (const auto phase = phase_figure(series, name, options_.title))
      save(*phase, "phase_" + name, "Series", "Phase diagram of " + pretty_name(name));
  }
  for (const auto& [name, tables] : group_tables(source_.series())) {
    const auto has_rows = [](const NamedTable& table) { return table.second->rows() > 0; };
    if (over && std::none_of(tables.begin(), tables.end(), has_rows)) continue;
    const auto labels = window_labels(folder_ / "summary.json", name, tables);
    save(table_figure(tables, name, options_.title, labels), "table_" + name, "Tables", "Table " + pretty_name(name));
  }
}

void Drawing::draw_frames() {
  const auto common = survey(source_.chosen());
  std::vector<Subject> subjects;
  for (const std::int64_t i : source_.chosen()) {
    Subject s = subject(i, common);
    for (const ViewFrom& view : views_) {
      s.from = view;
      const std::string end = fmt::format("_{:06}{}", i, ending(view));
      const std::string time = "t = " + quantity_text(s.frame->time, "s", 4),
                        section = fmt::format("Frame {}, {}", i, time),
                        when = ", " + time + (view.name == kUsualView ? "" : ", " + view.caption);
      save(configuration_figure(s), "configuration" + end, section, "Configuration" + when);
      save(velocity_figure(s), "velocity" + end, section, "Velocities" + when);
      if (options_.contacts) save(force_figure(s), "forces" + end, section, "Force network" + when);
      for (const NamedPicture& field : field_figures(s))
        save(field.picture, field.name + end, section, field.title + when);
    }
    if (options_.sheet) subjects.push_back(std::move(s));
  }
  if (subjects.empty()) return;
  for (const ViewFrom& view : views_) {
    for (Subject& s : subjects) s.from = view;
    const std::string section = "Frames side by side", seen = view.name == kUsualView ? "" : ", " + view.caption;
    save(configuration_frames(subjects), "configuration_sheet" + ending(view), section, "Configurations" + seen);
    if (options_.contacts)
      save(force_frames(subjects), "forces_sheet" + ending(view), section, "Force networks" + seen);
  }
}

void Drawing::draw_film(const fs::path& ffmpeg) {
  const auto common = survey(choose_frames("all", source_.count()));
  make_film(ffmpeg, out_ / "film.mp4", source_.count(),
            [&](std::int64_t i) { return configuration_figure(subject(i, common)); });
  note(out_ / "film.mp4");
  index_.add_film("film.mp4");
}

}  // namespace

std::vector<std::int64_t> choose_frames(const std::string& text, std::int64_t count) {
  const std::string there =
      count == 1 ? "there is one frame: 0" : fmt::format("there are {} frames: 0 to {}", count, count - 1);
  std::set<std::int64_t> chosen;
  std::vector<std::string_view> words;
  io::split_fields(text, words);
  for (const std::string_view word : words) {
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
    const auto share = word.ends_with('%') ? io::to_number(word.substr(0, word.size() - 1)) : std::nullopt;
    if (share && *share >= 0 && *share <= 100) {
      chosen.insert(std::llround(*share / 100 * static_cast<double>(count - 1)));
    } else if (word == "all") {
      for (std::int64_t i = 0; i < count; ++i) chosen.insert(i);
    } else if (word == "first") {
      chosen.insert(0);
    } else if (word == "middle") {
      chosen.insert(count / 2);
    } else if (word == "last") {
      chosen.insert(count - 1);
    } else if (error == std::errc::invalid_argument || end != word.data() + word.size()) {
      throw base::InputError(
          "--frames", 0, text,
          fmt::format("'{}' is not a frame; give numbers, parts such as 25%, first, middle, last or all ({})", word,
                      there));
    } else if (error != std::errc() || number < 0 || number >= count) {
      throw base::InputError("--frames", 0, text, fmt::format("there is no frame {}; {}", word, there));
    } else {
      chosen.insert(number);
    }
  }
  return {chosen.begin(), chosen.end()};
}

std::vector<fs::path> save_picture(const Picture& picture, const fs::path& folder, const std::string& name,
                                   const std::string& formats, double dots_per_inch) {
  const std::vector<NamedFormat> chosen = choose_formats(formats);
  io::ensure_folder(folder);
  std::vector<fs::path> made;
  for (const auto& [format, ending] : chosen) {
    made.push_back(folder / fmt::format("{}.{}", name, ending));
    io::write_file_atomically(made.back(), bytes_of(picture, format, dots_per_inch));
  }
  return made;
}

std::vector<fs::path> plot_run(const fs::path& folder, const PlotOptions& options) {
  const auto ffmpeg = options.film ? find_ffmpeg() : std::nullopt;
  Drawing drawing(folder, options);
  if (options.film && !ffmpeg) {
    throw base::InputError(
        "--film", 0, "",
        "ffmpeg is not installed, and films are made with it; install it (apt install ffmpeg), or leave out --film");
  }
  return drawing.draw(ffmpeg);
}

}  // namespace moraine::plot
