// SPDX-License-Identifier: MIT
// Ready shapes of clumps: their size, their centre, who touches whom, and closed forms of their mass properties.
#include "shape/clump_shapes.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace {

namespace m = moraine::math;
using moraine::base::Stream;
using moraine::shape::loose_members;
using moraine::shape::Member;
using moraine::shape::union_properties;
constexpr double kPi = m::kPi;

// About its centre of mass, of the right size, one piece.
template <int D>
void expect_well_made(const std::vector<Member<D>>& members, double size) {
  const auto p = union_properties(members);
  EXPECT_LT(norm(p.centre), 1e-13 * size);
  EXPECT_NEAR(p.outer / size, 1, 1e-13);
  EXPECT_TRUE(loose_members(members).empty());
}

// How many pairs touch; fails if two overlap.
template <int D>
int touching_pairs(const std::vector<Member<D>>& members) {
  int count = 0;
  for (std::size_t i = 0; i < members.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      const double sum = members[i].radius + members[j].radius, gap = norm(members[i].x - members[j].x) / sum - 1;
      EXPECT_GT(gap, -2e-10) << i << " and " << j;
      if (gap < 1e-9) ++count;
    }
  }
  return count;
}

TEST(ShapeClumpShapes, TriangleOfTen) {
  const double size = 0.02, r = size / (1 + 2 * std::sqrt(3.0));
  const auto members = moraine::shape::triangle_of_ten(size);
  ASSERT_EQ(members.size(), 10u);
  expect_well_made(members, size);
  EXPECT_EQ(touching_pairs(members), 18);
  int in_the_middle = 0;
  for (const auto& d : members) {
    EXPECT_NEAR(d.radius, r, 1e-15);
    if (norm(d.x) < 1e-15) ++in_the_middle;
  }
  EXPECT_EQ(in_the_middle, 1);
  // Centres: one in the middle, six at 2 R, three at 2 sqrt 3 R.
  const auto p = union_properties(members);
  EXPECT_NEAR(p.measure / (10 * kPi * r * r), 1, 1e-14);
  EXPECT_NEAR(p.inertia / (kPi * r * r * r * r * (10 * 0.5 + 6 * 4 + 3 * 12)), 1, 1e-13);
  // The report's disk 3 is at (R, sqrt 3 R).
  EXPECT_TRUE(std::any_of(members.begin(), members.end(), [r](const auto& d) {
    return norm(d.x - m::Vec2{r, std::sqrt(3.0) * r}) < 1e-14;
  }));
}

TEST(ShapeClumpShapes, SquareOfThirteen) {
  const double size = 3, large = size / (1 + 2 * std::sqrt(2.0)), small = large * (std::sqrt(2.0) - 1);
  const auto members = moraine::shape::square_of_thirteen(size);
  ASSERT_EQ(members.size(), 13u);
  expect_well_made(members, size);
  EXPECT_EQ(touching_pairs(members), 12 + 16);
  EXPECT_NEAR(3 * large + 2 * small, size, 1e-15);
  const auto is = [](double radius) {
    return [radius](const auto& d) { return std::fabs(d.radius - radius) < 1e-15; };
  };
  EXPECT_EQ(std::count_if(members.begin(), members.end(), is(large)), 9);
  EXPECT_EQ(std::count_if(members.begin(), members.end(), is(small)), 4);
  const double l2 = large * large, s2 = small * small;
  const auto p = union_properties(members);
  EXPECT_NEAR(p.measure / (kPi * (9 * l2 + 4 * s2)), 1, 1e-14);
  EXPECT_NEAR(p.inertia / (kPi * (l2 * (4.5 * l2 + 4 * 4 * l2 + 4 * 8 * l2) + s2 * (2 * s2 + 4 * 2 * l2))), 1, 1e-13);
}

TEST(ShapeClumpShapes, TetrahedronOfFour) {
  const double size = 0.5, r = size / (1 + std::sqrt(1.5));
  const auto members = moraine::shape::tetrahedron_of_four(size);
  ASSERT_EQ(members.size(), 4u);
  expect_well_made(members, size);
  EXPECT_EQ(touching_pairs(members), 6);
  for (const auto& s : members) EXPECT_NEAR(s.radius, r, 1e-15);
  const auto p = union_properties(members);
  const double mass = 4 * kPi / 3 * r * r * r;
  // All moments are equal: two thirds of the squared distances, and each ball's own.
  for (int k = 0; k < 3; ++k) EXPECT_NEAR(p.inertia[k] / (4 * mass * r * r * (0.4 + 2.0 / 3 * 1.5)), 1, 1e-13);
}

