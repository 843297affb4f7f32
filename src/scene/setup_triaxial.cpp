// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <array>
#include <cmath>

#include "math/elementary.hpp"
#include "scene/setup_parts.hpp"

namespace moraine::scene {

// Six (2D: four) smooth planes around a squeezed packing. Servos press them on; after the settling time the two across
// the last axis move in at a constant rate instead.
Expanded expand_triaxial(const Node& scene, const Node& s) {
  const int d = static_cast<int>(scene.integer("dimension"));
  const double r = s.number("radius"), count = static_cast<double>(s.integer("count"));
  const double ball = math::ball_volume(d, r);
  const double volume = count * ball / s.number("fraction");
  const double side = d == 2 ? std::sqrt(volume) : math::exp(math::log(volume) / 3), settling = s.number("settling");
  const double end = settling + s.number("strain") / s.number("rate"), half = 0.5 * side;
  const auto corner = [&](double sign) { return vec_text(d, sign * half, sign * half, sign * half); };
  std::string out;
  for (const char* name : {"grain", "platen"}) {
    out += fmt::format("[[material]]\nname = \"{}\"\ndensity = {}\nstiffness = {}\n", name,
                       toml_number(s.number("density")), toml_number(s.number("stiffness")));
  }
  for (const bool wall : {false, true}) {
    out += fmt::format(
        "[[contact]]\nbetween = [\"grain\", \"{}\"]\nrestitution = {}\nstiffness_ratio = {}\nfriction = {}\n",
        wall ? "platen" : "grain", toml_number(s.number("restitution")), toml_number(s.number("stiffness_ratio")),
        toml_number(wall ? 0 : s.number("friction")));
  }
  out += "[[contact]]\nbetween = [\"platen\", \"platen\"]\nrestitution = 0.5\n";
  const auto wall_name = [](int axis, int high) { return fmt::format("{}{}", "xyz"[axis], high); };
  std::string names;
  for (int axis = 0; axis < d; ++axis) {
    for (int high = 0; high < 2; ++high) {
      const double sign = high == 1 ? 1 : -1;
      std::array<double, 3> at{}, normal{}, velocity{};
      const auto a = static_cast<std::size_t>(axis);
      at[a] = sign * half;
      normal[a] = -sign;
      velocity[a] = -sign * 0.5 * s.number("rate") * side;
      names += fmt::format("{}\"{}\"", names.empty() ? "" : ", ", wall_name(axis, high));
      out += fmt::format("[[wall]]\nname = \"{}\"\nmaterial = \"platen\"\n", wall_name(axis, high));
      if (d == 2) {
        std::array<double, 2> from{-4 * side, -4 * side}, to{4 * side, 4 * side};
        from[a] = to[a] = at[a];
        out += fmt::format("from = {}\nto = {}\n", vec_text(2, from[0], from[1]), vec_text(2, to[0], to[1]));
      } else {
        out += fmt::format("point = {}\nnormal = {}\n", vec_text(3, at[0], at[1], at[2]),
                           vec_text(3, normal[0], normal[1], normal[2]));
      }
      std::string across;
      for (int other = 0; other < d; ++other) {
        if (other == axis) continue;
        across += fmt::format("{}\"{}\", \"{}\"", across.empty() ? "" : ", ", wall_name(other, 0), wall_name(other, 1));
      }
      const bool loaded = axis == d - 1;
      out += fmt::format(
          "[wall.servo]\nstress = {}\narea_between = [{}]\ndirection = {}\n{}", toml_number(s.number("pressure")),
          across, vec_text(d, sign * std::fabs(normal[0]), sign * std::fabs(normal[1]), sign * std::fabs(normal[2])),
          loaded ? fmt::format("to = {}\n", toml_number(settling)) : "");
      if (loaded) {
        out += fmt::format("[[wall.motion]]\nfrom = {}\nvelocity = {}\n", toml_number(settling),
                           vec_text(d, velocity[0], velocity[1], velocity[2]));
      }
    }
  }
  out += fmt::format(
      "[[fill]]\nmethod = \"squeeze\"\nmaterial = \"grain\"\nradius = {}\nspread = {}\ncount = {}\nfraction = "
      "{}\nloose_fraction = "
      "{}\n"
      "friction = {}\nmin = {}\nmax = {}\n",
      toml_number(r), toml_number(s.number("spread")), s.integer("count"), toml_number(s.number("fraction")),
      toml_number(d == 2 ? 0.4 : 0.25), toml_number(s.number("preparing_friction")), corner(-1), corner(1));
  out +=
      fmt::format("[[probe]]\nkind = \"box\"\nname = \"box\"\nwalls = [{}]\nfrom = {}\n", names, toml_number(settling));
  out += "[[probe]]\nkind = \"energy\"\nname = \"energy\"\n";
  return {out, {{"end", toml_number(end)}}, {}};
}

}  // namespace moraine::scene
