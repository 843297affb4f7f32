// SPDX-License-Identifier: MIT
#include "math/elementary.hpp"

#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>

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

// The binary digits of 2/pi, after 64 zeros.
constexpr std::uint32_t kTwoOverPi[] = {
    0,          0,          0xa2f9836e, 0x4e441529, 0xfc2757d1, 0xf534ddc0, 0xdb629599, 0x3c439041, 0xfe5163ab,
    0xdebbc561, 0xb7246e3a, 0x424dd2e0, 0x06492eea, 0x09d1921c, 0xfe1deb1c, 0xb129a73e, 0xe88235f5, 0x2ebb4484,
    0xe99c7026, 0xb45f7e41, 0x3991d639, 0x835339f4, 0x9c845f8b, 0xbdf9283b, 0x1ff897ff, 0xde05980f, 0xef2f118b,
    0x5a0a6d1f, 0x6d367ecf, 0x27cb09b7, 0x4f463f66, 0x9e5fea2d, 0x7527bac7, 0xebe5f17b, 0x3d0739f7, 0x8a5292ea,
    0x6bfb5fb1, 0x1f8d5d08, 0x56033046, 0xfc7b6bab, 0xf0cfbc20, 0x9af4361d};

// x = n pi/2 + r with |r| <= pi/4, for large x, in whole numbers (Payne and Hanek): |x| = m 2^e, and of the digits of
// 2/pi only those count that give neither a multiple of 4 nor something far below the last digit of r.
int reduce_large(double x, double& r) {
  int e = 0;
  const auto m = static_cast<std::uint64_t>(std::ldexp(std::frexp(std::fabs(x), &e), 53));
  e -= 53;
  std::uint32_t product[6] = {};  // m times 192 digits, the lowest first; its unit is 2^-190
  const std::uint64_t parts[2] = {m & 0xffffffffu, m >> 32};
  for (int i = 0; i < 2; ++i) {
    std::uint64_t carry = 0;
    for (int k = 0; k + i < 6; ++k) {
      const int skip = 64 + e - 2 + 32 * (5 - k), word = skip / 32, shift = skip % 32;
      const std::uint64_t two = std::uint64_t{kTwoOverPi[word]} << 32 | kTwoOverPi[word + 1];
      carry += parts[i] * (two << shift >> 32) + product[k + i];
      product[k + i] = static_cast<std::uint32_t>(carry);
      carry >>= 32;
    }
  }
  const auto pair = [&](int k) { return std::uint64_t{product[k + 1]} << 32 | product[k]; };
  int n = static_cast<int>(pair(4) >> 62);
  std::uint64_t high = pair(4) << 2 | pair(2) >> 62, low = pair(2) << 2;
  double sign = x < 0 ? -1 : 1;
  if (high >> 63) {  // beyond the half: from the next multiple backwards
    ++n;
    high = ~high;
    low = ~low;
    sign = -sign;
  }
  r = sign * (static_cast<double>(high) * 0x1p-64 + static_cast<double>(low) * 0x1p-128) * (kPi / 2);
  return x < 0 ? -n : n;
}

// x = n pi/2 + r with |r| <= pi/4; returns n or what differs from it by a multiple of 4. pi/2 in three parts (Cody and
// Waite) is good where the product with the first part is exact.
int reduce(double x, double& r) {
  if (!(std::fabs(x) <= 0x1p20)) {
    if (std::isfinite(x)) return reduce_large(x, r);
    r = std::numeric_limits<double>::quiet_NaN();
    return 0;
  }
  const double n = std::nearbyint(x * (2 / kPi));
  r = ((x - n * 0x1.921fb544p+0) - n * 0x1.0b4611a6p-34) - n * 0x1.3198a2e037073p-69;
  return static_cast<int>(n);
}

// atan(k / 8) and pi/2, each in two parts.
constexpr double kAtanHigh[] = {0,
                                0x1.fd5ba9aac2f6ep-4,
                                0x1.f5b75f92c80ddp-3,
                                0x1.6f61941e4def1p-2,
                                0x1.dac670561bb4fp-2,
                                0x1.1e00babdefeb4p-1,
                                0x1.4978fa3269ee1p-1,
                                0x1.700a7c5784634p-1,
                                0x1.921fb54442d18p-1};