template <int D>
void check_rods() {
  for (const std::size_t count : {1, 2, 3, 7}) {
    for (const double overlap : {0.0, 0.25, 0.9}) {
      const auto members = moraine::shape::rod<D>(2, count, overlap);
      ASSERT_EQ(members.size(), count);
      expect_well_made(members, 2);
      const double r = 2 / (1 + static_cast<double>(count - 1) * (1 - overlap));
      for (std::size_t k = 0; k < count; ++k) {
        EXPECT_NEAR(members[k].radius, r, 1e-13);
        for (int i = 1; i < D; ++i) EXPECT_NEAR(members[k].x[i], 0, 1e-14);
        if (k > 0) {
          EXPECT_NEAR(members[k].x[0] - members[k - 1].x[0], 2 * r * (1 - overlap), 1e-13);
        }
      }
    }
  }
}
TEST(ShapeClumpShapes, Rods) {
  check_rods<2>();
  check_rods<3>();
}

template <int D>
void check_assemblies() {
  Stream random(11, "assembly");
  double least = 1, most = 0;
  for (std::size_t count = 1; count <= 40; ++count) {
    const auto members = moraine::shape::random_assembly<D>(0.1, count, random);
    ASSERT_EQ(members.size(), count);
    expect_well_made(members, 0.1);
    // Every pair of the first D + 1 touches; each later member touches D others at least.
    const std::size_t start = std::min<std::size_t>(count, D + 1);
    EXPECT_GE(touching_pairs(members), static_cast<int>(start * (start - 1) / 2 + (count - start) * D)) << count;
    const auto smaller = [](const auto& a, const auto& b) { return a.radius < b.radius; };
    const auto [low, high] = std::minmax_element(members.begin(), members.end(), smaller);
    EXPECT_LT(high->radius / low->radius, 2);
    least = std::min(least, low->radius / high->radius);
    most = std::max(most, low->radius / high->radius);
  }
  EXPECT_LT(least, 0.55);  // among 40 radii between 0.5 and 1
  EXPECT_EQ(most, 1);      // that of a single one
}
TEST(ShapeClumpShapes, RandomAssembliesOfDisks) { check_assemblies<2>(); }
TEST(ShapeClumpShapes, RandomAssembliesOfSpheres) { check_assemblies<3>(); }

TEST(ShapeClumpShapes, RandomAssembliesFollowTheirStream) {
  const auto make = [](std::uint64_t seed) {
    Stream random(seed, "assembly");
    return moraine::shape::random_assembly<3>(1, 12, random);
  };
  const auto a = make(1), b = make(1), c = make(2);
  for (std::size_t k = 0; k < a.size(); ++k) {
    EXPECT_EQ(a[k].x, b[k].x);
    EXPECT_EQ(a[k].radius, b[k].radius);
    EXPECT_NE(a[k].radius, c[k].radius);
  }
}

TEST(ShapeClumpShapes, LargeAssembliesFindRoom) {
  Stream random(12, "large");
  EXPECT_GE(touching_pairs(moraine::shape::random_assembly<2>(1, 300, random)), 3 + 297 * 2);
  EXPECT_GE(touching_pairs(moraine::shape::random_assembly<3>(1, 300, random)), 6 + 296 * 3);
}

TEST(ShapeClumpShapes, NonsenseIsRefused) {
  Stream random(13, "nonsense");
  EXPECT_THROW(moraine::shape::triangle_of_ten(0), std::invalid_argument);
  EXPECT_THROW(moraine::shape::square_of_thirteen(-1), std::invalid_argument);
  EXPECT_THROW(moraine::shape::tetrahedron_of_four(std::nan("")), std::invalid_argument);
  EXPECT_THROW(moraine::shape::rod<2>(1, 0, 0), std::invalid_argument);
  EXPECT_THROW(moraine::shape::rod<2>(1, 2, 1), std::invalid_argument);
  EXPECT_THROW(moraine::shape::rod<3>(1, 2, -0.1), std::invalid_argument);
  EXPECT_THROW(moraine::shape::random_assembly<2>(1, 0, random), std::invalid_argument);
  EXPECT_THROW(moraine::shape::random_assembly<3>(std::numeric_limits<double>::infinity(), 3, random),
               std::invalid_argument);
}

}  // namespace
