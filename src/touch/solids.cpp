// SPDX-License-Identifier: MIT
#include "touch/solids.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "math/elementary.hpp"

namespace moraine::touch {

namespace {

using shape::Depth;
using shape::DistanceField;

constexpr double kTolerance = 1e-12;  // of the radius: how exactly the deepest point of a ridge is found
constexpr double kFlush = 1e-9;    // of the radius: corners of boxes that stand exactly upon each other count as inside
constexpr double kShallow = 0.02;  // of the radius: how deep they are then, at most
constexpr double kFinest = 1e-5;   // of a cell of the field: pieces of a ridge so short are taken for convex
constexpr int kRounds = 60;
constexpr std::uint32_t kPlaceBits = 3, kMostPlaces = (1U << kPlaceBits) - 1;  // contacts of one ridge, told apart

// The way from the frame of one solid into that of another, as a matrix: many points go it.
template <int D>
struct Way {
  Vec<D> column[D];
  Vec<D> shift;

  Way(const Posed<D>& from, const Posed<D>& to) {
    shift = to.to_own(from.x);
    const double scale = from.scale / to.scale;
    for (int k = 0; k < D; ++k) {
      Vec<D> e{};
      e[k] = scale;
      column[k] = math::rotated(math::rotated(e, from.turned), math::inverse(to.turned));
    }
  }
  Vec<D> operator()(const Vec<D>& own) const {
    Vec<D> x = shift;
    for (int k = 0; k < D; ++k) x += column[k] * own[k];
    return x;
  }
  // Of a direction, a unit vector.
  Vec<D> turned(const Vec<D>& own) const {
    Vec<D> x = (*this)(own)-shift;
    return x * (1 / math::norm(x));
  }
};

// A place on a ridge.
struct Station {
  double s = 0;
  Depth<3> depth;
  double slope = 0;  // of the distance along the ridge
};

// A place where the distance is least along a ridge, or greatest between two such places.
struct Extreme {
  double s = 0, distance = 0;
  Vec<3> gradient{};
};

class RidgeWalk {
  using Bend = DistanceField<3>::Bend;

 public:
  // `convex`: the whole solid is.
  RidgeWalk(const DistanceField<3>& field, const Vec<3>& from, const Vec<3>& along, double tolerance, bool convex)
      : field_(field),
        from_(from),
        along_(along),
        tolerance_(tolerance),
        finest_(field.cell_size() * kFinest),
        whole_convex_(convex) {}

  Station at(double s) const {
    Station station{s, field_.at(from_ + along_ * s), 0};
    station.slope = math::dot(station.depth.gradient, along_);
    return station;
  }
  Vec<3> point(double s) const { return from_ + along_ * s; }

  // All least distances below `cutoff` strictly between two stations.
  void between(const Station& a, const Station& b, double cutoff, std::vector<Extreme>& found) const {
    const double length = b.s - a.s;
    if (0.5 * (a.depth.distance + b.depth.distance - length) >= cutoff) return;  // distances change by at most the way
    if (whole_convex_ || length <= finest_) return lowest(a, b, cutoff, found);
    // Inside, the slope falls by no more than the way over the depth: that is how the distance from a corner bends.
    const double depth = -0.5 * (a.depth.distance + b.depth.distance + length);
    if (depth > 0 && (a.slope * depth >= length || b.slope * depth <= -length)) return;
    const Vec<3> from = point(a.s), to = point(b.s);
    if (length <= field_.cell_size() && field_.convex_near(from)) return lowest(a, b, cutoff, found);
    double part = field_.crossing(from, to);
    if (part == 0) {
      const Bend bend = field_.bend(from, to);
      if (bend == Bend::kConvex) return lowest(a, b, cutoff, found);
      if (bend == Bend::kConcave) return;
      part = 0.5;
    }
    const Station middle = at(a.s + part * length);
    between(a, middle, cutoff, found);
    between(middle, b, cutoff, found);
  }

  // The greatest distance between two places where it is least.
  Extreme highest(const Extreme& left, const Extreme& right) const {
    double begin = left.s, end = right.s;
    Station middle;
    for (int round = 0; round < kRounds; ++round) {
      middle = at(0.5 * (begin + end));
      (middle.slope > 0 ? begin : end) = middle.s;
    }
    return {middle.s, middle.depth.distance, middle.depth.gradient};
  }

