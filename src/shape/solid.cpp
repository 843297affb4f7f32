// SPDX-License-Identifier: MIT
#include "shape/solid.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "math/principal.hpp"
#include "shape/mesh_shells.hpp"
#include "shape/polygon.hpp"

namespace moraine::shape {

namespace {

using math::Vec;
using math::Vec2;

constexpr double kFlatSine = 1e-7;  // facets that turn by less are one face (files often hold single precision)

// What simplices from a point to the facets add up to.
template <int D>
struct Moments {
  double measure = 0;
  Vec<D> first{};
  double second[D][D] = {};
};

double orientation(const std::array<Vec<3>, 3>& c) { return math::dot(c[0], math::cross(c[1], c[2])); }
double orientation(const std::array<Vec2, 2>& c) { return math::cross(c[0], c[1]); }

template <int D>
Moments<D> moments_about(const Vec<D>& origin, const std::vector<Vec<D>>& vertices,
                         const std::vector<Facet<D>>& facets) {
  Moments<D> m;
  for (const Facet<D>& facet : facets) {
    std::array<Vec<D>, D> c;
    Vec<D> sum{};
    for (std::size_t i = 0; i < D; ++i) {
      c[i] = vertices[facet[i]] - origin;
      sum += c[i];
    }
    const double det = orientation(c);
    m.measure += det / (D == 3 ? 6 : 2);
    m.first += sum * (det / (D == 3 ? 24 : 6));
    const double share = det / (D == 3 ? 120 : 24);
    for (int i = 0; i < D; ++i) {
      for (int j = 0; j < D; ++j) {
        double products = sum[i] * sum[j];
        for (const Vec<D>& corner : c) products += corner[i] * corner[j];
        m.second[i][j] += share * products;
      }
    }
  }
  return m;
}

template <int D>
Vec<D> mean_vertex(const std::vector<Vec<D>>& vertices, const std::vector<Facet<D>>& facets) {
  Vec<D> sum{};
  for (const Facet<D>& facet : facets) {
    for (const std::uint32_t i : facet) sum += vertices[i];
  }
  return sum * (1.0 / static_cast<double>(D * facets.size()));
}

void set_inertia(const Moments<2>& m, MassProperties<2>& p) { p.inertia = m.second[0][0] + m.second[1][1]; }
void set_inertia(const Moments<3>& m, MassProperties<3>& p) {
  const auto& s = m.second;
  const math::Principal principal = math::principal_axes(
      {s[1][1] + s[2][2], s[0][0] + s[2][2], s[0][0] + s[1][1], -s[0][1], -s[0][2], -s[1][2]}, 1e-13);
  p.inertia = principal.values;
  p.axes = principal.axes;
}

// Straight in from each corner, as far as the solid goes, but not over two fifths of its radius. Where it is thinner
// than a step, the step is halved.
template <int D>
void look_inward(Solid<D>& solid) {
  std::vector<Vec<D>> out(solid.vertices.size(), Vec<D>{});
  for (std::size_t f = 0; f < solid.facets.size(); ++f) {
    for (const std::uint32_t v : solid.facets[f]) out[v] += solid.normals[f];
  }
  constexpr int kSteps = 20, kMostHalvings = 40;
  constexpr double kReach = 0.4;
  const double step = kReach * solid.radius / kSteps;
  for (const std::uint32_t v : solid.corners) {
    const double size = math::norm(out[v]);
    Vec<D> in = size > 0 ? out[v] * (-step / size) : Vec<D>{};
    Vec<D> at = solid.vertices[v];
    const auto is_inside = [&] { return solid.field.at(at + in).distance < 0; };
    for (int k = 0; k < kMostHalvings && !is_inside(); ++k) in *= 0.5;
    int steps = 0;
    for (; steps < kSteps && is_inside(); ++steps) at += in;
    solid.inward.push_back(at);
    const double far = math::norm(at - solid.vertices[v]);
    solid.room.push_back(steps < kSteps || far < 0.5 * kReach * solid.radius ? far
                                                                             : std::numeric_limits<double>::infinity());
  }
}

// Ends of what leaves each corner, as numbers of vertices.
std::vector<std::vector<std::uint32_t>> leaving(const Solid<3>& solid) {
  std::vector<std::vector<std::uint32_t>> to(solid.corners.size());
  for (const Ridge& r : solid.ridges) {
    to[r.from].push_back(solid.corners[r.to]);
    to[r.to].push_back(solid.corners[r.from]);
  }
  return to;
}
std::vector<std::vector<std::uint32_t>> leaving(const Solid<2>& solid) {
  const auto n = static_cast<std::uint32_t>(solid.vertices.size());
  std::vector<std::vector<std::uint32_t>> to;
  for (const std::uint32_t v : solid.corners) to.push_back({(v + n - 1) % n, (v + 1) % n});
  return to;
}

template <int D>
void set_spokes(Solid<D>& solid) {
  const auto to = leaving(solid);
  for (std::size_t c = 0; c < to.size(); ++c) {
    solid.spoke_start.push_back(static_cast<std::uint32_t>(solid.spokes.size()));
    for (const std::uint32_t v : to[c]) {
      const Vec<D> along = solid.vertices[v] - solid.vertices[solid.corners[c]];
      solid.spokes.push_back(along * (1 / math::norm(along)));
    }
  }
  solid.spoke_start.push_back(static_cast<std::uint32_t>(solid.spokes.size()));
}

void set_skin(Solid<2>& /*solid*/) {}
void set_skin(Solid<3>& solid) {
  solid.skin.mesh = make_mesh(solid.vertices, solid.facets);
  solid.skin.tree = MeshTree(solid.skin.mesh);
}

// Facets that all lies below come first; of a large mesh none are looked for.
template <int D>
void find_fronts(Solid<D>& solid) {
  constexpr std::size_t kMostFacets = 400;
  constexpr double kSame = 1 - 1e-9;
  const auto highest = [&](const Vec<D>& n) {
    double offset = -std::numeric_limits<double>::infinity();
    for (const Vec<D>& v : solid.vertices) offset = std::max(offset, math::dot(n, v));
    return offset;
  };
  struct Found {
    typename Solid<D>::Front front;
    double above;  // the facet
  };
  std::vector<Found> found;
  const auto look = [&](const Vec<D>& n, double at) {
    const auto same = [&](const Found& f) { return math::dot(f.front.n, n) > kSame; };
    const double offset = highest(n);
    if (std::none_of(found.begin(), found.end(), same)) found.push_back({{n, offset}, offset - at});
  };
  for (int k = 0; k < D; ++k) {
    for (const double sign : {-1.0, 1.0}) {
      Vec<D> n{};
      n[k] = sign;
      look(n, highest(n));
    }
  }
  if (solid.facets.size() <= kMostFacets) {
    for (std::size_t f = 0; f < solid.facets.size(); ++f)
      look(solid.normals[f], math::dot(solid.normals[f], solid.vertices[solid.facets[f][0]]));
  }
  const double small = 1e-9 * solid.radius;
  std::stable_partition(found.begin(), found.end(), [&](const Found& f) { return f.above <= small; });
  for (const Found& f : found) {
    if (solid.fronts.size() < Solid<D>::kMostFronts) solid.fronts.push_back(f.front);
  }
}

// The parts that follow from vertices, facets and ridges.
template <int D>
void finish(Solid<D>& solid, const MassProperties<D>& properties, double reach) {
  solid.measure = properties.measure;
  solid.moment = properties.inertia;
  solid.radius = properties.outer;
  solid.centre = properties.centre;
  solid.axes = properties.axes;
  for (Vec<D>& v : solid.vertices) v = math::rotated(v - properties.centre, math::inverse(properties.axes));
  solid.field = DistanceField<D>(solid.vertices, solid.facets, reach * solid.radius);
  const Vec<D> middle{};
  solid.inner = std::max(0.0, -solid.field.at(middle).distance);
  std::sort(solid.corners.begin(), solid.corners.end());
  solid.corners.erase(std::unique(solid.corners.begin(), solid.corners.end()), solid.corners.end());
  const auto number = [&](std::uint32_t v) {
    return static_cast<std::uint32_t>(std::lower_bound(solid.corners.begin(), solid.corners.end(), v) -
                                      solid.corners.begin());
  };
  for (Ridge& r : solid.ridges) {
    r.from = number(r.from);
    r.to = number(r.to);
  }
  find_fronts(solid);
  set_spokes(solid);
  look_inward(solid);
  set_skin(solid);
}

bool cross_each_other(const Mesh& mesh, std::uint32_t s, std::uint32_t t) {
  const Corners &cs = mesh.triangles[s], &ct = mesh.triangles[t];
  const auto has = [](const Corners& c, std::uint32_t i) { return std::find(c.begin(), c.end(), i) != c.end(); };
  const auto through = [&](const Corners& edges, const Corners& face) {
    for (std::size_t i = 0; i < 3; ++i) {
      const std::uint32_t p = edges[i], q = edges[(i + 1) % 3];
      if (has(face, p) || has(face, q)) continue;
      if (pierces(mesh.vertices[p], mesh.vertices[q], mesh.vertices[face[0]], mesh.vertices[face[1]],
                  mesh.vertices[face[2]]))
        return true;
    }
    return false;
  };
  const auto shared = std::count_if(cs.begin(), cs.end(), [&](std::uint32_t i) { return has(ct, i); });
  if (shared < 2) return through(cs, ct) || through(ct, cs);
  // Two triangles of an oriented surface that share an edge: folded back on to each other.
  return math::dot(mesh.normals[s], mesh.normals[t]) < -1 + 0.5 * kFlatSine * kFlatSine;
}

}  // namespace

bool pierces(const Vec3& p, const Vec3& q, const Vec3& a, const Vec3& b, const Vec3& c) {
  const auto volume = [](const Vec3& o, const Vec3& u, const Vec3& v, const Vec3& w) {
    return math::dot(u - o, math::cross(v - o, w - o));
  };
  const double from = volume(a, b, c, p), to = volume(a, b, c, q);
  if (!(from * to < 0)) return false;
  const double ab = volume(p, q, a, b), bc = volume(p, q, b, c), ca = volume(p, q, c, a);
  return (ab > 0 && bc > 0 && ca > 0) || (ab < 0 && bc < 0 && ca < 0);
}

template <int D>
MassProperties<D> solid_properties(const std::vector<Vec<D>>& vertices, const std::vector<Facet<D>>& facets) {
  MassProperties<D> p;
  // About the centre at last: far from it, digits would cancel.
  Vec<D> centre = mean_vertex<D>(vertices, facets);
  for (int pass = 0; pass < 2; ++pass) {
    const Moments<D> m = moments_about<D>(centre, vertices, facets);
    centre += m.first * (1 / m.measure);
  }
  const Moments<D> m = moments_about<D>(centre, vertices, facets);
  p.measure = m.measure;
  p.centre = centre;
  set_inertia(m, p);
  for (const Facet<D>& facet : facets) {
    for (const std::uint32_t i : facet) p.outer = std::max(p.outer, math::norm(vertices[i] - centre));
  }
  return p;
}
template MassProperties<2> solid_properties<2>(const std::vector<Vec2>&, const std::vector<Facet<2>>&);
template MassProperties<3> solid_properties<3>(const std::vector<Vec3>&, const std::vector<Facet<3>>&);

template <int D>
std::size_t Solid<D>::bytes() const {
  return vertices.size() * sizeof(vertices[0]) + fronts.size() * sizeof(Front) +
         facets.size() * (sizeof(facets[0]) + sizeof(normals[0])) + ridges.size() * sizeof(Ridge) +
         corners.size() * (sizeof(corners[0]) + sizeof(inward[0]) + sizeof(room[0])) + field.bytes();
}
template struct Solid<2>;
template struct Solid<3>;

std::vector<std::array<std::uint32_t, 2>> crossing_triangles(const Mesh& mesh, std::size_t most) {
  struct Box {
    Vec3 min, max;
    std::uint32_t triangle;
  };
  std::vector<Box> boxes;
  for (std::uint32_t t = 0; t < mesh.triangles.size(); ++t) {
    Box box{mesh.vertices[mesh.triangles[t][0]], mesh.vertices[mesh.triangles[t][0]], t};
    for (const std::uint32_t i : mesh.triangles[t]) {
      for (int k = 0; k < 3; ++k) {
        box.min[k] = std::min(box.min[k], mesh.vertices[i][k]);
        box.max[k] = std::max(box.max[k], mesh.vertices[i][k]);
      }
    }
    boxes.push_back(box);
  }
  std::stable_sort(boxes.begin(), boxes.end(), [](const Box& a, const Box& b) { return a.min[0] < b.min[0]; });
  std::vector<std::array<std::uint32_t, 2>> found;
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    for (std::size_t j = i + 1; j < boxes.size() && boxes[j].min[0] <= boxes[i].max[0]; ++j) {
      const Box &a = boxes[i], &b = boxes[j];
      if (a.min[1] > b.max[1] || b.min[1] > a.max[1] || a.min[2] > b.max[2] || b.min[2] > a.max[2]) continue;
      if (!cross_each_other(mesh, a.triangle, b.triangle)) continue;
      found.push_back({std::min(a.triangle, b.triangle), std::max(a.triangle, b.triangle)});
      if (found.size() == most) return found;
    }
  }
  return found;
}

