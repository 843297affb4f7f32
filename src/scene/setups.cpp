// SPDX-License-Identifier: MIT
#include "scene/setups.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "math/elementary.hpp"
#include "scene/keys.hpp"
#include "scene/setup_parts.hpp"

namespace moraine::scene {

std::string vec_text(int dimension, double x, double y, double z) {
  if (dimension == 2) return fmt::format("[{}, {}]", toml_number(x), toml_number(y));
  return fmt::format("[{}, {}, {}]", toml_number(x), toml_number(y), toml_number(z));
}

std::string grain_text(const Node& s) {
  return fmt::format(
      "[[material]]\nname = \"grain\"\ndensity = {}\nstiffness = {}\n"
      "[[contact]]\nrestitution = {}\nno_tension = {}\nfriction = {}\nstiffness_ratio = {}\nshear_damping = {}\n",
      toml_number(s.number("density")), toml_number(s.number("stiffness")), toml_number(s.number("restitution")),
      s.boolean("no_tension"), toml_number(s.number("friction")), toml_number(s.number("stiffness_ratio")),
      toml_number(s.number("shear_damping")));
}

double mean_ball(const Node& s, int dimension) {
  const double r = s.number("radius"), spread = s.number("spread");
  if (dimension == 2) return math::kPi * r * r * (1 + spread * spread / 3);
  return 4.0 / 3.0 * math::kPi * r * r * r * (1 + spread * spread);
}

const std::vector<std::string>& tables_made_by_setups() {
  static const std::vector<std::string> names = {"material", "contact", "wall",   "body",    "chain",
                                                 "link",     "fill",    "domain", "gravity", "solid"};
  return names;
}

Expanded expand_setup(const Node& scene, Problems& problems) {
  const Node& s = scene.table("setup");
  const std::string& kind = s.text("kind");
  std::vector<std::string> made_here = tables_made_by_setups();
  if (kind == "pipe") made_here.insert(made_here.end(), {"inlet", "outlet", "flow", "load"});
  for (const std::string& name : made_here) {
    if (scene.given(name)) {
      problems.add(scene, name, fmt::format("a scene with [setup] makes its own {}; leave out one of the two", name));
    }
  }
  std::vector<std::string> leave_out = made_here;
  leave_out.emplace_back("setup");
  leave_out.emplace_back("derived");
  const std::string rest = write_complete(scene_schema(), scene, leave_out);
  const bool hard_kind =
      kind == "pendulum" || kind == "falling-chain" || kind == "stack" || kind == "three-spheres" || kind == "wheel";
  const std::vector<std::string> either{"pyramid", "pipe", "block", "helix", "dominoes", "bricks"};
  if (std::find(either.begin(), either.end(), kind) == either.end() && hard_kind != (scene.text("method") == "hard"))
    problems.add(s, "kind", fmt::format("\"{}\" goes with method = \"{}\"", kind, hard_kind ? "hard" : "soft"));
  Expanded made = kind == "impact"          ? expand_impact(scene, s)
                  : kind == "bed"           ? expand_bed(scene, s, problems)
                  : kind == "triaxial"      ? expand_triaxial(scene, s)
                  : kind == "nine-disc"     ? expand_nine_disc(scene, s, problems)
                  : kind == "box"           ? expand_box(scene, s, problems)
                  : kind == "chute"         ? expand_chute(scene, s, problems)
                  : kind == "simple-shear"  ? expand_simple_shear(scene, s, problems)
                  : kind == "pendulum"      ? expand_pendulum(scene, s, problems)
                  : kind == "falling-chain" ? expand_falling_chain(scene, s)
                  : kind == "stack"         ? expand_stack(scene, s)
                  : kind == "three-spheres" ? expand_three_spheres(scene, s, problems)
                  : kind == "wheel"         ? expand_wheel(scene, s, problems)
                  : kind == "pyramid"       ? expand_pyramid(scene, s, problems)
                  : kind == "pipe"          ? expand_pipe(scene, s, problems)
                  : kind == "block"         ? expand_block(scene, s, problems)
                  : kind == "helix"         ? expand_helix(scene, s, problems)
                  : kind == "dominoes"      ? expand_dominoes(scene, s, problems)
                  : kind == "bricks"        ? expand_bricks(scene, s, problems)
                                            : expand_channel(scene, s, problems);
  std::string derived;
  for (const std::string& d : made.derived) derived += fmt::format("{}{}", derived.empty() ? "" : ", ", toml_string(d));
  made.text = fmt::format("derived = [{}]\n{}\n{}", derived, rest, made.text);
  return made;
}

}  // namespace moraine::scene
