// SPDX-License-Identifier: MIT
// Triangle meshes: nearest points, the tree, and where a sphere touches, each against a slower way to find it.
#include "shape/mesh.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <map>
#include <set>

#include "base/random.hpp"
#include "math/rotation.hpp"
#include "shape/mesh_shapes.hpp"

namespace moraine::shape {
namespace {

using base::Stream;
using math::dot;
using math::norm;

Vec3 random_point(Stream& random, double low = -1, double high = 1) {
  const double x = random.uniform(low, high), y = random.uniform(low, high), z = random.uniform(low, high);
  return {x, y, z};
}

Vec3 random_direction(Stream& random) {
  while (true) {
    const Vec3 v = random_point(random);
    if (norm(v) > 0.1 && norm(v) < 1) return v * (1 / norm(v));
  }
}

// A mesh with its tree, asked as a simulation would.
struct Skin {
  explicit Skin(const RawMesh& raw, double smooth_angle = kSmoothAngle)
      : mesh(make_mesh(raw, smooth_angle)), tree(mesh) {}

  std::vector<MeshTouch> touches(const Vec3& x, double radius) const {
    std::vector<std::uint32_t> candidates;
    std::vector<MeshTouch> out;
    tree.near(x, radius, candidates);
    touching(mesh, candidates, x, radius, out);
    return out;
  }
  double distance(const Vec3& x) const {
    double least = std::numeric_limits<double>::infinity();
    for (std::uint32_t t = 0; t < mesh.triangles.size(); ++t)
      least = std::min(least, nearest_on_triangle(mesh, t, x).distance);
    return least;
  }

