// SPDX-License-Identifier: MIT
// The stream of a fluid that bodies drift in: its velocity anywhere. Made from the scene, no part of the state.
#pragma once

#include <map>
#include <string>

#include "base/parallel.hpp"
#include "math/vec.hpp"

namespace moraine::world {

using math::Vec;

template <int D>
struct World;

template <int D>
class Field {
 public:
  virtual ~Field() = default;
  // Once a step, before anybody asks: walls and bodies may have moved, and time has gone on. What it finds must follow
  // from the world alone, not from earlier updates: a run that goes on from a checkpoint has none.
  virtual void update(const World<D>& /*world*/, base::Team& /*team*/) {}
  // Of the instant of the last update. Asked from several threads at once.
  virtual Vec<D> velocity(const Vec<D>& x) const = 0;
  // Over that where the fluid has its reference speed; only of fields that know one.
  virtual bool has_pressure() const { return false; }
  virtual double pressure(const Vec<D>& /*x*/) const { return 0; }
  // Numbers for the summary, such as how exact it is.
  virtual std::map<std::string, double> report() const { return {}; }
};

}  // namespace moraine::world
