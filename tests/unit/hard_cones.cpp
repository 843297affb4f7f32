// SPDX-License-Identifier: MIT
// The solver of contacts that meet, against its own conditions on random problems, and the geometry of contacts against
// differences.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "hard/cone_solver.hpp"
#include "hard/contact.hpp"
#include "support/hard_contacts.hpp"

namespace {

using namespace moraine;
using hard::Cone;
using hard::ConeProblem;

struct Dice {
  std::mt19937 random;
  double operator()(double a, double b) { return a + (b - a) * static_cast<double>(random()) / 4294967296.0; }
};

// W = J J^T with so many freedoms: singular where these are fewer than the rows. Velocities of an impact: q = J v.
ConeProblem random_impact(Dice& dice, std::size_t contacts, std::uint32_t across, std::size_t links,
                          std::size_t freedoms, double mu) {
  ConeProblem p;
  const std::size_t n = contacts * (1 + across) + links;
  std::vector<double> j(n * freedoms), v(freedoms);
  for (double& x : j) x = dice(-1, 1);
  for (double& x : v) x = dice(-1, 1);
  p.w.assign(n * n, 0);
  p.q.assign(n, 0);
  p.r.assign(n, 0);
  for (std::size_t a = 0; a < n; ++a) {
    for (std::size_t f = 0; f < freedoms; ++f) {
      p.q[a] += j[a * freedoms + f] * v[f];
      for (std::size_t b = 0; b < n; ++b) p.w[a * n + b] += j[a * freedoms + f] * j[b * freedoms + f];
    }
  }
  for (std::size_t c = 0; c < contacts; ++c) {
    Cone cone;
    cone.row = static_cast<std::uint32_t>(c * (1 + across));
    cone.across = across;
    cone.mu = mu;
    p.cones.push_back(cone);
  }
  return p;
}

void expect_answer(const ConeProblem& p, double mu) {
  const double small = 1e-7;
  for (const Cone& cone : p.cones) {
    const double r_n = p.r[cone.row], u_n = p.speed(cone.row);
    EXPECT_GE(r_n, -small);
    EXPECT_GE(u_n, -small);
    EXPECT_NEAR(std::min(r_n, u_n), 0, small);
    double r_t = 0, u_t = 0, both = 0;
    for (std::size_t s = 1; s <= cone.across; ++s) {
      const double r = p.r[cone.row + s], u = p.speed(cone.row + s);
      r_t += r * r;
      u_t += u * u;
      both += r * u;
    }
    r_t = std::sqrt(r_t);
    u_t = std::sqrt(u_t);
    EXPECT_LE(r_t, mu * r_n + small);
    EXPECT_NEAR(both, -mu * r_n * u_t, 10 * small * (1 + u_t)) << "friction is against the slip, and all of it";
  }
  const std::size_t first = p.cones.empty() ? 0 : p.cones.back().row + 1 + p.cones.back().across;
  for (std::size_t row = first; row < p.rows(); ++row) EXPECT_NEAR(p.speed(row), 0, small);
}

TEST(ConeProblem, WithoutFrictionAlwaysHasItsAnswer) {
  Dice dice{std::mt19937(3)};
  for (int n = 0; n < 300; ++n) {
    ConeProblem p =
        random_impact(dice, 1 + static_cast<std::size_t>(n % 7), 0, 0, 2 + static_cast<std::size_t>(n % 9), 0);
    ASSERT_TRUE(p.find()) << n;
    expect_answer(p, 0);
  }
}

TEST(ConeProblem, WithFrictionSatisfiesCoulomb) {
  Dice dice{std::mt19937(5)};
  int found = 0;
  for (int n = 0; n < 300; ++n) {
    const double mu = dice(0, 0.7);
    ConeProblem p = random_impact(dice, 1 + static_cast<std::size_t>(n % 4), 1 + static_cast<std::uint32_t>(n % 2),
                                  static_cast<std::size_t>(n % 3), 10, mu);
    if (!p.find()) continue;
    ++found;
    expect_answer(p, mu);
  }
  EXPECT_GE(found, 290) << "of 300";
}

// A row twice: forces are shared, and motion is that of one.
TEST(ConeProblem, SharesForcesOfDependentRows) {
  ConeProblem p;
  p.w = {2, 2, 2, 2};
  p.q = {-6, -6};
  p.r = {0, 0};
  Cone one, two;
  two.row = 1;
  p.cones = {one, two};
  ASSERT_TRUE(p.find());
  EXPECT_NEAR(p.r[0] + p.r[1], 3, 1e-12);
  EXPECT_NEAR(p.r[0], 1.5, 1e-9);
  EXPECT_NEAR(p.speed(0), 0, 1e-12);
}

// Held back: a pull below the strength is held, above it opens.
TEST(ConeProblem, HoldsAPullUpToItsStrength) {
  for (const double pull : {0.999, 1.001}) {
    ConeProblem p;
    p.w = {0.5};
    p.q = {0.5 * pull};
    p.r = {0};
    Cone cone;
    cone.hold = 1;
    p.cones = {cone};
    ASSERT_TRUE(p.find());
    if (pull < 1) {
      EXPECT_NEAR(p.r[0], -pull, 1e-12);
    }
    EXPECT_EQ(p.cones[0].mode == hard::Mode::kOpen, pull > 1);
  }
}

// Rates and what bends them, against differences of gaps and slips along a free motion.
template <int D>
void check_geometry(const std::string& wall, const math::Vec<D>& x) {
  std::string place, speed, spin;
  const std::array<double, 3> v = {0.4, -0.7, 0.3};
  std::vector<double> xs, vs;
  for (int d = 0; d < D; ++d) {
    xs.push_back(x[d]);
    vs.push_back(v[static_cast<std::size_t>(d)]);
  }
  const std::string scene = test::hard_head(D, 1, 0.01, 0, 0.5) + wall +
                            test::ball(D == 2 ? test::numbers({x[0], x[1]}) : test::numbers({xs[0], xs[1], xs[D - 1]}),
                                       D == 2 ? test::numbers({0.4, -0.7}) : test::numbers({0.4, -0.7, 0.3}), 0.1,
                                       D == 2 ? "spin = 1.5" : "spin = [0.5, -1, 1.5]");
  auto built = scene::build<D>(test::from_text(scene));
  world::World<D>& world = built.world;
  const hard::System<D> system(world, true);
  hard::Kinematics<D> k;
  system.read(world, k);
  hard::WallsAt<D> walls(world);
  hard::Contact<D> c;
  c.id_b = -1;
  c.radius_a = 0.1;
  if (wall.empty()) return;
  const auto at = [&](double t) {
    hard::Kinematics<D> later = k;
    later.x[0] += k.v[0] * t;
    return hard::meet(c, later, system.movable(), walls, 0.5 + t);
  };
  const double h = 1e-5;
  const auto m = at(0), before = at(-h), after = at(h);
  EXPECT_NEAR((after.gap - before.gap) / (2 * h), m.rate, 1e-8) << wall;
  EXPECT_NEAR((after.rate - before.rate) / (2 * h), m.bend, 1e-7) << wall;
  for (std::size_t s = 0; s + 1 < D; ++s) {
    const auto t = hard::across_vector(m.n, s);
    // The slip of a fixed direction: its own turning with n is no part of the row.
    const auto whole = [&](const hard::Meeting<D>& x2, double time) {
      const auto a = k.v[0] + math::cross(k.w[0], x2.touch_a);
      (void)time;
      return math::dot(t, x2.surface_b - a);
    };
    EXPECT_NEAR((whole(after, h) - whole(before, -h)) / (2 * h), math::dot(t, m.bend_across), 1e-7) << wall;
  }
}

TEST(ContactGeometry, AgreesWithDifferences) {
  const std::string flat = "[[wall]]\nname = \"w\"\nfrom = [-5, 0]\nto = [5, 1]\nmaterial = \"m\"\n";
  const std::string corner = "[[wall]]\nname = \"w\"\nfrom = [1, 0]\nto = [5, 0]\nmaterial = \"m\"\n";
  const std::string circle =
      "[[wall]]\nname = \"w\"\nkind = \"circle\"\ncentre = [0, 0]\nradius = 2\nmaterial = \"m\"\n";
  const std::string shaken = flat + "[wall.oscillation]\namplitude = [0, 0.1]\nfrequency = 0.7\n";
  const std::string turning = circle + "[[wall.motion]]\nspin = 3\n";
  check_geometry<2>(flat, {0.3, 1.5});
  check_geometry<2>(shaken, {0.3, 1.5});
  check_geometry<2>(corner, {0.4, 0.5});
  check_geometry<2>(circle, {0.5, 1.2});
  check_geometry<2>(circle, {1.5, 2.2});
  check_geometry<2>(turning, {0.5, 1.2});
  check_geometry<3>("[[wall]]\nname = \"w\"\npoint = [0, 0, 0]\nnormal = [0.1, 0.2, 1]\nmaterial = \"m\"\n",
                    {0.3, 0.4, 0.9});
  check_geometry<3>(
      "[[wall]]\nname = \"w\"\nkind = \"cylinder\"\npoint = [0, 0, 0]\naxis = [0.2, 0, 1]\nradius = 2\nmaterial = "
      "\"m\"\n",
      {0.8, 0.4, 0.9});
}

}  // namespace