  Mesh mesh;
  MeshTree tree;
};

RawMesh triangle(const Vec3& a, const Vec3& b, const Vec3& c) { return {{a, b, c}, {{0, 1, 2}}}; }

// ---- the nearest point of a triangle ----

using Long3 = std::array<long double, 3>;
Long3 wide(const Vec3& v) { return {v[0], v[1], v[2]}; }
Long3 minus(const Long3& a, const Long3& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }
long double dotl(const Long3& a, const Long3& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
long double distance_to_segment(const Long3& a, const Long3& b, const Long3& x) {
  const Long3 ab = minus(b, a), ax = minus(x, a);
  const long double t = std::clamp(dotl(ax, ab) / dotl(ab, ab), 0.0L, 1.0L);
  const Long3 w = {ax[0] - t * ab[0], ax[1] - t * ab[1], ax[2] - t * ab[2]};
  return std::sqrt(dotl(w, w));
}

// By barycentric coordinates, in long double.
long double reference_distance(const Vec3& a3, const Vec3& b3, const Vec3& c3, const Vec3& x3) {
  const Long3 a = wide(a3), b = wide(b3), c = wide(c3), x = wide(x3);
  const Long3 u = minus(b, a), v = minus(c, a), w = minus(x, a);
  const long double uu = dotl(u, u), uv = dotl(u, v), vv = dotl(v, v), wu = dotl(w, u), wv = dotl(w, v);
  const long double det = uu * vv - uv * uv, s = (wu * vv - wv * uv) / det, t = (wv * uu - wu * uv) / det;
  if (s >= 0 && t >= 0 && s + t <= 1) {
    const Long3 r = {w[0] - s * u[0] - t * v[0], w[1] - s * u[1] - t * v[1], w[2] - s * u[2] - t * v[2]};
    return std::sqrt(dotl(r, r));
  }
  return std::min({distance_to_segment(a, b, x), distance_to_segment(b, c, x), distance_to_segment(c, a, x)});
}

TEST(NearestOnTriangle, SaysOnWhichFeature) {
  const Mesh mesh = make_mesh(triangle({0, 0, 0}, {4, 0, 0}, {0, 3, 0}));
  const auto at = [&](const Vec3& x) { return nearest_on_triangle(mesh, 0, x); };
  EXPECT_EQ(at({1, 1, 2}).feature, Feature::kFace);
  EXPECT_EQ(at({1, 1, 2}).point, (Vec3{1, 1, 0}));
  EXPECT_EQ(at({1, 1, -2}).distance, 2);
  EXPECT_EQ(at({1, -1, 0}).feature, Feature::kEdge0);
  EXPECT_EQ(at({5, 5, 1}).feature, Feature::kEdge1);
  EXPECT_EQ(at({-1, 1, 1}).feature, Feature::kEdge2);
  EXPECT_EQ(at({-1, -1, 1}).feature, Feature::kVertex0);
  EXPECT_EQ(at({6, -1, 1}).feature, Feature::kVertex1);
  EXPECT_EQ(at({-1, 6, 1}).feature, Feature::kVertex2);
  EXPECT_EQ(at({-1, 6, 1}).point, (Vec3{0, 3, 0}));
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(index_of(static_cast<Feature>(1 + i)), i);
    EXPECT_EQ(index_of(static_cast<Feature>(4 + i)), i);
  }
}

TEST(NearestOnTriangle, AgreesWithBarycentricCoordinatesAlsoOnNeedles) {
  Stream random(1, "nearest");
  int kinds[7] = {};
  for (int i = 0; i < 30000; ++i) {
    const Vec3 a = random_point(random), b = random_point(random);
    // The third corner near the line through the others: needles and caps down to a millionth.
    const double aspect = std::pow(10.0, random.uniform(-6, 0));
    const Vec3 c = a + random.uniform(-0.2, 1.2) * (b - a) + (aspect * norm(b - a)) * random_direction(random);
    const Mesh mesh = make_mesh(triangle(a, b, c));
    if (mesh.triangles.empty()) continue;  // no area
    // Half of them so close that the foot is often inside.
    const Vec3 x = i % 2 == 0
                       ? random_point(random, -2, 2)
                       : a + random.uniform() * (b - a) + random.uniform() * (c - a) + 0.1 * random_point(random);
    const NearestPoint near = nearest_on_triangle(mesh, 0, x);
    ++kinds[static_cast<int>(near.feature)];
    // The normal of a needle is uncertain by the rounding of its corners over its width.
    const double allowed = 4e-16 * (4 + 0.2 / aspect);
    EXPECT_NEAR(near.distance, static_cast<double>(reference_distance(a, b, c, x)), allowed) << i << " " << aspect;
    EXPECT_NEAR(norm(x - near.point), near.distance, 1e-14);
  }
  for (const int count : kinds) EXPECT_GT(count, 500);
}

TEST(NearestOnTriangle, NoOtherPointOfTheTriangleIsNearer) {
  Stream random(2, "nearest");
  for (int i = 0; i < 300; ++i) {
    const Vec3 a = random_point(random), b = random_point(random), c = random_point(random);
    const Mesh mesh = make_mesh(triangle(a, b, c));
    const Vec3 x = random_point(random, -2, 2);
    const double distance = nearest_on_triangle(mesh, 0, x).distance;
    // A random search that narrows down.
    double best = norm(x - a), s0 = 0, t0 = 0;
    for (double reach = 1; reach > 1e-6; reach *= 0.7) {
      for (int k = 0; k < 60; ++k) {
        const double s = std::clamp(s0 + random.uniform(-reach, reach), 0.0, 1.0);
        const double t = std::clamp(t0 + random.uniform(-reach, reach), 0.0, 1.0 - s);
        const double here = norm(x - (a + s * (b - a) + t * (c - a)));
        EXPECT_GE(here, distance - 1e-14);
        if (here < best) best = here, s0 = s, t0 = t;
      }
    }
    EXPECT_NEAR(best, distance, 1e-4);
  }
}

TEST(NearestOnTriangle, IsTheSameToTheBitFromBothSidesOfAnEdge) {
  Stream random(3, "nearest");
  int shared = 0;
  for (int i = 0; i < 3000; ++i) {
    const Vec3 a = random_point(random), b = random_point(random);
    const Mesh mesh = make_mesh(RawMesh{{a, b, random_point(random), random_point(random)}, {{0, 1, 2}, {1, 0, 3}}});
    const Vec3 x = random_point(random);
    const NearestPoint one = nearest_on_triangle(mesh, 0, x), other = nearest_on_triangle(mesh, 1, x);
    if (one.feature != Feature::kEdge0 || other.feature != Feature::kEdge0) continue;
    ++shared;
    EXPECT_EQ(one.distance, other.distance);
    EXPECT_EQ(one.point, other.point);
  }
  EXPECT_GT(shared, 100);
}

// ---- the tree ----

void expect_tree_finds_all(const RawMesh& raw, double reach, Stream& random, int points) {
  const Skin skin(raw);
  std::vector<std::uint32_t> found, all;
  std::size_t most = 0;
  for (int i = 0; i < points; ++i) {
    const Vec3 x = random_point(random, -1.2, 1.2);
    const double distance = i == 0 ? 10 : random.uniform(0, reach);
    skin.tree.near(x, distance, found);
    all.clear();
    for (std::uint32_t t = 0; t < skin.mesh.triangles.size(); ++t) {
      if (nearest_on_triangle(skin.mesh, t, x).distance < distance) all.push_back(t);
    }
    EXPECT_EQ(found, all);
    most = std::max(most, all.size());
  }
  EXPECT_EQ(most, skin.mesh.triangles.size());  // the first asks for all
}

TEST(MeshTree, FindsWhatASearchThroughAllFinds) {
  Stream random(4, "tree");
  for (const int count : {1, 2, 4, 5, 17, 400}) {
    RawMesh soup;
    for (int t = 0; t < count; ++t) {
      const Vec3 a = random_point(random);
      const double size = random.uniform(0.01, 0.6);
      soup = joined(std::move(soup), triangle(a, a + size * random_point(random), a + size * random_point(random)));
    }
    expect_tree_finds_all(soup, 0.5, random, 200);
  }
  expect_tree_finds_all(grid({-1, -1, 0}, {2, 0, 0}, {0, 2, 0}, 20, 20), 0.3, random, 300);  // many ties
  expect_tree_finds_all(icosphere(1, 3), 0.4, random, 300);
}

TEST(MeshTree, OfNothingFindsNothing) {
  const Skin skin{RawMesh{}};
  std::vector<std::uint32_t> found = {7};
  skin.tree.near({0, 0, 0}, 1, found);
  EXPECT_TRUE(found.empty());
  MeshTree().near({0, 0, 0}, 1, found);
  EXPECT_TRUE(skin.touches({0, 0, 0}, 1).empty());
}

TEST(MeshTree, CopiesStandAlone) {
  MeshTree copy;
  {
    const Skin skin(icosphere(1, 1));
    copy = skin.tree;
  }
  std::vector<std::uint32_t> found;
  copy.near({0, 0, 0}, 2, found);
  EXPECT_EQ(found.size(), 80u);
}

// ---- flat walls ----

// The rectangle -1..1 in u and v, cut by lines at random places (some almost on each other) with random diagonals.
struct Floor {
  Floor(Stream& random, int lines, const Vec3& u_, const Vec3& v_) : u(u_), v(v_), normal(math::cross(u, v)) {
    us = places(random, lines);
    vs = places(random, lines);
    const auto n = static_cast<std::uint32_t>(us.size());
    for (const double b : vs) {
      for (const double a : us) raw.vertices.push_back(a * u + b * v);
    }
    for (std::uint32_t j = 0; j + 1 < n; ++j) {
      for (std::uint32_t i = 0; i + 1 < n; ++i) {
        const std::uint32_t p = j * n + i, q = p + 1, r = p + n + 1, s = p + n;
        if (random.below(2) == 0) {
          raw.triangles.push_back({p, q, r});
          raw.triangles.push_back({s, p, r});
        } else {
          raw.triangles.push_back({p, q, s});
          raw.triangles.push_back({r, s, q});
        }
      }
    }
  }
  static std::vector<double> places(Stream& random, int lines) {
    std::vector<double> p = {-1, 1};
    for (int i = 0; i < lines; ++i) {
      p.push_back(random.uniform(-1, 1));
      p.push_back(p.back() * (1 - std::pow(10.0, random.uniform(-5, -1))));
    }
    std::sort(p.begin(), p.end());
    return p;
  }
  double narrowest() const {
    double least = 2;
    for (std::size_t i = 1; i < us.size(); ++i) least = std::min({least, us[i] - us[i - 1], vs[i] - vs[i - 1]});
    return least;
  }
  // Somewhere inside; often exactly on a seam or a vertex.
  Vec3 spot(Stream& random, double margin) const {
    double c[2];
    for (int k = 0; k < 2; ++k) {
      do {
        const auto& lines = k == 0 ? us : vs;
        c[k] = random.below(2) == 0 ? random.uniform(-1, 1) : lines[random.below(lines.size())];
      } while (std::fabs(c[k]) > 1 - margin);
    }
    return c[0] * u + c[1] * v;
  }
  Vec3 u, v, normal;
  std::vector<double> us, vs;
  RawMesh raw;
};

TEST(MeshTouching, AFlatWallIsAPlane) {
  Stream random(5, "flat");
  for (int mesh = 0; mesh < 12; ++mesh) {
    const bool tilted = mesh % 2 == 1;
    const Vec3 axis = random_direction(random);
    const auto turned = [&](const Vec3& w) { return tilted ? math::rotated(w, axis, 0.7) : w; };
    const Floor floor(random, 6, turned({1, 0, 0}), turned({0, 1, 0}));
    const Skin skin(floor.raw);
    ASSERT_EQ(skin.mesh.patches, 1u);
    ASSERT_EQ(skin.mesh.triangles.size(), floor.raw.triangles.size());
    const double radius = 0.1;
    for (int i = 0; i < 3000; ++i) {
      const double height = random.uniform(0.5, 0.9999) * radius * (random.below(2) == 0 ? 1 : -1);
      const Vec3 x = floor.spot(random, radius) + height * floor.normal;
      const auto touches = skin.touches(x, radius);
      ASSERT_EQ(touches.size(), 1u) << mesh << " " << i;
      EXPECT_NEAR(touches[0].distance, std::fabs(dot(x, floor.normal)), 1e-12 * radius);
      // The corners of a tilted wall are rounded, and a needle's normal is as uncertain as they are over its width.
      const double allowed = tilted ? 1e-15 + 1e-15 / floor.narrowest() : 1e-15;
      EXPECT_LT(norm(touches[0].k + (height > 0 ? floor.normal : -floor.normal)), allowed);
      EXPECT_EQ(touches[0].patch, 0u);
    }
  }
}

TEST(MeshTouching, TheDistanceIsContinuousAcrossASeam) {
  Stream random(6, "seam");
  const Skin skin(grid({-1, -1, 0.3}, {2, 0, 0}, {0, 2, 0}, 7, 5));
  const double radius = 0.25, height = 0.21;
  for (int i = 0; i < 2000; ++i) {
    const auto& c = skin.mesh.triangles[random.below(skin.mesh.triangles.size())];
    const auto side = random.below(3);
    const Vec3 a = skin.mesh.vertices[c[side]], b = skin.mesh.vertices[c[(side + 1) % 3]];
    const Vec3 on = a + (i % 10 == 0 ? 0 : random.uniform()) * (b - a);
    if (std::max(std::fabs(on[0]), std::fabs(on[1])) > 1 - radius) continue;
    const Vec3 direction = random_direction(random);
    for (const double off : {0.0, 1e-17, 1e-16, 1e-15, 1e-13, 1e-11, 1e-10, 1e-9, 1e-8, 1e-5}) {
      const auto touches = skin.touches(on + Vec3{off * direction[0], off * direction[1], height}, radius);
      ASSERT_EQ(touches.size(), 1u) << off;
      EXPECT_NEAR(touches[0].distance, height, 1e-12 * height) << off;
    }
  }
}

TEST(MeshTouching, ATouchBeginsWhereTheSphereReachesTheWall) {
  const Skin skin(grid({-1, -1, 0}, {2, 0, 0}, {0, 2, 0}, 3, 3));
  EXPECT_EQ(skin.touches({0.1, 0.2, 0.5}, 0.5).size(), 0u);
  EXPECT_EQ(skin.touches({0.1, 0.2, 0.5}, std::nextafter(0.5, 1)).size(), 1u);
}

// ---- boxes ----

std::size_t directions_along_axes(const std::vector<MeshTouch>& touches) {
  std::set<std::pair<int, bool>> seen;
  for (const MeshTouch& t : touches) {
    for (int k = 0; k < 3; ++k) {
      if (std::fabs(t.k[k]) > 1 - 1e-15) seen.insert({k, t.k[k] > 0});
    }
  }
  return seen.size();
}

TEST(MeshTouching, InsideABoxASphereTouchesEverySideOnce) {
  Stream random(7, "box");
  for (const int divisions : {1, 2, 5}) {
    const Skin skin(box({-1, -1, -1}, {1, 1, 1}, divisions));
    ASSERT_EQ(skin.mesh.patches, 6u);
    std::map<std::size_t, int> seen;
    for (int i = 0; i < 6000; ++i) {
      const double radius = 0.3;
      Vec3 x{};
      std::size_t sides = 0;
      for (int k = 0; k < 3; ++k) {
        const bool touches = random.below(2) == 0;
        const double place = touches ? 1 - random.uniform(0.1, 0.999) * radius : random.uniform(0, 0.69);
        x[k] = random.below(2) == 0 ? place : -place;
        sides += touches ? 1 : 0;
      }
      if (i % 3 == 0) x[0] = x[1];  // over the diagonals
      if (i % 3 == 0)
        sides =
            static_cast<std::size_t>(std::count_if(x.c, x.c + 3, [&](double c) { return std::fabs(c) > 1 - radius; }));
      const auto touches = skin.touches(x, radius);
      EXPECT_EQ(touches.size(), sides);
      EXPECT_EQ(directions_along_axes(touches), sides);
      for (const MeshTouch& t : touches) EXPECT_FALSE(t.at_edge && sides == 1 && divisions == 1 && x[0] != x[1]);
      ++seen[sides];
    }
    for (std::size_t sides = 0; sides <= 3; ++sides) EXPECT_GT(seen[sides], 200);
  }
}

TEST(MeshTouching, OutsideABoxASphereTouchesOnceWhereverItIs) {
  Stream random(8, "box");
  for (const int divisions : {1, 3}) {
    const Skin skin(box({-1, -1, -1}, {1, 1, 1}, divisions));
    std::map<int, int> seen;  // by how many coordinates are beyond the box
    for (int i = 0; i < 20000; ++i) {
      const double radius = 0.4;
      const Vec3 x = random_point(random, -1.4, 1.4);
      Vec3 away{};
      int beyond = 0;
      for (int k = 0; k < 3; ++k) {
        away[k] = x[k] - std::clamp(x[k], -1.0, 1.0);
        beyond += away[k] != 0 ? 1 : 0;
      }
      if (beyond == 0 || norm(away) >= radius) continue;
      // Deep enough to reach through to another side is not a touch from outside.
      const auto touches = skin.touches(x, radius);
      ASSERT_EQ(touches.size(), 1u) << x[0] << " " << x[1] << " " << x[2];
      EXPECT_NEAR(touches[0].distance, norm(away), 1e-15);
      EXPECT_LT(norm(touches[0].k + away * (1 / norm(away))), 1e-12 / norm(away) * radius);
      if (beyond > 1) {
        EXPECT_TRUE(touches[0].at_edge);
      }
      ++seen[beyond];
    }
    for (int beyond = 1; beyond <= 3; ++beyond) EXPECT_GT(seen[beyond], 200);
  }
}

// ---- folds ----

// Two rectangles that meet along the y axis, the second turned upwards by the angle out of the plane of the first.
RawMesh fold(double angle, int cuts = 3) {
  return joined(grid({-1, -1, 0}, {1, 0, 0}, {0, 2, 0}, cuts, cuts + 1),
                grid({0, -1, 0}, {std::cos(angle), 0, std::sin(angle)}, {0, 2, 0}, cuts, cuts + 1));
}

TEST(MeshTouching, InAConcaveFoldThereAreTwoTouches) {
  Stream random(9, "fold");
  for (const double degrees : {35.0, 60.0, 90.0, 120.0}) {
    const double angle = degrees * math::kPi / 180, radius = 0.1;
    const Skin skin(fold(angle));
    EXPECT_EQ(skin.mesh.patches, 2u);
    const Vec3 normals[2] = {{0, 0, 1}, {-std::sin(angle), 0, std::cos(angle)}};
    for (int i = 0; i < 500; ++i) {
      // Where the distances from the planes are h and g.
      const double h = radius * random.uniform(0.95, 1.05), g = radius * random.uniform(0.95, 1.05);
      const Vec3 x{-(g - h * std::cos(angle)) / std::sin(angle), random.uniform(-0.8, 0.8), h};
      const auto touches = skin.touches(x, radius);
      ASSERT_EQ(touches.size(), (h < radius ? 1u : 0u) + (g < radius ? 1u : 0u)) << degrees << " " << h << " " << g;
      for (const MeshTouch& t : touches) {
        const int which = norm(t.k + normals[0]) < 1e-12 ? 0 : 1;
        EXPECT_LT(norm(t.k + normals[which]), 1e-12);
        EXPECT_NEAR(t.distance, which == 0 ? h : g, 1e-13);
      }
      if (touches.size() == 2) {
        EXPECT_LE(touches[0].distance, touches[1].distance);
        EXPECT_NE(touches[0].patch, touches[1].patch);
      }
    }
  }
}

TEST(MeshTouching, OverAConvexFoldThereIsOneTouch) {
  Stream random(10, "fold");
  for (const double degrees : {5.0, 29.0, 31.0, 60.0, 90.0, 150.0}) {
    const double angle = -degrees * math::kPi / 180, radius = 0.1;
    const Skin skin(fold(angle));
    for (int i = 0; i < 1000; ++i) {
      const double turn = random.uniform(angle - 0.25, 0.25), d = random.uniform(0.8, 0.999) * radius;
      const double along = random.uniform(-0.8, 0.8);
      const Vec3 x{-d * std::sin(turn), along, d * std::cos(turn)};
      const auto touches = skin.touches(x, radius);
      ASSERT_EQ(touches.size(), 1u) << degrees << " " << turn;
      EXPECT_NEAR(touches[0].distance, skin.distance(x), 1e-15);
      if (turn < 0 && turn > angle) {
        EXPECT_TRUE(touches[0].at_edge);
        EXPECT_NEAR(touches[0].distance, d, 1e-15);
        EXPECT_LT(norm(touches[0].k + x * (1 / d) - Vec3{0, along / d, 0}), 1e-14);
        EXPECT_EQ(touches[0].patch, 0u);  // whichever triangle was first
      }
    }
  }
}

TEST(MeshTouching, AGentleConcaveFoldIsOneSurface) {
  Stream random(11, "fold");
  const double angle = 20 * math::kPi / 180, radius = 0.1;
  const Skin smooth(fold(angle)), sharp(fold(angle), 10 * math::kPi / 180);
  EXPECT_EQ(smooth.mesh.patches, 1u);
  EXPECT_EQ(sharp.mesh.patches, 2u);
  int both = 0;
  for (int i = 0; i < 500; ++i) {
    const double h = 0.99 * radius;
    const Vec3 x{random.uniform(-0.1, 0.1) * radius - radius * std::tan(0.5 * angle), random.uniform(-0.8, 0.8), h};
    const auto one = smooth.touches(x, radius);
    ASSERT_EQ(one.size(), 1u);
    EXPECT_NEAR(one[0].distance, smooth.distance(x), 1e-15);
    both += sharp.touches(x, radius).size() == 2 ? 1 : 0;
  }
  EXPECT_GT(both, 100);
}

TEST(MeshTouching, TheFoldAngleDoesNotDependOnOrientation) {
  RawMesh raw = fold(0.2);
  for (std::size_t t = 0; t < raw.triangles.size(); t += 2) std::swap(raw.triangles[t][0], raw.triangles[t][1]);
  const Skin skin(raw);
  EXPECT_EQ(skin.mesh.patches, 1u);
  for (int i = 0; i <= 100; ++i) EXPECT_EQ(skin.touches({-0.5 + 0.01 * i, 0.013, 0.27}, 0.2699 + 0.003).size(), 1u);
}

// ---- curved surfaces, rims ----

TEST(MeshTouching, InsideAndOutsideACurvedSurfaceThereIsOneTouch) {
  Stream random(12, "sphere");
  for (const int level : {2, 3, 4}) {
    const Skin skin(icosphere(1, level));
    EXPECT_EQ(skin.mesh.patches, 1u);
    for (int i = 0; i < 8000 >> level; ++i) {
      // To the vertices and the middles of edges too, exactly.
      const auto& c = skin.mesh.triangles[random.below(skin.mesh.triangles.size())];
      Vec3 direction = i % 4 == 0   ? skin.mesh.vertices[c[0]]
                       : i % 4 == 1 ? 0.5 * (skin.mesh.vertices[c[0]] + skin.mesh.vertices[c[1]])
                                    : random_direction(random);
      const double radius = random.uniform(0.01, 0.5), depth = random.uniform(0.0, 0.02) * radius;
      direction *= 1 / norm(direction);
      for (const double place : {1 - radius, 1 + radius}) {
        // Moved along the ray until it overlaps by the depth.
        Vec3 x = place * direction;
        x += (skin.distance(x) - radius + depth) * (place < 1 ? 1 : -1) * direction;
        const auto touches = skin.touches(x, radius);
        const double distance = skin.distance(x);
        ASSERT_EQ(touches.size(), distance < radius ? 1u : 0u) << level << " " << radius << " " << place;
        if (touches.empty()) continue;
        EXPECT_NEAR(touches[0].distance, distance, 1e-15);
      }
    }
  }
}

TEST(MeshTouching, AtTheRimOfAnOpenWallThereIsOneTouch) {
  Stream random(13, "rim");
  const Skin skin(grid({-1, -1, 0}, {2, 0, 0}, {0, 2, 0}, 4, 4));
  int at_rim = 0, at_corner = 0;
  for (int i = 0; i < 5000; ++i) {
    const double radius = 0.2;
    const Vec3 x{random.uniform(0.7, 1.2), random.uniform(0.7, 1.2), random.uniform(-0.2, 0.2)};
    const Vec3 away{std::max(x[0] - 1, 0.0), std::max(x[1] - 1, 0.0), x[2]};
    const auto touches = skin.touches(x, radius);
    ASSERT_EQ(touches.size(), norm(away) < radius ? 1u : 0u);
    if (touches.empty()) continue;
    EXPECT_NEAR(touches[0].distance, norm(away), 1e-15);
    EXPECT_LT(norm(touches[0].distance * touches[0].k + away), 1e-15);
    at_rim += away[0] > 0 || away[1] > 0 ? 1 : 0;
    at_corner += away[0] > 0 && away[1] > 0 ? 1 : 0;
  }
  EXPECT_GT(at_rim, 500);
  EXPECT_GT(at_corner, 100);
}

// The floor on one side has more vertices at the seam than on the other, with or without the slivers between.
TEST(MeshTouching, ASeamWithHangingVerticesIsNoRidge) {
  Stream random(14, "seam");
  for (const bool slivers : {false, true}) {
    RawMesh raw = joined(grid({-1, -1, 0}, {1, 0, 0}, {0, 2, 0}, 1, 1), grid({0, -1, 0}, {1, 0, 0}, {0, 2, 0}, 4, 4));
    if (slivers) {
      // From the long edge to the short ones: three triangles of no area.
      const auto add = [&](double a, double b, double c) {
        raw = joined(std::move(raw), triangle({0, a, 0}, {0, b, 0}, {0, c, 0}));
      };
      add(-1, 0, 1);
      add(-1, -0.5, 0);
      add(0, 0.5, 1);
    }
    const Skin skin(raw);
    EXPECT_EQ(skin.mesh.triangles.size(), 34u);
    EXPECT_EQ(skin.mesh.patches, slivers ? 1u : 2u);
    for (int i = 0; i < 3000; ++i) {
      const Vec3 x{i % 3 == 0 ? 0.0 : random.uniform(-0.15, 0.15), random.uniform(-0.8, 0.8),
                   random.uniform(0.1, 0.199)};
      const auto touches = skin.touches(x, 0.2);
      ASSERT_EQ(touches.size(), 1u) << slivers << " " << x[0] << " " << x[1];
      EXPECT_NEAR(touches[0].distance, x[2], 1e-13);
    }
  }
}

// Candidates may lack the triangle below the sphere; its neighbour's edge is no touch all the same.
TEST(MeshTouching, NeighboursCountEvenIfTheyAreNoCandidates) {
  const Mesh mesh = make_mesh(
      joined(grid({-1, -1, 0}, {2, 0, 0}, {0, 2, 0}, 1, 1), grid({-1, -1, 0.15}, {2, 0, 0}, {0, 2, 0}, 1, 1)));
  const Vec3 x{0.01, -0.01, 0.08};  // over triangle 0, near the diagonal; the ceiling is nearer
  std::vector<MeshTouch> out;
  const auto touched = [&](const std::vector<std::uint32_t>& candidates) {
    touching(mesh, candidates, x, 0.1, out);
    std::vector<std::uint32_t> triangles;
    for (const MeshTouch& t : out) triangles.push_back(t.triangle);
    return triangles;
  };
  EXPECT_EQ(touched({0, 1, 2, 3}), (std::vector<std::uint32_t>{2, 0}));
  EXPECT_EQ(touched({1, 2}), (std::vector<std::uint32_t>{2}));
  EXPECT_EQ(touched({1}), (std::vector<std::uint32_t>{1}));  // the nearest always counts
}

TEST(MeshTouching, WhereThreeSheetsMeetEachIsTouched) {
  // A floor with a wall standing on it, all welded: the edge has four triangles or three, and the floor stays smooth.
  const Skin skin(joined(grid({-1, -1, 0}, {2, 0, 0}, {0, 2, 0}, 2, 2), grid({0, -1, 0}, {0, 2, 0}, {0, 0, 1}, 2, 1)));
  EXPECT_EQ(skin.mesh.patches, 2u);
  EXPECT_EQ(skin.touches({0.09, 0.3, 0.09}, 0.1).size(), 2u);
  EXPECT_EQ(skin.touches({0.11, 0.3, 0.09}, 0.1).size(), 1u);
  EXPECT_EQ(skin.touches({0.09, 0.3, 0.11}, 0.1).size(), 1u);
  EXPECT_EQ(skin.touches({-0.09, -0.3, 0.09}, 0.1).size(), 2u);
  EXPECT_EQ(skin.touches({0.01, 0.3, -0.09}, 0.1).size(), 1u);  // from below there is no wall
  EXPECT_EQ(skin.touches({0.0, 0.3, -0.09}, 0.1).size(), 1u);
}

TEST(MeshTouching, ACentreOnTheSurfaceIsPushedToTheSideOfTheNormal) {
  for (const RawMesh& raw : {box({-1, -1, -1}, {1, 1, 1}, 2), grid({0, 0, 0}, {1, 0.3, 0}, {0, 1, 0.7}, 3, 3)}) {
    const Skin skin(raw);
    const auto expect_sound = [&](const Vec3& x, std::uint32_t t) {
      for (const double scale : {0.0, 1e-320, 1e-200, 1e-160, 1e-150, 1e-100, 1e-18}) {
        const auto touches = skin.touches(x + scale * skin.mesh.normals[t], 0.1);
        ASSERT_GE(touches.size(), 1u);
        EXPECT_TRUE(math::is_finite(touches[0].k));
        EXPECT_NEAR(norm(touches[0].k), 1, 1e-12);
        EXPECT_LE(touches[0].distance, 1e-15);
      }
    };
    for (std::uint32_t t = 0; t < skin.mesh.triangles.size(); ++t) {
      const Corners& c = skin.mesh.triangles[t];
      const Vec3 &a = skin.mesh.vertices[c[0]], &b = skin.mesh.vertices[c[1]], &d = skin.mesh.vertices[c[2]];
      expect_sound(a, t);
      expect_sound(0.5 * (a + b), t);
      expect_sound((1.0 / 3) * (a + b + d), t);
    }
  }
  const Skin floor(grid({-1, -1, 0}, {2, 0, 0}, {0, 2, 0}, 2, 2));
  for (const Vec3& x : {Vec3{0.1, 0.3, 0}, Vec3{0, 0, 0}, Vec3{0.5, 0.5, 0}, Vec3{0.5, 0, 0}}) {
    const auto touches = floor.touches(x, 0.1);
    ASSERT_EQ(touches.size(), 1u);
    EXPECT_EQ(touches[0].k, (Vec3{0, 0, -1}));
    EXPECT_EQ(touches[0].distance, 0);
  }
}

// ---- against a dense sampling of the surface ----

struct Sample {
  Vec3 point;
  double distance;
};

std::vector<Sample> samples_near(const Mesh& mesh, const Vec3& x, double radius, double spacing) {
  std::vector<Sample> samples;
  for (std::uint32_t t = 0; t < mesh.triangles.size(); ++t) {
    if (nearest_on_triangle(mesh, t, x).distance >= radius) continue;
    const Corners& c = mesh.triangles[t];
    const Vec3 a = mesh.vertices[c[0]], u = mesh.vertices[c[1]] - a, v = mesh.vertices[c[2]] - a;
    const int n = static_cast<int>(std::ceil(std::max({norm(u), norm(v), norm(u - v)}) / spacing));
    for (int i = 0; i <= n; ++i) {
      for (int j = 0; i + j <= n; ++j) {
        const Vec3 point = a + (static_cast<double>(i) / n) * u + (static_cast<double>(j) / n) * v;
        const double distance = norm(x - point);
        if (distance < radius) samples.push_back({point, distance});
      }
    }
  }
  std::sort(samples.begin(), samples.end(), [](const Sample& p, const Sample& q) { return p.distance < q.distance; });
  return samples;
}

// Samples with no lower one within the reach.
std::vector<Sample> lowest_samples(const std::vector<Sample>& samples, double reach) {
  std::map<std::array<int, 3>, std::vector<Vec3>> seen;
  std::vector<Sample> lowest;
  for (const Sample& s : samples) {
    std::array<int, 3> cell{};
    for (int k = 0; k < 3; ++k) cell[k] = static_cast<int>(std::floor(s.point[k] / reach));
    bool is_lowest = true;
    for (int i = 0; i < 27 && is_lowest; ++i) {
      const auto at = seen.find({cell[0] + i % 3 - 1, cell[1] + i / 3 % 3 - 1, cell[2] + i / 9 - 1});
      if (at == seen.end()) continue;
      is_lowest =
          std::none_of(at->second.begin(), at->second.end(), [&](const Vec3& p) { return norm(p - s.point) < reach; });
    }
    if (is_lowest) lowest.push_back(s);
    seen[cell].push_back(s.point);
  }
  return lowest;
}

// How fast the distance from x grows from a point towards a random other point of the triangle.
double slope(const Mesh& mesh, std::uint32_t t, const Vec3& point, const Vec3& x, Stream& random) {
  const Corners& c = mesh.triangles[t];
  double s = random.uniform(), r = random.uniform();
  if (s + r > 1) s = 1 - s, r = 1 - r;
  const Vec3 a = mesh.vertices[c[0]];
  const Vec3 to = a + s * (mesh.vertices[c[1]] - a) + r * (mesh.vertices[c[2]] - a) - point;
  const double step = 1e-7;
  return (norm(x - (point + (step / norm(to)) * to)) - norm(x - point)) / step;
}

TEST(MeshTouching, TouchesAreTheLocalMinimaOfTheDistance) {
  Stream random(15, "minima");
  std::map<std::size_t, int> seen;
  for (int k = 0; k < 12; ++k) {
    RawMesh raw = icosphere(1, 1);  // dented at random: sharp ridges and valleys
    for (Vec3& v : raw.vertices) v *= random.uniform(0.55, 1.3);
    const Skin skin(raw, 0);  // no two touches count as one
    for (int i = 0; i < 40; ++i) {
      // Near the surface: often near an edge or a vertex.
      const double radius = random.uniform(0.05, 0.15), spacing = 0.02 * radius, reach = 4 * spacing;
      const Corners& c = skin.mesh.triangles[random.below(skin.mesh.triangles.size())];
      const Vec3 a = skin.mesh.vertices[c[0]], b = skin.mesh.vertices[c[1]];
      const Vec3 x = a + (i % 2 == 0 ? 0 : random.uniform()) * (b - a) + radius * random_point(random);
      const auto touches = skin.touches(x, radius);
      const auto samples = samples_near(skin.mesh, x, radius, spacing);
      const auto lowest = lowest_samples(samples, reach);
      // From a touch the distance grows, or stays level, along all triangles that meet there.
      for (const MeshTouch& t : touches) {
        const Vec3 point = x + t.distance * t.k;
        for (std::uint32_t other = 0; other < skin.mesh.triangles.size(); ++other) {
          if (nearest_on_triangle(skin.mesh, other, point).distance > 1e-12) continue;
          for (int m = 0; m < 50; ++m) EXPECT_GT(slope(skin.mesh, other, point, x, random), -1e-5) << k << " " << i;
        }
      }
      // Every lowest sample that is not at the limit of the sphere is at a touch.
      for (const Sample& s : lowest) {
        if (s.distance > radius - reach) continue;
        const bool found = std::any_of(touches.begin(), touches.end(), [&](const MeshTouch& t) {
          return norm(x + t.distance * t.k - s.point) < reach;
        });
        EXPECT_TRUE(found) << k << " " << i << " at " << s.distance / radius;
      }
      ++seen[touches.size()];
    }
  }
  EXPECT_GT(seen[1], 50);
  EXPECT_GT(seen[2], 50);
  EXPECT_GT(seen[3], 10);
}

// ---- findings ----

const MeshFinding* find(const std::vector<MeshFinding>& findings, MeshFinding::Kind kind) {
  for (const MeshFinding& f : findings) {
    if (f.kind == kind) return &f;
  }
  return nullptr;
}

std::vector<MeshFinding> check(const RawMesh& raw) { return check_mesh(raw.vertices, raw.triangles); }

TEST(MeshFindings, NoneForASoundClosedMesh) {
  EXPECT_TRUE(check(box({0, 0, 0}, {1, 2, 3}, 4)).empty());
  EXPECT_TRUE(check(icosphere(2, 2)).empty());
  EXPECT_TRUE(check(hourglass(1, 0.2, 3, 24, 16, true, true)).empty());
}

TEST(MeshFindings, RepeatedVerticesAreWelded) {
  const RawMesh one = icosphere(0.01, 2);
  RawMesh torn;  // as an STL file has it, with the last digits of some disturbed
  Stream random(16, "weld");
  for (const Corners& c : one.triangles) {
    for (const std::uint32_t i : c) torn.vertices.push_back(one.vertices[i] + 4e-12 * random_point(random));
    const auto n = static_cast<std::uint32_t>(torn.vertices.size());
    torn.triangles.push_back({n - 3, n - 2, n - 1});
  }
  const Mesh mesh = make_mesh(torn);
  EXPECT_EQ(mesh.vertices.size(), one.vertices.size());
  EXPECT_TRUE(mesh.findings.empty());
  EXPECT_EQ(mesh.patches, 1u);
  EXPECT_EQ(mesh.edge_begin.size() - 1, one.triangles.size() * 3 / 2);
}

TEST(MeshFindings, OpenEdgesAreCountedByLoops) {
  const auto findings = check(tube({0, 0, 0}, {0, 0, 2}, 1, 0.5, 3, 12, 2));
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].kind, MeshFinding::kOpenEdge);
  EXPECT_EQ(findings[0].count, 24u);
  EXPECT_NE(findings[0].text.find("24 edges in 2 loops"), std::string::npos) << findings[0].text;
  RawMesh holed = box({0, 0, 0}, {1, 1, 1}, 3);
  holed.triangles.erase(holed.triangles.begin() + 4);
  const auto hole = check(holed);
  ASSERT_EQ(hole.size(), 1u);
  EXPECT_EQ(hole[0].count, 3u);
  EXPECT_NE(hole[0].text.find("1 loop "), std::string::npos) << hole[0].text;
}

