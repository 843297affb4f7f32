// SPDX-License-Identifier: MIT
#include "plot/plot_run.hpp"

#include <cairo.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstdlib>
#include <cstring>
#include <set>

#include "base/error.hpp"
#include "io/series.hpp"
#include "io/trajectory.hpp"
#include "plot/film.hpp"
#include "unit/io_samples.hpp"
#include "unit/plot_samples.hpp"

namespace moraine::plot::testing {
namespace {

namespace fs = std::filesystem;
using io::testing::error_of;
using io::testing::expect_contains;
using io::testing::Folder;
using io::testing::get;
using io::testing::put;

struct Image {
  int width = 0, height = 0;
  std::int64_t inked = 0;  // pixels that are not white
  bool clear_edge = true;  // nothing is drawn in the outermost pixels, so nothing is cut off
};

cairo_status_t read_bytes(void* closure, unsigned char* data, unsigned length) {
  auto& rest = *static_cast<std::string_view*>(closure);
  if (rest.size() < length) return CAIRO_STATUS_READ_ERROR;
  std::memcpy(data, rest.data(), length);
  rest.remove_prefix(length);
  return CAIRO_STATUS_SUCCESS;
}

Image read_png(const fs::path& path) {
  const std::string bytes = get(path);
  std::string_view rest = bytes;
  cairo_surface_t* surface = cairo_image_surface_create_from_png_stream(read_bytes, &rest);
  EXPECT_EQ(cairo_surface_status(surface), CAIRO_STATUS_SUCCESS) << path;
  Image image{cairo_image_surface_get_width(surface), cairo_image_surface_get_height(surface)};
  const unsigned char* data = cairo_image_surface_get_data(surface);
  const int stride = cairo_image_surface_get_stride(surface);
  for (int y = 0; y < image.height; ++y) {
    for (int x = 0; x < image.width; ++x) {
      const unsigned char* p = data + static_cast<std::ptrdiff_t>(y) * stride + 4 * static_cast<std::ptrdiff_t>(x);
      if (p[0] == 255 && p[1] == 255 && p[2] == 255) continue;
      ++image.inked;
      if (x < 8 || y < 8 || x >= image.width - 8 || y >= image.height - 8) image.clear_edge = false;
    }
  }
  cairo_surface_destroy(surface);
  return image;
}

void write_trajectory(const fs::path& folder, const std::vector<Frame>& frames) {
  auto writer = io::TrajectoryWriter::create(folder / "trajectory.h5");
  for (const Frame& f : frames) writer.append(f);
}

void write_series(const fs::path& folder, const std::string& name, const std::vector<io::Column>& columns,
                  const std::vector<std::vector<double>>& rows) {
  fs::create_directories(folder / "series");
  io::SeriesWriter writer(folder / "series" / (name + ".csv"), columns);
  for (const auto& row : rows) writer.row(row);
  writer.close();
}

// Every PNG is as wide as it should be, has something on it, and leaves its margins free; every SVG is whole.
void expect_good_pictures(const std::vector<fs::path>& made) {
  EXPECT_FALSE(made.empty());
  for (const fs::path& path : made) {
    if (path.extension() == ".png") {
      const Image image = read_png(path);
      EXPECT_EQ(image.width, 1400) << path;
      EXPECT_GT(image.height, 200) << path;
      EXPECT_EQ(image.height % 2, 0) << path;
      EXPECT_GT(image.inked, 1000) << path;
      EXPECT_TRUE(image.clear_edge) << path;
    } else if (path.extension() == ".html") {
      const std::string text = get(path);
      expect_contains(text.substr(0, 40), "<!doctype html>");
      expect_contains(text.substr(text.size() - 20), "</html>");
    } else if (path.extension() == ".pdf") {
      const std::string text = get(path);
      EXPECT_EQ(text.substr(0, 5), "%PDF-") << path;
      expect_contains(text.substr(text.size() - 10), "%%EOF");
    } else {
      const std::string text = get(path);
      expect_contains(text.substr(0, 400), "<svg");
      expect_contains(text.substr(text.size() - 20), "</svg>");
      if (text.find("base64") == std::string::npos) {
        EXPECT_EQ(text.find("nan"), std::string::npos) << path;
      }
    }
  }
}

std::vector<fs::path> plot_frame(const Folder& folder, const Frame& frame, const std::string& formats = "png,svg",
                                 const std::string& views = "corner") {
  write_trajectory(folder.path(), {frame});
  PlotOptions options;
  options.views = views;
  options.title = "A frame";
  options.formats = formats;
  return plot_run(folder.path(), options);
}

TEST(PlotRun, AWholeRun) {
  const Folder folder;
  std::vector<Frame> frames;
  for (int i = 0; i < 5; ++i) {
    frames.push_back(pile_2d(8));
    frames.back().time = 0.1 * i;
  }
  write_trajectory(folder.path(), frames);
  write_series(folder.path(), "energy", {{"time", "s"}, {"kinetic", "J"}, {"potential", "J"}, {"added", "J"}},
               {{0, 1, 2, 0}, {0.1, 2, 1, 0}, {0.2, 0.5, 2.5, 0}});
  PlotOptions options;
  options.title = "A pile";
  std::vector<fs::path> told;
  options.made = [&](const fs::path& p) { told.push_back(p); };
  const auto made = plot_run(folder.path(), options);
  EXPECT_EQ(made, told);
  EXPECT_EQ(made.size(), 2u * (3 * 3 + 1) + 1);
  for (const char* name : {"configuration_000000", "velocity_000002", "forces_000004", "series_energy"}) {
    EXPECT_TRUE(fs::exists(folder.path() / "plots" / (std::string(name) + ".png"))) << name;
    EXPECT_TRUE(fs::exists(folder.path() / "plots" / (std::string(name) + ".svg"))) << name;
  }
  expect_good_pictures(made);
  // 150 dots per inch: 5906 per metre, told in the pHYs chunk.
  const std::string png = get(made.front());
  const std::size_t at = png.find("pHYs");
  ASSERT_NE(at, std::string::npos);
  EXPECT_EQ(png.substr(at + 4, 9), std::string("\0\0\x17\x12\0\0\x17\x12\x01", 9));
}

TEST(PlotRun, FramesSideBySide) {
  for (const int dimension : {2, 3}) {
    for (const int count : {1, 5}) {
      const Folder folder;
      std::vector<Frame> frames;
      for (int i = 0; i < count; ++i) {
        frames.push_back(dimension == 2 ? pile_2d(6) : box_3d(4, true));
        frames.back().time = 0.1 * i;
      }
      write_trajectory(folder.path(), frames);
      PlotOptions options;
      options.title = "Many frames";
      options.frames = "all";
      options.formats = count == 5 ? "png,svg" : "png";
      options.sheet = true;
      if (dimension == 3) options.views = "corner,top";
      const auto made = plot_run(folder.path(), options);
      expect_good_pictures(made);
      for (const char* name : {"configuration_sheet.png", "forces_sheet.png"})
        EXPECT_TRUE(fs::exists(folder.path() / "plots" / name)) << name;
      EXPECT_EQ(fs::exists(folder.path() / "plots/configuration_sheet.svg"), count == 5);
      EXPECT_EQ(fs::exists(folder.path() / "plots/forces_sheet_top.png"), dimension == 3);
      expect_contains(get(made.back()), "configuration_sheet");
    }
  }
}

TEST(PlotRun, AsManyDotsAsAsked) {
  const Folder folder;
  write_trajectory(folder.path(), {pile_2d(4)});
  PlotOptions options;
  options.formats = "png";
  for (const auto& [dots, width] : {std::pair{75.0, 700}, {300.0, 2800}}) {
    options.dots_per_inch = dots;
    const auto made = plot_run(folder.path(), options);
    const Image image = read_png(made.front());
    EXPECT_EQ(image.width, width);
    EXPECT_GT(image.inked, 1000);
  }
}

TEST(PlotRun, OddFramesGivePicturesToo) {
  for (const int dimension : {2, 3}) {
    Frame f;
    f.dimension = dimension;
    expect_good_pictures(plot_frame(Folder(), f));  // nothing at all
    add_body(f, {1, 2, dimension == 2 ? 0.0 : 3.0}, {}, 0.1);
    expect_good_pictures(plot_frame(Folder(), f));  // one body at rest, material without a name
    f.velocity[0] = {0, 1e-9, 0};
    add_wall(f, "plane", {0, 0, 0}, dimension == 2 ? Triple{0, 1, 0} : Triple{0, 0, 1});
    expect_good_pictures(plot_frame(Folder(), f));
    add_contact(f, 0, -1, {0, -1, 0}, -5);  // pulls
    add_contact(f, 0, 99, {0, -1, 0}, 5);   // with a body that is not there
    f.wall_kind.emplace_back("segment");    // a wall of no length
    f.wall_name.emplace_back("point");
    f.wall_from.push_back({1, 1, 0});
    f.wall_to.push_back({1, 1, 0});
    f.wall_force.push_back({});
    expect_good_pictures(plot_frame(Folder(), f));
  }
}

TEST(PlotRun, SpheresBetweenPlanes) { expect_good_pictures(plot_frame(Folder(), box_3d(6, true))); }

TEST(PlotRun, SpheresFromAllSides) {
  const Folder folder;
  const auto made = plot_frame(folder, box_3d(6, true), "png,svg,pdf", "corner,front,side,top,30/20,-100/-45,0/89");
  EXPECT_EQ(made.size(), 3u * (7 * 3 + 3 * 3) + 1);  // along an axis there are maps too
  expect_good_pictures(made);
  std::set<std::string> names;
  for (const fs::path& path : made) names.insert(path.filename().string());
  EXPECT_EQ(names.size(), made.size());
  for (const char* name : {"configuration_000000.png", "velocity_000000_top.pdf", "forces_000000_-100_-45.svg"}) {
    EXPECT_TRUE(names.contains(name)) << name;
  }
}

TEST(PlotRun, PeriodicDomains) {
  Frame f = pile_2d(6);
  f.periodic = {1, 1, 0};
  f.domain_min = {-0.13, -0.01, 0};
  f.domain_max = {0.13, 0.2, 0};
  add_contact(f, 0, 11, {-1, 0, 0}, 10);  // over the boundary
  expect_good_pictures(plot_frame(Folder(), f));
  Frame g = box_3d(4, true);
  g.periodic = {1, 1, 0};
  expect_good_pictures(plot_frame(Folder(), g));
}

TEST(PlotRun, LargeScenesAreImagesInTheSvg) {
  Frame f;
  f.dimension = 2;
  f.material_names = {"sand"};
  for (int i = 0; i < 5001; ++i) add_body(f, {0.01 * (i % 100), 0.01 * (i / 100), 0}, {1, 0, 0}, 0.005);
  const Folder folder;
  const auto made = plot_frame(folder, f, "svg");
  for (const fs::path& path : made) expect_contains(get(path), "data:image/png;base64");
}

TEST(PlotRun, OddSeriesGivePicturesToo) {
  const Folder folder;
  const std::vector<io::Column> columns = {{"time", "s"}, {"kinetic", "J"}, {"spin_rate", "rad/s"}};
  write_series(folder.path(), "none", columns, {});
  write_series(folder.path(), "one", columns, {{0.5, 1, 2}});
  write_series(folder.path(), "zero", columns, {{0, 0, 0}, {1, -0.0, 0}});
  write_series(folder.path(), "constant", columns, {{0, 5, 1e-20}, {1, 5, 1e-20}});
  write_series(folder.path(), "huge", columns, {{0, -1.7e308, 5e-324}, {1, 1.7e308, 0}});
  write_series(folder.path(), "time_only", {{"time", "s"}}, {{0}, {1}});
  write_series(folder.path(), "long",
               {{"time", "s"}, {std::string(300, 'w'), "J"}, {"a\xFF\xFE not UTF-8", "N"}, {"b", "N"}},
               {{0, 1, 1, 2}, {1, 2, 3, 2}});
  PlotOptions options;
  options.frames = "none";
  options.title = std::string(200, 'M') + " " + std::string(50, 'i');
  const auto made = plot_run(folder.path(), options);
  EXPECT_EQ(made.size(), 15u);
  expect_good_pictures(made);
}

// Frames or contacts that were not written, tables that stay empty: what there is is drawn, and nothing is made up.
TEST(PlotRun, DrawsWhatThereIs) {
  const Folder folder;
  put(folder / "scene.toml", "title = \"x\"\n");
  write_series(folder.path(), "energy", {{"time", "s"}, {"kinetic", "J"}}, {{0, 1}, {1, 2}});
  write_series(folder.path(), "sizes", {{"size", "m"}, {"share", ""}}, {});
  PlotOptions options;
  options.formats = "png";
  const auto names = [&] {
    std::set<std::string> out;
    for (const fs::path& path : plot_run(folder.path(), options)) out.insert(path.filename().string());
    return out;
  };
  EXPECT_EQ(names(), (std::set<std::string>{"series_energy.png", "table_sizes.png", "index.html"}));
  put(folder / "summary.json", R"({"status": "finished"})");
  EXPECT_EQ(names(), (std::set<std::string>{"series_energy.png", "index.html"}));
  { auto empty = io::TrajectoryWriter::create(folder / "trajectory.h5"); }
  EXPECT_EQ(names(), (std::set<std::string>{"series_energy.png", "index.html"}));
  options.frames = "first";  // asked for: then it is a mistake
  EXPECT_THROW(names(), base::InputError);
  options.frames = kUsualFrames;
  write_trajectory(folder.path(), {pile_2d(4)});
  options.contacts = false;
  EXPECT_EQ(names(), (std::set<std::string>{"configuration_000000.png", "velocity_000000.png", "series_energy.png",
                                            "index.html"}));
}

TEST(PlotRun, FormatsAndFolderAsAsked) {
  const Folder folder;
  write_trajectory(folder.path(), {pile_2d(4)});
  PlotOptions options;
  options.formats = "svg";
  options.out = folder / "elsewhere/deep";
  const auto made = plot_run(folder.path(), options);
  ASSERT_EQ(made.size(), 4u);
  for (const fs::path& path : made) {
    EXPECT_EQ(path.extension(), path == made.back() ? ".html" : ".svg");
    EXPECT_EQ(path.parent_path(), options.out);
  }
  EXPECT_FALSE(fs::exists(folder / "plots"));
}

TEST(PlotRun, OnePageShowsEverythingAndNeedsNothingElse) {
  const Folder folder;
  write_trajectory(folder.path(), {pile_2d(4)});
  write_series(folder.path(), "energy", {{"time", "s"}, {"kinetic", "J"}}, {{0, 1}, {1, 2}});
  put(folder / "summary.json", R"({"status": "finished", "time": 0.25, "probes": {"a<b": {"slope": 1e-7}},
    "left_domain": [{"id": 1}, {"id": 2}], "nothing": {}})");
  PlotOptions options;
  options.title = "Sand & <stones>";
  options.formats = "pdf";  // the page has its own pictures then
  const auto made = plot_run(folder.path(), options);
  ASSERT_EQ(made.size(), 5u);
  const std::string page = get(made.back());
  EXPECT_EQ(made.back().filename(), "index.html");
  for (const char* part :
       {"<h1>Sand &amp; &lt;stones&gt;</h1>", "Frame 0, t = ", "id=\"forces_000000\"",
        "<figcaption>Force network, t = ", "<figcaption>Series energy</figcaption>", "<td>status</td><td>finished</td>",
        "<td>time</td><td>0.25</td>", "<td>a&lt;b.slope</td><td>1e-07</td>", "2 entries"})
    expect_contains(page, part);
  std::size_t pictures = 0;
  for (std::size_t at = page.find("src="); at != std::string::npos; at = page.find("src=", at + 1)) {
    EXPECT_EQ(page.substr(at, 36), "src=\"data:image/png;base64,iVBORw0KG");  // the first bytes of every PNG
    ++pictures;
  }
  EXPECT_EQ(pictures, 4u);
  EXPECT_EQ(page.find("http"), std::string::npos);
  put(folder / "summary.json", "{\"status\": ");
  expect_contains(get(plot_run(folder.path(), options).back()), "damaged");
  fs::remove(folder / "summary.json");
  expect_contains(get(plot_run(folder.path(), options).back()), "no summary yet");
}

TEST(PlotRun, TheSameBytesTwice) {
  const Folder folder;
  // PNG only: cairo numbers the parts of its SVG files through the whole process.
  const auto made = plot_frame(folder, box_3d(4, true), "png");
  std::vector<std::string> before;
  for (const fs::path& path : made) before.push_back(get(path));
  plot_frame(folder, box_3d(4, true), "png");
  for (std::size_t i = 0; i < made.size(); ++i) EXPECT_TRUE(before[i] == get(made[i])) << made[i];
}

TEST(PlotRun, ChoosesFrames) {
  using Numbers = std::vector<std::int64_t>;
  EXPECT_EQ(choose_frames("first,middle,last", 61), (Numbers{0, 30, 60}));
  EXPECT_EQ(choose_frames("first,middle,last", 1), (Numbers{0}));
  EXPECT_EQ(choose_frames("last, 3,3 ,first", 5), (Numbers{0, 3, 4}));
  EXPECT_EQ(choose_frames("all", 3), (Numbers{0, 1, 2}));
  EXPECT_EQ(choose_frames("0%,33%,67%,100%", 61), (Numbers{0, 20, 40, 60}));
  EXPECT_EQ(choose_frames("50%", 1), (Numbers{0}));
  const auto complaint = [](const std::string& text) {
    return error_of<base::InputError>([&] { choose_frames(text, 61); });
  };
  expect_contains(complaint("61"), "there are 61 frames: 0 to 60");
  expect_contains(complaint("-1"), "there is no frame -1");
  expect_contains(complaint("99999999999999999999"), "0 to 60");
  for (const char* bad : {"", "x", "1,,2", "3x", "1.5", "%", "101%", "-1%", "nan%"})
    expect_contains(complaint(bad), "is not a frame");
}

TEST(PlotRun, SaysWhatIsWrongAndWritesNothing) {
  const Folder folder;
  const auto complaint = [&](const fs::path& path, const std::string& frames = "all",
                             const std::string& formats = "png", const std::string& views = "corner") {
    PlotOptions options;
    options.views = views;
    options.frames = frames;
    options.formats = formats;
    return error_of<base::InputError>([&] { plot_run(path, options); });
  };
  expect_contains(complaint(folder / "missing"), "there is no such folder");
  put(folder / "file", "x");
  expect_contains(complaint(folder / "file"), "is not a folder");
  expect_contains(complaint(folder.path()), "is not the output folder of a Moraine run");
  put(folder / "scene.toml", "title = \"x\"\n");
  expect_contains(complaint(folder.path()), "has no trajectory.h5");
  { auto empty = io::TrajectoryWriter::create(folder / "trajectory.h5"); }
  expect_contains(complaint(folder.path()), "no frames yet");
  write_trajectory(folder.path(), {pile_2d(3)});
  expect_contains(complaint(folder.path(), "7"), "there is one frame: 0");
  expect_contains(complaint(folder.path(), "0", "gif"), "there are png, svg and pdf");
  expect_contains(complaint(folder.path(), "0", "png", "left"), "'left' is not a view");
  expect_contains(complaint(folder.path(), "0", "png", "top"), "the run is in 2D");
  fs::create_directories(folder / "series");
  put(folder / "series/bad.csv", "time [s],a [J]\n0,x\n");
  expect_contains(complaint(folder.path(), "0"), "bad.csv");
  EXPECT_FALSE(fs::exists(folder / "plots"));
}

// A PATH of one folder, for as long as it lives.
class PathOnly {
 public:
  explicit PathOnly(const fs::path& folder) : before_(std::getenv("PATH")) { ::setenv("PATH", folder.c_str(), 1); }
  PathOnly(const PathOnly&) = delete;
  PathOnly& operator=(const PathOnly&) = delete;
  ~PathOnly() { ::setenv("PATH", before_.c_str(), 1); }

