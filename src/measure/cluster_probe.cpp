// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>

#include "math/graph.hpp"
#include "measure/truss_matrix.hpp"
#include "measure/truss_probe.hpp"

namespace moraine::measure {

namespace {

constexpr std::size_t spins(int dimension) { return dimension == 2 ? 1 : 3; }

struct ClusterCounts {
  std::size_t clusters = 0, largest = 0, rigid = 0, rigid_bodies = 0, held = 0, held_bodies = 0;
  std::size_t redundant = 0, rule_fails = 0, special = 0, parts = 0, largest_part = 0, part_bodies = 0;
};

template <int D>
class ClusterCount {
 public:
  explicit ClusterCount(const Packing<D>& packing)
      : packing_(packing), truss_(packing.truss), clusters_(graph_of(truss_)), inside_(clusters_.count()) {
    for (std::uint32_t s = 0; s < truss_.struts.size(); ++s) {
      if (truss_.struts[s].b != kGround) inside_[clusters_.of[truss_.struts[s].a]].push_back(s);
    }
  }

  ClusterCounts count() {
    const std::vector<std::size_t> alone = loose(false), with_ground = loose(true);
    std::size_t freedoms = 0, left = 0;
    for (std::size_t c = 0; c < clusters_.count(); ++c) {
      const std::size_t n = clusters_.start[c + 1] - clusters_.start[c];
      std::size_t own = 0;
      for (std::uint32_t p = clusters_.start[c]; p < clusters_.start[c + 1]; ++p)
        own += freedoms_of(clusters_.nodes[p]);
      freedoms += own;
      left += with_ground[c];
      if (n < 2) continue;
      ++out_.clusters;
      out_.largest = std::max(out_.largest, n);
      const bool rigid = alone[c] == as_one(c);
      out_.rigid += rigid ? 1 : 0;
      out_.rigid_bodies += rigid ? n : 0;
      out_.held += with_ground[c] == 0 ? 1 : 0;
      out_.held_bodies += with_ground[c] == 0 ? n : 0;
      if (D == 2) compare_rules(c, n, rigid, own - alone[c]);
    }
    if (D == 2) count_parts();
    const std::size_t rank = freedoms - left;
    out_.redundant = truss_.struts.size() - std::min(truss_.struts.size(), rank);
    return out_;
  }

 private:
  static math::Graph graph_of(const Truss<D>& truss) {
    math::Graph graph;
    graph.movable = static_cast<std::uint32_t>(truss.nodes());
    graph.nodes = graph.movable + 1;
    for (const Strut<D>& strut : truss.struts)
      graph.arcs.push_back({strut.a, strut.b == kGround ? graph.movable : strut.b});
    return graph;
  }
  std::size_t freedoms_of(std::uint32_t node) const { return D + (truss_.turns[node] != 0 ? spins(D) : 0); }

  // Of each cluster, the motions that its contacts leave open.
  std::vector<std::size_t> loose(bool ground) const {
    std::vector<std::uint32_t> some;
    for (std::uint32_t s = 0; s < truss_.struts.size(); ++s) {
      if (ground || truss_.struts[s].b != kGround) some.push_back(s);
    }
    std::vector<std::size_t> out(clusters_.count(), 0);
    TrussMatrix<D> matrix(truss_, some);
    for (std::size_t k = 0; k < some.size(); ++k) {
      const Vec<D>& n = truss_.struts[some[k]].normal;
      matrix.add(k, outer(n, n));
    }
    const std::vector<std::uint8_t> flags = matrix.loose(1);
    std::vector<std::uint8_t> in(truss_.nodes(), 0);
    for (const std::uint32_t node : matrix.nodes()) {
      in[node] = 1;
      for (std::size_t r = 0; r < freedoms_of(node); ++r) out[clusters_.of[node]] += flags[matrix.first(node) + r];
    }
    for (std::uint32_t node = 0; node < truss_.nodes(); ++node) {
      if (in[node] == 0) out[clusters_.of[node]] += freedoms_of(node);
    }
    return out;
  }