 private:
  // Where the distance is convex: tangents bound it from below, and where the two around the lowest point meet is the
  // lowest point once no facet comes in between.
  void lowest(Station a, Station b, double cutoff, std::vector<Extreme>& found) const {
    if (a.slope >= 0 || b.slope <= 0) return;
    for (int round = 0; round < kRounds; ++round) {
      double s = (b.depth.distance - a.depth.distance + a.slope * a.s - b.slope * b.s) / (a.slope - b.slope);
      s = std::clamp(s, a.s, b.s);
      const double bound = a.depth.distance + a.slope * (s - a.s);
      if (bound >= cutoff) return;
      const Station middle = at(s);
      if (middle.depth.distance - bound <= tolerance_ || round == kRounds - 1) {
        const double share = b.slope / (b.slope - a.slope);
        found.push_back({s, bound, a.depth.gradient * share + b.depth.gradient * (1 - share)});
        return;
      }
      if (middle.slope == 0) {
        found.push_back({s, middle.depth.distance, middle.depth.gradient});
        return;
      }
      (middle.slope < 0 ? a : b) = middle;
    }
  }

  const DistanceField<3>& field_;
  Vec<3> from_, along_;
  double tolerance_, finest_;
  bool whole_convex_;
};

// The part of a segment (of length `length` from `from` along the unit vector) that a box holds; false: none.
bool clip(const Vec<3>& from, const Vec<3>& along, const Vec<3>& low, const Vec<3>& high, double& begin, double& end) {
  for (int k = 0; k < 3; ++k) {
    if (along[k] == 0) {
      if (from[k] < low[k] || from[k] > high[k]) return false;
      continue;
    }
    double in = (low[k] - from[k]) / along[k], out = (high[k] - from[k]) / along[k];
    if (in > out) std::swap(in, out);
    begin = std::max(begin, in);
    end = std::min(end, out);
  }
  return begin < end;
}

// Corners and ridges of something in the field of a solid. `to_world` of the solid; positions are in its own frame.
template <int D>
class Features {
 public:
  // `second`: they are those of the second of the pair, and the solid is the first.
  Features(const Posed<D>& solid, bool second, double margin, double ridge_share)
      : solid_(solid), second_(second), margin_(margin / solid.scale), ridge_share_(ridge_share) {
    at_.clear();
    depth_.clear();
    counts_.clear();
    touch_.clear();
  }

  // One that is too far away to ask for.
  void no_corner() {
    at_.emplace_back();
    depth_.emplace_back();
    depth_.back().distance = kFar;
    counts_.push_back(kFar);
    touch_.push_back(kNoEnd);
  }
  // A corner: its number among those of this object is that of the call. spokes() gives its spokes (see
  // DistanceField::behind), if it has any.
  template <class Spokes>
  void corner(const Vec<D>& own, std::uint32_t key, const Spokes& spokes, std::vector<SolidTouch<D>>& out) {
    at_.push_back(own);
    depth_.emplace_back();
    depth_.back().distance = kFar;
    counts_.push_back(kFar);
    touch_.push_back(kNoEnd);
    if (!field().covers(own)) return;
    Depth<D> depth = depth_.back() = field().at(own);
    counts_.back() = depth.distance;
    if (depth.distance >= std::max(margin_, kFlush * solid_.solid->radius)) return;
    if (depth.distance < kFlush * solid_.solid->radius)
      depth = field().behind(own, spokes(), kShallow * solid_.solid->radius, depth);
    if (depth.distance >= margin_) return;
    counts_.back() = depth.distance;
    touch_.back() = static_cast<std::uint32_t>(out.size());
    out.push_back(touch_at(own, depth.gradient, depth.distance, 1, key));
  }