std::vector<std::string> solid_faults(const Mesh& mesh) {
  std::vector<std::string> faults;
  for (const MeshFinding& finding : mesh.findings) faults.push_back(finding.text);
  if (!faults.empty()) return faults;
  constexpr std::size_t kNamed = 3;
  const auto number = [&](std::uint32_t t) { return mesh.source[t] + 1; };
  const auto crossings = crossing_triangles(mesh, kNamed);
  for (const auto& [s, t] : crossings)
    faults.push_back(fmt::format("triangles {} and {} cross each other", number(s), number(t)));
  if (!faults.empty()) return faults;
  if (const auto touching = touching_shells(mesh)) {
    faults.push_back(fmt::format("triangles {} and {} of two closed parts touch or cross each other",
                                 number((*touching)[0]), number((*touching)[1])));
    return faults;
  }
  const std::vector<Shell> shells = nested_shells(mesh.vertices, mesh.triangles);
  for (const Shell& shell : shells) {
    const auto first = number(shell.triangles[0]);
    if (faults.size() == kNamed) break;
    if (shell.in % 2 == 0 && shell.volume < 0)
      faults.push_back(
          fmt::format("the closed part that triangle {} belongs to faces inwards and lies in no other: "
                      "there is nothing that it could be a hollow of",
                      first));
    if (shell.in % 2 == 1 && shell.volume > 0)
      faults.push_back(
          fmt::format("the closed part that triangle {} belongs to faces outwards and lies in that of "
                      "triangle {}: a hollow must face inwards",
                      first, number(shells[shell.around].triangles[0])));
  }
  return faults;
}

