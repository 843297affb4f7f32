// SPDX-License-Identifier: MIT
// Polyhedra and polygons: mass properties against closed forms, sums over tetrahedra and random points; the distance
// field against a search over all facets; what of a surface sticks out; bad meshes.
#include "shape/solid.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "math/rotation.hpp"
#include "solid_samples.hpp"

namespace {

namespace m = moraine::math;
namespace s = moraine::shape;
using m::Vec2;
using m::Vec3;
using moraine::base::Stream;
using moraine::test::all_kinds;
using moraine::test::inside_by_ray;
using moraine::test::random_direction;
using moraine::test::random_turn;

s::Solid<3> solid(const s::RawMesh& raw) {
  const s::Mesh mesh = s::make_mesh(raw);
  const std::vector<std::string> faults = s::solid_faults(mesh);
  EXPECT_TRUE(faults.empty()) << (faults.empty() ? "" : faults[0]);
  return s::make_solid(mesh);
}

void expect_moments(const s::Solid<3>& a, double volume, std::array<double, 3> moments) {
  std::sort(moments.begin(), moments.end());
  EXPECT_NEAR(a.measure, volume, 1e-12 * volume);
  for (int k = 0; k < 3; ++k) {
    EXPECT_NEAR(a.moment[k], moments[static_cast<std::size_t>(k)], 1e-12 * moments[2]) << k;
  }
}

TEST(Solid, MassPropertiesOfPrimitives) {
  const double a = 0.3, b = 0.5, c = 0.9, v = a * b * c;
  expect_moments(solid(s::brick({a, b, c})), v,
                 {v * (b * b + c * c) / 12, v * (a * a + c * c) / 12, v * (a * a + b * b) / 12});
  // A regular tetrahedron with corners on a sphere of radius r has the edge l = r sqrt(8/3), V = l^3 / (6 sqrt 2),
  // I = V l^2 / 20; an octahedron l = r sqrt 2, V = l^3 sqrt(2) / 3, I = V l^2 / 10.
  const double r = 0.7, t = r * std::sqrt(8.0 / 3), tv = t * t * t / (6 * std::sqrt(2.0));
  expect_moments(solid(s::tetrahedron(r)), tv, {tv * t * t / 20, tv * t * t / 20, tv * t * t / 20});
  const double o = r * std::sqrt(2.0), ov = o * o * o * std::sqrt(2.0) / 3;
  expect_moments(solid(s::octahedron(r)), ov, {ov * o * o / 10, ov * o * o / 10, ov * o * o / 10});
  // A prism over a regular polygon of n corners: area n r^2 sin(2 pi / n) / 2, polar moment A r^2 (2 + cos(2 pi/n))
  // / 6.
  for (const int n : {3, 5, 6, 12}) {
    const double h = 0.4, angle = 2 * m::kPi / n, area = 0.5 * n * r * r * std::sin(angle);
    const double polar = area * r * r * (2 + std::cos(angle)) / 6, pv = area * h;
    const double across = 0.5 * polar * h + pv * h * h / 12;
    expect_moments(solid(s::prism(n, r, h)), pv, {polar * h, across, across});
  }
  // An L and a T of two bars, three bars that cross: boxes added up.
  struct Part {
    Vec3 size, at;
    double sign;
  };
  const auto expect_parts = [](const s::Solid<3>& body, const std::vector<Part>& parts) {
    double volume = 0;
    Vec3 first{};
    std::array<double, 6> second{};  // xx, yy, zz, xy, xz, yz
    for (const Part& p : parts) {
      const double w = p.sign * p.size[0] * p.size[1] * p.size[2];
      volume += w;
      first += p.at * w;
      for (int k = 0; k < 3; ++k)
        second[static_cast<std::size_t>(k)] += w * (p.size[k] * p.size[k] / 12 + p.at[k] * p.at[k]);
      second[3] += w * p.at[0] * p.at[1];
    }
    second[0] -= first[0] * first[0] / volume;
    second[1] -= first[1] * first[1] / volume;
    second[2] -= first[2] * first[2] / volume;
    second[3] -= first[0] * first[1] / volume;
    // All lie in the xy plane: z is a principal axis, the others are at half the angle of Mohr's circle.
    const double mean = 0.5 * (second[0] + second[1]);
    const double spread = std::hypot(0.5 * (second[0] - second[1]), second[3]);
    expect_moments(body, volume, {mean - spread + second[2], mean + spread + second[2], 2 * mean});
    const Vec3 off = body.centre - first * (1 / volume);
    EXPECT_LT(m::norm(off), 1e-12 * body.radius);
  };
  const double w = 1, height = 1.4, bar = 0.4;
  const s::Solid<3> l = solid(s::letter_l(w, height, bar));
  expect_parts(l, {{{w, bar, bar}, {0.5 * w, 0.5 * bar, 0}, 1},
                   {{bar, height - bar, bar}, {0.5 * bar, 0.5 * (height + bar), 0}, 1}});
  EXPECT_FALSE(l.convex);
  EXPECT_EQ(l.corners.size(), 12U);
  EXPECT_EQ(l.ridges.size(), 17U);  // 18 edges, of which one is a fold
  expect_parts(solid(s::letter_t(w, height, bar)), {{{w, bar, bar}, {0, height - 0.5 * bar, 0}, 1},
                                                    {{bar, height - bar, bar}, {0, 0.5 * (height - bar), 0}, 1}});
  const double size = 1.6, thick = 0.35;
  const s::Solid<3> jack = solid(s::jack(size, thick));
  expect_parts(jack, {{{size, thick, thick}, {}, 1},
                      {{thick, size, thick}, {}, 1},
                      {{thick, thick, size}, {}, 1},
                      {{thick, thick, thick}, {}, -2}});
  // A star of n points: 2n triangles from the middle, each with one corner on either circle. A triangle with the legs p
  // and q from the middle: A = |p x q| / 2, polar moment A (p^2 + q^2 + p.q) / 6.
  for (const int n : {3, 5, 8}) {
    const double inner = 0.4, h = 0.25, turn = m::kPi / n, part = 0.5 * r * inner * std::sin(turn);
    const double polar = 2 * n * part * (r * r + inner * inner + r * inner * std::cos(turn)) / 6, sv = 2 * n * part * h;
    const double across = 0.5 * polar * h + sv * h * h / 12;
    expect_moments(solid(s::star(n, r, inner, h)), sv, {polar * h, across, across});
  }
}
// Turned and shifted at random, a shape keeps its volume and moments; they are the sums over tetrahedra from any point,
// and what random points say.
TEST(Solid, MassPropertiesOfRandomMeshes) {
  Stream random(11, "meshes");
  std::array<double, 4> offs{}, squares{};  // of Monte Carlo, in standard deviations: means over all
  for (int i = 0; i < 200; ++i) {
    const Vec3 size{random.uniform(0.5, 2), random.uniform(0.5, 2), random.uniform(0.5, 2)};
    s::RawMesh raw =
        i % 2 == 0 ? s::convex_rock(8 + i % 40, size, random) : s::rough_rock(1, size, random.uniform(0, 0.5), random);
    const m::Quaternion turn = random_turn(random);
    const Vec3 shift = random_direction(random) * random.uniform(0, 10);
    for (Vec3& v : raw.vertices) v = m::rotated(v, turn) + shift;
    const s::Solid<3> body = solid(raw);

    // Tetrahedra from one of the corners, each by its own centre and moments.
    const Vec3 from = raw.vertices[0];
    double volume = 0;
    Vec3 first{};
    std::array<Vec3, 3> second{};  // rows
    const auto add_products = [&](const Vec3& x, double weight) {
      for (int k = 0; k < 3; ++k) second[static_cast<std::size_t>(k)] += x * (weight * x[k]);
    };
    for (const auto& t : raw.triangles) {
      const Vec3 a = raw.vertices[t[0]] - from, b = raw.vertices[t[1]] - from, c = raw.vertices[t[2]] - from;
      const double part = m::dot(a, m::cross(b, c)) / 6;
      const Vec3 middle = 0.25 * (a + b + c);
      volume += part;
      first += part * middle;
      // Of a tetrahedron about its centre: V/20 times the sum of the products of its corners.
      add_products(middle, part);
      for (const Vec3& corner : {Vec3{}, a, b, c}) add_products(corner - middle, part / 20);
    }
    const Vec3 centre = from + first * (1 / volume);
    ASSERT_NEAR(body.measure, volume, 1e-12 * volume) << i;
    ASSERT_LT(m::norm(body.centre - centre), 1e-12 * body.radius) << i;
    add_products(first * (1 / volume), -volume);
    // In the frame of the solid the tensor is diagonal, with the principal moments.
    std::array<Vec3, 3> axes{Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}};
    for (Vec3& axis : axes) axis = m::rotated(axis, body.axes);
    const double trace = second[0][0] + second[1][1] + second[2][2];
    for (int p = 0; p < 3; ++p) {
      for (int q = 0; q < 3; ++q) {
        const Vec3 &u = axes[static_cast<std::size_t>(p)], &v = axes[static_cast<std::size_t>(q)];
        const double product = m::dot(u, Vec3{m::dot(second[0], v), m::dot(second[1], v), m::dot(second[2], v)});
        const double expected = p == q ? body.moment[p] : 0;
        ASSERT_NEAR((p == q ? trace : 0) - product, expected, 2e-12 * trace) << i << " " << p << q;
      }
    }

    // Random points in the box: the part inside is V, its mean square distances along the axes give the moments.
    const Vec3 low = body.field.min(), high = body.field.max();
    double box = 1;
    for (int k = 0; k < 3; ++k) box *= high[k] - low[k];
    constexpr int kPoints = 2000;
    // Volume and moments, each the mean of a function that is zero outside.
    std::array<double, 4> sum{}, square{};
    for (int p = 0; p < kPoints; ++p) {
      Vec3 x;
      for (int k = 0; k < 3; ++k) x[k] = random.uniform(low[k], high[k]);
      if (!inside_by_ray(body.vertices, body.facets, x)) continue;
      const double r2 = m::norm2(x);
      const std::array<double, 4> value{r2 - x[0] * x[0], r2 - x[1] * x[1], r2 - x[2] * x[2], 1};
      for (std::size_t k = 0; k < 4; ++k) {
        sum[k] += value[k] / kPoints;
        square[k] += value[k] * value[k] / kPoints;
      }
    }
    for (std::size_t k = 0; k < 4; ++k) {
      const double exact = k < 3 ? body.moment[static_cast<int>(k)] : body.measure;
      const double off = (box * sum[k] - exact) / (box * std::sqrt((square[k] - sum[k] * sum[k]) / kPoints));
      EXPECT_LT(std::fabs(off), 4.5) << i << " " << k;
      offs[k] += off / 200;
      squares[k] += off * off / 200;
    }
  }
  // Of all 200 together: no offset that is always there (the mean of 200 has a spread of 1/sqrt(200)), and the spread
  // is that of chance.
  for (std::size_t k = 0; k < 4; ++k) {
    EXPECT_LT(std::fabs(offs[k]), 4 / std::sqrt(200.0)) << k;
    EXPECT_NEAR(squares[k], 1, 0.4) << k;
  }
}

