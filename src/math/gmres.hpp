// SPDX-License-Identifier: MIT
// Systems of equations that need not be symmetric, by minimal residuals (GMRES of Saad and Schultz, preconditioned from
// the right, so that the residual is the true one).
#pragma once

#include <functional>
#include <vector>

namespace moraine::math {

using Map = std::function<void(std::vector<double>&)>;  // in place

// Returns x with |b - A x| <= tolerance |b|, or as small as `most` directions make it.
std::vector<double> gmres(const Map& matrix, const Map& precondition, const std::vector<double>& b, double tolerance,
                          std::size_t most);

}  // namespace moraine::math