TEST(MeshFindings, TrianglesThatCannotBeUsedAreNamedAndLeftOut) {
  RawMesh raw = box({0, 0, 0}, {1, 1, 1}, 1);
  const auto n = static_cast<std::uint32_t>(raw.vertices.size());
  raw.vertices.push_back({std::nan(""), 0, 0});
  raw.vertices.push_back({0, 1e200, 0});
  raw.vertices.push_back({0.5, 0.5, 0});
  raw.triangles.push_back({0, 1, n});         // 13: NaN
  raw.triangles.push_back({0, 1, n + 1});     // 14: too far to compute with
  raw.triangles.push_back({0, 1, n + 3});     // 15: no such vertex
  raw.triangles.push_back({0, 0, 1});         // 16: a line
  raw.triangles.push_back(raw.triangles[4]);  // 17: a twin of 5
  std::swap(raw.triangles.back()[0], raw.triangles.back()[1]);
  const Mesh mesh = make_mesh(raw);
  EXPECT_EQ(mesh.triangles.size(), 12u);
  EXPECT_EQ(mesh.findings.size(), 4u);
  const auto expect = [&](MeshFinding::Kind kind, const std::vector<std::uint64_t>& triangles) {
    const MeshFinding* f = find(mesh.findings, kind);
    ASSERT_NE(f, nullptr) << kind;
    EXPECT_EQ(f->count, triangles.size());
    EXPECT_EQ(f->first, triangles);
    EXPECT_TRUE(f->left_out());
    EXPECT_NE(f->text.find(std::to_string(triangles[0])), std::string::npos) << f->text;
  };
  expect(MeshFinding::kNotFinite, {13, 14});
  expect(MeshFinding::kBadIndex, {15});
  expect(MeshFinding::kDegenerate, {16});
  expect(MeshFinding::kDuplicate, {17});
  EXPECT_EQ(mesh.min, (Vec3{0, 0, 0}));
  EXPECT_EQ(mesh.max, (Vec3{1, 1, 1}));
}

