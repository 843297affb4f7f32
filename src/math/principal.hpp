// SPDX-License-Identifier: MIT
// Principal axes of a symmetric 3x3 matrix, such as a tensor of inertia. Only + - * / and sqrt: the same bits
// everywhere.
#pragma once

#include "math/rotation.hpp"
#include "math/vec.hpp"

namespace moraine::math {

struct Symmetric3 {
  double xx = 0, yy = 0, zz = 0, xy = 0, xz = 0, yz = 0;
};

struct Principal {
  Vec3 values;      // ascending
  Quaternion axes;  // turns the k-th unit vector into the k-th axis; a right-handed frame, w >= 0
};

// Jacobi's method. The largest component of the first axis and of the second is positive. Elements off the diagonal
// that are below `noise` times the trace of the absolute values count as zero: of equal values the given axes are kept.
Principal principal_axes(const Symmetric3& matrix, double noise = 1e-15);

}  // namespace moraine::math