TEST(Solid, PolygonsInThePlane) {
  const s::Solid<2> square = s::make_solid({{1, 1}, {1, 3}, {3, 3}, {3, 1}});  // with the clock
  EXPECT_DOUBLE_EQ(square.measure, 4);
  EXPECT_NEAR(square.moment, 4.0 * 8 / 12, 1e-14);
  EXPECT_EQ(square.corners.size(), 4U);
  EXPECT_TRUE(square.convex);
  const s::Solid<2> l = s::make_solid({{0, 0}, {2, 0}, {2, 1}, {1, 1}, {1, 2}, {0, 2}});
  EXPECT_NEAR(l.measure, 3, 1e-14);
  EXPECT_NEAR(l.centre[0], (2 * 1 + 0.5) / 3, 1e-14);
  EXPECT_FALSE(l.convex);
  EXPECT_EQ(l.corners.size(), 5U);
  // Inside near the inner corner the nearest point is that corner.
  const Vec2 corner = Vec2{1, 1} - l.centre, x = corner - Vec2{0.03, 0.04};
  const s::Depth<2> d = l.field.at(x);
  EXPECT_NEAR(d.distance, -0.05, 1e-14);
  EXPECT_NEAR(d.gradient[0], 0.6, 1e-12);
  EXPECT_NEAR(d.gradient[1], 0.8, 1e-12);
}

