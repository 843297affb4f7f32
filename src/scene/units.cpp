// SPDX-License-Identifier: MIT
#include "scene/units.hpp"

#include <fmt/format.h>

#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <numbers>
#include <optional>

#include "scene/values.hpp"

namespace moraine::scene {
namespace {

// A unit is num / den * 10^exp10 in SI. Powers of ten stay apart, so that they can join the number's own exponent
// before it is rounded; num and den are exact except where pi comes in.
struct Unit {
  double num = 1.0;
  double den = 1.0;
  int exp10 = 0;
  Dimension dimension;
};

struct NamedUnit {
  std::string_view symbol;
  Unit unit;
  bool takes_prefix;
};

constexpr double kPi = std::numbers::pi;

constexpr std::array<NamedUnit, 31> kUnits{{
    {"m", {1, 1, 0, kLength}, true},
    {"g", {1, 1, -3, kMass}, true},
    {"s", {1, 1, 0, kTime}, true},
    {"rad", {1, 1, 0, kAngle}, true},
    {"N", {1, 1, 0, kForce}, true},
    {"J", {1, 1, 0, kEnergy}, true},
    {"W", {1, 1, 0, kPower}, true},
    {"Pa", {1, 1, 0, kPressure}, true},
    {"Hz", {1, 1, 0, kFrequency}, true},
    {"bar", {1, 1, 5, kPressure}, true},
    {"atm", {101325, 1, 0, kPressure}, false},
    {"t", {1, 1, 3, kMass}, true},
    {"l", {1, 1, -3, kVolume}, true},
    {"L", {1, 1, -3, kVolume}, true},
    {"min", {60, 1, 0, kTime}, false},
    {"h", {3600, 1, 0, kTime}, false},
    {"day", {86400, 1, 0, kTime}, false},
    {"deg", {kPi / 180, 1, 0, kAngle}, false},
    {"\u00b0", {kPi / 180, 1, 0, kAngle}, false},
    {"turn", {2 * kPi, 1, 0, kAngle}, false},
    {"rev", {2 * kPi, 1, 0, kAngle}, false},
    {"rpm", {kPi / 30, 1, 0, kSpin}, false},
    {"%", {1, 1, -2, kNone}, false},
    {"in", {254, 1, -4, kLength}, false},
    {"ft", {3048, 1, -4, kLength}, false},
    {"yd", {9144, 1, -4, kLength}, false},
    {"mi", {1609344, 1, -3, kLength}, false},
    {"lb", {45359237, 1, -8, kMass}, false},
    {"oz", {28349523125, 1, -12, kMass}, false},
    {"kn", {1852, 3600, 0, kSpeed}, false},
    {"1", {1, 1, 0, kNone}, false},
}};

struct Prefix {
  std::string_view symbol;
  int exp10;
};

constexpr std::array<Prefix, 17> kPrefixes{{{"da", 1},
                                            {"h", 2},
                                            {"k", 3},
                                            {"M", 6},
                                            {"G", 9},
                                            {"T", 12},
                                            {"P", 15},
                                            {"d", -1},
                                            {"c", -2},
                                            {"m", -3},
                                            {"u", -6},
                                            {"\u00b5", -6},  // micro sign
                                            {"\u03bc", -6},  // Greek mu
                                            {"n", -9},
                                            {"p", -12},
                                            {"f", -15},
                                            {"a", -18}}};

// Words people write for a symbol; only ever suggested, so that a scene has one spelling of each unit.
constexpr std::array<std::array<std::string_view, 2>, 20> kWords{
    {{"meter", "m"},    {"metre", "m"},     {"meters", "m"},   {"metres", "m"},    {"gram", "g"},
     {"grams", "g"},    {"kilogram", "kg"}, {"second", "s"},   {"seconds", "s"},   {"sec", "s"},
     {"radian", "rad"}, {"radians", "rad"}, {"degree", "deg"}, {"degrees", "deg"}, {"newton", "N"},
     {"pascal", "Pa"},  {"hour", "h"},      {"hours", "h"},    {"minute", "min"},  {"inch", "in"}}};

std::optional<Unit> find_unit(std::string_view name) {
  // Whole symbols go first, so that "min" is a minute and not a milli-inch.
  for (const NamedUnit& u : kUnits)
    if (u.symbol == name) return u.unit;
  for (const Prefix& p : kPrefixes) {
    if (!name.starts_with(p.symbol)) continue;
    for (const NamedUnit& u : kUnits) {
      if (!u.takes_prefix || u.symbol != name.substr(p.symbol.size())) continue;
      Unit unit = u.unit;
      unit.exp10 += p.exp10;
      return unit;
    }
  }
  return {};
}

std::string suggest_unit(std::string_view name) {
  std::vector<std::string> candidates;
  candidates.reserve(100);
  for (const auto& word : kWords) candidates.emplace_back(word[0]);
  for (const NamedUnit& u : kUnits)
    if (u.symbol != "1") candidates.emplace_back(u.symbol);
  for (const char* common : {"cm", "mm", "um", "nm", "km", "kg", "mg", "ms", "us", "kN", "MN", "kPa", "MPa", "GPa",
                             "kHz", "kJ", "mJ", "mbar"})
    candidates.emplace_back(common);
  std::optional<std::string> near = nearest(name, candidates);
  if (!near) return "";
  for (const auto& word : kWords)
    if (word[0] == *near) near = word[1];
  return fmt::format("; did you mean '{}'?", *near);
}

// Recursive descent over: product = factor {("*" | "." | " " | "/") factor}, factor = (name | "(" product ")") [power].
class UnitParser {
 public:
  explicit UnitParser(std::string_view text) : text_(text) {}

