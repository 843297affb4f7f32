// SPDX-License-Identifier: MIT
// Vectors of two or three numbers, and what is a scalar in 2D and a vector in 3D: spin, torque, tangential slip.
// Written out so that 2D never pays for a third component.
#pragma once

#include <cmath>
#include <type_traits>

namespace moraine::math {

template <int D>
struct Vec {
  static_assert(D == 2 || D == 3);
  double c[D];

  constexpr double& operator[](int k) { return c[k]; }
  constexpr const double& operator[](int k) const { return c[k]; }
  constexpr Vec& operator+=(const Vec& o) {
    for (int k = 0; k < D; ++k) c[k] += o.c[k];
    return *this;
  }
  constexpr Vec& operator-=(const Vec& o) {
    for (int k = 0; k < D; ++k) c[k] -= o.c[k];
    return *this;
  }
  constexpr Vec& operator*=(double s) {
    for (int k = 0; k < D; ++k) c[k] *= s;
    return *this;
  }
  friend constexpr Vec operator+(Vec a, const Vec& b) { return a += b; }
  friend constexpr Vec operator-(Vec a, const Vec& b) { return a -= b; }
  friend constexpr Vec operator*(Vec a, double s) { return a *= s; }
  friend constexpr Vec operator*(double s, Vec a) { return a *= s; }
  friend constexpr Vec operator-(Vec a) {
    for (int k = 0; k < D; ++k) a.c[k] = -a.c[k];
    return a;
  }
  friend constexpr bool operator==(const Vec& a, const Vec& b) {
    for (int k = 0; k < D; ++k) {
      if (a.c[k] != b.c[k]) return false;
    }
    return true;
  }
};

using Vec2 = Vec<2>;
using Vec3 = Vec<3>;

// Angular velocity and torque: about z in 2D, a vector in 3D.
template <int D>
using Spin = std::conditional_t<D == 2, double, Vec3>;

constexpr double dot(const Vec2& a, const Vec2& b) { return a[0] * b[0] + a[1] * b[1]; }
constexpr double dot(const Vec3& a, const Vec3& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
constexpr double dot(double a, double b) { return a * b; }
template <class V>
constexpr double norm2(const V& a) {
  return dot(a, a);
}
template <int D>
double norm(const Vec<D>& a) {
  return std::sqrt(norm2(a));
}
inline double norm(double a) { return std::fabs(a); }

// Cross products: vector x vector (a spin), and spin x vector (a velocity).
constexpr double cross(const Vec2& a, const Vec2& b) { return a[0] * b[1] - a[1] * b[0]; }
constexpr Vec3 cross(const Vec3& a, const Vec3& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
constexpr Vec2 cross(double w, const Vec2& r) { return {-w * r[1], w * r[0]}; }

template <int D>
constexpr Vec<D> zero() {
  return Vec<D>{};
}
template <int D>
constexpr Spin<D> zero_spin() {
  return Spin<D>{};
}

// The components of a spin as three numbers, and back.
inline Vec3 spin_as_vec3(double w) { return {0, 0, w}; }
inline Vec3 spin_as_vec3(const Vec3& w) { return w; }
template <int D>
Vec3 as_vec3(const Vec<D>& a) {
  if constexpr (D == 2) {
    return {a[0], a[1], 0};
  } else {
    return a;
  }
}
template <int D>
Spin<D> spin_from_vec3(const Vec3& w) {
  if constexpr (D == 2) {
    return w[2];
  } else {
    return w;
  }
}

template <int D>
bool is_finite(const Vec<D>& a) {
  for (int k = 0; k < D; ++k) {
    if (!std::isfinite(a[k])) return false;
  }
  return true;
}
inline bool is_finite(double a) { return std::isfinite(a); }

}  // namespace moraine::math
