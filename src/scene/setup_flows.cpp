// SPDX-License-Identifier: MIT
// Uniform flows between two walls, on one, and without any (Babic 2.1.3, 2.2.3, 4.2): x along the flow, y across, in 3D
// z to the side. The cell is periodic along x (and z).
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "math/elementary.hpp"
#include "scene/setup_parts.hpp"

namespace moraine::scene {

namespace {

constexpr double kDensest2 = 0.88, kDensest3 = 0.66;  // random packings of disks and spheres of unequal sizes, about

// A length that a whole number of bumps fills, near the one wanted.
struct Cell {
  double length, bumps;
};
Cell cell_of(double wanted, double pitch, bool bumpy) {
  if (!bumpy) return {wanted, 0};
  const double count = std::max(1.0, std::round(wanted / pitch));
  return {count * pitch, count};
}

std::string bumps_text(const Node& s) {
  if (!s.boolean("bumpy")) return "";
  return fmt::format("[wall.bumps]\nradius = {}\ngap = {}\n", toml_number(s.number("radius")),
                     toml_number(s.number("gap")));
}

// Across y at the height given, from one end of the cell to the other; `up`: bodies are above it.
std::string wall_text(int d, const char* name, double length, double y, bool up) {
  std::string out = fmt::format("[[wall]]\nname = \"{}\"\nmaterial = \"grain\"\n", name);
  if (d == 2) {
    out += fmt::format("from = {}\nto = {}\n", vec_text(2, 0, y), vec_text(2, length, y));
  } else {
    out += fmt::format("point = {}\nnormal = {}\n", vec_text(3, 0, y, 0), vec_text(3, 0, up ? 1 : -1, 0));
  }
  return out;
}

std::string domain_text(int d, double length, double depth, double low, double high) {
  return fmt::format("[domain]\nmin = {}\nmax = {}\nperiodic = [\"x\"{}]\n", vec_text(d, 0, low),
                     vec_text(d, length, high, depth), d == 3 ? ", \"z\"" : "");
}

std::string profile_text(const Node& s, double low, double high, const std::string& windows, const std::string& by) {
  return fmt::format(
      "[[probe]]\nkind = \"profile\"\nname = \"profile\"\naxis = \"y\"\nmin = {}\nmax = {}\nbins = {}\nwindows = {}\n"
      "by = \"{}\"\n[[probe]]\nkind = \"energy\"\nname = \"energy\"\n",
      toml_number(low), toml_number(high), s.integer("bins"), windows, by);
}

void check_windows(const Node& s, Problems& problems) {
  const auto& windows = s.points("windows");
  if (windows.empty()) problems.add(s, "windows", "must have at least one window [from, to] of the profile");
  for (std::size_t k = 0; k < windows.size(); ++k) {
    if (windows[k][0] >= 0 && windows[k][0] < windows[k][1]) continue;
    problems.add(
        s, fmt::format("windows[{}]", k),
        fmt::format("[{}, {}] is no window: from 0 or later, to a larger number", windows[k][0], windows[k][1]));
  }
}

// Closer than at random grains only stand in order, which no squeezing brings about.
void check_concentration(const Node& s, int d, Problems& problems) {
  const double most = d == 2 ? kDensest2 : kDensest3, wanted = s.number("concentration");
  if (wanted <= most) return;
  problems.add(s, "concentration",
               fmt::format("{} is denser than grains can be squeezed at random: at most {} in {}D", wanted, most, d));
}

std::string windows_text(const Node& s) {
  std::string out;
  for (const auto& w : s.points("windows"))
    out += fmt::format("{}[{}, {}]", out.empty() ? "[" : ", ", toml_number(w[0]), toml_number(w[1]));
  return out + "]";
}

void check_cell(const Node& s, const char* key, double length, Problems& problems) {
  const double largest = s.number("radius") * (1 + s.number("spread"));
  if (length > 4 * largest) return;
  problems.add(s, key,
               fmt::format("gives a periodic cell of {:.4g} m; it must be longer than two diameters of the largest "
                           "body, {:.4g} m",
                           length, 4 * largest));
}

// The third axis of a cell in 3D; as long as the first where the scene leaves it open.
Cell depth_of(const Node& s, int d, double length, double pitch, bool bumpy, Problems& problems) {
  if (d == 2) {
    if (s.has("depth")) problems.add(s, "depth", "is for 3D");
    return {1, 0};
  }
  const Cell cell = cell_of(s.number("depth", length), pitch, bumpy);
  check_cell(s, "depth", cell.length, problems);
  return cell;
}

}  // namespace

Expanded expand_channel(const Node& scene, const Node& s, Problems& problems) {
  const int d = static_cast<int>(scene.integer("dimension"));
  const double r = s.number("radius"), b = s.number("width"), pitch = 2 * r + s.number("gap");
  const bool bumpy = s.boolean("bumpy");
  const Cell a = cell_of(b / s.number("aspect"), pitch, bumpy);
  check_cell(s, "aspect", a.length, problems);
  const Cell c = depth_of(s, d, a.length, pitch, bumpy, problems);
  check_concentration(s, d, problems);
  check_windows(s, problems);
  if (b < 6 * r) problems.add(s, "width", fmt::format("must be at least three diameters, {:.4g} m", 6 * r));
  const double space = a.length * b * c.length, ball = mean_ball(s, d);
  const double count = std::max(1.0, std::round(s.number("concentration") * space / ball));
  const double reached = count * ball / space, half = 0.5 * b, u = s.number("speed");
  Expanded out;
  out.derived = {fmt::format("N = {}", count), fmt::format("C = {:.6g}", reached), fmt::format("a = {:.9g}", a.length),
                 fmt::format("a_over_d = {:.6g}", a.length / (2 * r))};
  if (d == 3) out.derived.push_back(fmt::format("depth = {:.9g}", c.length));
  if (bumpy) out.derived.push_back(fmt::format("Nb = {}", a.bumps * std::max(1.0, c.bumps)));
  out.text = domain_text(d, a.length, c.length, -half - 4 * r, half + 4 * r);
  const double driving = s.number("gravity") * math::sin(s.number("angle"));
  if (driving != 0) {
    out.text += fmt::format("[gravity]\nacceleration = {}\ndirection = {}\n", toml_number(std::fabs(driving)),
                            vec_text(d, driving > 0 ? 1 : -1, 0));
    const double units = std::sqrt(2 * r * std::fabs(driving));
    out.derived.push_back(fmt::format("velocity_scale = {:.6g}", units));
    out.derived.push_back(fmt::format("time_scale = {:.6g}", 2 * r / units));
  }
  out.text += grain_text(s);
  for (const bool upper : {false, true}) {
    out.text += wall_text(d, upper ? "upper" : "lower", a.length, upper ? half : -half, !upper);
    if (u != 0) out.text += fmt::format("[[wall.motion]]\nslide = {}\n", vec_text(d, upper ? -u : u, 0));
    if (upper && s.has("pressure")) {
      out.text +=
          fmt::format("[wall.servo]\nstress = {}\narea = {}\ndirection = {}\n", toml_number(s.number("pressure")),
                      toml_number(a.length * (d == 2 ? scene.number("thickness") : c.length)), vec_text(d, 0, 1));
    }
    out.text += bumps_text(s);
  }
  out.text += fmt::format(
      "[[fill]]\nmethod = \"squeeze\"\nmaterial = \"grain\"\nradius = {}\nspread = {}\ncount = {}\nfraction = {}\n"
      "loose_fraction = {}\nsteps = {}\nrelax_steps = {}\ndamping = 0.0\nrandom_speed = {}\nmin = {}\nmax = {}\n",
      toml_number(r), toml_number(s.number("spread")), count, toml_number(reached),
      toml_number(s.number("loose_concentration")), s.integer("squeeze_steps"), s.integer("relax_steps"),
      toml_number(s.number("random_speed")), vec_text(d, 0, -half), vec_text(d, a.length, half, c.length));
  out.text += profile_text(s, -half, half, windows_text(s), s.text("windows_by"));
  out.text += "[[probe]]\nkind = \"walls\"\nname = \"walls\"\n";
  const bool couette = s.text("kind") == "couette";
  out.defaults.emplace_back("end", toml_number(couette ? 400 * b / std::max(std::fabs(u), 1e-300) : 50));
  if (couette && u == 0 && !scene.table("time").has("end") && !scene.table("time").has("steps"))
    problems.add(s, "speed", "0 m/s drives nothing: give time.end, or a speed");
  if (couette) {
    double most = 0;
    for (const auto& w : s.points("windows")) most = std::max(most, w[1]);
    if (s.text("windows_by") == "collisions") out.defaults.emplace_back("collisions", toml_number(most));
  }
  return out;
}

Expanded expand_chute(const Node& scene, const Node& s, Problems& problems) {
  const int d = static_cast<int>(scene.integer("dimension"));
  const double r = s.number("radius"), pitch = 2 * r + s.number("gap"), g = s.number("gravity");
  const bool bumpy = s.boolean("bumpy");
  const Cell a = cell_of(s.number("length"), pitch, bumpy);
  check_cell(s, "length", a.length, problems);
  const Cell c = depth_of(s, d, a.length, pitch, bumpy, problems);
  const double count = static_cast<double>(s.integer("count")), ball = mean_ball(s, d);
  const double height = count * ball / (s.number("loose_concentration") * a.length * c.length) + 4 * r;
  const double layers = count * ball / (0.6 * a.length * c.length);  // depth of the flow, about
  Expanded out;
  out.derived = {fmt::format("N = {}", count), fmt::format("a = {:.9g}", a.length),
                 fmt::format("start_height = {:.6g}", height)};
  if (bumpy) out.derived.push_back(fmt::format("Nb = {}", a.bumps * std::max(1.0, c.bumps)));
  out.text = domain_text(d, a.length, c.length, -4 * r, 2 * height + 40 * r);
  const double beta = s.number("angle");
  out.text += fmt::format("[gravity]\nacceleration = {}\ndirection = {}\n", toml_number(g),
                          vec_text(d, math::sin(beta), -math::cos(beta)));
  out.text += grain_text(s);
  out.text += wall_text(d, "floor", a.length, 0, true) + bumps_text(s);
  out.text += fmt::format(
      "[[fill]]\nmethod = \"random\"\nmaterial = \"grain\"\nradius = {}\nspread = {}\ncount = {}\nrandom_speed = {}\n"
      "min = {}\nmax = {}\n",
      toml_number(r), toml_number(s.number("spread")), count, toml_number(s.number("random_speed")), vec_text(d, 0, 0),
      vec_text(d, a.length, height, c.length));
  const Node& time = scene.table("time");
  const double end = time.number("end", 300 * std::sqrt(2 * r / g));
  const std::string windows =
      s.has("windows") ? windows_text(s) : fmt::format("[[{}, {}]]", toml_number(0.5 * end), toml_number(end));
  if (s.has("windows")) check_windows(s, problems);
  if (!s.has("windows") && time.has("steps"))
    problems.add(s, "'windows' is missing: with time.steps the set-up cannot know when the flow is to be averaged");
  out.text += profile_text(s, 0, 2 * layers + 4 * r, windows, s.has("windows") ? s.text("windows_by") : "time");
  out.text += "[[probe]]\nkind = \"walls\"\nname = \"walls\"\n";
  out.defaults.emplace_back("end", toml_number(end));
  return out;
}

Expanded expand_simple_shear(const Node& scene, const Node& s, Problems& problems) {
  const int d = static_cast<int>(scene.integer("dimension"));
  const double count = static_cast<double>(s.integer("count")), fraction = s.number("concentration");
  const double space = count * mean_ball(s, d) / fraction, rate = s.number("rate");
  const double side = d == 2 ? std::sqrt(space) : math::exp(math::log(space) / 3);
  check_cell(s, "count", side, problems);
  Expanded out;
  out.derived = {fmt::format("N = {}", count), fmt::format("a = {:.9g}", side)};
  out.text = fmt::format("[domain]\nmin = {}\nmax = {}\nperiodic = [\"x\", \"y\"{}]\n[domain.shear]\nrate = {}\n",
                         vec_text(d, 0, 0), vec_text(d, side, side, side), d == 3 ? ", \"z\"" : "", toml_number(rate));
  out.text += grain_text(s);
  const double loose = std::min(d == 2 ? 0.4 : 0.3, 0.7 * fraction);
  out.text += fmt::format(
      "[[fill]]\nmethod = \"squeeze\"\nfraction = {}\nloose_fraction = {}\nfriction = {}\nmaterial = \"grain\"\nradius "
      "= {}\nspread = {}\ncount = {}\nrandom_speed = {}\nmin = {}\nmax = {}\n",
      toml_number(fraction), toml_number(loose), toml_number(s.number("preparing_friction")),
      toml_number(s.number("radius")), toml_number(s.number("spread")), count,
      toml_number(s.number("random_speed", rate * s.number("radius"))), vec_text(d, 0, 0),
      vec_text(d, side, side, side));
  const double from = s.number("settling_strain") / std::fabs(rate);
  out.text += fmt::format("[[probe]]\nkind = \"stress\"\nname = \"stress\"\nfrom = {}\nevery = {}\n", toml_number(from),
                          toml_number(0.01 / std::fabs(rate)));
  out.text += fmt::format(
      "[[probe]]\nkind = \"profile\"\nname = \"profile\"\naxis = \"y\"\nmin = 0.0\nmax = {}\nbins = {}\nwindows = "
      "[[{}, {}]]\nby = \"time\"\n",
      toml_number(side), s.integer("bins"), toml_number(from),
      toml_number(from + s.number("strain") / std::fabs(rate)));
  out.text += fmt::format("[[probe]]\nkind = \"forces\"\nname = \"forces\"\nfrom = {}\n", toml_number(from));
  out.text += "[[probe]]\nkind = \"energy\"\nname = \"energy\"\n";
  out.defaults.emplace_back("end", toml_number(from + s.number("strain") / std::fabs(rate)));
  return out;
}

}  // namespace moraine::scene
