// SPDX-License-Identifier: MIT
// What keeps solids apart: the smallest gap is their distance, gaps tell how bodies may move, and what lies flat upon
// something is held all around.
#include "touch/solid_gaps.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "solid_samples.hpp"

namespace {

namespace m = moraine::math;
namespace s = moraine::shape;
using m::Vec2;
using m::Vec3;
using moraine::base::Stream;
using moraine::test::all_kinds;
using moraine::test::random_direction;
using moraine::test::random_turn;
using moraine::touch::Posed;
using moraine::touch::SolidGap;
using Gaps = std::vector<SolidGap<3>>;

double between_segments(const Vec3& p, const Vec3& q, const Vec3& r, const Vec3& t) {
  const auto to_segment = [](const Vec3& x, const Vec3& a, const Vec3& b) {
    const double s = std::clamp(m::dot(x - a, b - a) / m::norm2(b - a), 0.0, 1.0);
    return m::norm(x - a - (b - a) * s);
  };
  double least = std::min({to_segment(p, r, t), to_segment(q, r, t), to_segment(r, p, q), to_segment(t, p, q)});
  const Vec3 n = m::cross(q - p, t - r);
  if (m::norm2(n) < 1e-12) return least;
  const double u = m::dot(m::cross(r - p, t - r), n) / m::norm2(n), v = m::dot(m::cross(r - p, q - p), n) / m::norm2(n);
  if (u >= 0 && u <= 1 && v >= 0 && v <= 1) least = std::min(least, std::fabs(m::dot(r - p, n)) / m::norm(n));
  return least;
}

std::vector<Vec3> in_world(const Posed<3>& p) {
  std::vector<Vec3> out;
  for (const Vec3& v : p.solid->vertices) out.push_back(p.to_world(v));
  return out;
}

// Of two surfaces that do not cross.
double distance(const Posed<3>& a, const Posed<3>& b) {
  const std::vector<Vec3> va = in_world(a), vb = in_world(b);
  double least = 1e300;
  const auto corners = [&](const std::vector<Vec3>& from, const Posed<3>& to) {
    const s::Mesh& mesh = to.solid->skin.mesh;
    for (const Vec3& x : from) {
      for (std::uint32_t t = 0; t < mesh.triangles.size(); ++t)
        least = std::min(least, to.scale * s::nearest_on_triangle(mesh, t, to.to_own(x)).distance);
    }
  };
  corners(va, b);
  corners(vb, a);
  for (const auto& f : a.solid->facets) {
    for (const auto& g : b.solid->facets) {
      for (std::size_t i = 0; i < 3; ++i) {
        for (std::size_t j = 0; j < 3; ++j)
          least = std::min(least, between_segments(va[f[i]], va[f[(i + 1) % 3]], vb[g[j]], vb[g[(j + 1) % 3]]));
      }
    }
  }
  return least;
}

template <int D>
void gaps_of_solids(const Posed<D>& a, const Posed<D>& b, double margin, std::vector<SolidGap<D>>& out) {
  moraine::touch::Outline<D> first, second;
  first.set(a);
  second.set(b);
  moraine::touch::gaps_of_solids(first, second, margin, out);
}

double smallest(const Gaps& gaps) {
  double least = 1e300;
  for (const auto& g : gaps) least = std::min(least, g.gap);
  return least;
}

// Shifted towards each other until they nearly touch, solids of all kinds.
TEST(SolidGaps, SmallestIsTheDistance) {
  Stream random(3, "gaps");
  std::vector<s::Solid<3>> all;
  for (const auto& kind : all_kinds()) all.push_back(s::make_solid(s::make_mesh(kind.mesh)));
  Gaps gaps;
  std::vector<moraine::touch::SolidTouch<3>> touches;
  const double margin = 0.02;
  int tested = 0;
  for (int i = 0; i < 400; ++i) {
    const Posed<3> a{&all[random.below(all.size())], {}, random_turn(random), 1};
    Posed<3> b{&all[random.below(all.size())], {}, random_turn(random), random.uniform(0.7, 1.3)};
    const Vec3 way = random_direction(random);
    double in = 0, out = a.solid->radius + b.solid->radius * b.scale;
    for (int k = 0; k < 40; ++k) {
      b.x = way * (0.5 * (in + out));
      touch_solids(a, b, 0.0, touches);
      (touches.empty() ? out : in) = 0.5 * (in + out);
    }
    b.x = way * (out + random.uniform(0.001, 0.015));
    touch_solids(a, b, 0.0, touches);
    if (!touches.empty()) continue;
    const double apart = distance(a, b);
    ASSERT_LT(apart, margin);
    gaps_of_solids(a, b, margin, gaps);
    EXPECT_NEAR(smallest(gaps), apart, 1e-9) << i;
    ++tested;
    // The second seen from the first is the first seen from the second.
    Gaps other;
    gaps_of_solids(b, a, margin, other);
    EXPECT_EQ(other.size(), gaps.size()) << i;
    EXPECT_NEAR(smallest(other), smallest(gaps), 1e-12) << i;
    // A little motion changes each gap as its normal and point say.
    const Vec3 step = random_direction(random) * 1e-7, turn = random_direction(random) * 1e-7;
    Posed<3> moved = b;
    moved.x += step;
    moved.turned = m::normalised(m::from_rotation(turn) * b.turned);
    Gaps later;
    gaps_of_solids(a, moved, margin, later);
    for (const auto& g : gaps) {
      const auto same = std::find_if(later.begin(), later.end(), [&](const auto& l) { return l.key == g.key; });
      if (same == later.end()) continue;
      const double expected = m::dot(g.n, step + m::cross(turn, g.point - b.x));
      EXPECT_NEAR(same->gap - g.gap, expected, 3e-9) << i;
    }
  }
  EXPECT_GT(tested, 300);
}

// Points that hold a box upon another span what lies upon each other: corners of one, corners of the other, and where
// edges cross.
TEST(SolidGaps, FlatUponEachOtherHeldAllAround) {
  const s::Solid<3> box = s::make_solid(s::make_mesh(s::brick({1, 1, 1})));
  Gaps gaps;
  for (const double sunk : {1e-10, -1e-10, 1e-4}) {
    for (const Vec3& shift : {Vec3{0.2, 0.3, 0}, {0, 0, 0}, {1e-9, -1e-9, 0}, {0.5, 0, 0}}) {
      gaps_of_solids(Posed<3>{&box, {}, {}, 1}, Posed<3>{&box, shift + Vec3{0, 0, 1 - sunk}, {}, 1}, 0.01, gaps);
      const auto held = [&](double x, double y) {
        return std::any_of(gaps.begin(), gaps.end(), [&](const auto& g) {
          return std::fabs(g.gap + sunk) < 1e-12 && g.n[2] > 1 - 1e-12 &&
                 std::hypot(g.point[0] - x, g.point[1] - y) < 1e-6;
        });
      };
      for (const double x : {-0.5 + shift[0], 0.5}) {
        for (const double y : {-0.5 + shift[1], 0.5}) EXPECT_TRUE(held(x, y)) << sunk << " " << x << " " << y;
      }
      // And nothing else keeps the upper one from sliding.
      for (const auto& g : gaps)
        EXPECT_GT(g.n[2], 1 - 1e-9) << sunk << " " << shift[0] << " " << g.n[0] << " " << g.n[1];
    }
  }
}

// In the corner of an L a box is held by both arms.
TEST(SolidGaps, InAFoldHeldByBothFaces) {
  const s::Solid<2> angle = s::make_solid({{0, 0}, {3, 0}, {3, 1}, {1, 1}, {1, 3}, {0, 3}});
  const s::Solid<2> square = s::make_solid({{0, 0}, {1, 0}, {1, 1}, {0, 1}});
  const Vec2 fold = m::rotated(Vec2{1, 1} - angle.centre, m::inverse(angle.axes));
  const Vec2 up = m::rotated(Vec2{0, 1}, m::inverse(angle.axes)),
             right = m::rotated(Vec2{1, 0}, m::inverse(angle.axes));
  std::vector<SolidGap<2>> gaps;
  for (const double gap : {1e-3, 1e-12, -1e-9}) {
    const Vec2 at = fold + (up + right) * (0.5 + gap);
    gaps_of_solids(Posed<2>{&angle, {}, {}, 1}, Posed<2>{&square, at, m::inverse(angle.axes), 1}, 0.01, gaps);
    int along_up = 0, along_right = 0;
    for (const auto& g : gaps) {
      EXPECT_NEAR(g.gap, gap, 1e-11);
      along_up += m::dot(g.n, up) > 1 - 1e-9 ? 1 : 0;
      along_right += m::dot(g.n, right) > 1 - 1e-9 ? 1 : 0;
    }
    EXPECT_EQ(along_up, 2) << gap;
    EXPECT_EQ(along_right, 2) << gap;
    EXPECT_EQ(gaps.size(), 4U) << gap;
  }
}

}  // namespace
