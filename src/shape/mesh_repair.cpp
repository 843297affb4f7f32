// SPDX-License-Identifier: MIT
#include <algorithm>
#include <map>
#include <utility>

#include "shape/mesh_check.hpp"
#include "shape/mesh_shells.hpp"
#include "shape/solid.hpp"

namespace moraine::shape {

namespace {

// Turns triangles so that neighbours agree, piece by piece.
void turn_alike(RawMesh& mesh) {
  const std::vector<EdgeUse> uses = edge_uses(mesh.triangles);
  std::vector<std::vector<std::pair<std::uint32_t, bool>>> beside(mesh.triangles.size());  // and whether they agree
  for (std::size_t begin = 0; begin < uses.size();) {
    const std::size_t end = end_of_edge(uses, begin);
    if (end - begin == 2) {
      const EdgeUse &a = uses[begin], &b = uses[begin + 1];
      beside[a.triangle].emplace_back(b.triangle, a.rising != b.rising);
      beside[b.triangle].emplace_back(a.triangle, a.rising != b.rising);
    }
    begin = end;
  }
  std::vector<int> turned(mesh.triangles.size(), -1);
  for (std::uint32_t seed = 0; seed < mesh.triangles.size(); ++seed) {
    if (turned[seed] >= 0) continue;
    turned[seed] = 0;
    std::vector<std::uint32_t> part{seed};
    for (std::size_t k = 0; k < part.size(); ++k) {
      for (const auto& [other, agrees] : beside[part[k]]) {
        if (turned[other] >= 0) continue;
        turned[other] = agrees ? turned[part[k]] : 1 - turned[part[k]];
        part.push_back(other);
      }
    }
    for (const std::uint32_t t : part) {
      if (turned[t] == 1) std::swap(mesh.triangles[t][1], mesh.triangles[t][2]);
    }
  }
}

// Pieces outwards; those in a piece inwards, as hollows of it, and so on.
void turn_outwards(RawMesh& mesh) {
  for (const Shell& shell : nested_shells(mesh.vertices, mesh.triangles)) {
    if ((shell.volume < 0) == (shell.in % 2 == 1)) continue;
    for (const std::uint32_t t : shell.triangles) std::swap(mesh.triangles[t][1], mesh.triangles[t][2]);
  }
}

// A triangle for a hole of three edges, otherwise a fan from the middle of the hole.
void close_holes(RawMesh& mesh) {
  std::map<std::uint32_t, std::uint32_t> next;  // along the holes, against the direction of the triangles there
  const std::vector<EdgeUse> uses = edge_uses(mesh.triangles);
  for (std::size_t begin = 0; begin < uses.size();) {
    const std::size_t end = end_of_edge(uses, begin);
    const EdgeUse& use = uses[begin];
    if (end - begin == 1) next[use.rising ? use.high : use.low] = use.rising ? use.low : use.high;
    begin = end;
  }
  while (!next.empty()) {
    std::vector<std::uint32_t> loop;
    for (std::uint32_t at = next.begin()->first; next.count(at) > 0;) {
      loop.push_back(at);
      const std::uint32_t to = next.at(at);
      next.erase(at);
      at = to;
    }
    if (loop.size() < 3) continue;
    if (loop.size() == 3) {
      mesh.triangles.push_back({loop[0], loop[1], loop[2]});
      continue;
    }
    Vec3 middle{};
    for (const std::uint32_t v : loop) middle += mesh.vertices[v] * (1.0 / static_cast<double>(loop.size()));
    const auto centre = static_cast<std::uint32_t>(mesh.vertices.size());
    mesh.vertices.push_back(middle);
    for (std::size_t k = 0; k < loop.size(); ++k)
      mesh.triangles.push_back({loop[k], loop[(k + 1) % loop.size()], centre});
  }
}

}  // namespace

RawMesh repaired(const RawMesh& raw) {
  const Sorted sorted = sort_out(raw.vertices, raw.triangles);
  RawMesh mesh;
  mesh.vertices = sorted.vertices;
  for (std::size_t t = 0; t < sorted.triangles.size(); ++t) {
    if (!sorted.flat[t]) mesh.triangles.push_back(sorted.triangles[t]);
  }
  if (mesh.triangles.empty()) return mesh;
  turn_alike(mesh);
  close_holes(mesh);
  turn_outwards(mesh);
  return mesh;
}

}  // namespace moraine::shape
