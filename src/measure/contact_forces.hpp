// SPDX-License-Identifier: MIT
// Statistics of the forces that contacts carry: their sizes and directions, and the fabric of the contacts. Formulas:
// docs/forces.md.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "measure/average.hpp"
#include "measure/probe.hpp"

namespace moraine::measure {

struct ForceBins {
  std::size_t sizes = 40;   // of the distribution of forces, from 0 to kLargest times the mean
  std::size_t angles = 36;  // of the direction of contacts, over half a turn; the first is about the first axis
  int first_axis = 0, second_axis = 1;  // of the plane in which directions are measured
  bool walls = false;                   // contacts with walls count too
  static constexpr double kLargest = 6;
};

template <int D>
class ForceProbe : public Probe<D> {
 public:
  // Averages begin at the time `from`.
  ForceProbe(std::string name, const ForceBins& bins, double from);
  std::vector<Quantity> columns() const override;
  bool sample(const Sight<D>& sight, std::vector<double>& row) override;
  std::map<std::string, double> results() const override;
  std::vector<std::string> table_parts() const override { return {"distribution", "directions"}; }
  std::vector<Table> tables() const override;
  bool wants_contacts() const override { return true; }
  void save(base::Record& record) const override;
  void load(const base::Record& record) override;

 private:
  // Channels of the averages: sums over the contacts of a look. Fabric (kFabric numbers: xx, xy, .., yy, ..) follows
  // kFirstFabric, then the counts of the two distributions, then count, normal and shear force of each direction.
  static constexpr std::size_t kCount = 0, kNormal = 1, kShear = 2, kLimit = 3, kFirstFabric = 4;
  static constexpr std::size_t kFabric = D * (D + 1) / 2;
  std::size_t sizes_at() const { return kFirstFabric + kFabric; }
  std::size_t angles_at() const { return sizes_at() + 2 * bins_.sizes; }
  std::size_t channels() const { return angles_at() + 3 * bins_.angles; }

  struct Force {
    double normal, shear;
  };
  void add_direction(const ContactRecord<D>& contact, double normal);
  void add_sizes(const std::vector<Force>& forces);
  std::vector<double> row_of(std::span<const double> sums) const;
  double direction_of(std::span<const double> sums) const;

  ForceBins bins_;
  double from_;
  std::vector<double> sums_;  // of the present look
  Blocks averages_;
};

}  // namespace moraine::measure
