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
constexpr int kFiner = 10;  // steps of the flux between two points

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
  return this->last_row();
}

// Rows one after the other in `last_`.
template <int D>
bool SectionProbe<D>::sample(const Sight<D>& sight, std::vector<double>& row) {
  row.clear();
  this->last_.clear();
  const world::Field<D>& field = *sight.world.flow;
  for (int k = 0; k < line_.points; ++k) {
    const math::Vec<D> x = line_.from + (line_.to - line_.from) * ((k + 0.5) / line_.points);
    const math::Vec<D> u = field.velocity(x);
    this->last_.push_back(math::norm(x - line_.centre));
    this->last_.push_back(math::norm(u));
    for (int c = 0; c < D; ++c) this->last_.push_back(u[c]);
    for (int c = 0; c < D; ++c) this->last_.push_back(x[c]);
    if (pressure_) this->last_.push_back(field.pressure(x));
  }
  if constexpr (D == 2) {
    const math::Vec<D> along = line_.to - line_.from;
    const int n = kFiner * line_.points;
    flux_ = 0;
    for (int k = 0; k < n; ++k) {
      const math::Vec<D> u = field.velocity(line_.from + along * ((k + 0.5) / n));
      flux_ += math::cross(along, u) / n;
    }
  }
  return false;
}

template <int D>
std::map<std::string, double> SectionProbe<D>::results() const {
  if (this->last_.empty()) return {};
  double largest = 0, sum = 0;
  const std::size_t w = width(), n = this->last_.size() / w;
  for (std::size_t k = 0; k < n; ++k) {
    const double* row = &this->last_[k * w];
    largest = std::max(largest, row[1]);
    sum += row[1] / static_cast<double>(n);
  }
  std::map<std::string, double> out{{"largest_speed", largest}, {"mean_speed", sum}};
  if (D == 2) out["flux"] = flux_;
  return out;
}

template <int D>
void SectionProbe<D>::save(base::Record& record) const {
  Probe<D>::save(record);
  record.set("probe." + this->name() + ".flux", flux_);
}

template <int D>
void SectionProbe<D>::load(const base::Record& record) {
  Probe<D>::load(record);
  flux_ = record.number("probe." + this->name() + ".flux");
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
