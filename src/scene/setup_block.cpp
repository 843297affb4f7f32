// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <cmath>

#include "math/elementary.hpp"
#include "scene/setup_parts.hpp"

namespace moraine::scene {

// The cube stands on the plane as deep as its weight presses it in: what is left to settle is friction.
Expanded expand_block(const Node& scene, const Node& s, Problems& problems) {
  if (scene.integer("dimension") != 3) problems.add(scene, "dimension", "the set-up \"block\" needs dimension = 3");
  constexpr double kGravity = 9.81;
  const double side = s.number("side"), stiffness = s.number("stiffness"), p = s.number("exponent");
  const double load = 0.25 * s.number("density") * side * side * side * kGravity * math::cos(s.number("angle"));
  const double depth = load / stiffness;
  const std::string& law = s.text("law");
  const bool power = law == "lankarani-nikravesh" || law == "hunt-crossley";
  std::string out = fmt::format("[gravity]\nacceleration = {}\ndirection = [0.0, 0.0, -1.0]\ntilt = {}\n",
                                toml_number(kGravity), toml_number(s.number("angle")));
  // Two materials of twice the stiffness in series.
  out += fmt::format("[[material]]\nname = \"block\"\ndensity = {}\nstiffness = {}\n", toml_number(s.number("density")),
                     toml_number(2 * stiffness));
  out += fmt::format(
      "[[contact]]\nnormal = \"{}\"\nrestitution = {}\nfriction = {}\ntangential = \"{}\"\nstiffness_ratio = {}\n"
      "shear_damping = {}\n",
      law, toml_number(s.number("restitution")), toml_number(s.number("friction")), s.text("tangential"),
      toml_number(s.number("stiffness_ratio")), toml_number(s.number("shear_damping")));
  if (power)
    out += fmt::format("coefficient = {}\nexponent = {}\n", toml_number(load / math::pow(depth, p)), toml_number(p));
  if (s.text("tangential") == "viscous")
    out += fmt::format("shear_viscosity = {}\n", toml_number(s.number("shear_viscosity")));
  out += fmt::format("[[solid]]\nname = \"cube\"\nkind = \"box\"\nsize = [{0}, {0}, {0}]\n", toml_number(side));
  out += "[[wall]]\nname = \"plane\"\nmaterial = \"block\"\npoint = [0.0, 0.0, 0.0]\nnormal = [0.0, 0.0, 1.0]\n";
  out += fmt::format("[[body]]\nsolid = \"cube\"\nmaterial = \"block\"\nposition = [0.0, 0.0, {}]\n",
                     toml_number(0.5 * side - depth));
  return {out, {{"end", "5.0"}}, {}};
}

}  // namespace moraine::scene
