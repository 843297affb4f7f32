// SPDX-License-Identifier: MIT
#include "math/graph.hpp"

#include <algorithm>
#include <cmath>

namespace moraine::math {

namespace {

// Arcs at each node, in the order of the arcs.
struct Neighbours {
  std::vector<std::uint32_t> start, arc;
  explicit Neighbours(const Graph& graph) : start(graph.nodes + 1, 0) {
    for (const auto& ends : graph.arcs) {
      ++start[ends[0] + 1];
      if (ends[1] != ends[0]) ++start[ends[1] + 1];
    }
    for (std::size_t i = 0; i < graph.nodes; ++i) start[i + 1] += start[i];
    arc.resize(start.back());
    std::vector<std::uint32_t> next(start.begin(), start.end() - 1);
    for (std::uint32_t v = 0; v < graph.arcs.size(); ++v) {
      const auto& ends = graph.arcs[v];
      arc[next[ends[0]]++] = v;
      if (ends[1] != ends[0]) arc[next[ends[1]]++] = v;
    }
  }
};

std::uint32_t other_end(const Graph& graph, std::uint32_t arc, std::uint32_t node) {
  const auto& ends = graph.arcs[arc];
  return ends[0] == node ? ends[1] : ends[0];
}

}  // namespace

Clusters::Clusters(const Graph& graph) : of(graph.movable, kNone), start{0} {
  const Neighbours at(graph);
  for (std::uint32_t seed = 0; seed < graph.movable; ++seed) {
    if (of[seed] != kNone) continue;
    const auto number = static_cast<std::uint32_t>(rooted.size());
    rooted.push_back(0);
    const std::size_t first = nodes.size();
    of[seed] = number;
    nodes.push_back(seed);
    for (std::size_t n = first; n < nodes.size(); ++n) {
      const std::uint32_t node = nodes[n];
      for (std::uint32_t p = at.start[node]; p < at.start[node + 1]; ++p) {
        const std::uint32_t next = other_end(graph, at.arc[p], node);
        if (next >= graph.movable) {
          rooted[number] = 1;
        } else if (of[next] == kNone) {
          of[next] = number;
          nodes.push_back(next);
        }
      }
    }
    std::sort(nodes.begin() + static_cast<std::ptrdiff_t>(first), nodes.end());
    start.push_back(static_cast<std::uint32_t>(nodes.size()));
  }
}

Forest::Forest(const Graph& graph)
    : parent(graph.movable, kNone), parent_arc(graph.movable, kNone), along_(graph.movable, 0) {
  grow(graph);
  arrange();
  std::vector<std::uint8_t> used(graph.arcs.size(), 0);
  for (const std::uint32_t arc : parent_arc) {
    if (arc != kNone) used[arc] = 1;
  }
  for (std::uint32_t v = 0; v < graph.arcs.size(); ++v) {
    if (used[v] == 0) cut.push_back(v);
  }
}

void Forest::grow(const Graph& graph) {
  const Neighbours at(graph);
  std::vector<std::uint8_t> seen(graph.nodes, 0);
  std::vector<std::uint32_t> queue;
  const auto spread = [&] {
    for (std::size_t n = 0; n < queue.size(); ++n) {
      const std::uint32_t node = queue[n];
      if (node < graph.movable) reached_.push_back(node);
      for (std::uint32_t p = at.start[node]; p < at.start[node + 1]; ++p) {
        const std::uint32_t arc = at.arc[p], next = other_end(graph, arc, node);
        if (seen[next] != 0) continue;
        seen[next] = 1;
        parent[next] = node;
        parent_arc[next] = arc;
        along_[next] = graph.arcs[arc][1] == next ? 1 : 0;
        queue.push_back(next);
      }
    }
    queue.clear();
  };
  for (std::uint32_t node = graph.movable; node < graph.nodes; ++node) {
    seen[node] = 1;
    queue.push_back(node);
  }
  spread();
  for (std::uint32_t node = 0; node < graph.movable; ++node) {
    if (seen[node] != 0) continue;
    seen[node] = 1;
    queue.push_back(node);
    spread();
  }
}

// From the order in which nodes were reached to one where everything beyond a node follows it at once.
void Forest::arrange() {
  const std::size_t n = parent.size();
  const auto is_root = [&](std::uint32_t node) { return parent[node] >= n; };
  std::vector<std::uint32_t> size(n, 1), next(n, 0);
  for (std::size_t r = n; r-- > 0;) {
    if (!is_root(reached_[r])) size[parent[reached_[r]]] += size[reached_[r]];
  }
  order.resize(n);
  place.resize(n);
  end.resize(n);
  std::uint32_t free = 0;
  for (const std::uint32_t node : reached_) {  // parents come before their children
    std::uint32_t& from = is_root(node) ? free : next[parent[node]];
    place[node] = from;
    end[node] = from + size[node];
    next[node] = from + 1;
    from += size[node];
    order[place[node]] = node;
  }
}

std::vector<Forest::Step> Forest::path(std::uint32_t node) const {
  std::vector<Step> steps;
  while (node < parent.size() && parent[node] != kNone) {
    steps.push_back({parent_arc[node], along_[node] != 0 ? 1 : -1});
    node = parent[node];
  }
  return steps;
}

std::size_t rank_of(std::vector<std::vector<double>> rows, double smallest) {
  const auto dot = [](const std::vector<double>& a, const std::vector<double>& b) {
    double s = 0;
    for (std::size_t c = 0; c < a.size(); ++c) s += a[c] * b[c];
    return s;
  };
  double longest = 0;
  for (const auto& row : rows) longest = std::max(longest, dot(row, row));
  std::size_t rank = 0;
  for (; rank < rows.size(); ++rank) {
    std::size_t best = rank;
    double most = -1;
    for (std::size_t r = rank; r < rows.size(); ++r) {
      const double size = dot(rows[r], rows[r]);
      if (size > most) {
        most = size;
        best = r;
      }
    }
    if (!(most > smallest * smallest * longest)) break;
    std::swap(rows[rank], rows[best]);
    const double scale = 1 / std::sqrt(most);
    for (double& c : rows[rank]) c *= scale;
    for (std::size_t r = rank + 1; r < rows.size(); ++r) {
      const double part = dot(rows[rank], rows[r]);
      for (std::size_t c = 0; c < rows[r].size(); ++c) rows[r][c] -= part * rows[rank][c];
    }
  }
  return rank;
}

namespace {

// Each point has two pebbles (its freedoms). A rod is independent of those before it if four pebbles can be gathered at
// its ends; it then keeps one of them. Pebbles move against the direction of the rods that hold them.
class PebbleGame {
 public:
  explicit PebbleGame(std::size_t points) : pebbles_(points, 2), out_(points), from_(points), seen_(points, 0) {}