// The nearest facet of all, and the ray for the sign.
TEST(Solid, DistanceFieldIsThatOfAllFacets) {
  Stream random(3, "points");
  for (const auto& kind : all_kinds()) {
    const s::Solid<3> body = solid(kind.mesh);
    const s::Mesh mesh = s::make_mesh(body.vertices, body.facets);
    for (int i = 0; i < 3000; ++i) {
      Vec3 x;
      for (int k = 0; k < 3; ++k) x[k] = random.uniform(body.field.min()[k], body.field.max()[k]);
      double least = 1e300;
      for (std::uint32_t t = 0; t < mesh.triangles.size(); ++t)
        least = std::min(least, s::nearest_on_triangle(mesh, t, x).distance);
      const s::Depth<3> d = body.field.at(x);
      ASSERT_NEAR(std::fabs(d.distance), least, 1e-13) << kind.name;
      ASSERT_EQ(d.distance < 0, inside_by_ray(body.vertices, body.facets, x)) << kind.name << " " << d.distance;
      ASSERT_NEAR(m::norm(d.gradient), 1, 1e-12) << kind.name;
      // One step along the gradient changes the distance by as much.
      const double h = 1e-7;
      const Vec3 further = x + d.gradient * h;
      if (!body.field.covers(further)) continue;
      ASSERT_LE(std::fabs(body.field.at(further).distance - d.distance), h * (1 + 1e-6)) << kind.name;
    }
  }
}

