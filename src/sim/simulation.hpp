// SPDX-License-Identifier: MIT
// A run in memory: a world, a stepper and the roles that hook in. Knows nothing of files, scenes or terminals.
#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/parallel.hpp"
#include "hard/settings.hpp"
#include "sim/roles.hpp"
#include "soft/soft_step.hpp"
#include "world/load.hpp"
#include "world/stepper.hpp"

namespace moraine::sim {

// When a run ends.
struct Ending {
  std::int64_t steps = 0;  // at the latest
  double rest_energy = 0;  // kinetic energy per free body (J) below which all is at rest; 0: not looked at
  double collisions = 0;   // per free body, after which it is enough; 0: not looked at
};

struct Status {
  double time = 0, end_time = 0, kinetic = 0;
  std::int64_t step = 0, end_step = 0, contacts = 0, removed = 0, neighbour_finds = 0;
  std::size_t bodies = 0;
};

struct Left {  // a body that left the domain
  std::int64_t id = 0;
  double time = 0;
};

// What the program needs of a run, whatever its dimension.
class Run {
 public:
  virtual ~Run() = default;
  virtual void begin(const base::Record* resumed) = 0;  // once, before the first step
  virtual bool finished() const = 0;
  virtual void step() = 0;    // forces, look, advance
  virtual void finish() = 0;  // forces of the last instant, and a last look
  // The part of the next step that comes before the bodies move: changes, forces, whoever is due looks. Then all is
  // known of the present instant. A checkpoint is the state before this.
  virtual void look_now() = 0;
  virtual void save(base::Record& record) const = 0;
  virtual Status status() const = 0;
  virtual std::uint64_t state_hash() const = 0;
  virtual const std::map<std::string, double>& timings() const = 0;
  virtual const std::vector<Left>& left_domain() const = 0;
  virtual bool at_rest() const = 0;
  virtual int threads() const = 0;
};

template <int D>
class Simulation : public Run {
 public:
  Simulation(World<D> world, Ending ending, int threads);

  World<D>& world() { return world_; }
  const World<D>& world() const { return world_; }
  world::Stepper<D>& stepper() { return *step_; }
  void limit_overlap(double deepest);        // soft contacts: overlap over radius beyond which the run stops
  void use(const hard::Settings& settings);  // hard contacts instead of soft ones; before begin()
  void add(std::unique_ptr<Change<D>> change) { changes_.push_back(std::move(change)); }
  void add(std::unique_ptr<Watch<D>> watch);
  void add(std::unique_ptr<world::Load<D>> load) { loads_.push_back(std::move(load)); }

  void begin(const base::Record* resumed) override;
  bool finished() const override { return world_.step >= ending_.steps || at_rest_ || enough_; }
  void step() override;
  void finish() override;
  void look_now() override;
  void save(base::Record& record) const override;
  Status status() const override;
  std::uint64_t state_hash() const override { return world_.hash(); }
  const std::map<std::string, double>& timings() const override { return step_->stopwatch().phases(); }
  const std::vector<Left>& left_domain() const override { return left_; }
  bool at_rest() const override { return at_rest_; }
  int threads() const override { return team_.size(); }
  void keep_energy() { keep_energy_ = true; }  // fills the ledger, whether a watch wants it or not

  // Edits between two steps (not after look_now()). By the id of a body; a member stands for its clump.
  std::int64_t add_body(const world::NewBody<D>& body);  // returns the id
  void remove_body(std::int64_t id);
  void set_velocity(std::int64_t id, const math::Vec<D>& velocity);
  void set_spin(std::int64_t id, const math::Spin<D>& spin);

 private:
  std::size_t index_of(std::int64_t id) const;
  void to_whole_step(std::size_t i);
  double energy_of(std::size_t i) const;
  void set_motion(std::int64_t id, const math::Vec<D>* velocity, const math::Spin<D>* spin);
  void apply_changes();
  void apply_loads();
  void book_loads();
  void look(bool last);
  void open_outlets();
  void drop_bodies();
  void check_rest();
  void check_collisions();

  World<D> world_;
  Ending ending_;
  base::Team team_;
  std::unique_ptr<world::Stepper<D>> step_;
  soft::SoftStep<D>* soft_;  // of step_, if it is that
  double deepest_ = 0.5;     // overlap over radius at which a run stops
  std::vector<std::unique_ptr<Change<D>>> changes_;
  std::vector<std::unique_ptr<Watch<D>>> watches_;
  std::vector<std::unique_ptr<world::Load<D>>> loads_;
  world::Wrenches<D> wrenches_;
  std::vector<world::ContactRecord<D>> records_;
  std::vector<Left> left_;
  bool keep_energy_ = false, at_rest_ = false, moved_ = false;
  bool enough_ = false;     // collisions, or a watch has seen enough
  bool own_loads_ = false;  // the stepper asks for loads itself
  bool looked_ = false;     // changes and forces of the present step are done
};

}  // namespace moraine::sim