  bool add(std::uint32_t a, std::uint32_t b) {
    if (a == b) return false;
    gather(a, b);
    gather(b, a);
    if (pebbles_[a] + pebbles_[b] < 4) return false;
    --pebbles_[a];
    out_[a].push_back(b);
    return true;
  }
  // As many as there may be, up to two.
  void gather(std::uint32_t to, std::uint32_t keep) {
    while (pebbles_[to] < 2 && fetch(to, keep)) {
    }
  }
  // The points of the rigid part that the rod between a and b belongs to, ascending: those from which no pebble can be
  // reached but the three of a and b.
  std::vector<std::uint32_t> part_of(std::uint32_t a, std::uint32_t b,
                                     const std::vector<std::vector<std::uint32_t>>& near) {
    gather(a, b);
    gather(b, a);
    std::vector<std::uint32_t> part{a, b};
    std::vector<std::uint8_t> known(pebbles_.size(), 0);  // 1: in the part, 2: not
    known[a] = known[b] = 1;
    for (std::size_t n = 0; n < part.size(); ++n) {
      for (const std::uint32_t start : near[part[n]]) {
        if (known[start] != 0) continue;
        const std::vector<std::uint32_t> reached = stuck(start, known);
        if (reached.empty()) {
          known[start] = 2;
          continue;
        }
        for (const std::uint32_t v : reached) known[v] = 1;
        part.insert(part.end(), reached.begin(), reached.end());
      }
    }
    std::sort(part.begin(), part.end());
    return part;
  }

