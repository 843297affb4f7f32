// SPDX-License-Identifier: MIT
#include "flow/fields.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "base/error.hpp"
#include "world/world.hpp"

namespace moraine::flow {

namespace {

template <int D>
std::string at_text(const Vec<D>& x) {
  return D == 2 ? fmt::format("({:.6g}, {:.6g})", x[0], x[1])
                : fmt::format("({:.6g}, {:.6g}, {:.6g})", x[0], x[1], x[D - 1]);
}

}  // namespace

template <int D>
Vec<D> ParabolicField<D>::velocity(const Vec<D>& x) const {
  const Vec<D> d = x - point_;
  const double along = math::dot(d, axis_);
  if (from_ && along <= *from_) return axis_ * speed_;
  const double s2 = math::norm2(d - axis_ * along) / (half_width_ * half_width_);
  return axis_ * (speed_ * (D == 2 ? 1.5 : 2.0) * std::max(0.0, 1 - s2));
}

template <int D>
std::string make_grid(const std::vector<Vec<D>>& places, const std::vector<Vec<D>>& velocities,
                      GridOfVelocities<D>& grid) {
  std::array<std::vector<double>, D> axes;
  std::size_t nodes = 1;
  for (int k = 0; k < D; ++k) {
    std::set<double> values;
    for (const auto& x : places) values.insert(x[k]);
    auto& axis = axes[static_cast<std::size_t>(k)];
    axis.assign(values.begin(), values.end());
    if (axis.size() < 2) return fmt::format("all rows have the same {}: at least two are needed", "xyz"[k]);
    const double step = (axis.back() - axis.front()) / static_cast<double>(axis.size() - 1);
    for (std::size_t i = 0; i < axis.size(); ++i) {
      if (std::fabs(axis[i] - axis.front() - step * static_cast<double>(i)) > 1e-6 * step)
        return fmt::format("the grid is not regular along {}: {} values from {} to {} are not {} apart (see {})",
                           "xyz"[k], axis.size(), axis.front(), axis.back(), step, axis[i]);
    }
    grid.low[k] = axis.front();
    grid.step[k] = step;
    grid.count[static_cast<std::size_t>(k)] = axis.size();
    nodes *= axis.size();
  }
  if (nodes != places.size())
    return fmt::format("{} rows do not fill the grid of {} nodes once each", places.size(), nodes);
  grid.values.assign(nodes, Vec<D>{});
  std::vector<bool> seen(nodes, false);
  for (std::size_t row = 0; row < places.size(); ++row) {
    std::size_t at = 0;
    for (int k = D - 1; k >= 0; --k) {
      const auto i = static_cast<std::size_t>(std::llround((places[row][k] - grid.low[k]) / grid.step[k]));
      at = at * grid.count[static_cast<std::size_t>(k)] + i;
    }
    if (seen[at]) return fmt::format("the place {} is there twice", at_text<D>(places[row]));
    seen[at] = true;
    grid.values[at] = velocities[row];
  }
  return "";
}

template <int D>
Vec<D> TableField<D>::velocity(const Vec<D>& x) const {
  std::array<std::size_t, D> cell{};
  std::array<double, D> part{};
  for (int k = 0; k < D; ++k) {
    const auto c = static_cast<std::size_t>(k);
    const auto most = static_cast<double>(grid_.count[c] - 1);
    double at = (x[k] - grid_.low[k]) / grid_.step[k];
    if (!nearest_ && !(at >= -1e-9 && at <= most + 1e-9)) {
      throw base::RunError(fmt::format("the table of the flow does not reach {}", at_text<D>(x)),
                           "make the table larger, or set flow.outside = \"nearest\"");
    }
    at = std::clamp(at, 0.0, most);
    cell[c] = std::min(static_cast<std::size_t>(at), grid_.count[c] - 2);
    part[c] = at - static_cast<double>(cell[c]);
  }
  Vec<D> u{};
  for (std::size_t corner = 0; corner < (1U << D); ++corner) {
    double weight = 1;
    std::size_t at = 0;
    for (std::size_t k = D; k-- > 0;) {
      const std::size_t up = (corner >> k) & 1U;
      weight *= up != 0 ? part[k] : 1 - part[k];
      at = at * grid_.count[k] + cell[k] + up;
    }
    if (weight != 0) u += grid_.values[at] * weight;
  }
  return u;
}

const std::vector<std::string>& flow_variables(int dimension) {
  static const std::vector<std::string> flat{"x", "y", "t"}, solid{"x", "y", "z", "t"};
  return dimension == 2 ? flat : solid;
}

template <int D>
void FormulaField<D>::update(const world::World<D>& world, base::Team& /*team*/) {
  time_ = world.time;
}

template <int D>
Vec<D> FormulaField<D>::velocity(const Vec<D>& x) const {
  std::array<double, D + 1> values{};
  for (std::size_t k = 0; k < D; ++k) values[k] = x[static_cast<int>(k)];
  values[D] = time_;
  Vec<D> u{};
  for (std::size_t k = 0; k < D; ++k) {
    if (!parts_[k]) continue;
    const double value = (*parts_[k])(values.data());
    if (!std::isfinite(value)) {
      throw base::RunError(
          fmt::format("the flow is {} at {} at time {:.6g} s: {}", value, at_text<D>(x), time_, parts_[k]->text()),
          "see that the formula has a finite value wherever a body can be");
    }
    u[static_cast<int>(k)] = value;
  }
  return u;
}

template <int D>
void CallbackField<D>::update(const world::World<D>& world, base::Team& /*team*/) {
  time_ = world.time;
  if (call_) return;
  throw base::RunError("the flow is to come from a program that uses the library, and none has given it",
                       "call Simulation::set_flow, or choose another flow.kind");
}

template <int D>
Vec<D> CallbackField<D>::velocity(const Vec<D>& x) const {
  return call_ ? call_(x, time_) : Vec<D>{};
}

#define MORAINE_INSTANTIATE(D)                                                                                     \
  template class ParabolicField<D>;                                                                                \
  template std::string make_grid<D>(const std::vector<Vec<D>>&, const std::vector<Vec<D>>&, GridOfVelocities<D>&); \
  template class TableField<D>;                                                                                    \
  template class FormulaField<D>;                                                                                  \
  template class CallbackField<D>;
MORAINE_INSTANTIATE(2)
MORAINE_INSTANTIATE(3)

}  // namespace moraine::flow
