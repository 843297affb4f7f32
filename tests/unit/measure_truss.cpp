// SPDX-License-Identifier: MIT
// Contact forces by the equivalent truss: closed forms, peeling against the truss, balance, friction, mechanisms.
#include "measure/truss.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "hard_samples.hpp"
#include "math/gmres.hpp"

namespace {

using namespace moraine;
using hard::samples::Dice;
using math::Vec;
using measure::kGround;
using measure::solve_truss;
using measure::Strut;
using measure::StrutState;
using measure::Truss;
using measure::TrussForces;
using measure::TrussOptions;

TrussOptions options(bool peel, bool limits) {
  TrussOptions o;
  o.peel = peel;
  o.limits = limits;
  return o;
}

// Round bodies; contacts are named by whoever builds the packing.
template <int D>
struct Pile {
  Truss<D> truss;
  std::vector<Vec<D>> x;
  double mu = 0, ratio = 1;

  std::uint32_t body(const Vec<D>& at, double radius, double weight) {
    Vec<D> load{};
    load[D - 1] = -weight;
    x.push_back(at);
    truss.load.push_back(load);
    truss.moment.push_back({});
    truss.size.push_back(radius);
    truss.turns.push_back(mu > 0 ? 1 : 0);
    return static_cast<std::uint32_t>(x.size() - 1);
  }
  std::size_t strut(std::uint32_t a, std::uint32_t b, const Vec<D>& normal, double radius_b = 0) {
    Strut<D> s;
    s.a = a;
    s.b = b;
    s.normal = normal * (1 / math::norm(normal));
    s.arm_a = s.normal * truss.size[a];
    s.arm_b = s.normal * -radius_b;
    s.friction = mu;
    s.shear = mu > 0 ? ratio : 0;
    truss.struts.push_back(s);
    return truss.struts.size() - 1;
  }
  std::size_t touch(std::uint32_t a, std::uint32_t b) { return strut(a, b, x[b] - x[a], truss.size[b]); }
  std::size_t wall(std::uint32_t a, const Vec<D>& towards) { return strut(a, kGround, towards); }
};

template <int D>
double push(const Truss<D>& truss, const TrussForces<D>& found, std::size_t s) {
  return -math::dot(found.force[s], truss.struts[s].normal);
}
template <int D>
double along(const Truss<D>& truss, const TrussForces<D>& found, std::size_t s) {
  return math::norm(found.force[s] + truss.struts[s].normal * push(truss, found, s));
}
template <int D>
double difference(const TrussForces<D>& a, const TrussForces<D>& b) {
  double apart = 0, whole = 0;
  for (std::size_t s = 0; s < a.force.size(); ++s) {
    apart = std::max(apart, math::norm(a.force[s] - b.force[s]));
    whole = std::max(whole, math::norm(a.force[s]));
  }
  return apart / whole;
}

// Three equal disks between two walls. The lower two touch each other, but are pushed apart.
TEST(Truss, APyramidOfThreeDisks) {
  Pile<2> p;
  const auto left = p.body({0, 0}, 0.5, 1), right = p.body({1, 0}, 0.5, 1),
             top = p.body({0.5, std::sqrt(0.75)}, 0.5, 1);
  const auto on_left = p.touch(top, left), on_right = p.touch(top, right), between = p.touch(left, right);
  const auto floor = p.wall(left, {0, -1});
  p.wall(right, {0, -1});
  const auto side = p.wall(left, {-1, 0});
  p.wall(right, {1, 0});
  for (const bool peel : {false, true}) {
    const auto f = solve_truss(p.truss, options(peel, true));
    const double above = 1 / std::sqrt(3.0);
    EXPECT_NEAR(push(p.truss, f, on_left), above, 1e-12);
    EXPECT_NEAR(push(p.truss, f, on_right), above, 1e-12);
    EXPECT_NEAR(push(p.truss, f, floor), 1.5, 1e-12);
    EXPECT_NEAR(push(p.truss, f, side), 0.5 * above, 1e-12);
    EXPECT_EQ(push(p.truss, f, between), 0);
    EXPECT_EQ(f.state[between], StrutState::kDropped);
    EXPECT_LT(f.residual, 1e-12);
    EXPECT_TRUE(f.settled);
    // Glued, the lower contact pulls with two thirds of what the walls had to bear.
    const auto glued = solve_truss(p.truss, options(peel, false));
    EXPECT_NEAR(push(p.truss, glued, between), -above / 3, 1e-12);
    EXPECT_NEAR(push(p.truss, glued, side), above / 6, 1e-12);
    EXPECT_LT(glued.residual, 1e-12);
  }
}

// Stands by balance alone: each disk could move sideways.
TEST(Truss, ATowerOfDisksBearsWhatIsAbove) {
  Pile<2> p;
  const int n = 30;
  std::vector<std::size_t> below;
  for (int k = 0; k < n; ++k) {
    const auto i = p.body({0, k + 0.0}, 0.5, 1 + 0.1 * k);
    below.push_back(k == 0 ? p.wall(i, {0, -1}) : p.touch(i, i - 1));
  }
  for (const bool peel : {false, true}) {
    const auto f = solve_truss(p.truss, options(peel, true));
    EXPECT_EQ(f.peeled, peel ? 30U : 0U);
    EXPECT_EQ(f.loose, peel ? 0U : 30U);
    double above = 0;
    for (int k = n - 1; k >= 0; --k) {
      above += 1 + 0.1 * k;
      EXPECT_NEAR(push(p.truss, f, below[static_cast<std::size_t>(k)]), above, 1e-10 * above) << k << " " << peel;
    }
    EXPECT_LT(f.residual, 1e-10);
  }
}

// Disks put one after the other on two that lie there already, with their weight between the two.
Pile<2> heaped(std::uint64_t seed, std::size_t count) {
  Pile<2> p;
  Dice dice(seed);
  std::vector<std::array<double, 3>> disks;  // place and radius; the first ones are held
  const std::uint32_t base = 12;
  for (std::uint32_t k = 0; k < base; ++k) disks.push_back({0.9 * k, 0, 0.3 + 0.15 * dice.between(0, 1)});
  for (int tries = 0; tries < 200000 && disks.size() < base + count; ++tries) {
    const std::uint32_t i = dice.below(static_cast<std::uint32_t>(disks.size())),
                        j = dice.below(static_cast<std::uint32_t>(disks.size()));
    const double r = 0.3 + 0.15 * dice.between(0, 1);
    const auto &a = disks[i], &b = disks[j];
    const double ra = a[2] + r, rb = b[2] + r, dx = b[0] - a[0], dy = b[1] - a[1], d = std::hypot(dx, dy);
    if (i == j || dx <= 0 || d >= 0.95 * (ra + rb)) continue;
    const double l = (ra * ra - rb * rb + d * d) / (2 * d), h2 = ra * ra - l * l;
    if (h2 <= 0) continue;
    const double h = std::sqrt(h2), x = a[0] + (l * dx - h * dy) / d, y = a[1] + (l * dy + h * dx) / d;
    if (x <= a[0] + 0.1 * r || x >= b[0] - 0.1 * r) continue;
    bool fits = true;
    for (std::size_t k = 0; k < disks.size() && fits; ++k)
      fits = k == i || k == j || std::hypot(x - disks[k][0], y - disks[k][1]) > r + disks[k][2] + 1e-6;
    if (!fits) continue;
    disks.push_back({x, y, r});
    const std::uint32_t node = p.body({x, y}, r, r * r);
    for (const std::uint32_t other : {i, j}) {
      const Vec<2> there = {disks[other][0], disks[other][1]};
      if (other < base) {
        p.wall(node, there - p.x[node]);
      } else {
        p.touch(node, other - base);
      }
    }
  }
  return p;
}

TEST(Truss, PeelingAndTrussGiveTheSameWherePeelingIsEnough) {
  double worst = 0;
  std::size_t pull = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const Pile<2> p = heaped(seed, 120);
    ASSERT_GE(p.x.size(), 60U) << seed;
    const auto peeled = solve_truss(p.truss, options(true, false)), truss = solve_truss(p.truss, options(false, false));
    EXPECT_EQ(peeled.peeled, p.x.size());
    EXPECT_EQ(truss.peeled, 0U);
    EXPECT_EQ(truss.loose, 0U);
    EXPECT_LT(peeled.residual, 1e-10);
    EXPECT_LT(truss.residual, 1e-10);
    worst = std::max(worst, difference(peeled, truss));
    for (std::size_t s = 0; s < p.truss.struts.size(); ++s) pull += push(p.truss, peeled, s) < 0 ? 1 : 0;
  }
  EXPECT_LT(worst, 1e-8);  // it is 1.3e-13
  EXPECT_GT(pull, 0U);
}

