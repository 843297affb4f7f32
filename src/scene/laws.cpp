// SPDX-License-Identifier: MIT
#include "scene/laws.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "scene/extra_laws.hpp"
#include "soft/restitution.hpp"

namespace moraine::scene {

namespace {

using world::NormalLaw;
using world::PairLaw;
using world::TangentialLaw;

// One side of a contact: a material, yielding or rigid.
struct Side {
  const Node* material;
  bool rigid;
};

// Springs in series; a rigid side does not yield.
double in_series(double a, bool a_rigid, double b, bool b_rigid) {
  if (a_rigid) return b;
  if (b_rigid) return a;
  return 1 / (1 / a + 1 / b);
}

// A number of a material that this contact cannot do without.
std::optional<double> needed(const Side& side, const char* key, const Node& contact, Problems& problems) {
  if (side.material->has(key)) return side.material->number(key);
  problems.add(*side.material, fmt::format("'{}' is missing: the contact law \"{}\" needs the material's {}{}", key,
                                           contact.text("normal"), key,
                                           std::string(key) == "stiffness" ? " (or contact.stiffness)" : ""));
  return std::nullopt;
}

std::optional<double> linear_stiffness(const Node& c, const Side& a, const Side& b, Problems& problems) {
  if (c.has("stiffness")) return c.number("stiffness");
  const auto ka = needed(a, "stiffness", c, problems);
  const auto kb = a.material == b.material ? ka : needed(b, "stiffness", c, problems);
  if (!ka || !kb) return std::nullopt;
  return in_series(*ka, a.rigid, *kb, b.rigid);
}

// E* and G* of Hertz and Mindlin.
std::optional<double> hertz_modulus(const Node& c, const Side& a, const Side& b, bool shear, Problems& problems) {
  const auto one = [&](const Side& s) -> std::optional<double> {
    const auto young = needed(s, "young", c, problems);
    if (!young) return std::nullopt;
    const double nu = s.material->number("poisson");
    return shear ? *young / (2 * (1 + nu) * (2 - nu)) : *young / (1 - nu * nu);
  };
  const auto ma = one(a), mb = a.material == b.material ? ma : one(b);
  if (!ma || !mb) return std::nullopt;
  return in_series(*ma, a.rigid, *mb, b.rigid);
}

double restitution_of(const Node& c, Problems& problems) {
  if (c.has("restitution")) {
    if (!(c.number("restitution") > 0))
      problems.add(c, "restitution",
                   "0 is out of range: it must be > 0 and <= 1, since no dashpot takes all of an impact (hard contacts "
                   "may have 0)");
    return c.number("restitution") > 0 ? c.number("restitution") : 1;
  }
  problems.add(c,
               "'restitution' is missing: give a number above 0 and at most 1 (or damping_rate with the linear law)");
  return 1;
}

void set_linear(PairLaw& law, const Node& c, const Side& a, const Side& b, Problems& problems) {
  law.normal = NormalLaw::kLinear;
  law.K = linear_stiffness(c, a, b, problems).value_or(1);
  if (c.has("damping_rate")) {
    if (c.has("restitution")) problems.add(c, "damping_rate", "restitution is given too; leave out one of the two");
    law.rate = c.number("damping_rate");
    return;
  }
  const double e = restitution_of(c, problems);
  law.damping = 2 * (law.no_tension ? soft::damping_ratio_no_tension(e) : soft::damping_ratio(e)) * std::sqrt(law.K);
}

void set_power(PairLaw& law, const Node& c, Problems& problems) {
  law.normal = NormalLaw::kHuntCrossley;
  law.no_tension = true;
  law.exponent = c.number("exponent");
  law.K = 1;
  if (c.has("coefficient")) {
    law.K = c.number("coefficient");
  } else {
    problems.add(c, fmt::format("'coefficient' is missing: \"{}\" needs K of K n^p, in N/m^p", c.text("normal")));
  }
  const double e = restitution_of(c, problems);
  law.damping = c.text("normal") == "hunt-crossley" ? soft::hunt_crossley_chi(e) : 0.75 * (1 - e * e);
}

void set_normal(PairLaw& law, const Node& c, const Side& a, const Side& b, Problems& problems) {
  const std::string& name = c.text("normal");
  law.no_tension = c.boolean("no_tension");
  if (name == "linear") {
    set_linear(law, c, a, b, problems);
  } else if (name == "hertz") {
    law.normal = NormalLaw::kHertz;
    law.K = 4.0 / 3.0 * hertz_modulus(c, a, b, false, problems).value_or(1);
    law.damping = soft::hertz_damping(restitution_of(c, problems), law.no_tension);
  } else if (name == "walton-braun") {
    law.normal = NormalLaw::kWaltonBraun;
    law.no_tension = true;
    law.K = linear_stiffness(c, a, b, problems).value_or(1);
    const double e = restitution_of(c, problems);
    law.unloading = 1 / (e * e);
  } else {
    set_power(law, c, problems);
  }
  if (name != "linear" && c.given("damping_rate")) {
    problems.add(c, "damping_rate", fmt::format("goes with normal = \"linear\" only, not with \"{}\"", name));
  }
}

void set_tangential(PairLaw& law, const Node& c, const Side& a, const Side& b, Problems& problems) {
  const std::string& name = c.text("tangential");
  law.mu = c.number("friction");
  law.limit_by_total = c.text("friction_limit") == "total" ? 1 : 0;
  if (name == "none") {
    law.tangential = TangentialLaw::kNone;
  } else if (name == "viscous") {
    law.tangential = TangentialLaw::kViscous;
    if (c.has("shear_viscosity")) {
      law.Kt = c.number("shear_viscosity");
    } else {
      problems.add(c, "'shear_viscosity' is missing: tangential = \"viscous\" needs it, in N s/m");
    }
  } else if (name == "mindlin") {
    law.tangential = TangentialLaw::kMindlin;
    law.Kt = 8 * hertz_modulus(c, a, b, true, problems).value_or(1);
    law.shear_damping = 2 * c.number("shear_damping");
    if (law.normal != NormalLaw::kHertz) problems.add(c, "tangential", "\"mindlin\" goes with normal = \"hertz\" only");
  } else {
    law.tangential = TangentialLaw::kCundallStrack;
    double K = law.K;
    if (law.normal == NormalLaw::kHertz || law.normal == NormalLaw::kHuntCrossley) {
      // No single normal stiffness to take a part of: the materials' linear one is meant.
      K = linear_stiffness(c, a, b, problems).value_or(1);
    }
    law.Kt = c.number("stiffness_ratio") * K;
    law.shear_damping = 2 * c.number("shear_damping") * std::sqrt(K);
    if (c.has("shear_damping_rate")) law.shear_rate = c.number("shear_damping_rate");
  }
}

// Hard contacts need no stiffness and no dashpots.
void set_hard(PairLaw& law, const Node& c) {
  law.restitution = c.number("restitution", 0);
  law.mu = c.text("tangential") == "none" ? 0 : c.number("friction");
}

// The [[contact]] of two materials: the one that names them, or the one that names none.
const Node* contact_of(const std::vector<Node>& contacts, const std::string& a, const std::string& b) {
  const Node* general = nullptr;
  for (const Node& c : contacts) {
    if (!c.has("between")) {
      general = &c;
      continue;
    }
    const auto& names = c.texts("between");
    if ((names[0] == a && names[1] == b) || (names[0] == b && names[1] == a)) return &c;
  }
  return general;
}

void check_contacts(const std::vector<Node>& contacts, const std::vector<std::string>& names, Problems& problems) {
  bool general = false;
  for (std::size_t k = 0; k < contacts.size(); ++k) {
    const Node& c = contacts[k];
    if (!c.has("between")) {
      if (general) problems.add(c, "two [[contact]] tables without 'between': only one can be for all other pairs");
      general = true;
      continue;
    }
    const auto& pair = c.texts("between");
    for (std::size_t side = 0; side < pair.size(); ++side) {
      if (std::find(names.begin(), names.end(), pair[side]) != names.end()) continue;
      problems.add(c, fmt::format("between[{}]", side), no_such("material", pair[side], names));
    }
    for (std::size_t other = 0; other < k; ++other) {
      if (!contacts[other].has("between")) continue;
      const auto& before = contacts[other].texts("between");
      if ((before[0] == pair[0] && before[1] == pair[1]) || (before[0] == pair[1] && before[1] == pair[0])) {
        problems.add(c, "between", "this pair of materials already has a [[contact]]");
      }
    }
  }
}

}  // namespace

int Laws::find(const Node& node, std::string_view key, bool rigid, Problems& problems) const {
  const std::string& name = node.text(key);
  const auto at = std::find(names.begin(), names.end(), name);
  if (at == names.end()) {
    problems.add(node, key, no_such("material", name, names));
    return -1;
  }
  const auto index = at - names.begin();
  return static_cast<int>(rigid ? index + static_cast<std::ptrdiff_t>(names.size()) : index);
}

Laws read_laws(const Node& scene, Problems& problems) {
  Laws laws;
  const auto& materials = scene.tables("material");
  const auto& contacts = scene.tables("contact");
  if (materials.empty()) problems.add(scene, "no [[material]]: at least one is needed");
  const bool hard = scene.text("method") == "hard";
  if (contacts.empty() && !hard)
    problems.add(scene, "no [[contact]]: at least one is needed, to say what happens where things touch");
  for (const Node& m : materials) {
    const std::string& name = m.text("name");
    if (std::find(laws.names.begin(), laws.names.end(), name) != laws.names.end()) {
      problems.add(m, "name", fmt::format("there is already a material \"{}\"", name));
    }
    laws.names.push_back(name);
  }
  check_contacts(contacts, laws.names, problems);
  // Each material twice: as it is, and as a rigid wall of it.
  const std::size_t n = materials.size();
  if (n == 0) return laws;
  for (std::size_t k = 0; k < 2 * n; ++k) {
    laws.materials.push_back({laws.names[k % n] + (k < n ? "" : " (rigid)"), materials[k % n].number("density")});
  }
  laws.pairs = world::PairLaws(2 * n);
  if (contacts.empty()) return laws;
  for (std::uint32_t a = 0; a < n; ++a) {
    for (std::uint32_t b = 0; b < 2 * n; ++b) {
      const Node* c = contact_of(contacts, laws.names[a], laws.names[b % n]);
      if (c == nullptr) {
        if (a <= b && b < n) {
          problems.add(scene,
                       fmt::format("no [[contact]] for \"{}\" and \"{}\": name the pair in one with 'between', or "
                                   "have one without 'between' for all others",
                                   laws.names[a], laws.names[b]));
        }
        continue;
      }
      PairLaw law;
      Problems mine;
      const Side sa{&materials[a], false}, sb{&materials[b % n], b >= n};
      if (hard) {
        set_hard(law, *c);
      } else {
        set_normal(law, *c, sa, sb, mine);
        set_tangential(law, *c, sa, sb, mine);
      }
      const bool own = hard || law.normal == NormalLaw::kLinear || law.normal == NormalLaw::kWaltonBraun;
      const auto stiffness = [&] { return own ? law.K : linear_stiffness(*c, sa, sb, mine); };
      set_extras(law, *c, {static_cast<int>(scene.integer("dimension")), scene.number("thickness"), stiffness}, mine);
      if (b < n && a <= b) problems.take(mine);
      laws.pairs.set(a, b, law);
      // Two rigid walls never meet; the entry only keeps the table free of laws that nobody asked for.
      if (b >= n) laws.pairs.set(a + static_cast<std::uint32_t>(n), b, law);
    }
  }
  return laws;
}

}  // namespace moraine::scene
