// SPDX-License-Identifier: MIT
#include "flow/boundary.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "math/elementary.hpp"

namespace moraine::flow {

namespace {

using math::cross;
using math::dot;

constexpr double kJoin = 1e-6;  // ends nearer than this part of the whole are one point
constexpr int kLeastOfCircle = 3;

std::string at_text(const Vec2& x) { return fmt::format("({:.6g}, {:.6g})", x[0], x[1]); }

double distance_to_segment(const Vec2& x, const Vec2& a, const Vec2& b) {
  const Vec2 along = b - a;
  const double part = std::clamp(dot(x - a, along) / math::norm2(along), 0.0, 1.0);
  return math::norm(x - a - along * part);
}

// Where two segments meet, if they do.
std::optional<Vec2> meeting(const Piece& p, const Piece& q, double tolerance) {
  const Vec2 d = p.b - p.a, e = q.b - q.a, apart = q.a - p.a;
  const double turn = cross(d, e);
  if (std::fabs(turn) > 1e-12 * math::norm(d) * math::norm(e)) {
    const double s = cross(apart, e) / turn, u = cross(apart, d) / turn;
    const double slack_s = tolerance / math::norm(d), slack_u = tolerance / math::norm(e);
    if (s < -slack_s || s > 1 + slack_s || u < -slack_u || u > 1 + slack_u) return std::nullopt;
    return p.a + d * s;
  }
  for (const Vec2& x : {q.a, q.b}) {
    if (distance_to_segment(x, p.a, p.b) <= tolerance) return x;
  }
  for (const Vec2& x : {p.a, p.b}) {
    if (distance_to_segment(x, q.a, q.b) <= tolerance) return x;
  }
  return std::nullopt;
}

// Where a circle and a piece of any kind meet, if they do.
bool circle_meets(const Piece& circle, const Piece& other) {
  if (other.kind == Piece::Kind::kCircle) {
    const double apart = math::norm(circle.a - other.a);
    return apart <= circle.radius + other.radius && apart >= std::fabs(circle.radius - other.radius);
  }
  const double farthest = std::max(math::norm(other.a - circle.a), math::norm(other.b - circle.a));
  return distance_to_segment(circle.a, other.a, other.b) <= circle.radius && farthest >= circle.radius;
}

}  // namespace

double Piece::length() const { return kind == Kind::kCircle ? 2 * math::kPi * radius : math::norm(b - a); }

double Boundary::extent() const {
  Vec2 low{1e300, 1e300}, high{-1e300, -1e300};
  for (const Piece& p : pieces) {
    for (const Vec2& x : {p.a, p.kind == Piece::Kind::kCircle ? p.a : p.b}) {
      for (int k = 0; k < 2; ++k) {
        low[k] = std::min(low[k], x[k] - p.radius);
        high[k] = std::max(high[k], x[k] + p.radius);
      }
    }
  }
  return pieces.empty() ? 0 : math::norm(high - low);
}

// Finds for both ends of each piece the one end of another that it meets.
bool Boundary::link(const std::vector<bool>& crossed, std::vector<Fault>& faults) {
  const std::size_t before = faults.size();
  const double tolerance = kJoin * extent();
  struct End {
    std::size_t piece;
    bool at_b;
  };
  std::vector<End> ends;
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    if (pieces[i].kind == Piece::Kind::kCircle) continue;
    ends.push_back({i, false});
    ends.push_back({i, true});
  }
  const auto place = [&](const End& e) { return e.at_b ? pieces[e.piece].b : pieces[e.piece].a; };
  constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();
  std::vector<std::size_t> mate(ends.size(), kNone);
  std::vector<std::size_t> nearest(ends.size(), kNone);
  for (std::size_t e = 0; e < ends.size(); ++e) {
    std::vector<std::string> others;
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t f = 0; f < ends.size(); ++f) {
      if (f == e) continue;
      const double apart = math::norm(place(ends[e]) - place(ends[f]));
      if (apart <= tolerance) {
        mate[e] = f;
        others.push_back(pieces[ends[f].piece].name);
      }
      if (ends[f].piece == ends[e].piece || !(apart < least)) continue;
      least = apart;
      nearest[e] = f;
    }
    if (others.size() > 1) {
      faults.push_back({ends[e].piece,
                        fmt::format("more than two walls meet at {}: {} and {}; the boundary of a flow must not branch",
                                    at_text(place(ends[e])), pieces[ends[e].piece].name, fmt::join(others, ", "))});
    }
  }
  for (std::size_t e = 0; e < ends.size(); ++e) {
    if (mate[e] != kNone || crossed[ends[e].piece]) continue;
    const std::size_t f = nearest[e];
    if (f != kNone && f < e && nearest[f] == e && mate[f] == kNone) continue;  // told from the other side
    std::string text = fmt::format("the boundary of the flow has a hole: {} ends at {} and meets no other",
                                   pieces[ends[e].piece].name, at_text(place(ends[e])));
    if (f != kNone)
      text += fmt::format("; the nearest end is that of {}, {:.4g} m away at {}", pieces[ends[f].piece].name,
                          math::norm(place(ends[e]) - place(ends[f])), at_text(place(ends[f])));
    text += channel ? " (open ends of a channel are tables [[flow.end]])"
                    : " (an obstacle in a stream must be closed all round)";
    faults.push_back({ends[e].piece, std::move(text)});
  }
  if (faults.size() > before || std::find(mate.begin(), mate.end(), kNone) != mate.end()) return false;
  // Walk along; those that are met at their b are turned round.
  next.assign(pieces.size(), kNone);
  const auto end_of = [&](std::size_t piece, bool at_b) {
    for (std::size_t e = 0; e < ends.size(); ++e) {
      if (ends[e].piece == piece && ends[e].at_b == at_b) return e;
    }
    return kNone;
  };
  for (std::size_t first = 0; first < pieces.size(); ++first) {
    if (next[first] != kNone) continue;
    if (pieces[first].kind == Piece::Kind::kCircle) {
      next[first] = first;
      continue;
    }
    std::vector<std::size_t> turned;
    std::size_t at = first;
    bool leave_at_b = true;
    while (next[at] == kNone) {
      const End& to = ends[mate[end_of(at, leave_at_b)]];
      next[at] = to.piece;
      if (to.piece == first) break;
      if (to.at_b) turned.push_back(to.piece);
      leave_at_b = !to.at_b;
      at = to.piece;
    }
    for (const std::size_t i : turned) {
      std::swap(pieces[i].a, pieces[i].b);
      pieces[i].reversed = true;
    }
  }
  return true;
}

