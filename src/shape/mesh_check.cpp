// SPDX-License-Identifier: MIT
#include "shape/mesh_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <tuple>
#include <unordered_map>

namespace moraine::shape {

namespace {

constexpr std::size_t kListed = 5;
constexpr double kHuge = 1e100;  // beyond, products of coordinates overflow

// Counts, and remembers the first few triangles (from 1, as in the file).
struct Tally {
  std::uint64_t count = 0;
  std::vector<std::uint64_t> first;
  bool more = false;  // than those

  void name(std::uint64_t triangle) {
    if (std::find(first.begin(), first.end(), triangle + 1) != first.end()) return;
    if (first.size() < kListed)
      first.push_back(triangle + 1);
    else
      more = true;
  }
  void add(std::uint64_t triangle) {
    ++count;
    name(triangle);
  }
};

// "triangles 3, 7".
std::string numbers(const Tally& tally) {
  std::string out = tally.first.size() == 1 ? "triangle " : "triangles ";
  for (std::size_t i = 0; i < tally.first.size(); ++i) out += fmt::format("{}{}", i ? ", " : "", tally.first[i]);
  return out + (tally.more ? ", ..." : "");
}

// "1 triangle has no area (triangle 7); left out".
std::string without(const Tally& tally, const std::string& what) {
  return fmt::format("{} {} {} ({}); left out", tally.count, tally.count == 1 ? "triangle has" : "triangles have", what,
                     numbers(tally));
}

void report(std::vector<MeshFinding>& findings, MeshFinding::Kind kind, const Tally& tally, const std::string& text) {
  if (tally.count > 0) findings.push_back({kind, tally.count, tally.first, text});
}

bool is_usable(const Vec3& v) {
  return std::fabs(v[0]) < kHuge && std::fabs(v[1]) < kHuge && std::fabs(v[2]) < kHuge;  // false for NaN
}

// The triangles whose corners are points.
std::vector<std::uint32_t> sound_triangles(std::span<const Vec3> vertices, std::span<const Corners> triangles,
                                           std::vector<MeshFinding>& findings) {
  std::vector<std::uint32_t> sound;
  sound.reserve(triangles.size());
  Tally bad_index, not_finite;
  for (std::uint32_t t = 0; t < triangles.size(); ++t) {
    const Corners& c = triangles[t];
    if (std::any_of(c.begin(), c.end(), [&](std::uint32_t i) { return i >= vertices.size(); })) {
      bad_index.add(t);
    } else if (!std::all_of(c.begin(), c.end(), [&](std::uint32_t i) { return is_usable(vertices[i]); })) {
      not_finite.add(t);
    } else {
      sound.push_back(t);
    }
  }
  report(findings, MeshFinding::kBadIndex, bad_index,
         without(bad_index, fmt::format("a corner that is none of the {} vertices", vertices.size())));
  report(findings, MeshFinding::kNotFinite, not_finite,
         without(not_finite, "a coordinate that is not a number of sensible size"));
  return sound;
}

// Gives the same number to points nearer than the tolerance. Looks points up by cells much wider than the tolerance,
// so that the neighbouring cells matter only to the few points near a border.
class Welder {
 public:
  Welder(const Vec3& min, double tolerance) : min_(min), tolerance_(tolerance), cell_(kWide * tolerance) {}

  std::uint32_t number(const Vec3& v) {
    std::uint32_t found = kNone;
    Key low{}, high{};
    for (int k = 0; k < 3; ++k) {
      low[k] = cell_of(v[k] - min_[k] - tolerance_);
      high[k] = cell_of(v[k] - min_[k] + tolerance_);
    }
    Key key{};
    for (key[0] = low[0]; key[0] <= high[0]; ++key[0]) {
      for (key[1] = low[1]; key[1] <= high[1]; ++key[1]) {
        for (key[2] = low[2]; key[2] <= high[2]; ++key[2]) found = std::min(found, find_in(key, v));
      }
    }
    if (found != kNone) return found;
    return add(v);
  }
  std::vector<Vec3> take() { return std::move(vertices_); }

 private:
  using Key = std::array<std::int64_t, 3>;
  struct Hash {
    std::size_t operator()(const Key& key) const {
      std::uint64_t h = 0;
      for (const std::int64_t c : key) h = (h ^ static_cast<std::uint64_t>(c)) * 0x9E3779B97F4A7C15ull ^ (h >> 29);
      return h ^ (h >> 32);
    }
  };
  static constexpr double kWide = 1000, kOffset = 0.3819660113;  // so that round coordinates are not on borders

