// SPDX-License-Identifier: MIT
// Profiles across an axis, averaged over windows of the run: concentration by exact cutting, velocity, granular
// temperature, stress and spin in equal bins, each with its standard error. Formulas: docs/measures.md.
#pragma once

#include <array>
#include <span>
#include <utility>

#include "measure/average.hpp"
#include "measure/bins.hpp"
#include "measure/branch.hpp"
#include "measure/probe.hpp"

namespace moraine::measure {

enum class WindowBy { kTime, kSteps, kCollisions };  // collisions per free body

struct ProfilePlan {
  int axis = 1;
  Bins bins;
  double section = 1;    // of a bin across the axis: area, or length in 2D
  double thickness = 1;  // 2D
  bool held = false;     // fixed and prescribed bodies count as covered, too
  WindowBy by = WindowBy::kTime;
  std::vector<std::array<double, 2>> windows;  // from, to
};

template <int D>
class ProfileProbe : public Probe<D> {
 public:
  ProfileProbe(std::string name, ProfilePlan plan);
  std::vector<Quantity> columns() const override;
  bool sample(const Sight<D>& sight, std::vector<double>& row) override;
  std::map<std::string, double> results() const override;
  std::vector<std::string> table_parts() const override;
  std::vector<Table> tables() const override;
  bool tables_changed() const override { return changed_; }
  bool wants_contacts() const override { return true; }
  void save(base::Record& record) const override;
  void load(const base::Record& record) override;

 private:
  struct Window {
    double from = 0, to = 0;
    bool begun = false, ended = false;
    double time_from = 0, time_to = 0, collisions_from = 0, collisions_to = 0;
    Blocks averages;
  };
  // One number each for all bins together.
  struct Overall {
    double mean_u = 0, max_u = 0, temperature = 0, concentration = 0, kinetic = 0;
  };

  void look_at_bodies(const World<D>& world);
  void look_at_contacts(const Sight<D>& sight);
  void add_to_windows(const World<D>& world, double collisions);
  std::vector<Quantity> profile_columns() const;
  // From the means of the channels: the columns of each bin in turn; numbers of all bins.
  std::vector<double> profile(std::span<const double> means) const;
  Overall overall(std::span<const double> means) const;
  double* channels_of(int bin);
  Blocks::Estimate estimate(std::size_t window, const Blocks::Function& function) const;

  ProfilePlan plan_;
  std::vector<Window> windows_;
  bool changed_ = false;
  std::vector<double> since_row_;  // sums of the channels
  std::int64_t looks_since_row_ = 0;
  // Of the present look; kept to save the memory.
  std::vector<double> channels_;
  std::vector<double> clump_volume_;
  Branches<D> branches_;
};

}  // namespace moraine::measure