constexpr double kAtanLow[] = {0,
                               -0x1.cd37686760c17p-59,
                               0x1.8ab6e3cf7afbdp-57,
                               -0x1.c63aae6f6e918p-56,
                               0x1.a2b7f222f65e2p-56,
                               -0x1.928df287a668fp-58,
                               0x1.2419a87f2a458p-56,
                               -0x1.8c34d25aadef6p-56,
                               0x1.1a62633145c07p-55};
constexpr double kHalfPiHigh = 0x1.921fb54442d18p+0, kHalfPiLow = 0x1.1a62633145c07p-54;

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

// asin x = x (1 + x^2 P(x^2)) up to 1/2, P by Chebyshev to 2e-16; beyond, pi/2 - 2 asin sqrt((1 - x) / 2). The powers
// are added in pairs, so that the processor need not wait for one after the other.
double asin(double x) {
  constexpr double c[] = {0x1.555555555554fp-3, 0x1.3333333336da5p-4, 0x1.6db6db684b6a1p-5,  0x1.f1c71f95269afp-6,
                          0x1.6e8b2b3b10be4p-6, 0x1.1c593c7b1d958p-6, 0x1.c87265d47ef49p-7,  0x1.8522ddffa6208p-7,
                          0x1.ff5fc4d14c735p-8, 0x1.06b9d26d10838p-6, -0x1.603991d6060e0p-7, 0x1.cd864394d2ff2p-6};
  const double a = std::fabs(x);
  const bool outer = a > 0.5;
  const double z = outer ? 0.5 * (1 - a) : a * a, s = outer ? std::sqrt(z) : a, z2 = z * z, z4 = z2 * z2;
  const double low = (c[0] + c[1] * z) + (c[2] + c[3] * z) * z2, middle = (c[4] + c[5] * z) + (c[6] + c[7] * z) * z2,
               high = (c[8] + c[9] * z) + (c[10] + c[11] * z) * z2;
  const double inner = s + s * z * (low + (middle + high * z4) * z4);
  return std::copysign(outer ? kHalfPiHigh - (2 * inner - kHalfPiLow) : inner, x);
}

double acos(double x) {
  // acos x = 2 atan2(sqrt(1 - x), sqrt(1 + x)): a half angle in [0, pi/2] whose sine and cosine are known.
  const double s = std::sqrt(0.5 * (1 - x)), c = std::sqrt(0.5 * (1 + x));
  double a = s < c ? s : kPi / 2 - c;  // a first guess, then Newton's rule on sin(angle - a) = 0
  for (int k = 0; k < 4; ++k) a += s * cos(a) - c * sin(a);
  return 2 * a;
}

double acosh(double x) { return log(x + std::sqrt((x - 1) * (x + 1))); }

double atan(double x) { return atan2(x, 1); }

double atan2(double y, double x) {
  if (std::isnan(x) || std::isnan(y)) return x + y;
  double small = std::fabs(y), large = std::fabs(x);
  const bool steep = small > large;
  if (steep) std::swap(small, large);
  double high = 0, low = 0;  // their sum: the angle in the first eighth of the circle
  if (large > 0) {
    if (std::isinf(large)) {
      small = std::isinf(small) ? 1 : 0;
      large = 1;
    } else if (large > 1e300 || large < 1e-280) {
      const double scale = large > 1 ? 0x1p-100 : 0x1p+200;
      small *= scale;
      large *= scale;
    }
    // atan t = atan c + atan((t - c) / (1 + t c)), c the nearest of 0, 1/8 ... 1; the rest is below 1/16.
    const int k = static_cast<int>(std::nearbyint(8 * (small / large)));
    const double c = k / 8.0, t = (small - c * large) / (large + c * small), z = t * t;
    double s = 0;
    for (int n = 15; n >= 3; n -= 2) s = (1.0 / n - s) * z;
    high = kAtanHigh[k];
    low = kAtanLow[k] + (t - t * s);
  }
  if (steep) {
    high = kHalfPiHigh - high;
    low = kHalfPiLow - low;
  }
  if (std::signbit(x)) {
    high = 2 * kHalfPiHigh - high;
    low = 2 * kHalfPiLow - low;
  }
  return std::copysign(high + low, y);
}

double tanh(double x) {
  const double a = std::fabs(x);
  if (a >= 1) return std::copysign(a > 20 ? 1 : 1 - 2 / (exp(2 * a) + 1), x);
  // Lambert's continued fraction: x / (1 + x^2 / (3 + x^2 / (5 + ...))); NaN comes this way too.
  double d = 21;
  for (int k = 19; k >= 1; k -= 2) d = k + x * x / d;
  return x / d;
}

}  // namespace moraine::math
