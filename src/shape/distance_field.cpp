// SPDX-License-Identifier: MIT
#include "shape/distance_field.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <utility>

#include "math/elementary.hpp"
#include "shape/mesh_nearest.hpp"

namespace moraine::shape {

namespace {

using math::Vec;

template <int D>
struct Closest {
  Vec<D> away{};  // from the nearest point of the facet to x
  double distance2 = 0;
  int rim = -1;  // which edge or vertex it is on; -1: inside the facet
};

template <class Flat>
Closest<3> closest(const Flat& f, const Vec<3>& x) {
  const Nearest n = nearest_on(f.corner[0], f.corner[1], f.corner[2], f.normal, x);
  return {n.away, n.distance2, static_cast<int>(n.feature) - 1};
}
template <class Flat>
Closest<2> closest(const Flat& f, const Vec<2>& x) {
  const Vec<2> ab = f.corner[1] - f.corner[0], ax = x - f.corner[0], bx = x - f.corner[1];
  if (math::dot(ax, ab) <= 0) return {ax, math::norm2(ax), 0};
  if (math::dot(bx, ab) >= 0) return {bx, math::norm2(bx), 1};
  const double height = math::dot(ax, f.normal);
  return {height * f.normal, height * height, -1};
}

Vec<3> outward(const std::array<Vec<3>, 3>& c) {
  const Vec<3> n = math::cross(c[1] - c[0], c[2] - c[0]);
  return n * (1 / math::norm(n));
}
Vec<2> outward(const std::array<Vec<2>, 2>& c) {
  const Vec<2> u = c[1] - c[0];
  return Vec<2>{u[1], -u[0]} * (1 / math::norm(u));
}

double angle_between(const Vec<3>& a, const Vec<3>& b) {
  return math::atan2(math::norm(math::cross(a, b)), math::dot(a, b));
}

void add_rims(const std::vector<Vec<3>>& vertices, const std::vector<Facet<3>>& facets,
              const std::vector<Vec<3>>& normals, std::vector<std::array<Vec<3>, 6>>& rims) {
  std::vector<Vec<3>> at_vertex(vertices.size(), Vec<3>{});
  std::map<std::pair<std::uint32_t, std::uint32_t>, Vec<3>> at_edge;
  for (std::size_t f = 0; f < facets.size(); ++f) {
    for (std::size_t i = 0; i < 3; ++i) {
      const std::uint32_t a = facets[f][i], b = facets[f][(i + 1) % 3], c = facets[f][(i + 2) % 3];
      at_vertex[a] += normals[f] * angle_between(vertices[b] - vertices[a], vertices[c] - vertices[a]);
      at_edge.try_emplace(std::minmax(a, b), Vec<3>{}).first->second += normals[f];
    }
  }
  for (std::size_t f = 0; f < facets.size(); ++f) {
    for (std::size_t i = 0; i < 3; ++i) {
      rims[f][i] = at_edge.at(std::minmax(facets[f][i], facets[f][(i + 1) % 3]));
      rims[f][3 + i] = at_vertex[facets[f][i]];
    }
  }
}
void add_rims(const std::vector<Vec<2>>& vertices, const std::vector<Facet<2>>& facets,
              const std::vector<Vec<2>>& normals, std::vector<std::array<Vec<2>, 2>>& rims) {
  std::vector<Vec<2>> at_vertex(vertices.size(), Vec<2>{});
  for (std::size_t f = 0; f < facets.size(); ++f) {
    for (const std::uint32_t i : facets[f]) at_vertex[i] += normals[f];
  }
  for (std::size_t f = 0; f < facets.size(); ++f) rims[f] = {at_vertex[facets[f][0]], at_vertex[facets[f][1]]};
}

template <int D>
Vec<D> unit(const Vec<D>& a) {
  return a * (1 / math::norm(a));
}

// Cells along the longest side: the more facets, the finer.
std::uint32_t cells_along(std::size_t facets, int dimension) {
  const auto n = static_cast<double>(facets);
  return static_cast<std::uint32_t>(
      std::clamp(dimension == 3 ? 4 * math::pow(n, 1.0 / 3) : 4 * std::sqrt(n), 8.0, 32.0));
}

}  // namespace

template <int D>
DistanceField<D>::DistanceField(const std::vector<Vec>& vertices, const std::vector<Facet<D>>& facets, double reach)
    : rims_(facets.size()) {
  min_ = max_ = vertices[facets[0][0]];
  std::vector<Vec> normals;
  for (const Facet<D>& facet : facets) {
    std::array<Vec, D> corner;
    for (std::size_t i = 0; i < D; ++i) {
      corner[i] = vertices[facet[i]];
      for (int k = 0; k < D; ++k) {
        min_[k] = std::min(min_[k], corner[i][k]);
        max_[k] = std::max(max_[k], corner[i][k]);
      }
    }
    normals.push_back(outward(corner));
    Flat flat;
    std::copy(corner.begin(), corner.end(), flat.corner);
    flat.normal = normals.back();
    flats_.push_back(flat);
  }
  add_rims(vertices, facets, normals, rims_);
  double longest = 0;
  for (int k = 0; k < D; ++k) {
    min_[k] -= reach;
    max_[k] += reach;
    longest = std::max(longest, max_[k] - min_[k]);
  }
  cell_ = longest / cells_along(facets.size(), D);
  per_cell_ = 1 / cell_;
  for (int k = 0; k < D; ++k) {
    cells_[static_cast<std::size_t>(k)] = static_cast<std::uint32_t>(std::ceil((max_[k] - min_[k]) * per_cell_));
  }
  list_candidates();
  mark_convex();
}

template <int D>
std::size_t DistanceField<D>::cell_of(const Vec& x) const {
  std::size_t cell = 0;
  for (int k = D - 1; k >= 0; --k) {
    const std::uint32_t n = cells_[static_cast<std::size_t>(k)];
    const auto i = std::min(n - 1, static_cast<std::uint32_t>(std::max(0.0, (x[k] - min_[k]) * per_cell_)));
    cell = cell * n + i;
  }
  return cell;
}

// A facet may be the nearest to a point of a cell only if it is no farther from the middle than the nearest one plus
// the cell's diagonal. Blocks of cells first, then cells among what their block has.
template <int D>
void DistanceField<D>::list_candidates() {
  constexpr std::uint32_t kBlock = 4;
  const double half = 0.5 * cell_ * std::sqrt(static_cast<double>(D));
  std::vector<double> distance;
  const auto nearest_of = [&](const std::vector<std::uint32_t>& among, const Vec& middle, double radius,
                              std::vector<std::uint32_t>& out) {
    distance.clear();
    double least = std::numeric_limits<double>::infinity();
    for (const std::uint32_t f : among) {
      distance.push_back(std::sqrt(closest(flats_[f], middle).distance2));
      least = std::min(least, distance.back());
    }
    out.clear();
    for (std::size_t i = 0; i < among.size(); ++i) {
      if (distance[i] <= (least + 2 * radius) * (1 + 1e-12)) out.push_back(among[i]);
    }
  };
  std::vector<std::uint32_t> all(flats_.size());
  for (std::uint32_t f = 0; f < all.size(); ++f) all[f] = f;
  std::size_t count = 1, block_count = 1;
  std::array<std::uint32_t, D> blocks;
  for (std::size_t k = 0; k < D; ++k) {
    count *= cells_[k];
    blocks[k] = (cells_[k] + kBlock - 1) / kBlock;
    block_count *= blocks[k];
  }
  const auto middle_of = [&](std::size_t index, const std::array<std::uint32_t, D>& sizes, double size) {
    Vec middle = min_;
    for (std::size_t k = 0; k < D; ++k) {
      middle[static_cast<int>(k)] += size * (static_cast<double>(index % sizes[k]) + 0.5);
      index /= sizes[k];
    }
    return middle;
  };
  std::vector<std::vector<std::uint32_t>> of_block(block_count);
  for (std::size_t b = 0; b < block_count; ++b)
    nearest_of(all, middle_of(b, blocks, cell_ * kBlock), half * kBlock, of_block[b]);

  start_.assign(1, 0);
  start_.reserve(count + 1);
  std::vector<std::uint32_t> here;
  for (std::size_t c = 0; c < count; ++c) {
    std::size_t rest = c, block = 0, step = 1;
    for (std::size_t k = 0; k < D; ++k) {
      block += step * (rest % cells_[k] / kBlock);
      step *= blocks[k];
      rest /= cells_[k];
    }
    nearest_of(of_block[block], middle_of(c, cells_, cell_), half, here);
    candidates_.insert(candidates_.end(), here.begin(), here.end());
    start_.push_back(static_cast<std::uint32_t>(candidates_.size()));
  }
  candidates_.shrink_to_fit();
}

// Whether facet g is behind the plane of facet f.
template <int D>
bool DistanceField<D>::lies_behind(std::uint32_t f, std::uint32_t g) const {
  const double noise = 1e-9 * math::norm(max_ - min_);
  return std::all_of(std::begin(flats_[g].corner), std::end(flats_[g].corner),
                     [&](const Vec& c) { return math::dot(c - flats_[f].corner[0], flats_[f].normal) <= noise; });
}

// Where all facets that may be nearest in a cell lie behind each other's planes, the distance is that from a convex
// body. The same for a cell and those around it.
template <int D>
void DistanceField<D>::mark_convex() {
  const std::size_t count = start_.size() - 1, n_facets = flats_.size();
  convex_.assign(count, Convex::kNot);
  // Asked again and again of the same pairs: remembered, unless there are too many of them.
  constexpr std::size_t kMost = 4000;
  std::vector<std::uint8_t> known(n_facets <= kMost ? n_facets * n_facets : 0, 2);
  const auto behind = [&](std::uint32_t f, std::uint32_t g) {
    if (known.empty()) return lies_behind(f, g);
    std::uint8_t& answer = known[f * n_facets + g];
    if (answer == 2) answer = lies_behind(f, g) ? 1 : 0;
    return answer == 1;
  };
  const auto convex = [&](std::span<const std::uint32_t> facets) {
    return std::all_of(facets.begin(), facets.end(), [&](std::uint32_t f) {
      return std::all_of(facets.begin(), facets.end(), [&](std::uint32_t g) { return behind(f, g); });
    });
  };
  std::vector<std::uint32_t> around;
  if (n_facets <= kMost) {
    around.resize(n_facets);
    std::iota(around.begin(), around.end(), 0U);
    if (convex(around)) return convex_.assign(count, Convex::kAround);
  }
  for (std::size_t c = 0; c < count; ++c) {
    if (!convex({candidates_.begin() + start_[c], candidates_.begin() + start_[c + 1]})) continue;
    around.clear();
    std::array<std::int64_t, D> at;
    std::size_t rest = c;
    for (std::size_t k = 0; k < D; ++k) {
      at[k] = static_cast<std::int64_t>(rest % cells_[k]);
      rest /= cells_[k];
    }
    constexpr int kAround = D == 3 ? 27 : 9;
    for (int n = 0; n < kAround; ++n) {
      std::size_t cell = 0, step = 1;
      bool exists = true;
      for (std::size_t k = 0, digits = static_cast<std::size_t>(n); k < D; ++k, digits /= 3) {
        const std::int64_t i = at[k] + static_cast<std::int64_t>(digits % 3) - 1;
        exists = exists && i >= 0 && i < static_cast<std::int64_t>(cells_[k]);
        cell += step * static_cast<std::size_t>(std::max<std::int64_t>(i, 0));
        step *= cells_[k];
      }
      if (exists)
        around.insert(around.end(), candidates_.begin() + start_[cell], candidates_.begin() + start_[cell + 1]);
    }
    std::sort(around.begin(), around.end());
    around.erase(std::unique(around.begin(), around.end()), around.end());
    convex_[c] = convex(around) ? Convex::kAround : Convex::kHere;
  }
}

namespace {

enum class Meeting { kNone, kOnce, kUnclear };

// A ray against a facet; unclear if it comes too near an edge, a corner or the plane of the facet to be told.
Meeting meeting(const math::Vec3& x, const math::Vec3& way, const math::Vec3* c, double noise) {
  const math::Vec3 a = c[0] - x, b = c[1] - x, d = c[2] - x;
  const double u = math::dot(way, math::cross(a, b)), v = math::dot(way, math::cross(b, d)),
               w = math::dot(way, math::cross(d, a));
  if (std::min({u, v, w}) < -noise && std::max({u, v, w}) > noise) return Meeting::kNone;
  if (std::min({std::fabs(u), std::fabs(v), std::fabs(w)}) <= noise) return Meeting::kUnclear;
  // All of one sign: the line meets the facet; the ray does if the facet is ahead.
  const double ahead = math::dot(a, math::cross(b, d)) * (u + v + w);
  return ahead > 0 ? Meeting::kOnce : Meeting::kNone;
}
Meeting meeting(const math::Vec2& x, const math::Vec2& way, const math::Vec2* c, double noise) {
  const math::Vec2 a = c[0] - x, b = c[1] - x;
  const double u = math::cross(way, a), v = math::cross(way, b);
  if (std::min(std::fabs(u), std::fabs(v)) <= noise) return Meeting::kUnclear;
  if ((u > 0) == (v > 0)) return Meeting::kNone;
  return math::cross(a, b) * (v - u) > 0 ? Meeting::kOnce : Meeting::kNone;
}

math::Vec3 ray(int k, math::Vec3 /*space*/) { return {1, 0.6180339887 - 0.17 * k, 0.3247179572 + 0.11 * k * k}; }
math::Vec2 ray(int k, math::Vec2 /*space*/) { return {1, 0.6180339887 - 0.17 * k}; }

}  // namespace

template <int D>
bool DistanceField<D>::inside_by_rays(const Vec& x) const {
  constexpr int kTries = 16;
  const double size = math::norm(max_ - min_), noise = 1e-12 * (D == 3 ? size * size : size);
  bool inside = false;
  for (int k = 0; k < kTries; ++k) {
    inside = false;
    bool clear = true;
    for (const Flat& flat : flats_) {
      const Meeting here = meeting(x, ray(k, Vec{}), flat.corner, noise);
      if (here == Meeting::kOnce) inside = !inside;
      clear = clear && here != Meeting::kUnclear;
    }
    if (clear) break;  // on the surface itself no ray is, and either answer is right
  }
  return inside;
}

template <int D>
Depth<D> DistanceField<D>::at(const Vec& x) const {
  const std::size_t cell = cell_of(x);
  Closest<D> best;
  std::uint32_t facet = candidates_[start_[cell]];
  best = closest(flats_[facet], x);
  for (std::uint32_t i = start_[cell] + 1; i < start_[cell + 1]; ++i) {
    const Closest<D> here = closest(flats_[candidates_[i]], x);
    if (!(here.distance2 < best.distance2)) continue;
    best = here;
    facet = candidates_[i];
  }
  const Flat& flat = flats_[facet];
  if (by_rays_) {
    const double away = std::sqrt(best.distance2), side = inside_by_rays(x) ? -1 : 1;
    if (best.rim >= 0 && away > 1e-13 * cell_) return {side * away, best.away * (side / away), facet};
    if (best.rim < 0) return {side * std::fabs(math::dot(x - flat.corner[0], flat.normal)), flat.normal, facet};
  }
  if (best.rim < 0) return {math::dot(x - flat.corner[0], flat.normal), flat.normal, facet};
  const Vec& normal = rims_[facet][static_cast<std::size_t>(best.rim)];
  const double distance = std::sqrt(best.distance2);
  const double tiny = 1e-13 * cell_;
  if (distance < tiny) return {0, unit(normal), facet};
  const double side = math::dot(best.away, normal) < 0 ? -1 : 1;
  return {side * distance, best.away * (side / distance), facet};
}

// As mark_convex(), but only for the facets that may be nearest to one of the points between a and b.
template <int D>
typename DistanceField<D>::Bend DistanceField<D>::bend(const Vec& a, const Vec& b) const {
  const Vec middle = 0.5 * (a + b);
  const std::size_t cell = cell_of(middle);
  if (convex_[cell] != Convex::kNot) return Bend::kConvex;
  thread_local std::vector<Closest<D>> seen;
  seen.clear();
  double least = std::numeric_limits<double>::infinity();
  for (std::uint32_t i = start_[cell]; i < start_[cell + 1]; ++i) {
    seen.push_back(closest(flats_[candidates_[i]], middle));
    least = std::min(least, seen.back().distance2);
  }
  const double reach = (std::sqrt(least) + math::norm(b - a)) * (1 + 1e-12), reach2 = reach * reach;
  thread_local std::vector<std::uint32_t> near;
  near.clear();
  for (std::size_t i = 0; i < seen.size(); ++i) {
    if (seen[i].distance2 <= reach2) near.push_back(candidates_[start_[cell] + i]);
  }
  const auto in_front = [&](std::uint32_t f) {
    return std::any_of(near.begin(), near.end(), [&](std::uint32_t g) { return !lies_behind(f, g); });
  };
  if (std::none_of(near.begin(), near.end(), in_front)) return Bend::kConvex;
  // The points that are nearest to the same edge or corner of a facet are a convex set: it is enough to ask the ends.
  const double tiny2 = 1e-20 * cell_ * cell_;
  const Closest<D> first_a = closest(flats_[near[0]], a), first_b = closest(flats_[near[0]], b);
  const auto at_the_same = [&](std::uint32_t f) {
    const Closest<D> from_a = closest(flats_[f], a), from_b = closest(flats_[f], b);
    return from_a.rim >= 0 && from_a.rim == from_b.rim && math::norm2(from_a.away - first_a.away) <= tiny2 &&
           math::norm2(from_b.away - first_b.away) <= tiny2;
  };
  if (std::all_of(near.begin(), near.end(), at_the_same) && at(middle).distance < 0) return Bend::kConcave;
  return Bend::kMixed;
}

template <int D>
double DistanceField<D>::crossing(const Vec& a, const Vec& b) const {
  constexpr double kTiny = 1e-9;  // of the way
  double best = 0;
  for (int k = 0; k < D; ++k) {
    const double from = (a[k] - min_[k]) * per_cell_, way = (b[k] - a[k]) * per_cell_;
    if (std::floor(from) == std::floor(from + way) || way == 0) continue;
    // The planes on both sides of the middle.
    const double below = std::floor(from + 0.5 * way);
    for (const double plane : {below, below + 1}) {
      const double part = (plane - from) / way;
      if (part > kTiny && part < 1 - kTiny && std::fabs(part - 0.5) < std::fabs(best - 0.5)) best = part;
    }
  }
  return best;
}

template <int D>
Depth<D> DistanceField<D>::behind(const Vec& x, std::span<const Vec> spokes, double limit,
                                  const Depth<D>& nearest) const {
  // Sines of angles: at which a spoke may go down, and at which it lies along a facet.
  constexpr double kSteepest = 0.5, kFlush = 0.02;
  const auto fits = [&](std::uint32_t f) {
    return std::none_of(spokes.begin(), spokes.end(),
                        [&](const Vec& s) { return math::dot(s, flats_[f].normal) < -kSteepest; });
  };
  // A face of the other lies upon the facet: two of its edges (2D: one side) leave the corner along it.
  const auto flush = [&](std::uint32_t f) {
    return std::count_if(spokes.begin(), spokes.end(),
                         [&](const Vec& s) { return std::fabs(math::dot(s, flats_[f].normal)) < kFlush; }) >= D - 1;
  };
  if (fits(nearest.facet)) return nearest;
  const std::size_t cell = cell_of(x);
  Closest<D> best;
  best.distance2 = limit * limit;
  std::uint32_t facet = 0;
  bool found = false;
  for (std::uint32_t i = start_[cell]; i < start_[cell + 1]; ++i) {
    const Closest<D> here = closest(flats_[candidates_[i]], x);
    if (!(here.distance2 < best.distance2) || !fits(candidates_[i]) || !flush(candidates_[i])) continue;
    if (math::dot(here.away, flats_[candidates_[i]].normal) > 0) continue;  // in front of it
    best = here;
    facet = candidates_[i];
    found = true;
  }
  if (!found) return nearest;
  const double distance = std::sqrt(best.distance2);
  if (best.rim < 0 || distance < 1e-13 * cell_) return {-distance, flats_[facet].normal, facet};
  return {-distance, best.away * (-1 / distance), facet};
}

template <int D>
std::size_t DistanceField<D>::bytes() const {
  return flats_.size() * sizeof(Flat) + rims_.size() * sizeof(rims_[0]) + start_.size() * sizeof(start_[0]) +
         candidates_.size() * sizeof(candidates_[0]) + convex_.size();
}

template class DistanceField<2>;
template class DistanceField<3>;

}  // namespace moraine::shape