// Of rows that are all independent each one that is taken away lets go of one motion, however far that reaches.
TEST(Truss, EachContactThatIsMissingLetsOneMotionGo) {
  Dice dice(11);
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    Pile<2> p = heaped(seed, 120);
    for (std::size_t gone = 0; gone < 20; ++gone) {
      EXPECT_EQ(solve_truss(p.truss, options(false, false)).loose, gone) << seed;
      const std::uint32_t s = dice.below(static_cast<std::uint32_t>(p.truss.struts.size()));
      // A disk that nothing touches is no longer in the matrix.
      const auto at = [&](std::uint32_t node) {
        return std::count_if(p.truss.struts.begin(), p.truss.struts.end(),
                             [&](const Strut<2>& t) { return t.a == node || t.b == node; });
      };
      if (at(p.truss.struts[s].a) < 2 || (p.truss.struts[s].b != kGround && at(p.truss.struts[s].b) < 2)) break;
      p.truss.struts.erase(p.truss.struts.begin() + s);
    }
  }
}

// Points in space on three earlier ones each: not a packing of spheres, but the equations are those of one.
TEST(Truss, PeelingAndTrussGiveTheSameInSpace) {
  Dice dice(5);
  Pile<3> p;
  for (int k = 0; k < 60; ++k) {
    const auto node = p.body(dice.vector<3>(1), 0.5, 1);
    std::vector<Vec<3>> n;
    do {
      n = {dice.direction<3>(), dice.direction<3>(), dice.direction<3>()};
    } while (std::fabs(math::dot(math::cross(n[0], n[1]), n[2])) < 0.5);
    for (const Vec<3>& direction : n) {
      const std::uint32_t other = node > 4 && dice.below(3) > 0 ? dice.below(node) : kGround;
      p.strut(node, other, direction);
    }
  }
  const auto peeled = solve_truss(p.truss, options(true, false)), truss = solve_truss(p.truss, options(false, false));
  EXPECT_EQ(peeled.peeled, 60U);
  EXPECT_LT(difference(peeled, truss), 1e-8);
  EXPECT_LT(truss.residual, 1e-8);
}

