// SPDX-License-Identifier: MIT
#include "plot/colour.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace moraine::plot {

namespace {

constexpr Colour hex(unsigned rgb) {
  return {((rgb >> 16) & 255u) / 255.0, ((rgb >> 8) & 255u) / 255.0, (rgb & 255u) / 255.0, 1.0};
}

// Viridis (S. van der Walt and N. Smith, 2015, CC0) at ten even places; straight lines between them stay within what
// an eye can tell from the full table.
constexpr std::array<Colour, 10> kViridis = {hex(0x440154), hex(0x482878), hex(0x3E4A89), hex(0x31688E), hex(0x26828E),
                                             hex(0x1F9E89), hex(0x35B779), hex(0x6DCD59), hex(0xB4DE2C), hex(0xFDE725)};

// M. Okabe and K. Ito, "Color universal design" (2008).
constexpr std::array<Colour, 7> kKinds = {hex(0x56B4E9), hex(0xE69F00), hex(0x009E73), hex(0xCC79A7),
                                          hex(0x0072B2), hex(0xD55E00), hex(0xF0E442)};
constexpr std::array<Colour, kLineColours> kLines = {hex(0x0072B2), hex(0xD55E00), hex(0x009E73), hex(0xCC79A7),
                                                     hex(0x222222), hex(0xE69F00), hex(0x56B4E9), hex(0x8C6D46)};

}  // namespace

Colour mixed(const Colour& a, const Colour& b, double share) {
  return {a.r + (b.r - a.r) * share, a.g + (b.g - a.g) * share, a.b + (b.b - a.b) * share, a.a};
}

Colour with_opacity(Colour colour, double opacity) {
  colour.a = opacity;
  return colour;
}

double lightness(const Colour& colour) { return 0.299 * colour.r + 0.587 * colour.g + 0.114 * colour.b; }

Colour viridis(double value) {
  if (!(value > 0)) return kViridis.front();
  if (value >= 1) return kViridis.back();
  const double place = value * (kViridis.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  return mixed(kViridis[below], kViridis[below + 1], place - std::floor(place));
}

Colour kind_colour(std::size_t number) {
  const std::size_t round = std::min<std::size_t>(number / kKinds.size(), 3);
  return mixed(kKinds[number % kKinds.size()], kPaper, 0.25 * static_cast<double>(round));
}

Colour line_colour(std::size_t number) { return kLines[number % kLines.size()]; }

}  // namespace moraine::plot