  // Motions of a cluster as one body. Points on a line do not know a turn about it.
  std::size_t as_one(std::size_t c) const {
    if constexpr (D == 2) {
      return 3;
    } else {
      for (const std::uint32_t s : inside_[c]) {
        const Strut<D>& strut = truss_.struts[s];
        if (truss_.turns[strut.a] != 0 || truss_.turns[strut.b] != 0) return 6;
      }
      // All contacts along one direction: a row of spheres.
      const Vec<D>& along = truss_.struts[inside_[c].front()].normal;
      const bool row = std::all_of(inside_[c].begin(), inside_[c].end(), [&](std::uint32_t s) {
        return math::norm2(math::cross(along, truss_.struts[s].normal)) < 1e-18;
      });
      return row ? 5 : 6;
    }
  }

  // Rigid parts of three disks or more, in general position. A disk may be in several.
  void count_parts() {
    std::vector<std::array<std::uint32_t, 2>> rods;
    for (const Strut<D>& s : truss_.struts) {
      if (s.b != kGround && packing_.single[s.a] != 0 && packing_.single[s.b] != 0) rods.push_back({s.a, s.b});
    }
    std::vector<std::uint8_t> inside(truss_.nodes(), 0);
    for (const auto& part : math::rigid_parts(truss_.nodes(), rods)) {
      if (part.size() < 3) continue;
      ++out_.parts;
      out_.largest_part = std::max(out_.largest_part, part.size());
      for (const std::uint32_t node : part) inside[node] = 1;
    }
    for (const std::uint8_t in : inside) out_.part_bodies += in;
  }

  // The rule of the sources, and the count of independent rods in general position, against the rank.
  void compare_rules(std::size_t c, std::size_t n, bool rigid, std::size_t rank) {
    std::vector<std::array<std::uint32_t, 2>> rods;
    const auto number = [&](std::uint32_t node) {
      const auto from = clusters_.nodes.begin() + clusters_.start[c],
                 to = clusters_.nodes.begin() + clusters_.start[c + 1];
      return static_cast<std::uint32_t>(std::lower_bound(from, to, node) - from);
    };
    for (const std::uint32_t s : inside_[c]) {
      const Strut<D>& strut = truss_.struts[s];
      if (packing_.single[strut.a] == 0 || packing_.single[strut.b] == 0) return;  // the rules are for disks
      rods.push_back({number(strut.a), number(strut.b)});
    }
    out_.rule_fails += math::counts_as_rigid(n, rods) != rigid ? 1 : 0;
    out_.special += math::independent_rods(n, rods) != rank ? 1 : 0;
  }

  const Packing<D>& packing_;
  const Truss<D>& truss_;
  math::Clusters clusters_;
  std::vector<std::vector<std::uint32_t>> inside_;  // struts between nodes of the cluster
  ClusterCounts out_;
};

}  // namespace

template <int D>
std::vector<Quantity> ClusterProbe<D>::columns() const {
  std::vector<Quantity> out{{"clusters", ""}, {"largest", ""},     {"rigid", ""},    {"rigid_bodies", ""},
                            {"held", ""},     {"held_bodies", ""}, {"redundant", ""}};
  if (D == 2)
    out.insert(out.end(),
               {{"rule_fails", ""}, {"special", ""}, {"parts", ""}, {"largest_part", ""}, {"part_bodies", ""}});
  return out;
}

template <int D>
bool ClusterProbe<D>::sample(const Sight<D>& sight, std::vector<double>& row) {
  PackingPlan plan;
  plan.friction = false;
  const Packing<D> packing = packing_of(sight, plan);
  const ClusterCounts n = ClusterCount<D>(packing).count();
  row.clear();
  for (const std::size_t value : {n.clusters, n.largest, n.rigid, n.rigid_bodies, n.held, n.held_bodies, n.redundant,
                                  n.rule_fails, n.special, n.parts, n.largest_part, n.part_bodies})
    row.push_back(static_cast<double>(value));
  row.resize(columns().size());
  this->last_ = row;
  return true;
}

template <int D>
std::map<std::string, double> ClusterProbe<D>::results() const {
  return this->last_row();
}

template class ClusterProbe<2>;
template class ClusterProbe<3>;

}  // namespace moraine::measure
