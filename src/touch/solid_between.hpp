// SPDX-License-Identifier: MIT
// What can be told of two solids without asking a field: that they lie apart, or which of their corners and ridges are
// beyond the other. Says only what is certain. Private to this room.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "touch/solids.hpp"

namespace moraine::touch {

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

// Rounding, and corners that count as inside although they are not; of the radius.
inline constexpr double kSlack = 1e-8;
inline constexpr int kBehind = 63;  // the half-space of Between; fronts have the numbers below

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

}  // namespace moraine::touch