TEST(MeshFindings, ASliverIsLeftOutButLeavesNoHole) {
  // The tetrahedron's edge from 0 to 1 has a vertex in the middle, known to one side only; a sliver closes it.
  RawMesh raw;
  raw.vertices = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0.5, 0, 0}};
  raw.triangles = {{0, 2, 1}, {1, 2, 3}, {0, 3, 2}, {0, 4, 3}, {4, 1, 3}, {0, 1, 4}};
  const Mesh mesh = make_mesh(raw);
  ASSERT_EQ(mesh.findings.size(), 1u) << mesh.findings[1].text;
  EXPECT_EQ(mesh.findings[0].kind, MeshFinding::kDegenerate);
  EXPECT_EQ(mesh.findings[0].first, std::vector<std::uint64_t>{6});
  EXPECT_EQ(mesh.triangles.size(), 5u);
  EXPECT_EQ(mesh.patches, 4u);
}

TEST(MeshFindings, FlippedAndInsideOut) {
  RawMesh raw = box({0, 0, 0}, {1, 1, 1}, 2);
  std::swap(raw.triangles[7][0], raw.triangles[7][1]);
  const auto flipped = check(raw);
  ASSERT_EQ(flipped.size(), 1u);
  EXPECT_EQ(flipped[0].kind, MeshFinding::kInconsistentOrientation);
  EXPECT_EQ(flipped[0].count, 3u);
  EXPECT_NE(std::find(flipped[0].first.begin(), flipped[0].first.end(), 8u), flipped[0].first.end());
  EXPECT_FALSE(flipped[0].left_out());

  RawMesh inside_out = box({5, 5, 5}, {6, 6, 6}, 2);
  for (Corners& c : inside_out.triangles) std::swap(c[0], c[1]);
  const auto findings = check(inside_out);
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].kind, MeshFinding::kInsideOut);
}

