// SPDX-License-Identifier: MIT
#include "math/principal.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace moraine::math {

namespace {

// A matrix and the rotation so far: its columns are the axes.
struct Turned {
  double a[3][3];
  double v[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
};

// Makes a[p][q] zero by a rotation in the plane of p and q.
void rotate(Turned& m, int p, int q) {
  const double theta = (m.a[q][q] - m.a[p][p]) / (2 * m.a[p][q]);
  const double t = (theta >= 0 ? 1 : -1) / (std::fabs(theta) + std::sqrt(theta * theta + 1));
  const double c = 1 / std::sqrt(t * t + 1), s = t * c;
  const int r = 3 - p - q;
  m.a[p][p] -= t * m.a[p][q];
  m.a[q][q] += t * m.a[p][q];
  m.a[p][q] = m.a[q][p] = 0;
  const double rp = m.a[r][p], rq = m.a[r][q];
  m.a[r][p] = m.a[p][r] = c * rp - s * rq;
  m.a[r][q] = m.a[q][r] = s * rp + c * rq;
  for (auto& row : m.v) {
    const double vp = row[p], vq = row[q];
    row[p] = c * vp - s * vq;
    row[q] = s * vp + c * vq;
  }
}

// The axis or its opposite: the one whose largest component (of near equals the first) is positive.
Vec3 with_sign(const Vec3& axis) {
  int largest = 0;
  for (int k = 1; k < 3; ++k) {
    if (std::fabs(axis[k]) > std::fabs(axis[largest]) * (1 + 1e-9)) largest = k;
  }
  return axis[largest] < 0 ? -axis : axis;
}

// The rotation that turns the unit vectors into x, y and z, which are at right angles (Shepperd's choice of pivot).
Quaternion from_axes(const Vec3& x, const Vec3& y, const Vec3& z) {
  const double trace = x[0] + y[1] + z[2];
  Quaternion q;
  if (trace >= x[0] && trace >= y[1] && trace >= z[2]) {
    q = {1 + trace, y[2] - z[1], z[0] - x[2], x[1] - y[0]};
  } else if (x[0] >= y[1] && x[0] >= z[2]) {
    q = {y[2] - z[1], 1 + x[0] - y[1] - z[2], x[1] + y[0], z[0] + x[2]};
  } else if (y[1] >= z[2]) {
    q = {z[0] - x[2], x[1] + y[0], 1 + y[1] - x[0] - z[2], y[2] + z[1]};
  } else {
    q = {x[1] - y[0], z[0] + x[2], y[2] + z[1], 1 + z[2] - x[0] - y[1]};
  }
  if (q.w < 0) q = {-q.w, -q.x, -q.y, -q.z};
  return normalised(q);
}

}  // namespace

Principal principal_axes(const Symmetric3& matrix, double noise) {
  const auto& [xx, yy, zz, xy, xz, yz] = matrix;
  Turned m{{{xx, xy, xz}, {xy, yy, yz}, {xz, yz, zz}}};
  const double small = noise * (std::fabs(xx) + std::fabs(yy) + std::fabs(zz));
  bool done = false;
  for (int sweep = 0; sweep < 50 && !done; ++sweep) {
    done = true;
    for (const auto& [p, q] : {std::pair{0, 1}, {0, 2}, {1, 2}}) {
      if (std::fabs(m.a[p][q]) <= small) continue;
      rotate(m, p, q);
      done = false;
    }
  }
  int order[3] = {0, 1, 2};
  std::stable_sort(order, order + 3, [&](int i, int j) { return m.a[i][i] < m.a[j][j]; });
  const auto axis = [&](int k) { return with_sign({m.v[0][order[k]], m.v[1][order[k]], m.v[2][order[k]]}); };
  const Vec3 first = axis(0), second = axis(1);
  return {{m.a[order[0]][order[0]], m.a[order[1]][order[1]], m.a[order[2]][order[2]]},
          from_axes(first, second, cross(first, second))};
}

}  // namespace moraine::math
