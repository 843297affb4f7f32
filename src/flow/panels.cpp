// SPDX-License-Identifier: MIT
#include "flow/panels.hpp"

#include <algorithm>
#include <cmath>

#include "math/elementary.hpp"

namespace moraine::flow {

namespace {

using math::cross;
using math::dot;

constexpr double kPerTurn = 0.5 / math::kPi;

double angle_between(const Vec2& from, const Vec2& to) { return math::atan2(cross(from, to), dot(from, to)); }

// A point in the frame of a panel: x along it, y into the fluid, seen from both its ends.
struct Local {
  double x, y;
  Vec2 left, right;      // from the ends at -half and +half
  double left2, right2;  // squares of the distances
  Local(const Panel& p, const Vec2& at) {
    const Vec2 d = at - p.mid;
    x = dot(d, p.t);
    y = dot(d, p.n);
    left = {x + p.half, y};
    right = {x - p.half, y};
    left2 = math::norm2(left);
    right2 = math::norm2(right);
  }
  // The angle that the panel is seen under, positive on the side of the fluid.
  double view(const Panel& p) const { return math::atan2(2 * p.half * y, left[0] * right[0] + y * y); }
  double nearest2() const { return std::min(left2, right2); }
};

// 2 pi times the stream function of a panel of unit strength: the imaginary part of z1 log z1 - z2 log z2, with z1 and
// z2 the point seen from the ends, whose angles are given.
double stream(const Local& z, double left_angle, double right_angle) {
  double sum = z.left[0] * left_angle - z.right[0] * right_angle;
  if (z.y != 0) sum += 0.5 * z.y * math::log(z.left2 / z.right2);
  return sum;
}

}  // namespace

Panel::Panel(const Vec2& from, const Vec2& to, std::size_t of)
    : a(from), b(to), mid((from + to) * 0.5), half(0.5 * math::norm(to - from)), piece(of) {
  t = (to - from) * (0.5 / half);
  n = {-t[1], t[0]};
}

Vec2 panel_velocity(const Panel& panel, const Vec2& x) {
  const Local z(panel, x);
  // At an end the velocity is infinite; nobody is nearer to it than this.
  const double least = 1e-24 * panel.half * panel.half;
  const double along = 0.5 * kPerTurn * math::log(std::max(z.left2, least) / std::max(z.right2, least));
  return panel.t * along + panel.n * (kPerTurn * z.view(panel));
}

// Angles are followed along the line from its end that is farther from those of the panel, as at an end of the panel
// there is none; what is multiplied with it is then zero.
double panel_flow(const Panel& panel, const Vec2& from, const Vec2& to) {
  const Local a(panel, from), b(panel, to);
  const bool from_a = a.nearest2() >= b.nearest2();
  const Local &p = from_a ? a : b, &q = from_a ? b : a;
  const double left_p = math::atan2(p.y, p.left[0]), right_p = left_p + p.view(panel);
  const double left_q = left_p + angle_between(p.left, q.left), right_q = right_p + angle_between(p.right, q.right);
  const double difference = stream(q, left_q, right_q) - stream(p, left_p, right_p);
  return kPerTurn * (from_a ? -difference : difference);
}

bool enclosed(const std::vector<Panel>& panels, const Vec2& x) {
  bool inside = false;
  for (const Panel& p : panels) {
    if ((p.a[1] > x[1]) == (p.b[1] > x[1])) continue;
    // The panel passes to the right of x if x is to the left of it going up, or to the right going down.
    const double side = cross(p.b - p.a, x - p.a);
    if ((p.b[1] > p.a[1]) == (side > 0)) inside = !inside;
  }
  return inside;
}

bool PanelSystem::set_up(const std::vector<Panel>& panels, Condition condition, bool bordered, base::Team& team) {
  bordered_ = bordered;
  const std::size_t count = panels.size(), n = count + (bordered ? 1 : 0);
  std::vector<double> matrix(n * n, 0);
  team.for_chunks(count, [&](std::size_t i) {
    const Panel& to = panels[i];
    for (std::size_t j = 0; j < count; ++j) {
      double& entry = matrix[i * n + j];
      if (i == j) {
        entry = 0.5;
      } else if (condition == Condition::kNetFlow) {
        entry = panel_flow(panels[j], to.a, to.b) / to.length();
      } else {
        entry = dot(panel_velocity(panels[j], to.mid), to.n);
      }
    }
    if (!bordered) return;
    matrix[i * n + count] = 1;
    matrix[count * n + i] = to.length();
  });
  return lu_.factor(n, std::move(matrix), team);
}

std::vector<double> PanelSystem::solve(std::vector<double> across, double& surplus) const {
  if (bordered_) across.push_back(0);
  lu_.solve(across);
  surplus = 0;
  if (bordered_) {
    surplus = across.back();
    across.pop_back();
  }
  return across;
}

}  // namespace moraine::flow