 private:
  bool fetch(std::uint32_t to, std::uint32_t keep) {
    ++search_;
    seen_[to] = seen_[keep] = search_;
    std::vector<std::uint32_t> stack{to};
    while (!stack.empty()) {
      const std::uint32_t at = stack.back();
      stack.pop_back();
      for (const std::uint32_t next : out_[at]) {
        if (seen_[next] == search_) continue;
        seen_[next] = search_;
        from_[next] = at;
        if (pebbles_[next] == 0) {
          stack.push_back(next);
          continue;
        }
        --pebbles_[next];
        ++pebbles_[to];
        for (std::uint32_t p = next; p != to; p = from_[p]) {  // turn the rods on the way round
          auto& rods_out = out_[from_[p]];
          rods_out.erase(std::find(rods_out.begin(), rods_out.end(), p));
          out_[p].push_back(from_[p]);
        }
        return true;
      }
    }
    return false;
  }
  // All that can be reached from a point if no pebble is among it, else nothing.
  std::vector<std::uint32_t> stuck(std::uint32_t start, const std::vector<std::uint8_t>& known) {
    if (pebbles_[start] > 0) return {};
    ++search_;
    seen_[start] = search_;
    std::vector<std::uint32_t> reached{start};
    for (std::size_t n = 0; n < reached.size(); ++n) {
      for (const std::uint32_t next : out_[reached[n]]) {
        if (seen_[next] == search_ || known[next] == 1) continue;
        if (pebbles_[next] > 0 || known[next] == 2) return {};
        seen_[next] = search_;
        reached.push_back(next);
      }
    }
    return reached;
  }

  std::vector<int> pebbles_;
  std::vector<std::vector<std::uint32_t>> out_;  // rods that a pebble of this point covers: their other ends
  std::vector<std::uint32_t> from_;
  std::vector<std::size_t> seen_;  // the search that last came here
  std::size_t search_ = 0;
};

}  // namespace

std::size_t independent_rods(std::size_t points, const std::vector<std::array<std::uint32_t, 2>>& rods) {
  PebbleGame game(points);
  std::size_t independent = 0;
  for (const auto& [a, b] : rods) independent += game.add(a, b) ? 1 : 0;
  return independent;
}

std::vector<std::vector<std::uint32_t>> rigid_parts(std::size_t points,
                                                    const std::vector<std::array<std::uint32_t, 2>>& rods) {
  PebbleGame game(points);
  std::vector<std::vector<std::uint32_t>> near(points), rods_at(points), parts;
  for (std::uint32_t r = 0; r < rods.size(); ++r) {
    const auto& [a, b] = rods[r];
    if (a == b) continue;
    game.add(a, b);
    near[a].push_back(b);
    near[b].push_back(a);
    rods_at[a].push_back(r);
  }
  std::vector<std::uint8_t> done(rods.size(), 0), inside(points, 0);
  for (std::uint32_t r = 0; r < rods.size(); ++r) {
    if (done[r] != 0 || rods[r][0] == rods[r][1]) continue;
    parts.push_back(game.part_of(rods[r][0], rods[r][1], near));
    for (const std::uint32_t v : parts.back()) inside[v] = 1;
    for (const std::uint32_t v : parts.back()) {
      for (const std::uint32_t other : rods_at[v])
        done[other] = done[other] != 0 || inside[rods[other][1]] != 0 ? 1 : 0;
    }
    for (const std::uint32_t v : parts.back()) inside[v] = 0;
  }
  return parts;
}

bool counts_as_rigid(std::size_t disks, const std::vector<std::array<std::uint32_t, 2>>& contacts) {
  if (2 * disks > contacts.size() + 3) return false;
  std::vector<int> at(disks, 0);
  for (const auto& [a, b] : contacts) {
    ++at[a];
    ++at[b];
  }
  if (std::find(at.begin(), at.end(), 1) != at.end()) return false;
  return std::none_of(contacts.begin(), contacts.end(),
                      [&](const auto& contact) { return at[contact[0]] == 2 && at[contact[1]] == 2; });
}

}  // namespace moraine::math
