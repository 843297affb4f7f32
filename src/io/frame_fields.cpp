// SPDX-License-Identifier: MIT
#include "io/frame_fields.hpp"

#include <fmt/format.h>

#include <cmath>
#include <stdexcept>
#include <string>
#include <vector>

#include "base/error.hpp"

namespace moraine::io {

namespace {

bool all_finite(double value) { return std::isfinite(value); }

template <std::size_t N>
bool all_finite(const std::array<double, N>& values) {
  for (const double value : values)
    if (!std::isfinite(value)) return false;
  return true;
}

// Names and whole numbers are always in order.
template <class Other>
bool all_finite(const Other&) {
  return true;
}

std::string owner_of(const measure::Frame& frame, Per per, std::size_t i) {
  if (per == Per::kBody) return fmt::format(" of body {}", frame.id[i]);
  if (per == Per::kContact && frame.contact_b[i] >= 0)
    return fmt::format(" between bodies {} and {}", frame.contact_a[i], frame.contact_b[i]);
  if (per == Per::kContact)
    return fmt::format(" between body {} and wall {}", frame.contact_a[i], -1 - frame.contact_b[i]);
  if (per == Per::kWall) return fmt::format(" of wall '{}'", frame.wall_name[i]);
  return "";
}

}  // namespace

bool is_consistent(const measure::Frame& frame) {
  bool fits = true;
  visit_fields(frame, [&](const char*, const auto& field, Per per) {
    if (per == Per::kBody) fits = fits && field.size() == frame.id.size();
    if (per == Per::kContact) fits = fits && field.size() == frame.contact_a.size();
    if (per == Per::kWall) fits = fits && field.size() == frame.wall_name.size();
    if (per == Per::kLine) fits = fits && field.size() == frame.line_wall.size();
  });
  return fits;
}

void check_frame(const std::filesystem::path& path, const measure::Frame& frame) {
  if (!is_consistent(frame)) throw std::logic_error("a frame whose fields differ in length, for " + path.string());
  const auto stop = [&](const std::string& what) {
    throw base::RunError(fmt::format("'{}' is not written: {} is not a finite number (time {} s, step {})",
                                     path.string(), what, frame.time, frame.step),
                         "the run has gone astray: try a shorter step, and look at the frames before this one");
  };
  if (!std::isfinite(frame.time)) stop("the time");
  visit_fields(frame, [&](const char* name, const auto& field, Per per) {
    for (std::size_t i = 0; i < field.size(); ++i)
      if (!all_finite(field[i])) stop(fmt::format("the {}{}", name, owner_of(frame, per, i)));
  });
}

}  // namespace moraine::io
