// SPDX-License-Identifier: MIT
// Angles for directions and orientations. In space every set of angles has poles; a chart says where they are, and is
// changed before one is near.
#pragma once

#include <array>
#include <cmath>

#include "math/rotation.hpp"
#include "math/vec.hpp"

namespace moraine::hard {

using math::Vec3;

// Another chart is taken when the sine of the angle to the pole falls below this; the best of three charts has at least
// sqrt(2/3).
inline constexpr double kNearPole = 0.3;

// A unit vector by its spherical angles (Vinogradov 37): beta from the polar axis, alpha about it. The chart is the
// number of the polar axis; 2, z, is the source's.
struct Direction {
  Vec3 e, e_alpha, e_beta, bend;  // bend: second time derivative where both angles have no acceleration

  Direction(int chart, const double* angles, const double* rates) {
    const double ca = math::cos(angles[0]), sa = math::sin(angles[0]);
    const double cb = math::cos(angles[1]), sb = math::sin(angles[1]);
    const double a = rates[0], b = rates[1];
    e = along(chart, sb * ca, sb * sa, cb);
    e_alpha = along(chart, -sb * sa, sb * ca, 0);
    e_beta = along(chart, cb * ca, cb * sa, -sb);
    bend =
        along(chart, -sb * ca, -sb * sa, 0) * (a * a) + along(chart, -cb * sa, cb * ca, 0) * (2 * a * b) - e * (b * b);
  }
  static Vec3 along(int chart, double x, double y, double z) {
    Vec3 v{};
    v[(chart + 1) % 3] = x;
    v[(chart + 2) % 3] = y;
    v[chart] = z;
    return v;
  }
  // The chart to use for the unit vector e if `chart` is the present one.
  static int best(int chart, const Vec3& e) {
    if (1 - e[chart] * e[chart] >= kNearPole * kNearPole) return chart;
    int least = 0;
    for (int c = 1; c < 3; ++c) {
      if (std::fabs(e[c]) < std::fabs(e[least])) least = c;
    }
    return least;
  }
  // Angles and their rates from a unit vector and its time derivative.
  static void find(int chart, const Vec3& e, const Vec3& rate, double* angles, double* rates) {
    const double x = e[(chart + 1) % 3], y = e[(chart + 2) % 3], z = e[chart];
    const double across = std::sqrt(x * x + y * y);
    angles[0] = math::atan2(y, x);
    angles[1] = math::atan2(across, z);
    const double still[2] = {0, 0};
    const Direction d(chart, angles, still);
    rates[0] = math::dot(d.e_alpha, rate) / math::norm2(d.e_alpha);
    rates[1] = math::dot(d.e_beta, rate);
  }
};

// An orientation by Euler angles psi, theta, phi (Vinogradov 4): about z, the line of nodes, and the figure axis. The
// chart is the number of the body's axis that is the figure axis; 2 is the source's.
struct Euler {
  std::array<Vec3, 3> axis;  // what a rate of 1 of each angle turns about, in space
  Vec3 spin, drift;          // drift: angular acceleration where the angles have none

  Euler(const double* angles, const double* rates) {
    const double cp = math::cos(angles[0]), sp = math::sin(angles[0]);
    const double ct = math::cos(angles[1]), st = math::sin(angles[1]);
    axis[0] = {0, 0, 1};
    axis[1] = {cp, sp, 0};
    axis[2] = {sp * st, -cp * st, ct};
    spin = axis[0] * rates[0] + axis[1] * rates[1] + axis[2] * rates[2];
    drift = math::cross(axis[0] * rates[0], axis[1]) * rates[1] +
            math::cross(axis[0] * rates[0] + axis[1] * rates[1], axis[2]) * rates[2];
  }
  // Turns the figure axis of a chart into z.
  static math::Quaternion upright(int chart) {
    if (chart == 2) return {};
    return chart == 1 ? math::Quaternion{0.5, 0.5, 0.5, 0.5} : math::Quaternion{0.5, -0.5, -0.5, -0.5};
  }
  static math::Quaternion orientation(int chart, const double* angles) {
    const double c = math::cos(0.5 * angles[1]), s = math::sin(0.5 * angles[1]);
    const double sum = 0.5 * (angles[0] + angles[2]), difference = 0.5 * (angles[0] - angles[2]);
    const math::Quaternion q{c * math::cos(sum), s * math::cos(difference), s * math::sin(difference),
                             c * math::sin(sum)};
    return q * upright(chart);
  }
  static int best(int chart, const math::Quaternion& q) {
    const auto height = [&](int c) {  // of a body axis: the cosine of its angle to z
      Vec3 body{};
      body[c] = 1;
      return math::rotated(body, q)[2];
    };
    if (1 - height(chart) * height(chart) >= kNearPole * kNearPole) return chart;
    int least = 0;
    for (int c = 1; c < 3; ++c) {
      if (std::fabs(height(c)) < std::fabs(height(least))) least = c;
    }
    return least;
  }
  static void find(int chart, const math::Quaternion& orientation, const Vec3& spin, double* angles, double* rates) {
    const math::Quaternion q = orientation * math::inverse(upright(chart));
    const double sum = math::atan2(q.z, q.w), difference = math::atan2(q.y, q.x);
    angles[0] = sum + difference;
    angles[1] = 2 * math::atan2(std::sqrt(q.x * q.x + q.y * q.y), std::sqrt(q.w * q.w + q.z * q.z));
    angles[2] = sum - difference;
    const double still[3] = {0, 0, 0};
    const Euler e(angles, still);
    const double z = spin[2], f = math::dot(spin, e.axis[2]), cosine = e.axis[2][2];
    const double sine2 = 1 - cosine * cosine;
    rates[0] = (z - cosine * f) / sine2;
    rates[1] = math::dot(spin, e.axis[1]);
    rates[2] = (f - cosine * z) / sine2;
  }
};

}  // namespace moraine::hard
