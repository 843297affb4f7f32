// SPDX-License-Identifier: MIT
// Quantities: the exact doubles they give, and what is said about bad ones.
#include "scene/units.hpp"

#include <gtest/gtest.h>

#include <cctype>
#include <numbers>

namespace moraine::scene {
namespace {

// A name for a case: its number, and the letters of its text.
std::string case_name(std::size_t index, const std::string& text) {
  std::string out = std::to_string(index) + "_";
  for (const char c : text) out += std::isalnum(static_cast<unsigned char>(c)) ? std::string(1, c) : "_";
  return out;
}

struct Good {
  const char* text;
  Dimension unit;
  double value;
};

class SceneUnitsGood : public testing::TestWithParam<Good> {};

// Bit for bit: "5 cm" is the double that 0.05 is.
TEST_P(SceneUnitsGood, GivesTheExactNumber) {
  const Quantity q = parse_quantity(GetParam().text, GetParam().unit);
  EXPECT_EQ(q.error, "") << GetParam().text;
  EXPECT_EQ(q.value, GetParam().value) << GetParam().text;
}

constexpr double kPi = std::numbers::pi;

INSTANTIATE_TEST_SUITE_P(
    All, SceneUnitsGood,
    testing::Values(Good{"5 cm", kLength, 0.05}, Good{"0.3 mm", kLength, 0.0003}, Good{"7us", kTime, 7e-6},
                    Good{"7 \u00b5s", kTime, 7e-6}, Good{"-1.1 km", kLength, -1100.0}, Good{"+2 m", kLength, 2.0},
                    Good{".5 m", kLength, 0.5}, Good{"1.35e9 N/m", kStiffness, 1.35e9},
                    Good{"5 kN/m", kStiffness, 5000.0}, Good{"70 GPa", kPressure, 70e9}, Good{"10 g", kMass, 0.01},
                    Good{"2 t", kMass, 2000.0}, Good{"9.81 m/s^2", kAcceleration, 9.81},
                    Good{"9.81 m/s**2", kAcceleration, 9.81}, Good{"9.81 m s^-2", kAcceleration, 9.81},
                    Good{"9.81 m.s^-2", kAcceleration, 9.81}, Good{"9.81 m/s/s", kAcceleration, 9.81},
                    Good{"9.81 m/s\u00b2", kAcceleration, 9.81}, Good{"2500 kg/m^3", kDensity, 2500.0},
                    Good{"2.5 g/cm^3", kDensity, 2500.0}, Good{"1/s", kFrequency, 1.0}, Good{"5 1/s", kFrequency, 5.0},
                    Good{"50 Hz", kFrequency, 50.0}, Good{"2 kHz", kFrequency, 2000.0},
                    Good{"3 kg/(m*s)", kViscosity, 3.0}, Good{"3 mPa*s", kViscosity, 0.003},
                    Good{"36 km/h", kSpeed, 10.0}, Good{"90 min", kTime, 5400.0}, Good{"1 day", kTime, 86400.0},
                    Good{"2 in", kLength, 0.0508}, Good{"1 lb", kMass, 0.45359237}, Good{"5 %", kNone, 0.05},
                    Good{"5%", kNone, 0.05}, Good{"2 rad/s", kSpin, 2.0}, Good{"30 rpm", kSpin, 30 * (kPi / 30)},
                    Good{"1 rev/s", kSpin, 2 * kPi}, Good{"0.5 turn", kAngle, kPi},
                    Good{"30 deg", kAngle, 30 * (kPi / 180)}, Good{"30\u00b0", kAngle, 30 * (kPi / 180)},
                    Good{"4 N*m/rad", kRotationalStiffness, 4.0}, Good{"0 m", kLength, 0.0}),
    [](const auto& test) { return case_name(test.index, test.param.text); });

struct Bad {
  const char* text;
  Dimension unit;
  const char* says;
};

class SceneUnitsBad : public testing::TestWithParam<Bad> {};

TEST_P(SceneUnitsBad, SaysWhy) {
  const Quantity q = parse_quantity(GetParam().text, GetParam().unit);
  EXPECT_NE(q.error.find(GetParam().says), std::string::npos) << GetParam().text << ": " << q.error;
}

INSTANTIATE_TEST_SUITE_P(
    All, SceneUnitsBad,
    testing::Values(Bad{"5 s", kLength, "is a time (s), but a length (m) is needed"},
                    Bad{"30 deg", kLength, "is an angle (rad), but a length (m) is needed"},
                    Bad{"30 deg", kNone, "is an angle (rad), but a plain number is needed"},
                    Bad{"2 Hz", kSpin, "is a frequency (1/s), but a spin (rad/s) is needed"},
                    Bad{"2 rpm", kFrequency, "is a spin (rad/s), but a frequency (1/s) is needed"},
                    Bad{"5 kg^2", kLength, "is a quantity in kg^2"}, Bad{"5 CM", kLength, "did you mean 'cm'?"},
                    Bad{"5 meters", kLength, "did you mean 'm'?"}, Bad{"5 secnds", kTime, "did you mean 's'?"},
                    Bad{"5 furlong", kLength, "unknown unit 'furlong'"}, Bad{"5", kLength, "has no unit"},
                    Bad{"0.5", kNone, "without quotes"}, Bad{"", kLength, "is empty"},
                    Bad{"cm", kLength, "does not begin with a number"}, Bad{"nan m", kLength, "not a finite number"},
                    Bad{"-inf", kLength, "not a finite number"}, Bad{"1,5 cm", kLength, "decimal comma"},
                    Bad{"1e400 m", kLength, "too large"}, Bad{"1e308 km", kLength, "too large"},
                    Bad{"1e99999999999 m", kLength, "too large"}, Bad{"5 kg/m s", kViscosity, "ambiguous"},
                    Bad{"5 m/", kLength, "ends where a unit should be"}, Bad{"5 m^", kLength, "power"},
                    Bad{"5 m^2.5", kLength, "needed"}, Bad{"5 (m", kLength, "bracket"}, Bad{"5 m)", kLength, "has ')'"},
                    Bad{"5 m 3", kLength, "has '3'"}, Bad{"5 - m", kLength, "has '-"}),
    [](const auto& test) { return case_name(test.index, test.param.text); });

TEST(SceneUnits, NamesUnits) {
  EXPECT_EQ(unit_text(kNone), "");
  EXPECT_EQ(unit_text(kStiffness), "N/m");
  EXPECT_EQ(unit_text(kDensity), "kg/m^3");
  EXPECT_EQ(unit_text({-2, 1, -1, 3}), "kg*rad^3/(m^2*s)");
  EXPECT_EQ(dimension_text(kTime), "a time (s)");
  EXPECT_EQ(dimension_text(kNone), "a plain number");
}

// What we print as a unit must be what we read.
TEST(SceneUnits, ReadsItsOwnUnits) {
  for (int m = -3; m <= 3; ++m)
    for (int kg = -1; kg <= 2; ++kg)
      for (int s = -3; s <= 2; ++s)
        for (int rad = -1; rad <= 1; ++rad) {
          const Dimension d{m, kg, s, rad};
          if (d == kNone) continue;
          const Quantity q = parse_quantity("3 " + unit_text(d), d);
          EXPECT_EQ(q.error, "") << unit_text(d);
          EXPECT_EQ(q.value, 3.0) << unit_text(d);
        }
}

}  // namespace
}  // namespace moraine::scene
