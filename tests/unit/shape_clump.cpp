// SPDX-License-Identifier: MIT
// Mass properties of unions of disks and spheres: against closed forms, against random points, and when turned.
#include "shape/clump.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numeric>
#include <stdexcept>

#include "base/random.hpp"

namespace {

namespace m = moraine::math;
using m::Vec2;
using m::Vec3;
using moraine::base::Stream;
using moraine::shape::loose_members;
using moraine::shape::MassProperties;
using moraine::shape::Member;
using moraine::shape::union_properties;
using Disks = std::vector<Member<2>>;
using Spheres = std::vector<Member<3>>;
constexpr double kPi = m::kPi;

// ---- 2D: sums and differences of disks and segments of disks ----

struct Plane {
  double area = 0;
  Vec2 first{};
  double polar = 0;  // about the origin
};

void add(Plane& sum, double sign, double area, const Vec2& about, const Vec2& first, double polar) {
  sum.area += sign * area;
  sum.first += sign * (first + area * about);
  sum.polar += sign * (polar + 2 * dot(about, first) + area * norm2(about));
}

void add_disk(Plane& sum, const Member<2>& d) {
  const double r2 = d.radius * d.radius;
  add(sum, 1, kPi * r2, d.x, {0, 0}, kPi * r2 * r2 / 2);
}

// The segment of a disk beyond a chord at the distance p from the centre, in the direction e: sector less triangle.
void remove_segment(Plane& sum, const Member<2>& d, const Vec2& e, double p) {
  const double r = d.radius, angle = std::acos(p / r), h = r * std::sin(angle);
  const double area = r * r * angle - p * h, first = 2 * h * h * h / 3;
  const double polar = r * r * r * r * angle / 2 - h * p * p * p / 2 - h * h * h * p / 6;
  add(sum, -1, area, d.x, first * e, polar);
}

void remove_lens(Plane& sum, const Member<2>& a, const Member<2>& b) {
  const double d = norm(b.x - a.x), p = (d * d + a.radius * a.radius - b.radius * b.radius) / (2 * d);
  const Vec2 e = (b.x - a.x) * (1 / d);
  remove_segment(sum, a, e, p);
  remove_segment(sum, b, -e, d - p);
}

void expect_plane(const Disks& disks, const Plane& is, double tolerance) {
  const MassProperties<2> p = union_properties(disks);
  EXPECT_NEAR(p.measure / is.area, 1, tolerance);
  for (int k = 0; k < 2; ++k) EXPECT_NEAR(p.centre[k], is.first[k] / is.area, tolerance * p.outer) << k;
  EXPECT_NEAR(p.inertia / (is.polar - norm2(is.first) / is.area), 1, tolerance);
  EXPECT_EQ(p.axes, 0);
  EXPECT_LT(p.error, 1e-12);
  EXPECT_GT(p.error, 0);
  double outer = 0;
  for (const auto& d : disks) outer = std::max(outer, norm(d.x - p.centre) + d.radius);
  EXPECT_EQ(p.outer, outer);
}

TEST(ShapeClump, OneDisk) {
  const auto p = union_properties<2>({{{3, -2}, 0.7}});
  EXPECT_NEAR(p.measure, kPi * 0.49, 1e-15);
  EXPECT_EQ(p.centre, (Vec2{3, -2}));
  EXPECT_NEAR(p.inertia, kPi * 0.49 * 0.49 / 2, 1e-15);
  EXPECT_EQ(p.outer, 0.7);
}

TEST(ShapeClump, TwoDisksAreTheirSumLessTheLens) {
  Stream random(1, "two disks");
  for (int k = 0; k < 500; ++k) {
    const Member<2> a{{random.uniform(-1, 1), random.uniform(-1, 1)}, random.uniform(0.3, 1.5)};
    const double r = random.uniform(0.3, 1.5), least = std::fabs(r - a.radius), angle = random.uniform(0, 2 * kPi);
    const double d = least + random.uniform(0.01, 0.99) * (r + a.radius - least);
    const Member<2> b{a.x + d * Vec2{std::cos(angle), std::sin(angle)}, r};
    Plane is;
    add_disk(is, a);
    add_disk(is, b);
    remove_lens(is, a, b);
    expect_plane({a, b}, is, 2e-13);
  }
}

TEST(ShapeClump, AHoleIsNoPartOfTheUnion) {
  // Six disks round a hexagon: neighbours overlap, the middle stays free.
  Disks ring;
  Plane is;
  for (int k = 0; k < 6; ++k) {
    ring.push_back({{5 + 2 * std::cos(k * kPi / 3), 2 * std::sin(k * kPi / 3)}, 1.1});
    add_disk(is, ring.back());
  }
  for (std::size_t k = 0; k < 6; ++k) remove_lens(is, ring[k], ring[(k + 1) % 6]);
  expect_plane(ring, is, 1e-13);
  // A disk in the hole that touches nothing, and one that fills it.
  ring.push_back({{5, 0}, 0.5});
  add_disk(is, ring.back());
  expect_plane(ring, is, 1e-13);
  ring.back().radius = 2.5;
  const double full = union_properties(ring).measure;
  EXPECT_GT(full, kPi * 2.5 * 2.5);
  EXPECT_LT(full, kPi * 3.1 * 3.1);
}

TEST(ShapeClump, MembersInsideOthersAndEqualOnesCountOnce) {
  const Member<2> a{{1, 2}, 1}, b{{1.9, 2.4}, 0.6};
  Plane is;
  add_disk(is, a);
  add_disk(is, b);
  remove_lens(is, a, b);
  expect_plane({a, b, a, b, a}, is, 1e-14);
  expect_plane({{{1.1, 2.1}, 0.5}, a, {{1, 2}, 0.9}, b, {{1.9, 2.4}, 0.1}}, is, 1e-14);
}

TEST(ShapeClump, TouchingDisksAreTheirSum) {
  Stream random(2, "touching");
  for (int k = 0; k < 500; ++k) {
    // A disk, one that touches it from outside, one that touches it from inside at the same point.
    const double angle = random.uniform(0, 2 * kPi), r = random.uniform(0.2, 2), inner = random.uniform(0.1, 0.9);
    const Vec2 e{std::cos(angle), std::sin(angle)}, x{random.uniform(-1, 1), random.uniform(-1, 1)};
    const Member<2> a{x, 1}, outside{x + (1 + r) * e, r}, inside{x + (1 - inner) * e, inner};
    Plane is;
    add_disk(is, a);
    add_disk(is, outside);
    expect_plane({a, outside}, is, 1e-13);
    expect_plane({inside, outside, a}, is, 1e-13);
  }
}

TEST(ShapeClump, DisksThatAllPassThroughOnePoint) {
  // Four unit disks round the origin, all through it: four disks less four lenses, a square and four half disks.
  const Disks disks{{{1, 0}, 1}, {{0, 1}, 1}, {{-1, 0}, 1}, {{0, -1}, 1}};
  const double area = 4 + 2 * kPi;
  EXPECT_NEAR(union_properties(disks).measure, area, 1e-14);
  for (double angle = 0.1; angle < 6; angle += 0.1) {
    Disks turned;
    for (const auto& d : disks) turned.push_back({m::rotated(d.x, angle), 1});
    const auto p = union_properties(turned);
    EXPECT_NEAR(p.measure, area, 1e-13) << angle;
    EXPECT_NEAR(norm(p.centre), 0, 1e-14) << angle;
  }
}

TEST(ShapeClump, NearlyEqualDisks) {
  // The union of two unit disks at the small distance d grows by 2 d, to first order (and there is no second).
  for (const double d : {1e-3, 1e-6, 1e-9, 1e-12, 1e-15, 1e-18, 1e-200}) {
    EXPECT_NEAR(union_properties<2>({{{0, 0}, 1}, {{d, 0}, 1}}).measure, kPi + 2 * d, 4e-15 + d * d * d) << d;
  }
}

TEST(ShapeClump, FarAwayAndVerySmallClumpsAreNoDifferent) {
  const Disks disks{{{0.1, 0}, 1}, {{1, 0.5}, 0.75}, {{0.5, 1}, 0.5}};
  const auto p = union_properties(disks);
  Disks other;
  for (const auto& d : disks) other.push_back({Vec2{1, 2} + 1e-6 * d.x, 1e-6 * d.radius});
  const auto q = union_properties(other);
  EXPECT_NEAR(q.measure / p.measure, 1e-12, 1e-21);  // places are known to 1e-10 of the size
  EXPECT_NEAR(q.inertia / p.inertia, 1e-24, 1e-33);
  EXPECT_NEAR((q.centre[0] - 1) * 1e6, p.centre[0], 1e-9);
}

// ---- 3D: balls cut off by planes at right angles to a line ----

struct Tensor {
  double a[3][3] = {};
};

// The part of a ball between two planes at the distances `from` and `to` from its centre: volume, first moment and
// second moment along the axis, second moment across (each of the two), all about the centre.
struct Slab {
  double volume, first, along, across;
};
Slab slab(double r, double from, double to) {
  const auto at = [r](double s) {
    const double s3 = s * s * s, s5 = s3 * s * s;
    return Slab{kPi * (r * r * s - s3 / 3), kPi * (r * r * s * s / 2 - s * s3 / 4), kPi * (r * r * s3 / 3 - s5 / 5),
                kPi / 4 * (r * r * r * r * s - 2 * r * r * s3 / 3 + s5 / 5)};
  };
  const Slab b = at(to), a = at(from);
  return {b.volume - a.volume, b.first - a.first, b.along - a.along, b.across - a.across};
}

// A row of balls along the line x0 + s e of which only neighbours overlap: volume, centre, tensor of inertia.
struct Solid {
  double volume = 0;
  Vec3 centre{};
  Tensor inertia;
};
struct Bead {
  double s, r;
};
Solid row(const Vec3& x0, const Vec3& e, const std::vector<Bead>& beads) {
  double volume = 0, first = 0, along = 0, across = 0;
  for (std::size_t k = 0; k < beads.size(); ++k) {
    const double s = beads[k].s, r = beads[k].r;
    const auto cut = [&](const Bead& other) {
      const double d = other.s - s;
      return (d * d + r * r - other.r * other.r) / (2 * d);
    };
    const Slab part = slab(r, k == 0 ? -r : cut(beads[k - 1]), k + 1 == beads.size() ? r : cut(beads[k + 1]));
    volume += part.volume;
    first += part.first + s * part.volume;
    along += part.along + 2 * s * part.first + s * s * part.volume;
    across += part.across;
  }
  const double centre = first / volume;
  along -= volume * centre * centre;
  Solid is{volume, x0 + centre * e, {}};
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) is.inertia.a[i][j] = (i == j ? along + across : 0) + e[i] * e[j] * (across - along);
  }
  return is;
}
Spheres spheres_of(const Vec3& x0, const Vec3& e, const std::vector<Bead>& beads) {
  Spheres out;
  for (const auto& [s, r] : beads) out.push_back({x0 + s * e, r});
  return out;
}

