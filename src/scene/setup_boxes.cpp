// SPDX-License-Identifier: MIT
// Disks in a box of four walls that move in and then turn: nine disks in a square (Babic 3.1, after Cundall and Strack
// 1979), and a random packing (2.2.3, 3.4). Moments are counted in steps, as in the source.
#include <fmt/format.h>

#include <cmath>

#include "math/elementary.hpp"
#include "scene/setup_parts.hpp"
#include "soft/restitution.hpp"

namespace moraine::scene {

namespace {

// What the walls do from one step to another.
struct Stage {
  std::int64_t from, to;
  const char* how;    // "velocity" or "shift"
  double in_x, in_y;  // each wall's, inward
  double spin;
};

// left, right, bottom, top of a box about the origin; each turns about its middle: the level ones one way, the upright
// ones the other, so that the square becomes a rhombus, or the upright ones alone ("simple").
std::string walls_text(double a, double b, const std::vector<Stage>& stages, bool simple) {
  struct Side {
    const char* name;
    int x, y;
  };
  std::string out;
  for (const Side side : {Side{"left", -1, 0}, Side{"right", 1, 0}, Side{"bottom", 0, -1}, Side{"top", 0, 1}}) {
    const double x = 0.5 * a * side.x, y = 0.5 * b * side.y;
    const double dx = side.x == 0 ? 0.75 * a : 0, dy = side.y == 0 ? 0.75 * b : 0;  // corners stay closed when turned
    out += fmt::format("[[wall]]\nname = \"{}\"\nmaterial = \"grain\"\nfrom = {}\nto = {}\nabout = {}\n", side.name,
                       vec_text(2, x - dx, y - dy), vec_text(2, x + dx, y + dy), vec_text(2, x, y));
    for (const Stage& s : stages) {
      if (s.to <= s.from) continue;
      const double spin = side.x != 0 ? -s.spin : simple ? 0 : s.spin;
      out += fmt::format("[[wall.motion]]\nfrom_step = {}\nto_step = {}\n{} = {}\nspin = {}\n", s.from, s.to, s.how,
                         vec_text(2, -side.x * s.in_x, -side.y * s.in_y), toml_number(spin));
    }
  }
  return out;
}

void two_dimensions_only(const Node& scene, Problems& problems) {
  if (scene.integer("dimension") != 2) problems.add(scene, "dimension", "must be 2 here: the set-up is of disks");
}

// The step that the run will have: the scene's, or a tenth of the contact time (2.1).
double step_of(const Node& scene, const Node& s) {
  const Node& time = scene.table("time");
  const double smallest = s.number("radius") * (1 - s.number("spread")), e = s.number("restitution");
  world::PairLaw law;
  law.K = 0.5 * s.number("stiffness");
  law.no_tension = s.boolean("no_tension");
  const double mass = s.number("density") * math::kPi * smallest * smallest * scene.number("thickness");
  if (e < 1) law.damping = 2 * soft::damping_ratio(e) * std::sqrt(law.K);
  const soft::CollisionTime t = soft::collision_time(law, 0.5 * mass, 0.5 * smallest, 1);
  return time.number("step", time.has("fraction") ? time.number("fraction") * t.scale : 0.1 * t.duration);
}

std::string friction_text(const Node& s, Problems& problems) {
  if (s.given("friction") && s.given("friction_angle"))
    problems.add(s, "friction_angle", "'friction' is given too; leave out one of the two");
  return toml_number(s.has("friction") ? s.number("friction")
                                       : math::sin(s.number("friction_angle")) / math::cos(s.number("friction_angle")));
}

}  // namespace

Expanded expand_nine_disc(const Node& scene, const Node& s, Problems& problems) {
  two_dimensions_only(scene, problems);
  const double r = s.number("radius"), k = s.number("stiffness"), e = s.number("restitution");
  const double mass = s.number("density") * math::kPi * r * r * scene.number("thickness");
  const std::int64_t load = s.integer("load_steps"), rest = load + s.integer("rest_steps"),
                     end = rest + s.integer("distort_steps");
  Expanded out;
  out.text = fmt::format(
      "[[material]]\nname = \"grain\"\ndensity = {}\nstiffness = {}\n"
      "[[contact]]\nrestitution = {}\nno_tension = false\nfriction = {}\nstiffness_ratio = {}\nshear_damping = {}\n",
      toml_number(s.number("density")), toml_number(k), toml_number(e), friction_text(s, problems),
      toml_number(s.number("stiffness_ratio")),
      toml_number(s.number("shear_damping", e == 1 ? 0 : soft::damping_ratio(e))));
  out.text += walls_text(
      6 * r, 6 * r,
      {{0, load, "velocity", s.number("speed"), s.number("speed"), 0}, {rest, end, "velocity", 0, 0, s.number("spin")}},
      s.text("distortion") == "simple");
  for (int row = -1; row <= 1; ++row) {
    for (int column = -1; column <= 1; ++column) {
      out.text += fmt::format("[[body]]\nmaterial = \"grain\"\nradius = {}\nposition = {}\n", toml_number(r),
                              vec_text(2, 2 * r * column, 2 * r * row));
    }
  }
  // Between the middle disk and the one to its right.
  out.text +=
      "[[probe]]\nkind = \"contacts\"\nname = \"contact_C\"\npairs = [[4, 5]]\nevery_steps = 1\ncycles = true\n"
      "[[probe]]\nkind = \"energy\"\nname = \"energy\"\n[[probe]]\nkind = \"walls\"\nname = \"walls\"\n";
  // The source's step: a fifth of sqrt(m / k).
  const double step = 0.2 * std::sqrt(mass / k);
  out.defaults = {{"steps", fmt::format("{}", end)}, {"step", toml_number(step)}};
  const double dt = scene.table("time").number("step", step);  // of no use where the scene gives a fraction
  // Four springs of K = k/2 in a row take up what the two walls have come in.
  const double force = 0.5 * k * 2 * s.number("speed") * static_cast<double>(load) * dt / 4;
  out.derived = {fmt::format("source_step = {:.6g}", step)};
  if (!scene.table("time").has("fraction")) out.derived.push_back(fmt::format("static_force = {:.9g}", force));
  return out;
}

Expanded expand_box(const Node& scene, const Node& s, Problems& problems) {
  two_dimensions_only(scene, problems);
  const double r = s.number("radius"), aspect = s.number("aspect"), c = s.number("concentration"),
               loose = s.number("loose_concentration");
  const auto count = static_cast<double>(s.integer("count"));
  if (loose >= c) problems.add(s, "loose_concentration", fmt::format("{} must be below concentration, {}", loose, c));
  // (2.2), with the mean area of the disks.
  const double a = std::sqrt(count * mean_ball(s, 2) / (aspect * c)), b = a * aspect, wider = std::sqrt(c / loose);
  const double a0 = a * wider, b0 = b * wider;
  const std::int64_t squeeze = s.integer("squeeze_steps"), relax = squeeze + s.integer("relax_steps"),
                     compress = relax + s.integer("compress_steps"), end = compress + s.integer("distort_steps");
  Expanded out;
  out.derived = {fmt::format("N = {}", count), fmt::format("a = {:.9g}", a), fmt::format("b = {:.9g}", b),
                 fmt::format("a0 = {:.9g}", a0), fmt::format("b0 = {:.9g}", b0)};
  out.text = grain_text(s);
  const double in = s.number("compress_speed");
  out.text += walls_text(a0, b0,
                         {{0, squeeze, "shift", 0.5 * (a0 - a), 0.5 * (b0 - b), 0},
                          {relax, compress, "velocity", in, in, 0},
                          {compress, end, "velocity", 0, 0, s.number("spin")}},
                         s.text("distortion") == "simple");
  const double dt = step_of(scene, s);
  out.text += fmt::format(
      "[[fill]]\nmethod = \"random\"\nmaterial = \"grain\"\nradius = {}\nspread = {}\ncount = {}\nmin = {}\nmax = {}\n",
      toml_number(r), toml_number(s.number("spread")), count, vec_text(2, -0.5 * a0, -0.5 * b0),
      vec_text(2, 0.5 * a0, 0.5 * b0));
  out.text += fmt::format(
      "[[probe]]\nkind = \"box\"\nname = \"box\"\nwalls = [\"left\", \"right\", \"bottom\", \"top\"]\nfrom = {}\n"
      "[[probe]]\nkind = \"walls\"\nname = \"walls\"\n[[probe]]\nkind = \"coordination\"\nname = \"coordination\"\n"
      "[[probe]]\nkind = \"energy\"\nname = \"energy\"\n",
      toml_number(static_cast<double>(relax) * dt));
  // The source presses its disks into each other by more than half a radius.
  out.defaults = {{"steps", fmt::format("{}", end)}, {"step", toml_number(dt)}, {"max_overlap", "1.0"}};
  return out;
}

}  // namespace moraine::scene
