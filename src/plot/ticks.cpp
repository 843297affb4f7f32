// SPDX-License-Identifier: MIT
#include "plot/ticks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <utility>

namespace moraine::plot {

namespace {

constexpr double kLargest = 1e300, kSmallest = 1e-280;  // beyond these, differences and powers of ten overflow

std::string raised(int exponent) {
  static constexpr std::array<const char*, 10> kDigits = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  std::string out = exponent < 0 ? "⁻" : "";
  for (const char c : std::to_string(std::abs(exponent))) out += kDigits[static_cast<std::size_t>(c - '0')];
  return out;
}

std::string with_minus(std::string text) {
  if (text.starts_with('-')) text = "−" + text.substr(1);
  return text;
}

// The unit times ten to a multiple of three: with a prefix where readers know it, otherwise with the power.
std::string scaled_unit(const std::string& unit, int exponent) {
  if (exponent == 0) return pretty_unit(unit);
  static constexpr std::array<std::string_view, 7> kTakesPrefix = {"s", "m", "N", "J", "Pa", "W", "Hz"};
  static constexpr std::array<const char*, 9> kPrefix = {"p", "n", "µ", "m", "", "k", "M", "G", "T"};
  const std::string_view first = std::string_view(unit).substr(0, unit.find('/'));
  const bool known = std::find(kTakesPrefix.begin(), kTakesPrefix.end(), first) != kTakesPrefix.end();
  const bool usual = exponent < 0 || (first != "s" && first != "m");  // nobody counts in kiloseconds
  if (known && usual && exponent >= -12 && exponent <= 12) {
    const int number = exponent / 3 + 4;
    return kPrefix[static_cast<std::size_t>(number)] + pretty_unit(unit);
  }
  return "10" + raised(exponent) + (unit.empty() ? "" : " " + pretty_unit(unit));
}

int decimal_place(double value) { return static_cast<int>(std::floor(std::log10(value) + 1e-9)); }

// The power of ten to take out so that labels stay short: none for the sizes we read at a glance.
int label_exponent(double largest, double step, double most) {
  const bool few_decimals = step >= (largest < 0.1 ? 0.99e-3 : 0.99e-4);
  if (largest < most && largest >= 0.99e-2 && few_decimals) return 0;
  const int place = decimal_place(largest);
  return (place >= 0 ? place / 3 : -((2 - place) / 3)) * 3;
}

}  // namespace

double nice_step(double range, int most) {
  range = std::clamp(range, kSmallest, kLargest);
  const double raw = range / std::max(most, 1);
  const double power = std::pow(10.0, std::floor(std::log10(raw)));
  for (const double factor : {1.0, 2.0, 5.0}) {
    if (factor * power >= raw * (1 - 1e-9)) return factor * power;
  }
  return 10 * power;
}

double nice_length(double most) {
  if (!(most > kSmallest)) return 0;
  const double power = std::pow(10.0, std::floor(std::log10(most) + 1e-9));
  return power * (most >= 5 * power * (1 - 1e-9) ? 5 : most >= 2 * power * (1 - 1e-9) ? 2 : 1);
}

std::vector<double> ticks_at(double lo, double hi, double step, int most) {
  const double first = std::ceil(lo / step - 1e-9), last = std::floor(hi / step + 1e-9);
  std::vector<double> at;
  for (double k = first; k <= last && at.size() < static_cast<std::size_t>(std::max(most, 2)); k += 1) {
    at.push_back(k == 0 ? 0.0 : k * step);
    if (k + 1 == k) break;  // the numbers are too large to count in ones
  }
  return at;
}

Axis padded_range(double lo, double hi) {
  lo = std::clamp(lo, -kLargest, kLargest);
  hi = std::clamp(hi, -kLargest, kLargest);
  const double size = std::max(std::fabs(lo), std::fabs(hi));
  Axis axis;
  if (size < kSmallest) {
    axis.lo = -1;
    axis.hi = 1;
    return axis;
  }
  if (hi - lo < 1e-9 * size) {  // as good as constant: show it in the middle of a range of its own size
    axis.lo = lo - 0.1 * size;
    axis.hi = hi + 0.1 * size;
    return axis;
  }
  const double room = 0.05 * (hi - lo);
  const bool zero_below = lo >= 0 && lo < 0.4 * hi, zero_above = hi <= 0 && hi > 0.4 * lo;
  axis.lo = zero_below ? 0 : lo - room;
  axis.hi = zero_above ? 0 : hi + room;
  return axis;
}

Axis with_ticks(Axis range, int most, const std::string& name, const std::string& unit, double step) {
  const bool free = !(step > 0);
  // n steps make n + 1 ticks, so one step less than ticks.
  if (free) step = nice_step(range.hi - range.lo, std::max(most - 1, 1));
  range.at = ticks_at(range.lo, range.hi, step, most);
  // One tick tells no scale: rather one more than there is room for.
  while (free && range.at.size() < 2) {
    const double finer = nice_step(0.4 * step, 1);
    std::vector<double> at = ticks_at(range.lo, range.hi, finer, most + 2);
    if (static_cast<int>(at.size()) > most + 1) break;
    step = finer;
    range.at = std::move(at);
  }
  double largest = std::max(std::fabs(range.lo), std::fabs(range.hi)), offset = 0;
  if (step < 1e-5 * largest) {  // six digits and more that hardly change: tell them once
    const double coarse = std::pow(10.0, decimal_place(range.hi - range.lo) + 1);
    offset = std::round(range.lo / coarse) * coarse;
    largest = std::max(std::fabs(range.lo - offset), std::fabs(range.hi - offset));
  }
  const int exponent = label_exponent(largest, step, unit.empty() ? 1e6 : 1e4);
  const double scale = std::pow(10.0, exponent);
  const int decimals = std::clamp(-decimal_place(step / scale), 0, 9);
  for (const double t : range.at) {
    double shown = (t - offset) / scale;
    if (std::fabs(shown) < 1e-6 * step / scale) shown = 0;  // no "−0"
    range.labels.push_back(with_minus(fmt::format("{:.{}f}", shown, decimals)));
  }
  range.title = name;
  if (offset != 0) {
    range.title += fmt::format(" {} {}{}{}", offset < 0 ? "+" : "−", number_text(std::fabs(offset), 12),
                               unit.empty() ? "" : " ", pretty_unit(unit));
  }
  const std::string shown_unit = scaled_unit(unit, exponent);
  if (!shown_unit.empty()) range.title += (range.title.empty() ? "[" : " [") + shown_unit + "]";
  return range;
}

std::string number_text(double value, int digits) {
  if (value == 0) return "0";
  const double size = std::fabs(value);
  if (size >= 1e-3 && size < 1e6)
    return with_minus(fmt::format("{:.{}g}", value, std::max(digits, decimal_place(size) + 1)));
  const std::string text = fmt::format("{:.{}e}", value, std::max(digits - 1, 0));
  const std::size_t e = text.find('e');
  std::string mantissa = text.substr(0, e);
  if (mantissa.find('.') != std::string::npos) {
    mantissa.erase(mantissa.find_last_not_of('0') + 1);
    if (mantissa.back() == '.') mantissa.pop_back();
  }
  return with_minus(mantissa) + "×10" + raised(std::stoi(text.substr(e + 1)));
}

namespace {

// The power of ten to take out of a quantity in running text, where a unit with that prefix exists.
int text_exponent(double size, const std::string& unit) {
  if (size < kSmallest || (size >= 0.1 && size < 1e4)) return 0;
  const int place = decimal_place(size), exponent = (place >= 0 ? place / 3 : -((2 - place) / 3)) * 3;
  return unit.empty() || scaled_unit(unit, exponent).starts_with("10") ? 0 : exponent;
}

std::string spaced(const std::string& unit) { return unit.empty() ? "" : " " + unit; }

}  // namespace

std::string quantity_text(double value, const std::string& unit, int digits) {
  const int exponent = text_exponent(std::fabs(value), unit);
  return number_text(value / std::pow(10.0, exponent), digits) + spaced(scaled_unit(unit, exponent));
}

std::string span_text(double from, double to, const std::string& unit, int digits) {
  const int exponent = text_exponent(std::max(std::fabs(from), std::fabs(to)), unit);
  const double scale = std::pow(10.0, exponent);
  return number_text(from / scale, digits) + " to " + number_text(to / scale, digits) +
         spaced(scaled_unit(unit, exponent));
}

std::string pretty_unit(const std::string& unit) {
  static constexpr std::array<std::pair<std::string_view, std::string_view>, 5> kPowers = {
      {{"^-2", "⁻²"}, {"^-1", "⁻¹"}, {"^2", "²"}, {"^3", "³"}, {"^4", "⁴"}}};
  std::string out = unit;
  for (const auto& [from, to] : kPowers) {
    for (std::size_t at = out.find(from); at != std::string::npos; at = out.find(from, at)) {
      out.replace(at, from.size(), to);
    }
  }
  return out;
}

std::string pretty_name(std::string name) {
  std::replace(name.begin(), name.end(), '_', ' ');
  return name;
}

}  // namespace moraine::plot
