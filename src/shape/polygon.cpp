// SPDX-License-Identifier: MIT
#include "shape/polygon.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "math/elementary.hpp"

namespace moraine::shape {

using math::Vec2;

namespace {

// Points of a grid that places and covered parts are told by: so many along the longer side of the box.
constexpr int kGrid = 48;

double to_edge(const Vec2& a, const Vec2& b, const Vec2& x) {
  const Vec2 d = b - a;
  const double t = std::clamp(math::dot(x - a, d) / math::norm2(d), 0.0, 1.0);
  return math::norm(x - a - d * t);
}

struct Point {
  Vec2 x;
  double room;  // distance from the boundary
  bool covered = false;
};

std::vector<Point> points_inside(const std::vector<Vec2>& corners) {
  Vec2 low = corners[0], high = corners[0];
  for (const Vec2& c : corners) {
    for (int k = 0; k < 2; ++k) {
      low[k] = std::min(low[k], c[k]);
      high[k] = std::max(high[k], c[k]);
    }
  }
  const double pitch = std::max(high[0] - low[0], high[1] - low[1]) / kGrid;
  std::vector<Point> points;
  for (int i = 0; low[0] + (i + 0.5) * pitch < high[0]; ++i) {
    for (int j = 0; low[1] + (j + 0.5) * pitch < high[1]; ++j) {
      const Vec2 x{low[0] + (i + 0.5) * pitch, low[1] + (j + 0.5) * pitch};
      if (inside_polygon(corners, x)) points.push_back({x, distance_to_polygon(corners, x)});
    }
  }
  return points;
}

}  // namespace

double polygon_area(const std::vector<Vec2>& corners) {
  double twice = 0;
  for (std::size_t k = 0; k < corners.size(); ++k) twice += math::cross(corners[k], corners[(k + 1) % corners.size()]);
  return 0.5 * twice;
}

bool inside_polygon(const std::vector<Vec2>& corners, const Vec2& x) {
  bool in = false;
  for (std::size_t k = 0; k < corners.size(); ++k) {
    const Vec2 &a = corners[k], &b = corners[(k + 1) % corners.size()];
    if ((a[1] > x[1]) == (b[1] > x[1])) continue;
    if (x[0] < a[0] + (b[0] - a[0]) * ((x[1] - a[1]) / (b[1] - a[1]))) in = !in;
  }
  return in;
}

double distance_to_polygon(const std::vector<Vec2>& corners, const Vec2& x) {
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t k = 0; k < corners.size(); ++k)
    least = std::min(least, to_edge(corners[k], corners[(k + 1) % corners.size()], x));
  return least;
}

std::pair<std::size_t, std::size_t> crossing_edges(const std::vector<Vec2>& corners) {
  const std::size_t n = corners.size();
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = i + 2; j < n; ++j) {
      if (i == 0 && j == n - 1) continue;
      const Vec2 &a = corners[i], &b = corners[i + 1], &c = corners[j], &d = corners[(j + 1) % n];
      const double abc = math::cross(b - a, c - a), abd = math::cross(b - a, d - a);
      const double cda = math::cross(d - c, a - c), cdb = math::cross(d - c, b - c);
      if (abc * abd <= 0 && cda * cdb <= 0) return {i, j};
    }
  }
  return {0, 0};
}

std::vector<Vec2> random_polygon(std::size_t corners, double least, base::Stream& random) {
  if (corners < 3) throw std::invalid_argument("a polygon needs at least three corners");
  constexpr int kTries = 10000;
  constexpr double kThinnest = 0.1;  // the largest disk inside, against the farthest corner
  for (int tries = 0; tries < kTries; ++tries) {
    std::vector<std::pair<double, double>> polar;
    for (std::size_t k = 0; k < corners; ++k) {
      const double r = random.uniform(least, 1), angle = random.uniform(0, 2 * math::kPi);
      polar.emplace_back(angle, r);
    }
    std::sort(polar.begin(), polar.end());
    std::vector<Vec2> out;
    double widest = polar.front().first + 2 * math::kPi - polar.back().first;
    for (std::size_t k = 0; k < corners; ++k) {
      out.push_back(Vec2{math::cos(polar[k].first), math::sin(polar[k].first)} * polar[k].second);
      if (k > 0) widest = std::max(widest, polar[k].first - polar[k - 1].first);
    }
    if (widest > 0.95 * math::kPi || crossing_edges(out) != std::pair<std::size_t, std::size_t>{0, 0}) continue;
    double room = 0;
    for (const Point& p : points_inside(out)) room = std::max(room, p.room);
    if (room > kThinnest) return out;
  }
  throw std::runtime_error("no polygon of these corners is thick enough");
}

// Of all places, the one whose largest disk covers most that is not covered yet, and touches what there is.
std::vector<Member<2>> disks_in_polygon(const std::vector<Vec2>& corners, std::size_t count, double wanted) {
  std::vector<Point> points = points_inside(corners);
  if (points.empty()) throw std::runtime_error("the polygon is too thin for disks");
  std::vector<Member<2>> disks;
  std::size_t covered = 0;
  while (disks.size() < count && static_cast<double>(covered) < wanted * static_cast<double>(points.size())) {
    const Point* best = nullptr;
    std::size_t most = 0;
    for (const Point& p : points) {
      const bool joins = disks.empty() || std::any_of(disks.begin(), disks.end(), [&](const Member<2>& d) {
                           return math::norm(d.x - p.x) < 0.95 * (d.radius + p.room);
                         });
      if (!joins) continue;
      std::size_t gain = 0;
      for (const Point& q : points) gain += !q.covered && math::norm2(q.x - p.x) <= p.room * p.room ? 1 : 0;
      if (gain > most) {
        most = gain;
        best = &p;
      }
    }
    if (best == nullptr) break;
    const Member<2> disk{best->x, best->room};
    for (Point& q : points) {
      if (q.covered || math::norm2(q.x - disk.x) > disk.radius * disk.radius) continue;
      q.covered = true;
      ++covered;
    }
    disks.push_back(disk);
  }
  return disks;
}

}  // namespace moraine::shape