m::Quaternion conjugate(const m::Quaternion& q) { return {q.w, -q.x, -q.y, -q.z}; }
Vec3 turned(const Vec3& v, const m::Quaternion& q) {
  const m::Quaternion r = q * m::Quaternion{0, v[0], v[1], v[2]} * conjugate(q);
  return {r.x, r.y, r.z};
}
Tensor tensor(const MassProperties<3>& p) {
  Tensor t;
  for (int k = 0; k < 3; ++k) {
    const Vec3 e = turned({k == 0 ? 1.0 : 0.0, k == 1 ? 1.0 : 0.0, k == 2 ? 1.0 : 0.0}, p.axes);
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) t.a[i][j] += p.inertia[k] * e[i] * e[j];
    }
  }
  return t;
}

void expect_solid(const MassProperties<3>& p, const Solid& is, double tolerance) {
  EXPECT_NEAR(p.measure / is.volume, 1, tolerance);
  EXPECT_LT(norm(p.centre - is.centre), tolerance * p.outer);
  const Tensor t = tensor(p);
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) EXPECT_NEAR(t.a[i][j], is.inertia.a[i][j], tolerance * p.inertia[0]) << i << j;
  }
  EXPECT_LE(p.inertia[0], p.inertia[1]);
  EXPECT_LE(p.inertia[1], p.inertia[2]);
  EXPECT_LT(p.error, 1e-12);
  EXPECT_GT(p.error, 0);
}

