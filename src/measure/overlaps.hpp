// SPDX-License-Identifier: MIT
// How well bodies keep out of each other and come to rest: of soft contacts what their springs give, of hard ones what
// the solver has left.
#pragma once

#include <unordered_map>

#include "measure/probe.hpp"

namespace moraine::measure {

template <int D>
class OverlapsProbe : public Probe<D> {
 public:
  // Moves count from the first look at or after `from`.
  OverlapsProbe(std::string name, double from) : Probe<D>(std::move(name)), from_(from) {}
  std::vector<Quantity> columns() const override;
  bool sample(const Sight<D>& sight, std::vector<double>& row) override;
  std::map<std::string, double> results() const override;
  bool wants_contacts() const override { return true; }
  void save(base::Record& record) const override;
  void load(const base::Record& record) override;

 private:
  double farthest_move(const World<D>& world);

  double from_;
  std::unordered_map<std::int64_t, math::Vec<D>> start_;  // where each body was
  std::vector<double> last_;
  double largest_ = 0, largest_cone_ = 0;
};

}  // namespace moraine::measure