// A sphere on three, which a ring holds together.
TEST(Truss, ATetrahedronOfSpheres) {
  Pile<3> p;
  const double r = 1 / std::sqrt(3.0), height = std::sqrt(2.0 / 3);
  const auto top = p.body({0, 0, height}, 0.5, 1);
  std::vector<std::size_t> above, floors, rings, between;
  for (int k = 0; k < 3; ++k) {
    const double angle = 2 * M_PI * k / 3;
    const Vec<3> out = {std::cos(angle), std::sin(angle), 0};
    const auto i = p.body(out * r, 0.5, 1);
    above.push_back(p.touch(top, i));
    floors.push_back(p.wall(i, {0, 0, -1}));
    rings.push_back(p.wall(i, out));
    if (k > 0) between.push_back(p.touch(i, i - 1));
  }
  between.push_back(p.touch(1, 3));
  for (const bool peel : {false, true}) {
    const auto f = solve_truss(p.truss, options(peel, true));
    for (std::size_t k = 0; k < 3; ++k) {
      EXPECT_NEAR(push(p.truss, f, above[k]), 1 / std::sqrt(6.0), 1e-12);
      EXPECT_NEAR(push(p.truss, f, floors[k]), 4.0 / 3, 1e-12);
      EXPECT_NEAR(push(p.truss, f, rings[k]), 1 / (3 * std::sqrt(2.0)), 1e-12);
      EXPECT_EQ(push(p.truss, f, between[k]), 0);
    }
    EXPECT_LT(f.residual, 1e-12);
  }
}