Solid<3> make_solid(const Mesh& mesh, double reach) {
  Solid<3> solid;
  // Vertices that no triangle uses are left behind.
  std::vector<std::uint32_t> number(mesh.vertices.size(), kNone);
  for (const Corners& c : mesh.triangles) {
    Facet<3> facet;
    for (std::size_t i = 0; i < 3; ++i) {
      if (number[c[i]] == kNone) {
        number[c[i]] = static_cast<std::uint32_t>(solid.vertices.size());
        solid.vertices.push_back(mesh.vertices[c[i]]);
      }
      facet[i] = number[c[i]];
    }
    solid.facets.push_back(facet);
  }
  const MassProperties<3> properties = solid_properties<3>(solid.vertices, solid.facets);
  solid.convex = true;
  for (std::uint32_t t = 0; t < mesh.triangles.size(); ++t) {
    solid.normals.push_back(math::rotated(mesh.normals[t], math::inverse(properties.axes)));
    for (std::size_t i = 0; i < 3; ++i) {
      const std::uint32_t other = mesh.neighbours[t][i];
      if (other < t) continue;
      const Vec3& from = mesh.vertices[mesh.triangles[t][i]];
      const Vec3& to = mesh.vertices[mesh.triangles[t][(i + 1) % 3]];
      // Seen along the edge, the second normal is turned outwards or inwards from the first.
      const double sine =
          math::dot(math::cross(mesh.normals[t], mesh.normals[other]), to - from) / math::norm(to - from);
      const bool folded = math::dot(mesh.normals[t], mesh.normals[other]) < 0;
      if (sine > kFlatSine || (folded && sine > -kFlatSine)) {
        const Vec3 along = (to - from) * (1 / math::norm(to - from));
        const auto into = [&](const Vec3& normal, double way) {
          return math::rotated(math::cross(normal, along) * way, math::inverse(properties.axes));
        };
        solid.ridges.push_back({solid.facets[t][i],
                                solid.facets[t][(i + 1) % 3],
                                {into(mesh.normals[t], 1), into(mesh.normals[other], -1)}});
      } else if (sine < -kFlatSine) {
        solid.convex = false;
      }
    }
  }
  for (const Ridge& r : solid.ridges) solid.corners.insert(solid.corners.end(), {r.from, r.to});
  finish(solid, properties, reach);
  return solid;
}

Solid<2> make_solid(std::vector<Vec2> corners, double reach) {
  if (polygon_area(corners) < 0) std::reverse(corners.begin(), corners.end());
  Solid<2> solid;
  const auto n = static_cast<std::uint32_t>(corners.size());
  solid.convex = true;
  for (std::uint32_t i = 0; i < n; ++i) {
    const std::uint32_t next = (i + 1) % n;
    solid.facets.push_back({i, next});
    const Vec2 along = corners[next] - corners[i], before = corners[i] - corners[(i + n - 1) % n];
    const double turn = math::cross(before, along) / (math::norm(before) * math::norm(along));
    solid.normals.push_back(Vec2{along[1], -along[0]} * (1 / math::norm(along)));
    if (turn > kFlatSine) solid.corners.push_back(i);
    if (turn < -kFlatSine) solid.convex = false;
  }
  solid.vertices = std::move(corners);
  const MassProperties<2> properties = solid_properties<2>(solid.vertices, solid.facets);
  finish(solid, properties, reach);
  return solid;
}

}  // namespace moraine::shape