Vec3 random_direction(Stream& random) {
  const double z = random.uniform(-1, 1), angle = random.uniform(0, 2 * kPi), rho = std::sqrt(1 - z * z);
  return {rho * std::cos(angle), rho * std::sin(angle), z};
}
m::Quaternion random_rotation(Stream& random) {
  const double angle = random.uniform(0, 2 * kPi);
  const Vec3 e = std::sin(0.5 * angle) * random_direction(random);
  return {std::cos(0.5 * angle), e[0], e[1], e[2]};
}

TEST(ShapeClump, OneSphere) {
  const auto p = union_properties<3>({{{1, 2, 3}, 0.5}});
  EXPECT_NEAR(p.measure, kPi / 6, 1e-15);
  EXPECT_NEAR(norm(p.centre - Vec3{1, 2, 3}), 0, 1e-15);
  for (int k = 0; k < 3; ++k) EXPECT_NEAR(p.inertia[k], 0.1 * kPi / 6, 1e-16);
  EXPECT_EQ(p.axes.w, 1);
  EXPECT_EQ(p.outer, 0.5);
}

TEST(ShapeClump, TwoSpheresAreBallsLessCaps) {
  Stream random(3, "two spheres");
  for (int k = 0; k < 200; ++k) {
    const double a = 1, b = k % 2 == 0 ? 1 : random.uniform(0.2, 1), least = a - b;
    const std::vector<Bead> beads{{0, a}, {least + random.uniform(0.02, 0.98) * (a + b - least), b}};
    const Vec3 e = random_direction(random), x0{random.uniform(-1, 1), random.uniform(-1, 1), 0};
    expect_solid(union_properties(spheres_of(x0, e, beads)), row(x0, e, beads), 1e-12);
  }
}

