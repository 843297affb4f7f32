// SPDX-License-Identifier: MIT
// Where solids touch: whether they do against an exact test, depth against closed forms, and that depths are a
// potential, whose forces and torques balance.
#include "touch/solids.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "solid_samples.hpp"

namespace {

namespace m = moraine::math;
namespace s = moraine::shape;
using m::Vec2;
using m::Vec3;
using moraine::base::Stream;
using moraine::test::all_kinds;
using moraine::test::inside_by_ray;
using moraine::test::pierces;
using moraine::test::random_direction;
using moraine::test::random_turn;
using moraine::touch::kNoEnd;
using moraine::touch::Posed;
using moraine::touch::SolidTouch;
using moraine::touch::touch_solids;
using Touches = std::vector<SolidTouch<3>>;

std::vector<s::Solid<3>> solids() {
  std::vector<s::Solid<3>> all;
  for (const auto& kind : all_kinds()) all.push_back(s::make_solid(s::make_mesh(kind.mesh)));
  return all;
}

// Two surfaces cross, or one solid holds the other.
bool overlap_exactly(const Posed<3>& a, const Posed<3>& b) {
  const auto in_world = [](const Posed<3>& p) {
    std::vector<Vec3> vertices;
    for (const Vec3& v : p.solid->vertices) vertices.push_back(p.to_world(v));
    return vertices;
  };
  const std::vector<Vec3> va = in_world(a), vb = in_world(b);
  const auto crosses = [](const auto& edges, const auto& from, const auto& faces, const auto& to) {
    for (const auto& e : edges) {
      for (std::size_t i = 0; i < 3; ++i) {
        for (const auto& f : faces) {
          if (pierces(from[e[i]], from[e[(i + 1) % 3]], to[f[0]], to[f[1]], to[f[2]])) return true;
        }
      }
    }
    return false;
  };
  return inside_by_ray(vb, b.solid->facets, va[0]) || inside_by_ray(va, a.solid->facets, vb[0]) ||
         crosses(a.solid->facets, va, b.solid->facets, vb) || crosses(b.solid->facets, vb, a.solid->facets, va);
}

TEST(TouchSolids, VerdictOnRandomPairsIsThatOfTheExactTest) {
  Stream random(1, "pairs");
  const std::vector<s::Solid<3>> all = solids();
  Touches touches;
  int overlaps = 0;
  constexpr int kPairs = 20000;
  for (int i = 0; i < kPairs; ++i) {
    const Posed<3> a{&all[random.below(all.size())], {}, random_turn(random), 1};
    Posed<3> b{&all[random.below(all.size())], {}, random_turn(random), random.uniform(0.7, 1.3)};
    b.x = random_direction(random) * ((a.solid->radius + b.solid->radius * b.scale) * random.uniform(0.4, 1));
    touch_solids(a, b, 0.0, touches);
    const bool expected = overlap_exactly(a, b);
    ASSERT_EQ(!touches.empty(), expected) << i;
    overlaps += expected ? 1 : 0;
  }
  EXPECT_GT(overlaps, kPairs / 3);
  EXPECT_LT(overlaps, 2 * kPairs / 3);
}

// Moved apart along any direction from first touch, nothing touches; moved together by d, something is no deeper than
// d.
TEST(TouchSolids, DepthGrowsNoFasterThanTheWay) {
  Stream random(2, "pairs");
  const std::vector<s::Solid<3>> all = solids();
  Touches touches;
  for (int i = 0; i < 1000; ++i) {
    const Posed<3> a{&all[random.below(all.size())], {0.2, -0.1, 0.4}, random_turn(random), 1};
    Posed<3> b{&all[random.below(all.size())], {}, random_turn(random), 1};
    const Vec3 towards = random_direction(random);
    double far = a.solid->radius + b.solid->radius, near = 0;
    for (int k = 0; k < 60; ++k) {
      const double middle = 0.5 * (near + far);
      b.x = a.x + towards * middle;
      touch_solids(a, b, 0.0, touches);
      (touches.empty() ? far : near) = middle;
    }
    for (const double way : {1e-6, 1e-3, 1e-2}) {
      b.x = a.x + towards * (far - way);
      touch_solids(a, b, 0.0, touches);
      ASSERT_FALSE(touches.empty()) << i;
      // Corners that came in from the side count from the face that they may have come through, if it is near.
      const double most = std::max(way * (1 + 1e-9) + 1e-12, 0.02 * std::max(a.solid->radius, b.solid->radius));
      for (const auto& t : touches) ASSERT_LE(t.depth, way > 1e-5 ? most : way * (1 + 1e-9)) << i;
    }
  }
}

// Of an energy of share depth^2 / 2 a touch.
struct Wrench {
  double energy = 0;
  Vec3 force{}, torque{};  // on the first solid, about its centre
};
Wrench wrench(const Posed<3>& a, const Posed<3>& b) {
  Touches touches;
  touch_solids(a, b, 0.0, touches);
  Wrench w;
  for (const auto& t : touches) {
    w.energy += 0.5 * t.share * t.depth * t.depth;
    const auto push = [&](const Vec3& force, const Vec3& point) {
      w.force += force;
      w.torque += m::cross(point - a.x, force);
    };
    push(t.k * (-t.share * t.depth), t.point);
    if (t.end != kNoEnd) push(touches[t.end].k * (t.share * t.depth), touches[t.end].point);
  }
  return w;
}

TEST(TouchSolids, ForcesAreTheGradientOfAPotential) {
  Stream random(4, "pairs");
  const std::vector<s::Solid<3>> all = solids();
  Touches touches;
  int tested = 0, off = 0;
  for (int i = 0; i < 3000; ++i) {
    Posed<3> a{&all[random.below(all.size())], {0.2, -0.1, 0.4}, random_turn(random), 1};
    Posed<3> b{&all[random.below(all.size())], {}, random_turn(random), random.uniform(0.7, 1.3)};
    const Vec3 towards = random_direction(random);
    double far = a.solid->radius + b.solid->radius * b.scale, near = 0;
    for (int k = 0; k < 50; ++k) {
      const double middle = 0.5 * (near + far);
      b.x = a.x + towards * middle;
      touch_solids(a, b, 0.0, touches);
      (touches.empty() ? far : near) = middle;
    }
    b.x = a.x + towards * (far - 0.02 * random.uniform(0.05, 1));
    const Wrench w = wrench(a, b);
    if (w.energy < 1e-8) continue;
    // Seen from the other side: the opposite force.
    const Wrench other = wrench(b, a);
    ASSERT_LT(m::norm(w.force + other.force), 1e-10 * m::norm(w.force)) << i;
    ASSERT_LT(m::norm(w.torque + other.torque + m::cross(b.x - a.x, other.force)), 1e-10 * m::norm(w.force)) << i;

    const double h = 1e-7;
    Vec3 force{}, torque{};
    for (int k = 0; k < 3; ++k) {
      const auto slope = [&](const auto& moved) {
        return (wrench(moved(-h), b).energy - wrench(moved(h), b).energy) / (2 * h);
      };
      force[k] = slope([&](double d) {
        Posed<3> p = a;
        p.x[k] += d;
        return p;
      });
      torque[k] = slope([&](double d) {
        Posed<3> p = a;
        Vec3 turn{};
        turn[k] = d;
        p.turned = m::from_rotation(turn) * a.turned;
        return p;
      });
    }
    ++tested;
    const double scale = m::norm(w.force) * a.solid->radius;
    off += m::norm(force - w.force) > 1e-5 * m::norm(w.force) || m::norm(torque - w.torque) > 1e-5 * scale ? 1 : 0;
  }
  EXPECT_GT(tested, 2500);
  // At a kink, where another facet comes to be the nearest, the slope between two sides is that of neither.
  EXPECT_LT(off, tested / 300);
}

TEST(TouchSolids, BoxOnABoxByItsCorners) {
  const s::Solid<3> cube = s::make_solid(s::make_mesh(s::brick({1, 1, 1})));
  const s::Solid<3> slab = s::make_solid(s::make_mesh(s::brick({4, 4, 1})));
  const double overlap = 1e-3;
  Touches touches;
  touch_solids(Posed<3>{&cube, {0.2, 0.3, 1 - overlap}, {}, 1}, Posed<3>{&slab, {}, {}, 1}, 0.0, touches);
  // Principal axes may name the axes of a slab anew.
  ASSERT_EQ(touches.size(), 4U);
  for (const auto& t : touches) {
    EXPECT_NEAR(t.depth, overlap, 1e-14);
    EXPECT_EQ(t.share, 1);
  }
}

TEST(TouchSolids, CrossedEdges) {
  // Two long prisms of square section that stand on their edges and cross at right angles: only ridges touch.
  const double r = 0.5;
  const s::Solid<3> bar = s::make_solid(s::make_mesh(s::prism(4, r, 3)));
  const auto along = [&](int axis) {  // the long axis along x or y, an edge upwards
    const m::Quaternion to_body = m::inverse(bar.axes);
    const m::Quaternion lay = axis == 0 ? m::from_rotation({0, m::kPi / 2, 0}) : m::from_rotation({m::kPi / 2, 0, 0});
    return m::normalised(lay * m::inverse(to_body));
  };
  const double sunk = 0.01;
  Touches touches;
  touch_solids(Posed<3>{&bar, {0, 0, 2 * r - sunk}, along(0), 1}, Posed<3>{&bar, {}, along(1), 1}, 0.0, touches);
  ASSERT_EQ(touches.size(), 2U);
  for (const auto& t : touches) {
    EXPECT_EQ(t.share, 0.5);
    EXPECT_NEAR(t.depth, sunk / std::sqrt(2.0), 1e-12);  // from the faces, which slope by 45 degrees
    EXPECT_NEAR(t.k[2], -1 / std::sqrt(2.0), 1e-9);
    EXPECT_NEAR(t.k[0], 0, 1e-9);
    EXPECT_NEAR(t.k[1], 0, 1e-9);
  }
}

TEST(TouchSolids, PolygonsByTheirCorners) {
  const s::Solid<2> square = s::make_solid({{0, 0}, {1, 0}, {1, 1}, {0, 1}});
  std::vector<SolidTouch<2>> touches;
  touch_solids(Posed<2>{&square, {0, 0}, 0, 1}, Posed<2>{&square, {0.9, 0.3}, 0, 1}, 0.0, touches);
  ASSERT_EQ(touches.size(), 2U);
  for (const auto& t : touches) {
    EXPECT_NEAR(t.depth, 0.1, 1e-14);
    EXPECT_NEAR(t.k[0], 1, 1e-14);
  }
}

}  // namespace
