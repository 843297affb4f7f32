// SPDX-License-Identifier: MIT
// Source panels against quadratures of their own, the tree against the whole sum, boundaries from walls in any order.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "base/random.hpp"
#include "flow/boundary.hpp"
#include "flow/panel_tree.hpp"
#include "math/elementary.hpp"

namespace {

using namespace moraine;
using flow::Boundary;
using flow::Panel;
using flow::Piece;
using math::Vec2;

base::Team& alone() {
  static base::Team team(1);
  return team;
}

// ---- linear systems

TEST(DenseLu, SolvesRandomSystemsToTheSameBitsOnAnyNumberOfThreads) {
  base::Stream random(1, "lu");
  for (const std::size_t n : {1U, 2U, 31U, 32U, 33U, 200U}) {
    std::vector<double> a(n * n), x(n), b(n, 0);
    for (double& v : a) v = random.uniform(-1, 1);
    for (double& v : x) v = random.uniform(-1, 1);
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t k = 0; k < n; ++k) b[i] += a[i * n + k] * x[k];
    }
    math::DenseLu one, three;
    base::Team team(3);
    ASSERT_TRUE(one.factor(n, a, alone()));
    ASSERT_TRUE(three.factor(n, a, team));
    std::vector<double> first = b, second = b;
    one.solve(first);
    three.solve(second);
    EXPECT_EQ(first, second);
    for (std::size_t i = 0; i < n; ++i) EXPECT_NEAR(first[i], x[i], 1e-9);
  }
}

TEST(DenseLu, RefusesASingularMatrix) {
  math::DenseLu lu;
  EXPECT_FALSE(lu.factor(2, {1, 2, 2, 4}, alone()));
  EXPECT_FALSE(lu.factor(3, {1, 2, 3, 4, 5, 6, 7, 8, 9}, alone()));
}

// ---- one panel

// The velocity of point sources along the panel, by a fine midpoint rule.
Vec2 by_points(const Panel& p, const Vec2& x) {
  const int n = 20000;
  Vec2 u{};
  for (int k = 0; k < n; ++k) {
    const Vec2 d = x - (p.a + (p.b - p.a) * ((k + 0.5) / n));
    u += d * (p.length() / n / (2 * M_PI * math::norm2(d)));
  }
  return u;
}

TEST(Panel, MakesTheVelocityOfPointSourcesAlongIt) {
  const Panel p({0.3, -0.2}, {1.1, 0.7}, 0);
  for (const Vec2& x : {Vec2{2, 1}, Vec2{0.5, 0.4}, Vec2{0.9, 0.1}, Vec2{-3, -5}, p.mid + p.n * 0.05}) {
    const Vec2 u = flow::panel_velocity(p, x), v = by_points(p, x);
    EXPECT_NEAR(u[0], v[0], 1e-6);
    EXPECT_NEAR(u[1], v[1], 1e-6);
  }
  // Beside it half of what it emits goes to either side.
  EXPECT_NEAR(math::dot(flow::panel_velocity(p, p.mid + p.n * 1e-9), p.n), 0.5, 1e-8);
  EXPECT_NEAR(math::dot(flow::panel_velocity(p, p.mid - p.n * 1e-9), p.n), -0.5, 1e-8);
}

// Flow through a line by quadrature, fine at both its ends.
double by_quadrature(const Panel& p, const Vec2& a, const Vec2& b) {
  const int n = 20000;
  const Vec2 left{-(b - a)[1], (b - a)[0]};
  double sum = 0;
  for (int k = 0; k < n; ++k) {
    const double t = (k + 0.5) / n, s = t * t * (3 - 2 * t);
    sum += math::dot(flow::panel_velocity(p, a + (b - a) * s), left) * 6 * t * (1 - t) / n;
  }
  return sum;
}

TEST(Panel, SendsThroughALineWhatAQuadratureFinds) {
  const Panel p({-1, 0}, {1, 0}, 0);
  const std::vector<std::array<Vec2, 2>> lines = {
      {Vec2{2, -1}, Vec2{0.5, 3}},  {Vec2{-3, -1}, Vec2{-2, 1}},  // past the left end, where logarithms turn
      {Vec2{-3, 1}, Vec2{-2, -1}},  {Vec2{1, 0}, Vec2{2, 1}},     // touches an end
      {Vec2{-1, 0}, Vec2{-2, 0.5}}, {Vec2{-2, -0.5}, Vec2{-1, 0}}, {Vec2{1, 0}, Vec2{1, 2}},
      {Vec2{1, 0}, Vec2{0.2, 0.3}},                            // a sharp corner
      {Vec2{-1, 0}, Vec2{0, 1e-3}}, {Vec2{1, 0}, Vec2{3, 0}},  // in a row
      {Vec2{-4, 0}, Vec2{-1, 0}},   {Vec2{5, 0}, Vec2{3, 0}},      {Vec2{-0.5, 0.01}, Vec2{0.5, 0.01}},
      {Vec2{100, 3}, Vec2{101, -7}}};
  for (const auto& [a, b] : lines) {
    EXPECT_NEAR(flow::panel_flow(p, a, b), by_quadrature(p, a, b), 2e-7) << a[0] << " " << a[1];
    EXPECT_NEAR(flow::panel_flow(p, b, a), -flow::panel_flow(p, a, b), 1e-14);
  }
}