std::vector<std::vector<std::size_t>> Boundary::loops() const {
  std::vector<std::vector<std::size_t>> out;
  std::vector<bool> seen(pieces.size(), false);
  for (std::size_t first = 0; first < pieces.size(); ++first) {
    if (seen[first]) continue;
    out.emplace_back();
    for (std::size_t i = first; !seen[i]; i = next[i]) {
      seen[i] = true;
      out.back().push_back(i);
    }
  }
  return out;
}

void Boundary::check_crossings(std::vector<Fault>& faults) const {
  const double tolerance = kJoin * extent();
  const auto shared = [&](const Piece& p, const Piece& q, const Vec2& x) {
    for (const Vec2& u : {p.a, p.b}) {
      for (const Vec2& v : {q.a, q.b}) {
        if (math::norm(u - v) <= tolerance && math::norm(u - x) <= 10 * tolerance) return true;
      }
    }
    return false;
  };
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    for (std::size_t k = i + 1; k < pieces.size(); ++k) {
      const Piece &p = pieces[i], &q = pieces[k];
      if (p.kind == Piece::Kind::kCircle || q.kind == Piece::Kind::kCircle) {
        const bool meet = p.kind == Piece::Kind::kCircle ? circle_meets(p, q) : circle_meets(q, p);
        if (meet) faults.push_back({k, fmt::format("{} crosses or touches {}", q.name, p.name), i});
        continue;
      }
      const auto x = meeting(p, q, tolerance);
      if (!x) continue;
      // Neighbours share a point; folded onto each other they share more.
      const double back = dot(p.b - p.a, q.b - q.a) / (p.length() * q.length());
      const bool folded = std::fabs(cross(p.b - p.a, q.b - q.a)) < 1e-9 * p.length() * q.length();
      if (shared(p, q, *x) && !folded) continue;
      if (folded && shared(p, q, *x)) {
        // In a row they go on, folded they come back.
        const bool head_to_tail = math::norm(p.b - q.a) <= tolerance || math::norm(p.a - q.b) <= tolerance;
        if (head_to_tail == (back > 0)) continue;
      }
      faults.push_back({k, fmt::format("{} crosses or touches {} at {}", q.name, p.name, at_text(*x)), i});
    }
  }
}

