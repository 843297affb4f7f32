// SPDX-License-Identifier: MIT
#include "scene/extra_laws.hpp"

#include <fmt/format.h>

#include "math/elementary.hpp"
#include "soft/restitution.hpp"

namespace moraine::scene {

namespace {

using world::NormalLaw;
using world::PairLaw;
using world::RollingLaw;
using world::Strength;
using world::TangentialLaw;

void set_rolling(PairLaw& law, const Node& c, const ExtraContext& context, Problems& problems) {
  const std::string& name = c.text("rolling");
  if (name == "none") {
    for (const char* key : {"rolling_friction", "twisting_friction", "rolling_stiffness_ratio", "rolling_damping"}) {
      if (c.has(key)) problems.add(c, key, "goes with rolling = \"constant\" or \"spring\", and rolling is \"none\"");
    }
    return;
  }
  if (!c.has("rolling_friction")) {
    problems.add(c, fmt::format("'rolling_friction' is missing: rolling = \"{}\" needs it", name));
  }
  law.rolling.law = name == "constant" ? RollingLaw::kConstant : RollingLaw::kSpring;
  law.rolling.friction = c.number("rolling_friction", 0);
  law.rolling.twisting = c.number("twisting_friction", 0);
  if (context.dimension == 2 && c.has("twisting_friction")) {
    problems.add(c, "twisting_friction", "there is no twisting in 2D");
  }
  if (name == "constant") {
    for (const char* key : {"rolling_stiffness_ratio", "rolling_damping"}) {
      if (c.has(key)) problems.add(c, key, "goes with rolling = \"spring\" only");
    }
    return;
  }
  law.rolling.stiffness = c.number("rolling_stiffness_ratio", 0.8) * context.stiffness().value_or(1);
  law.rolling.damping = c.number("rolling_damping", 0.3);
}

// A strength as a force, or as a stress over the section of the smaller body: pi r^2, in 2D 2 r times the thickness.
Strength read_strength(const Node& node, const char* force, const char* stress, const ExtraContext& context,
                       Problems& problems) {
  Strength s;
  if (node.has(force) && node.has(stress)) {
    problems.add(node, stress, fmt::format("{} is given too; leave out one of the two", force));
  }
  if (node.has(force)) s.force = node.number(force);
  if (node.has(stress)) s.stress = node.number(stress) * (context.dimension == 2 ? 2 * context.thickness : math::kPi);
  return s;
}

void set_cohesion(PairLaw& law, const Node& contact, const ExtraContext& context, Problems& problems) {
  if (!contact.has("cohesion")) return;
  const Node& c = contact.table("cohesion");
  const bool hertz = law.normal == NormalLaw::kHertz;
  if (!hertz && law.normal != NormalLaw::kLinear) {
    return problems.add(
        contact, "cohesion",
        fmt::format("goes with normal = \"linear\" or \"hertz\" only, not with \"{}\"", contact.text("normal")));
  }
  if (law.tangential == TangentialLaw::kMindlin) {
    return problems.add(contact, "cohesion",
                        "does not go with tangential = \"mindlin\", which has no stiffness while the contact is "
                        "stretched; take \"cundall-strack\"");
  }
  law.cohesion.on = true;
  law.cohesion.at_once = read_strength(c, "force", "stress", context, problems);
  law.cohesion.growth = read_strength(c, "growth", "growth_stress", context, problems);
  law.cohesion.linear_growth = c.has("form") && c.text("form") == "linear";
  const bool grows = c.has("growth") || c.has("growth_stress");
  if (!grows && !c.has("force") && !c.has("stress")) {
    problems.add(c, "how strong? Give 'force' or 'stress', or 'growth' (or 'growth_stress') with 'time'");
  }
  if (grows && !c.has("time")) problems.add(c, "'time' is missing: in which the strength grows");
  for (const char* key : {"time", "form"}) {
    if (!grows && c.has(key)) problems.add(c, key, "goes with growth or growth_stress");
  }
  law.cohesion.time = c.number("time", 0);
  if (hertz && !c.has("stiffness")) {
    problems.add(c, "'stiffness' is missing: of the spring of a stretched contact, which Hertz's law does not tell");
  }
  if (!hertz && c.has("stiffness")) {
    problems.add(c, "stiffness", "goes with normal = \"hertz\" only: a linear contact pulls with its own spring");
  }
  law.cohesion.stiffness = hertz ? c.number("stiffness", 1) : law.K;
}

void set_bond(PairLaw& law, const Node& contact, const ExtraContext& context, Problems& problems) {
  if (!contact.has("bond")) return;
  const Node& b = contact.table("bond");
  if (law.tangential == TangentialLaw::kViscous) {
    return problems.add(contact, "bond", "does not go with tangential = \"viscous\", which cannot hold anything");
  }
  law.bond.on = true;
  law.bond.on_touch = b.text("forms") == "touch";
  law.bond.gap = b.number("gap");
  law.bond.tension = read_strength(b, "tension", "tension_stress", context, problems);
  law.bond.shear = read_strength(b, "shear", "shear_stress", context, problems);
  if (!law.bond.tension.any()) problems.add(b, "'tension' is missing: give it, or 'tension_stress'");
  if (!law.bond.shear.any()) problems.add(b, "'shear' is missing: give it, or 'shear_stress'");
  if (b.has("stiffness")) {
    law.bond.stiffness = b.number("stiffness");
  } else {
    law.bond.stiffness = context.stiffness().value_or(1);
  }
  law.bond.shear_stiffness = b.number("shear_ratio") * law.bond.stiffness;
  law.bond.moment = b.number("moment", 0);
  law.bond.bending = b.number("bending_ratio", 1) * law.bond.stiffness;
  if (!b.has("moment") && b.has("bending_ratio")) {
    problems.add(b, "bending_ratio", "goes with moment: without it the bond does not bend");
  }
  law.bond.damping = contact.number("restitution", 0) > 0 ? soft::damping_ratio(contact.number("restitution")) : 0;
  if (b.has("damping")) law.bond.damping = b.number("damping");
}

}  // namespace

void set_extras(PairLaw& law, const Node& contact, const ExtraContext& context, Problems& problems) {
  set_rolling(law, contact, context, problems);
  set_cohesion(law, contact, context, problems);
  set_bond(law, contact, context, problems);
}

}  // namespace moraine::scene