// Triangles of disks in a box: more contacts than equations.
Pile<2> triangle_in_a_box(std::uint32_t rows) {
  Pile<2> p;
  std::vector<std::vector<std::uint32_t>> at(rows);
  for (std::uint32_t row = 0; row < rows; ++row) {
    for (std::uint32_t k = 0; k + row < rows; ++k) {
      const auto i = p.body({k + 0.5 * row, std::sqrt(0.75) * row}, 0.5, 1);
      at[row].push_back(i);
      if (k > 0) p.touch(at[row][k - 1], i);
      if (row == 0) {
        p.wall(i, {0, -1});
      } else {
        p.touch(i, at[row - 1][k]);
        p.touch(i, at[row - 1][k + 1]);
      }
    }
  }
  p.wall(at[0].front(), {-1, 0});
  p.wall(at[0].back(), {1, 0});
  return p;
}

// Whatever set of springs bears the loads, no other one has less energy (Castigliano): forces of a self-stress added to
// those found make more.
TEST(Truss, ForcesOfAnIndeterminatePackingHaveTheLeastEnergy) {
  const Pile<2> p = triangle_in_a_box(5);
  const auto f = solve_truss(p.truss, options(true, false));
  EXPECT_LT(f.residual, 1e-10);
  const auto energy = [&](const TrussForces<2>& g) {
    double sum = 0;
    for (const Vec<2>& force : g.force) sum += math::norm2(force);
    return sum;
  };
  Dice dice(8);
  for (int round = 0; round < 20; ++round) {
    Pile<2> q = p;  // other stiffnesses pick other forces that balance as well
    for (Strut<2>& s : q.truss.struts) s.stiffness = 0.5 + dice.between(0, 1);
    const auto g = solve_truss(q.truss, options(true, false));
    EXPECT_LT(g.residual, 1e-10);
    EXPECT_GT(difference(f, g), 1e-3);
    EXPECT_GT(energy(g), energy(f));
  }
}

TEST(Truss, ForcesDoNotPullAndBalanceInLargePiles) {
  for (const std::uint32_t rows : {3U, 10U, 40U}) {
    const Pile<2> p = triangle_in_a_box(rows);
    const auto f = solve_truss(p.truss, options(true, true));
    double weight = 0, borne = 0;
    for (std::size_t s = 0; s < p.truss.struts.size(); ++s) {
      EXPECT_GE(push(p.truss, f, s), 0);
      const bool floor = p.truss.struts[s].b == kGround && p.truss.struts[s].normal[1] < -0.5;
      borne += floor ? push(p.truss, f, s) : 0;
    }
    for (const Vec<2>& load : p.truss.load) weight -= load[1];
    EXPECT_NEAR(borne, weight, 1e-10 * weight);
    EXPECT_LT(f.residual, 1e-10) << rows;
    EXPECT_EQ(f.unbalanced, 0U);
    EXPECT_TRUE(f.settled);
    const auto whole = solve_truss(p.truss, options(false, true));
    EXPECT_LT(difference(f, whole), 1e-8) << rows;
  }
}

