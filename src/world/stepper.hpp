// SPDX-License-Identifier: MIT
// What moves a world by one step. Between forces() and advance() everything is known at the same whole step: positions,
// velocities, forces. Probes look then.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "base/record.hpp"
#include "base/stopwatch.hpp"
#include "world/load.hpp"
#include "world/world.hpp"

namespace moraine::world {

template <int D>
class Stepper {
 public:
  virtual ~Stepper() = default;

  // Before the first step, of a world that is new or was loaded (`resumed`).
  virtual void begin(World<D>& world, const base::Record* resumed) = 0;
  virtual void save(base::Record& record) const = 0;
  // Forces of the present instant. `looked_at`: somebody reads them before advance().
  virtual void forces(World<D>& world, bool keep_energy, bool looked_at, bool keep_records) = 0;
  virtual void advance(World<D>& world, bool keep_energy) = 0;

  // Bodies came or went: lists are made anew at the next step, or at once.
  virtual void bodies_changed() = 0;
  virtual void list_anew(World<D>& world) = 0;
  virtual void velocities_changed() {}  // by somebody else
  // A stepper that asks for loads within a step takes them (and books their work) itself.
  virtual bool take_loads(const std::vector<std::unique_ptr<Load<D>>>& /*loads*/) { return false; }

  virtual std::int64_t contacts() const = 0;
  virtual void gather_records(std::vector<ContactRecord<D>>& records) const = 0;
  virtual std::int64_t times_found() const { return 0; }

  base::Stopwatch& stopwatch() { return stopwatch_; }
  std::vector<std::int64_t> left_domain;  // ids of bodies that left the domain in the last advance

 protected:
  base::Stopwatch stopwatch_;
};

}  // namespace moraine::world