  std::int64_t cell_of(double c) const {
    return tolerance_ > 0 ? static_cast<std::int64_t>(std::floor(c / cell_ + kOffset)) : 0;
  }
  std::uint32_t find_in(const Key& key, const Vec3& v) const {
    const auto at = cells_.find(key);
    std::uint32_t found = kNone;
    if (at == cells_.end()) return found;
    for (std::uint32_t i = at->second; i != kNone; i = next_[i]) {
      if (math::norm2(vertices_[i] - v) <= tolerance_ * tolerance_) found = std::min(found, i);
    }
    return found;
  }
  std::uint32_t add(const Vec3& v) {
    const auto number = static_cast<std::uint32_t>(vertices_.size());
    Key key{};
    for (int k = 0; k < 3; ++k) key[k] = cell_of(v[k] - min_[k]);
    const auto [at, is_new] = cells_.try_emplace(key, number);
    next_.push_back(is_new ? kNone : at->second);
    at->second = number;
    vertices_.push_back(v);
    return number;
  }

  Vec3 min_;
  double tolerance_, cell_;
  std::unordered_map<Key, std::uint32_t, Hash> cells_;  // only looked up, never walked through
  std::vector<std::uint32_t> next_;
  std::vector<Vec3> vertices_;
};

bool has_no_area(const std::vector<Vec3>& vertices, const Corners& c) {
  const Vec3 &a = vertices[c[0]], &b = vertices[c[1]], &d = vertices[c[2]];
  const double longest2 = std::max({math::norm2(b - a), math::norm2(d - b), math::norm2(a - d)});
  return !(math::norm(math::cross(b - a, d - a)) > kNoArea * longest2);
}

// Which triangles have the same corners as an earlier one.
std::vector<bool> twins(const std::vector<Corners>& triangles) {
  std::vector<Corners> keys = triangles;
  for (Corners& key : keys) std::sort(key.begin(), key.end());
  std::vector<std::uint32_t> order(triangles.size());
  std::iota(order.begin(), order.end(), 0u);
  std::sort(order.begin(), order.end(),
            [&](std::uint32_t i, std::uint32_t j) { return std::tie(keys[i], i) < std::tie(keys[j], j); });
  std::vector<bool> twin(triangles.size(), false);
  for (std::size_t i = 1; i < order.size(); ++i) twin[order[i]] = keys[order[i]] == keys[order[i - 1]];
  return twin;
}

// Leaves out triangles that have shrunk to a line or a point, and twins; marks those without area.
void keep_triangles(Sorted& mesh) {
  std::vector<Corners> triangles;
  std::vector<std::uint32_t> source;
  Tally flat, duplicate;
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    const Corners& c = mesh.triangles[t];
    if (c[0] == c[1] || c[1] == c[2] || c[2] == c[0]) {
      flat.add(mesh.source[t]);
    } else {
      triangles.push_back(c);
      source.push_back(mesh.source[t]);
    }
  }
  const std::vector<bool> twin = twins(triangles);
  mesh.triangles.clear();
  mesh.source.clear();
  for (std::size_t t = 0; t < triangles.size(); ++t) {
    const bool no_area = has_no_area(mesh.vertices, triangles[t]);
    if (no_area) flat.add(source[t]);
    if (twin[t] && !no_area) duplicate.add(source[t]);
    if (twin[t]) continue;
    mesh.triangles.push_back(triangles[t]);
    mesh.source.push_back(source[t]);
    mesh.flat.push_back(no_area);
  }
  std::sort(flat.first.begin(), flat.first.end());
  report(mesh.findings, MeshFinding::kDegenerate, flat, without(flat, "no area"));
  report(mesh.findings, MeshFinding::kDuplicate, duplicate, without(duplicate, "the same corners as an earlier one"));
}

// How many connected pieces these edges form: the holes and rims of a surface.
std::size_t loops_of(const std::vector<EdgeUse>& edges) {
  std::unordered_map<std::uint32_t, std::uint32_t> parent;
  const auto root = [&](std::uint32_t v) {
    while (parent.at(v) != v) v = parent[v] = parent.at(parent.at(v));
    return v;
  };
  std::size_t loops = 0;
  for (const EdgeUse& edge : edges) {
    for (const std::uint32_t v : {edge.low, edge.high}) loops += parent.try_emplace(v, v).second ? 1 : 0;
    const std::uint32_t a = root(edge.low), b = root(edge.high);
    if (a == b) continue;
    parent[std::max(a, b)] = std::min(a, b);
    --loops;
  }
  return loops;
}

double signed_volume(const Sorted& mesh) {
  double volume = 0;
  const Vec3 middle = 0.5 * (mesh.min + mesh.max);
  for (const Corners& c : mesh.triangles) {
    volume += math::dot(mesh.vertices[c[0]] - middle,
                        math::cross(mesh.vertices[c[1]] - middle, mesh.vertices[c[2]] - middle)) /
              6;
  }
  return volume;
}

// Holes, flipped triangles, sheets that meet: whatever shows at the edges.
void check_edges(Sorted& mesh) {
  const std::vector<EdgeUse> uses = edge_uses(mesh.triangles);
  Tally flipped, many;
  std::vector<EdgeUse> open;
  for (std::size_t begin = 0; begin < uses.size();) {
    const std::size_t end = end_of_edge(uses, begin);
    if (end - begin == 1) open.push_back(uses[begin]);
    if (end - begin == 2 && uses[begin].rising == uses[begin + 1].rising) {
      flipped.add(mesh.source[uses[begin].triangle]);
      flipped.name(mesh.source[uses[begin + 1].triangle]);
    }
    if (end - begin > 2) {
      many.add(mesh.source[uses[begin].triangle]);
      for (std::size_t i = begin + 1; i < end; ++i) many.name(mesh.source[uses[i].triangle]);
    }
    begin = end;
  }

  const std::size_t loops = loops_of(open);
  std::sort(open.begin(), open.end(), [](const EdgeUse& a, const EdgeUse& b) {
    return std::tie(a.triangle, a.side) < std::tie(b.triangle, b.side);
  });
  Tally holes;
  for (const EdgeUse& use : open) holes.add(mesh.source[use.triangle]);
  report(mesh.findings, MeshFinding::kOpenEdge, holes,
         fmt::format("the surface is open: {} edge{} in {} loop{} belong{} to one triangle only (at {})", holes.count,
                     holes.count == 1 ? "" : "s", loops, loops == 1 ? "" : "s", holes.count == 1 ? "s" : "",
                     numbers(holes)));
  report(mesh.findings, MeshFinding::kInconsistentOrientation, flipped,
         fmt::format("{} edge{} between triangles that face opposite sides (at {})", flipped.count,
                     flipped.count == 1 ? " is" : "s are", numbers(flipped)));
  report(mesh.findings, MeshFinding::kNonManifold, many,
         fmt::format("{} edge{} to more than two triangles (at {})", many.count,
                     many.count == 1 ? " belongs" : "s belong", numbers(many)));

  if (mesh.triangles.empty() || holes.count + flipped.count + many.count > 0) return;
  const double diagonal = math::norm(mesh.max - mesh.min);
  if (signed_volume(mesh) < -1e-12 * diagonal * diagonal * diagonal) {
    mesh.findings.push_back({MeshFinding::kInsideOut,
                             mesh.triangles.size(),
                             {mesh.source.front() + 1ull},
                             "the surface is closed and inside out: its normals point inwards"});
  }
}

}  // namespace