TEST(MeshFindings, EdgesOfManyTriangles) {
  RawMesh raw = box({0, 0, 0}, {1, 1, 1}, 1);
  raw = joined(std::move(raw), triangle({0, 0, 0}, {1, 0, 0}, {0, -1, -1}));
  const Mesh mesh = make_mesh(raw);
  const MeshFinding* many = find(mesh.findings, MeshFinding::kNonManifold);
  ASSERT_NE(many, nullptr);
  EXPECT_EQ(many->count, 1u);
  EXPECT_EQ(many->first.size(), 3u);
  EXPECT_EQ(many->first.back(), 13u);
  const auto at = std::find(mesh.neighbours.back().begin(), mesh.neighbours.back().end(), kMany);
  ASSERT_NE(at, mesh.neighbours.back().end());
  EXPECT_EQ(mesh.at_edge(mesh.edges.back()[at - mesh.neighbours.back().begin()]).size(), 3u);
}

TEST(MeshFindings, Emptiness) {
  EXPECT_EQ(check({}).at(0).kind, MeshFinding::kEmpty);
  const auto findings = check(RawMesh{{{0, 0, 0}, {1, 0, 0}}, {{0, 1, 1}}});
  EXPECT_NE(find(findings, MeshFinding::kEmpty), nullptr);
  EXPECT_NE(find(findings, MeshFinding::kDegenerate), nullptr);
  EXPECT_EQ(check(RawMesh{{{2, 2, 2}}, {{0, 0, 0}}}).at(0).kind, MeshFinding::kEmpty);  // a box of no size
}