TEST(ShapeClump, TwoSpheresAlongAndNearlyAlongTheAxes) {
  const std::vector<Bead> beads{{0, 1}, {1.1, 0.6}};
  for (const double tilt : {0.0, 1e-14, 1e-11, 1e-8, 1e-5, 1e-2}) {
    const double c = std::sqrt(1 - tilt * tilt);
    for (const Vec3 e : {Vec3{c, tilt, 0}, {0, c, tilt}, {tilt, 0, c}, {0, tilt, -c}})
      expect_solid(union_properties(spheres_of({0, 0, 0}, e, beads)), row({0, 0, 0}, e, beads), 1e-12);
  }
}

TEST(ShapeClump, AChainOfThreeAndARowOfTwenty) {
  Stream random(4, "chain");
  std::vector<Bead> twenty;
  for (int k = 0; k < 20; ++k) twenty.push_back({1.5 * k, 1});
  for (int k = 0; k < 10; ++k) {
    const std::vector<Bead> three{{0, 1}, {1.4, 0.8}, {2.5, 0.6}};
    const Vec3 e = random_direction(random);
    expect_solid(union_properties(spheres_of({0, 0, 0}, e, three)), row({0, 0, 0}, e, three), 1e-12);
    // The axial moment of the long row is a small difference of large numbers.
    expect_solid(union_properties(spheres_of({0, 0, 0}, e, twenty)), row({0, 0, 0}, e, twenty), 1e-10);
  }
}