// A disk between two walls at the angle alpha: held by springs along and across them, it sinks straight down.
TEST(Truss, ADiskInAWedgeSticksOrSlides) {
  for (const double degrees : {20.0, 45.0, 60.0, 75.0}) {
    for (const double mu : {0.1, 0.5, 0.9, 4.0}) {
      for (const double ratio : {0.3, 1.0}) {
        const double alpha = degrees * M_PI / 180, c = std::cos(alpha), s = std::sin(alpha);
        Pile<2> p;
        p.mu = mu;
        p.ratio = ratio;
        const auto disk = p.body({0, 0}, 0.5, 1);
        const auto left = p.wall(disk, {-s, -c}), right = p.wall(disk, {s, -c});
        const auto f = solve_truss(p.truss, options(true, true));
        const bool slides = ratio * s > mu * c;
        const double normal = slides ? 0.5 / (c + mu * s) : 0.5 * c / (c * c + ratio * s * s);
        const double shear = slides ? mu * normal : ratio * normal * s / c;
        for (const auto k : {left, right}) {
          EXPECT_NEAR(push(p.truss, f, k), normal, 1e-10) << degrees << " " << mu << " " << ratio;
          EXPECT_NEAR(along(p.truss, f, k), shear, 1e-10) << degrees << " " << mu << " " << ratio;
          EXPECT_EQ(f.state[k], slides ? StrutState::kSlides : StrutState::kHolds);
        }
        EXPECT_LT(f.residual, 1e-10);
        EXPECT_TRUE(f.settled);
      }
    }
  }
}

TEST(Truss, ASphereBetweenThreePlanesSticksOrSlides) {
  const double alpha = 1.0, c = std::cos(alpha), s = std::sin(alpha), ratio = 0.8;
  for (const double mu : {0.2, 0.7, 2.0}) {
    Pile<3> p;
    p.mu = mu;
    p.ratio = ratio;
    const auto ball = p.body({0, 0, 0}, 0.5, 1);
    for (int k = 0; k < 3; ++k)
      p.wall(ball, {s * std::cos(2.1 + 2 * M_PI * k / 3), s * std::sin(2.1 + 2 * M_PI * k / 3), -c});
    const auto f = solve_truss(p.truss, options(true, true));
    const bool slides = ratio * s > mu * c;
    const double normal = slides ? 1 / (3 * (c + mu * s)) : c / (3 * (c * c + ratio * s * s));
    for (std::size_t k = 0; k < 3; ++k) {
      EXPECT_NEAR(push(p.truss, f, k), normal, 1e-10) << mu;
      EXPECT_NEAR(along(p.truss, f, k), slides ? mu * normal : ratio * normal * s / c, 1e-10) << mu;
    }
    EXPECT_LT(f.residual, 1e-10);
  }
}

// With friction nothing pulls, nothing exceeds its limit, and all is balanced; in heaps that slide in many places.
TEST(Truss, PilesWithFrictionKeepTheirLimits) {
  for (const double mu : {0.05, 0.2, 0.6}) {
    Pile<2> p = triangle_in_a_box(12);
    for (Strut<2>& s : p.truss.struts) {
      s.friction = mu;
      s.shear = 0.7;
    }
    std::fill(p.truss.turns.begin(), p.truss.turns.end(), std::uint8_t{1});
    const auto f = solve_truss(p.truss, options(true, true));
    std::size_t sliding = 0;
    for (std::size_t s = 0; s < p.truss.struts.size(); ++s) {
      EXPECT_GE(push(p.truss, f, s), 0);
      EXPECT_LE(along(p.truss, f, s), mu * push(p.truss, f, s) * (1 + 1e-9) + 1e-9);
      sliding += f.state[s] == StrutState::kSlides ? 1 : 0;
    }
    EXPECT_LT(f.residual, 1e-8) << mu;
    EXPECT_TRUE(f.settled) << mu;
    EXPECT_GT(sliding, 40U) << mu;
  }
}