// ---- the mesh itself, and the shapes ----

TEST(Mesh, NeighboursShareTheEdge) {
  const Mesh mesh = make_mesh(hourglass(1, 0.3, 2, 20, 10, true));
  int open = 0;
  for (std::uint32_t t = 0; t < mesh.triangles.size(); ++t) {
    for (std::uint32_t side = 0; side < 3; ++side) {
      const std::uint32_t other = mesh.neighbours[t][side];
      const auto at_edge = mesh.at_edge(mesh.edges[t][side]);
      EXPECT_NE(std::find(at_edge.begin(), at_edge.end(), t), at_edge.end());
      open += other == kNone ? 1 : 0;
      if (other == kNone) continue;
      ASSERT_LT(other, mesh.triangles.size());
      const auto& back = mesh.neighbours[other];
      EXPECT_NE(std::find(back.begin(), back.end(), t), back.end());
      for (const std::uint32_t end : {mesh.triangles[t][side], mesh.triangles[t][(side + 1) % 3]}) {
        EXPECT_NE(std::find(mesh.triangles[other].begin(), mesh.triangles[other].end(), end),
                  mesh.triangles[other].end());
        const auto fan = mesh.at_vertex(end);
        EXPECT_NE(std::find(fan.begin(), fan.end(), other), fan.end());
      }
    }
  }
  EXPECT_EQ(open, 20);
  EXPECT_EQ(mesh.vertex_members.size(), 3 * mesh.triangles.size());
}

