// SPDX-License-Identifier: MIT
#include "scene/setups.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "math/elementary.hpp"
#include "scene/keys.hpp"
#include "scene/writer.hpp"
#include "soft/restitution.hpp"

namespace moraine::scene {

namespace {

std::string vec(int dimension, double x, double y, double z = 0) {
  if (dimension == 2) return fmt::format("[{}, {}]", toml_number(x), toml_number(y));
  return fmt::format("[{}, {}, {}]", toml_number(x), toml_number(y), toml_number(z));
}

// Laws of the power type take their K from the material's stiffness at an overlap of a hundredth of the radius, so that
// runs with different laws are alike.
double power_coefficient(double stiffness, double radius, double exponent) {
  return 0.5 * stiffness * math::pow(0.01 * radius, 1 - exponent);
}

std::string impact_laws(const Node& s, int dimension) {
  const std::string& law = s.text("law");
  std::string out =
      fmt::format("[[material]]\nname = \"grain\"\ndensity = {}\nstiffness = {}\nyoung = {}\npoisson = {}\n",
                  toml_number(s.number("density")), toml_number(s.number("stiffness")), toml_number(s.number("young")),
                  toml_number(s.number("poisson")));
  if (s.text("against") == "body" && (s.number("mass_ratio") != 1 || s.number("radius_ratio") != 1)) {
    // The second body's own material, of the density that gives the mass asked for; the contact is the same.
    const double ratio = s.number("radius_ratio"),
                 volume_ratio = dimension == 2 ? ratio * ratio : ratio * ratio * ratio;
    out += fmt::format("[[material]]\nname = \"other\"\ndensity = {}\nstiffness = {}\nyoung = {}\npoisson = {}\n",
                       toml_number(s.number("density") * s.number("mass_ratio") / volume_ratio),
                       toml_number(s.number("stiffness")), toml_number(s.number("young")),
                       toml_number(s.number("poisson")));
  }
  out += fmt::format("[[contact]]\nnormal = \"{}\"\nrestitution = {}\nno_tension = {}\n", law,
                     toml_number(s.number("restitution")), s.boolean("no_tension"));
  if (law == "lankarani-nikravesh" || law == "hunt-crossley") {
    out += fmt::format("coefficient = {}\nexponent = {}\n",
                       toml_number(power_coefficient(s.number("stiffness"), s.number("radius"), s.number("exponent"))),
                       toml_number(s.number("exponent")));
  }
  out += fmt::format("tangential = \"{}\"\nfriction = {}\nstiffness_ratio = {}\nshear_damping = {}\n",
                     s.text("tangential"), toml_number(s.number("friction")), toml_number(s.number("stiffness_ratio")),
                     toml_number(s.number("shear_damping")));
  if (s.text("tangential") == "viscous") {
    const double mass = s.number("density") * math::kPi * s.number("radius") * s.number("radius");
    out += fmt::format("shear_viscosity = {}\n", toml_number(std::sqrt(mass * s.number("stiffness"))));
  }
  return out;
}

// An estimate of the contact time, long enough for every law, from the spring of the pair.
double impact_time(const Node& s, int dimension) {
  const double radius = s.number("radius"), speed = s.number("speed") * math::cos(s.number("angle"));
  const double volume = dimension == 2 ? math::kPi * radius * radius : 4.0 / 3.0 * math::kPi * radius * radius * radius;
  const double mass = s.number("density") * volume;
  const double other = s.text("against") == "wall" ? 1e300 : mass * s.number("mass_ratio");
  const double m_eff = mass / (1 + mass / other);
  world::PairLaw law;
  law.K = 0.5 * s.number("stiffness");
  if (s.text("law") == "hertz") {
    law.normal = world::NormalLaw::kHertz;
    law.K = 4.0 / 3.0 * 0.5 * s.number("young") / (1 - s.number("poisson") * s.number("poisson"));
  } else if (s.text("law") == "lankarani-nikravesh" || s.text("law") == "hunt-crossley") {
    law.normal = world::NormalLaw::kHuntCrossley;
    law.exponent = s.number("exponent");
    law.K = power_coefficient(s.number("stiffness"), radius, law.exponent);
  }
  return soft::collision_time(law, m_eff, 0.5 * radius, std::max(speed, 1e-300)).duration;
}

Expanded impact(const Node& scene, const Node& s) {
  const int d = static_cast<int>(scene.integer("dimension"));
  const double radius = s.number("radius"), speed = s.number("speed"), angle = s.number("angle");
  const double contact = impact_time(s, d), e = s.number("restitution");
  const double c = math::cos(angle), sn = math::sin(angle);
  // Starts a tenth of a contact time before the first touch; ends when the slowest law has let go: a latching spring
  // of small e leaves at e times the speed through nearly the whole overlap, so after about 1/e contact times.
  const double before = 0.1 * contact, end = before + contact * (4 + 2 / e + 1 / c);
  std::string out = impact_laws(s, d);
  out += fmt::format("[[body]]\nmaterial = \"grain\"\nradius = {}\nposition = {}\nvelocity = {}\n", toml_number(radius),
                     vec(d, -radius - speed * c * before, -speed * sn * before), vec(d, speed * c, speed * sn));
  if (s.text("against") == "wall") {
    if (d == 2) {
      const double reach = 10 * radius + 2 * speed * end;
      out += fmt::format("[[wall]]\nname = \"wall\"\nmaterial = \"grain\"\nfrom = {}\nto = {}\n", vec(2, 0, -reach),
                         vec(2, 0, reach));
    } else {
      out += "[[wall]]\nname = \"wall\"\nmaterial = \"grain\"\npoint = [0.0, 0.0, 0.0]\nnormal = [-1.0, 0.0, 0.0]\n";
    }
  } else {
    const double other = radius * s.number("radius_ratio");
    const bool same = s.number("mass_ratio") == 1 && s.number("radius_ratio") == 1;
    out += fmt::format("[[body]]\nmaterial = \"{}\"\nradius = {}\nposition = {}\n", same ? "grain" : "other",
                       toml_number(other), vec(d, other, 0));
  }
  out += fmt::format("[[probe]]\nkind = \"impact\"\nname = \"impact\"\nbody = 0\n{}\n",
                     s.text("against") == "wall" ? "wall = \"wall\"" : "other = 1");
  out += "[[probe]]\nkind = \"energy\"\nname = \"energy\"\n";
  return {out, end};
}

Expanded bed(const Node& scene, const Node& s, Problems& problems) {
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
  return {out, 0.1};
}

// Six (2D: four) smooth planes around a squeezed packing. Servos press them on; after the settling time the two across
// the last axis move in at a constant rate instead.
Expanded triaxial(const Node& scene, const Node& s) {
  const int d = static_cast<int>(scene.integer("dimension"));
  const double r = s.number("radius"), count = static_cast<double>(s.integer("count"));
  const double ball = d == 2 ? math::kPi * r * r : 4.0 / 3.0 * math::kPi * r * r * r;
  const double volume = count * ball / s.number("fraction");
  const double side = d == 2 ? std::sqrt(volume) : math::exp(math::log(volume) / 3), settling = s.number("settling");
  const double end = settling + s.number("strain") / s.number("rate"), half = 0.5 * side;
  const auto corner = [&](double sign) { return vec(d, sign * half, sign * half, sign * half); };
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
        out += fmt::format("from = {}\nto = {}\n", vec(2, from[0], from[1]), vec(2, to[0], to[1]));
      } else {
        out += fmt::format("point = {}\nnormal = {}\n", vec(3, at[0], at[1], at[2]),
                           vec(3, normal[0], normal[1], normal[2]));
      }
      std::string across;
      for (int other = 0; other < d; ++other) {
        if (other == axis) continue;
        across += fmt::format("{}\"{}\", \"{}\"", across.empty() ? "" : ", ", wall_name(other, 0), wall_name(other, 1));
      }
      const bool loaded = axis == d - 1;
      out += fmt::format("[wall.servo]\nstress = {}\narea_between = [{}]\ndirection = {}\n{}",
                         toml_number(s.number("pressure")), across,
                         vec(d, sign * std::fabs(normal[0]), sign * std::fabs(normal[1]), sign * std::fabs(normal[2])),
                         loaded ? fmt::format("to = {}\n", toml_number(settling)) : "");
      if (loaded) {
        out += fmt::format("[[wall.motion]]\nfrom = {}\nvelocity = {}\n", toml_number(settling),
                           vec(d, velocity[0], velocity[1], velocity[2]));
      }
    }
  }
  out += fmt::format(
      "[[fill]]\nmethod = \"squeeze\"\nmaterial = \"grain\"\nradius = {}\nspread = {}\nfraction = {}\nloose_fraction = "
      "{}\n"
      "friction = {}\nmin = {}\nmax = {}\n",
      toml_number(r), toml_number(s.number("spread")), toml_number(s.number("fraction")),
      toml_number(d == 2 ? 0.4 : 0.25), toml_number(s.number("preparing_friction")), corner(-1), corner(1));
  out +=
      fmt::format("[[probe]]\nkind = \"box\"\nname = \"box\"\nwalls = [{}]\nfrom = {}\n", names, toml_number(settling));
  out += "[[probe]]\nkind = \"energy\"\nname = \"energy\"\n";
  return {out, end};
}

}  // namespace

const std::vector<std::string>& tables_made_by_setups() {
  static const std::vector<std::string> names = {"material", "contact", "wall", "body", "fill", "domain", "gravity"};
  return names;
}

Expanded expand_setup(const Node& scene, Problems& problems) {
  const Node& s = scene.table("setup");
  for (const std::string& name : tables_made_by_setups()) {
    if (scene.given(name)) {
      problems.add(scene, name, fmt::format("a scene with [setup] makes its own {}; leave out one of the two", name));
    }
  }
  std::vector<std::string> leave_out = tables_made_by_setups();
  leave_out.emplace_back("setup");
  const std::string rest = write_complete(scene_schema(), scene, leave_out);
  const std::string& kind = s.text("kind");
  Expanded made = kind == "impact" ? impact(scene, s) : kind == "bed" ? bed(scene, s, problems) : triaxial(scene, s);
  made.text = rest + "\n" + made.text;
  return made;
}

}  // namespace moraine::scene
