// SPDX-License-Identifier: MIT
// Wall-clock time spent in each phase of the step. Times are reported, never used to decide anything.
#pragma once

#include <chrono>
#include <map>
#include <string>

namespace moraine::base {

inline double seconds_now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

class Stopwatch {
 public:
  // Adds the time of a scope to the named phase.
  class Lap {
   public:
    explicit Lap(double& total) : total_(total), begin_(seconds_now()) {}
    ~Lap() { total_ += seconds_now() - begin_; }
    Lap(const Lap&) = delete;
    Lap& operator=(const Lap&) = delete;

   private:
    double& total_;
    double begin_;
  };
  Lap lap(const char* phase) { return Lap(phases_[phase]); }
  const std::map<std::string, double>& phases() const { return phases_; }

 private:
  std::map<std::string, double> phases_;
};

}  // namespace moraine::base
