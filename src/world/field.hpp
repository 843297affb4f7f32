// SPDX-License-Identifier: MIT
// The stream of a fluid that bodies drift in: its velocity anywhere. Made from the scene, no part of the state.
#pragma once

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
  // Once a step, before anybody asks: walls and bodies may have moved, and time has gone on.
  virtual void update(const World<D>& /*world*/, base::Team& /*team*/) {}
  // Of the instant of the last update. Asked from several threads at once.
  virtual Vec<D> velocity(const Vec<D>& x) const = 0;
};

}  // namespace moraine::world
