// SPDX-License-Identifier: MIT
// A probe looks at the world at whole steps and makes rows of numbers (a CSV file per probe), tables (whole CSV files,
// such as a profile) and final results (the summary). Probes read only; they never change what they measure.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/pace.hpp"
#include "base/record.hpp"
#include "world/world.hpp"

namespace moraine::measure {

using world::ContactRecord;
using world::World;

struct Quantity {
  std::string name, unit;  // unit empty: a pure number
};

// A whole file series/NAME.csv.
struct Table {
  std::string name;  // that of the probe, "_", and one of its table_parts(); of an empty part that of the probe
  std::vector<Quantity> columns;
  std::vector<std::vector<double>> rows;
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
  void set_name(std::string name) { name_ = std::move(name); }
  base::Pace every;            // of looks
  std::int64_t row_every = 1;  // looks between two rows, for those that average over looks
  bool cycles = false;         // rows begin with the number of the step

  // Of those: whether a row ends with the look at this step.
  bool row_due(std::int64_t step) const { return every.due(step) && every.index(step) % row_every == 0; }

  virtual std::vector<Quantity> columns() const = 0;  // without time, which is always the first
  // Whether there are rows over time, series/NAME.csv; a table may then not have that name.
  virtual bool has_series() const { return true; }
  // Fills one value per column; false: nothing to write at this step.
  virtual bool sample(const Sight<D>& sight, std::vector<double>& row) = 0;
  // A body (of a clump: each member) has left the domain and will not be there at the next look.
  virtual void body_left(const World<D>& /*world*/, std::size_t /*body*/) {}
  virtual std::map<std::string, double> results() const { return {}; }
  // The last row by the names of its columns, for results().
  std::map<std::string, double> last_row() const {
    std::map<std::string, double> out;
    const auto names = columns();
    for (std::size_t k = 0; k < last_.size() && k < names.size(); ++k) out[names[k].name] = last_[k];
    return out;
  }
  // What the tables it may make are called, behind the name of the probe; and those there are now. The run writes them
  // whenever sample() has changed one for good, and at its end.
  virtual std::vector<std::string> table_parts() const { return {}; }
  virtual std::vector<Table> tables() const { return {}; }
  virtual bool tables_changed() const { return false; }  // by the last sample()
  virtual bool wants_contacts() const { return false; }
  virtual bool wants_energy() const { return false; }
  virtual bool wants_end() const { return false; }  // it has seen enough: the run is over
  virtual void save(base::Record& record) const { record.reals["probe." + name_ + ".last"] = last_; }
  virtual void load(const base::Record& record) { last_ = record.real("probe." + name_ + ".last"); }

 protected:
  std::vector<double> last_;  // row, for the results

 private:
  std::string name_;
};

// The name of a table: that of its file.
inline std::string table_name(const std::string& probe, const std::string& part) {
  return part.empty() ? probe : probe + "_" + part;
}

template <int D>
using ProbePtr = std::unique_ptr<Probe<D>>;

}  // namespace moraine::measure
