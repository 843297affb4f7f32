// SPDX-License-Identifier: MIT
#include "sweep_progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

#include "base/stopwatch.hpp"
#include "progress.hpp"

namespace moraine::app {

SweepProgress::SweepProgress(bool quiet) : quiet_(quiet), terminal_(isatty(STDERR_FILENO) != 0) {}

void SweepProgress::begin(std::size_t runs, std::size_t done_before, std::size_t jobs) {
  runs_ = runs;
  before_ = done_before;
  jobs_ = jobs;
  shown_at_ = base::seconds_now();
  if (quiet_) return;
  fmt::print("{} runs, {} at a time{}\n", runs_, std::min(jobs_, runs_),
             before_ > 0 ? fmt::format("; {} are done already", before_) : "");
  std::fflush(stdout);
}

void SweepProgress::ended(double seconds) {
  ++ended_;
  spent_ += seconds;
}

void SweepProgress::update(std::size_t running) {
  running_ = running;
  const double now = base::seconds_now();
  if (!quiet_ && now - shown_at_ >= (terminal_ ? 0.2 : 10)) show(now);
}

void SweepProgress::show(double now) {
  const std::size_t done = before_ + ended_;
  // What is left, if it takes as long as what has ended: those that run are half done.
  const double to_do = static_cast<double>(runs_ - std::min(done, runs_)) - 0.5 * static_cast<double>(running_);
  const double each = ended_ > 0 ? spent_ / static_cast<double>(ended_) : 0;
  const std::string left =
      ended_ == 0 ? "" : fmt::format(", about {} left", duration_text(each * to_do / static_cast<double>(jobs_)));
  const std::string text = fmt::format("{} of {} runs done, {} running{}{}", done, runs_, running_,
                                       failed_ > 0 ? fmt::format(", {} failed", failed_) : "", left);
  if (terminal_) {
    fmt::print(stderr, "\r\033[K{}", text);
    std::fflush(stderr);
  } else {
    fmt::print(stderr, "{}\n", text);
  }
  shown_at_ = now;
  shown_ = true;
}

void SweepProgress::say(const std::string& words) {
  done();
  fmt::print(stderr, "{}\n", words);
}

void SweepProgress::done() {
  if (!quiet_ && terminal_ && shown_) fmt::print(stderr, "\r\033[K");
}

}  // namespace moraine::app
