// SPDX-License-Identifier: MIT
// Corners and ridges of something in the field of a solid, as touches. Private to this room.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <span>
#include <vector>

#include "touch/ridge_walk.hpp"
#include "touch/solids.hpp"

namespace moraine::touch {

// Positions are in the frame of the solid; distances are parts of its scale.
template <int D>
class Features {
  using Depth = shape::Depth<D>;
  // Parts of the radius: how exactly the deepest point of a ridge is found; corners of boxes that stand exactly upon
  // each other count as inside; and how deep these are, at most.
  static constexpr double kTolerance = 1e-12, kFlush = 1e-9, kShallow = 0.02;
  static constexpr std::uint32_t kPlaceBits = 3, kMostPlaces = (1U << kPlaceBits) - 1;  // contacts of one ridge

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
    Depth depth = depth_.back() = field().at(own);
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

  const shape::DistanceField<D>& field() const { return solid_.solid->field; }
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
  static thread_local std::vector<Depth> depth_;
  static thread_local std::vector<double> counts_;        // the distance that a corner counts with
  static thread_local std::vector<std::uint32_t> touch_;  // of corners: their number in the list, or kNoEnd
  static thread_local std::vector<Extreme> found_;
  Extreme rim_;
};
template <int D>
thread_local std::vector<Vec<D>> Features<D>::at_;
template <int D>
thread_local std::vector<shape::Depth<D>> Features<D>::depth_;
template <int D>
thread_local std::vector<double> Features<D>::counts_;
template <int D>
thread_local std::vector<std::uint32_t> Features<D>::touch_;
template <int D>
thread_local std::vector<Extreme> Features<D>::found_;

// Of corners that have none.
template <int D>
std::span<const Vec<D>> no_spokes() {
  return {};
}

}  // namespace moraine::touch