// Which lines lie within which, and on which side the fluid is.
void Boundary::check_nesting(std::vector<Fault>& faults) {
  const auto all = loops();
  std::vector<std::vector<Panel>> shapes(all.size());
  for (std::size_t l = 0; l < all.size(); ++l) {
    for (const std::size_t i : all[l]) {
      if (pieces[i].kind == Piece::Kind::kCircle) continue;
      shapes[l].emplace_back(pieces[i].a, pieces[i].b, i);
    }
  }
  const auto holds = [&](std::size_t l, const Vec2& x) {
    const Piece& p = pieces[all[l].front()];
    return p.kind == Piece::Kind::kCircle ? math::norm(x - p.a) < p.radius : enclosed(shapes[l], x);
  };
  std::vector<std::size_t> depth(all.size(), 0);
  std::vector<std::size_t> outer;
  for (std::size_t l = 0; l < all.size(); ++l) {
    const Piece& p = pieces[all[l].front()];
    for (std::size_t m = 0; m < all.size(); ++m) {
      if (m == l || !holds(m, p.a + Vec2{p.radius, 0})) continue;  // a point of the line
      ++depth[l];
      if (depth[l] > (channel ? 1 : 0)) {
        faults.push_back({all[l].front(), fmt::format("{} lies within {}, where no fluid can come", p.name,
                                                      pieces[all[m].front()].name)});
        break;
      }
    }
    if (depth[l] == 0) outer.push_back(l);
  }
  if (channel && outer.size() > 1) {
    for (std::size_t k = 1; k < outer.size(); ++k) {
      const std::size_t i = all[outer[k]].front();
      faults.push_back({i, fmt::format("{} does not belong to the channel of {}, nor lies within it", pieces[i].name,
                                       pieces[all[outer[0]].front()].name)});
    }
  }
  // The fluid to the left: within the outer line going round against the clock, outside of others with it.
  for (std::size_t l = 0; l < all.size(); ++l) {
    if (pieces[all[l].front()].kind == Piece::Kind::kCircle) {
      pieces[all[l].front()].reversed = channel && depth[l] == 0;  // of circles: against the clock
      continue;
    }
    double area = 0;
    for (const Panel& p : shapes[l]) area += 0.5 * cross(p.a, p.b);
    if ((area > 0) == (channel && depth[l] == 0)) continue;
    for (const std::size_t i : all[l]) {
      std::swap(pieces[i].a, pieces[i].b);
      pieces[i].reversed = !pieces[i].reversed;
    }
    for (std::size_t k = 0; k < all[l].size(); ++k) next[all[l][(k + 1) % all[l].size()]] = all[l][k];
  }
}

bool Boundary::join(std::vector<Fault>& faults) {
  const std::size_t before = faults.size();
  check_crossings(faults);
  std::vector<bool> crossed(pieces.size(), false);  // where these end is no news
  for (std::size_t k = before; k < faults.size(); ++k) crossed[faults[k].piece] = crossed[faults[k].other] = true;
  if (link(crossed, faults) && faults.size() == before) check_nesting(faults);
  return faults.size() == before;
}

// One panel each at first; then always one more for the piece whose panels are longest.
void Boundary::cut(std::size_t wanted) {
  std::vector<std::size_t> counts;
  std::size_t total = 0;
  for (const Piece& p : pieces) {
    counts.push_back(p.kind == Piece::Kind::kCircle ? kLeastOfCircle : 1);
    total += counts.back();
  }
  for (; total < wanted; ++total) {
    std::size_t longest = 0;
    const auto size = [&](std::size_t i) { return pieces[i].length() / static_cast<double>(counts[i]); };
    for (std::size_t i = 1; i < pieces.size(); ++i) {
      if (size(i) > size(longest) * (1 + 1e-9)) longest = i;
    }
    ++counts[longest];
  }
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    pieces[i].count = static_cast<int>(counts[i]);
    pieces[i].cuts.clear();
    for (std::size_t k = 0; k <= counts[i]; ++k)
      pieces[i].cuts.push_back(static_cast<double>(k) / static_cast<double>(counts[i]));
  }
}

// Ends of joined pieces are one point: that where the later begins. A circle is the regular polygon of its
// circumference: the flow about it is then right to third order in the number of panels, and to second with corners on
// the circle, or with its area.
std::vector<Panel> Boundary::panels() const {
  std::vector<Panel> out;
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    const Piece& p = pieces[i];
    if (p.kind == Piece::Kind::kCircle) {
      const double step = 2 * math::kPi / p.count;
      const double r = p.radius * 0.5 * step / math::sin(0.5 * step);
      const auto corner = [&](int k) {
        const double angle = (k % p.count + 0.5) * (p.reversed ? step : -step);
        return p.a + Vec2{math::cos(angle), math::sin(angle)} * r;
      };
      for (int k = 0; k < p.count; ++k) out.emplace_back(corner(k), corner(k + 1), i);
      continue;
    }
    const Vec2 last = pieces[next[i]].a;
    Vec2 from = p.a;
    for (std::size_t k = 1; k < p.cuts.size(); ++k) {
      const Vec2 to = k + 1 == p.cuts.size() ? last : p.a + (last - p.a) * p.cuts[k];
      out.emplace_back(from, to, i);
      from = to;
    }
  }
  return out;
}

double Boundary::widest_gap(std::size_t& piece) const {
  double widest = 0;
  piece = 0;
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    if (pieces[i].kind == Piece::Kind::kCircle) continue;
    const double gap = math::norm(pieces[i].b - pieces[next[i]].a);
    if (gap > widest) {
      widest = gap;
      piece = i;
    }
  }
  return widest;
}

}  // namespace moraine::flow