double volume_of(const Mesh& mesh) {
  double volume = 0;
  for (const Corners& c : mesh.triangles)
    volume += dot(mesh.vertices[c[0]], math::cross(mesh.vertices[c[1]], mesh.vertices[c[2]])) / 6;
  return volume;
}

double area_of(const Mesh& mesh) {
  double area = 0;
  for (const Corners& c : mesh.triangles) {
    const Vec3& a = mesh.vertices[c[0]];
    area += 0.5 * norm(math::cross(mesh.vertices[c[1]] - a, mesh.vertices[c[2]] - a));
  }
  return area;
}

TEST(MeshShapes, HaveTheirVolumesAreasAndPatches) {
  const Mesh cube = make_mesh(box({-1, 0, 2}, {1, 1, 5}, 3));
  EXPECT_NEAR(volume_of(cube), 6, 1e-13);
  EXPECT_EQ(cube.patches, 6u);

  const Mesh ball = make_mesh(icosphere(2, 4));
  EXPECT_EQ(ball.triangles.size(), 20u * 256);
  EXPECT_NEAR(volume_of(ball), 4.0 / 3 * math::kPi * 8, 0.2);
  EXPECT_EQ(make_mesh(icosphere(1, 0)).patches, 20u);  // 41.8 degrees

  const Mesh pipe = make_mesh(tube({1, 2, 3}, {1, 1, 1}, 0.5, 0.5, 2, 64, 3));
  EXPECT_NEAR(area_of(pipe), 2 * math::kPi * 0.5 * 2, 0.01);
  EXPECT_EQ(pipe.patches, 1u);
  EXPECT_EQ(make_mesh(tube({0, 0, 0}, {0, 0, 1}, 1, 1, 1, 12, 1)).patches, 1u);  // 30 degrees, all round
  EXPECT_EQ(make_mesh(tube({0, 0, 0}, {0, 0, 1}, 1, 1, 1, 11, 1)).patches, 11u);

  const Mesh cone = make_mesh(tube({0, 0, 0}, {0, 0, 1}, 1, 0, 1, 48, 1));
  EXPECT_EQ(cone.triangles.size(), 48u);
  for (const Vec3& n : cone.normals) EXPECT_GT(n[2], 0);

  const Mesh glass = make_mesh(hourglass(1, 0.25, 4, 96, 64, true, true));
  EXPECT_EQ(glass.patches, 3u);
  // The integral of pi (n + (R - n)(1 + cos)/2)^2 over the height, n = 1/4: of the constants 5/8 and 3/8.
  EXPECT_NEAR(volume_of(glass), math::kPi * 4 * (0.625 * 0.625 + 0.5 * 0.375 * 0.375), 0.02);
  double narrowest = 1;
  for (const Vec3& v : glass.vertices) {
    if (v[2] == 0) narrowest = std::min(narrowest, std::hypot(v[0], v[1]));
  }
  EXPECT_NEAR(narrowest, 0.25, 1e-12);

  const Mesh flat = make_mesh(grid({0, 0, 0}, {2, 0, 0}, {0, 3, 0}, 4, 2));
  EXPECT_NEAR(area_of(flat), 6, 1e-14);
  for (const Vec3& n : flat.normals) EXPECT_EQ(n, (Vec3{0, 0, 1}));
}

}  // namespace
}  // namespace moraine::shape
