// SPDX-License-Identifier: MIT
#include "measure/flow_probes.hpp"

#include <algorithm>
#include <cmath>

namespace moraine::measure {

namespace {

const char* unit_of(const std::string& name) {
  if (name.rfind("flux", 0) == 0) return "m^2/s";
  return name == "speed" ? "m/s" : "";
}

const char* const kAxes[] = {"x", "y", "z"};

}  // namespace

template <int D>
FlowProbe<D>::FlowProbe(std::string name, const world::Field<D>& field) : Probe<D>(std::move(name)) {
  for (const auto& [what, value] : field.report()) columns_.push_back({what, unit_of(what)});
}

template <int D>
bool FlowProbe<D>::sample(const Sight<D>& sight, std::vector<double>& row) {
  const auto report = sight.world.flow->report();
  row.clear();
  for (const Quantity& q : columns_) row.push_back(report.at(q.name));
  this->last_ = row;
  return true;
}

template <int D>
std::map<std::string, double> FlowProbe<D>::results() const {
  std::map<std::string, double> out;
  for (std::size_t k = 0; k < this->last_.size(); ++k) out[columns_[k].name] = this->last_[k];
  return out;
}

// Rows one after the other in `last_`.
template <int D>
bool SectionProbe<D>::sample(const Sight<D>& sight, std::vector<double>& row) {
  row.clear();
  this->last_.clear();
  const world::Field<D>& field = *sight.world.flow;
  for (int k = 0; k < line_.points; ++k) {
    const math::Vec<D> x = line_.from + (line_.to - line_.from) * (static_cast<double>(k) / (line_.points - 1));
    const math::Vec<D> u = field.velocity(x);
    this->last_.push_back(math::norm(x - line_.centre));
    this->last_.push_back(math::norm(u));
    for (int c = 0; c < D; ++c) this->last_.push_back(u[c]);
    for (int c = 0; c < D; ++c) this->last_.push_back(x[c]);
    if (pressure_) this->last_.push_back(field.pressure(x));
  }
  return false;
}

template <int D>
std::map<std::string, double> SectionProbe<D>::results() const {
  if (this->last_.empty()) return {};
  double largest = 0, sum = 0, flux = 0;
  const std::size_t w = width(), n = this->last_.size() / w;
  const math::Vec<D> along = line_.to - line_.from;
  for (std::size_t k = 0; k < n; ++k) {
    const double* row = &this->last_[k * w];
    const double weight = (k == 0 || k + 1 == n ? 0.5 : 1.0) / static_cast<double>(n - 1);
    largest = std::max(largest, row[1]);
    sum += weight * row[1];
    // From the right of the line to its left.
    if constexpr (D == 2) flux += weight * (along[0] * row[3] - along[1] * row[2]);
  }
  std::map<std::string, double> out{{"largest_speed", largest}, {"mean_speed", sum}};
  if (D == 2) out["flux"] = flux;
  return out;
}

template <int D>
std::vector<Table> SectionProbe<D>::tables() const {
  if (this->last_.empty()) return {};
  Table table{this->name(), {{"r", "m"}, {"speed", "m/s"}}, {}};
  for (int c = 0; c < D; ++c) table.columns.push_back({std::string("u") + kAxes[c], "m/s"});
  for (int c = 0; c < D; ++c) table.columns.push_back({kAxes[c], "m"});
  if (pressure_) table.columns.push_back({"pressure", "Pa"});
  const std::size_t w = width();
  for (std::size_t k = 0; k * w < this->last_.size(); ++k)
    table.rows.emplace_back(this->last_.begin() + static_cast<std::ptrdiff_t>(k * w),
                            this->last_.begin() + static_cast<std::ptrdiff_t>((k + 1) * w));
  return {table};
}

template class FlowProbe<2>;
template class FlowProbe<3>;
template class SectionProbe<2>;
template class SectionProbe<3>;

}  // namespace moraine::measure