// Large piles at the verge of sliding: of all forces within the limits, those of least energy. Other springs pick
// others that balance as well, and have more.
TEST(Truss, ForcesOfLeastEnergyWithinTheLimits) {
  Pile<2> p = triangle_in_a_box(20);
  for (Strut<2>& s : p.truss.struts) {
    s.friction = 0.5;
    s.shear = 0.7;
  }
  std::fill(p.truss.turns.begin(), p.truss.turns.end(), std::uint8_t{1});
  const auto f = solve_truss(p.truss, options(true, true));
  ASSERT_TRUE(f.least_energy);
  EXPECT_TRUE(f.settled);
  EXPECT_LT(f.residual, 1e-10);
  for (std::size_t s = 0; s < p.truss.struts.size(); ++s) {
    EXPECT_GE(push(p.truss, f, s), -1e-12);
    EXPECT_LE(along(p.truss, f, s), 0.5 * push(p.truss, f, s) + 1e-9);
  }
  const auto energy = [&](const TrussForces<2>& g) {
    double sum = 0;
    for (std::size_t s = 0; s < p.truss.struts.size(); ++s)
      sum += std::pow(push(p.truss, g, s), 2) + std::pow(along(p.truss, g, s), 2) / 0.7;
    return sum;
  };
  Dice dice(8);
  for (int round = 0; round < 5; ++round) {
    Pile<2> q = p;
    for (Strut<2>& s : q.truss.struts) s.stiffness = 0.9 + 0.2 * dice.between(0, 1);
    const auto g = solve_truss(q.truss, options(true, true));
    ASSERT_LT(g.residual, 1e-8);
    EXPECT_GT(difference(f, g), 1e-4);
    EXPECT_GT(energy(g), energy(f));
  }
}

// A beam on three legs of a clump, the middle one off centre: reactions of a rigid body on equal springs.
TEST(Truss, AClumpOnThreeLegs) {
  Pile<2> p;
  const auto clump = p.body({0, 0}, 1, 1);
  p.truss.turns[clump] = 1;
  const std::array<double, 3> legs = {-1, 0.3, 1};
  for (const double x : legs) {
    Strut<2> s;
    s.a = clump;
    s.normal = {0, -1};
    s.arm_a = {x, -0.2};
    p.truss.struts.push_back(s);
  }
  // N = a + b x, sum N = 1, sum N x = 0.
  const double sx = 0.3, sxx = 2.09, b = -sx / (3 * sxx - sx * sx), a = (1 - b * sx) / 3;
  for (const bool peel : {false, true}) {
    const auto f = solve_truss(p.truss, options(peel, true));
    for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(push(p.truss, f, k), a + b * legs[k], 1e-12);
    EXPECT_LT(f.residual, 1e-12);
  }
  // On the outer two alone each bears what its lever arm gives it, and that is found by peeling.
  p.truss.struts.erase(p.truss.struts.begin() + 1);
  p.truss.moment[clump] = 0.2;
  const auto f = solve_truss(p.truss, options(true, true));
  EXPECT_EQ(f.peeled, 1U);
  EXPECT_NEAR(push(p.truss, f, 0), 0.5 + 0.1, 1e-12);
  EXPECT_NEAR(push(p.truss, f, 1), 0.5 - 0.1, 1e-12);
}

// What no contact forces can balance is said, and the rest is right all the same.
TEST(Truss, MechanismsAreTold) {
  const double alpha = 0.4;
  for (const bool peel : {false, true}) {
    Pile<2> p;
    const auto slope = p.body({0, 0}, 0.5, 1);  // on a smooth slope
    p.wall(slope, {std::sin(alpha), -std::cos(alpha)});
    p.body({5, 5}, 0.5, 1);  // in flight
    const auto still = p.body({9, 0}, 0.5, 1), on_it = p.body({9, 1}, 0.5, 1);
    p.wall(still, {0, -1});
    p.touch(on_it, still);
    const auto f = solve_truss(p.truss, options(peel, true));
    EXPECT_EQ(f.unbalanced, 2U);
    EXPECT_NEAR(f.residual, 1, 1e-12);
    EXPECT_NEAR(push(p.truss, f, 0), std::cos(alpha), 1e-9);
    EXPECT_NEAR(push(p.truss, f, 1), 2, 1e-9);
    EXPECT_NEAR(push(p.truss, f, 2), 1, 1e-9);
    EXPECT_EQ(f.loose, peel ? 0U : 3U);
  }
}

