// SPDX-License-Identifier: MIT
// Streams that are given rather than solved for: uniform, parabolic, a table, formulas, a callback.
#pragma once

#include <algorithm>
#include <array>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "math/formula.hpp"
#include "world/field.hpp"

namespace moraine::flow {

using math::Vec;

template <int D>
class UniformField : public world::Field<D> {
 public:
  explicit UniformField(const Vec<D>& velocity) : velocity_(velocity) {}
  Vec<D> velocity(const Vec<D>& /*x*/) const override { return velocity_; }

 private:
  Vec<D> velocity_;
};

// The flow of a pipe or between two banks about the line through `point` along `axis`: 1.5 v (1 - (s/R)^2) between two
// banks (2D), 2 v (1 - (s/R)^2) in a round pipe (3D), s the distance from the line; nothing beyond R. Before `from`, a
// place on the axis, it is v everywhere, as in the program of Sun (1996), appendix E.
template <int D>
class ParabolicField : public world::Field<D> {
 public:
  ParabolicField(const Vec<D>& point, const Vec<D>& axis, double half_width, double speed, std::optional<double> from)
      : point_(point), axis_(axis), half_width_(half_width), speed_(speed), from_(from) {}
  Vec<D> velocity(const Vec<D>& x) const override;

 private:
  Vec<D> point_, axis_;
  double half_width_, speed_;
  std::optional<double> from_;
};

// Values at the nodes of a regular grid, linear in between.
template <int D>
struct GridOfVelocities {
  Vec<D> low{}, step{};
  std::array<std::size_t, D> count{};  // along each axis, at least two
  std::vector<Vec<D>> values;          // the first axis runs fastest
};

// Sorts rows (places and velocities, in any order) into a grid; what is wrong with them, or nothing.
template <int D>
std::string make_grid(const std::vector<Vec<D>>& places, const std::vector<Vec<D>>& velocities,
                      GridOfVelocities<D>& grid);

template <int D>
class TableField : public world::Field<D> {
 public:
  // `nearest`: outside, what is at the edge; otherwise a RunError.
  TableField(GridOfVelocities<D> grid, bool nearest) : grid_(std::move(grid)), nearest_(nearest) {}
  Vec<D> velocity(const Vec<D>& x) const override;

 private:
  GridOfVelocities<D> grid_;
  bool nearest_;
};

// Of x, y, (z,) t.
const std::vector<std::string>& flow_variables(int dimension);
template <int D>
class FormulaField : public world::Field<D> {
 public:
  explicit FormulaField(std::vector<std::optional<math::Formula>> parts) : parts_(std::move(parts)) {}
  void update(const world::World<D>& world, base::Team& team) override;
  Vec<D> velocity(const Vec<D>& x) const override;
  bool changes() const {  // with time
    return std::any_of(parts_.begin(), parts_.end(), [](const auto& part) { return part && part->uses(D); });
  }

 private:
  std::vector<std::optional<math::Formula>> parts_;  // one for each axis; none: zero
  double time_ = 0;
};

// Whatever a program that uses the library thinks of. Called from several threads at once.
template <int D>
class CallbackField : public world::Field<D> {
 public:
  using Call = std::function<Vec<D>(const Vec<D>& x, double time)>;
  explicit CallbackField(Call call = nullptr) : call_(std::move(call)) {}
  void update(const world::World<D>& world, base::Team& team) override;
  Vec<D> velocity(const Vec<D>& x) const override;

 private:
  Call call_;
  double time_ = 0;
};

}  // namespace moraine::flow
