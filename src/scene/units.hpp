// SPDX-License-Identifier: MIT
// Quantities with units: "5 cm", "30 deg", "2500 kg/m^3" become SI numbers, and the dimension is checked on the way.
// A plane angle is a dimension of its own here, so that degrees can never pass for a length or a bare number.
// This room knows nothing of files, keys or bodies.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace moraine::scene {

// Exponents of metre, kilogram, second and radian.
struct Dimension {
  int m = 0;
  int kg = 0;
  int s = 0;
  int rad = 0;

  friend constexpr bool operator==(const Dimension&, const Dimension&) = default;
};

constexpr Dimension operator*(Dimension a, Dimension b) { return {a.m + b.m, a.kg + b.kg, a.s + b.s, a.rad + b.rad}; }
constexpr Dimension operator/(Dimension a, Dimension b) { return {a.m - b.m, a.kg - b.kg, a.s - b.s, a.rad - b.rad}; }
constexpr Dimension power(Dimension a, int n) { return {a.m * n, a.kg * n, a.s * n, a.rad * n}; }

inline constexpr Dimension kNone{};
inline constexpr Dimension kLength{1, 0, 0, 0};
inline constexpr Dimension kMass{0, 1, 0, 0};
inline constexpr Dimension kTime{0, 0, 1, 0};
inline constexpr Dimension kAngle{0, 0, 0, 1};
inline constexpr Dimension kArea = kLength * kLength;
inline constexpr Dimension kVolume = kArea * kLength;
inline constexpr Dimension kSpeed = kLength / kTime;
inline constexpr Dimension kAcceleration = kSpeed / kTime;
inline constexpr Dimension kSpin = kAngle / kTime;
inline constexpr Dimension kSpinAcceleration = kSpin / kTime;
inline constexpr Dimension kFrequency = kNone / kTime;
inline constexpr Dimension kForce = kMass * kAcceleration;
inline constexpr Dimension kImpulse = kForce * kTime;
inline constexpr Dimension kEnergy = kForce * kLength;
inline constexpr Dimension kTorque = kEnergy;
inline constexpr Dimension kPower = kEnergy / kTime;
inline constexpr Dimension kPressure = kForce / kArea;
inline constexpr Dimension kPressureGradient = kPressure / kLength;
inline constexpr Dimension kStiffness = kForce / kLength;
inline constexpr Dimension kRotationalStiffness = kTorque / kAngle;
inline constexpr Dimension kDamping = kMass / kTime;
inline constexpr Dimension kMobility = kTime / kMass;  // speed per force
inline constexpr Dimension kDensity = kMass / kVolume;
inline constexpr Dimension kArealDensity = kMass / kArea;
inline constexpr Dimension kInertia = kMass * kArea;
inline constexpr Dimension kViscosity = kPressure * kTime;
inline constexpr Dimension kKinematicViscosity = kArea / kTime;
inline constexpr Dimension kFlowRate = kVolume / kTime;
inline constexpr Dimension kPerLength = kNone / kLength;
inline constexpr Dimension kPerArea = kNone / kArea;

// The SI unit as we print it: "m", "N/m", "kg/m^3", "rad/s"; empty for a plain number.
std::string unit_text(Dimension dimension);

// The same in words, with its article: "a length (m)", "a plain number", "a quantity in kg^2/s".
std::string dimension_text(Dimension dimension);

struct Quantity {
  double value = 0.0;  // SI, meaningful if there is no error
  std::string error;   // what is wrong with the text, as a sentence that follows it; empty if all is well

  bool ok() const { return error.empty(); }
};

// Reads a number with its unit. "5 cm" gives exactly the double that the literal 0.05 gives: decimal prefixes move the
// decimal exponent before the number is rounded, and any other factor is multiplied in once.
Quantity parse_quantity(std::string_view text, Dimension needed);

// Every symbol parse_quantity knows without its prefix, for the reference page.
std::vector<std::string> unit_symbols();

}  // namespace moraine::scene