TEST(Panel, SendsAllThatItEmitsThroughALineAroundIt) {
  base::Stream random(2, "around");
  for (int trial = 0; trial < 20; ++trial) {
    const Panel p({random.uniform(-1, 1), random.uniform(-1, 1)}, {random.uniform(-1, 1), random.uniform(-1, 1)}, 0);
    double out = 0, none = 0;
    for (int k = 0; k < 7; ++k) {
      const auto corner = [&](int c) { return Vec2{3 * std::cos(2 * M_PI * c / 7), 3 * std::sin(2 * M_PI * c / 7)}; };
      out -= flow::panel_flow(p, corner(k), corner(k + 1));
      none += flow::panel_flow(p, corner(k) + Vec2{10, 0}, corner(k + 1) + Vec2{10, 0});
    }
    EXPECT_NEAR(out, p.length(), 1e-12);
    EXPECT_NEAR(none, 0, 1e-12);
  }
}

// ---- the tree

std::vector<Panel> star(std::size_t count, bool inside) {
  std::vector<Panel> panels;
  const auto corner = [&](std::size_t k) {
    const double a = 2 * M_PI * static_cast<double>(k % count) / static_cast<double>(count) * (inside ? 1 : -1);
    const double r = 1 + 0.5 * std::cos(5 * a);
    return Vec2{r * std::cos(a), r * std::sin(a)};
  };
  for (std::size_t k = 0; k < count; ++k) panels.emplace_back(corner(k), corner(k + 1), 0);
  return panels;
}

TEST(PanelTree, IsTheWholeSumAtAnyPlace) {
  base::Stream random(3, "tree");
  for (const bool inside : {false, true}) {
    for (const std::size_t count : {5U, 40U, 1000U}) {
      const auto panels = star(count, inside);
      std::vector<double> strength;
      for (std::size_t k = 0; k < count; ++k) strength.push_back(random.uniform(-1, 1));
      flow::PanelTree tree;
      tree.build(panels, strength, inside);
      double worst = 0;
      int wet_points = 0;
      for (int k = 0; k < 3000; ++k) {
        // A third of them beside the panels.
        Vec2 x{random.uniform(-6, 6), random.uniform(-6, 6)};
        if (k % 3 == 1) x *= 0.25;
        if (k % 3 == 2) {
          const Panel& p = panels[random.below(count)];
          x = p.a + (p.b - p.a) * random.uniform() + p.n * (p.half * random.uniform(-0.5, 0.5));
        }
        bool wet = false;
        const Vec2 u = tree.velocity(x, wet);
        EXPECT_EQ(wet, flow::enclosed(panels, x) == inside) << x[0] << " " << x[1];
        if (!wet) {
          EXPECT_TRUE(u == Vec2{});
          continue;
        }
        ++wet_points;
        Vec2 sum{};
        for (std::size_t j = 0; j < count; ++j) sum += flow::panel_velocity(panels[j], x) * strength[j];
        worst = std::max(worst, math::norm(u - sum));
      }
      EXPECT_GT(wet_points, 300);
      EXPECT_LT(worst, 2e-7) << count << (inside ? " inside" : " outside");
      EXPECT_LE(tree.most_near(), 12U);
    }
  }
}

// ---- boundaries

Piece segment(const Vec2& a, const Vec2& b, const char* name = "s") {
  Piece p;
  p.a = a;
  p.b = b;
  p.name = name;
  return p;
}
Piece circle(const Vec2& centre, double radius, const char* name = "c") {
  Piece p;
  p.kind = Piece::Kind::kCircle;
  p.a = centre;
  p.radius = radius;
  p.name = name;
  return p;
}

const std::vector<Vec2> kSquare{{0, 0}, {1, 0}, {1, 1}, {0, 1}};