TEST(ShapeClump, SpheresInsideOthersTouchingAndEqualOnes) {
  const std::vector<Bead> beads{{0, 1}, {1.5, 0.8}};
  Stream random(5, "inside");
  for (int k = 0; k < 50; ++k) {
    const Vec3 e = random_direction(random);
    const Solid is = row({0, 0, 0}, e, beads);
    Spheres s = spheres_of({0, 0, 0}, e, beads);
    s.push_back({0.3 * random_direction(random), 0.5});  // inside
    s.push_back({0.6 * random_direction(random), 0.4});  // inside, touching
    s.insert(s.begin(), s[1]);
    s.push_back(s[1]);
    expect_solid(union_properties(s), is, 1e-12);
  }
  // Two that touch: a sum.
  const auto p = union_properties<3>({{{0, 0, 0}, 1}, {{0, 1.2, 1.6}, 1}});
  EXPECT_NEAR(p.measure, 8 * kPi / 3, 1e-14);
  EXPECT_NEAR(p.inertia[0], 2 * 0.4 * 4 * kPi / 3, 1e-14);
  EXPECT_NEAR(p.inertia[2], 2 * 1.4 * 4 * kPi / 3, 1e-14);
}

TEST(ShapeClump, NearlyEqualSpheres) {
  // The union of two unit balls at the small distance d grows by pi d.
  for (const double d : {1e-4, 1e-7, 1e-10, 1e-13, 1e-16, 1e-200}) {
    const Vec3 e{0.6 * d, 0, 0.8 * d};
    const auto p = union_properties<3>({{{0, 0, 0}, 1}, {e, 1}});
    EXPECT_NEAR(p.measure, 4 * kPi / 3 + kPi * d, 2e-14 + d * d * d) << d;
    EXPECT_LT(p.error, 1e-12) << d;
  }
}

TEST(ShapeClump, ThreeSpheresThroughOnePointWithAFourthInTheMiddle) {
  // By symmetry of the cube: the centre is on the diagonal, two moments are equal.
  const auto p = union_properties<3>({{{1, 0, 0}, 1}, {{0, 1, 0}, 1}, {{0, 0, 1}, 1}, {{0, 0, 0}, 1}});
  EXPECT_NEAR(p.centre[0], p.centre[1], 1e-14);
  EXPECT_NEAR(p.centre[0], p.centre[2], 1e-14);
  EXPECT_LT(std::min(p.inertia[1] - p.inertia[0], p.inertia[2] - p.inertia[1]), 1e-12);
  EXPECT_LT(p.error, 1e-12);
}

template <int D>
std::vector<Member<D>> random_clump(Stream& random, int count, double spread) {
  std::vector<Member<D>> out;
  for (int k = 0; k < count; ++k) {
    Member<D> member{{}, random.uniform(0.4, 1)};
    for (int i = 0; i < D; ++i) member.x[i] = random.uniform(-spread, spread);
    out.push_back(member);
  }
  return out;
}

TEST(ShapeClump, TurningADiskClumpTurnsTheResult) {
  Stream random(6, "turn 2D");
  for (int k = 0; k < 200; ++k) {
    const Disks disks = random_clump<2>(random, 2 + k % 30, 2);
    const double angle = random.uniform(0, 2 * kPi);
    Disks other;
    for (const auto& d : disks) other.push_back({m::rotated(d.x, angle) + Vec2{1, 2}, d.radius});
    const auto p = union_properties(disks), q = union_properties(other);
    EXPECT_NEAR(q.measure / p.measure, 1, 1e-13);
    EXPECT_LT(norm(q.centre - Vec2{1, 2} - m::rotated(p.centre, angle)), 1e-13);
    EXPECT_NEAR(q.inertia / p.inertia, 1, 1e-13);
  }
}

TEST(ShapeClump, TurningASphereClumpTurnsTheResult) {
  Stream random(8, "turn 3D");
  for (int k = 0; k < 60; ++k) {
    const Spheres spheres = random_clump<3>(random, 2 + k % 12, 1.2);
    const m::Quaternion turn = random_rotation(random);
    Spheres other;
    for (const auto& s : spheres) other.push_back({turned(s.x, turn), s.radius});
    const auto p = union_properties(spheres), q = union_properties(other);
    Solid is{p.measure, turned(p.centre, turn), {}};
    MassProperties<3> whole = p;
    whole.axes = turn * p.axes;
    is.inertia = tensor(whole);
    expect_solid(q, is, 1e-12);
    for (int i = 0; i < 3; ++i) EXPECT_NEAR(q.inertia[i] / p.inertia[i], 1, 1e-12);
  }
}