// Rays say the same of what is inside, also from points in the planes of facets and on lines through edges.
TEST(Solid, RaysSayTheSameAsDistances) {
  Stream random(4, "rays");
  for (const auto& kind : all_kinds()) {
    s::Solid<3> body = solid(kind.mesh), by_rays = body;
    by_rays.field.decide_by_rays();
    const auto check = [&](const Vec3& x) {
      if (!body.field.covers(x)) return;
      const s::Depth<3> d = body.field.at(x), r = by_rays.field.at(x);
      if (std::fabs(d.distance) < 1e-9) return;  // on the surface
      ASSERT_EQ(d.distance, r.distance) << kind.name;
      ASSERT_EQ(d.gradient, r.gradient) << kind.name;
    };
    for (int i = 0; i < 500; ++i) {
      Vec3 x;
      for (int k = 0; k < 3; ++k) x[k] = random.uniform(body.field.min()[k], body.field.max()[k]);
      check(x);
      const auto any = [&] { return body.vertices[static_cast<std::size_t>(random.below(body.vertices.size()))]; };
      const Vec3 a = any(), b = any(), c = any();
      check(0.5 * (a + b));
      check(a + (b - a) * random.uniform(-0.5, 1.5) + (c - a) * random.uniform(-0.5, 1.5));
    }
  }
  for (int i = 0; i < 200; ++i) {
    std::vector<Vec2> star;
    const int n = 3 + i % 9;
    for (int k = 0; k < n; ++k) {
      const double angle = 2 * m::kPi * k / n, r = random.uniform(0.3, 1);
      star.push_back({r * std::cos(angle), r * std::sin(angle)});
    }
    s::Solid<2> body = s::make_solid(star), by_rays = body;
    by_rays.field.decide_by_rays();
    for (int k = 0; k < 200; ++k) {
      const Vec2 x{random.uniform(body.field.min()[0], body.field.max()[0]),
                   random.uniform(body.field.min()[1], body.field.max()[1])};
      if (std::fabs(body.field.at(x).distance) < 1e-9) continue;
      ASSERT_EQ(body.field.at(x).distance, by_rays.field.at(x).distance) << i;
    }
  }
}

