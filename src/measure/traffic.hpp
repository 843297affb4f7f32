// SPDX-License-Identifier: MIT
// Probes of what comes and goes: counts of inlets and outlets and their balance, jams, and what gathers at a structure.
#pragma once

#include <deque>

#include "measure/average.hpp"
#include "measure/probe.hpp"

namespace moraine::measure {

using math::Vec;

// Arrivals, departures, what there is, and the balance, which is zero without rounding.
template <int D>
class TrafficProbe : public Probe<D> {
 public:
  TrafficProbe(std::string name, const world::Traffic<D>& traffic);
  std::vector<Quantity> columns() const override;
  bool sample(const Sight<D>& sight, std::vector<double>& row) override;
  std::map<std::string, double> results() const override;

 private:
  std::vector<std::string> inlets_, outlets_;
};

// What counts as a jam. Any one of the signs is enough.
template <int D>
struct JamRule {
  std::vector<std::size_t> inlets, outlets;
  double window = 0;        // s; 0: so many steps, but no less than the shortest
  double window_steps = 0;  // part of a step too
  double shortest = 0;      // s: two periods of the slowest batches, between which nothing may leave
  double discharge = 0;     // over a window, once something has left: leavers against arrivals; 0: not looked at
  double blocked = 1;       // over a window: part of arrivals without room; 1: not looked at
  world::Box<D> region;
  double full = 0;    // covered part of the region; 0: not looked at
  bool stop = false;  // the run ends
};

template <int D>
class JamProbe : public Probe<D> {
 public:
  JamProbe(std::string name, JamRule<D> rule) : Probe<D>(std::move(name)), rule_(std::move(rule)) {}
  std::vector<Quantity> columns() const override;
  bool sample(const Sight<D>& sight, std::vector<double>& row) override;
  std::map<std::string, double> results() const override;
  bool wants_end() const override { return rule_.stop && time_ >= 0; }
  void save(base::Record& record) const override;
  void load(const base::Record& record) override;

 private:
  struct Count {
    double time, due, skipped, went, inside;
    double most;  // inside at once, so far
  };
  double covered(const World<D>& world) const;
  double window(const World<D>& world) const;
  double enough() const;
  // Between two looks hardly anything has left, and it piles up.
  bool nothing_leaves(const Count& first, const Count& last) const;

  JamRule<D> rule_;
  std::deque<Count> past_;  // of the last window, or longer if that is needed for a verdict
  double time_ = -1;        // of the jam
  double sign_ = 0;         // which: 1 a batch held back, 2 discharge, 3 no room, 4 region full
};

// Bodies that contacts join with chosen walls: how many, how large, and what pushes the walls, on average since the
// last row: between hard bodies single steps tell of impacts.
template <int D>
class AccumulationProbe : public Probe<D> {
 public:
  AccumulationProbe(std::string name, std::vector<std::size_t> walls, double slower_than, double from)
      : Probe<D>(std::move(name)), walls_(std::move(walls)), slower_than_(slower_than), from_(from) {}
  std::vector<Quantity> columns() const override;
  bool sample(const Sight<D>& sight, std::vector<double>& row) override;
  std::map<std::string, double> results() const override;
  bool wants_contacts() const override { return true; }
  void save(base::Record& record) const override;
  void load(const base::Record& record) override;

 private:
  std::vector<std::size_t> walls_;
  double slower_than_, from_;
  Blocks averages_{3};  // number, size, load
  double largest_ = 0, heaviest_ = 0, hardest_ = 0;
  Vec<D> pushed_{};  // sum of the loads since the last row
  double looks_ = 0, peak_ = 0;
};

// How many bodies are in clusters of contacts of which size: 1, 2, 3-4, 5-8 and so on.
template <int D>
class PatchProbe : public Probe<D> {
 public:
  PatchProbe(std::string name, double from) : Probe<D>(std::move(name)), from_(from) {}
  std::vector<Quantity> columns() const override;
  bool sample(const Sight<D>& sight, std::vector<double>& row) override;
  std::map<std::string, double> results() const override;
  std::vector<std::string> table_parts() const override { return {"sizes"}; }
  std::vector<Table> tables() const override;
  bool wants_contacts() const override { return true; }
  void save(base::Record& record) const override;
  void load(const base::Record& record) override;

 private:
  static constexpr std::size_t kBins = 24;
  double from_;
  double looks_ = 0;
  std::vector<double> clusters_ = std::vector<double>(kBins, 0.0);  // summed over looks
  // Clusters, bodies per cluster, largest; whether there were any.
  Blocks averages_{4};
};

}  // namespace moraine::measure
