// SPDX-License-Identifier: MIT
// Tells the user how a sweep goes: a line on a terminal that changes, now and then a new one elsewhere.
#pragma once

#include <cstddef>
#include <string>

namespace moraine::app {

class SweepProgress {
 public:
  explicit SweepProgress(bool quiet);
  void begin(std::size_t runs, std::size_t done_before, std::size_t jobs);
  void ended(double seconds);  // a run
  void failed() { ++failed_; }
  void update(std::size_t running);
  void say(const std::string& words);  // a line of its own, also when quiet
  void done();

 private:
  void show(double now);
  bool quiet_, terminal_, shown_ = false;
  std::size_t runs_ = 0, ended_ = 0, before_ = 0, failed_ = 0, running_ = 0, jobs_ = 1;
  double spent_ = 0, shown_at_ = 0;
};

}  // namespace moraine::app
