// SPDX-License-Identifier: MIT
#include "plot/frame_bodies.hpp"

#include <algorithm>
#include <cmath>

#include "math/elementary.hpp"
#include "plot/view.hpp"

namespace moraine::plot {

std::optional<std::size_t> index_of(const Frame& frame, std::int64_t id) {
  const auto at = std::lower_bound(frame.id.begin(), frame.id.end(), id);
  if (at == frame.id.end() || *at != id) return std::nullopt;
  return static_cast<std::size_t>(at - frame.id.begin());
}

double body_volume(const Frame& frame, std::size_t i) {
  if (frame.form[i] < 0) return math::ball_volume(frame.dimension, frame.radius[i]);
  const auto form = static_cast<std::size_t>(frame.form[i]);
  const Triple* vertices = &frame.form_vertex[static_cast<std::size_t>(frame.form_vertex_start[form])];
  double sum = 0;
  for (std::int32_t k = frame.form_facet_start[form]; k < frame.form_facet_start[form + 1]; ++k) {
    const std::int32_t* f = &frame.form_facet[4 * static_cast<std::size_t>(k)];
    const Triple &a = vertices[f[0]], &b = vertices[f[1]];
    sum += frame.dimension == 2 ? 0.5 * cross(a, b)[2] : dot(a, cross(b, vertices[f[2]])) / 6;
  }
  return std::fabs(sum) * std::pow(frame.radius[i] / frame.form_radius[form], frame.dimension);
}

}  // namespace moraine::plot