// Random points in a box: how many are in the union, and their mean squared distance from a point, with standard
// deviations.
template <int D>
void compare_with_random_points(const std::vector<Member<D>>& members, Stream& random) {
  const auto p = union_properties(members);
  const double half = p.outer, box = std::pow(2 * half, D);
  constexpr int kPoints = 100000;
  double inside = 0, sum = 0, sum2 = 0;
  for (int k = 0; k < kPoints; ++k) {
    m::Vec<D> x = p.centre;
    for (int i = 0; i < D; ++i) x[i] += random.uniform(-half, half);
    bool in = false;
    for (const auto& member : members) in = in || norm2(x - member.x) < member.radius * member.radius;
    if (!in) continue;
    const double r2 = norm2(x - p.centre);
    inside += 1;
    sum += r2;
    sum2 += r2 * r2;
  }
  const double share = p.measure / box, sigma = std::sqrt(share * (1 - share) / kPoints);
  EXPECT_NEAR(inside / kPoints, share, 4 * sigma);
  // The integral of r^2: the inertia in 2D, half the sum of the moments in 3D.
  double polar = 0;
  if constexpr (D == 2) {
    polar = p.inertia;
  } else {
    polar = 0.5 * (p.inertia[0] + p.inertia[1] + p.inertia[2]);
  }
  const double mean = sum / kPoints, deviation = std::sqrt((sum2 / kPoints - mean * mean) / kPoints);
  EXPECT_NEAR(mean, polar / box, 4 * deviation);
}

TEST(ShapeClump, RandomPointsAgree) {
  Stream random(9, "points");
  for (int k = 0; k < 10; ++k) {
    compare_with_random_points(random_clump<2>(random, 3 + 3 * k, 2), random);
    compare_with_random_points(random_clump<3>(random, 3 + k, 1.3), random);
  }
}

TEST(ShapeClump, ABadMemberIsRefused) {
  EXPECT_THROW(union_properties<2>({}), std::invalid_argument);
  EXPECT_THROW(union_properties<3>({{{0, 0, 0}, 1}, {{0, 0, 0}, 0}}), std::invalid_argument);
  EXPECT_THROW(union_properties<3>({{{0, 0, 0}, -1}}), std::invalid_argument);
  EXPECT_THROW(union_properties<2>({{{0, std::nan("")}, 1}}), std::invalid_argument);
  EXPECT_THROW(union_properties<2>({{{0, 0}, std::numeric_limits<double>::infinity()}}), std::invalid_argument);
}

TEST(ShapeClump, LooseMembers) {
  using Indices = std::vector<std::size_t>;
  EXPECT_EQ(loose_members<2>({}), Indices{});
  EXPECT_EQ(loose_members<2>({{{0, 0}, 1}}), Indices{});
  // Touching, with a gap of rounding; a chain in any order; one inside another.
  EXPECT_EQ(loose_members<2>({{{0, 0}, 1}, {{6, 0}, 1}, {{2 + 5e-10, 0}, 1}, {{4, 0}, 1}, {{4, 0}, 0.1}}), Indices{});
  EXPECT_EQ(loose_members<2>({{{0, 0}, 1}, {{2 + 2e-9, 0}, 1}}), Indices{1});
  EXPECT_EQ(loose_members<3>({{{0, 0, 0}, 1}, {{3, 0, 0}, 0.9}, {{1, 1, 0}, 1}, {{3, 1, 0}, 0.3}}), (Indices{1, 3}));
  // The tolerance is that of the smaller one.
  EXPECT_EQ(loose_members<2>({{{0, 0}, 1}, {{1.001 + 5e-10, 0}, 1e-3}}), Indices{1});
}

}  // namespace