TEST(Solid, HullHoldsAllPoints) {
  Stream random(5, "hull");
  for (int i = 0; i < 50; ++i) {
    std::vector<Vec3> points;
    for (int k = 0; k < 5 + i; ++k)
      points.push_back({random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)});
    const s::Solid<3> body = solid(s::hull(points));
    EXPECT_TRUE(body.convex);
    for (const Vec3& p : points) {
      const Vec3 own = m::rotated(p - body.centre, m::inverse(body.axes));
      EXPECT_LT(body.field.at(own).distance, 1e-9);
    }
  }
  EXPECT_TRUE(s::hull({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}, {0.3, 0.4, 0}}).triangles.empty());
  EXPECT_TRUE(s::hull({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}).triangles.empty());
}

std::string fault_of(const s::RawMesh& raw) {
  const std::vector<std::string> faults = s::solid_faults(s::make_mesh(raw));
  return faults.empty() ? "" : faults[0];
}

TEST(Solid, FaultsOfMeshesNameTheTriangles) {
  const s::RawMesh box = s::brick({1, 1, 1});
  EXPECT_EQ(fault_of(box), "");
  s::RawMesh open = box;
  open.triangles.erase(open.triangles.begin() + 4);
  EXPECT_NE(fault_of(open).find("the surface is open: 3 edges"), std::string::npos) << fault_of(open);
  s::RawMesh flipped = box;
  std::swap(flipped.triangles[4][0], flipped.triangles[4][1]);
  EXPECT_NE(fault_of(flipped).find("face opposite sides"), std::string::npos) << fault_of(flipped);
  s::RawMesh inside_out = box;
  for (auto& t : inside_out.triangles) std::swap(t[0], t[1]);
  EXPECT_NE(fault_of(inside_out).find("inside out"), std::string::npos) << fault_of(inside_out);
  s::RawMesh twice = box;
  twice.triangles.push_back(twice.triangles[2]);
  EXPECT_NE(fault_of(twice).find("triangle 13"), std::string::npos) << fault_of(twice);
  s::RawMesh flat = box;
  flat.triangles.push_back({0, 1, 1});
  EXPECT_NE(fault_of(flat).find("no area (triangle 13)"), std::string::npos) << fault_of(flat);
  // Two boxes that stand in each other.
  s::RawMesh second = s::brick({0.9, 0.8, 0.7});
  for (Vec3& v : second.vertices) v += Vec3{0.3, 0.35, 0.31};
  EXPECT_NE(fault_of(s::joined(box, second)).find("cross each other"), std::string::npos);
  for (Vec3& v : second.vertices) v += Vec3{1, 0, 0};
  EXPECT_EQ(fault_of(s::joined(box, second)), "");
}

s::RawMesh shifted(s::RawMesh mesh, const Vec3& by) {
  for (Vec3& v : mesh.vertices) v += by;
  return mesh;
}
s::RawMesh inverted(s::RawMesh mesh) {
  for (auto& t : mesh.triangles) std::swap(t[0], t[1]);
  return mesh;
}

