// SPDX-License-Identifier: MIT
// A collision of one body with another or with a wall, watched step by step: coefficient of restitution, angular
// restitution and duration (Babic, appendix A: A.49, A.50, A.53), and the forces over time.
#pragma once

#include <optional>
#include <utility>

#include "measure/probe.hpp"

namespace moraine::measure {

template <int D>
class ImpactProbe : public Probe<D> {
 public:
  // b < 0: wall -1 - b.
  ImpactProbe(std::string name, std::int64_t a, std::int64_t b) : Probe<D>(std::move(name)), a_(a), b_(b) {}
  std::vector<Quantity> columns() const override;
  bool sample(const Sight<D>& sight, std::vector<double>& row) override;
  std::map<std::string, double> results() const override;
  bool wants_contacts() const override { return true; }
  void save(base::Record& record) const override;
  void load(const base::Record& record) override;

 private:
  // Relative velocity at the contact point, along k and in the plane of contact.
  struct Meeting {
    double closing = 0;
    math::Vec3 slip{};
  };
  std::optional<Meeting> meeting(const World<D>& world, math::Vec<D>& k) const;
  bool may_pull(const World<D>& world) const;
  double remaining(double dt) const;
  void end_of_force(double time, double dt, double force, double overlap, double rate);

  std::int64_t a_, b_;
  bool touched_ = false, opened_ = false, parted_ = false, force_ended_ = false, pulls_ = false;
  Meeting before_, after_;
  double touch_time_ = 0, end_time_ = 0, part_time_ = 0;
  double force1_ = 0, force2_ = 0;  // normal force one and two steps ago
  double last_overlap_ = 0, last_rate_ = 0, largest_overlap_ = 0, largest_force_ = 0;
};

}  // namespace moraine::measure