  // A ridge between two of the corners.
  void ridge(std::uint32_t v, std::uint32_t w, std::uint32_t key, std::vector<SolidTouch<D>>& out) requires(D == 3) {
    double begin = 0, end = math::norm(at_[w] - at_[v]);
    const Vec<3> along = (at_[w] - at_[v]) * (1 / end);
    if (!clip(at_[v], along, field().min(), field().max(), begin, end)) return;
    const RidgeWalk walk(field(), at_[v], along, kTolerance * solid_.solid->radius, solid_.solid->convex);
    const double inset = 1e-14 * solid_.solid->radius;  // rounding must not put what is clipped outside
    const auto station = [&](std::uint32_t vertex, double s, double inwards) {
      if (depth_[vertex].distance == kFar) return walk.at(s + inwards);
      return Station{s, depth_[vertex], math::dot(depth_[vertex].gradient, along)};
    };
    // Nothing that is not deeper than both ends; and no more than a gap of the margin.
    const double ends = std::min(counts_[v], counts_[w]);
    found_.clear();
    walk.between(station(v, begin, inset), station(w, end, -inset), std::min(margin_, ends), found_);
    const double base = std::min(0.0, ends);  // what an end that is inside counts for already
    for (std::size_t i = 0; i < found_.size(); ++i) {
      const Extreme& lowest = found_[i];
      const Extreme* rim = found_.size() > 1 ? rim_of(walk, i, base) : nullptr;
      const auto place = std::min(static_cast<std::uint32_t>(i), kMostPlaces);
      SolidTouch<3> t =
          touch_at(walk.point(lowest.s), lowest.gradient, lowest.distance - (rim != nullptr ? rim->distance : base),
                   ridge_share_, kRidgeBit | (key << kPlaceBits) | place);
      if (rim != nullptr) {
        t.end = static_cast<std::uint32_t>(out.size()) + 1;
      } else if (ends < 0) {
        t.end = touch_[counts_[v] <= counts_[w] ? v : w];
      }
      out.push_back(t);
      if (rim != nullptr) out.push_back(touch_at(walk.point(rim->s), rim->gradient, 0, ridge_share_, 0));
    }
  }

 private:
  static constexpr double kFar = 1e300;

  // A ridge may have several lowest places. Each but the deepest counts with so much as it lies below the rim over
  // which a deeper one is reached, so that it has gone to nothing when the rim comes down to it. None: below `base`.
  const Extreme* rim_of(const RidgeWalk& walk, std::size_t i, double base) {
    const auto towards = [&](std::ptrdiff_t step, Extreme& rim) {
      rim.distance = -kFar;
      for (auto j = static_cast<std::ptrdiff_t>(i) + step; j >= 0 && j < std::ssize(found_); j += step) {
        const Extreme &here = found_[static_cast<std::size_t>(j)], &before = found_[static_cast<std::size_t>(j - step)];
        const Extreme top = step < 0 ? walk.highest(here, before) : walk.highest(before, here);
        if (top.distance > rim.distance) rim = top;
        const bool deeper = here.distance < found_[i].distance || (here.distance == found_[i].distance && step < 0);
        if (deeper) return true;
      }
      return false;
    };
    Extreme left, right;
    if (!towards(-1, left)) left.distance = kFar;
    if (!towards(1, right)) right.distance = kFar;
    rim_ = left.distance < right.distance ? left : right;
    return rim_.distance < base ? &rim_ : nullptr;
  }

  const DistanceField<D>& field() const { return solid_.solid->field; }
  SolidTouch<D> touch_at(const Vec<D>& own, const Vec<D>& gradient, double distance, double share,
                         std::uint32_t key) const {
    SolidTouch<D> t;
    t.point = solid_.to_world(own);
    const Vec<D> out = math::rotated(gradient, solid_.turned);  // out of the solid
    t.k = second_ ? out : -out;
    t.depth = -distance * solid_.scale;
    t.share = share;
    t.key = key | (second_ ? world::kSecondSolid : 0);
    return t;
  }

