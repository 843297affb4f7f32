// SPDX-License-Identifier: MIT
// What hard contacts remember from step to step, in the slots of the world: their forces, from which the next step's
// impulses start, and with cohesion or bonds how long they have been closed.
#pragma once

#include <utility>

#include "hard/blocks.hpp"
#include "world/contacts.hpp"

namespace moraine::hard {

template <int D>
struct ContactMemory {
  // In 2D the friction force counts along t, which turns with n: swapping the two bodies changes nothing.
  static constexpr std::size_t kAcross = D == 2 ? 1 : 3;
  std::size_t roll = 0, across = 0, normal = 0, age = 0, bond = 0, rest = 0;
  bool extras = false;

  // First what changes sign when the two bodies swap places.
  void lay_out(world::Contacts& contacts, bool with_extras) {
    extras = with_extras;
    std::size_t next = 0;
    const auto take = [&](std::size_t n) { return std::exchange(next, next + n); };
    if (extras) roll = take(kAcross);
    across = take(kAcross);
    contacts.pairs.directed = D == 2 ? (extras ? 1 : 0) : next;
    normal = take(1);
    if (extras) {
      age = take(1);
      bond = take(1);
      rest = take(1);
    }
    contacts.pairs.stride = contacts.walls.stride = next;
  }

  static Across<D> read(const double* m) {
    if constexpr (D == 2) {
      return *m;
    } else {
      return {m[0], m[1], m[2]};
    }
  }
  static void write(double* m, double value) { *m = value; }
  static void write(double* m, const math::Vec3& value) {
    for (int k = 0; k < 3; ++k) m[k] = value[k];
  }
};

}  // namespace moraine::hard
