// SPDX-License-Identifier: MIT
// The ready-made probes: energy budget, counts, forces on walls, tracked bodies and contacts, coordination.
#pragma once

#include <utility>

#include "measure/energy.hpp"
#include "measure/probe.hpp"

namespace moraine::measure {

// Every joule: what there is, what was lost by each mechanism, what walls and released bodies brought, and the balance,
// which is zero in exact arithmetic and an infinitely short step.
template <int D>
class EnergyProbe : public Probe<D> {
 public:
  using Probe<D>::Probe;
  std::vector<Quantity> columns() const override;
  bool sample(const Sight<D>& sight, std::vector<double>& row) override;
  std::map<std::string, double> results() const override;
  bool wants_energy() const override { return true; }
  void save(base::Record& record) const override;
  void load(const base::Record& record) override;

 private:
  bool started_ = false;
  double at_start_ = 0, worst_ = 0;
};

template <int D>
class CountProbe : public Probe<D> {
 public:
  using Probe<D>::Probe;
  std::vector<Quantity> columns() const override;
  bool sample(const Sight<D>& sight, std::vector<double>& row) override;
  std::map<std::string, double> results() const override;
};

// Bonds that hold and that broke so far; among the results also the time of the first break, if any.
template <int D>
class BondProbe : public Probe<D> {
 public:
  using Probe<D>::Probe;
  std::vector<Quantity> columns() const override;
  bool sample(const Sight<D>& sight, std::vector<double>& row) override;
  std::map<std::string, double> results() const override;
};

template <int D>
class WallProbe : public Probe<D> {
 public:
  WallProbe(std::string name, std::vector<std::size_t> walls, std::vector<std::string> names)
      : Probe<D>(std::move(name)), walls_(std::move(walls)), names_(std::move(names)) {}
  std::vector<Quantity> columns() const override;
  bool sample(const Sight<D>& sight, std::vector<double>& row) override;
  std::map<std::string, double> results() const override;

 private:
  std::vector<std::size_t> walls_;
  std::vector<std::string> names_;
};

// Position, velocity and spin of chosen bodies; blank rows end when one of them has left the domain.
template <int D>
class BodyProbe : public Probe<D> {
 public:
  BodyProbe(std::string name, std::vector<std::int64_t> ids) : Probe<D>(std::move(name)), ids_(std::move(ids)) {}
  std::vector<Quantity> columns() const override;
  bool sample(const Sight<D>& sight, std::vector<double>& row) override;
  std::map<std::string, double> results() const override;

 private:
  std::vector<std::int64_t> ids_;
};

// Position, velocity, spin, orientation, angular momentum and rotational energy of chosen clumps.
template <int D>
class ClumpProbe : public Probe<D> {
 public:
  ClumpProbe(std::string name, std::vector<std::int64_t> ids) : Probe<D>(std::move(name)), ids_(std::move(ids)) {}
  std::vector<Quantity> columns() const override;
  bool sample(const Sight<D>& sight, std::vector<double>& row) override;
  std::map<std::string, double> results() const override;

 private:
  std::vector<std::int64_t> ids_;
};

// How far a body has come from where it was at its first look.
template <int D>
class DisplacementProbe : public Probe<D> {
 public:
  DisplacementProbe(std::string name, std::int64_t id) : Probe<D>(std::move(name)), id_(id) {}
  std::vector<Quantity> columns() const override;
  bool sample(const Sight<D>& sight, std::vector<double>& row) override;
  std::map<std::string, double> results() const override { return this->last_row(); }
  void save(base::Record& record) const override;
  void load(const base::Record& record) override;

 private:
  std::int64_t id_;
  std::vector<double> start_;  // empty: not seen yet
};

// Normal and shear force and overlap of chosen pairs; b < 0 is wall -1 - b. Zero while open.
template <int D>
class ContactProbe : public Probe<D> {
 public:
  using Pair = std::pair<std::int64_t, std::int64_t>;
  ContactProbe(std::string name, std::vector<Pair> pairs) : Probe<D>(std::move(name)), pairs_(std::move(pairs)) {}
  std::vector<Quantity> columns() const override;
  bool sample(const Sight<D>& sight, std::vector<double>& row) override;
  std::map<std::string, double> results() const override;
  bool wants_contacts() const override { return true; }

 private:
  std::vector<Pair> pairs_;
};

// Mean number of contacts per free body; without rattlers (fewer than two contacts in 2D, three in 3D); share of those.
template <int D>
class CoordinationProbe : public Probe<D> {
 public:
  using Probe<D>::Probe;
  std::vector<Quantity> columns() const override;
  bool sample(const Sight<D>& sight, std::vector<double>& row) override;
  std::map<std::string, double> results() const override;
  bool wants_contacts() const override { return true; }
};

}  // namespace moraine::measure