  const Posed<D>& solid_;
  bool second_;
  double margin_, ridge_share_;
  static thread_local std::vector<Vec<D>> at_;
  static thread_local std::vector<Depth<D>> depth_;
  static thread_local std::vector<double> counts_;        // the distance that a corner counts with
  static thread_local std::vector<std::uint32_t> touch_;  // of corners: their number in the list, or kNoEnd
  static thread_local std::vector<Extreme> found_;
  Extreme rim_;
};
template <int D>
thread_local std::vector<Vec<D>> Features<D>::at_;
template <int D>
thread_local std::vector<Depth<D>> Features<D>::depth_;
template <int D>
thread_local std::vector<double> Features<D>::counts_;
template <int D>
thread_local std::vector<std::uint32_t> Features<D>::touch_;
template <int D>
thread_local std::vector<Extreme> Features<D>::found_;

template <int D>
std::span<const Vec<D>> no_spokes() {
  return {};
}

// Rounding, and corners that count as inside although they are not; of the radius.
constexpr double kSlack = 1e-8;
constexpr int kBehind = 63;  // the half-space of Between; fronts have the numbers below

// Half-spaces that the solid is not in, for some of the points.
template <int D>
void add_half_spaces(const shape::Solid<D>& solid, const std::vector<Vec<D>>& at, std::span<const std::uint32_t> which,
                     double margin, std::vector<std::uint64_t>& outside) {
  const double least = margin + kSlack * solid.radius;
  for (const std::uint32_t c : which) {
    std::uint64_t spaces = 0;
    for (std::size_t f = 0; f < solid.fronts.size(); ++f) {
      const bool in = math::dot(solid.fronts[f].n, at[c]) > solid.fronts[f].offset + least;
      spaces |= static_cast<std::uint64_t>(in) << f;
    }
    outside[c] |= spaces;
  }
}

// A direction in which two solids lie one behind the other, as far as can be found in a few looks: if there is a gap,
// they do not touch; if not, only what reaches into the slab that both share can. Says only what is certain.
template <int D>
class Between {
 public:
  // False: farther apart than the margin.
  bool look(const Posed<D>& a, const Posed<D>& b, double margin) {
    const Way<D> way(a, b);
    a_.clear();
    b_.clear();
    for (const std::uint32_t v : a.solid->corners) a_.push_back(way(a.solid->vertices[v]));
    for (const std::uint32_t v : b.solid->corners) b_.push_back(b.solid->vertices[v]);
    least_ = margin / b.scale + kSlack * (b.solid->radius + a.solid->radius * a.scale / b.scale);
    best_ = -std::numeric_limits<double>::infinity();
    const double far = math::norm(way.shift);
    Vec<D> n = far > 0 ? way.shift * (-1 / far) : Vec<D>{1};
    for (int look = 0; look < kLooks; ++look) {
      std::size_t i = 0, j = 0;
      const double gap = gap_along(n, i, j);
      if (gap > least_) return false;
      // Seen from the outermost corners the direction is turned over (Chung and Wang 1996): it ends between the two if
      // there is such a direction.
      const Vec<D> r = b_[j] - a_[i];
      const double r2 = math::norm2(r);
      if (!(r2 > 0)) break;
      n -= r * (2 * math::dot(n, r) / r2);
      const double size = math::norm(n);
      if (!(size > 0)) break;
      n *= 1 / size;
    }
    // Overlapping: across one of the faces that look at the other solid.
    const Vec<D> seen = along_;
    for (const auto& front : b.solid->fronts) {
      if (math::dot(front.n, seen) < -kAlike && !try_along(-front.n)) return false;
    }
    for (const auto& front : a.solid->fronts) {
      const Vec<D> turned = way.turned(front.n);
      if (math::dot(turned, seen) > kAlike && !try_along(turned)) return false;
    }
    mark();
    return true;
  }
  // Of the corners of each: kBehind if they are beyond all of the other, see features_in.
  std::vector<std::uint64_t>& first() { return outside_a_; }
  std::vector<std::uint64_t>& second() { return outside_b_; }

 private:
  static_assert(shape::Solid<D>::kMostFronts <= kBehind);
  static constexpr double kAlike = 0.8;
  static constexpr int kLooks = 6;

  double gap_along(const Vec<D>& n, std::size_t& i, std::size_t& j) {
    high_ = -std::numeric_limits<double>::infinity();
    low_ = -high_;
    for (std::size_t k = 0; k < a_.size(); ++k) {
      const double p = math::dot(n, a_[k]);
      if (p > high_) {
        high_ = p;
        i = k;
      }
    }
    for (std::size_t k = 0; k < b_.size(); ++k) {
      const double p = math::dot(n, b_[k]);
      if (p < low_) {
        low_ = p;
        j = k;
      }
    }
    const double gap = low_ - high_;
    if (gap > best_) {
      best_ = gap;
      along_ = n;
      best_high_ = high_;
      best_low_ = low_;
    }
    return gap;
  }
  bool try_along(const Vec<D>& n) {
    std::size_t i = 0, j = 0;
    return !(gap_along(n, i, j) > least_);
  }
  void mark() {
    constexpr std::uint64_t kOut = std::uint64_t{1} << kBehind;
    outside_a_.clear();
    outside_b_.clear();
    for (const Vec<D>& x : a_) outside_a_.push_back(math::dot(along_, x) < best_low_ - least_ ? kOut : 0);
    for (const Vec<D>& x : b_) outside_b_.push_back(math::dot(along_, x) > best_high_ + least_ ? kOut : 0);
  }

