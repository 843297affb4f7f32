// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "math/elementary.hpp"
#include "scene/setup_parts.hpp"
#include "soft/restitution.hpp"

namespace moraine::scene {

namespace {

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
  const double volume = math::ball_volume(dimension, radius);
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

}  // namespace

Expanded expand_impact(const Node& scene, const Node& s) {
  const int d = static_cast<int>(scene.integer("dimension"));
  const double radius = s.number("radius"), speed = s.number("speed"), angle = s.number("angle");
  const double contact = impact_time(s, d), e = s.number("restitution");
  const double c = math::cos(angle), sn = math::sin(angle);
  // Starts a tenth of a contact time before the first touch; ends when the slowest law has let go: a latching spring
  // of small e leaves at e times the speed through nearly the whole overlap, so after about 1/e contact times.
  const double before = 0.1 * contact, end = before + contact * (4 + 2 / e + 1 / c);
  std::string out = impact_laws(s, d);
  out +=
      fmt::format("[[body]]\nmaterial = \"grain\"\nradius = {}\nposition = {}\nvelocity = {}\n", toml_number(radius),
                  vec_text(d, -radius - speed * c * before, -speed * sn * before), vec_text(d, speed * c, speed * sn));
  if (s.text("against") == "wall") {
    if (d == 2) {
      const double reach = 10 * radius + 2 * speed * end;
      out += fmt::format("[[wall]]\nname = \"wall\"\nmaterial = \"grain\"\nfrom = {}\nto = {}\n",
                         vec_text(2, 0, -reach), vec_text(2, 0, reach));
    } else {
      out += "[[wall]]\nname = \"wall\"\nmaterial = \"grain\"\npoint = [0.0, 0.0, 0.0]\nnormal = [-1.0, 0.0, 0.0]\n";
    }
  } else {
    const double other = radius * s.number("radius_ratio");
    const bool same = s.number("mass_ratio") == 1 && s.number("radius_ratio") == 1;
    out += fmt::format("[[body]]\nmaterial = \"{}\"\nradius = {}\nposition = {}\n", same ? "grain" : "other",
                       toml_number(other), vec_text(d, other, 0));
  }
  out += fmt::format("[[probe]]\nkind = \"impact\"\nname = \"impact\"\nbody = 0\n{}\n",
                     s.text("against") == "wall" ? "wall = \"wall\"" : "other = 1");
  out += "[[probe]]\nkind = \"energy\"\nname = \"energy\"\n";
  return {out, {{"end", toml_number(end)}}, {}};
}

}  // namespace moraine::scene
