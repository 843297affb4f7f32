// SPDX-License-Identifier: MIT
// Probes of hard systems: the tip of a pendulum, how well links are kept, their forces, the middle of a chain, a stack.
#pragma once

#include "measure/energy.hpp"
#include "measure/probe.hpp"

namespace moraine::measure {

// One body and one link: position, velocity, the link's angle from straight down (the direction of gravity, or -y, -z)
// and its rate, energy. Of a joint, whose two ends are one point: the angle of its body, from the joint to the centre.
template <int D>
class TipProbe : public Probe<D> {
 public:
  TipProbe(std::string name, std::int64_t body, std::size_t link)
      : Probe<D>(std::move(name)), body_(body), link_(link) {}
  std::vector<Quantity> columns() const override;
  bool sample(const Sight<D>& sight, std::vector<double>& row) override;
  std::map<std::string, double> results() const override;
  void save(base::Record& record) const override;
  void load(const base::Record& record) override;

 private:
  std::int64_t body_;
  std::size_t link_;
  bool started_ = false;
  double first_energy_ = 0, worst_energy_ = 0, turns_ = 0, last_angle_ = 0;
};

// Largest violations, energy error, forces, and what the integrator did in the last step.
template <int D>
class LinksProbe : public Probe<D> {
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
  double first_energy_ = 0;
  std::vector<double> worst_ = std::vector<double>(5, 0.0);  // position, velocity, energy, tension, compression
  double iterations_ = 0, rejected_ = 0, rows_ = 0;
};

// Force of chosen links: tension of rods and contacts, components on the body of joints.
template <int D>
class LinkForceProbe : public Probe<D> {
 public:
  LinkForceProbe(std::string name, std::vector<std::size_t> links)
      : Probe<D>(std::move(name)), links_(std::move(links)) {}
  std::vector<Quantity> columns() const override;
  bool sample(const Sight<D>& sight, std::vector<double>& row) override;
  std::map<std::string, double> results() const override;

 private:
  std::vector<std::size_t> links_;
  std::vector<bool> joint_;
};

// The middle between two bodies, or one body: its way, and when it turns back along the vertical.
template <int D>
class CentreProbe : public Probe<D> {
 public:
  CentreProbe(std::string name, std::int64_t a, std::int64_t b) : Probe<D>(std::move(name)), a_(a), b_(b) {}
  std::vector<Quantity> columns() const override;
  bool sample(const Sight<D>& sight, std::vector<double>& row) override;
  std::map<std::string, double> results() const override;
  void save(base::Record& record) const override;
  void load(const base::Record& record) override;

 private:
  std::int64_t a_, b_;
  std::vector<double> recent_;    // time, height, speed of the last look
  std::vector<double> turnings_;  // time and height of each
};

// A stack of bodies: how much lower its top stands than at the start, and when that exceeded a part of its height.
template <int D>
class StackProbe : public Probe<D> {
 public:
  StackProbe(std::string name, double limit) : Probe<D>(std::move(name)), limit_(limit) {}
  std::vector<Quantity> columns() const override;
  bool sample(const Sight<D>& sight, std::vector<double>& row) override;
  std::map<std::string, double> results() const override;
  void save(base::Record& record) const override;
  void load(const base::Record& record) override;

 private:
  double limit_;
  double height_ = -1, fell_ = -1, seen_ = 0, before_ = 0, before_shrunk_ = 0;
};

// Linear and angular momentum (about the origin) and energy of all free bodies.
template <int D>
class MomentumProbe : public Probe<D> {
 public:
  using Probe<D>::Probe;
  std::vector<Quantity> columns() const override;
  bool sample(const Sight<D>& sight, std::vector<double>& row) override;
  std::map<std::string, double> results() const override;
};

}  // namespace moraine::measure
