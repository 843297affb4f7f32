// SPDX-License-Identifier: MIT
#include "math/gmres.hpp"

#include <cmath>

namespace moraine::math {

namespace {

double dot(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (std::size_t k = 0; k < a.size(); ++k) sum += a[k] * b[k];
  return sum;
}
void add(std::vector<double>& a, double factor, const std::vector<double>& b) {
  for (std::size_t k = 0; k < a.size(); ++k) a[k] += factor * b[k];
}

}  // namespace

std::vector<double> gmres(const Map& matrix, const Map& precondition, const std::vector<double>& b, double tolerance,
                          std::size_t most) {
  const double whole = std::sqrt(dot(b, b));
  std::vector<double> x(b.size(), 0);
  if (whole == 0) return x;
  std::vector<std::vector<double>> basis{b}, upper;  // columns of R
  for (double& v : basis[0]) v /= whole;
  std::vector<double> cosines, sines, rest{whole};
  while (upper.size() < most && std::fabs(rest.back()) > tolerance * whole) {
    const std::size_t k = upper.size();
    std::vector<double> w = basis[k];
    precondition(w);
    matrix(w);
    const double before = std::sqrt(dot(w, w));
    std::vector<double> h(k + 1, 0);
    for (int pass = 0; pass < 2; ++pass) {  // the second for what rounding leaves
      for (std::size_t j = 0; j <= k; ++j) {
        const double part = dot(basis[j], w);
        h[j] += part;
        add(w, -part, basis[j]);
      }
    }
    const double length = std::sqrt(dot(w, w));
    for (std::size_t j = 0; j < k; ++j) {
      const double first = h[j], second = h[j + 1];
      h[j] = cosines[j] * first + sines[j] * second;
      h[j + 1] = cosines[j] * second - sines[j] * first;
    }
    const double turned = std::hypot(h[k], length);
    if (!(turned > 1e-14 * before)) break;  // the matrix makes nothing new of this direction
    cosines.push_back(h[k] / turned);
    sines.push_back(length / turned);
    h[k] = turned;
    upper.push_back(h);
    rest.push_back(-sines[k] * rest[k]);
    rest[k] *= cosines[k];
    for (double& v : w) v = length > 0 ? v / length : 0;
    basis.push_back(std::move(w));
  }
  for (std::size_t k = upper.size(); k-- > 0;) {
    for (std::size_t j = k + 1; j < upper.size(); ++j) rest[k] -= upper[j][k] * rest[j];
    rest[k] /= upper[k][k];
    add(x, rest[k], basis[k]);
  }
  precondition(x);
  return x;
}

}  // namespace moraine::math
