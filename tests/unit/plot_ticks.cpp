// SPDX-License-Identifier: MIT
#include "plot/ticks.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace moraine::plot::testing {
namespace {

using Words = std::vector<std::string>;

TEST(PlotTicks, StepsAreOneTwoFive) {
  EXPECT_DOUBLE_EQ(nice_step(10, 10), 1);
  EXPECT_DOUBLE_EQ(nice_step(10, 9), 2);
  EXPECT_DOUBLE_EQ(nice_step(10, 4), 5);
  EXPECT_DOUBLE_EQ(nice_step(10, 1), 10);
  EXPECT_DOUBLE_EQ(nice_step(0.003, 10), 0.0005);
  EXPECT_DOUBLE_EQ(nice_step(7e8, 5), 2e8);
}

Axis axis(double lo, double hi, int most, const std::string& name, const std::string& unit) {
  Axis range;
  range.lo = lo;
  range.hi = hi;
  return with_ticks(range, most, name, unit);
}

TEST(PlotTicks, TicksLieInTheRangeAndAreNotTooMany) {
  for (const double lo : {-1e6, -3.7, 0.0, 1e-9, 12345.6}) {
    for (const double size : {1e-7, 0.013, 1.0, 47.0, 9e11}) {
      for (const int most : {2, 5, 10}) {
        const std::vector<double> at = axis(lo, lo + size, most, "", "").at;
        EXPECT_LE(at.size(), static_cast<std::size_t>(most) + 1);
        EXPECT_GE(at.size(), most > 2 ? 2U : 1U) << lo << ' ' << size << ' ' << most;
        for (const double t : at) {
          EXPECT_GE(t, lo - 1e-6 * size);
          EXPECT_LE(t, lo + size * (1 + 1e-6));
        }
      }
    }
  }
}

TEST(PlotTicks, PlainNumbersStayPlain) {
  const Axis a = axis(-0.1, 0.1, 6, "x", "m");
  EXPECT_EQ(a.labels, (Words{"−0.10", "−0.05", "0.00", "0.05", "0.10"}));
  EXPECT_EQ(a.title, "x [m]");
}

TEST(PlotTicks, SmallAndLargeNumbersTakePrefixesOrPowers) {
  EXPECT_EQ(axis(0, 7e-5, 6, "time", "s").title, "time [µs]");
  EXPECT_EQ(axis(0, 7e-5, 6, "time", "s").labels, (Words{"0", "20", "40", "60"}));
  EXPECT_EQ(axis(0, 9e5, 6, "force", "N").title, "force [kN]");
  EXPECT_EQ(axis(0, 3e-4, 6, "rate", "rad/s").title, "rate [10⁻⁶ rad/s]");
  EXPECT_EQ(axis(0, 3e7, 6, "contacts", "").title, "contacts [10⁶]");
  EXPECT_EQ(axis(0, 2e-3, 6, "area", "m^2").title, "area [10⁻³ m²]");
  EXPECT_EQ(axis(0, 90000, 6, "bodies", "").title, "bodies");
  EXPECT_EQ(axis(0, 5e5, 6, "time", "s").title, "time [10³ s]");  // nobody counts in kiloseconds
}

TEST(PlotTicks, DigitsThatDoNotChangeAreToldOnce) {
  const Axis a = axis(1.2345678, 1.2345678 + 2e-8, 6, "x", "m");
  EXPECT_EQ(a.title, "x − 1.2345678 m [nm]");
  EXPECT_EQ(a.labels, (Words{"0", "5", "10", "15", "20"}));
}

TEST(PlotTicks, RangesAreNeverEmptyAndHoldZeroWhenItIsNear) {
  EXPECT_EQ(padded_range(0, 0).lo, -1);
  EXPECT_EQ(padded_range(0, 0).hi, 1);
  EXPECT_LT(padded_range(5, 5).lo, 5);
  EXPECT_GT(padded_range(5, 5).hi, 5);
  EXPECT_EQ(padded_range(1, 10).lo, 0);
  EXPECT_GT(padded_range(9, 10).lo, 8);
  EXPECT_EQ(padded_range(-10, -1).hi, 0);
}

TEST(PlotTicks, NoRangeMakesNanOrTooMany) {
  const double big = std::numeric_limits<double>::max(), tiny = std::numeric_limits<double>::denorm_min();
  const std::vector<std::pair<double, double>> ranges = {
      {-big, big},       {0, tiny}, {tiny, tiny}, {1e300, 1e300}, {1, std::nextafter(1.0, 2.0)},
      {-1e-300, 1e-300}, {0, 1e308}};
  for (const auto& [lo, hi] : ranges) {
    const Axis a = with_ticks(padded_range(lo, hi), 8, "x", "m");
    EXPECT_LT(a.lo, a.hi) << lo << " " << hi;
    EXPECT_TRUE(std::isfinite(a.lo) && std::isfinite(a.hi));
    EXPECT_LE(a.at.size(), 8u);
    EXPECT_EQ(a.at.size(), a.labels.size());
    for (const std::string& label : a.labels) {
      EXPECT_EQ(label.find("nan"), std::string::npos);
      EXPECT_EQ(label.find("inf"), std::string::npos);
      EXPECT_LE(label.size(), 16u) << label;
    }
  }
}

TEST(PlotTicks, QuantitiesInWords) {
  EXPECT_EQ(quantity_text(0, "s"), "0 s");
  EXPECT_EQ(quantity_text(1.25, "s"), "1.25 s");
  EXPECT_EQ(quantity_text(3.558e-5, "s", 4), "35.58 µs");
  EXPECT_EQ(quantity_text(-0.002, "N"), "−2 mN");
  EXPECT_EQ(quantity_text(827.4, "N"), "827 N");
  EXPECT_EQ(quantity_text(12345, "N"), "12.3 kN");
  EXPECT_EQ(quantity_text(1.5e-4, "rad/s"), "1.5×10⁻⁴ rad/s");
  EXPECT_EQ(quantity_text(0.25, ""), "0.25");
  EXPECT_EQ(number_text(2e10), "2×10¹⁰");
  EXPECT_EQ(span_text(0, 6.96e-5, "s"), "0 to 69.6 µs");
  EXPECT_EQ(pretty_unit("kg m^2 s^-1"), "kg m² s⁻¹");
  EXPECT_EQ(pretty_name("normal_force"), "normal force");
}

TEST(PlotTicks, LengthsToMeasureWithAreRound) {
  EXPECT_DOUBLE_EQ(nice_length(0.0999), 0.05);
  EXPECT_DOUBLE_EQ(nice_length(0.1), 0.1);
  EXPECT_DOUBLE_EQ(nice_length(4.9), 2);
  EXPECT_DOUBLE_EQ(nice_length(1234), 1000);
  for (const double bad : {0.0, -1.0, 1e-300, std::nan("")}) EXPECT_EQ(nice_length(bad), 0) << bad;
}

}  // namespace
}  // namespace moraine::plot::testing
