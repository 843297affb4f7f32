// SPDX-License-Identifier: MIT
#include "base/pace.hpp"

#include <gtest/gtest.h>

using moraine::base::Pace;

TEST(Pace, WholeIntervalsAreEveryNthStep) {
  const Pace every = Pace::of_steps(7);
  for (std::int64_t step = 0; step < 100; ++step) EXPECT_EQ(every.due(step), step % 7 == 0) << step;
  // 0.3 / 0.1 is a little less than 3.
  const Pace near = Pace::of_time(0.3, 0.1);
  for (std::int64_t step = 0; step < 100; ++step) EXPECT_EQ(near.due(step), step % 3 == 0) << step;
}

TEST(Pace, OtherIntervalsDoNotDrift) {
  for (const double steps : {1.4, 2.5, 33.333, 1e4 / 7, 123456.789}) {
    const Pace every(steps);
    std::int64_t count = 0;
    const auto last = static_cast<std::int64_t>(100 * steps);
    for (std::int64_t step = 0; step <= last; ++step) {
      if (!every.due(step)) continue;
      EXPECT_LE(std::abs(static_cast<double>(step) - static_cast<double>(count) * steps), 0.5) << steps << " " << step;
      ++count;
    }
    EXPECT_NEAR(static_cast<double>(count), 101, 1) << steps;
  }
}

TEST(Pace, IsNeverMoreOftenThanEveryStep) {
  const Pace every = Pace::of_time(1e-9, 1);
  for (std::int64_t step = 0; step < 10; ++step) EXPECT_TRUE(every.due(step));
}
