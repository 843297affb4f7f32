// SPDX-License-Identifier: MIT
#include "plot/view.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "math/elementary.hpp"

namespace moraine::plot {

Triple operator+(const Triple& a, const Triple& b) { return {a[0] + b[0], a[1] + b[1], a[2] + b[2]}; }
Triple operator-(const Triple& a, const Triple& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }
Triple operator*(double s, const Triple& a) { return {s * a[0], s * a[1], s * a[2]}; }
double dot(const Triple& a, const Triple& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
Triple cross(const Triple& a, const Triple& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
double norm(const Triple& a) { return std::sqrt(dot(a, a)); }
bool finite(const Triple& a) { return std::isfinite(a[0]) && std::isfinite(a[1]) && std::isfinite(a[2]); }

double Box::largest_size() const { return empty() ? 0 : std::max({size(0), size(1), size(2)}); }

Triple Box::corner(unsigned bits) const {
  Triple c = min;
  for (unsigned k = 0; k < 3; ++k) {
    if ((bits >> k) & 1u) c[k] = max[k];
  }
  return c;
}

bool Box::holds(const Triple& p) const {
  for (std::size_t k = 0; k < 3; ++k) {
    if (p[k] < min[k] || p[k] > max[k]) return false;
  }
  return true;
}

void Box::add(const Triple& p, double radius) {
  const bool first = empty();
  for (std::size_t k = 0; k < 3; ++k) {
    min[k] = first ? p[k] - radius : std::min(min[k], p[k] - radius);
    max[k] = first ? p[k] + radius : std::max(max[k], p[k] + radius);
  }
}

void Box::add(const Box& other) {
  if (other.empty()) return;
  add(other.min);
  add(other.max);
}

std::optional<std::pair<Triple, Triple>> clipped(const Box& box, Triple from, Triple to) {
  const Triple way = to - from;
  double begin = 0, end = 1;
  for (std::size_t k = 0; k < 3; ++k) {
    if (way[k] == 0) {
      if (from[k] < box.min[k] || from[k] > box.max[k]) return std::nullopt;
      continue;
    }
    const double s = (box.min[k] - from[k]) / way[k], t = (box.max[k] - from[k]) / way[k];
    begin = std::max(begin, std::min(s, t));
    end = std::min(end, std::max(s, t));
  }
  if (!(begin < end)) return std::nullopt;
  return std::pair{from + begin * way, from + end * way};
}

namespace {

// Sutherland and Hodgman: what of the polygon lies where sign * x[axis] <= sign * limit.
std::vector<Triple> cut_off(const std::vector<Triple>& polygon, std::size_t axis, double sign, double limit) {
  std::vector<Triple> out;
  for (std::size_t i = 0; i < polygon.size(); ++i) {
    const Triple &a = polygon[i], &b = polygon[(i + 1) % polygon.size()];
    const double da = sign * (a[axis] - limit), db = sign * (b[axis] - limit);
    if (da <= 0) out.push_back(a);
    if ((da < 0 && db > 0) || (da > 0 && db < 0)) out.push_back(a + (da / (da - db)) * (b - a));
  }
  return out;
}

}  // namespace

std::vector<Triple> cut_by_plane(const Box& box, const Triple& point, const Triple& normal) {
  const double size = box.largest_size(), slack = 1e-9 * size, length = norm(normal);
  if (!(size > 0) || !(length > 0)) return {};
  const Triple n = (1 / length) * normal;
  const Triple foot = box.centre() - dot(box.centre() - point, n) * n;
  const Triple helper = std::fabs(n[2]) < 0.9 ? Triple{0, 0, 1} : Triple{1, 0, 0};
  Triple e = cross(helper, n);
  e = (2 * size / norm(e)) * e;
  const Triple f = cross(n, e);
  std::vector<Triple> polygon = {foot - e - f, foot + e - f, foot + e + f, foot - e + f};
  for (std::size_t k = 0; k < 3 && !polygon.empty(); ++k) {
    polygon = cut_off(polygon, k, 1, box.max[k] + slack);
    polygon = cut_off(polygon, k, -1, box.min[k] - slack);
  }
  return polygon;
}

Camera Camera::from(double azimuth, double height) {
  // Quarter turns exactly, so that what is seen edge-on is known to be.
  const auto exact = [](double v) {
    return std::fabs(v) < 1e-12 ? 0 : std::fabs(v) > 1 - 1e-12 ? std::copysign(1, v) : v;
  };
  const double ca = exact(std::cos(azimuth)), sa = exact(std::sin(azimuth));
  const double ch = exact(std::cos(height)), sh = exact(std::sin(height));
  return {{-sa, ca, 0}, {-sh * ca, -sh * sa, ch}, {ch * ca, ch * sa, sh}};
}

Camera Camera::corner() { return from(-math::kPi / 3, 25 * math::kPi / 180); }

bool Camera::level() const {
  return std::count(toward.begin(), toward.end(), 0.0) == 2 && std::count(right.begin(), right.end(), 0.0) == 2;
}

bool View::shows(const Triple& x) const {
  const Point p = camera.flatten(x);
  return p.x >= left && p.x <= right && p.y >= bottom && p.y <= top;
}

View fit_view(const Box& box, const Camera& camera, double border, double most_width, double most_height) {
  constexpr double kNarrowest = 0.75, kWidest = 3.2;  // width over height of a rectangle
  View v;
  v.camera = camera;
  v.left = v.bottom = std::numeric_limits<double>::infinity();
  v.right = v.top = -std::numeric_limits<double>::infinity();
  for (unsigned bits = 0; bits < 8; ++bits) {
    const Point p = v.camera.flatten(box.corner(bits));
    v.left = std::min(v.left, p.x - border);
    v.right = std::max(v.right, p.x + border);
    v.bottom = std::min(v.bottom, p.y - border);
    v.top = std::max(v.top, p.y + border);
  }
  double width = v.right - v.left, height = v.top - v.bottom;
  if (camera.level()) {
    const double wider = std::max(0.0, kNarrowest * height - width), higher = std::max(0.0, width / kWidest - height);
    v.left -= wider / 2;
    v.right += wider / 2;
    v.bottom -= higher / 2;
    v.top += higher / 2;
    width += wider;
    height += higher;
  }
  v.scale = std::min(most_width / width, most_height / height);
  v.area = {0, 0, width * v.scale, height * v.scale};
  return v;
}

}  // namespace moraine::plot
