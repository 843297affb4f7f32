// SPDX-License-Identifier: MIT
// The stream of the world: how exactly it is known, and what it is along a line.
#pragma once

#include "measure/probe.hpp"

namespace moraine::measure {

// What the field tells of itself.
template <int D>
class FlowProbe : public Probe<D> {
 public:
  // `field` as it is built: which numbers there are does not change.
  FlowProbe(std::string name, const world::Field<D>& field);
  std::vector<Quantity> columns() const override { return columns_; }
  bool sample(const Sight<D>& sight, std::vector<double>& row) override;
  std::map<std::string, double> results() const override;

 private:
  std::vector<Quantity> columns_;
};

// Velocity (and pressure) along a line, in the middle of each of its equal parts (at its ends there may be walls):
// those of the last look as one table of the name of the probe itself; it has no rows over time.
template <int D>
class SectionProbe : public Probe<D> {
 public:
  struct Line {
    math::Vec<D> from{}, to{}, centre{};
    int points = 2;
  };
  SectionProbe(std::string name, const Line& line, bool pressure)
      : Probe<D>(std::move(name)), line_(line), pressure_(pressure) {}
  std::vector<Quantity> columns() const override { return {}; }
  bool has_series() const override { return false; }
  bool sample(const Sight<D>& sight, std::vector<double>& row) override;
  std::map<std::string, double> results() const override;
  std::vector<std::string> table_parts() const override { return {""}; }
  std::vector<Table> tables() const override;
  void save(base::Record& record) const override;
  void load(const base::Record& record) override;

 private:
  std::size_t width() const { return 2 + 2 * D + (pressure_ ? 1 : 0); }
  Line line_;
  bool pressure_;
  double flux_ = 0;  // 2D: from the right of the line to its left
};

}  // namespace moraine::measure