  // The first operator may be a quotient with nothing before it: the "/s" of "1/s".
  std::optional<Unit> parse() {
    std::optional<Unit> unit = product();
    skip_space();
    if (unit && at_ < text_.size()) return fail(fmt::format("has '{}' where a unit should be", text_.substr(at_)));
    return unit;
  }
  const std::string& error() const { return error_; }

 private:
  std::optional<Unit> product() {
    Unit total;
    bool divided = false;
    skip_space();
    for (bool first = true;; first = false) {
      const bool spaced = skip_space();
      if (at_ == text_.size() || text_[at_] == ')') {
        if (first) return fail("lacks a unit");
        return total;
      }
      const char c = text_[at_];
      const bool quotient = c == '/';
      const bool times = c == '*' || c == '.';
      if (quotient || times) ++at_;
      if (!first && !quotient && !times && !spaced) return fail(fmt::format("has '{}' after a unit", rest()));
      // "kg/m s" is kg/(m s) to some and (kg/m) s to others.
      if (divided && !quotient && c != '*') return fail("is ambiguous after the '/': use brackets, as in kg/(m*s)");
      divided = divided || quotient;
      std::optional<Unit> next = factor();
      if (!next) return {};
      total = combine(total, *next, quotient ? -1 : 1);
    }
  }

  std::optional<Unit> factor() {
    skip_space();
    std::optional<Unit> unit;
    if (at_ < text_.size() && text_[at_] == '(') {
      if (++depth_ > 20) return fail("has too many brackets");
      ++at_;
      unit = product();
      if (!unit) return {};
      if (at_ == text_.size()) return fail("lacks a closing bracket");
      ++at_;
      --depth_;
    } else {
      const std::string_view name = take_name();
      if (name.empty())
        return fail(at_ < text_.size() ? fmt::format("has '{}' where a unit should be", rest())
                                       : std::string("ends where a unit should be"));
      unit = find_unit(name);
      if (!unit) return fail(fmt::format("has the unknown unit '{}'{}", name, suggest_unit(name)));
    }
    const std::optional<int> exponent = take_power();
    if (!exponent) return {};
    return combine(Unit{}, *unit, *exponent);
  }

  // The exponent that follows, 1 if there is none.
  std::optional<int> take_power() {
    for (const auto& [sign, value] : {std::pair{"\u00b2", 2}, std::pair{"\u00b3", 3}}) {
      if (!text_.substr(at_).starts_with(sign)) continue;
      at_ += std::string_view(sign).size();
      return value;
    }
    if (text_.substr(at_).starts_with("**")) {
      at_ += 2;
    } else if (text_.substr(at_).starts_with("^")) {
      at_ += 1;
    } else {
      return 1;
    }
    int value = 0;
    const auto [end, bad] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), value);
    if (bad != std::errc{} || value < -9 || value > 9) {
      fail("has a power that is not a whole number from -9 to 9");
      return {};
    }
    at_ = static_cast<std::size_t>(end - text_.data());
    return value;
  }

