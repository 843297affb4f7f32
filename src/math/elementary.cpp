// SPDX-License-Identifier: MIT
#include "math/elementary.hpp"

#include <cmath>
#include <cstdint>
#include <limits>

namespace moraine::math {

namespace {

// Taylor series on |x| <= pi/4, by Horner: the first omitted term is below 1e-18.
double sin_kernel(double x) {
  const double z = x * x;
  double s = 0;
  for (int k = 17; k >= 3; k -= 2) s = (1 - s) * z / static_cast<double>(k * (k - 1));
  return x * (1 - s);
}
double cos_kernel(double x) {
  const double z = x * x;
  double s = 0;
  for (int k = 18; k >= 2; k -= 2) s = (1 - s) * z / static_cast<double>(k * (k - 1));
  return 1 - s;
}

// x = n pi/2 + r with |r| <= pi/4; pi/2 in three parts (Cody and Waite), good to |x| of about 1e9.
long long reduce(double x, double& r) {
  const double n = std::nearbyint(x * (2 / kPi));
  r = ((x - n * 0x1.921fb544p+0) - n * 0x1.0b4611a6p-34) - n * 0x1.3198a2e037073p-69;
  return static_cast<long long>(n);
}

constexpr double kLn2High = 0x1.62e42feep-1, kLn2Low = 0x1.a39ef35793c76p-33;

}  // namespace

double sin(double x) {
  double r = 0;
  switch (reduce(x, r) & 3) {
    case 0:
      return sin_kernel(r);
    case 1:
      return cos_kernel(r);
    case 2:
      return -sin_kernel(r);
    default:
      return -cos_kernel(r);
  }
}

double cos(double x) {
  double r = 0;
  switch (reduce(x, r) & 3) {
    case 0:
      return cos_kernel(r);
    case 1:
      return -sin_kernel(r);
    case 2:
      return -cos_kernel(r);
    default:
      return sin_kernel(r);
  }
}

double exp(double x) {
  if (x > 709.7) return std::numeric_limits<double>::infinity();
  if (x < -745) return 0;
  const double n = std::nearbyint(x / (kLn2High + kLn2Low));
  const double r = (x - n * kLn2High) - n * kLn2Low;  // |r| <= 0.35
  double s = 1;
  for (int k = 15; k >= 1; --k) s = 1 + s * r / static_cast<double>(k);
  return std::ldexp(s, static_cast<int>(n));
}

double log(double x) {
  int e = 0;
  double m = std::frexp(x, &e);  // m in [0.5, 1)
  if (m < 0.70710678118654752440) {
    m *= 2;
    --e;
  }
  // log m = 2 atanh(t), t = (m - 1) / (m + 1), |t| <= 0.172
  const double t = (m - 1) / (m + 1), z = t * t;
  double s = 0;
  for (int k = 21; k >= 3; k -= 2) s = (s + 1.0 / static_cast<double>(k)) * z;
  return static_cast<double>(e) * kLn2High + (2 * t * (1 + s) + static_cast<double>(e) * kLn2Low);
}

double pow(double x, double y) {
  if (x == 0) return y == 0 ? 1 : 0;
  if (y == 1) return x;
  if (y == 1.5) return x * std::sqrt(x);
  return exp(y * log(x));
}

double acos(double x) {
  // acos x = 2 atan2(sqrt(1 - x), sqrt(1 + x)): a half angle in [0, pi/2] whose sine and cosine are known.
  const double s = std::sqrt(0.5 * (1 - x)), c = std::sqrt(0.5 * (1 + x));
  double a = s < c ? s : kPi / 2 - c;  // a first guess, then Newton's rule on sin(angle - a) = 0
  for (int k = 0; k < 4; ++k) a += s * cos(a) - c * sin(a);
  return 2 * a;
}

double acosh(double x) { return log(x + std::sqrt((x - 1) * (x + 1))); }

}  // namespace moraine::math
