// SPDX-License-Identifier: MIT
// sin, cos, exp, log, pow, acos, atan2 and the like, made of + - * / and sqrt only. The C library picks its code by CPU
// and may differ in the last bit from machine to machine; what enters the state of a run uses these, so that the golden
// hashes hold everywhere. Accuracy: a few units in the last place (tests/unit/math_elementary.cpp).
#pragma once

namespace moraine::math {

inline constexpr double kPi = 3.14159265358979323846;

// Area of a disk, or volume of a sphere.
constexpr double ball_volume(int dimension, double radius) {
  return dimension == 2 ? kPi * radius * radius : 4.0 / 3.0 * kPi * radius * radius * radius;
}

double sin(double x);
double cos(double x);
double exp(double x);
double log(double x);            // x > 0
double pow(double x, double y);  // x >= 0
double asin(double x);           // -1 <= x <= 1
double acos(double x);           // -1 <= x <= 1
double acosh(double x);          // x >= 1
double atan(double x);
double atan2(double y, double x);  // the angle of (x, y), in [-pi, pi]; the C library's rules for zeros and infinities
double tanh(double x);

}  // namespace moraine::math