std::vector<EdgeUse> edge_uses(std::span<const Corners> triangles) {
  std::vector<EdgeUse> uses;
  uses.reserve(3 * triangles.size());
  for (std::uint32_t t = 0; t < triangles.size(); ++t) {
    for (std::uint8_t side = 0; side < 3; ++side) {
      const std::uint32_t a = triangles[t][side], b = triangles[t][(side + 1) % 3];
      uses.push_back({std::min(a, b), std::max(a, b), t, side, a < b});
    }
  }
  std::sort(uses.begin(), uses.end(), [](const EdgeUse& a, const EdgeUse& b) {
    return std::tie(a.low, a.high, a.triangle, a.side) < std::tie(b.low, b.high, b.triangle, b.side);
  });
  return uses;
}

std::size_t end_of_edge(const std::vector<EdgeUse>& uses, std::size_t begin) {
  std::size_t end = begin + 1;
  while (end < uses.size() && uses[end].same_edge(uses[begin])) ++end;
  return end;
}

Sorted sort_out(std::span<const Vec3> vertices, std::span<const Corners> triangles) {
  Sorted mesh;
  mesh.source = sound_triangles(vertices, triangles, mesh.findings);
  if (!mesh.source.empty()) mesh.min = mesh.max = vertices[triangles[mesh.source.front()][0]];
  for (const std::uint32_t t : mesh.source) {
    for (const std::uint32_t i : triangles[t]) {
      for (int k = 0; k < 3; ++k) {
        mesh.min[k] = std::min(mesh.min[k], vertices[i][k]);
        mesh.max[k] = std::max(mesh.max[k], vertices[i][k]);
      }
    }
  }

  Welder welder(mesh.min, kWeld * math::norm(mesh.max - mesh.min));
  std::vector<std::uint32_t> number(vertices.size(), kNone);
  mesh.triangles.reserve(mesh.source.size());
  for (const std::uint32_t t : mesh.source) {
    Corners c = triangles[t];
    for (std::uint32_t& i : c) {
      if (number[i] == kNone) number[i] = welder.number(vertices[i]);
      i = number[i];
    }
    mesh.triangles.push_back(c);
  }
  mesh.vertices = welder.take();

  keep_triangles(mesh);
  check_edges(mesh);
  if (std::find(mesh.flat.begin(), mesh.flat.end(), false) == mesh.flat.end()) {
    mesh.findings.insert(mesh.findings.begin(),
                         {MeshFinding::kEmpty,
                          triangles.size(),
                          {},
                          triangles.empty() ? std::string("there are no triangles")
                                            : fmt::format("none of the {} triangles can be used", triangles.size())});
  }
  return mesh;
}

}  // namespace moraine::shape
