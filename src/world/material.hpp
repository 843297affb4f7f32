// SPDX-License-Identifier: MIT
// What bodies are made of, and the ready-to-use numbers of the contact law of each pair of materials. The laws
// themselves live in soft/laws; this is only their data.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace moraine::world {

struct Material {
  std::string name;
  double density = 0;
};

enum class NormalLaw : std::uint8_t { kLinear, kHertz, kHuntCrossley, kWaltonBraun };
enum class TangentialLaw : std::uint8_t { kNone, kCundallStrack, kViscous, kMindlin };

// What resists the turning of two bodies against each other.
enum class RollingLaw : std::uint8_t { kNone, kConstant, kSpring };
struct Rolling {
  RollingLaw law = RollingLaw::kNone;
  double friction = 0;   // mu_r: limiting moment mu_r R_eff F_n
  double twisting = 0;   // the same about the normal (3D)
  double stiffness = 0;  // N/m: k_r = stiffness R_eff^2
  double damping = 0;    // as a part of the critical

  bool operator==(const Rolling&) const = default;
};

// A strength as a force, or as a stress over the section of the smaller body.
struct Strength {
  double force = 0;   // N
  double stress = 0;  // N per section; `section` is r^(D-1), its factor is in here

  double of(double section) const { return force + stress * section; }
  bool any() const { return force > 0 || stress > 0; }
  bool operator==(const Strength&) const = default;
};

// What a closed contact can be pulled with. It may grow with the time that it has been closed.
struct Cohesion {
  bool on = false;
  bool linear_growth = false;  // otherwise exponential
  Strength at_once, growth;
  double time = 0;       // of growth
  double stiffness = 0;  // N/m, of the stretched spring

  // S_0 + G (1 - exp(-age / T)), or S_0 + G min(1, age / T).
  double strength(double section, double age) const;
  bool operator==(const Cohesion&) const = default;
};

// A joint of two bodies that pulls, pushes, shears and bends, and breaks.
struct Bond {
  bool on = false;
  bool on_touch = false;  // made whenever two bodies touch, not only at the start
  Strength tension, shear;
  double moment = 0;  // N m; 0: does not bend
  double gap = 0;     // made at the start up to this gap, in smaller radii
  double stiffness = 0, shear_stiffness = 0;
  double bending = 0;  // N/m: k_b = bending R_eff^2
  double damping = 0;  // as a part of the critical

  bool operator==(const Bond&) const = default;
};

// Everything a contact of two materials needs, worked out once. Letters as in docs/notation.md.
struct PairLaw {
  NormalLaw normal = NormalLaw::kLinear;
  TangentialLaw tangential = TangentialLaw::kCundallStrack;
  bool no_tension = true;
  double limit_by_total =
      0;  // friction limit: 0 from the spring part of the normal force (Cundall), 1 from all of it (Walton)

  double K = 0;          // linear, Walton-Braun (loading): N/m; Hertz: 4/3 E*; Hunt-Crossley: N/m^p
  double exponent = 1;   // Hunt-Crossley: p
  double damping = 0;    // linear: 2 zeta sqrt(K); Hertz: alpha; Hunt-Crossley: chi
  double rate = 0;       // linear: dashpot C = m_eff * rate instead of damping * sqrt(m_eff), where given
  double unloading = 1;  // Walton-Braun: k2 / k1

  double restitution = 0;    // hard contacts: e
  double mu = 0;             // friction coefficient
  double Kt = 0;             // Cundall-Strack: N/m; Mindlin: 8 G*; viscous: N s/m
  double shear_damping = 0;  // Cundall-Strack: 2 zeta_s sqrt(K); Mindlin: factor on sqrt(m_eff kt)
  double shear_rate = 0;     // Cundall-Strack: C_s = m_eff * shear_rate, where given

  Rolling rolling;
  Cohesion cohesion;
  Bond bond;
  bool has_extras() const { return rolling.law != RollingLaw::kNone || cohesion.on || bond.on; }

  bool operator==(const PairLaw&) const = default;
};

// The law of each ordered pair of materials (the table is symmetric).
class PairLaws {
 public:
  PairLaws() = default;
  explicit PairLaws(std::size_t materials) : n_(materials), laws_(materials * materials) {}
  const PairLaw& operator()(std::uint32_t a, std::uint32_t b) const { return laws_[a * n_ + b]; }
  void set(std::uint32_t a, std::uint32_t b, const PairLaw& law) { laws_[a * n_ + b] = laws_[b * n_ + a] = law; }
  void set_friction(double mu) {
    for (PairLaw& law : laws_) law.mu = mu;
  }
  // zeta_s of at most so much, of dashpots that are given by it.
  void limit_shear_damping(double zeta) {
    for (PairLaw& law : laws_) {
      if (law.tangential == TangentialLaw::kCundallStrack)
        law.shear_damping = std::min(law.shear_damping, 2 * zeta * std::sqrt(law.K));
    }
  }
  const std::vector<PairLaw>& all() const { return laws_; }
  std::size_t materials() const { return n_; }
  // The same without rolling resistance, cohesion and bonds.
  PairLaws without_extras() const {
    PairLaws plain = *this;
    for (PairLaw& law : plain.laws_) {
      law.rolling = {};
      law.cohesion = {};
      law.bond = {};
    }
    return plain;
  }

 private:
  std::size_t n_ = 0;
  std::vector<PairLaw> laws_;
};

}  // namespace moraine::world