// A pile that leans on nothing to the right: the last disk of its floor is pushed away.
TEST(Truss, APileThatRunsAwayIsTold) {
  Pile<2> p = triangle_in_a_box(6);
  p.truss.struts.pop_back();
  const auto f = solve_truss(p.truss, options(true, true));
  EXPECT_GT(f.unbalanced, 0U);
  EXPECT_GT(f.residual, 0.01);
  for (const Vec<2>& force : f.force) EXPECT_TRUE(math::is_finite(force));
}

// Structures of no sense: whatever comes out is a number, within the limits, and its balance is told as it is.
template <int D>
void expect_numbers(std::uint64_t seed) {
  Dice dice(seed);
  Pile<D> p;
  p.mu = dice.below(3) == 0 ? 0 : dice.between(0, 2);
  p.ratio = dice.between(0.01, 3);
  const std::uint32_t n = 1 + dice.below(12);
  for (std::uint32_t k = 0; k < n; ++k) p.body(dice.template vector<D>(1), dice.between(0.1, 1), dice.below(4));
  for (std::uint32_t k = 0; k < dice.below(4 * n); ++k) {
    const std::uint32_t a = dice.below(n), b = dice.below(n + 2);
    if (a == b) continue;
    p.strut(a, b < n ? b : kGround, dice.template direction<D>(), 0.3);
    if (dice.below(5) == 0) p.truss.struts.push_back(p.truss.struts.back());  // twice the same
    p.truss.struts.back().stiffness = dice.below(4) == 0 ? 1e3 : 1;
  }
  for (const bool peel : {false, true}) {
    const auto f = solve_truss(p.truss, options(peel, true));
    EXPECT_TRUE(std::isfinite(f.residual)) << seed;
    double largest = 1;
    for (const Vec<D>& force : f.force) largest = std::max(largest, math::norm(force));
    EXPECT_TRUE(std::isfinite(largest)) << seed;
    for (std::size_t s = 0; s < p.truss.struts.size(); ++s) {
      EXPECT_GE(push(p.truss, f, s), -1e-9 * largest) << seed;
      EXPECT_LE(along(p.truss, f, s), p.mu * push(p.truss, f, s) + 1e-8 * largest) << seed;
    }
  }
}
TEST(Truss, MakesNumbersOfAnything) {
  for (std::uint64_t seed = 1; seed <= 150; ++seed) {
    expect_numbers<2>(seed);
    expect_numbers<3>(seed + 1000);
  }
}

TEST(Truss, NothingAtAllIsBalanced) {
  for (const bool peel : {false, true}) {
    const auto f = solve_truss(Truss<3>{}, options(peel, true));
    EXPECT_EQ(f.residual, 0);
    EXPECT_EQ(f.unbalanced, 0U);
    Pile<2> p;  // without weight
    p.wall(p.body({0, 0}, 0.5, 0), {0, -1});
    const auto g = solve_truss(p.truss, options(peel, true));
    EXPECT_EQ(g.residual, 0);
    EXPECT_EQ(push(p.truss, g, 0), 0);
  }
}

TEST(Gmres, SolvesWhatIsNotSymmetric) {
  Dice dice(2);
  const std::size_t n = 60;
  std::vector<double> matrix(n * n), b(n);
  for (double& v : matrix) v = dice.between(0, 1) - 0.5;
  for (std::size_t k = 0; k < n; ++k) matrix[k * n + k] += 6;
  for (double& v : b) v = dice.between(0, 1);
  const auto times = [&](std::vector<double>& x) {
    std::vector<double> y(n, 0);
    for (std::size_t r = 0; r < n; ++r) {
      for (std::size_t c = 0; c < n; ++c) y[r] += matrix[r * n + c] * x[c];
    }
    x = y;
  };
  const auto halve = [](std::vector<double>& x) {
    for (double& v : x) v *= 0.5;
  };
  std::vector<double> x = math::gmres(times, halve, b, 1e-13, n);
  times(x);
  for (std::size_t k = 0; k < n; ++k) EXPECT_NEAR(x[k], b[k], 1e-11);
  EXPECT_EQ(math::gmres(times, halve, std::vector<double>(n, 0), 1e-13, n), std::vector<double>(n, 0));
}

}  // namespace
