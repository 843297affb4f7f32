// SPDX-License-Identifier: MIT
#include "progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "base/stopwatch.hpp"

namespace moraine::app {

std::string duration_text(double seconds) {
  const auto s = static_cast<long long>(std::llround(std::max(0.0, seconds)));
  if (s < 60) return fmt::format("{} s", s);
  if (s < 3600) return fmt::format("{} min {} s", s / 60, s % 60);
  return fmt::format("{} h {} min", s / 3600, s / 60 % 60);
}

Progress::Progress(const sim::Run& run, bool quiet)
    : quiet_(quiet),
      terminal_(isatty(STDERR_FILENO) != 0),
      begin_(base::seconds_now()),
      shown_at_(begin_),
      first_step_(run.status().step) {}

void Progress::update(const sim::Run& run, bool force) {
  if (quiet_) return;
  if (!force && ++calls_ % stride_ != 0) return;
  const double now = base::seconds_now();
  // Look at the clock about a hundred times a second.
  if (now - last_ < 0.005) stride_ = std::min<std::int64_t>(stride_ * 2, 65536);
  if (now - last_ > 0.05) stride_ = std::max<std::int64_t>(stride_ / 2, 1);
  last_ = now;
  const double wait = terminal_ ? 0.2 : 10;
  if (!force && now - shown_at_ < wait) return;
  show(run, now);
}

void Progress::show(const sim::Run& run, double now) {
  const sim::Status s = run.status();
  const auto made = static_cast<double>(s.step - first_step_);
  const double share = s.end_step > 0 ? static_cast<double>(s.step) / static_cast<double>(s.end_step) : 1;
  const double rate = static_cast<double>(s.bodies) * (made - shown_steps_) / std::max(1e-9, now - shown_at_);
  const double left = made > 0 ? (now - begin_) / made * static_cast<double>(s.end_step - s.step) : 0;
  shown_at_ = now;
  shown_steps_ = made;
  const std::string text =
      fmt::format("{:5.1f} %  t = {:.4g} s  {} bodies  {:.3g} M particle-steps/s  E_kin = {:.3g} J  {} left",
                  100 * share, s.time, s.bodies, rate * 1e-6, s.kinetic, duration_text(left));
  if (terminal_) {
    constexpr int kWidth = 24;
    const int full = std::clamp(static_cast<int>(share * kWidth), 0, kWidth);
    fmt::print(stderr, "\r\033[K[{}{}] {}", std::string(static_cast<std::size_t>(full), '='),
               std::string(static_cast<std::size_t>(kWidth - full), ' '), text);
    std::fflush(stderr);
  } else {
    fmt::print(stderr, "{}\n", text);
  }
  shown_ = true;
}

void Progress::done() {
  if (!quiet_ && terminal_ && shown_) fmt::print(stderr, "\r\033[K");
}

}  // namespace moraine::app
