// SPDX-License-Identifier: MIT
// What stands behind a Simulation of the library: a run, and which of two states it is in. Between two steps, as after
// a step; or looked at, when the forces of the present instant are known, as after look(). Changes and checkpoints
// belong to the first: so a look keeps a copy of it, and a change goes back to it.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/record.hpp"
#include "measure/frame.hpp"
#include "measure/probe.hpp"
#include "moraine/simulation.hpp"
#include "scene/load.hpp"
#include "sim/simulation.hpp"

namespace moraine::api {

class Engine {
 public:
  virtual ~Engine() = default;
  const scene::Scene& tree() const { return tree_; }
  bool finished() const { return run().finished(); }

  // One step. The last one of a run is followed by a look.
  void step();
  // All of the present instant.
  const measure::Frame& look();
  std::uint64_t hash();
  // The state between two steps, whole.
  base::Record saved() const;
  // Refuses where someone steps or changes from within a load or a callback that must not.
  void check_idle(const char* what) const;

  virtual double time() const = 0;
  virtual double dt() const = 0;
  virtual std::int64_t steps() const = 0;
  virtual std::vector<Clump> clumps() = 0;
  virtual std::vector<Wall> walls() = 0;
  virtual std::vector<std::string> materials() const = 0;
  virtual Energy energy() = 0;
  virtual std::map<std::string, std::map<std::string, double>> probes() = 0;
  // What the probes write in a run with a folder. Columns of the series by the names of their probes; the tables that
  // there are now.
  virtual std::map<std::string, std::vector<measure::Quantity>> series() const = 0;
  virtual std::vector<measure::Table> tables() const = 0;
  virtual std::int64_t add_body(const NewBody& body) = 0;
  virtual void remove_body(std::int64_t id) = 0;
  virtual void set_velocity(std::int64_t id, const Vector& velocity) = 0;
  virtual void set_spin(std::int64_t id, const Vector& spin) = 0;
  virtual void add_load(Simulation::Load load) = 0;
  virtual void set_flow(Simulation::Flow flow) = 0;
  virtual Vector flow_velocity(const Vector& position) = 0;

  struct Call {
    std::int64_t every;
    Simulation::Callback callback;
  };
  std::vector<Call> calls;
  // Told while the run steps: a row of the series of a probe; a table that has changed.
  std::function<void(const std::string& probe, const std::vector<double>& row)> on_row;
  std::function<void(const measure::Table& table)> on_table;
  bool calling = false;  // a callback is at work

 protected:
  explicit Engine(scene::Scene tree) : tree_(std::move(tree)) {}
  virtual sim::Run& run() = 0;
  virtual const sim::Run& run() const = 0;
  void back_to_between();  // before every change

  bool wanted_ = false;  // by look(): the run is to fill frame_
  measure::Frame frame_;

 private:
  template <class Work>
  void working(const Work& work);

  scene::Scene tree_;
  bool looked_ = false, working_ = false, failed_ = false;
  base::Record between_;  // while looked at
};

// Builds the scene, or with `resumed` goes on from a checkpoint of it.
std::unique_ptr<Engine> make_engine(const scene::Scene& tree, const Options& options, const base::Record* resumed);

}  // namespace moraine::api
