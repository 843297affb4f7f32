// SPDX-License-Identifier: MIT
#include "hard/topology.hpp"

#include <gtest/gtest.h>

#include <numeric>

#include "hard/semi_definite.hpp"
#include "hard/tree_matrix.hpp"
#include "hard_samples.hpp"

namespace {

using namespace moraine::hard;
using namespace moraine::hard::samples;
using Arcs = std::vector<std::array<std::uint32_t, 2>>;
using Matrix = std::vector<std::vector<int>>;

// The incidence matrix of Sun (2.4) without the roots, for the arcs of a forest.
Matrix incidence(const Graph& graph, const std::vector<std::uint32_t>& arcs) {
  Matrix e(graph.movable, std::vector<int>(arcs.size(), 0));
  for (std::size_t v = 0; v < arcs.size(); ++v) {
    const auto [from, to] = graph.arcs[arcs[v]];
    if (from < graph.movable) e[from][v] = 1;
    if (to < graph.movable) e[to][v] = -1;
  }
  return e;
}
Matrix paths(const Graph& graph, const Forest& forest, const std::vector<std::uint32_t>& arcs) {
  Matrix p(arcs.size(), std::vector<int>(graph.movable, 0));
  for (std::uint32_t node = 0; node < graph.movable; ++node) {
    for (const Forest::Step& step : forest.path(node)) {
      for (std::size_t v = 0; v < arcs.size(); ++v) {
        if (arcs[v] == step.arc) p[v][node] = step.sign;
      }
    }
  }
  return p;
}
Matrix product(const Matrix& a, const Matrix& b) {
  Matrix c(a.size(), std::vector<int>(b.empty() ? 0 : b[0].size(), 0));
  for (std::size_t i = 0; i < c.size(); ++i) {
    for (std::size_t j = 0; j < c[i].size(); ++j) {
      for (std::size_t k = 0; k < b.size(); ++k) c[i][j] += a[i][k] * b[k][j];
    }
  }
  return c;
}
Matrix minus_one(std::size_t n) {
  Matrix m(n, std::vector<int>(n, 0));
  for (std::size_t i = 0; i < n; ++i) m[i][i] = -1;
  return m;
}

// Sun (2.5): seven vertices, of which the first is the root, and seven lines; (2.6) is the path matrix without the
// last.
TEST(HardTopology, ThePathMatrixOfSun) {
  Graph graph;
  graph.movable = 6;
  graph.nodes = 7;
  const auto node = [](std::uint32_t vertex) { return vertex == 0 ? 6 : vertex - 1; };
  const Arcs lines{{0, 1}, {1, 2}, {4, 3}, {3, 5}, {0, 3}, {6, 4}, {5, 6}};
  for (const auto& [from, to] : lines) graph.arcs.push_back({node(from), node(to)});
  const Forest forest(graph);
  EXPECT_EQ(forest.cut, std::vector<std::uint32_t>{6});
  const std::vector<std::uint32_t> arcs{0, 1, 2, 3, 4, 5};
  const Matrix printed{{1, 1, 0, 0, 0, 0}, {0, 1, 0, 0, 0, 0}, {0, 0, 0, -1, 0, -1},
                       {0, 0, 0, 0, 1, 0}, {0, 0, 1, 1, 1, 1}, {0, 0, 0, 0, 0, -1}};
  EXPECT_EQ(paths(graph, forest, arcs), printed);
  EXPECT_EQ(product(incidence(graph, arcs), printed), minus_one(6));
}

TEST(HardTopology, IncidenceTimesPathsIsMinusOneForTrees) {
  Dice dice(3);
  for (int round = 0; round < 50; ++round) {
    Graph graph;
    graph.movable = 1 + dice.below(30);
    graph.nodes = graph.movable + 1 + dice.below(3);
    for (std::uint32_t i = 0; i < graph.movable; ++i) {  // each hangs on a root or on an earlier one
      const std::uint32_t roots = graph.nodes - graph.movable, pick = dice.below(i + roots);
      const std::uint32_t p = pick < i ? pick : graph.movable + pick - i;
      if (dice.below(2) == 0) {
        graph.arcs.push_back({i, p});
      } else {
        graph.arcs.push_back({p, i});
      }
    }
    const Forest forest(graph);
    EXPECT_TRUE(forest.cut.empty());
    std::vector<std::uint32_t> all(graph.arcs.size());
    std::iota(all.begin(), all.end(), 0U);
    EXPECT_EQ(product(incidence(graph, all), paths(graph, forest, all)), minus_one(graph.movable));
    for (std::uint32_t i = 0; i < graph.movable; ++i) {
      EXPECT_EQ(forest.order[forest.place[i]], i);
      const std::uint32_t p = forest.parent[i];
      if (p >= graph.movable) continue;
      EXPECT_LT(forest.place[p], forest.place[i]);
      EXPECT_LE(forest.end[i], forest.end[p]);
    }
  }
}

// On a ring the shortest way to the far side is half of it, and one arc closes the loop.
TEST(HardTopology, PathsAreShortestAndLoopsAreCut) {
  Graph graph;
  graph.movable = 9;
  graph.nodes = 10;
  for (std::uint32_t i = 0; i < 10; ++i) graph.arcs.push_back({i, (i + 1) % 10});
  const Forest forest(graph);
  EXPECT_EQ(forest.cut.size(), 1U);
  for (std::uint32_t i = 0; i < 9; ++i) EXPECT_EQ(forest.path(i).size(), std::min<std::size_t>(i + 1, 9 - i));
}

TEST(HardTopology, ClustersAndTheirRoots) {
  Graph graph;
  graph.movable = 7;
  graph.nodes = 8;
  graph.arcs = {{0, 1}, {2, 7}, {3, 7}, {4, 5}, {5, 6}, {6, 4}};
  const Clusters clusters(graph);
  EXPECT_EQ(clusters.of, (std::vector<std::uint32_t>{0, 0, 1, 2, 3, 3, 3}));
  EXPECT_EQ(clusters.rooted, (std::vector<std::uint8_t>{0, 1, 1, 0}));
  EXPECT_EQ(Forest(graph).cut.size(), 1U);
}

// Points of a plane or of space, joined by rods.
template <int D>
Rigidity of_points(const std::vector<Vec<D>>& points, const Arcs& rods,
                   const std::vector<std::uint32_t>& grounded = {}) {
  Builder<D> b("points", 1);
  for (const Vec<D>& x : points) b.body(x, 0.1);
  for (const auto& [i, j] : rods) b.rod(b.at(i), b.at(j));
  for (const std::uint32_t i : grounded) b.rod(b.at(i), b.ground(points[i] + b.dice.template direction<D>()));
  const System<D> system(b.world, false);
  Kinematics<D> k;
  system.read(b.world, k);
  return rigidity(system, k, Clusters(graph_of(system)), 0);
}
std::vector<Vec<2>> anywhere(std::size_t n, Dice& dice) {
  std::vector<Vec<2>> points(n);
  for (Vec<2>& p : points) p = dice.vector<2>(1);
  return points;
}

// Two points are in one rigid part if a rod between them would be of no use, and in no other case.
TEST(HardTopology, RigidPartsHoldAllThatKeepsItsDistance) {
  Dice dice(21);
  std::size_t together = 0, apart = 0;
  for (int round = 0; round < 60; ++round) {
    const std::uint32_t n = 3 + dice.below(12);
    Arcs rods;
    for (std::uint32_t k = 0; k < n + dice.below(n); ++k) {
      const std::uint32_t a = dice.below(n), b = dice.below(n);
      if (a != b) rods.push_back({a, b});
    }
    std::vector<std::vector<int>> shared(n, std::vector<int>(n, 0));
    for (const auto& part : moraine::math::rigid_parts(n, rods)) {
      EXPECT_GE(part.size(), 2U);
      for (const std::uint32_t i : part) {
        for (const std::uint32_t j : part) shared[i][j] += 1;
      }
    }
    const std::size_t independent = independent_rods(n, rods);
    for (std::uint32_t i = 0; i < n; ++i) {
      for (std::uint32_t j = i + 1; j < n; ++j) {
        Arcs more = rods;
        more.push_back({i, j});
        const bool kept = independent_rods(n, more) == independent;
        EXPECT_EQ(shared[i][j], kept ? 1 : 0) << round << ": " << i << " and " << j;
        ++(kept ? together : apart);
      }
    }
  }
  EXPECT_GT(together, 500U);
  EXPECT_GT(apart, 500U);
}

TEST(HardTopology, TheSourcesCountIsNeitherNecessaryNorSufficient) {
  Dice dice(4);
  // A triangle is rigid, but has disks of two contacts beside each other.
  const Arcs triangle{{0, 1}, {1, 2}, {2, 0}};
  EXPECT_TRUE(of_points<2>(anywhere(3, dice), triangle).rigid());
  EXPECT_EQ(independent_rods(3, triangle), 3U);
  EXPECT_FALSE(counts_as_rigid(3, triangle));
  // Two braced squares that share a point bend there: 7 disks, 12 contacts, none of fewer than three.
  const Arcs hinged{{0, 1}, {1, 2}, {2, 3}, {3, 0}, {0, 2}, {1, 3}, {3, 4}, {4, 5}, {5, 6}, {6, 3}, {3, 5}, {4, 6}};
  const Rigidity two = of_points<2>(anywhere(7, dice), hinged);
  EXPECT_EQ(two.rank, 10U);
  EXPECT_EQ(two.redundant(), 2U);
  EXPECT_EQ(two.inner_freedoms(), 1U);
  EXPECT_EQ(independent_rods(7, hinged), 10U);
  EXPECT_TRUE(counts_as_rigid(7, hinged));
  // A square without a brace moves, by both.
  const Arcs square{{0, 1}, {1, 2}, {2, 3}, {3, 0}};
  EXPECT_EQ(of_points<2>(anywhere(4, dice), square).inner_freedoms(), 1U);
  EXPECT_FALSE(counts_as_rigid(4, square));
}

TEST(HardTopology, ThePebbleGameAgreesWithTheRankInGeneralPosition) {
  Dice dice(5);
  for (int round = 0; round < 100; ++round) {
    const std::uint32_t n = 3 + dice.below(8);
    Arcs rods;
    for (std::uint32_t i = 0; i < n; ++i) {
      if (i > 0) rods.push_back({dice.below(i), i});  // one cluster
      for (std::uint32_t j = 0; j < i; ++j) {
        if (dice.below(100) < 30 && rods.back() != std::array<std::uint32_t, 2>{j, i}) rods.push_back({j, i});
      }
    }
    EXPECT_EQ(of_points<2>(anywhere(n, dice), rods).rank, independent_rods(n, rods)) << "round " << round;
  }
}

// Two triangles joined by three rods are rigid in general; if the rods are parallel and equal, they swing.
TEST(HardTopology, SpecialPositionsAreSeenByTheRankOnly) {
  const Arcs prism{{0, 1}, {1, 2}, {2, 0}, {3, 4}, {4, 5}, {5, 3}, {0, 3}, {1, 4}, {2, 5}};
  Dice dice(6);
  EXPECT_TRUE(of_points<2>(anywhere(6, dice), prism).rigid());
  const std::vector<Vec<2>> shifted{{0, 0}, {1, 0}, {0.3, 0.8}, {0.2, 2}, {1.2, 2}, {0.5, 2.8}};
  EXPECT_EQ(of_points<2>(shifted, prism).inner_freedoms(), 1U);
  EXPECT_EQ(independent_rods(6, prism), 9U);
}

TEST(HardTopology, RigidityInSpace) {
  Dice dice(7);
  const auto points = [&](std::size_t n) {
    std::vector<Vec<3>> all(n);
    for (Vec<3>& p : all) p = dice.vector<3>(1);
    return all;
  };
  EXPECT_TRUE(of_points<3>(points(2), {{0, 1}}).rigid());  // a rod turns in two ways only
  EXPECT_EQ(of_points<3>(points(2), {{0, 1}}).as_one, 5U);
  const Arcs four{{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}};
  EXPECT_TRUE(of_points<3>(points(4), four).rigid());
  // Two double pyramids that share their tips turn about the line between these: 18 rods = 3 * 8 - 6.
  Arcs bananas;
  for (const std::uint32_t first : {2U, 5U}) {
    for (std::uint32_t i = first; i < first + 3; ++i) {
      bananas.push_back({0, i});
      bananas.push_back({1, i});
      for (std::uint32_t j = first; j < i; ++j) bananas.push_back({j, i});
    }
  }
  ASSERT_EQ(bananas.size(), 18U);
  const Rigidity two = of_points<3>(points(8), bananas);
  EXPECT_EQ(two.inner_freedoms(), 1U);
  EXPECT_EQ(two.redundant(), 1U);
  // Held at three points by two rods each nothing moves; by one rod twelve less seven freedoms are left.
  EXPECT_TRUE(of_points<3>(points(4), four, {0, 0, 1, 1, 2, 2}).rigid());
  EXPECT_EQ(of_points<3>(points(4), four, {0}).inner_freedoms(), 5U);
}

// Two bodies on two pins cannot turn against each other, and one of the four equations is to spare.
TEST(HardTopology, BodiesThatTurn) {
  Builder<2> b("pins", 2);
  const std::int64_t p = b.body({0, 0}, 0.5), q = b.body({1, 0}, 0.5);
  b.joint(p, q, {0.5, 0.1});
  {
    const System<2> system(b.world, false);
    Kinematics<2> k;
    system.read(b.world, k);
    EXPECT_EQ(rigidity(system, k, Clusters(graph_of(system)), 0).inner_freedoms(), 1U);
  }
  b.joint(p, q, {0.5, -0.3});
  const System<2> system(b.world, false);
  Kinematics<2> k;
  system.read(b.world, k);
  const Rigidity r = rigidity(system, k, Clusters(graph_of(system)), 0);
  EXPECT_EQ(r.freedoms, 6U);
  EXPECT_EQ(r.as_one, 3U);
  EXPECT_TRUE(r.rigid());
  EXPECT_EQ(r.redundant(), 1U);
}

TEST(HardTopology, TreeMatrixSolvesDirectlyAndBySweeps) {
  Dice dice(8);
  std::vector<std::uint32_t> parent{kNone};
  for (std::uint32_t k = 1; k < 40; ++k) parent.push_back(dice.below(6) == 0 ? kNone : dice.below(k));
  TreeMatrix a(parent);
  for (std::size_t k = 0; k < a.size(); ++k) {
    for (std::uint32_t d = 0; d < a.depth(k); ++d) a.row(k)[d] = dice.between(-0.3, 0.3);
    a.row(k)[a.depth(k)] = 12;  // dominates its row: positive definite
  }
  std::vector<double> x(a.size()), b(a.size()), swept(a.size(), 0);
  for (double& c : x) c = dice.between(-1, 1);
  a.multiply(x.data(), b.data());
  double rest = 1;
  for (int sweep = 0; sweep < 200 && rest > 1e-13; ++sweep) rest = a.sweep(b.data(), 1.2, swept.data());
  ASSERT_TRUE(a.factor());
  a.solve(b.data());
  for (std::size_t k = 0; k < a.size(); ++k) {
    EXPECT_NEAR(b[k], x[k], 1e-14);
    EXPECT_NEAR(swept[k], x[k], 1e-13);
  }
}

TEST(HardTopology, DependentRowsOfASemiDefiniteMatrix) {
  Dice dice(9);
  const std::size_t n = 7, rank = 4;
  std::vector<std::vector<double>> factor(n, std::vector<double>(rank));
  for (auto& row : factor) {
    for (double& c : row) c = dice.between(-1, 1);
  }
  const auto entry = [&](std::size_t r, std::size_t c) {
    return std::inner_product(factor[r].begin(), factor[r].end(), factor[c].begin(), 0.0);
  };
  SemiDefinite m;
  m.resize(n);
  std::vector<double> scale(n), b(n, 0);
  for (std::size_t r = 0; r < n; ++r) {
    for (std::size_t c = 0; c < n; ++c) {
      m.at(r, c) = entry(r, c);
      b[r] += entry(r, c) * static_cast<double>(c + 1);
    }
    scale[r] = entry(r, r);
  }
  m.factor(scale, 1e-9);
  ASSERT_EQ(m.rank(), rank);
  std::vector<double> x = b;
  m.solve(x);
  std::vector<std::vector<double>> nulls;
  for (std::size_t k = 0; k < n - rank; ++k) nulls.push_back(m.null_vector(k));
  EXPECT_EQ(rank_of(nulls), n - rank);
  for (std::size_t r = 0; r < n; ++r) {
    double sum = 0;
    for (std::size_t c = 0; c < n; ++c) sum += entry(r, c) * x[c];
    EXPECT_NEAR(sum, b[r], 1e-12);
    for (const auto& z : nulls) {
      double zero = 0;
      for (std::size_t c = 0; c < n; ++c) zero += entry(r, c) * z[c];
      EXPECT_NEAR(zero, 0, 1e-12);
    }
  }
}

// Sun 4.3 to 4.6; around a disk 4 times as large 15 fit by hand: pi / asin(1/5) = 15.6.
TEST(HardTopology, KnowsHowManyBodiesCanTouchOne) {
  EXPECT_EQ(most_contacts(2, 1, 1), 6U);
  EXPECT_EQ(most_contacts(2, 4, 1), 15U);
  EXPECT_EQ(most_contacts(2, 1, 2), 4U) << "pi / asin(2/3) = 4.3";
  EXPECT_EQ(most_contacts(3, 1, 1), 13U) << "the source's number; 12 fit";
  EXPECT_GE(most_contacts(3, 1.6874, 1), 24U) << "a snub cube of 24 fits: 43.69 degrees apart, 1 / sin(21.845 deg) - 1";
}

}  // namespace
