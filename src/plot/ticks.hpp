// SPDX-License-Identifier: MIT
// Numbers for readers: round ticks, short labels with an SI prefix or a power of ten where they help, values in words.
// Never makes NaN. Knows no drawing.
#pragma once

#include <string>
#include <vector>

namespace moraine::plot {

// The smallest of 1, 2, 5 times a power of ten of which at most `most` fit into `range` (> 0).
double nice_step(double range, int most);

// The largest of 1, 2, 5 times a power of ten that is at most `most`; 0 if that is not > 0.
double nice_length(double most);

// The multiples of a step in [lo, hi], at most `most` (>= 2).
std::vector<double> ticks_at(double lo, double hi, double step, int most);

struct Axis {
  double lo = 0, hi = 1;  // lo < hi, both finite
  std::vector<double> at;
  std::vector<std::string> labels;  // one for each tick
  std::string title;                // "overlap [µm]"
};

// A range around the values that leaves room, is never empty, and holds zero when it is near.
Axis padded_range(double lo, double hi);

// Fills ticks (at most `most`, and one more where there would be but one), labels and title. Numbers that would be long
// are told in another unit ("µs"), with a power of ten
// ("10⁻³ rad/s"), or from an offset that the title names. `step` > 0: ticks at its multiples instead.
Axis with_ticks(Axis range, int most, const std::string& name, const std::string& unit, double step = 0);

// "1.25", "−3×10⁻⁵"
std::string number_text(double value, int digits = 3);
// "35.2 µs", "1.5×10⁻⁴ rad/s"
std::string quantity_text(double value, const std::string& unit, int digits = 3);
// "0 to 69.6 µs"
std::string span_text(double from, double to, const std::string& unit, int digits = 3);
// "m^2" -> "m²"
std::string pretty_unit(const std::string& unit);
// "normal_force" -> "normal force"
std::string pretty_name(std::string name);

}  // namespace moraine::plot