  static Unit combine(Unit a, Unit b, int exponent) {
    for (int i = 0; i < std::abs(exponent); ++i) {
      a.num *= exponent > 0 ? b.num : b.den;
      a.den *= exponent > 0 ? b.den : b.num;
    }
    a.exp10 += b.exp10 * exponent;
    a.dimension = a.dimension * power(b.dimension, exponent);
    return a;
  }

  static bool is_letter(char c) {
    return std::isalpha(static_cast<unsigned char>(c)) || static_cast<unsigned char>(c) >= 0x80;
  }

  std::string_view take_name() {
    std::size_t end = at_;
    if (end < text_.size() && (text_[end] == '1' || text_[end] == '%')) {
      ++end;
    } else {
      // Letters, and the bytes of non-ASCII ones but for the two superscripts.
      while (end < text_.size() && is_letter(text_[end]) && !text_.substr(end).starts_with("\u00b2") &&
             !text_.substr(end).starts_with("\u00b3"))
        ++end;
    }
    const std::string_view name = text_.substr(at_, end - at_);
    at_ = end;
    return name;
  }

  bool skip_space() {
    const std::size_t before = at_;
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t')) ++at_;
    return at_ > before;
  }

  std::nullopt_t fail(std::string why) {
    if (error_.empty()) error_ = std::move(why);
    return std::nullopt;
  }
  std::string_view rest() const { return text_.substr(at_); }

  std::string_view text_;
  std::size_t at_ = 0;
  int depth_ = 0;
  std::string error_;
};

// Splits "-2.5e3 kg" behind its number, without reading the number yet.
std::size_t number_end(std::string_view text) {
  const auto digits = [&](std::size_t at) {
    while (at < text.size() && text[at] >= '0' && text[at] <= '9') ++at;
    return at;
  };
  std::size_t at = text.starts_with('-') || text.starts_with('+') ? 1 : 0;
  const std::size_t whole = digits(at);
  std::size_t end = whole;
  std::size_t figures = whole - at;
  if (end < text.size() && text[end] == '.') {
    const std::size_t after = digits(end + 1);
    figures += after - end - 1;
    end = after;
  }
  if (figures == 0) return 0;
  if (end < text.size() && (text[end] == 'e' || text[end] == 'E')) {
    at = end + 1;
    if (at < text.size() && (text[at] == '-' || text[at] == '+')) ++at;
    if (digits(at) > at) end = digits(at);
  }
  return end;
}

// The number with its decimal exponent moved, rounded once. Nothing if it is too large (or its exponent absurd).
std::optional<double> scaled_number(std::string_view number, int exp10) {
  if (number.starts_with('+')) number.remove_prefix(1);
  const std::size_t e = number.find_first_of("eE");
  std::string_view exponent_text = e == std::string_view::npos ? "0" : number.substr(e + 1);
  if (exponent_text.starts_with('+')) exponent_text.remove_prefix(1);
  int exponent = 0;
  const auto [unused, bad] =
      std::from_chars(exponent_text.data(), exponent_text.data() + exponent_text.size(), exponent);
  if (bad != std::errc{} || std::abs(exponent) > 100000) return {};
  const std::string moved = fmt::format("{}e{}", number.substr(0, e), exponent + exp10);
  double value = 0.0;
  const auto [end, failed] = std::from_chars(moved.data(), moved.data() + moved.size(), value);
  if (failed != std::errc{} || end != moved.data() + moved.size()) return {};
  return value;
}

// Where there is a factor besides the power of ten, the power joins it while it is an exact double (up to 10^22): an
// inch is then 254 / 10000, and "2 in" is 508 / 10000 with one rounding.
Unit gather_factors(Unit unit) {
  if (unit.num == 1.0 && unit.den == 1.0) return unit;
  if (std::abs(unit.exp10) > 22) return unit;
  for (; unit.exp10 > 0; --unit.exp10) unit.num *= 10.0;
  for (; unit.exp10 < 0; ++unit.exp10) unit.den *= 10.0;
  return unit;
}

struct NamedDimension {
  Dimension dimension;
  std::string_view name, unit;
};

