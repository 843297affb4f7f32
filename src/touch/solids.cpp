// SPDX-License-Identifier: MIT
#include "touch/solids.hpp"

#include <algorithm>
#include <cmath>

namespace moraine::touch {

namespace {

using shape::Depth;
using shape::DistanceField;

constexpr double kTolerance = 1e-12;  // of the radius: how exactly the deepest point of a ridge is found
constexpr int kRounds = 60;
constexpr std::uint32_t kRidgeBit = 1U << 30, kSecondBit = 1U << 31;
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
};

// A place on a ridge.
struct Station {
  double s = 0;
  Depth<3> depth;
  double slope = 0;  // of the distance along the ridge
};

struct Lowest {
  double s = 0, distance = 0;
  Vec<3> gradient{};
};

class RidgeWalk {
 public:
  RidgeWalk(const DistanceField<3>& field, const Vec<3>& from, const Vec<3>& along, double tolerance)
      : field_(field), from_(from), along_(along), tolerance_(tolerance) {}

  Station at(double s) const {
    Station station{s, field_.at(from_ + along_ * s), 0};
    station.slope = math::dot(station.depth.gradient, along_);
    return station;
  }
  Vec<3> point(double s) const { return from_ + along_ * s; }

  // All least distances below `cutoff` strictly between two stations.
  void between(const Station& a, const Station& b, double cutoff, std::vector<Lowest>& found) const {
    const double length = b.s - a.s;
    if (0.5 * (a.depth.distance + b.depth.distance - length) >= cutoff) return;  // distances change by at most the way
    if (whole_convex_ || length <= finest_) return lowest(a, b, cutoff, found);
    if (length <= field_.cell_size() && field_.convex_near(point(a.s))) return lowest(a, b, cutoff, found);
    const Station middle = at(0.5 * (a.s + b.s));
    between(a, middle, cutoff, found);
    between(middle, b, cutoff, found);
  }
  void set_convex(bool convex) {
    whole_convex_ = convex;
    finest_ = field_.cell_size() / 16;
  }

 private:
  // Where the distance is convex: tangents bound it from below, and where the two around the lowest point meet is the
  // lowest point once no facet comes in between.
  void lowest(Station a, Station b, double cutoff, std::vector<Lowest>& found) const {
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
  double tolerance_, finest_ = 0;
  bool whole_convex_ = false;
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

template <int D>
class Features {
 public:
  // `second`: the features are those of the second solid of the pair.
  Features(const Posed<D>& mine, const Posed<D>& other, bool second, double margin)
      : mine_(mine), other_(other), way_(mine, other), second_(second), margin_(margin / other.scale) {}

  void corners(std::vector<SolidTouch<D>>& out) {
    const auto& solid = *mine_.solid;
    at_.resize(solid.vertices.size());
    depth_.resize(solid.vertices.size());
    touch_.assign(solid.vertices.size(), kNoEnd);
    for (const std::uint32_t v : solid.corners) {
      at_[v] = way_(solid.vertices[v]);
      depth_[v] = {};
      depth_[v].distance = kFar;
      if (!field().covers(at_[v])) continue;
      depth_[v] = field().at(at_[v]);
      if (depth_[v].distance >= margin_) continue;
      touch_[v] = static_cast<std::uint32_t>(out.size());
      out.push_back(touch_at(at_[v], depth_[v].gradient, depth_[v].distance, 1, v));
    }
  }

  void ridges(std::vector<SolidTouch<D>>& out) requires(D == 3) {
    const auto& solid = *mine_.solid;
    const double tolerance = kTolerance * other_.solid->radius;
    std::vector<Lowest>& found = found_;
    for (std::uint32_t r = 0; r < solid.ridges.size(); ++r) {
      const std::uint32_t v = solid.ridges[r].from, w = solid.ridges[r].to;
      double begin = 0, end = math::norm(at_[w] - at_[v]);
      const double length = end;
      const Vec<3> along = (at_[w] - at_[v]) * (1 / length);
      if (!clip(at_[v], along, field().min(), field().max(), begin, end)) continue;
      // Rounding must not put the ends outside.
      const double inset = 1e-14 * (1 + std::fabs(end));
      RidgeWalk walk(field(), at_[v], along, tolerance);
      walk.set_convex(other_.solid->convex);
      const auto station = [&](std::uint32_t vertex, double s, double inwards) {
        if (depth_[vertex].distance == kFar) return walk.at(s + inwards);
        return Station{s, depth_[vertex], math::dot(depth_[vertex].gradient, along)};
      };
      const Station first = station(v, begin, inset), last = station(w, end, -inset);
      // Nothing that is not deeper than both ends; and no more than a gap of the margin.
      const double ends = std::min(depth_[v].distance, depth_[w].distance), cutoff = std::min(margin_, ends);
      found.clear();
      walk.between(first, last, cutoff, found);
      std::uint32_t place = 0;
      for (const Lowest& lowest : found) {
        const double base = std::min(0.0, ends);  // what an end that is inside counts for already
        SolidTouch<3> t = touch_at(walk.point(lowest.s), lowest.gradient, lowest.distance - base, 0.5,
                                   kRidgeBit | (r << kPlaceBits) | std::min(place++, kMostPlaces));
        if (ends < 0) t.end = touch_[depth_[v].distance <= depth_[w].distance ? v : w];
        out.push_back(t);
      }
    }
  }

 private:
  static constexpr double kFar = 1e300;

  const DistanceField<D>& field() const { return other_.solid->field; }
  SolidTouch<D> touch_at(const Vec<D>& own, const Vec<D>& gradient, double distance, double share,
                         std::uint32_t key) const {
    SolidTouch<D> t;
    t.point = other_.to_world(own);
    const Vec<D> out = math::rotated(gradient, other_.turned);  // out of the other solid
    t.k = second_ ? out : -out;
    t.depth = -distance * other_.scale;
    t.share = share;
    t.key = key | (second_ ? kSecondBit : 0);
    return t;
  }

  const Posed<D>& mine_;
  const Posed<D>& other_;
  Way<D> way_;
  bool second_;
  double margin_;
  static thread_local std::vector<Vec<D>> at_;
  static thread_local std::vector<Depth<D>> depth_;
  static thread_local std::vector<std::uint32_t> touch_;
  static thread_local std::vector<Lowest> found_;
};
template <int D>
thread_local std::vector<Vec<D>> Features<D>::at_;
template <int D>
thread_local std::vector<Depth<D>> Features<D>::depth_;
template <int D>
thread_local std::vector<std::uint32_t> Features<D>::touch_;
template <int D>
thread_local std::vector<Lowest> Features<D>::found_;

}  // namespace

template <int D>
void touch_solids(const Posed<D>& a, const Posed<D>& b, double margin, std::vector<SolidTouch<D>>& out) {
  out.clear();
  for (const bool second : {false, true}) {
    Features<D> features(second ? b : a, second ? a : b, second, margin);
    features.corners(out);
    if constexpr (D == 3) features.ridges(out);
  }
}

template void touch_solids<2>(const Posed<2>&, const Posed<2>&, double, std::vector<SolidTouch<2>>&);
template void touch_solids<3>(const Posed<3>&, const Posed<3>&, double, std::vector<SolidTouch<3>>&);

}  // namespace moraine::touch
