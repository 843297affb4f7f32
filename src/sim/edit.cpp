// SPDX-License-Identifier: MIT
// Edits of a world between two steps. What they bring in energy goes to the ledger, and the lists of neighbours are
// brought up to date at once: the state can be saved right after.
#include <fmt/format.h>

#include <algorithm>

#include "base/error.hpp"
#include "measure/energy.hpp"
#include "sim/simulation.hpp"

namespace moraine::sim {

template <int D>
std::size_t Simulation<D>::index_of(std::int64_t id) const {
  const auto& ids = world_.bodies.id;
  const auto at = std::find(ids.begin(), ids.end(), id);
  const auto i = static_cast<std::size_t>(at - ids.begin());
  if (at == ids.end() || world_.bodies.moving[i].gone)
    throw base::InputError("", 0, fmt::format("body {}", id), "there is no body of this id");
  return i;
}

template <int D>
std::int64_t Simulation<D>::add_body(const world::NewBody<D>& body) {
  world_.bodies.add(body);
  const std::int64_t id = world_.bodies.id.back();
  world_.ledger.added += energy_of(world_.bodies.size() - 1);
  if (body.held == world::Held::kFree) world_.count_body(world_.bodies.size() - 1, world_.traffic.came);
  step_->list_anew(world_);
  return id;
}

// Velocities are kept half a step back. Here they become those foreseen for the whole step, and the next kick is half.
template <int D>
void Simulation<D>::to_whole_step(std::size_t i) {
  const std::uint32_t c = world_.bodies.clump[i];
  if (c == world::kNoClump) {
    world::Moving<D>& m = world_.bodies.moving[i];
    m.v = m.v_now;
    m.w = m.w_now;
    m.fresh = true;
    return;
  }
  world::Clumps<D>& clumps = world_.clumps;
  clumps.v[c] = clumps.v_now[c];
  clumps.w[c] = clumps.w_now[c];
  clumps.momentum[c] = clumps.momentum_of(c, clumps.w[c]);
  clumps.fresh[c] = 1;
}

// What a body, or the clump that it is of, has in energy; none if it is held.
template <int D>
double Simulation<D>::energy_of(std::size_t i) const {
  const std::uint32_t c = world_.bodies.clump[i];
  if (c != world::kNoClump) return measure::clump_energy(world_, c);
  return world_.bodies.moving[i].held == world::Held::kFree ? measure::body_energy(world_, i) : 0;
}

template <int D>
void Simulation<D>::remove_body(std::int64_t id) {
  const std::size_t i = index_of(id);
  if (soft_ == nullptr)
    throw base::InputError("", 0, fmt::format("body {}", id),
                           "cannot be removed from a hard system (method = \"hard\")");
  to_whole_step(i);
  world_.ledger.added -= energy_of(i);
  const std::uint32_t c = world_.bodies.clump[i];
  if (world_.bodies.moving[i].held == world::Held::kFree) world_.count_body(i, world_.traffic.went);
  world_.bodies.moving[i].gone = true;
  if (c != world::kNoClump) {
    world_.count_clump(c, world_.traffic.went);
    world_.clumps.gone[c] = 1;
    for (std::uint32_t m = world_.clumps.start[c]; m < world_.clumps.start[c + 1]; ++m)
      world_.bodies.moving[world_.clumps.member[m]].gone = true;
  }
  ++world_.removed;
  step_->list_anew(world_);
}

template <int D>
void Simulation<D>::set_motion(std::int64_t id, const math::Vec<D>* velocity, const math::Spin<D>* spin) {
  const std::size_t i = index_of(id);
  world::Moving<D>& m = world_.bodies.moving[i];
  if (!world::yields(m.held))
    throw base::InputError("", 0, fmt::format("body {}", id), "is held: its velocity cannot be set");
  to_whole_step(i);
  world_.ledger.added -= energy_of(i);
  const std::uint32_t c = world_.bodies.clump[i];
  world::Clumps<D>& clumps = world_.clumps;
  if (c == world::kNoClump) {
    if (velocity != nullptr) m.v = m.v_now = *velocity;
    if (spin != nullptr) m.w = m.w_now = *spin;
  } else {
    if (velocity != nullptr) clumps.v[c] = clumps.v_now[c] = *velocity;
    if (spin != nullptr) clumps.w[c] = clumps.w_now[c] = *spin;
    clumps.momentum[c] = clumps.momentum_of(c, clumps.w[c]);
    for (std::uint32_t k = clumps.start[c]; k < clumps.start[c + 1]; ++k) {
      world::Moving<D>& member = world_.bodies.moving[clumps.member[k]];
      member.fresh = false;  // what it does follows from the clump
      member.v = member.v_now = world_.member_velocity(clumps.member[k]);
      member.w = member.w_now = clumps.w[c];
    }
  }
  world_.ledger.added += energy_of(i);
  step_->velocities_changed();
}

template <int D>
void Simulation<D>::set_velocity(std::int64_t id, const math::Vec<D>& velocity) {
  set_motion(id, &velocity, nullptr);
}

template <int D>
void Simulation<D>::set_spin(std::int64_t id, const math::Spin<D>& spin) {
  set_motion(id, nullptr, &spin);
}

#define MORAINE_INSTANTIATE(D)                                                                      \
  template std::size_t Simulation<D>::index_of(std::int64_t) const;                                 \
  template void Simulation<D>::to_whole_step(std::size_t);                                          \
  template double Simulation<D>::energy_of(std::size_t) const;                                      \
  template std::int64_t Simulation<D>::add_body(const world::NewBody<D>&);                          \
  template void Simulation<D>::remove_body(std::int64_t);                                           \
  template void Simulation<D>::set_motion(std::int64_t, const math::Vec<D>*, const math::Spin<D>*); \
  template void Simulation<D>::set_velocity(std::int64_t, const math::Vec<D>&);                     \
  template void Simulation<D>::set_spin(std::int64_t, const math::Spin<D>&);
MORAINE_INSTANTIATE(2)
MORAINE_INSTANTIATE(3)

}  // namespace moraine::sim
