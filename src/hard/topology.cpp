// SPDX-License-Identifier: MIT
#include "hard/topology.hpp"

#include <algorithm>
#include <cmath>

#include "hard/rows.hpp"
#include "math/elementary.hpp"

namespace moraine::hard {

template <int D>
Graph graph_of(const System<D>& system) {
  Graph graph;
  graph.movable = static_cast<std::uint32_t>(system.movable());
  graph.nodes = static_cast<std::uint32_t>(system.nodes());
  for (const Arc<D>& arc : system.arcs) graph.arcs.push_back({arc.a, arc.b});
  return graph;
}

namespace {

constexpr std::size_t spin_numbers(int dimensions) { return dimensions == 2 ? 1 : 3; }

double component(double spin, std::size_t /*c*/) { return spin; }
double component(const math::Vec3& spin, std::size_t c) { return spin[static_cast<int>(c)]; }

// Columns of a cluster's nodes: velocities, and spins times a length, so that all are alike.
template <int D>
struct Columns {
  const System<D>& system;
  std::vector<std::size_t> first;
  std::vector<double> arm;  // radius of gyration
  std::size_t count = 0;

  Columns(const System<D>& s, const Clusters& clusters, std::size_t cluster)
      : system(s), first(s.nodes(), 0), arm(s.nodes(), 0) {
    for (std::uint32_t p = clusters.start[cluster]; p < clusters.start[cluster + 1]; ++p) {
      const std::uint32_t i = clusters.nodes[p];
      first[i] = count;
      arm[i] = std::sqrt(math::norm(system.inertia[i]) / system.mass[i]);
      count += D + (system.turns[i] != 0 ? spin_numbers(D) : 0);
    }
  }
  void add(std::vector<double>& row, std::uint32_t i, double sign, const Vec<D>& v, const Spin<D>& w) const {
    if (i >= system.movable()) return;
    for (int c = 0; c < D; ++c) row[first[i] + static_cast<std::size_t>(c)] += sign * v[c];
    if (system.turns[i] == 0) return;
    for (std::size_t c = 0; c < spin_numbers(D); ++c) row[first[i] + D + c] += sign * component(w, c);
  }
};

// The motions of all nodes of a cluster as one rigid body, about the first of them.
template <int D>
std::vector<std::vector<double>> rigid_motions(const Columns<D>& columns, const Kinematics<D>& k,
                                               const std::uint32_t* first, const std::uint32_t* last) {
  std::vector<std::vector<double>> motions;
  for (int c = 0; c < D; ++c) {
    std::vector<double> row(columns.count, 0);
    Vec<D> v{};
    v[c] = 1;
    for (const std::uint32_t* i = first; i != last; ++i) columns.add(row, *i, 1, v, {});
    motions.push_back(std::move(row));
  }
  double size = 0;
  for (const std::uint32_t* i = first; i != last; ++i)
    size = std::max({size, math::norm(k.x[*i] - k.x[*first]), columns.arm[*i]});
  if (size == 0) return motions;  // a point
  for (std::size_t c = 0; c < spin_numbers(D); ++c) {
    std::vector<double> row(columns.count, 0);
    Spin<D> w{};
    if constexpr (D == 2) {
      w = 1 / size;
    } else {
      w[static_cast<int>(c)] = 1 / size;
    }
    for (const std::uint32_t* i = first; i != last; ++i)
      columns.add(row, *i, 1, math::cross(w, k.x[*i] - k.x[*first]), w * columns.arm[*i]);
    motions.push_back(std::move(row));
  }
  return motions;
}

}  // namespace

template <int D>
Rigidity rigidity(const System<D>& system, const Kinematics<D>& k, const Clusters& clusters, std::size_t cluster) {
  const Columns<D> columns(system, clusters, cluster);
  Rows<D> rows(system);
  rows.update(system, k);
  std::vector<std::vector<double>> matrix;
  for (const Arc<D>& arc : system.arcs) {
    if (clusters.of[arc.a] != cluster) continue;
    for (std::uint32_t r = arc.row; r < arc.row + arc.rows; ++r) {
      std::vector<double> row(columns.count, 0);
      const auto turn = [&](const std::vector<Spin<D>>& of, std::uint32_t node) {
        if (of.empty() || columns.arm[node] == 0) return Spin<D>{};
        return of[r] * (1 / columns.arm[node]);
      };
      columns.add(row, arc.b, 1, rows.n[r], turn(rows.turn_b, arc.b));
      columns.add(row, arc.a, -1, rows.n[r], turn(rows.turn_a, arc.a));
      matrix.push_back(std::move(row));
    }
  }
  Rigidity result;
  result.freedoms = columns.count;
  result.equations = matrix.size();
  result.rank = rank_of(std::move(matrix));
  const std::uint32_t* nodes = clusters.nodes.data();
  if (clusters.rooted[cluster] == 0)
    result.as_one =
        rank_of(rigid_motions(columns, k, nodes + clusters.start[cluster], nodes + clusters.start[cluster + 1]));
  return result;
}

#define MORAINE_INSTANTIATE(D)                  \
  template Graph graph_of<D>(const System<D>&); \
  template Rigidity rigidity<D>(const System<D>&, const Kinematics<D>&, const Clusters&, std::size_t);
MORAINE_INSTANTIATE(2)
MORAINE_INSTANTIATE(3)

std::size_t most_contacts(int dimension, double radius, double smallest) {
  // Two neighbours that touch each other are seen from the middle at an angle of 2 alpha.
  const double alpha = math::asin(smallest / (smallest + radius));
  double most = math::kPi / alpha;
  if (dimension == 3) {
    // Of spherical triangles with sides 2 alpha, each with the excess E, 4 pi / E cover the sphere.
    const auto tan = [](double x) { return math::sin(x) / math::cos(x); };
    const double t = tan(0.5 * alpha), excess = 4 * math::atan(std::sqrt(tan(1.5 * alpha) * t * t * t));
    most = 2 * (math::kPi + excess) / excess;
  }
  return static_cast<std::size_t>(most * (1 + 1e-12));  // six equal disks fit exactly
}

}  // namespace moraine::hard
