// SPDX-License-Identifier: MIT
#include "shape/disk_union.hpp"

#include <algorithm>
#include <cmath>

#include "math/elementary.hpp"

namespace moraine::shape {

namespace {

using math::Vec2;

// Grows with the angle of the unit vector d like the angle itself, from 0 to 4 in a turn, without a trigonometric
// function; opposite directions differ by 2.
double place_on_circle(const Vec2& d) {
  const double t = d[1] / (std::fabs(d[0]) + std::fabs(d[1]));
  if (d[0] < 0) return 2 - t;
  return t < 0 ? 4 + t : t;
}

// The angle of an arc whose ends are `from` and `to`; `places` is their difference on the scale of place_on_circle, and
// decides between an angle near nought and one near a whole turn.
double arc_angle(const Vec2& from, const Vec2& to, double places) {
  const double angle = math::atan2(cross(from, to), dot(from, to));
  return angle < (places > 2 ? 1 : -1) ? angle + 2 * math::kPi : angle;
}

// Adds the integrals along the arc from the unit vector `from` to `to`, seen from the centre of the disk. For a p(x, y)
// of degree k in all its terms, the integral of p over a region is that of p (x dy - y dx) / (k + 2) along its
// boundary.
void add_arc(PlaneMoments& m, const Member<2>& disk, const Vec2& from, const Vec2& to, double angle) {
  const double a = disk.x[0], b = disk.x[1], r = disk.radius;
  const double c1 = from[0], s1 = from[1], c2 = to[0], s2 = to[1];
  // Integrals over the angle of cos, sin, their products of two and of three.
  const double c = s2 - s1, s = c1 - c2;
  const double swing = c2 * s2 - c1 * s1;
  const double cc = 0.5 * (angle + swing), ss = 0.5 * (angle - swing), cs = 0.5 * (s2 - s1) * (s2 + s1);
  const double ccs = (c1 * c1 * c1 - c2 * c2 * c2) / 3, css = (s2 * s2 * s2 - s1 * s1 * s1) / 3;
  const double ccc = c - css, sss = s - ccs;
  m.perimeter += r * angle;
  m.area += 0.5 * r * (r * angle + a * c + b * s);
  m.x += r / 3 * (a * r * angle + (a * a + r * r) * c + a * b * s + r * (a * cc + b * cs));
  m.y += r / 3 * (b * r * angle + (b * b + r * r) * s + a * b * c + r * (b * ss + a * cs));
  m.xx += r / 4 *
          (a * a * r * angle + a * (a * a + 2 * r * r) * c + a * a * b * s + r * (2 * a * a + r * r) * cc +
           2 * a * b * r * cs + r * r * (a * ccc + b * ccs));
  m.yy += r / 4 *
          (b * b * r * angle + b * (b * b + 2 * r * r) * s + a * b * b * c + r * (2 * b * b + r * r) * ss +
           2 * a * b * r * cs + r * r * (b * sss + a * css));
  m.xy += r / 4 *
          (2 * a * b * r * angle + b * (a * a + r * r) * c + a * (b * b + r * r) * s +
           r * (a * a + b * b + r * r) * cs + r * r * (a * ccs + b * css));
}

void add_circle(PlaneMoments& m, const Member<2>& disk) { add_arc(m, disk, {1, 0}, {1, 0}, 2 * math::kPi); }

}  // namespace

void DiskUnion::cover(std::size_t disk, double radius, const Vec2& towards, double along, double half) {
  const double c = along / radius, s = half / radius;
  const Vec2 middle = c * towards, side = s * Vec2{-towards[1], towards[0]};
  Cover cover{disk, middle - side, middle + side, 0, 0};
  cover.start = place_on_circle(cover.from);
  cover.end = place_on_circle(cover.to);
  if (cover.end < cover.start) cover.end += 4;
  covers_.push_back(cover);
}

// Which disks lie in others, and what parts of the circles of the rest are covered; sorted by disk, then by start.
void DiskUnion::find_covers(const std::vector<Member<2>>& disks) {
  const std::size_t n = disks.size();
  hidden_.assign(n, 0);
  crossings_.clear();
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = i + 1; j < n; ++j) {
      const Vec2 apart = disks[j].x - disks[i].x;
      const Meeting m = meeting(norm2(apart), disks[i].radius, disks[j].radius);
      if (m.how == Meets::kFirstHidden) hidden_[i] = 1;
      if (m.how == Meets::kSecondHidden) hidden_[j] = 1;
      if (m.how == Meets::kCrossing) crossings_.push_back({i, j, apart * (1 / m.distance), m});
    }
  }
  covers_.clear();
  for (const auto& [i, j, towards, m] : crossings_) {
    if (hidden_[i] || hidden_[j]) continue;
    cover(i, disks[i].radius, towards, m.along_a, m.half);
    cover(j, disks[j].radius, -towards, m.along_b, m.half);
  }
  std::sort(covers_.begin(), covers_.end(),
            [](const Cover& a, const Cover& b) { return a.disk != b.disk ? a.disk < b.disk : a.start < b.start; });
}

PlaneMoments DiskUnion::moments(const std::vector<Member<2>>& disks) {
  find_covers(disks);
  PlaneMoments sum;
  std::size_t first = 0;
  for (std::size_t i = 0; i < disks.size(); ++i) {
    std::size_t last = first;
    while (last < covers_.size() && covers_[last].disk == i) ++last;
    if (first == last) {
      if (!hidden_[i]) add_circle(sum, disks[i]);
      continue;
    }
    // Once round the circle: the gaps between what is covered, beginning where the farthest cover of the turn before
    // ends.
    const Cover* reach = &covers_[first];
    for (std::size_t k = first; k < last; ++k) {
      if (covers_[k].end > reach->end) reach = &covers_[k];
    }
    double reached = reach->end - 4;
    for (std::size_t k = first; k < last; ++k) {
      const Cover& next = covers_[k];
      if (next.start > reached)
        add_arc(sum, disks[i], reach->to, next.from, arc_angle(reach->to, next.from, next.start - reached));
      if (next.end > reached) {
        reach = &next;
        reached = next.end;
      }
    }
    first = last;
  }
  return sum;
}

}  // namespace moraine::shape
