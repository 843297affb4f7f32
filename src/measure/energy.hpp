// SPDX-License-Identifier: MIT
// Energy, momentum and counts of a world at a whole step (forces known). Reads only; sums in the order of ids' memory,
// so the same for any number of threads.
#pragma once

#include "world/world.hpp"

namespace moraine::measure {

using math::Spin;
using math::Vec;
using world::World;

struct Energy {
  double translation = 0, rotation = 0;  // of the free bodies and clumps
  double potential = 0;                  // -m g.x, with x counted through periodic images
  double elastic = 0;                    // in contacts; only where energy is kept
  double kinetic() const { return translation + rotation; }
  double mechanical() const { return translation + rotation + potential + elastic; }
};

template <int D>
Energy measure_energy(const World<D>& world);

// Energy of one body: kinetic and potential (what it brings when released, or takes along when removed).
template <int D>
double body_energy(const World<D>& world, std::size_t i);
template <int D>
double clump_energy(const World<D>& world, std::size_t c);

// All energy lost so far.
double dissipated(const world::Ledger& ledger);

template <int D>
Vec<D> momentum(const World<D>& world);

// Free single bodies and clumps.
template <int D>
std::size_t free_bodies(const World<D>& world);

// How many collisions a free body (or clump) has had since the start, in the mean over those there are now; 0 without
// any.
template <int D>
double collisions_per_body(const World<D>& world);

}  // namespace moraine::measure
