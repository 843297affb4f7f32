// SPDX-License-Identifier: MIT
// What bodies are made of, and the ready-to-use numbers of the contact law of each pair of materials. The laws
// themselves live in soft/laws; this is only their data.
#pragma once

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

  double mu = 0;             // friction coefficient
  double Kt = 0;             // Cundall-Strack: N/m; Mindlin: 8 G*; viscous: N s/m
  double shear_damping = 0;  // Cundall-Strack: 2 zeta_s sqrt(K); Mindlin: factor on sqrt(m_eff kt)
  double shear_rate = 0;     // Cundall-Strack: C_s = m_eff * shear_rate, where given

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
  const std::vector<PairLaw>& all() const { return laws_; }
  std::size_t materials() const { return n_; }

 private:
  std::size_t n_ = 0;
  std::vector<PairLaw> laws_;
};

}  // namespace moraine::world
