// SPDX-License-Identifier: MIT
#include "hard/arc_order.hpp"

#include <algorithm>
#include <array>
#include <limits>

#include "math/ldl.hpp"

namespace moraine::hard {

namespace {

constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

template <int D>
class ArcOrder {
 public:
  explicit ArcOrder(const System<D>& system)
      : system_(system), depth_(system.arcs.size(), kNone), seen_node_(system.movable(), 0) {}

  std::vector<std::uint32_t> find() {
    std::vector<std::uint32_t> trees, loops;
    for (std::uint32_t k = 0; k < system_.arcs.size(); ++k) {
      if (depth_[k] != kNone) continue;
      std::vector<std::uint32_t> cluster = walk(k);
      if (!is_tree(cluster)) {
        loops.insert(loops.end(), cluster.begin(), cluster.end());
        continue;
      }
      // From the middle of the longest path: from the farthest to the farthest, then half the way back.
      forget(cluster);
      const std::uint32_t end = cluster.back();
      cluster = walk(end);
      std::uint32_t middle = cluster.back();
      for (std::uint32_t steps = depth_[middle] / 2; steps > 0; --steps) middle = nearer(middle);
      forget(cluster);
      cluster = walk(middle);
      trees.insert(trees.end(), cluster.begin(), cluster.end());
    }
    std::stable_sort(trees.begin(), trees.end(),
                     [&](std::uint32_t x, std::uint32_t y) { return depth_[x] > depth_[y]; });
    const std::vector<std::uint32_t> rest = by_degree(loops);
    trees.insert(trees.end(), rest.begin(), rest.end());
    return trees;
  }

 private:
  std::array<std::uint32_t, 2> ends(std::uint32_t k) const { return {system_.arcs[k].a, system_.arcs[k].b}; }
  // Couples the arcs that meet there.
  bool couples(std::uint32_t node) const { return node < system_.movable() && system_.hub[node] == 0; }

  // Breadth first: all arcs that hang together with `from`, nearest first.
  std::vector<std::uint32_t> walk(std::uint32_t from) {
    std::vector<std::uint32_t> queue = {from};
    depth_[from] = 0;
    for (std::size_t q = 0; q < queue.size(); ++q) {
      for (const std::uint32_t node : ends(queue[q])) {
        if (!couples(node) || seen_node_[node] != 0) continue;
        seen_node_[node] = 1;
        for (std::uint32_t p = system_.first_arc[node]; p < system_.first_arc[node + 1]; ++p) {
          const std::uint32_t other = system_.arc_at[p];
          if (depth_[other] != kNone) continue;
          depth_[other] = depth_[queue[q]] + 1;
          queue.push_back(other);
        }
      }
    }
    return queue;
  }
  void forget(const std::vector<std::uint32_t>& cluster) {
    for (const std::uint32_t k : cluster) {
      depth_[k] = kNone;
      for (const std::uint32_t node : ends(k)) {
        if (couples(node)) seen_node_[node] = 0;
      }
    }
  }
  std::uint32_t nearer(std::uint32_t k) const {
    for (const std::uint32_t node : ends(k)) {
      if (!couples(node)) continue;
      for (std::uint32_t p = system_.first_arc[node]; p < system_.first_arc[node + 1]; ++p) {
        if (depth_[system_.arc_at[p]] + 1 == depth_[k]) return system_.arc_at[p];
      }
    }
    return k;
  }
  // As many ends at nodes as it takes to hold arcs and nodes together, and no more.
  bool is_tree(const std::vector<std::uint32_t>& cluster) const {
    std::vector<std::uint32_t> nodes;
    for (const std::uint32_t k : cluster) {
      for (const std::uint32_t node : ends(k)) {
        if (couples(node)) nodes.push_back(node);
      }
    }
    const std::size_t incidences = nodes.size();
    std::sort(nodes.begin(), nodes.end());
    nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
    return incidences + 1 == cluster.size() + nodes.size();
  }

  std::vector<std::uint32_t> by_degree(const std::vector<std::uint32_t>& some) const {
    std::vector<std::uint32_t> number(system_.arcs.size(), kNone), start{0}, other, mark(some.size(), kNone);
    for (std::uint32_t k = 0; k < some.size(); ++k) number[some[k]] = k;
    for (std::uint32_t k = 0; k < some.size(); ++k) {
      mark[k] = k;
      for (const std::uint32_t node : ends(some[k])) {
        if (!couples(node)) continue;
        for (std::uint32_t p = system_.first_arc[node]; p < system_.first_arc[node + 1]; ++p) {
          const std::uint32_t neighbour = number[system_.arc_at[p]];
          if (mark[neighbour] == k) continue;
          mark[neighbour] = k;
          other.push_back(neighbour);
        }
      }
      start.push_back(static_cast<std::uint32_t>(other.size()));
    }
    std::vector<std::uint32_t> order = math::elimination_order(start, other);
    for (std::uint32_t& k : order) k = some[k];
    return order;
  }

  const System<D>& system_;
  std::vector<std::uint32_t> depth_;
  std::vector<std::uint8_t> seen_node_;
};

}  // namespace

template <int D>
std::vector<std::uint32_t> elimination_order_of(const System<D>& system) {
  return ArcOrder<D>(system).find();
}

template std::vector<std::uint32_t> elimination_order_of<2>(const System<2>&);
template std::vector<std::uint32_t> elimination_order_of<3>(const System<3>&);

}  // namespace moraine::hard
