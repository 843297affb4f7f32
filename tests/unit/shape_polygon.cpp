// SPDX-License-Identifier: MIT
// Polygons as clumps of disks: all disks inside, in one piece, covering what they should.
#include "shape/polygon.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace {

using namespace moraine;
using math::Vec2;

TEST(Polygons, RandomOnesAreSimpleAndThick) {
  base::Stream random(3, "polygon");
  for (int k = 0; k < 50; ++k) {
    const auto corners = shape::random_polygon(3 + static_cast<std::size_t>(k % 10), 0.4, random);
    EXPECT_EQ(shape::crossing_edges(corners), (std::pair<std::size_t, std::size_t>{0, 0}));
    EXPECT_GT(shape::polygon_area(corners), 0);
    for (const Vec2& c : corners) {
      EXPECT_LE(math::norm(c), 1 + 1e-12);
      EXPECT_GE(math::norm(c), 0.4 - 1e-12);
    }
  }
}

TEST(Polygons, DisksLieInsideAreOnePieceAndCover) {
  base::Stream random(4, "polygon");
  for (int k = 0; k < 20; ++k) {
    const auto corners = shape::random_polygon(8, 0.5, random);
    const auto disks = shape::disks_in_polygon(corners, 24, 0.97);
    ASSERT_FALSE(disks.empty());
    EXPECT_TRUE(shape::loose_members<2>(disks).empty());
    for (const auto& d : disks) {
      EXPECT_TRUE(shape::inside_polygon(corners, d.x));
      EXPECT_LE(d.radius, shape::distance_to_polygon(corners, d.x) + 1e-12);
    }
    const double part = shape::union_properties<2>(disks).measure / shape::polygon_area(corners);
    EXPECT_GT(part, 0.85);
    EXPECT_LT(part, 1);
  }
}

// A square of side 2: the first disk is its inscribed circle, as near as the grid tells.
TEST(Polygons, TheLargestDiskComesFirst) {
  const std::vector<Vec2> square{{0, 0}, {2, 0}, {2, 2}, {0, 2}};
  const auto disks = shape::disks_in_polygon(square, 5, 1);
  ASSERT_EQ(disks.size(), 5U);
  EXPECT_NEAR(disks[0].radius, 1, 0.03);
  EXPECT_DOUBLE_EQ(shape::polygon_area(square), 4);
}

TEST(Polygons, CrossingEdgesAreFound) {
  EXPECT_EQ(shape::crossing_edges({{0, 0}, {1, 1}, {1, 0}, {0, 1}}), (std::pair<std::size_t, std::size_t>{0, 2}));
}

}  // namespace