constexpr std::array<NamedDimension, 29> kDimensions{{
    {kNone, "a plain number", ""},
    {kLength, "a length", "m"},
    {kMass, "a mass", "kg"},
    {kTime, "a time", "s"},
    {kAngle, "an angle", "rad"},
    {kArea, "an area", "m^2"},
    {kVolume, "a volume", "m^3"},
    {kSpeed, "a speed", "m/s"},
    {kAcceleration, "an acceleration", "m/s^2"},
    {kSpin, "a spin", "rad/s"},
    {kSpinAcceleration, "an angular acceleration", "rad/s^2"},
    {kFrequency, "a frequency", "1/s"},
    {kForce, "a force", "N"},
    {kImpulse, "an impulse", "N*s"},
    {kEnergy, "an energy or a torque", "J"},
    {kPower, "a power", "W"},
    {kPressure, "a pressure", "Pa"},
    {kPressureGradient, "a pressure gradient", "Pa/m"},
    {kStiffness, "a stiffness", "N/m"},
    {kRotationalStiffness, "a rotational stiffness", "N*m/rad"},
    {kDamping, "a damping", "kg/s"},
    {kDensity, "a density", "kg/m^3"},
    {kArealDensity, "a mass per area", "kg/m^2"},
    {kInertia, "a moment of inertia", "kg*m^2"},
    {kViscosity, "a viscosity", "Pa*s"},
    {kKinematicViscosity, "a kinematic viscosity", "m^2/s"},
    {kFlowRate, "a flow rate", "m^3/s"},
    {kPerLength, "a number per length", "1/m"},
    {kPerArea, "a number per area", "1/m^2"},
}};

}  // namespace

std::string unit_text(Dimension dimension) {
  for (const NamedDimension& d : kDimensions)
    if (d.dimension == dimension) return std::string(d.unit);
  std::string above, below;
  int count_below = 0;
  const auto put = [&](const char* unit, int n) {
    if (n == 0) return;
    std::string& out = n > 0 ? above : below;
    count_below += n < 0;
    out += (out.empty() ? "" : "*") + std::string(unit) + (std::abs(n) == 1 ? "" : fmt::format("^{}", std::abs(n)));
  };
  put("kg", dimension.kg);
  put("m", dimension.m);
  put("rad", dimension.rad);
  put("s", dimension.s);
  if (above.empty()) above = "1";
  if (count_below > 1) below = "(" + below + ")";
  return below.empty() ? above : above + "/" + below;
}

std::string dimension_text(Dimension dimension) {
  for (const NamedDimension& d : kDimensions) {
    if (d.dimension != dimension) continue;
    return d.unit.empty() ? std::string(d.name) : fmt::format("{} ({})", d.name, d.unit);
  }
  return "a quantity in " + unit_text(dimension);
}

Quantity parse_quantity(std::string_view text, Dimension needed) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  const std::string wanted = dimension_text(needed);
  if (text.empty()) return {0.0, fmt::format("is empty, but {} is needed", wanted)};
  const std::size_t split = number_end(text);
  if (split == 0) {
    const std::string_view bare = text.substr(text.front() == '-' || text.front() == '+' ? 1 : 0);
    if (bare.starts_with("inf") || bare.starts_with("nan") || bare.starts_with("NaN") || bare.starts_with("Inf"))
      return {0.0, fmt::format("is not a finite number; {} is needed", wanted)};
    return {0.0, fmt::format("does not begin with a number; {} is needed", wanted)};
  }
  const std::string_view number = text.substr(0, split);
  const std::string_view unit_part = text.substr(split);
  if (unit_part.starts_with(',')) return {0.0, "has a decimal comma; use a point"};
  if (unit_part.empty()) {
    const std::string unit = unit_text(needed);
    if (unit.empty()) return {0.0, "is a text; write the number without quotes"};
    return {0.0, fmt::format("has no unit; write {} without quotes for SI, or \"{} {}\"", number, number, unit)};
  }
  UnitParser parser(unit_part);
  const std::optional<Unit> unit = parser.parse();
  if (!unit) return {0.0, parser.error() + fmt::format("; {} is needed", wanted)};
  if (unit->dimension != needed)
    return {0.0, fmt::format("is {}, but {} is needed", dimension_text(unit->dimension), wanted)};
  const Unit factor = gather_factors(*unit);
  const std::optional<double> scaled = scaled_number(number, factor.exp10);
  if (!scaled) return {0.0, "is too large or too small for a number"};
  const double value = *scaled * factor.num / factor.den;
  if (!std::isfinite(value)) return {0.0, "is too large for a number"};
  return {value, {}};
}

std::vector<std::string> unit_symbols() {
  std::vector<std::string> out;
  for (const NamedUnit& u : kUnits)
    if (u.symbol != "1") out.emplace_back(u.symbol);
  return out;
}

}  // namespace moraine::scene
