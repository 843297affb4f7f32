// SPDX-License-Identifier: MIT
// Probes of a packing as a structure: contact forces by its equivalent truss, and the clusters that contacts make.
// docs/truss.md.
#pragma once

#include "measure/probe.hpp"
#include "measure/truss_packing.hpp"

namespace moraine::measure {

// Forces that balance the loads, found without those of the run and compared with them.
template <int D>
class TrussProbe : public Probe<D> {
 public:
  TrussProbe(std::string name, const PackingPlan& plan, const TrussOptions& options)
      : Probe<D>(std::move(name)), plan_(plan), options_(options) {}
  std::vector<Quantity> columns() const override;
  bool sample(const Sight<D>& sight, std::vector<double>& row) override;
  std::map<std::string, double> results() const override;
  std::vector<std::string> table_parts() const override { return {"contacts"}; }
  std::vector<Table> tables() const override;
  bool wants_contacts() const override { return true; }

 private:
  PackingPlan plan_;
  TrussOptions options_;
  std::vector<std::vector<double>> rows_;  // of the last look: one per contact
  bool looked_ = false;
};

// Bodies that contacts join, and which of these clusters keep their shape. Contacts count as smooth.
template <int D>
class ClusterProbe : public Probe<D> {
 public:
  using Probe<D>::Probe;
  std::vector<Quantity> columns() const override;
  bool sample(const Sight<D>& sight, std::vector<double>& row) override;
  std::map<std::string, double> results() const override;
  bool wants_contacts() const override { return true; }
};

}  // namespace moraine::measure
