// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "scene/setup_parts.hpp"
#include "soft/restitution.hpp"

namespace moraine::scene {

Expanded expand_bed(const Node& scene, const Node& s, Problems& problems) {
  if (scene.integer("dimension") != 3)
    problems.add(scene, "dimension", "2 is not possible here: the bed is of spheres (3)");
  const double r = s.number("radius"), largest = r * (1 + s.number("spread"));
  const double spacing = 2 * largest * 1.02, count = static_cast<double>(s.integer("count"));
  // A footprint that is square and holds the count in about so many layers.
  const double side_cells = std::max(4.0, std::ceil(std::sqrt(count / s.number("layers")) - 1e-9));
  const double layers = std::ceil(count / (side_cells * side_cells) - 1e-9);
  const double side = side_cells * spacing, floor = s.boolean("rough") ? 2 * largest : 0;
  const double top = floor + (layers + 0.01) * spacing;
  std::string out;
  out += fmt::format("[domain]\nmin = [0.0, 0.0, {}]\nmax = [{}, {}, {}]\nperiodic = [\"x\", \"y\"]\n",
                     toml_number(-4 * r), toml_number(side), toml_number(side), toml_number(top + 20 * r));
  out += fmt::format("[gravity]\nacceleration = 9.81\ntilt = {}\n", toml_number(s.number("angle")));
  out += fmt::format("[[material]]\nname = \"grain\"\ndensity = {}\n", toml_number(s.number("density")));
  out += fmt::format(
      "[[contact]]\nstiffness = {}\nrestitution = {}\nno_tension = false\nfriction = {}\nstiffness_ratio = {}\n"
      "shear_damping = {}\nfriction_limit = \"total\"\n",
      toml_number(s.number("stiffness")), toml_number(s.number("restitution")), toml_number(s.number("friction")),
      toml_number(s.number("stiffness_ratio")), toml_number(0.5 * soft::damping_ratio(s.number("restitution"))));
  out += "[[wall]]\nname = \"floor\"\nmaterial = \"grain\"\npoint = [0.0, 0.0, 0.0]\nnormal = [0.0, 0.0, 1.0]\n";
  const auto fill = [&](double low, double high, const char* more) {
    out += fmt::format(
        "[[fill]]\nmaterial = \"grain\"\nmethod = \"lattice\"\nradius = {}\nspread = {}\nspacing = {}\njitter = 1.0\n"
        "min = [0.0, 0.0, {}]\nmax = [{}, {}, {}]\n{}",
        toml_number(r), toml_number(s.number("spread")), toml_number(spacing), toml_number(low), toml_number(side),
        toml_number(side), toml_number(high), more);
  };
  if (s.boolean("rough")) fill(0, 1.005 * spacing, "fixed = true\n");
  fill(floor + 0.02 * spacing, top + 0.02 * spacing, fmt::format("count = {}\n", s.integer("count")).c_str());
  return {out, {{"end", "0.1"}}, {}};
}

}  // namespace moraine::scene
