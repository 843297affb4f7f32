// SPDX-License-Identifier: MIT
#include "foreign/pipe_scene.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numbers>

#include "base/error.hpp"
#include "io/numbers.hpp"
#include "scene/build.hpp"
#include "scene/load.hpp"
#include "scene/units.hpp"
#include "scene/writer.hpp"

namespace moraine::foreign {

namespace {

// What the program has in its text and not in its input, in its units (cm, g, s).
constexpr double kBatchLength = 50;   // a batch follows every 50 cm / VX
constexpr double kOutlet = 150;       // disks beyond it are taken out
constexpr double kProfileFrom = -10;  // the parabola begins here; before it the stream is uniform
constexpr double kHalfWidth = 20;     // 1.5 - 0.00375 y^2 is 0 at y = 20, and 1 on average
constexpr double kDiskDensity = 1.1;  // g/cm^3
constexpr double kDragHalf = 0.05;    // g/cm^3: F = 0.05 pi R^2 |u - v| (u - v)
constexpr double kLeastShadow = 0.1;
constexpr double kTouching = 1.0001;  // diameters between the centres of disks that touch
constexpr double kJamBefore = -21;    // a disk that stands before it when a batch is due is a jam
constexpr double kImpactSpeed = 0.1;  // cm/s: slower ones do not bounce

// In SI, exactly the double of the decimal number: 3.37 cm is 0.0337.
std::string si(double value, const char* unit, scene::Dimension dimension) {
  return scene::toml_number(scene::parse_quantity(fmt::format("{} {}", value, unit), dimension).value);
}
std::string metres(double cm) { return si(cm, "cm", scene::kLength); }
std::string speed(double cm_per_s) { return si(cm_per_s, "cm/s", scene::kSpeed); }
std::string seconds(double s) { return scene::toml_number(s); }

std::string head(const PipeInput& in, const std::string& name) {
  double area = 0;
  for (const PipeDisk& d : in.disks) area += std::numbers::pi * d.radius * d.radius;
  std::string out = fmt::format(
      "# Made from {} by `moraine import`. The file is in centimetres, grams and seconds; this one is in SI units.\n"
      "# \"line 4\" is a line of {}. What has no line stands in the text of the program.\n"
      "#\n"
      "# {} disks a batch cover {:.4f} of 50 cm of the pipe; {} wall circles.\n"
      "#\n"
      "# Read and not used:\n"
      "#   DH = {} s (line {}): its least step; it changes its steps as its iterations converge. Ours are in [hard].\n"
      "#   TH = {} cm (line {}): read by the program, and never used by it.\n"
      "#   FMAX = {} (line {}): the pull at which it lets go of a contact; ours do not pull at all.\n"
      "#   TOL = {} (line {}): where its iterations for the contact forces end; ours: hard.residual.\n"
      "#\n"
      "# What differs: its disks do not turn; its friction is a force against the velocity, along x and along y for\n"
      "# themselves; of several disks that a disk touches, it takes the shadow of the last. It moves each place, and\n"
      "# each radius, on from where the batch before had it, so that its batches wander; here each is about the\n"
      "# places of the file.\n\n",
      name, name, in.disks.size(), area / 2000, in.circles.size(), in.least_step, in.para_line, in.thickness,
      in.para_line, in.most_force, in.para_line, in.tolerance, in.para_line);
  out += fmt::format("title = {}\n", scene::toml_string("Grains in a pipe: " + name));
  out += "source = \"Sun 1996, appendix E: input of the program for jams in a straight pipe\"\n";
  out += "dimension = 2\nmethod = \"hard\"\n";
  if (in.rand_line > 0) {
    out += fmt::format("seed = {}  # line {}: ISEED\n", std::max<std::int64_t>(in.seed, 0), in.rand_line);
  }
  return out;
}

std::string run_tables(const PipeInput& in) {
  const std::string begins = in.begin == 0 ? "" : fmt::format("; less X0 = {}, where its clock begins", in.begin);
  std::string out =
      fmt::format("\n[time]\nend = {}  # line {}: XEND{}\n", seconds(in.end - in.begin), in.para_line, begins);
  double smallest = in.disks[0].radius;
  for (const PipeDisk& d : in.disks) smallest = std::min(smallest, d.radius);
  // A whole number of them, so that the run ends with XEND.
  const double time = in.end - in.begin,
               step = time / std::max(1.0, std::round(time * in.stream_x / (0.06 * smallest)));
  out += fmt::format(
      "\n[hard]\nstep = {}  # s: the stream goes 0.06 of the smallest radius\nmost_iterations = 100\n"
      "impact_speed = {}  # contacts that close by less do not bounce\n",
      seconds(step), speed(kImpactSpeed));
  out += fmt::format("\n[[material]]\nname = \"disk\"\ndensity = {}\n", si(kDiskDensity, "g/cm^3", scene::kDensity));
  out += fmt::format(
      "\n[[material]]  # so that the friction of walls can be set by itself\nname = \"wall\"\ndensity = {}\n",
      si(kDiskDensity, "g/cm^3", scene::kDensity));
  out += fmt::format(
      "\n[[contact]]\nbetween = [\"disk\", \"disk\"]\nrestitution = {}  # line {}: E\nfriction = {}  # line {}: U\n",
      scene::toml_number(in.restitution), in.para_line, scene::toml_number(in.friction), in.para_line);
  out += fmt::format(
      "\n# The program brakes a disk at a wall with three times the friction of two disks. U is the coefficient that "
      "its\n"
      "# author names, for all contacts; --set contact.1.friction={:.6g} has the program's.\n"
      "[[contact]]  # all others: with the walls\nrestitution = {}  # line {}: E\nfriction = {}  # line {}: U\n",
      3 * in.friction, scene::toml_number(in.restitution), in.para_line, scene::toml_number(in.friction), in.para_line);
  return out;
}

std::string stream_tables(const PipeInput& in) {
  std::string out = fmt::format(
      "\n# VX before x = {} cm; VX (1.5 - 0.00375 y^2), y in cm, beyond: the parabola of a pipe of half-width {} cm.\n"
      "[flow]\nkind = \"parabolic\"\nspeed = {}  # line {}: VX, the mean\n"
      "half_width = {}\nfrom = {}\n",
      kProfileFrom, kHalfWidth, speed(in.stream_x), in.para_line, metres(kHalfWidth), metres(kProfileFrom));
  out += fmt::format(
      "\n# {} g/cm^3 pi R^2 |u - v| (u - v), that is rho C_D / 2 = {} g/cm^3 on the face of the disk; what stands in "
      "the\n"
      "# shadow of a disk that it touches has less, along each axis for itself, but never less than {} of it.\n"
      "[[load]]\nname = \"stream\"\nkind = \"stream\"\ndensity = 1000.0\ndrag_coefficient = {}\narea = \"face\"\n"
      "components = true\nshadow = true\nshadow_reach = {}  # diameters: of touching disks only\n"
      "shadow_least = {}\nmaterials = [\"disk\"]\n",
      kDragHalf, kDragHalf, kLeastShadow, scene::toml_number(2 * kDragHalf), scene::toml_number(kTouching),
      scene::toml_number(kLeastShadow));
  return out;
}

std::string inlet_tables(const PipeInput& in) {
  std::string out = fmt::format(
      "\n# The disks of the file are a batch that comes again every {} cm / VX, each disk moved anew by chance.\n"
      "[[inlet]]\nname = \"batch\"\nkind = \"batch\"\nmaterial = \"disk\"\nmass = \"sphere\"  # 4/3 pi R^3 * {} "
      "g/cm^3\n"
      "every = {}  # s; line {}: VX\n"
      "# Where a batch is longer than that way, the program puts disks onto those of the batch before and pushes them "
      "apart.\n"
      "without_room = \"wait\"\n",
      kBatchLength, kDiskDensity, seconds(kBatchLength / in.stream_x), in.para_line);
  if (in.random) {
    out += fmt::format(
        "jitter = [{}, {}]  # line {}: XI, YI, full widths\nradius_jitter = {}  # line {}: RI, full width\n"
        "generator = \"philox\"  # \"sun\": the program's own\n",
        metres(in.x_width), metres(in.y_width), in.rand_line, metres(in.radius_width), in.rand_line);
  } else {
    out += fmt::format("# {}: every batch is the same.\n",
                       in.rand_line == 0 ? "No RAND block" : fmt::format("Line {}: IG is not 1", in.rand_line));
  }
  double last = in.disks[0].x, most = 0;
  for (const PipeDisk& d : in.disks) {
    last = std::min(last, d.x);
    most = std::max(most, std::fabs(d.y));
  }
  out += fmt::format(
      "clear_min = [{}, {}]  # a batch is held back, and that is a jam, while a disk is at x < {} cm\n"
      "clear_max = [{}, {}]\n",
      metres(last - 10 * kBatchLength), metres(-most - kBatchLength), kJamBefore, metres(kJamBefore),
      metres(most + kBatchLength));
  out += fmt::format("points = [  # x, y; lines {} to {}\n", in.disks.front().line, in.disks.back().line);
  for (std::size_t i = 0; i < in.disks.size(); ++i) {
    const PipeDisk& d = in.disks[i];
    out += fmt::format("  [{}, {}],  # line {}: disk {}\n", metres(d.x), metres(d.y), d.line, i + 1);
  }
  out += "]\nradii = [\n";
  for (const PipeDisk& d : in.disks) out += fmt::format("  {},  # line {}\n", metres(d.radius), d.line);
  out += "]\n";
  const auto same = [&](const PipeDisk& d) { return d.vx == in.disks[0].vx && d.vy == in.disks[0].vy; };
  if (std::all_of(in.disks.begin(), in.disks.end(), same)) {
    out +=
        fmt::format("velocity = [{}, {}]  # of all disks of the file\n", speed(in.disks[0].vx), speed(in.disks[0].vy));
  } else {
    out += "velocities = [  # in the order of the points\n";
    for (const PipeDisk& d : in.disks) out += fmt::format("  [{}, {}],  # line {}\n", speed(d.vx), speed(d.vy), d.line);
    out += "]\n";
  }
  out += fmt::format(
      "\n[[outlet]]  # disks beyond x = {} cm are taken out\nname = \"end\"\nat = [{}, 0.0]\ndirection = [1, 0]\n",
      kOutlet, metres(kOutlet));
  return out;
}

std::string walls(const PipeInput& in) {
  std::string out;
  for (std::size_t i = 0; i < in.circles.size(); ++i) {
    const PipeCircle& c = in.circles[i];
    out += fmt::format(
        "\n[[body]]  # line {}: circle {}\nposition = [{}, {}]\nradius = {}\nmaterial = \"wall\"\nfixed = true\n",
        c.line, i + 1, metres(c.x), metres(c.y), metres(c.radius));
  }
  return out;
}

std::string looks(const PipeInput& in) {
  std::string out =
      "\n# A jam: a batch is due, and a disk still stands where it is to come (the program: at x < -21 cm). The run "
      "ends.\n"
      "[[probe]]\nkind = \"jam\"\ninlets = [\"batch\"]\noutlets = [\"end\"]\nstop = true\n"
      "\n[[probe]]\nkind = \"overlaps\"\n";
  out += fmt::format("\n[output]\nevery = {}  # s; line {}: XIN\nvtk = false\ncontacts = false\n", seconds(in.interval),
                     in.para_line);
  return out;
}

// A remark ends with its line.
std::string in_one_line(std::string name) {
  for (char& c : name) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = '?';
  }
  return name;
}

// The line of the input that a line of the scene says it is from; 0: none.
int line_of_input(std::string_view scene, int line) {
  std::string_view text;
  bool ended = false;
  for (int k = 0; k < line && !scene.empty(); ++k) text = io::take_line(scene, ended);
  const std::size_t remark = text.find('#');
  if (remark == std::string_view::npos) return 0;
  const std::size_t at = text.find("line ", remark);
  int number = 0;
  if (at != std::string_view::npos) std::from_chars(text.data() + at + 5, text.data() + text.size(), number);
  return number;
}

}  // namespace

std::string pipe_scene(const PipeInput& in, const std::string& file_name) {
  const std::string name = in_one_line(file_name);
  std::string scene = head(in, name) + run_tables(in) + stream_tables(in) + inlet_tables(in) + looks(in) + walls(in);
  try {
    scene::build<2>(scene::load_scene_text(scene, "scene", ".", {}));
  } catch (const base::InputError& error) {
    std::vector<base::Problem> problems;
    for (const base::Problem& p : error.problems()) {
      const std::string_view points = "inlet[0].points[";
      std::size_t disk = in.disks.size();
      if (p.key.starts_with(points)) std::from_chars(p.key.data() + points.size(), p.key.data() + p.key.size(), disk);
      problems.push_back({in.file, disk < in.disks.size() ? in.disks[disk].line : line_of_input(scene, p.line), "",
                          fmt::format("makes a scene that cannot be run: {}: {}", p.key, p.text)});
    }
    throw base::InputError(problems);
  }
  return scene;
}

}  // namespace moraine::foreign