// In all orders and directions of its walls the fluid is on the same side.
TEST(Boundary, FindsTheSideOfTheFluidWhateverTheOrderAndDirectionOfWalls) {
  for (const bool channel : {false, true}) {
    std::vector<std::size_t> order{0, 1, 2, 3};
    do {
      for (unsigned turned = 0; turned < 16; ++turned) {
        Boundary b;
        b.channel = channel;
        for (const std::size_t k : order) {
          const Vec2 &from = kSquare[k], &to = kSquare[(k + 1) % 4];
          b.pieces.push_back((turned >> k & 1U) != 0 ? segment(to, from) : segment(from, to));
        }
        std::vector<flow::Fault> faults;
        ASSERT_TRUE(b.join(faults)) << faults.front().text;
        b.cut(8);
        const auto panels = b.panels();
        ASSERT_EQ(panels.size(), 8U);
        for (const Panel& p : panels) {
          EXPECT_EQ(flow::enclosed(panels, p.mid + p.n * 0.01), channel);
          EXPECT_EQ(flow::enclosed(panels, p.mid - p.n * 0.01), !channel);
          EXPECT_NEAR(p.length(), 0.5, 1e-15);
        }
      }
    } while (std::next_permutation(order.begin(), order.end()));
  }
}

TEST(Boundary, OfAChannelWithAPierHasTheFluidBetween) {
  Boundary b;
  b.channel = true;
  b.pieces.push_back(circle({0.5, 0.5}, 0.2));
  for (std::size_t k = 0; k < 4; ++k) b.pieces.push_back(segment(kSquare[k], kSquare[(k + 1) % 4]));
  std::vector<flow::Fault> faults;
  ASSERT_TRUE(b.join(faults));
  b.cut(40);
  const auto panels = b.panels();
  EXPECT_EQ(panels.size(), 40U);
  for (const Panel& p : panels) EXPECT_TRUE(flow::enclosed(panels, p.mid + p.n * 1e-3)) << p.mid[0] << " " << p.mid[1];
}

TEST(Boundary, CutsACircleIntoARegularPolygonOfItsCircumference) {
  Boundary b;
  b.pieces.push_back(circle({1, 2}, 3));
  std::vector<flow::Fault> faults;
  ASSERT_TRUE(b.join(faults));
  b.cut(11);
  double area = 0, length = 0;
  for (const Panel& p : b.panels()) {
    area += 0.5 * math::cross(p.a, p.b);
    length += p.length();
    EXPECT_NEAR(p.length(), 6 * M_PI / 11, 1e-12);
  }
  EXPECT_NEAR(length, 6 * M_PI, 1e-12);
  EXPECT_LT(area, -0.95 * 9 * M_PI) << "with the clock: the fluid is outside";
}

std::vector<std::string> faults_of(bool channel, std::vector<Piece> pieces) {
  Boundary b;
  b.channel = channel;
  b.pieces = std::move(pieces);
  std::vector<flow::Fault> faults;
  const bool sound = b.join(faults);
  EXPECT_EQ(sound, faults.empty());
  std::vector<std::string> texts;
  for (const auto& f : faults) texts.push_back(f.text);
  return texts;
}
void expect_one(const std::vector<std::string>& texts, const std::vector<std::string>& parts) {
  ASSERT_EQ(texts.size(), 1U) << (texts.empty() ? "" : texts[0] + (texts.size() > 1 ? "\n" + texts[1] : ""));
  for (const std::string& part : parts) EXPECT_NE(texts[0].find(part), std::string::npos) << texts[0];
}

TEST(Boundary, TellsWhatIsWrongWithIt) {
  const auto side = [&](std::size_t k, const char* name) { return segment(kSquare[k], kSquare[(k + 1) % 4], name); };
  expect_one(faults_of(true, {side(0, "a"), side(1, "b"), side(2, "c"), segment({0, 1}, {0, 0.02}, "d")}),
             {"hole", "a", "d", "0.02 m away", "(0, 0)"});
  expect_one(faults_of(false, {side(0, "a"), side(1, "b"), segment({1, 1}, {0, 0}, "c"),
                               segment({0.2, 0.5}, {0.8, 0.4}, "d")}),
             {"d", "c", "crosses", "(0.4"});
  expect_one(faults_of(false, {circle({0, 0}, 1, "big"), circle({0.2, 0}, 0.3, "small")}), {"small", "within", "big"});
  expect_one(faults_of(false, {circle({0, 0}, 1, "one"), circle({1.5, 0}, 1, "two")}), {"two", "crosses", "one"});
  expect_one(faults_of(true, {side(0, "a"), side(1, "b"), side(2, "c"), side(3, "d"), circle({3, 3}, 1, "far")}),
             {"far", "does not belong"});
  expect_one(faults_of(true, {side(0, "a"), side(1, "b"), side(2, "c"), side(3, "d"), circle({1, 0.5}, 0.2, "pier")}),
             {"pier", "crosses", "b"});
  EXPECT_EQ(faults_of(true, {side(0, "a"), side(1, "b"), side(2, "c"), side(3, "d"), segment({0, 0}, {-1, -1}, "tail")})
                .size(),
            4U)
      << "three at a corner, each told, and a loose end";
}

}  // namespace
