// SPDX-License-Identifier: MIT
// How the rest of the program hooks into a run: a Change edits the world between steps, a Watch only looks. Each costs
// one virtual call per step and none per contact.
#pragma once

#include <cstdint>

#include "base/record.hpp"
#include "measure/probe.hpp"

namespace moraine::sim {

using world::World;

template <int D>
class Change {
 public:
  virtual ~Change() = default;
  // Before the forces of the present step. True if bodies came or went.
  virtual bool apply(World<D>& world) = 0;
  // Nothing more to come: the run may end when all is at rest.
  virtual bool done(const World<D>& world) const = 0;
  virtual void save(base::Record& record) const = 0;
  virtual void load(const base::Record& record) = 0;
};

template <int D>
class Watch {
 public:
  virtual ~Watch() = default;
  virtual bool due(std::int64_t step, bool last) const = 0;
  virtual bool wants_contacts() const { return false; }
  virtual bool wants_energy() const { return false; }
  virtual bool wants_end() const { return false; }  // the run ends after this step
  virtual void look(const measure::Sight<D>& sight) = 0;
  virtual void body_left(const World<D>&, std::size_t /*body*/) {}
  virtual void save(base::Record&) const {}
  virtual void load(const base::Record&) {}
};

}  // namespace moraine::sim