  std::vector<Vec<D>> a_, b_;  // corners, in the frame of the second
  std::vector<std::uint64_t> outside_a_, outside_b_;
  Vec<D> along_{};
  double least_ = 0, best_ = 0, high_ = 0, low_ = 0, best_high_ = 0, best_low_ = 0;
};

// Corners and ridges of one solid in another. `outside`: of each corner, a set of half-spaces that the other solid is
// not in and the corner is. A corner with any, and a ridge whose ends share one, touches nothing.
template <int D>
void features_in(const Posed<D>& mine, const Posed<D>& other, bool second, double margin,
                 std::vector<std::uint64_t>& outside, std::vector<SolidTouch<D>>& out) {
  const shape::Solid<D>& solid = *mine.solid;
  const Way<D> way(mine, other);
  thread_local std::vector<Vec<D>> at;
  at.clear();
  for (const std::uint32_t v : solid.corners) at.push_back(way(solid.vertices[v]));
  thread_local std::vector<std::uint8_t> asked;  // corners at which the distance is needed
  const auto ask = [&] {
    asked.clear();
    for (const std::uint64_t spaces : outside) asked.push_back(spaces == 0 ? 1 : 0);
    for (const shape::Ridge& r : solid.ridges) {
      if ((outside[r.from] & outside[r.to]) == 0) asked[r.from] = asked[r.to] = 1;
    }
  };
  ask();
  thread_local std::vector<std::uint32_t> which;
  which.clear();
  for (std::uint32_t c = 0; c < at.size(); ++c) {
    if (asked[c] != 0) which.push_back(c);
  }
  add_half_spaces<D>(*other.solid, at, which, margin / other.scale, outside);
  ask();
  Features<D> features(other, second, margin, 0.5);
  thread_local std::vector<Vec<D>> spokes;
  for (std::size_t c = 0; c < solid.corners.size(); ++c) {
    if (asked[c] == 0) {
      features.no_corner();
      continue;
    }
    const auto spokes_of = [&] {
      spokes.clear();
      for (std::uint32_t k = solid.spoke_start[c]; k < solid.spoke_start[c + 1]; ++k)
        spokes.push_back(math::rotated(math::rotated(solid.spokes[k], mine.turned), math::inverse(other.turned)));
      return std::span<const Vec<D>>(spokes);
    };
    features.corner(at[c], solid.corners[c], spokes_of, out);
  }
  if constexpr (D == 3) {
    for (std::uint32_t r = 0; r < solid.ridges.size(); ++r) {
      const shape::Ridge& ridge = solid.ridges[r];  // its ends are numbers of corners
      if ((outside[ridge.from] & outside[ridge.to]) == 0) features.ridge(ridge.from, ridge.to, r, out);
    }
  }
}

// What a corner that has gone through a skin says: from the point of the skin nearest to it.
template <int D>
void add_pierced(const Vec<D>& corner, const Vec<D>& nearest, const Vec<D>& towards, std::uint32_t key,
                 std::vector<SolidTouch<D>>& out) {
  const Vec<D> through = corner - nearest;
  const double depth = math::norm(through);
  SolidTouch<D> t;
  t.point = corner;
  t.k = depth > 0 ? through * (1 / depth) : towards;
  t.depth = depth;
  t.key = key;
  out.push_back(t);
}

// Thin in the plane: corners that have gone through the segment.
void corners_through(const Posed<2>& solid, const Vec<2>& a, const Vec<2>& b, std::vector<SolidTouch<2>>& out) {
  const Vec<2> along = b - a;
  const double length2 = math::norm2(along);
  for (std::size_t c = 0; c < solid.solid->corners.size(); ++c) {
    const Vec<2> corner = solid.to_world(solid.solid->vertices[solid.solid->corners[c]]);
    const Vec<2> inward = solid.to_world(solid.solid->inward[c]);
    const double out_side = math::cross(along, corner - a), in_side = math::cross(along, inward - a);
    if (!(out_side * in_side < 0)) continue;
    // Where the line from one to the other meets the segment.
    const Vec<2> at = inward + (corner - inward) * (in_side / (in_side - out_side));
    const double s = math::dot(at - a, along);
    if (s < 0 || s > length2) continue;
    const double t = std::clamp(math::dot(corner - a, along) / length2, 0.0, 1.0);
    const Vec<2> across = Vec<2>{-along[1], along[0]} * ((out_side < 0 ? -1 : 1) / std::sqrt(length2));
    add_pierced(corner, a + along * t, across, solid.solid->corners[c], out);
  }
}

// Segments end to end: corners that have gone through one, and their ends in the polygon, each once.
void touch_segments(const Posed<2>& solid, std::span<const Vec<2>> ends, std::span<const std::uint32_t> numbers,
                    double margin, std::vector<SolidTouch<2>>& out) {
  for (std::size_t k = 0; k + 1 < ends.size(); ++k) corners_through(solid, ends[k], ends[k + 1], out);
  Features<2> features(solid, true, margin, 1);
  for (std::size_t k = 0; k < ends.size(); ++k) {
    if (k > 0 && numbers[k] == numbers[0]) continue;
    features.corner(solid.to_own(ends[k]), numbers[k], no_spokes<2>, out);
  }
}

void touch_mesh(const Posed<3>& solid, const world::Surface<3>& wall, std::span<const std::uint32_t> triangles,
                double margin, std::vector<SolidTouch<3>>& out) {
  const shape::Mesh& mesh = wall.mesh->mesh;
  // In the frame of the mesh: corners of the solid.
  for (std::size_t c = 0; c < solid.solid->corners.size(); ++c) {
    const Vec<3> corner = wall.to_mesh(solid.to_world(solid.solid->vertices[solid.solid->corners[c]]));
    const Vec<3> inward = wall.to_mesh(solid.to_world(solid.solid->inward[c]));
    int crossings = 0;
    Vec<3> towards{};
    double least = 1e300;
    Vec<3> nearest{};
    for (const std::uint32_t t : triangles) {
      const shape::Corners& v = mesh.triangles[t];
      if (!shape::pierces(inward, corner, mesh.vertices[v[0]], mesh.vertices[v[1]], mesh.vertices[v[2]])) continue;
      ++crossings;
      towards = mesh.normals[t] * (math::dot(mesh.normals[t], corner - inward) < 0 ? -1 : 1);
    }
    if (crossings % 2 == 0) continue;
    for (const std::uint32_t t : triangles) {
      const shape::NearestPoint n = shape::nearest_on_triangle(mesh, t, corner);
      if (!(n.distance < least)) continue;
      least = n.distance;
      nearest = n.point;
    }
    add_pierced(wall.from_mesh(corner), wall.from_mesh(nearest), math::rotated(towards, wall.turned),
                solid.solid->corners[c], out);
  }
  // Corners and edges of the skin in the solid. Numbers of vertices are those in the order they are met.
  thread_local std::vector<std::pair<std::uint32_t, std::uint32_t>> edges;  // number of the edge; triangle and side
  edges.clear();
  for (const std::uint32_t t : triangles) {
    for (std::size_t side = 0; side < 3; ++side) {
      if (is_sharp(mesh, t, side)) edges.emplace_back(mesh.edges[t][side], 3 * t + static_cast<std::uint32_t>(side));
    }
  }
  std::sort(edges.begin(), edges.end());
  edges.erase(std::unique(edges.begin(), edges.end(), [](const auto& a, const auto& b) { return a.first == b.first; }),
              edges.end());
  thread_local std::vector<std::uint32_t> vertices;
  vertices.clear();
  for (const auto& [edge, at] : edges) {
    const shape::Corners& v = mesh.triangles[at / 3];
    vertices.insert(vertices.end(), {v[at % 3], v[(at % 3 + 1) % 3]});
  }
  std::sort(vertices.begin(), vertices.end());
  vertices.erase(std::unique(vertices.begin(), vertices.end()), vertices.end());
  Features<3> features(solid, true, margin, 1);
  const auto own = [&](std::uint32_t v) { return solid.to_own(wall.from_mesh(mesh.vertices[v])); };
  const auto place = [&](std::uint32_t v) {
    return static_cast<std::uint32_t>(std::lower_bound(vertices.begin(), vertices.end(), v) - vertices.begin());
  };
  for (const std::uint32_t v : vertices) features.corner(own(v), v, no_spokes<3>, out);
  for (const auto& [edge, at] : edges) {
    const shape::Corners& v = mesh.triangles[at / 3];
    features.ridge(place(v[at % 3]), place(v[(at % 3 + 1) % 3]), edge, out);
  }
}

void touch_ball_outside(const Posed<3>& solid, const Vec<3>& x, double radius, std::vector<SolidTouch<3>>& out) {
  thread_local std::vector<std::uint32_t> near;
  thread_local std::vector<shape::MeshTouch> found;
  const Vec<3> own = solid.to_own(x);
  const shape::Skin<3>& skin = solid.solid->skin;
  skin.tree.near(own, radius / solid.scale, near);
  shape::touching(skin.mesh, near, own, radius / solid.scale, found);
  for (const shape::MeshTouch& m : found) {
    SolidTouch<3> t;
    t.k = math::rotated(m.k, solid.turned);
    t.depth = m.distance * solid.scale;  // the distance, as yet
    t.key = m.patch;
    out.push_back(t);
  }
}
// In the plane: sides that the centre is in front of, and corners.
void touch_ball_outside(const Posed<2>& solid, const Vec<2>& x, double radius, std::vector<SolidTouch<2>>& out) {
  const shape::Solid<2>& s = *solid.solid;
  const Vec<2> own = solid.to_own(x);
  const double reach = radius / solid.scale;
  const auto n = static_cast<std::uint32_t>(s.facets.size());
  const auto along = [&](std::uint32_t f) { return s.vertices[s.facets[f][1]] - s.vertices[s.facets[f][0]]; };
  const auto add = [&](const Vec<2>& nearest, std::uint32_t key) {
    const Vec<2> to = nearest - own;
    const double distance = math::norm(to);
    if (!(distance < reach)) return;
    SolidTouch<2> t;
    t.k = math::rotated(to * (1 / distance), solid.turned);
    t.depth = distance * solid.scale;
    t.key = key;
    out.push_back(t);
  };
  for (std::uint32_t f = 0; f < n; ++f) {
    const Vec<2>&a = s.vertices[s.facets[f][0]], &b = s.vertices[s.facets[f][1]];
    const double from_a = math::dot(own - a, along(f)), from_b = math::dot(b - own, along(f));
    if (math::dot(own - a, s.normals[f]) < 0) continue;
    if (from_a > 0 && from_b > 0) add(own - s.normals[f] * math::dot(own - a, s.normals[f]), f);
    if (from_b <= 0 && math::dot(own - b, along((f + 1) % n)) <= 0) add(b, n + f);
  }
}

}  // namespace

const Arc& arc_near(const Posed<2>& solid, const world::Surface<2>& circle, double margin) {
  thread_local Arc arc;
  arc.ends.clear();
  arc.numbers.clear();
  const double reach = solid.scale * solid.solid->radius + margin;
  const Vec<2> away = solid.x - circle.a;
  const double far = math::norm(away), piece = 2 * math::kPi / kPiecesAround;
  const double middle = math::atan2(away[1], away[0]) / piece;
  // Seen from the centre the solid is not wider than this; about the centre it is all around.
  const double wide = far > reach ? math::asin(reach / far) / piece + 1 : kPiecesAround;
  int first = static_cast<int>(std::floor(middle - wide)), last = static_cast<int>(std::ceil(middle + wide));
  if (last - first >= kPiecesAround) {
    first = 0;
    last = kPiecesAround;
  }
  for (int k = first; k <= last; ++k) {
    const int number = (k % kPiecesAround + kPiecesAround) % kPiecesAround;
    arc.ends.push_back(circle.a + Vec<2>{math::cos(number * piece), math::sin(number * piece)} * circle.r0);
    arc.numbers.push_back(static_cast<std::uint32_t>(number));
  }
  return arc;
}

std::span<const std::uint32_t> triangles_near(const Posed<3>& solid, const world::Surface<3>& wall, double margin) {
  thread_local std::vector<std::uint32_t> near;
  wall.mesh->tree.near(wall.to_mesh(solid.x), solid.scale * solid.solid->radius + margin, near);
  return near;
}

bool is_sharp(const shape::Mesh& mesh, std::uint32_t t, std::size_t side) {
  const std::uint32_t other = mesh.neighbours[t][side];
  if (other == shape::kNone || other == shape::kMany) return true;
  return math::dot(mesh.normals[t], mesh.normals[other]) < 1 - 1e-10;
}

template <int D>
void touch_solids(const Posed<D>& a, const Posed<D>& b, double margin, std::vector<SolidTouch<D>>& out) {
  out.clear();
  thread_local Between<D> between;
  if (!between.look(a, b, margin)) return;
  features_in(a, b, false, margin, between.first(), out);
  features_in(b, a, true, margin, between.second(), out);
}

template <int D>
void touch_ball(const Posed<D>& solid, const Vec<D>& x, double radius, bool ball_first, double margin,
                std::vector<SolidTouch<D>>& out) {
  out.clear();
  const Vec<D> own = solid.to_own(x);
  const shape::DistanceField<D>& field = solid.solid->field;
  const Depth<D> centre = field.covers(own) ? field.at(own) : Depth<D>{1, {}, 0};
  if (centre.distance < 0) {  // the ball's centre is inside
    SolidTouch<D> t;
    t.k = -math::rotated(centre.gradient, solid.turned);
    t.depth = centre.distance * solid.scale;
    out.push_back(t);
  } else {
    touch_ball_outside(solid, x, radius + margin, out);
  }
  // So far k leads from the ball to the solid, and the depth is the distance of the centre from the surface.
  for (SolidTouch<D>& t : out) {
    t.point = x + t.k * t.depth;
    t.depth = radius - t.depth;
    if (ball_first) {
      t.key |= world::kSecondSolid;
    } else {
      t.k = -t.k;
    }
  }
}

template <int D>
void touch_bodies(const world::World<D>& world, std::uint32_t i, std::uint32_t j, const Vec<D>& shift, double margin,
                  std::vector<SolidTouch<D>>& out) {
  out.clear();
  const world::Place<D>&a = world.bodies.place[i], &b = world.bodies.place[j];
  const double reach = a.radius + b.radius + margin;
  if (!(math::norm2(b.x + shift - a.x) < reach * reach)) return;
  const bool first = world.solid_of(i) != nullptr, second = world.solid_of(j) != nullptr;
  if (first && second) return touch_solids(posed(world, i), posed(world, j, shift), margin, out);
  if (first) return touch_ball(posed(world, i), b.x + shift, b.radius, false, margin, out);
  touch_ball(posed(world, j, shift), a.x, a.radius, true, margin, out);
}

template <int D>
void touch_wall(const Posed<D>& solid, const world::Surface<D>& wall, std::span<const std::uint32_t> triangles,
                double margin, std::vector<SolidTouch<D>>& out) {
  out.clear();
  if constexpr (D == 2) {
    if (wall.form == world::Form::kCircle) {
      const Arc& arc = arc_near(solid, wall, margin);
      touch_segments(solid, arc.ends, arc.numbers, margin, out);
    } else {
      touch_segments(solid, std::array<Vec<2>, 2>{wall.a, wall.b}, std::array<std::uint32_t, 2>{0, 1}, margin, out);
    }
  } else if (wall.form == world::Form::kMesh) {
    touch_mesh(solid, wall, triangles, margin, out);
  } else if (wall.form == world::Form::kRevolved) {
    touch_mesh(solid, wall, triangles_near(solid, wall, margin), margin, out);
  } else {
    for (const std::uint32_t v : solid.solid->corners) {
      SolidTouch<D> t;
      t.point = solid.to_world(solid.solid->vertices[v]);
      t.depth = -math::dot(t.point - wall.a, wall.b);
      if (!(t.depth > -margin)) continue;
      t.k = -wall.b;
      t.key = v;
      out.push_back(t);
    }
  }
}

#define MORAINE_INSTANTIATE(D)                                                                                    \
  template void touch_solids<D>(const Posed<D>&, const Posed<D>&, double, std::vector<SolidTouch<D>>&);           \
  template void touch_ball<D>(const Posed<D>&, const Vec<D>&, double, bool, double, std::vector<SolidTouch<D>>&); \
  template void touch_bodies<D>(const world::World<D>&, std::uint32_t, std::uint32_t, const Vec<D>&, double,      \
                                std::vector<SolidTouch<D>>&);                                                     \
  template void touch_wall<D>(const Posed<D>&, const world::Surface<D>&, std::span<const std::uint32_t>, double,  \
                              std::vector<SolidTouch<D>>&);
MORAINE_INSTANTIATE(2)
MORAINE_INSTANTIATE(3)

}  // namespace moraine::touch
