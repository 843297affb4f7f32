// SPDX-License-Identifier: MIT
// A probe looks at the world at whole steps and makes a row of numbers (a CSV file per probe) and final results (the
// summary). Probes read only; they never change what they measure.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/record.hpp"
#include "world/world.hpp"

namespace moraine::measure {

using world::ContactRecord;
using world::World;

struct Quantity {
  std::string name, unit;  // unit empty: a pure number
};

// What a probe sees. Contacts are there if some probe of the run wants them at this step.
template <int D>
struct Sight {
  const World<D>& world;
  const std::vector<ContactRecord<D>>& contacts;
  std::int64_t contact_count;
};

template <int D>
class Probe {
 public:
  explicit Probe(std::string name) : name_(std::move(name)) {}
  virtual ~Probe() = default;

  const std::string& name() const { return name_; }
  std::int64_t every = 1;  // steps between two looks
  bool cycles = false;     // rows begin with the number of the step

  virtual std::vector<Quantity> columns() const = 0;  // without time, which is always the first
  // Fills one value per column; false: nothing to write at this step.
  virtual bool sample(const Sight<D>& sight, std::vector<double>& row) = 0;
  virtual std::map<std::string, double> results() const { return {}; }
  virtual bool wants_contacts() const { return false; }
  virtual bool wants_energy() const { return false; }
  virtual void save(base::Record& record) const { record.reals["probe." + name_ + ".last"] = last_; }
  virtual void load(const base::Record& record) { last_ = record.real("probe." + name_ + ".last"); }

 protected:
  std::vector<double> last_;  // row, for the results

 private:
  std::string name_;
};

template <int D>
using ProbePtr = std::unique_ptr<Probe<D>>;

}  // namespace moraine::measure
