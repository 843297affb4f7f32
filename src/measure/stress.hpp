// SPDX-License-Identifier: MIT
// Stress in a volume, from contacts and from the motion of bodies, and what goes with it: granular temperature and the
// covered fraction. Compression counts positive.
#pragma once

#include <utility>

#include "measure/average.hpp"
#include "measure/probe.hpp"

namespace moraine::measure {

template <int D>
class StressProbe : public Probe<D> {
 public:
  // `space`: volume, or area in 2D. `from`: averages begin then.
  StressProbe(std::string name, double space, double thickness, double from)
      : Probe<D>(std::move(name)), space_(space), volume_(D == 2 ? space * thickness : space), from_(from) {}
  std::vector<Quantity> columns() const override;
  bool sample(const Sight<D>& sight, std::vector<double>& row) override;
  std::map<std::string, double> results() const override;
  bool wants_contacts() const override { return true; }
  bool wants_energy() const override { return sheared_; }
  void set_sheared(bool sheared) { sheared_ = sheared; }
  void save(base::Record& record) const override;
  void load(const base::Record& record) override;

 private:
  std::map<std::string, Blocks::Function> numbers_of_flow() const;
  double space_, volume_, from_;
  bool sheared_ = false;
  Blocks averages_;
  // Work of the sheared boundary since averages began.
  double rate_ = 0, work_from_ = 0, time_from_ = 0, work_to_ = 0, time_to_ = 0;
  bool begun_ = false;
};

// A box of walls, two for each axis: its sizes, and the stress on each pair of walls. For compression tests.
template <int D>
class BoxProbe : public Probe<D> {
 public:
  // walls: low and high of each axis in turn. `loaded`: the axis that is compressed from the time `from` on.
  BoxProbe(std::string name, std::vector<std::size_t> walls, int loaded, double from, double thickness)
      : Probe<D>(std::move(name)), walls_(std::move(walls)), loaded_(loaded), from_(from), thickness_(thickness) {}
  std::vector<Quantity> columns() const override;
  bool sample(const Sight<D>& sight, std::vector<double>& row) override;
  std::map<std::string, double> results() const override;
  void save(base::Record& record) const override;
  void load(const base::Record& record) override;

 private:
  std::vector<std::size_t> walls_;
  int loaded_;
  double from_, thickness_;
  bool begun_ = false;
  std::vector<double> start_ = std::vector<double>(D, 0.0);  // sizes when loading began
  double peak_ratio_ = 0, peak_strain_ = 0, peak_volume_ = 0, lowest_volume_ = 0, lateral_sum_ = 0, lateral_square_ = 0;
  double rows_ = 0;
};

}  // namespace moraine::measure
