// SPDX-License-Identifier: MIT
#include "scene/vectors.hpp"

#include <gtest/gtest.h>

namespace moraine::scene {
namespace {

// The squares of the smallest and largest numbers are 0 and infinite.
TEST(Vectors, DirectionsMayHaveAnyLength) {
  for (const double length : {5e-324, 1e-200, 1e-101, 1.0, 1e101, 1.7e308}) {
    EXPECT_EQ(as_direction<2>({0, -length}), (math::Vec<2>{0, -1})) << length;
    const math::Vec<3> v = as_direction<3>({length, 0, -length});
    EXPECT_NEAR(v[0], std::sqrt(0.5), 1e-15) << length;
    EXPECT_EQ(v[1], 0) << length;
    EXPECT_EQ(v[2], -v[0]) << length;
  }
}

}  // namespace
}  // namespace moraine::scene
