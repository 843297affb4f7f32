// SPDX-License-Identifier: MIT
// Tells the user how a run goes: a bar on a terminal, plain lines elsewhere, nothing when quiet.
#pragma once

#include <cstdint>
#include <string>

#include "sim/simulation.hpp"

namespace moraine::app {

class Progress {
 public:
  Progress(const sim::Run& run, bool quiet);
  // Cheap to call every step: looks at the clock only now and then.
  void update(const sim::Run& run, bool force = false);
  void done();

 private:
  void show(const sim::Run& run, double now);
  bool quiet_, terminal_, shown_ = false;
  double begin_, last_ = 0, shown_steps_ = 0, shown_at_;
  std::int64_t first_step_, calls_ = 0, stride_ = 1;
};

// "3 min 20 s"
std::string duration_text(double seconds);

}  // namespace moraine::app