 private:
  std::string before_;
};

void put_program(const fs::path& path, const std::string& lines) {
  put(path, "#!/bin/sh\nPATH=/usr/bin:/bin\n" + lines + "\n");
  ::chmod(path.c_str(), 0755);
}

PlotOptions film_options() {
  PlotOptions options;
  options.frames = "none";
  options.film = true;
  return options;
}

TEST(PlotFilm, WithoutFfmpegSaysSo) {
  const Folder folder;
  write_trajectory(folder.path(), {pile_2d(3)});
  const PathOnly path(folder.path());
  expect_contains(error_of<base::InputError>([&] { plot_run(folder.path(), film_options()); }),
                  "ffmpeg is not installed");
  EXPECT_FALSE(fs::exists(folder / "plots"));
}

TEST(PlotFilm, FeedsEveryFrameAtOneSize) {
  const Folder folder;
  Frame empty = pile_2d(3), full = pile_2d(3);  // the heading, the key and the caption of a film do not change its size
  empty = Frame{};
  empty.dimension = 2;
  empty.time = 1.0 / 3;
  write_trajectory(folder.path(), {empty, full, full});
  put_program(folder / "ffmpeg", "for last; do :; done; cat > \"${last#file:}\"");
  const PathOnly path(folder.path());
  PlotOptions options = film_options();
  options.title = "A title of just about the length at which the time beside it decides whether it needs two";
  const auto made = plot_run(folder.path(), options);
  ASSERT_EQ(made.size(), 2u);
  EXPECT_EQ(made[0], folder / "plots/film.mp4");
  expect_contains(get(made[1]), "film.mp4");
  const auto size = fs::file_size(made[0]);
  EXPECT_GT(size, 3u * 1400 * 200 * 4);
  EXPECT_EQ(size % (3u * 1400 * 2 * 4), 0u);
  EXPECT_FALSE(fs::exists(folder / "plots/film.mp4.part"));
}

TEST(PlotFilm, PassesOnWhatFfmpegSays) {
  const Folder folder;
  write_trajectory(folder.path(), {pile_2d(3), pile_2d(3)});
  put_program(folder / "ffmpeg", "echo 'Unknown encoder libx264' >&2; exit 1");
  const PathOnly path(folder.path());
  expect_contains(error_of<base::RunError>([&] { plot_run(folder.path(), film_options()); }),
                  "Unknown encoder libx264");
  EXPECT_FALSE(fs::exists(folder / "plots/film.mp4"));
  EXPECT_FALSE(fs::exists(folder / "plots/film.mp4.part"));
  // What was drawn before is there, and the page that shows it.
  PlotOptions options = film_options();
  options.frames = "last";
  EXPECT_THROW(plot_run(folder.path(), options), base::RunError);
  expect_contains(get(folder / "plots/index.html"), "configuration_000001");
}

}  // namespace
}  // namespace moraine::plot::testing
