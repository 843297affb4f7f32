// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "math/elementary.hpp"
#include "scene/setup_parts.hpp"

namespace moraine::scene {

namespace {

constexpr double kGravity = 9.81;
// The block: stiffness of a corner where side and density are these; how deep it may stand, of its side; and the part
// of its weight that presses on a corner at least.
constexpr double kUsualStiffness = 1e7, kUsualSide = 0.1, kUsualDensity = 2700, kDeepest = 0.02, kLeastPressed = 0.01;

std::string gravity_text(double tilt) {
  return fmt::format("[gravity]\nacceleration = {}\ndirection = [0.0, 0.0, -1.0]\ntilt = {}\n", toml_number(kGravity),
                     toml_number(tilt));
}
std::string floor_text(const char* material, double z) {
  return fmt::format("[[wall]]\nname = \"floor\"\nmaterial = \"{}\"\npoint = {}\nnormal = [0.0, 0.0, 1.0]\n", material,
                     vec_text(3, 0, 0, z));
}
std::string body_text(const char* solid, const char* material, const std::string& position, const std::string& more) {
  return fmt::format("[[body]]\nsolid = \"{}\"\nmaterial = \"{}\"\nposition = {}\n{}", solid, material, position, more);
}
void need_3d(const Node& scene, const char* kind, Problems& problems) {
  if (scene.integer("dimension") != 3)
    problems.add(scene, "dimension", fmt::format("the set-up \"{}\" needs dimension = 3", kind));
}

}  // namespace

// The cube stands on the plane as deep as its weight presses it in (hard: not at all): what is left to settle is
// friction.
Expanded expand_block(const Node& scene, const Node& s, Problems& problems) {
  need_3d(scene, "block", problems);
  const double side = s.number("side"), density = s.number("density"), p = s.number("exponent");
  // In proportion to weight over side all blocks sink in by the same part of their side.
  const double scaled = kUsualStiffness * (density / kUsualDensity) * (side / kUsualSide) * (side / kUsualSide);
  const double stiffness = s.number("stiffness", scaled), weight = density * side * side * side * kGravity;
  const double load = 0.25 * weight * math::cos(s.number("angle"));
  const bool hard = scene.text("method") == "hard";
  // Power laws need a depth to have their secant stiffness at; on the steepest slopes hardly anything presses.
  const double pressed = std::max(load, kLeastPressed * weight), depth_pressed = pressed / stiffness;
  const std::string& law = s.text("law");
  const bool power = law == "lankarani-nikravesh" || law == "hunt-crossley";
  double depth = hard ? 0 : load / stiffness;
  if (!hard && power && pressed > load) depth = depth_pressed * math::pow(std::max(0.0, load / pressed), 1 / p);
  if (depth > kDeepest * side) {
    problems.add(s, "stiffness",
                 fmt::format("{:.4g} N/m is too soft: the block would stand {:.3g} m deep in the plane; with side = {} "
                             "m and density = {} kg/m^3 at least {:.3g} N/m",
                             stiffness, depth, side, density, load / (kDeepest * side)));
    return {};
  }
  std::string out = gravity_text(s.number("angle"));
  // Two materials of twice the stiffness in series.
  out += fmt::format("[[material]]\nname = \"block\"\ndensity = {}\nstiffness = {}\n", toml_number(s.number("density")),
                     toml_number(2 * stiffness));
  out += fmt::format("[[contact]]\nrestitution = {}\nfriction = {}\n", toml_number(s.number("restitution")),
                     toml_number(s.number("friction")));
  if (!hard)
    out += fmt::format("normal = \"{}\"\ntangential = \"{}\"\nstiffness_ratio = {}\nshear_damping = {}\n", law,
                       s.text("tangential"), toml_number(s.number("stiffness_ratio")),
                       toml_number(s.number("shear_damping")));
  if (power && !hard)
    out += fmt::format("coefficient = {}\nexponent = {}\n", toml_number(pressed / math::pow(depth_pressed, p)),
                       toml_number(p));
  if (s.text("tangential") == "viscous" && !hard)
    out += fmt::format("shear_viscosity = {}\n", toml_number(s.number("shear_viscosity")));
  out += fmt::format("[[solid]]\nname = \"cube\"\nkind = \"box\"\nsize = [{0}, {0}, {0}]\n", toml_number(side));
  out += floor_text("block", 0);
  out += body_text("cube", "block", vec_text(3, 0, 0, 0.5 * side - depth), "");
  return {out, {{"end", "5.0"}}, {}};
}

// Bodies lie on the straight piece of the chute, the first of them where it begins to wind, on their flat side.
Expanded expand_helix(const Node& scene, const Node& s, Problems& problems) {
  need_3d(scene, "helix", problems);
  const double bar = s.number("bar"), width = s.number("width"), height = s.number("height");
  const double radius = s.number("radius"), pitch = s.number("pitch"), spacing = s.number("spacing");
  const auto count = s.integer("count");
  if (bar >= width || bar >= height) problems.add(s, "bar", "must be less than width and height");
  const double slope = pitch / (2 * math::kPi * radius), length = std::sqrt(1 + slope * slope);
  const double lead = (static_cast<double>(count) + 1) * spacing;
  std::string out = gravity_text(0);
  for (const char* name : {"piece", "sheet"})
    out += fmt::format("[[material]]\nname = \"{}\"\ndensity = {}\nstiffness = {}\n", name,
                       toml_number(s.number("density")), toml_number(s.number("stiffness")));
  out += fmt::format("[[contact]]\nrestitution = {}\nfriction = {}\n", toml_number(s.number("restitution")),
                     toml_number(s.number("friction")));
  out += fmt::format("[[solid]]\nname = \"angle\"\nkind = \"L\"\nwidth = {}\nheight = {}\nbar = {}\n",
                     toml_number(width), toml_number(height), toml_number(bar));
  out += fmt::format(
      "[[wall]]\nname = \"chute\"\nmaterial = \"sheet\"\nkind = \"helix\"\nradius = {}\nwidth = {}\nheight = {}\n"
      "pitch = {}\nturns = {}\nlead = {}\naround = {}\n",
      toml_number(radius), toml_number(s.number("chute_width")), toml_number(s.number("chute_height")),
      toml_number(pitch), toml_number(s.number("turns")), toml_number(lead), s.integer("around"));
  out += floor_text("sheet", -pitch * s.number("turns") - 2 * std::max(width, height));
  // Tilted as the chute is: about x, by the angle of the slope downwards along y.
  const double tilt = -math::atan2(slope, 1), lift = 0.5 * bar * length * (1 + 1e-4), speed = s.number("speed");
  for (std::int64_t k = 0; k < count; ++k) {
    const double back = static_cast<double>(k + 1) * spacing / length;
    out += body_text("angle", "piece", vec_text(3, radius, -back, slope * back + lift),
                     fmt::format("orientation = {}\nvelocity = {}\n", vec_text(3, tilt, 0, 0),
                                 vec_text(3, 0, speed / length, -speed * slope / length)));
  }
  return {out, {{"end", "40.0"}}, {}};
}

// A row along x; the first is given a spin about its foot.
Expanded expand_dominoes(const Node& scene, const Node& s, Problems& problems) {
  need_3d(scene, "dominoes", problems);
  const double thick = s.number("thickness"), wide = s.number("width"), high = s.number("height");
  const double gap = s.number("gap"), spin = s.number("spin");
  std::string out = gravity_text(0);
  out += fmt::format("[[material]]\nname = \"wood\"\ndensity = {}\nstiffness = {}\n", toml_number(s.number("density")),
                     toml_number(s.number("stiffness")));
  out += fmt::format("[[contact]]\nrestitution = {}\nfriction = {}\n", toml_number(s.number("restitution")),
                     toml_number(s.number("friction")));
  out += fmt::format("[[solid]]\nname = \"domino\"\nkind = \"box\"\nsize = {}\n", vec_text(3, thick, wide, high));
  out += floor_text("wood", 0);
  for (std::int64_t k = 0; k < s.integer("count"); ++k) {
    // Turning about the lower edge ahead of it, at x = thick / 2.
    const std::string push = fmt::format("spin = {}\nvelocity = {}\n", vec_text(3, 0, spin, 0),
                                         vec_text(3, 0.5 * spin * high, 0, 0.5 * spin * thick));
    out += body_text("domino", "wood", vec_text(3, static_cast<double>(k) * (thick + gap), 0, 0.5 * high),
                     k == 0 ? push : std::string());
  }
  return {out, {{"end", "3.0"}}, {}};
}

// Courses of bricks, every other one shifted by half a brick and closed with half bricks at its ends.
Expanded expand_bricks(const Node& scene, const Node& s, Problems& problems) {
  need_3d(scene, "bricks", problems);
  const double length = s.number("length"), wide = s.number("width"), high = s.number("height");
  const double gap = 1e-3 * high;
  std::string out = gravity_text(0);
  out += fmt::format("[[material]]\nname = \"brick\"\ndensity = {}\nstiffness = {}\n", toml_number(s.number("density")),
                     toml_number(s.number("stiffness")));
  out += fmt::format("[[contact]]\nrestitution = {}\nfriction = {}\n", toml_number(s.number("restitution")),
                     toml_number(s.number("friction")));
  out += fmt::format("[[solid]]\nname = \"whole\"\nkind = \"box\"\nsize = {}\n", vec_text(3, length - gap, wide, high));
  out += fmt::format("[[solid]]\nname = \"half\"\nkind = \"box\"\nsize = {}\n",
                     vec_text(3, 0.5 * length - gap, wide, high));
  out += floor_text("brick", 0);
  const auto across = s.integer("across");
  for (std::int64_t course = 0; course < s.integer("courses"); ++course) {
    const double z = (static_cast<double>(course) + 0.5) * high;
    const bool shifted = course % 2 == 1;
    for (std::int64_t k = 0; k < across - (shifted ? 1 : 0); ++k)
      out +=
          body_text("whole", "brick", vec_text(3, length * (static_cast<double>(k) + (shifted ? 1 : 0.5)), 0, z), "");
    if (!shifted) continue;
    for (const double x : {0.25 * length, length * (static_cast<double>(across) - 0.25)})
      out += body_text("half", "brick", vec_text(3, x, 0, z), "");
  }
  return {out, {{"end", "2.0"}}, {}};
}

}  // namespace moraine::scene
