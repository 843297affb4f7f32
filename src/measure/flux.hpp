// SPDX-License-Identifier: MIT
// What passes a line (2D) or plane (3D) across an axis: free bodies and clumps, by their centres of mass. Looks now and
// then: who crosses and comes back between two looks is not seen.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "measure/average.hpp"
#include "measure/probe.hpp"

namespace moraine::measure {

using math::Vec;

template <int D>
struct Gate {
  int axis = D - 1;
  double at = 0;        // on the axis
  Vec<D> min{}, max{};  // of the window; what they say along the axis does not count
};

template <int D>
class FluxProbe : public Probe<D> {
 public:
  // Averages begin at the time `from`.
  FluxProbe(std::string name, const Gate<D>& gate, double from) : Probe<D>(std::move(name)), gate_(gate), from_(from) {}
  std::vector<Quantity> columns() const override;
  bool sample(const Sight<D>& sight, std::vector<double>& row) override;
  std::map<std::string, double> results() const override;
  void body_left(const World<D>& world, std::size_t body) override;
  void save(base::Record& record) const override;
  void load(const base::Record& record) override;

 private:
  // Where everybody was at the last look, by id, with all turns about periodic axes undone.
  struct Places {
    std::vector<Vec<D>> x;
    std::vector<std::uint8_t> known;
  };
  struct Passed {
    double number = 0, mass = 0;
  };
  void follow(const World<D>& world, Places& places, std::int64_t id, const Vec<D>& now, double mass);
  std::int64_t side(double x, double period) const;
  bool in_window(const World<D>& world, Vec<D> crossing) const;

  Gate<D> gate_;
  double from_;
  Places bodies_, clumps_;
  Passed passed_, at_row_;  // net so far, and at the last row
  double row_time_ = 0;
  bool begun_ = false;  // averages have, with the row after this
  Blocks rates_{2};     // of number and mass, over rows
};

}  // namespace moraine::measure
