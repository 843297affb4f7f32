// SPDX-License-Identifier: MIT
// The colours of the figures: a map for quantities that is even to the eye and safe for the colour-blind, and sets of
// well-told-apart colours for kinds. Knows nothing of what is drawn.
#pragma once

#include <cstddef>

namespace moraine::plot {

struct Colour {
  double r = 0, g = 0, b = 0, a = 1;

  bool operator==(const Colour&) const = default;
};

inline constexpr Colour kInk{0.13, 0.13, 0.15};
inline constexpr Colour kSoftInk{0.38, 0.38, 0.41};
inline constexpr Colour kPaper{1, 1, 1};
inline constexpr Colour kGridLine{0.88, 0.88, 0.89};
inline constexpr Colour kHeld{0.62, 0.62, 0.63};  // bodies that do not move by themselves
inline constexpr Colour kWall{0.20, 0.22, 0.25};
inline constexpr Colour kFaintBody{0.935, 0.94, 0.945};
inline constexpr Colour kFaintEdge{0.74, 0.75, 0.77};
inline constexpr Colour kPush{0.58, 0.09, 0.10};
inline constexpr Colour kPull{0.05, 0.36, 0.66};
inline constexpr Colour kArrowInk{0.07, 0.22, 0.47};

// `share` of b in a, 0 to 1; the opacity is a's.
Colour mixed(const Colour& a, const Colour& b, double share);
Colour with_opacity(Colour colour, double opacity);
// How bright it looks, 0 black to 1 white.
double lightness(const Colour& colour);

// The viridis map: 0 is dark violet, 1 is yellow; outside it stays at the ends.
Colour viridis(double value);

// Okabe and Ito's set, for fills of bodies by kind. Numbers past its end come again, paler.
Colour kind_colour(std::size_t number);

// For lines on white paper: the same set without the yellow, which white swallows. Eight, then again.
inline constexpr std::size_t kLineColours = 8;
Colour line_colour(std::size_t number);

}  // namespace moraine::plot