// Boxes whose faces lie in one plane overlap without any edge through the inside of a face.
TEST(Solid, ClosedPartsMustNotTouchOrOverlap) {
  const s::RawMesh box = s::brick({1, 1, 1}), bar = s::brick({3, 0.5, 1}), across = s::brick({0.5, 3, 1});
  for (const s::RawMesh& both :
       {s::joined(box, shifted(box, {0.5, 0, 0})), s::joined(box, shifted(box, {0.5, 0.5, 0})), s::joined(bar, across),
        s::joined(box, shifted(s::brick({0.3, 0.3, 0.3}), {0, 0, 0.35})),
        s::joined(box, shifted(s::brick({0.3, 0.3, 0.3}), {0, 0, 0.65}))}) {
    EXPECT_NE(fault_of(both).find("cross each other"), std::string::npos) << fault_of(both);
  }
  EXPECT_EQ(fault_of(s::joined(box, shifted(box, {1.001, 0, 0}))), "");
}

// A part within another bounds a hollow and faces inwards; one in the hollow is solid again.
TEST(Solid, ClosedPartsFaceAsTheyAreNested) {
  const s::RawMesh box = s::brick({1, 1, 1}), inner = s::brick({0.3, 0.3, 0.3}), core = s::brick({0.1, 0.1, 0.1});
  const s::RawMesh hollow = s::joined(box, inverted(inner));
  EXPECT_EQ(fault_of(hollow), "");
  EXPECT_NEAR(solid(hollow).measure, 0.973, 1e-12);
  EXPECT_EQ(fault_of(s::joined(hollow, core)), "");
  EXPECT_NEAR(solid(s::joined(hollow, core)).measure, 0.974, 1e-12);
  EXPECT_NE(
      fault_of(s::joined(box, inner)).find("triangle 13 belongs to faces outwards and lies in that of triangle 1"),
      std::string::npos);
  EXPECT_NE(fault_of(s::joined(box, shifted(inverted(inner), {2, 0, 0}))).find("triangle 13 belongs to faces inwards"),
            std::string::npos);
  for (const s::RawMesh& wrong : {s::joined(box, inner), hollow, s::joined(inverted(box), inner)})
    EXPECT_NEAR(solid(s::repaired(wrong)).measure, 0.973, 1e-12);
  EXPECT_NEAR(solid(s::repaired(s::joined(box, shifted(inverted(inner), {2, 0, 0})))).measure, 1.027, 1e-12);
  EXPECT_NEAR(solid(s::repaired(s::joined(s::joined(box, inner), inverted(core)))).measure, 0.974, 1e-12);
}

// The point inside that a corner is seen from, however thin the solid is.
TEST(Solid, CornersKnowTheInsideOfThinSolids) {
  for (const double thin : {0.3, 0.01, 1e-3, 1e-6}) {
    for (const s::Solid<3>& body : {solid(s::brick({0.3, 0.3, thin})), solid(s::letter_l(0.3, 0.3, 0.9 * thin))}) {
      for (std::size_t c = 0; c < body.corners.size(); ++c) {
        EXPECT_LT(body.field.at(body.inward[c]).distance, 0) << thin;
        const double far = m::norm(body.inward[c] - body.vertices[body.corners[c]]);
        EXPECT_GT(far, 0.2 * std::min(thin, body.radius)) << thin;
        if (thin <= 0.01) {
          EXPECT_DOUBLE_EQ(body.room[c], far) << thin;
        }
      }
    }
    const s::Solid<2> l = s::make_solid({{0, 0}, {1, 0}, {1, thin}, {thin, thin}, {thin, 1}, {0, 1}});
    for (const Vec2& x : l.inward) EXPECT_LT(l.field.at(x).distance, 0) << thin;
  }
  const s::Solid<3> cube = solid(s::brick({1, 1, 1}));
  for (const double room : cube.room) EXPECT_TRUE(std::isinf(room));
}

}  // namespace
